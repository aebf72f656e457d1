//===- ShardContext.cpp - Context parallelism -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContextPlan.h"
#include "DivideCaches.h"
#include "HeadExchange.h"
#include "dialects/Graph/PartialAttention.h"
#include "dialects/Graph/Ranks.h"
#include "dialects/Graph/Reports.h"
#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/ErrorCodes/Graph.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/Mesh.h"
#include "kiln/Support/PassOptions.h"
#include "kiln/Support/PassRemark.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "kiln/Transforms/Graph/Sharding.h"

namespace kiln {
#define GEN_PASS_DEF_SHARDCONTEXTPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kShardContextPass = "kiln-shard-context";
//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {
class ContextSplitter : public RowSplitter {
public:
  ContextSplitter(func::FuncOp program, const ContextPlan &plan, RankIndex &index,
                  MeshAxis axis)
      : RowSplitter(program, plan.local, index, axis), exchanged(plan.exchanged) {}

private:
  Value compute(Operation *op) override;
  Value computeHeads(AttentionOp whole);

  const llvm::SmallPtrSetImpl<Operation *> &exchanged;
};
} // namespace

/// Computes some heads of an attention on each rank, over all rows: an all-to-all before
/// it exchanges rows of all heads for these, and one after it reverses that.
Value ContextSplitter::computeHeads(AttentionOp whole) {
  OpBuilder builder(whole);
  MeshAxis axis{ranks, stride};
  SymbolicExpr rows = getDims(whole.getQuery())[kQueryRows];
  auto part = cast<AttentionOp>(builder.clone(*whole));
  builder.setInsertionPoint(part);
  for (OpOperand *operand :
       {&part.getQueryMutable(), &part.getKeyMutable(), &part.getValueMutable()}) {
    Value own = localOf(operand->get(), kQueryRows, builder);
    operand->set(rowsToHeads(builder, own, rows, axis));
  }
  auto takeHeads = [&](MutableOperandRange range, int64_t axis) {
    for (OpOperand &operand : range)
      if (axis >= 0 && !getDims(operand.get())[axis].isConstant(1))
        operand.set(localOf(operand.get(), axis, builder));
  };
  for (MutableOperandRange range : {part.getMaskMutable(), part.getKeepMutable()})
    if (!range.empty())
      takeHeads(range, rankOf(range[0].get()) - 3);
  takeHeads(part.getSinksMutable(), 0);
  Dims dims = getDims(part.getQuery());
  dims.back() = getDims(part.getValue()).back();
  part.getResult().setType(makeTensorType(dims, elementTypeOf(part.getResult())));
  builder.setInsertionPointAfter(part);
  return headsToRows(builder, part.getResult(), axis);
}

Value ContextSplitter::compute(Operation *op) {
  auto whole = dyn_cast<AttentionOp>(op);
  if (exchanged.contains(op))
    return computeHeads(whole);
  Value result = RowSplitter::compute(op);
  if (!whole || !whole.getCausal())
    return result;
  auto part = result.getDefiningOp<AttentionOp>();
  OpBuilder builder(part);
  SymbolicExpr rows = getDims(whole.getQuery())[kQueryRows];
  Value first = firstRow(builder, whole.getLoc(), rows);
  part.getLengthsMutable().assign(lengthsOfPart(whole, first, partOf(rows), builder));
  part.setFromLength(true);
  return result;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Whether an op has an entry in the report: attentions, and matmuls that are computed at
/// run time.
static bool isReported(Operation *op) {
  if (isa<AttentionOp, ScaledMatmulOp>(op))
    return true;
  return isa<MatmulOp>(op) && !isCompileTime(op->getResult(0));
}

static bool hasPartOfCache(Operation *op) {
  auto attention = dyn_cast<AttentionOp>(op);
  return attention && lseOf(attention);
}

static ShardReport contextReport(func::FuncOp program, const ContextPlan &plan) {
  ShardReport report;
  for (Operation &op : program.front()) {
    if (!isReported(&op))
      continue;
    const char *split = plan.exchanged.contains(&op) ? ShardEntry::kExchanged
                        : plan.local.contains(&op)   ? ShardEntry::kContext
                        : hasPartOfCache(&op)        ? ShardEntry::kCache
                                                     : ShardEntry::kReplicated;
    std::string why;
    if (split == ShardEntry::kReplicated)
      why = "@" + program.getName().str() + ": " + plan.whyNot(&op);
    report.push_back({isa<AttentionOp>(op) ? "attention" : "matmul",
                      describe(op.getLoc()), split, why});
  }
  return report;
}

static LogicalResult refuseCaches(ModuleOp module) {
  return kiln::emitError(
      module.getLoc(),
      {ErrorCode::ShardImpossible, "",
       "no cache can be divided among context-parallel ranks; it takes state that causal "
       "attention reads without a mask or sinks, and that is no rolling buffer",
       "", "",
       "choose --shard cp, or see the remarks of kiln-shard-context (--verbose)"});
}

LogicalResult kiln::shardContext(ModuleOp module, int64_t ranks, bool dividesCaches) {
  if (ranks == 1)
    return success();
  // Tensor-parallel ranks, if any, are consecutive.
  MeshAxis axis{ranks, ranksOf(module)};
  RankIndex index(module, axis);
  if (dividesCaches && divideCaches(module, index, axis) == 0)
    return refuseCaches(module);
  bool isDivided = dividesCaches;
  std::string why;
  for (auto program : llvm::to_vector(module.getOps<func::FuncOp>())) {
    if (isBake(program) || !program.getBody().hasOneBlock())
      continue;
    ContextPlan plan(program, std::max(kFewRows, ranks), PartNeeds::Keys, axis);
    plan.run();
    addToReport(module, kShardReportAttr, contextReport(program, plan));
    for (auto attention : program.front().getOps<AttentionOp>()) {
      isDivided |= plan.local.contains(attention);
      if (plan.local.contains(attention))
        remarkPassed(attention.getLoc(), kShardContextPass, "shard-context",
                     "each rank computes its queries");
      if (plan.local.contains(attention) || hasPartOfCache(attention))
        continue;
      if (why.empty()) // from the first program, which has the longest sequences
        why = describe(attention.getLoc()) + ": " + plan.whyNot(attention);
      remarkMissed(attention.getLoc(), kShardContextPass, "shard-context",
                   plan.whyNot(attention));
    }
    ContextSplitter(program, plan, index, axis).run();
  }
  if (why.empty())
    why = "it has no attention that Kiln recognizes";
  if (!isDivided)
    return kiln::emitError(
        module.getLoc(), {ErrorCode::ShardImpossible, "",
                          "no attention can be divided among " + std::to_string(ranks) +
                              " context-parallel ranks; " + why,
                          "", "",
                          "choose --shard tp or pp, allow longer sequences with --dims, "
                          "or compile without --ranks"});
  setRanks(module, ranks * axis.stride);
  return success();
}

namespace {
class ShardContextPass : public kiln::impl::ShardContextPassBase<ShardContextPass> {
public:
  using ShardContextPassBase::ShardContextPassBase;
  LogicalResult initialize(MLIRContext *context) override {
    return checkOption(*this, ranks, 1, Mesh::kMaxPlannedRanks, context);
  }
  void runOnGraph() override {
    if (failed(shardContext(getOperation(), ranks, dividesCaches)))
      signalPassFailure();
  }
};
} // namespace
