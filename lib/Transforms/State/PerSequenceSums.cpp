//===- PerSequenceSums.cpp - Attention in pieces over a state -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention that kiln-raise-attention does not know, such as one with a quantization in
// its middle, works on all rows of a state: those that a sequence has not written have no
// weight and are read as 0, whatever is in them.
//
//===----------------------------------------------------------------------===//

#include "PerSequence.h"
#include "kiln/Analysis/Match.h"

#include <limits>

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// The elements of rows that a sequence has, and `other` in the place of those behind.
Value PerSequence::onlyRows(OpBuilder &b, Value value, int64_t axis, double other) {
  Location loc = value.getLoc();
  value = withSequences(b, value);
  Dims dims = getDims(value), along(dims.size(), SymbolicExpr(1)), each = along;
  along[axis] = length.capacity;
  each[0] = length.sequences;
  Type i64 = b.getI64Type();
  Value place = IotaOp::create(b, loc, makeTensorType(along, i64), axis,
                               llvm::APFloat(0.0), llvm::APFloat(1.0));
  Value rows = BinaryOp::create(b, loc, BinaryKind::add, length.lengths, length.counts);
  Value isRow =
      CompareOp::create(b, loc, CompareKind::less, place, reshapeTo(b, loc, rows, each));
  return SelectOp::create(b, loc, isRow, value,
                          makeSplat(b, loc, elementTypeOf(value), other));
}

Value PerSequence::convertMatmul(OpBuilder &b, MatmulOp op) {
  int64_t rank = rankOf(op.getResult());
  Value lhs = lift(b, op.getLhs()), rhs = lhs ? lift(b, op.getRhs()) : Value();
  std::optional<Dims> dims = rhs ? convertDims(getDims(op.getResult())) : std::nullopt;
  if (!dims)
    return {};
  lhs = padRank(b, lhs, rank);
  rhs = padRank(b, rhs, rank);
  int64_t left = op.getTransposeA() ? rank - 1 : rank,
          right = op.getTransposeB() ? rank : rank - 1;
  if (getDims(lhs)[left] == length.capacity) {
    lhs = onlyRows(b, lhs, left, 0);
    rhs = onlyRows(b, rhs, right, 0);
  }
  Operation *clone = b.clone(*op);
  clone->setOperands({lhs, rhs});
  bool isPerSequence = !getDims(lhs)[0].isConstant(1) || !getDims(rhs)[0].isConstant(1);
  dims->insert(dims->begin(), isPerSequence ? length.sequences : SymbolicExpr(1));
  clone->getResult(0).setType(makeTensorType(*dims, elementTypeOf(op.getResult())));
  return clone->getResult(0);
}

Value PerSequence::convertSoftmax(OpBuilder &b, SoftmaxOp op) {
  Value input = lift(b, op.getInput());
  if (!input)
    return {};
  int64_t axis = op.getAxis() + 1;
  if (getDims(input)[axis] == length.capacity) {
    pieces = op.getLoc();
    input = onlyRows(b, input, axis, -std::numeric_limits<double>::infinity());
  }
  return SoftmaxOp::create(b, op.getLoc(), input, axis);
}
