//===- RowSplit.cpp - Divides rows of sequences among ranks ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowSplit.h"
#include "ContextPlan.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Transforms/Bake/Bake.h"
#include "mlir/IR/IRMapping.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Planned ops
//===----------------------------------------------------------------------===//

std::optional<RowAxes> kiln::rowAxesOf(Operation *op, int64_t resultAxis,
                                       ReadConditions conditions) {
  std::optional<AxisReads> reads = readsAlong(op, resultAxis, conditions);
  if (!reads)
    return std::nullopt;
  SymbolicExpr rows = getDims(op->getResult(0))[resultAxis];
  RowAxes axes{resultAxis, {}};
  for (auto [operand, read] : llvm::zip(op->getOperands(), *reads)) {
    if (read && (read->shift != SymbolicExpr(0) || getDims(operand)[read->axis] != rows))
      return std::nullopt;
    axes.operands.push_back(read ? std::optional(read->axis) : std::nullopt);
  }
  return axes;
}

bool kiln::readsRows(OpOperand &use, const RowPlan &plan) {
  const auto *it = plan.find(use.getOwner());
  return it != plan.end() && it->second.operands[use.getOperandNumber()];
}

bool kiln::isDivisionWorthless(Operation *op, const RowPlan &plan) {
  auto readsDivided = [&](OpOperand &use) { return readsRows(use, plan); };
  if (llvm::any_of(op->getUses(), readsDivided))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation *from = operand.getDefiningOp();
    return !from || !plan.contains(from) ||
           !llvm::all_of(operand.getUses(), readsDivided);
  });
}

Operation *
kiln::copyForRows(Operation *op, const RowAxes &axes, const SymbolicExpr &count,
                  llvm::function_ref<Value(OpBuilder &, Value, int64_t)> rowsOf) {
  OpBuilder builder(op);
  Operation *copy = builder.clone(*op);
  builder.setInsertionPoint(copy);
  for (auto [operand, axis] : llvm::zip(copy->getOpOperands(), axes.operands))
    if (axis)
      operand.set(rowsOf(builder, operand.get(), *axis));
  Dims dims = getDims(op->getResult(0));
  dims[axes.result] = count;
  copy->getResult(0).setType(makeTensorType(dims, elementTypeOf(op->getResult(0))));
  return copy;
}

Value kiln::firstOf(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  size_t rank = rankOf(value);
  return SliceOp::create(builder, loc, type, value,
                         makeShape(builder.getContext(), Dims(rank, 0)),
                         builder.getDenseI64ArrayAttr(SmallVector<int64_t>(rank, 1)));
}

Value kiln::padded(OpBuilder &builder, Value value, int64_t axis,
                   const SymbolicExpr &count) {
  Dims dims = getDims(value);
  dims[axis] = count - dims[axis];
  if (dims[axis].isConstant(0))
    return value;
  Type element = elementTypeOf(value);
  Value zeros = FillOp::create(builder, value.getLoc(), makeTensorType(dims, element),
                               cast<TypedAttr>(builder.getZeroAttr(element)));
  return ConcatOp::create(builder, value.getLoc(), ValueRange{value, zeros}, axis);
}

//===----------------------------------------------------------------------===//
// Positions of a rank's rows
//===----------------------------------------------------------------------===//

/// Returns 0, 1, 2 ...
static Value countedTo(OpBuilder &builder, Location loc, RankedTensorType type) {
  return IotaOp::create(builder, loc, type, builder.getI64IntegerAttr(0),
                        builder.getF64FloatAttr(0), builder.getF64FloatAttr(1));
}

Value RankIndex::read(OpBuilder &builder, Location loc) {
  Type i64 = builder.getI64Type();
  if (!part) {
    auto all = RankedTensorType::get({axis.size}, i64);
    WeightOp whole = createWeight(symbols, loc, "rank_index_whole", all);
    OpBuilder bake(getOrCreateBake(symbols).front().getTerminator());
    Value numbers = countedTo(bake, loc, all);
    SetWeightOp::create(bake, loc, FlatSymbolRefAttr::get(whole.getSymNameAttr()),
                        numbers);
    part = createWeight(symbols, loc, "rank_index", RankedTensorType::get({1}, i64));
    setPart(part, {FlatSymbolRefAttr::get(whole.getSymNameAttr()), 0, axis.stride});
  }
  return GetWeightOp::create(builder, loc, part.getType(),
                             FlatSymbolRefAttr::get(part.getSymNameAttr()));
}

Value RowSplitter::firstRow(OpBuilder &builder, Location loc, const SymbolicExpr &rows) {
  return BinaryOp::create(builder, loc, BinaryKind::mul, index.read(builder, loc),
                          makeSize(builder, loc, partOf(rows)));
}

/// Returns the positions of a rank's rows, computed at the beginning of the program.
Value RowSplitter::placesOf(const SymbolicExpr &rows) {
  for (auto &[known, value] : places)
    if (known == rows)
      return value;
  OpBuilder builder(&program.front(), program.front().begin());
  Location loc = program.getLoc();
  auto binary = [&](BinaryKind kind, Value lhs, Value rhs) -> Value {
    return BinaryOp::create(builder, loc, kind, lhs, rhs);
  };
  Value counted =
      countedTo(builder, loc, makeTensorType({partOf(rows)}, builder.getI64Type()));
  Value place = binary(BinaryKind::add, firstRow(builder, loc, rows), counted);
  place = binary(BinaryKind::min, place, makeSize(builder, loc, rows - SymbolicExpr(1)));
  place = binary(BinaryKind::max, place, makeSize(builder, loc, SymbolicExpr(0)));
  places.emplace_back(rows, place);
  return place;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

Value RowSplitter::localOf(Value value, int64_t axis, OpBuilder &builder) {
  Value &local = locals[{value, axis}];
  if (!local)
    local = GatherOp::create(builder, value.getLoc(), value,
                             placesOf(getDims(value)[axis]), uint64_t(axis));
  return local;
}

Value RowSplitter::compute(Operation *op) {
  const RowAxes &axes = plan.find(op)->second;
  SymbolicExpr rows = partOf(getDims(op->getResult(0))[axes.result]);
  auto rowsOf = [&](OpBuilder &builder, Value operand, int64_t axis) {
    return localOf(operand, axis, builder);
  };
  return copyForRows(op, axes, rows, rowsOf)->getResult(0);
}

/// Gathers all rows of a value that is divided by rows, directly after it.
Value RowSplitter::wholeOf(Value value) {
  Value &whole = wholes[value];
  if (whole)
    return whole;
  int64_t axis = plan.find(value.getDefiningOp())->second.result;
  Value local = locals.lookup({value, axis});
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(local);
  Location loc = value.getLoc();
  whole = AllGatherOp::create(builder, loc, local, uint64_t(axis), uint64_t(ranks));
  setStride(whole.getDefiningOp(), stride);
  return whole = firstOf(builder, loc, whole, value.getType());
}

void kiln::replaceDivided(const RowPlan &plan, llvm::function_ref<Value(Value)> wholeOf) {
  for (auto &[op, axes] : plan)
    for (OpOperand &use : llvm::make_early_inc_range(op->getResult(0).getUses()))
      if (!plan.contains(use.getOwner()))
        use.set(wholeOf(op->getResult(0)));
  for (auto &[op, axes] : llvm::reverse(plan))
    op->erase();
}

void RowSplitter::run() {
  for (auto &[op, axes] : plan)
    locals[{op->getResult(0), axes.result}] = compute(op);
  replaceDivided(plan, [&](Value value) { return wholeOf(value); });
}
