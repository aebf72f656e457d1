//===- SplitMicroBatches.cpp - Micro-batches for pipelines ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PartSplitter.h"
#include "dialects/Graph/MicroBatches.h"
#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/ErrorCodes/Graph.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/Mesh.h"
#include "kiln/Support/PassOptions.h"
#include "kiln/Support/PassRemark.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "llvm/ADT/DenseSet.h"

namespace kiln {
#define GEN_PASS_DEF_SPLITMICROBATCHESPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kSplitMicroBatchesPass = "kiln-split-micro-batches";

/// Returns the first op that a part depends on and that depends on all parts, or null:
/// there a stage would wait until previous stages have computed all parts.
static Operation *findJoin(func::FuncOp program, const RowPlan &plan) {
  llvm::DenseSet<Operation *> joined; // ops that depend on all parts
  for (Operation &op : program.front()) {
    const auto *it = plan.find(&op);
    bool isPart = it != plan.end();
    for (OpOperand &operand : op.getOpOperands()) {
      Operation *from = operand.get().getDefiningOp();
      bool isRead = isPart && it->second.operands[operand.getOperandNumber()];
      if (!from || !(joined.contains(from) || (plan.contains(from) && !isRead)))
        continue;
      if (isPart)
        return &op;
      joined.insert(&op);
    }
  }
  return nullptr;
}

/// Returns why stages cannot compute different parts of the rows at the same time; empty
/// if they can.
static std::string whyJoined(func::FuncOp program, const ContextPlan &plan) {
  std::string why = "it has no attention that Kiln recognizes";
  bool isSplit = false;
  for (auto attention : program.front().getOps<AttentionOp>()) {
    isSplit |= plan.local.contains(attention);
    why = describe(attention.getLoc()) + ": " + plan.whyNot(attention);
  }
  if (!isSplit)
    return why;
  Operation *join = findJoin(program, plan.local);
  return join ? describe(join->getLoc()) + " needs all of them" : "";
}

/// Divides a program into parts: rows of sequences if attention is causal, otherwise
/// sequences. Returns why not, or an empty text.
static std::string splitProgram(func::FuncOp program, int64_t parts) {
  struct Way {
    PartNeeds needs;
    int64_t fewRows;
    StringLiteral what;
  };
  std::string why;
  for (const Way &way : {Way{PartNeeds::Earlier, parts * kFewRows, "rows"},
                         Way{PartNeeds::Nothing, parts - 1, "sequences"}}) {
    ContextPlan plan(program, way.fewRows, way.needs);
    plan.run();
    std::string whyThis = whyJoined(program, plan);
    if (whyThis.empty()) {
      remarkPassed(program.getLoc(), kSplitMicroBatchesPass, "split-micro-batches",
                   "a run of @" + program.getName() + " is split into parts of its " +
                       way.what + ", which stages compute at the same time")
          << RemarkValue("Parts", parts);
      PartSplitter(program, plan.local, parts).run();
      program->setAttr(kMicroBatchesAttr, Builder(program).getI64IntegerAttr(parts));
      return "";
    }
    why += (why.empty() ? "parts of " : "; parts of ") + way.what.str() + ": " + whyThis;
  }
  return why;
}

LogicalResult kiln::splitMicroBatches(ModuleOp module, int64_t parts) {
  if (parts == 1)
    return success();
  bool isSplit = false;
  std::string first; // reason for the program with the longest sequences
  for (auto program : llvm::to_vector(module.getOps<func::FuncOp>())) {
    if (isBake(program) || !program.getBody().hasOneBlock())
      continue;
    std::string why = splitProgram(program, parts);
    isSplit |= why.empty();
    if (why.empty())
      continue;
    remarkMissed(program.getLoc(), kSplitMicroBatchesPass, "split-micro-batches",
                 "a run of @" + program.getName() + " is not split: " + why);
    if (first.empty())
      first = why;
  }
  if (isSplit)
    return success();
  return kiln::emitError(
      module.getLoc(),
      {ErrorCode::ShardImpossible, "",
       "a run cannot be split into " + std::to_string(parts) + " micro-batches; " + first,
       "", "",
       "allow longer sequences or more of them with --dims, choose fewer micro-batches, "
       "or leave --micro-batches out"});
}

namespace {
class SplitMicroBatchesPass
    : public kiln::impl::SplitMicroBatchesPassBase<SplitMicroBatchesPass> {
public:
  using SplitMicroBatchesPassBase::SplitMicroBatchesPassBase;
  LogicalResult initialize(MLIRContext *context) override {
    return checkOption(*this, parts, 1, Mesh::kMaxPlannedRanks, context);
  }
  void runOnGraph() override {
    if (failed(splitMicroBatches(getOperation(), parts)))
      signalPassFailure();
  }
};
} // namespace
