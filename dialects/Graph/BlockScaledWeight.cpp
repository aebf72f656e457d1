//===- BlockScaledWeight.cpp - Weights with scales per block --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/BlockScaledWeight.h"
#include "dialects/Types/FloatFormat.h"
#include "mlir/IR/TypeUtilities.h"

using namespace kiln::graph;
using namespace mlir;

/// Returns the cast that defines `value` if kernels widen by it a type of which
/// `isNarrow` is true, else null.
static CastOp asWidened(Value value, bool (*isNarrow)(Type)) {
  auto cast = value.getDefiningOp<CastOp>();
  bool isSo = cast && cast->hasAttr(kInKernelAttr) &&
              isNarrow(getElementTypeOrSelf(cast.getInput()));
  return isSo ? cast : CastOp();
}

/// Returns the input of a reshape, broadcast and reshape that repeat every row of a
/// matrix several times; null if `value` is not defined by such a chain.
static Value repeatedRows(Value value) {
  auto outer = value.getDefiningOp<ReshapeOp>();
  auto broadcast = outer ? outer.getInput().getDefiningOp<BroadcastOp>() : BroadcastOp();
  auto inner =
      broadcast ? broadcast.getInput().getDefiningOp<ReshapeOp>() : ReshapeOp();
  if (!inner)
    return {};
  Dims from = getDims(inner.getInput()), single = getDims(inner),
       many = getDims(broadcast), to = getDims(value);
  bool isSo = from.size() == 2 && single == Dims{from[0], 1, from[1]} &&
              many.size() == 3 && many[0] == from[0] && many[2] == from[1] &&
              to == Dims{from[0] * many[1], from[1]};
  return isSo ? inner.getInput() : Value();
}

std::optional<BlockScaledWeight> BlockScaledWeight::of(Value value) {
  auto product = value.getDefiningOp<BinaryOp>();
  if (!product || product.getKind() != BinaryKind::mul)
    return std::nullopt;
  CastOp numbers = asWidened(product.getLhs(), kiln::isFloat8);
  Value rows = numbers ? repeatedRows(product.getRhs()) : Value();
  CastOp scales = rows ? asWidened(rows, kiln::isPowerOfTwoType) : CastOp();
  if (!scales || getDims(numbers) != getDims(value))
    return std::nullopt;
  std::optional<int64_t> k = getDims(value)[0].getConstant(),
                         blocks = getDims(scales)[0].getConstant();
  if (!k || !blocks || *blocks == 0)
    return std::nullopt;
  return BlockScaledWeight{numbers, scales, *k / *blocks};
}
