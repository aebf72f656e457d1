//===- Pipeline.cpp - The order of the graph passes ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Transforms/Graph/Pipeline.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace kiln;
using namespace mlir;

/// Columns of a panel of weights that are not of 16 bits.
static constexpr int64_t kPanelWidth = 16;

/// In front of what merges products, which joins weights that are no codes any more.
static void addProductsOfCodes(OpPassManager &steps, const PhaseOptions &options,
                               const GraphTargets &targets) {
  // Hosts multiply expanded weights faster, unless fewer bytes were asked for.
  bool expandHalves = !targets.hasGpu && !options.precision.quantizes();
  steps.addPass(createRaiseScaledProductsPass(options.precision, expandHalves));
}

/// After merging, which joins weights of one type; before packing, whose panels hold the
/// type that is multiplied.
static void addPrecision(OpPassManager &steps, const PhaseOptions &options,
                         const GraphTargets &targets) {
  // Before products are lowered, whose rounding would come on top.
  if (!options.precision.cache.empty() && options.state.enabled)
    steps.addPass(
        createQuantizeCachesPass(QuantizeCachesPassOptions{options.precision.cache}));
  if (const auto &observation = options.precision.observation)
    steps.addPass(createObserveProductsPass(ObserveProductsPassOptions{
        observation->first, observation->elements, observation->what}));
  else if (options.precision.quantizes()) {
    steps.addPass(createQuantizeProductsPass(
        options.precision, /*float8InTf32=*/targets.hasGpu, targets.takesScales));
    // What has no weight of codes, in the type that these are multiplied with.
    if (!options.precision.floatType().empty())
      steps.addPass(createLowerPrecisionPass(options.precision.ofOthers()));
  } else
    steps.addPass(createLowerPrecisionPass(options.precision));
}

/// In halves of what kernels take at once of weights of the type they have then.
static void addMergedGates(OpPassManager &steps, const PhaseOptions &options,
                           const GraphTargets &targets) {
  bool narrows = llvm::is_contained({"bf16", "f16"}, options.precision.precision);
  MergeGatesPassOptions gates;
  // Codes lie in panels of one width, whatever they are made from.
  gates.narrowWidth =
      options.precision.quantizes() ? kPanelWidth : targets.narrowTileWidth;
  gates.width = narrows ? targets.narrowTileWidth : kPanelWidth;
  steps.addNestedPass<func::FuncOp>(createMergeGatesPass(gates));
}

/// Behind the programs: one of them has many rows to divide, and the other few.
static void addDividedRows(OpPassManager &steps, const PhaseOptions &options) {
  if (options.mesh.overlap > 1) {
    steps.addPass(createSplitRowsPass(SplitRowsPassOptions{options.mesh.overlap}));
    // Attentions of all layers have the same lengths.
    steps.addPass(createCSEPass());
  }
  if (options.mesh.microBatches > 1) {
    steps.addPass(createSplitMicroBatchesPass(
        SplitMicroBatchesPassOptions{options.mesh.microBatches}));
    steps.addPass(createCSEPass());
  }
  const Mesh &mesh = options.mesh.axes;
  if (mesh.tp > 1 && mesh.sequence)
    steps.addPass(createShardSequencePass());
  if (mesh.cp > 1) {
    steps.addPass(
        createShardContextPass(ShardContextPassOptions{mesh.cp, mesh.dividesCaches}));
    // Attentions of all layers have the same lengths.
    steps.addPass(createCSEPass());
  }
}

void kiln::addGraphPasses(OpPassManager &steps, const PhaseOptions &options,
                          const GraphTargets &targets) {
  // Before anything is simplified: masks and positions that follow from the past's
  // length are then numbers like any other.
  if (options.state.enabled) {
    FindStatePassOptions find;
    find.pairs = llvm::to_vector(options.state.pairs);
    find.keepInputs = llvm::to_vector(options.state.keptInputs);
    steps.addPass(createFindStatePass(find));
  }
  // Numbers that a model computes (1 / sqrt(64), casts of 2.0) become numbers,
  // which is what the simplifications and the raising compare with.
  steps.addPass(createFoldConstantsPass());
  // Identities and movement that stand between the ops of a spelling go first,
  // so that raising knows one spelling and not its variations.
  steps.addPass(createSimplifyGraphPass());
  // Exporters compute the same difference or cast twice; raising asks "is it the
  // same value" and "has it one user".
  steps.addPass(createCSEPass());
  // Raising, from the inside out: none needs another's result, but each leaves
  // fewer ops for the next to look at.
  steps.addNestedPass<func::FuncOp>(createRaiseGeluPass());
  steps.addNestedPass<func::FuncOp>(createRaiseLayerNormPass());
  steps.addNestedPass<func::FuncOp>(createRaiseRopePass());
  steps.addNestedPass<func::FuncOp>(createRaiseAttentionPass());
  // Raising builds views of views and leaves dead masks.
  steps.addPass(createSimplifyGraphPass());
  // After raising: what attention sees is then an attribute. Before anything is merged or
  // packed, as the length's part of the model is made anew.
  if (options.state.enabled) {
    MakeStatePassOptions make;
    make.dims = llvm::to_vector(options.state.dims);
    steps.addPass(createMakeStatePass(make));
    // While attention's lengths are still what the pass in front wrote.
    steps.addPass(createMakeRingsPass());
    steps.addPass(createSimplifyGraphPass());
    steps.addPass(createCSEPass());
  }
  // After attention is raised and state is made, which are split by heads; before weights
  // are joined and lowered, which then happens to each rank's part.
  if (options.mesh.axes.tp > 1)
    steps.addPass(createShardPass(ShardPassOptions{options.mesh.axes.tp}));
  addProductsOfCodes(steps, options, targets);
  // After attention is raised: its operands are read through views, which is
  // what makes slices of a merged product free.
  steps.addNestedPass<func::FuncOp>(createMergeMatmulsPass());
  addMergedGates(steps, options, targets);
  // Small biases are constants in the IR: joined, they are constants again.
  steps.addPass(createFoldConstantsPass());
  // After merging, whose concats it looks through; before precision, which takes what was
  // widened back to what is stored.
  steps.addNestedPass<func::FuncOp>(createDelayWideningPass());
  addPrecision(steps, options, targets);
  // What no product took with its scales; before attention, which reads masks through
  // casts.
  steps.addNestedPass<func::FuncOp>(createDecomposeQuantizationPass());
  // When the types of its operands are settled, on which it depends what a target holds.
  if (targets.holdsAttention)
    steps.addNestedPass<func::FuncOp>(
        createDecomposeAttentionPass(options.targets.names, targets.holdsAttention));
  // After precision, which rounds operands of products only.
  steps.addNestedPass<func::FuncOp>(createLowerMatrixVectorPass());
  // A stored value that is narrowed twice, or widened and narrowed again.
  steps.addPass(createSimplifyGraphPass());
  // After merging: the joined weight is packed, not its parts.
  PackWeightsPassOptions pack;
  pack.width = kPanelWidth;
  pack.narrowWidth = targets.narrowPanelWidth;
  pack.narrowTile = targets.narrowTileWidth;
  steps.addNestedPass<func::FuncOp>(createPackWeightsPass(pack));
  // A weight used twice is packed twice; once is enough, and cheaper to see
  // before its value has moved.
  steps.addPass(createCSEPass());
  // Last, when everything that can be known at compile time is spelled out.
  steps.addPass(createHoistBakePass());
  // What was merged, packed or dead leaves its weights behind.
  steps.addPass(createSimplifyGraphPass());
  // Behind all else: both programs are what one was, and read the same weights.
  if (options.state.enabled) {
    MakeProgramsPassOptions programs;
    programs.tokens = options.state.tokens;
    steps.addPass(createMakeProgramsPass(programs));
    // What only the results of other positions needed.
    steps.addPass(createCSEPass());
  }
  addDividedRows(steps, options);
  // The contract that fusion builds on.
  steps.addPass(createVerifyGraphPass());
}
