//===- SimplifyGraph.cpp - Simplifies artifacts of exporters --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Ranks.h"
#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace kiln {
#define GEN_PASS_DEF_SIMPLIFYGRAPHPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

unsigned kiln::eraseUnusedWeights(ModuleOp module) {
  llvm::DenseSet<StringAttr> used;
  module.walk([&](Operation *op) {
    if (auto get = dyn_cast<GetWeightOp>(op))
      used.insert(get.getWeightAttr().getAttr());
    if (auto set = dyn_cast<SetWeightOp>(op))
      used.insert(set.getWeightAttr().getAttr());
  });
  for (WeightOp weight : module.getOps<WeightOp>())
    if (std::optional<WeightPart> part = partOf(weight);
        part && used.contains(weight.getSymNameAttr()))
      used.insert(part->of.getAttr());
  unsigned erased = 0;
  for (WeightOp weight : llvm::make_early_inc_range(module.getOps<WeightOp>()))
    if (!used.contains(weight.getSymNameAttr())) {
      weight.erase();
      ++erased;
    }
  return erased;
}

namespace {
class SimplifyGraphPass : public kiln::impl::SimplifyGraphPassBase<SimplifyGraphPass> {
public:
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet all(context);
    populateSimplifyElementwisePatterns(all);
    populateSimplifyMovementPatterns(all);
    populateSimplifyConcatPatterns(all);
    populateSimplifyContractionPatterns(all);
    populateSimplifyEmptyPatterns(all);
    populateSimplifyPositionPatterns(all);
    populateSimplifyGeneratedPatterns(all);
    patterns = FrozenRewritePatternSet(std::move(all));
    return success();
  }

  void runOnGraph() override {
    GreedyRewriteConfig config;
    // Constants stay next to their users, so that the graph is in the model's order.
    config.enableConstantCSE(false);
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && failed(applyPatternsGreedily(function, patterns, config)))
        return signalPassFailure();
    eraseUnusedWeights(getOperation());
  }

private:
  FrozenRewritePatternSet patterns;
};
} // namespace
