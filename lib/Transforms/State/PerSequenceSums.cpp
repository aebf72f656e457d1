//===- PerSequenceSums.cpp - Unraised attention over a state --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention that kiln-raise-attention does not match, for example with a quantization
// inside, computes all rows of a state: rows that a sequence has not written have no
// weight and are read as 0, whatever their memory contains.
//
//===----------------------------------------------------------------------===//

#include "PerSequence.h"
#include "dialects/Graph/Indexing.h"
#include "kiln/Analysis/Match.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// Replaces the rows that a sequence does not have by `other`.
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

/// Converts an op that reads all rows of its operands; rows that a sequence does not have
/// are replaced by `other`.
Value PerSequence::convertSum(OpBuilder &b, Operation *op, double other) {
  int64_t rank = rankOf(op->getResult(0));
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    Value value = lift(b, operand);
    if (!value)
      return {};
    operands.push_back(padRank(b, value, rank));
  }
  OpIndexing indexing(op);
  for (const OperandRead &read : indexing->reads())
    for (auto [axis, place] : llvm::enumerate(read.at)) {
      if (!llvm::is_contained(indexing->reductions(), place.getSymbol()) ||
          !mentionsPast(getDims(op->getOperand(read.operand))[axis]))
        continue;
      Value &operand = operands[read.operand];
      operand = onlyRows(b, operand, rank + 1 - read.at.size() + axis, other);
      if (isa<SoftmaxOp>(op))
        pieces = op->getLoc();
    }
  return cloneLifted(b, op, operands);
}
