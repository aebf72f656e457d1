//===- SplitRows.cpp - Parts of rows whose collectives overlap ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContextPlan.h"
#include "Match.h"
#include "dialects/Graph/Ranks.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "llvm/ADT/STLExtras.h"

namespace kiln {
#define GEN_PASS_DEF_SPLITROWSPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kPass = "kiln-split-rows";

namespace {
/// Writes the ops of a plan once for each part of the rows.
class PartSplitter {
public:
  PartSplitter(func::FuncOp program, const RowPlan &plan, int64_t parts)
      : program(program), plan(plan), parts(parts) {}
  void run();

private:
  using Parts = SmallVector<Value>;

  /// (S + i) floordiv parts: these add up to S, and none is negative.
  SymbolicExpr rowsOf(const SymbolicExpr &rows, int64_t part) const {
    return (rows + SymbolicExpr(part)).floorDiv(SymbolicExpr(parts));
  }
  SymbolicExpr firstRow(const SymbolicExpr &rows, int64_t part) const;
  Value partOf(Value value, int64_t axis, int64_t part, OpBuilder &builder);
  Value compute(Operation *op, const RowAxes &axes, int64_t part);
  Value wholeOf(Value value);
  void order();

  func::FuncOp program;
  const RowPlan &plan;
  int64_t parts;
  /// Parts of a value along an axis.
  DenseMap<std::pair<Value, int64_t>, Parts> made;
  DenseMap<Value, Value> wholes; ///< behind a concatenation
  DenseMap<Operation *, int64_t> partOfOp;
};
} // namespace

SymbolicExpr PartSplitter::firstRow(const SymbolicExpr &rows, int64_t part) const {
  SymbolicExpr first;
  for (int64_t i = 0; i < part; ++i)
    first += rowsOf(rows, i);
  return first;
}

/// Of an operand: what was computed of this part, or a slice.
Value PartSplitter::partOf(Value value, int64_t axis, int64_t part, OpBuilder &builder) {
  Parts &all = made[{value, axis}];
  all.resize(parts);
  if (all[part])
    return all[part];
  Dims dims = getDims(value), starts(dims.size(), 0);
  starts[axis] = firstRow(dims[axis], part);
  dims[axis] = rowsOf(dims[axis], part);
  auto slice =
      SliceOp::create(builder, value.getLoc(), makeTensorType(dims, elementTypeOf(value)),
                      value, makeShape(builder.getContext(), starts),
                      builder.getDenseI64ArrayAttr(SmallVector<int64_t>(dims.size(), 1)));
  partOfOp[slice] = part;
  return all[part] = slice;
}

Value PartSplitter::compute(Operation *op, const RowAxes &axes, int64_t part) {
  SymbolicExpr rows = getDims(op->getResult(0))[axes.result];
  auto partOfOperand = [&](OpBuilder &builder, Value operand, int64_t axis) {
    return partOf(operand, axis, part, builder);
  };
  Operation *copy = copyForRows(op, axes, rowsOf(rows, part), partOfOperand);
  partOfOp[copy] = part;
  OpBuilder builder(copy);
  auto whole = dyn_cast<AttentionOp>(op);
  if (whole && whole.getCausal()) {
    auto own = cast<AttentionOp>(copy);
    Value first = numberOf(builder, op->getLoc(), firstRow(rows, part));
    own.getLengthsMutable().assign(
        lengthsOfPart(whole, first, rowsOf(rows, part), builder));
    own.setFromLength(true);
  }
  return copy->getResult(0);
}

/// All rows of what there are parts of, behind the last one.
Value PartSplitter::wholeOf(Value value) {
  Value &whole = wholes[value];
  if (whole)
    return whole;
  int64_t axis = plan.find(value.getDefiningOp())->second.result;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  Location loc = value.getLoc();
  whole = ConcatOp::create(builder, loc, made.lookup({value, axis}), axis);
  return whole = firstOf(builder, loc, whole, value.getType());
}

/// One part after the other between two places where parts are joined: what follows a
/// collective of one part is then behind work of the others, which may run beside it, and
/// intermediate results of one part are dead before the next one begins.
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
      bool isJoin = from->second.part >= 0 && from->second.part != own.part;
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
  for (auto &[op, axes] : plan)
    for (OpOperand &use : llvm::make_early_inc_range(op->getResult(0).getUses()))
      if (!plan.contains(use.getOwner()))
        use.set(wholeOf(op->getResult(0)));
  for (auto &[op, axes] : llvm::reverse(plan))
    op->erase();
  order();
}

void kiln::splitRows(ModuleOp module, int64_t parts) {
  if (parts == 1 || ranksOf(module) == 1)
    return;
  for (auto program : llvm::to_vector(module.getOps<func::FuncOp>())) {
    if (isBake(program) || !program.getBody().hasOneBlock())
      continue;
    // Sequence-parallel ranks divide what a part has, if these are more than few.
    ContextPlan plan(program, parts * kFewRows);
    plan.run();
    bool overlaps = false;
    for (auto reduce : program.front().getOps<AllReduceOp>()) {
      overlaps |= plan.local.contains(reduce);
      if (!plan.local.contains(reduce))
        remarkMissed(reduce, kPass, "split-rows", plan.whyNot(reduce));
    }
    if (overlaps)
      PartSplitter(program, plan.local, parts).run();
  }
}

namespace {
class SplitRowsPass : public kiln::impl::SplitRowsPassBase<SplitRowsPass> {
public:
  using SplitRowsPassBase::SplitRowsPassBase;
  void runOnOperation() override { splitRows(getOperation(), parts); }
};
} // namespace
