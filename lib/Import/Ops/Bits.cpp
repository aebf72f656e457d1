//===- Bits.cpp - Bitwise operations --------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Ops.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::UnaryKind;

static LogicalResult importBits(Node &n, BinaryKind kind) {
  return n.result(n.binary(kind, n.input(0), n.input(1)));
}

LogicalResult kiln::import::importBitwiseAnd(Node &n) {
  return importBits(n, BinaryKind::bit_and);
}
LogicalResult kiln::import::importBitwiseOr(Node &n) {
  return importBits(n, BinaryKind::bit_or);
}
LogicalResult kiln::import::importBitwiseXor(Node &n) {
  return importBits(n, BinaryKind::bit_xor);
}

/// In two's complement, ~x is -x - 1.
LogicalResult kiln::import::importBitwiseNot(Node &n) {
  Value x = n.input(0);
  return n.result(
      n.binary(BinaryKind::sub, n.unary(UnaryKind::neg, x), n.scalarLike(x, 1)));
}

LogicalResult kiln::import::importBitShift(Node &n) {
  StringRef direction = n.stringAttr("direction", "");
  if (direction != "LEFT" && direction != "RIGHT")
    return n.fail(ErrorCode::NodeInvalid, "attribute direction has an unknown value",
                  "LEFT or RIGHT", direction, "correct the attribute");
  if (!n.inputType(0).getElementType().isUnsignedInteger())
    return n.unsupported("BitShift of signed integers", "an unsigned type", "a signed one");
  return importBits(n, direction == "LEFT" ? BinaryKind::shift_left
                                           : BinaryKind::shift_right);
}
