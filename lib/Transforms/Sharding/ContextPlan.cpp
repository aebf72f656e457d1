//===- ContextPlan.cpp - Ops that ranks divide by rows --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContextPlan.h"
#include "HeadExchange.h"
#include "dialects/Graph/PartialAttention.h"
#include "kiln/Analysis/Match.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Rows of ops
//===----------------------------------------------------------------------===//

static const std::optional<int64_t> kWhole = std::nullopt;

SmallVector<OpOperand *> kiln::keyOperandsOf(AttentionOp op) {
  SmallVector<OpOperand *> operands{&op.getKeyMutable(), &op.getValueMutable()};
  for (MutableOperandRange scales :
       {op.getKeyScalesMutable(), op.getValueScalesMutable()})
    for (OpOperand &one : scales)
      operands.push_back(&one);
  return operands;
}

/// Whether the positions of a rank's queries can be expressed: causal attention whose
/// `lengths` only end sequences has no operand for it.
static bool knowsPlaces(AttentionOp op) {
  return !op.getCausal() || !op.getLengths() || op.getFromLength();
}

/// Whether keys have the queries' rows, or are a cache to which such rows are written.
static bool hasRowsOf(Value keys, const SymbolicExpr &rows) {
  auto write = keys.getDefiningOp<KvWriteOp>();
  Value from = write ? write.getRows() : keys;
  int64_t axis = write ? int64_t(write.getAxis()) : kQueryRows;
  return getDims(from)[axis] == rows;
}

/// Returns the axes of rows of queries, keys and values; the mask is needed entirely.
static RowAxes axesOfExchange(AttentionOp op) {
  RowAxes axes{kQueryRows, {kQueryRows, kQueryRows, kQueryRows}};
  axes.operands.resize(op->getNumOperands());
  return axes;
}

/// Returns the axes for dividing rows of queries. Keys visible to a query depend on its
/// position.
static std::optional<RowAxes> axesOfQueries(AttentionOp op, PartNeeds needs) {
  std::optional<RowAxes> axes = knowsPlaces(op)
                                    ? kiln::rowAxesOf(op, kQueryRows, ReadConditions::Any)
                                    : std::nullopt;
  if (axes && needs == PartNeeds::Earlier && op.getCausal())
    for (OpOperand *keys : keyOperandsOf(op))
      if (hasRowsOf(keys->get(), getDims(op.getQuery())[kQueryRows]))
        axes->operands[keys->getOperandNumber()] = kQueryRows;
  return axes;
}

/// Returns the axes of a write to a cache, which is done part by part.
static std::optional<RowAxes> axesOfWrite(KvWriteOp op, int64_t result) {
  if (result != int64_t(op.getAxis()))
    return std::nullopt;
  return RowAxes{result, {kWhole, result, kWhole, kWhole}};
}

/// Returns the axes of rows in an op's operands for the rows along an axis of its result;
/// nullopt if row r needs rows other than r of an operand, or rows of ranks that divide
/// differently.
std::optional<RowAxes> ContextPlan::rowAxesOf(Operation *op, int64_t result) const {
  if (owners && collectiveRanks(op) && axisOfCollective(op) == *owners)
    return std::nullopt;
  if (auto attention = dyn_cast<AttentionOp>(op)) {
    if (result != rowsAxis() || isFew(getDims(attention.getQuery())[result]) ||
        lseOf(attention))
      return std::nullopt;
    if (exchanged.contains(attention))
      return axesOfExchange(attention);
    return needs == PartNeeds::Nothing ? kiln::rowAxesOf(op, kSequences)
                                       : axesOfQueries(attention, needs);
  }
  if (auto write = dyn_cast<KvWriteOp>(op))
    return needs == PartNeeds::Earlier ? axesOfWrite(write, result) : std::nullopt;
  // Columns of a matmul are not rows of a sequence, and ops without operands are computed
  // on every rank.
  bool isProduct = isa<MatmulOp, ScaledMatmulOp>(op);
  if ((isProduct && result == rankOf(op->getResult(0)) - 1) || !op->getNumOperands())
    return std::nullopt;
  return kiln::rowAxesOf(op, result);
}

//===----------------------------------------------------------------------===//
// Divided ops
//===----------------------------------------------------------------------===//

/// Finds values that rows of queries are computed from.
void ContextPlan::findFront(Value value, int64_t axis) {
  SmallVector<std::pair<Value, int64_t>> work{{value, axis}};
  while (!work.empty()) {
    auto [one, where] = work.pop_back_val();
    Operation *op = one.getDefiningOp();
    if (!op || isCompileTime(one) || !front.try_emplace(one, where).second)
      continue;
    if (std::optional<RowAxes> axes = rowAxesOf(op, where))
      for (auto [operand, needed] : llvm::zip(op->getOperands(), axes->operands))
        if (needed)
          work.push_back({operand, *needed});
  }
}

/// Returns the axes of rows if queries are computed from the op or it reads a divided
/// value.
std::optional<RowAxes> ContextPlan::axesOfResult(Operation *op) const {
  if (op->getNumResults() != 1)
    return std::nullopt;
  Value result = op->getResult(0);
  if (auto it = front.find(result); it != front.end())
    return rowAxesOf(op, it->second);
  for (int64_t axis = 0; axis < rankOf(result); ++axis) {
    std::optional<RowAxes> axes = rowAxesOf(op, axis);
    if (!axes)
      continue;
    bool isBehind = false, isAgainst = false;
    for (auto [operand, needed] : llvm::zip(op->getOperands(), axes->operands)) {
      Operation *from = operand.getDefiningOp();
      const auto *it = from ? local.find(from) : local.end();
      // A cache has more rows than those written in this run.
      if (it == local.end() || !needed || (isa<KvWriteOp>(from) && !isa<AttentionOp>(op)))
        continue;
      isBehind |= it->second.result == *needed;
      isAgainst |= it->second.result != *needed;
    }
    if (isBehind && !isAgainst)
      return axes;
  }
  return std::nullopt;
}

/// Whether dividing the op saves nothing: rows can be gathered before ops that only move
/// them, where the layout is that of a matmul's result.
bool ContextPlan::isWorthless(Operation *op) const {
  auto isRead = [&](OpOperand &use) { return readsRows(use, local); };
  if (isa<TransposeOp, ReshapeOp, RopeOp>(op))
    return llvm::none_of(op->getUses(), isRead);
  return !isa<MatmulOp, ScaledMatmulOp, AttentionOp, KvWriteOp>(op) &&
         isDivisionWorthless(op, local);
}

bool ContextPlan::isFew(const SymbolicExpr &rows) const {
  std::optional<int64_t> max = ranges.maxOf(rows);
  return max && *max <= fewRows;
}

/// Whether an op needs all rows of keys or values, or of the matmul result they are
/// computed from, so that ranks gather them anyway.
bool ContextPlan::isNeededWhole(Value keys) const {
  SmallVector<Value> work{keys};
  while (!work.empty()) {
    Value one = work.pop_back_val();
    Operation *op = one.getDefiningOp();
    const auto *it = op ? local.find(op) : local.end();
    if (it == local.end()) // every rank has it, or would gather it
      return true;
    if (!llvm::all_of(one.getUses(),
                      [&](OpOperand &use) { return readsRows(use, local); }))
      return true;
    if (isa<MatmulOp, ScaledMatmulOp>(op))
      continue;
    for (auto [operand, axis] : llvm::zip(op->getOperands(), it->second.operands))
      if (axis)
        work.push_back(operand);
  }
  return false;
}

bool ContextPlan::losesByHeads(AttentionOp op) const {
  return !local.contains(op) || isNeededWhole(op.getKey()) ||
         isNeededWhole(op.getValue());
}

/// Collects the attentions whose heads ranks may exchange, by what they read and move:
/// it is not known yet which ops are divided.
void ContextPlan::findExchanged() {
  if (!owners || needs != PartNeeds::Keys)
    return;
  for (auto op : program.front().getOps<AttentionOp>()) {
    SymbolicExpr rows = getDims(op.getQuery())[kQueryRows];
    bool isOfRows = getDims(op.getKey())[kQueryRows] == rows && !lseOf(op);
    if (isOfRows && gainsByHeads(op, owners->size, knowsPlaces(op)))
      exchanged.insert(op);
  }
}

void ContextPlan::run() {
  findExchanged();
  for (;;) {
    findLocal();
    // Attentions without an exchange change which ops are divided, hence the iteration.
    auto lost = llvm::to_vector(llvm::make_filter_range(
        exchanged, [&](Operation *op) { return losesByHeads(cast<AttentionOp>(op)); }));
    if (lost.empty())
      return;
    for (Operation *op : lost)
      exchanged.erase(op);
  }
}

void ContextPlan::findLocal() {
  local.clear();
  front.clear();
  bool isBatch = needs == PartNeeds::Nothing;
  for (auto attention : program.front().getOps<AttentionOp>()) {
    SymbolicExpr rows = getDims(attention.getQuery())[rowsAxis()];
    if (isFew(rows))
      few = (isBatch ? "a batch has at most " : "a sequence has at most ") +
            std::to_string(*ranges.maxOf(rows)) + (isBatch ? " sequence" : " row") +
            (*ranges.maxOf(rows) == 1 ? "" : "s");
    else if (lseOf(attention) && !isBatch)
      findFront(attention.getQuery(), kQueryRows);
    else if (isBatch || knowsPlaces(attention) || exchanged.contains(attention))
      findFront(attention.getResult(), rowsAxis());
  }
  for (Operation &op : program.front())
    if (std::optional<RowAxes> axes = axesOfResult(&op))
      local[&op] = *axes;
  // In reverse order, so that users that were removed no longer count.
  auto planned = llvm::to_vector(local);
  for (const auto &[op, axes] : llvm::reverse(planned))
    if (isWorthless(op))
      local.erase(op);
}

std::string ContextPlan::whyNot(Operation *op) const {
  if (!few.empty())
    return few;
  if (auto attention = dyn_cast<AttentionOp>(op); attention && !knowsPlaces(attention))
    return "lengths end its keys, and cannot say where a rank's queries stand as well";
  return "no row of a sequence can be computed without the others";
}

//===----------------------------------------------------------------------===//
// Causal attention
//===----------------------------------------------------------------------===//

/// With `from_length`, query i of a part of P rows sees keys up to i + length - P. In the
/// entire attention it is row first + i of S, which sees keys up to first + i + length -
/// S.
Value kiln::lengthsOfPart(AttentionOp whole, Value first, const SymbolicExpr &part,
                          OpBuilder &builder) {
  Location loc = whole.getLoc();
  SymbolicExpr rows = getDims(whole.getQuery())[kQueryRows];
  auto add = [&](Value lhs, Value rhs) -> Value {
    return BinaryOp::create(builder, loc, BinaryKind::add, lhs, rhs);
  };
  Value lengths = whole.getLengths();
  if (!lengths) {
    SymbolicExpr keys = getDims(whole.getKey())[kQueryRows];
    Value one = add(first, makeSize(builder, loc, keys + part - rows));
    RankedTensorType type =
        makeTensorType({getDims(whole.getQuery())[0]}, builder.getI64Type());
    return broadcastTo(builder, loc, one, type);
  }
  Value moved = add(first, makeSize(builder, loc, part - rows));
  if (elementTypeOf(lengths) != elementTypeOf(moved))
    moved = CastOp::create(
        builder, loc,
        cast<RankedTensorType>(moved.getType()).clone(elementTypeOf(lengths)), moved);
  return add(lengths, moved);
}
