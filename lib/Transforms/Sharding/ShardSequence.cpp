//===- ShardSequence.cpp - Sequence parallelism ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowSplit.h"
#include "dialects/Graph/Ranks.h"
#include "dialects/Graph/Reports.h"
#include "dialects/Graph/SymbolBounds.h"
#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/PassRemark.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "kiln/Transforms/Graph/Sharding.h"

namespace kiln {
#define GEN_PASS_DEF_SHARDSEQUENCEPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kShardSequencePass = "kiln-shard-sequence";
/// Rank and row axis of values whose rows are divided, [sequences, rows, elements].
/// Operands that broadcast may lack leading dims of size 1.
static constexpr int64_t kRank = 3, kRowAxis = 1;

//===----------------------------------------------------------------------===//
// Divided rows
//===----------------------------------------------------------------------===//

namespace {
/// The ops of one program of which each rank computes its rows.
class SequencePlan {
public:
  SequencePlan(func::FuncOp program, int64_t ranks)
      : program(program), ranks(ranks), ranges(program->getParentOfType<ModuleOp>()) {}
  void run();

  /// Includes the all-reduces that become reduce-scatters.
  RowPlan local;
  llvm::MapVector<AllReduceOp, std::string> refusals;

private:
  std::string whyNot(AllReduceOp reduce);
  std::optional<RowAxes> axesOf(Operation *op) const;

  func::FuncOp program;
  int64_t ranks;
  SymbolRanges ranges;
};
} // namespace

/// Returns why an all-reduce, considered alone, stays; empty if it can be replaced.
std::string SequencePlan::whyNot(AllReduceOp reduce) {
  if (reduce.getKind() != ReduceKind::sum || rankOf(reduce.getResult()) != kRank)
    return "rows are no dim of their own";
  std::optional<int64_t> rows = ranges.maxOf(getDims(reduce.getResult())[kRowAxis]);
  if (rows && *rows <= std::max(kFewRows, ranks))
    return "a sequence has at most " + std::to_string(*rows) +
           (*rows == 1 ? " row" : " rows");
  return "";
}

/// Whether dividing the op saves work. Matmuls have a rank's columns of their weights and
/// need all rows; ops that only move rows compute nothing.
static bool isDivided(Operation *op) {
  return op->hasTrait<kiln::graph::Elementwise>() ||
         isa<LayerNormOp, RmsNormOp, SoftmaxOp, ReduceOp>(op);
}

/// Returns the axes of rows of an op if any of its operands is divided.
std::optional<RowAxes> SequencePlan::axesOf(Operation *op) const {
  bool isBehind = llvm::any_of(op->getOperands(), [&](Value operand) {
    return operand.getDefiningOp() && local.contains(operand.getDefiningOp());
  });
  if (!isBehind || !isDivided(op) || rankOf(op->getResult(0)) != kRank)
    return std::nullopt;
  return rowAxesOf(op, kRowAxis);
}

void SequencePlan::run() {
  for (Operation &op : program.front()) {
    if (auto reduce = dyn_cast<AllReduceOp>(op)) {
      if (std::string why = whyNot(reduce); why.empty())
        local[&op] = {kRowAxis, {std::nullopt}};
      else
        refusals[reduce] = why;
    } else if (std::optional<RowAxes> axes = axesOf(&op)) {
      local[&op] = *axes;
    }
  }
  // In reverse order, so that users that were removed no longer count.
  auto planned = llvm::to_vector(local);
  for (const auto &[op, axes] : llvm::reverse(planned)) {
    auto reduce = dyn_cast<AllReduceOp>(op);
    auto isRead = [&](OpOperand &use) { return readsRows(use, local); };
    if (reduce ? llvm::any_of(op->getUses(), isRead) : !isDivisionWorthless(op, local))
      continue;
    local.erase(op);
    if (reduce)
      refusals[reduce] = "all of its rows are needed behind it";
  }
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {
class SequenceSplitter : public RowSplitter {
public:
  using RowSplitter::RowSplitter;

private:
  Value compute(Operation *op) override {
    auto reduce = dyn_cast<AllReduceOp>(op);
    return reduce ? scatter(reduce) : RowSplitter::compute(op);
  }
  Value scatter(AllReduceOp reduce);
};
} // namespace

/// Replaces an all-reduce by a reduce-scatter of rows, padded with zeros to a multiple of
/// the ranks.
Value SequenceSplitter::scatter(AllReduceOp reduce) {
  OpBuilder builder(reduce);
  Location loc = reduce.getLoc();
  SymbolicExpr rows = getDims(reduce.getInput())[kRowAxis];
  Value operand =
      padded(builder, reduce.getInput(), kRowAxis, partOf(rows) * SymbolicExpr(ranks));
  return ReduceScatterOp::create(builder, loc, ReduceKind::sum, operand, kRowAxis, ranks);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static ShardReport sequenceReport(func::FuncOp program, const SequencePlan &plan) {
  ShardReport report;
  auto add = [&](AllReduceOp reduce, const char *how, const std::string &why) {
    report.push_back({"sum", describe(reduce.getLoc()), how,
                      why.empty() ? why : "@" + program.getName().str() + ": " + why});
  };
  for (auto reduce : program.front().getOps<AllReduceOp>())
    if (plan.local.contains(reduce))
      add(reduce, ShardEntry::kSequence, "");
    else if (const auto *it = plan.refusals.find(reduce); it != plan.refusals.end())
      add(reduce, ShardEntry::kReplicated, it->second);
  return report;
}

void kiln::shardSequence(ModuleOp module) {
  int64_t ranks = ranksOf(module);
  if (ranks == 1)
    return;
  RankIndex index(module, {ranks});
  for (auto program : llvm::to_vector(module.getOps<func::FuncOp>())) {
    if (isBake(program) || !program.getBody().hasOneBlock())
      continue;
    SequencePlan plan(program, ranks);
    plan.run();
    for (auto &[reduce, why] : plan.refusals)
      remarkMissed(reduce->getLoc(), kShardSequencePass, "shard-sequence",
                   "every rank has all rows of this sum: " + why);
    for (auto reduce : program.front().getOps<AllReduceOp>())
      if (plan.local.contains(reduce))
        remarkPassed(reduce.getLoc(), kShardSequencePass, "shard-sequence",
                     "a reduce-scatter: each rank has its rows of this sum");
    addToReport(module, kShardReportAttr, sequenceReport(program, plan));
    SequenceSplitter(program, plan.local, index, {ranks}).run();
  }
}

namespace {
class ShardSequencePass : public kiln::impl::ShardSequencePassBase<ShardSequencePass> {
public:
  using ShardSequencePassBase::ShardSequencePassBase;
  void runOnGraph() override { shardSequence(getOperation()); }
};
} // namespace
