//===- Pipeline.cpp - The order of the graph passes ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Transforms/Graph/Pipeline.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace kiln;
using namespace mlir;

namespace {
/// Adds passes, with the level verifier after each if asked for.
class Steps {
public:
  Steps(OpPassManager &manager, bool verifyEach)
      : manager(manager), verifyEach(verifyEach) {}

  void add(std::unique_ptr<Pass> pass) {
    manager.addPass(std::move(pass));
    verify();
  }
  void addToFunctions(std::unique_ptr<Pass> pass) {
    manager.addNestedPass<func::FuncOp>(std::move(pass));
    verify();
  }

private:
  void verify() {
    if (verifyEach)
      manager.addPass(createVerifyGraphPass());
  }
  OpPassManager &manager;
  bool verifyEach;
};
} // namespace

/// In front of what merges products, which joins weights that are no codes any more.
static void addProductsOfCodes(Steps &steps, const GraphOptions &options) {
  // Hosts multiply expanded weights faster, unless fewer bytes were asked for.
  bool expandHalves = !options.hasGpu && !options.precision.quantizes();
  steps.add(createRaiseScaledProductsPass(options.precision, options.precisionReport,
                                          expandHalves));
}

/// After merging, which joins weights of one type; before packing, whose panels hold the
/// type that is multiplied.
static void addPrecision(Steps &steps, const GraphOptions &options) {
  // Before products are lowered, whose rounding would come on top.
  if (!options.precision.cache.empty() && options.state.enabled)
    steps.add(createQuantizeCachesPass(options.precision.cache, options.precisionReport));
  if (options.observed)
    steps.add(createObserveProductsPass(options.observation, options.observed));
  else if (options.precision.quantizes()) {
    steps.add(createQuantizeProductsPass(options.precision, options.precisionReport,
                                         /*float8InTf32=*/options.hasGpu,
                                         options.takesScales));
    // What has no weight of codes, in the type that these are multiplied with.
    if (!options.precision.floatType().empty())
      steps.add(createLowerPrecisionPass(options.precision.ofOthers(),
                                         options.precisionReport));
  } else
    steps.add(createLowerPrecisionPass(options.precision, options.precisionReport));
}

/// In halves of what kernels take at once of weights of the type they have then.
static void addMergedGates(Steps &steps, const GraphOptions &options) {
  bool narrows = llvm::is_contained({"bf16", "f16"}, options.precision.precision);
  MergeGatesPassOptions gates;
  // Codes lie in panels of one width, whatever they are made from.
  gates.narrowWidth =
      options.precision.quantizes() ? options.panelWidth : options.narrowTileWidth;
  gates.width = narrows ? options.narrowTileWidth : options.panelWidth;
  steps.addToFunctions(createMergeGatesPass(gates));
}

/// Behind the programs: one of them has many rows to divide, and the other few.
static void addDividedRows(Steps &steps, const GraphOptions &options) {
  if (options.overlap > 1) {
    steps.add(createSplitRowsPass(SplitRowsPassOptions{options.overlap}));
    // Attentions of all layers have the same lengths.
    steps.add(createCSEPass());
  }
  if (options.microBatches > 1) {
    steps.add(
        createSplitMicroBatchesPass(SplitMicroBatchesPassOptions{options.microBatches}));
    steps.add(createCSEPass());
  }
  if (options.ranks > 1 && options.division == Division::Sequence)
    steps.add(createShardSequencePass(options.shardReport));
  if (options.contextRanks > 1) {
    steps.add(createShardContextPass(options.contextRanks, options.dividesCaches,
                                     options.shardReport));
    // Attentions of all layers have the same lengths.
    steps.add(createCSEPass());
  }
}

void kiln::addGraphPasses(OpPassManager &manager, const GraphOptions &options) {
  Steps steps(manager, options.verifyEach);
  // Before anything is simplified: masks and positions that follow from the past's
  // length are then numbers like any other.
  if (options.state.enabled) {
    FindStatePassOptions find;
    find.pairs = llvm::to_vector(options.state.pairs);
    find.keepInputs = llvm::to_vector(options.state.keptInputs);
    steps.add(createFindStatePass(find));
  }
  // Numbers that a model computes (1 / sqrt(64), casts of 2.0) become numbers,
  // which is what the simplifications and the raising compare with.
  steps.add(createFoldConstantsPass());
  // Identities and movement that stand between the ops of a spelling go first,
  // so that raising knows one spelling and not its variations.
  steps.add(createSimplifyGraphPass());
  // Exporters compute the same difference or cast twice; raising asks "is it the
  // same value" and "has it one user".
  steps.add(createCSEPass());
  // Raising, from the inside out: none needs another's result, but each leaves
  // fewer ops for the next to look at.
  steps.addToFunctions(createRaiseGeluPass());
  steps.addToFunctions(createRaiseLayerNormPass());
  steps.addToFunctions(createRaiseRopePass());
  steps.addToFunctions(createRaiseAttentionPass());
  // Raising builds views of views and leaves dead masks.
  steps.add(createSimplifyGraphPass());
  // After raising: what attention sees is then an attribute. Before anything is merged or
  // packed, as the length's part of the model is made anew.
  if (options.state.enabled) {
    MakeStatePassOptions make;
    make.dims = llvm::to_vector(options.state.dims);
    steps.add(createMakeStatePass(make));
    // While attention's lengths are still what the pass in front wrote.
    steps.add(createMakeRingsPass());
    steps.add(createSimplifyGraphPass());
    steps.add(createCSEPass());
  }
  // After attention is raised and state is made, which are split by heads; before weights
  // are joined and lowered, which then happens to each rank's part.
  if (options.ranks > 1)
    steps.add(createShardPass(options.ranks, options.shardReport));
  addProductsOfCodes(steps, options);
  // After attention is raised: its operands are read through views, which is
  // what makes slices of a merged product free.
  steps.addToFunctions(createMergeMatmulsPass());
  if (options.panelWidth > 0)
    addMergedGates(steps, options);
  // Small biases are constants in the IR: joined, they are constants again.
  steps.add(createFoldConstantsPass());
  // After merging, whose concats it looks through; before precision, which takes what was
  // widened back to what is stored.
  steps.addToFunctions(createDelayWideningPass());
  addPrecision(steps, options);
  // What no product took with its scales; before attention, which reads masks through
  // casts.
  steps.addToFunctions(createDecomposeQuantizationPass());
  // When the types of its operands are settled, on which it depends what a target holds.
  if (options.holdsAttention)
    steps.addToFunctions(
        createDecomposeAttentionPass(options.targets, options.holdsAttention));
  // After precision, which rounds operands of products only.
  steps.addToFunctions(createLowerMatrixVectorPass());
  // A stored value that is narrowed twice, or widened and narrowed again.
  steps.add(createSimplifyGraphPass());
  if (options.panelWidth > 0) {
    // After merging: the joined weight is packed, not its parts.
    PackWeightsPassOptions pack;
    pack.width = options.panelWidth;
    pack.narrowWidth = options.narrowPanelWidth;
    pack.narrowTile = options.narrowTileWidth;
    steps.addToFunctions(createPackWeightsPass(pack));
  }
  // A weight used twice is packed twice; once is enough, and cheaper to see
  // before its value has moved.
  steps.add(createCSEPass());
  // Last, when everything that can be known at compile time is spelled out.
  steps.add(createHoistBakePass());
  // What was merged, packed or dead leaves its weights behind.
  steps.add(createSimplifyGraphPass());
  // Behind all else: both programs are what one was, and read the same weights.
  if (options.state.enabled) {
    MakeProgramsPassOptions programs;
    programs.tokens = options.state.tokens;
    steps.add(createMakeProgramsPass(programs));
    // What only the results of other positions needed.
    steps.add(createCSEPass());
  }
  addDividedRows(steps, options);
  // The contract that fusion builds on.
  manager.addPass(createVerifyGraphPass());
}

namespace {
struct GraphPipelineOptions : PassPipelineOptions<GraphPipelineOptions> {
  Option<bool> state{*this, "state", llvm::cl::init(false),
                     llvm::cl::desc("Make pasts and presents state")};
  Option<int64_t> panelWidth{*this, "panel-width", llvm::cl::init(16),
                             llvm::cl::desc("Columns of a weight panel; 0: do not pack")};
  Option<int64_t> narrowPanelWidth{*this, "narrow-panel-width", llvm::cl::init(16),
                                   llvm::cl::desc("The same for weights of 16 bits")};
  Option<int64_t> narrowTileWidth{
      *this, "narrow-tile-width", llvm::cl::init(16),
      llvm::cl::desc("Columns that kernels take at once of weights of 16 bits")};
  Option<std::string> precision{*this, "precision", llvm::cl::init("f32"),
                                llvm::cl::desc(PrecisionPolicy::names())};
  Option<int64_t> ranks{*this, "ranks", llvm::cl::init(1),
                        llvm::cl::desc("How many divide weights")};
  Option<int64_t> contextRanks{*this, "context-ranks", llvm::cl::init(1),
                               llvm::cl::desc("How many divide rows of sequences alone")};
  Option<int64_t> overlap{*this, "overlap", llvm::cl::init(1),
                          llvm::cl::desc("Parts of rows whose collectives overlap")};
  Option<Division> division{
      *this, "divide", llvm::cl::init(Division::Tensor),
      llvm::cl::desc("What ranks divide"),
      llvm::cl::values(clEnumValN(Division::Tensor, "tensor", "weights"),
                       clEnumValN(Division::Sequence, "sequence",
                                  "weights, and rows between products"))};
  Option<bool> verifyEach{*this, "verify-each", llvm::cl::init(false),
                          llvm::cl::desc("Verify the graph level after each step")};
};
} // namespace

void kiln::registerGraphPipelines() {
  PassPipelineRegistration<GraphPipelineOptions>(
      "kiln-graph-pipeline", "Every graph pass, in order",
      [](OpPassManager &manager, const GraphPipelineOptions &options) {
        GraphOptions graph;
        graph.state.enabled = options.state;
        graph.panelWidth = options.panelWidth;
        graph.narrowPanelWidth = options.narrowPanelWidth;
        graph.narrowTileWidth = options.narrowTileWidth;
        graph.precision.precision = options.precision;
        graph.ranks = options.ranks;
        graph.division = options.division;
        graph.contextRanks = options.contextRanks;
        graph.overlap = options.overlap;
        graph.verifyEach = options.verifyEach;
        addGraphPasses(manager, graph);
      });
}
