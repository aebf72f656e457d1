//===- Bits.cpp - Operations on the bits of integers ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Ops/Ops.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::UnaryKind;

/// In two's complement that is -x - 1.
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
  // A power that overflows is 0, and so is a quotient by 0: as many bits as the
  // type has, or more, leave nothing.
  Value x = n.input(0);
  Value power = n.binary(BinaryKind::pow, n.scalarLike(n.input(1), 2), n.input(1));
  return n.result(
      n.binary(direction == "LEFT" ? BinaryKind::mul : BinaryKind::div, x, power));
}
