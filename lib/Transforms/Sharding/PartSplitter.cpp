//===- PartSplitter.cpp - Duplicates ops for parts of rows ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PartSplitter.h"
#include "kiln/Analysis/Match.h"
#include "llvm/ADT/STLExtras.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

SymbolicExpr PartSplitter::firstRow(const SymbolicExpr &rows, int64_t part) const {
  SymbolicExpr first;
  for (int64_t i = 0; i < part; ++i)
    first += rowsOf(rows, i);
  return first;
}

Value PartSplitter::slice(Value value, int64_t axis, const SymbolicExpr &start,
                          const SymbolicExpr &count, int64_t part, OpBuilder &builder) {
  Dims dims = getDims(value), starts(dims.size(), 0);
  starts[axis] = start;
  dims[axis] = count;
  auto slice =
      SliceOp::create(builder, value.getLoc(), makeTensorType(dims, elementTypeOf(value)),
                      value, makeShape(builder.getContext(), starts),
                      builder.getDenseI64ArrayAttr(SmallVector<int64_t>(dims.size(), 1)));
  partOfOp[slice] = part;
  return slice;
}

/// Returns a part of an operand: the value computed for this part, or else a slice.
Value PartSplitter::partOf(Value value, int64_t axis, int64_t part, OpBuilder &builder) {
  Parts &all = made[{value, axis}];
  all.resize(parts);
  if (all[part])
    return all[part];
  SymbolicExpr rows = getDims(value)[axis];
  return all[part] =
             slice(value, axis, firstRow(rows, part), rowsOf(rows, part), part, builder);
}

/// Writes a part's rows to the cache that has the rows of earlier parts.
Value PartSplitter::write(KvWriteOp op, int64_t part) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  int64_t axis = int64_t(op.getAxis());
  SymbolicExpr rows = getDims(op.getRows())[axis];
  auto own = cast<KvWriteOp>(builder.clone(*op));
  partOfOp[own] = part;
  builder.setInsertionPoint(own);
  auto binary = [&](BinaryKind kind, Value lhs, const SymbolicExpr &rhs) -> Value {
    Value number = makeSize(builder, loc, rhs);
    if (elementTypeOf(lhs) != elementTypeOf(number))
      number = CastOp::create(
          builder, loc,
          cast<RankedTensorType>(number.getType()).clone(elementTypeOf(lhs)), number);
    return BinaryOp::create(builder, loc, kind, lhs, number);
  };
  own.getRowsMutable().assign(partOf(op.getRows(), axis, part, builder));
  Value counts = op.getCounts();
  if (part > 0) {
    SymbolicExpr first = firstRow(rows, part);
    own.getStateMutable().assign(made.lookup({op.getResult(), axis})[part - 1]);
    // A negative start, which drops all rows, must stay negative.
    Value isWritten = binary(BinaryKind::add, op.getStarts(), SymbolicExpr(1));
    isWritten = binary(BinaryKind::max, isWritten, SymbolicExpr(0));
    isWritten = binary(BinaryKind::min, isWritten, SymbolicExpr(1));
    Value moved = binary(BinaryKind::mul, isWritten, first);
    own.getStartsMutable().assign(
        BinaryOp::create(builder, loc, BinaryKind::add, op.getStarts(), moved));
    // A part may have no rows of a sequence that is shorter than the longest one.
    counts = binary(BinaryKind::sub, counts, first);
    counts = binary(BinaryKind::max, counts, SymbolicExpr(0));
  }
  own.getCountsMutable().assign(binary(BinaryKind::min, counts, rowsOf(rows, part)));
  return own.getResult();
}

/// Whether a part reads only keys and values of itself and of earlier parts.
bool PartSplitter::readsEarlier(AttentionOp op) const {
  const RowAxes &axes = plan.find(op)->second;
  return axes.result == kQueryRows &&
         llvm::all_of(keyOperandsOf(op), [&](OpOperand *one) {
           Operation *from = one->get().getDefiningOp();
           return axes.operands[one->getOperandNumber()] && from && plan.contains(from);
         });
}

Value PartSplitter::keysUpTo(Value keys, int64_t part, OpBuilder &builder) {
  ArrayRef<Value> all = made[{keys, kQueryRows}];
  if (part == 0)
    return all.front();
  Dims dims = getDims(keys);
  dims[kQueryRows] = firstRow(dims[kQueryRows], part + 1);
  auto joined =
      ConcatOp::create(builder, keys.getLoc(), makeTensorType(dims, elementTypeOf(keys)),
                       all.take_front(part + 1), uint64_t(kQueryRows));
  partOfOp[joined] = part;
  return joined;
}

/// Sets keys, values, masks and lengths of `own`, which computes a part of the queries of
/// a causal attention, to those visible to these queries.
void PartSplitter::readKeys(AttentionOp whole, AttentionOp own, int64_t part) {
  OpBuilder builder(own);
  bool isEarlier = readsEarlier(whole), isCache = false;
  for (auto [from, to] : llvm::zip(keyOperandsOf(whole), keyOperandsOf(own))) {
    auto write = from->get().getDefiningOp<KvWriteOp>();
    isCache |= write != nullptr;
    if (isEarlier && write)
      to->set(made.lookup({write.getResult(), int64_t(write.getAxis())})[part]);
    else
      to->set(isEarlier ? keysUpTo(from->get(), part, builder) : from->get());
  }
  SymbolicExpr rows = getDims(whole.getQuery())[kQueryRows];
  bool isShorter = isEarlier && !isCache;
  for (MutableOperandRange range : {own.getMaskMutable(), own.getKeepMutable()})
    for (OpOperand &perScore : range)
      if (Value mask = perScore.get(); isShorter && !getDims(mask).back().isConstant(1))
        perScore.set(slice(mask, rankOf(mask) - 1, SymbolicExpr(0),
                           firstRow(rows, part + 1), part, builder));
  if (isShorter && !whole.getLengths())
    return; // the last query is still at the last key
  Value first = makeSize(builder, whole.getLoc(), firstRow(rows, part));
  own.getLengthsMutable().assign(
      lengthsOfPart(whole, first, rowsOf(rows, part), builder));
  own.setFromLength(true);
}

Value PartSplitter::compute(Operation *op, const RowAxes &axes, int64_t part) {
  if (auto write = dyn_cast<KvWriteOp>(op))
    return this->write(write, part);
  SymbolicExpr rows = getDims(op->getResult(0))[axes.result];
  auto partOfOperand = [&](OpBuilder &builder, Value operand, int64_t axis) {
    return partOf(operand, axis, part, builder);
  };
  Operation *copy = copyForRows(op, axes, rowsOf(rows, part), partOfOperand);
  partOfOp[copy] = part;
  auto attention = dyn_cast<AttentionOp>(op);
  if (attention && attention.getCausal() && axes.result == kQueryRows)
    readKeys(attention, cast<AttentionOp>(copy), part);
  return copy->getResult(0);
}

/// Concatenates the parts of a value, after the last part.
Value PartSplitter::wholeOf(Value value) {
  Value &whole = wholes[value];
  if (whole)
    return whole;
  int64_t axis = plan.find(value.getDefiningOp())->second.result;
  if (value.getDefiningOp<KvWriteOp>())
    return whole = made.lookup({value, axis}).back();
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  Location loc = value.getLoc();
  whole = ConcatOp::create(builder, loc, made.lookup({value, axis}), axis);
  return whole = firstOf(builder, loc, whole, value.getType());
}

/// Orders the ops between two concatenations part by part: ops that wait for a collective
/// of one part then follow work of other parts, which overlaps with it, and intermediate
/// results of one part are dead before the next part begins.
void PartSplitter::order() {
  struct Place {
    int64_t joins, part;
  };
  Block &block = program.front();
  DenseMap<Operation *, Place> places;
  std::vector<Operation *> ops;
  for (Operation &op : block.without_terminator()) {
    auto it = partOfOp.find(&op);
    Place own{0, it == partOfOp.end() ? -1 : it->second};
    for (Value operand : op.getOperands()) {
      auto from = places.find(operand.getDefiningOp());
      if (!operand.getDefiningOp() || from == places.end())
        continue;
      bool isJoin = from->second.part > own.part; // a part may read earlier ones
      own.joins = std::max(own.joins, from->second.joins + int64_t(isJoin));
    }
    places[&op] = own;
    ops.push_back(&op);
  }
  llvm::stable_sort(ops, [&](Operation *a, Operation *b) {
    const Place &one = places[a], &other = places[b];
    return std::tie(one.joins, one.part) < std::tie(other.joins, other.part);
  });
  for (Operation *op : ops)
    op->moveBefore(&block, block.getTerminator()->getIterator());
}

void PartSplitter::run() {
  for (auto &[op, axes] : plan)
    for (int64_t part = 0; part < parts; ++part) {
      Value value = compute(op, axes, part);
      Parts &all = made[{op->getResult(0), axes.result}];
      all.resize(parts);
      all[part] = value;
    }
  replaceDivided(plan, [&](Value value) { return wholeOf(value); });
  order();
}
