//===- SplitRows.cpp - Row parts with overlapping collectives -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PartSplitter.h"
#include "dialects/Graph/Ranks.h"
#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Support/Mesh.h"
#include "kiln/Support/PassOptions.h"
#include "kiln/Support/PassRemark.h"
#include "kiln/Transforms/Graph/Passes.h"

namespace kiln {
#define GEN_PASS_DEF_SPLITROWSPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kSplitRowsPass = "kiln-split-rows";

void kiln::splitRows(ModuleOp module, int64_t parts) {
  if (parts == 1 || ranksOf(module) == 1)
    return;
  for (auto program : llvm::to_vector(module.getOps<func::FuncOp>())) {
    if (isBake(program) || !program.getBody().hasOneBlock())
      continue;
    // Sequence-parallel ranks divide the rows of each part, which must exceed kFewRows
    // for that.
    ContextPlan plan(program, parts * kFewRows);
    plan.run();
    bool overlaps = false;
    for (auto reduce : program.front().getOps<AllReduceOp>()) {
      overlaps |= plan.local.contains(reduce);
      if (plan.local.contains(reduce))
        remarkPassed(
            reduce.getLoc(), kSplitRowsPass, "split-rows",
            "the rows of this sum over the ranks are split, so that kernels compute "
            "one part while another is sent")
            << RemarkValue("Parts", parts);
      else
        remarkMissed(reduce.getLoc(), kSplitRowsPass, "split-rows", plan.whyNot(reduce));
    }
    if (overlaps)
      PartSplitter(program, plan.local, parts).run();
  }
}

namespace {
class SplitRowsPass : public kiln::impl::SplitRowsPassBase<SplitRowsPass> {
public:
  using SplitRowsPassBase::SplitRowsPassBase;
  LogicalResult initialize(MLIRContext *context) override {
    return checkOption(*this, parts, 1, Mesh::kMaxPlannedRanks, context);
  }
  void runOnGraph() override { splitRows(getOperation(), parts); }
};
} // namespace
