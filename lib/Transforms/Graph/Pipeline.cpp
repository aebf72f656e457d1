//===- Pipeline.cpp - The graph pipeline ----------------------------------===//
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

/// Columns of a panel of weights that are not 16 bits wide.
static constexpr int64_t kPanelWidth = 16;

/// Runs before matmuls are merged, as merging dequantizes their weights.
static void addProductsOfCodes(OpPassManager &steps, const PhaseOptions &options,
                               const GraphTargets &targets) {
  // Hosts multiply dequantized weights faster, unless smaller weights were requested.
  bool expandHalves = !targets.hasGpu && !options.precision.quantizes();
  steps.addPass(createRaiseScaledProductsPass(options.precision, expandHalves));
}

/// Runs after merging, which needs weights of one type, and before packing, which needs
/// the final type.
static void addPrecision(OpPassManager &steps, const PhaseOptions &options,
                         const GraphTargets &targets) {
  // Runs before matmuls are lowered, or caches would be rounded twice.
  if (!options.precision.cache.empty() && options.state.enabled)
    steps.addPass(
        createQuantizeCachesPass(QuantizeCachesPassOptions{options.precision.cache}));
  if (const auto &observation = options.precision.observation)
    steps.addPass(createObserveProductsPass(ObserveProductsPassOptions{
        observation->first, observation->elements, observation->what}));
  else if (options.precision.quantizes()) {
    steps.addPass(createQuantizeProductsPass(
        options.precision, /*float8InTf32=*/targets.hasGpu, targets.takesScales));
    // Matmuls without a quantized weight get the type that quantized weights are
    // multiplied with.
    if (!options.precision.floatType().empty())
      steps.addPass(createLowerPrecisionPass(options.precision.ofOthers()));
  } else
    steps.addPass(createLowerPrecisionPass(options.precision));
}

/// Merges gate and up matmuls by halves of the tile that kernels read at once, whose
/// width depends on the final type of the weights.
static void addMergedGates(OpPassManager &steps, const PhaseOptions &options,
                           const GraphTargets &targets) {
  bool narrows = llvm::is_contained({"bf16", "f16"}, options.precision.precision);
  MergeGatesPassOptions gates;
  // All quantized weights have panels of one width.
  gates.narrowWidth =
      options.precision.quantizes() ? kPanelWidth : targets.narrowTileWidth;
  gates.width = narrows ? targets.narrowTileWidth : kPanelWidth;
  steps.addNestedPass<func::FuncOp>(createMergeGatesPass(gates));
}

/// Runs after the programs are made: prefill has many rows to divide, and decode few.
static void addDividedRows(OpPassManager &steps, const PhaseOptions &options) {
  if (options.mesh.overlap > 1) {
    steps.addPass(createSplitRowsPass(SplitRowsPassOptions{options.mesh.overlap}));
    // CSE merges the lengths that each layer's attention computes.
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
    // CSE merges the lengths that each layer's attention computes.
    steps.addPass(createCSEPass());
  }
}

void kiln::addGraphPasses(OpPassManager &steps, const PhaseOptions &options,
                          const GraphTargets &targets) {
  // A hand-written graph may contain anything.
  steps.addPass(createVerifyGraphPass());
  // Before simplification: masks and positions that depend on the length of the past are
  // then ordinary values.
  if (options.state.enabled) {
    FindStatePassOptions find;
    find.pairs = llvm::to_vector(options.state.pairs);
    find.keepInputs = llvm::to_vector(options.state.keptInputs);
    steps.addPass(createFindStatePass(find));
  }
  // Folds constants that a model computes (1 / sqrt(64), casts of 2.0), as simplification
  // and raising compare with constants.
  steps.addPass(createFoldConstantsPass());
  // Simplification removes identities and movement within patterns, so that raising needs
  // one form of each pattern.
  steps.addPass(createSimplifyGraphPass());
  // Exporters compute the same difference or cast twice; raising compares values and
  // checks for single users.
  steps.addPass(createCSEPass());
  // Raising passes are independent, but each leaves fewer ops for the next.
  steps.addNestedPass<func::FuncOp>(createRaiseGeluPass());
  steps.addNestedPass<func::FuncOp>(createRaiseLayerNormPass());
  steps.addNestedPass<func::FuncOp>(createRaiseRopePass());
  steps.addNestedPass<func::FuncOp>(createRaiseAttentionPass());
  // Raising creates views of views and leaves dead masks.
  steps.addPass(createSimplifyGraphPass());
  // After raising, which makes masks attributes of attention. Before merging and packing,
  // as this pass rebuilds the parts of the model that depend on lengths.
  if (options.state.enabled) {
    MakeStatePassOptions make;
    make.dims = llvm::to_vector(options.state.dims);
    steps.addPass(createMakeStatePass(make));
    // Circular buffers must be made while attention's lengths are as MakeState wrote
    // them.
    steps.addPass(createMakeRingsPass());
    steps.addPass(createSimplifyGraphPass());
    steps.addPass(createCSEPass());
  }
  // After attention is raised and state is made, as both are divided by heads; before
  // weights are merged and lowered, which then applies to each rank's part.
  if (options.mesh.axes.tp > 1)
    steps.addPass(createShardPass(ShardPassOptions{options.mesh.axes.tp}));
  addProductsOfCodes(steps, options, targets);
  // After attention is raised, which reads operands through views, so that slices of a
  // merged matmul are free.
  steps.addNestedPass<func::FuncOp>(createMergeMatmulsPass());
  addMergedGates(steps, options, targets);
  // Small biases are constants in the IR; folding makes merged ones constants again.
  steps.addPass(createFoldConstantsPass());
  // After merging, as the pass looks through concats; before precision, which narrows
  // widened values to the stored type.
  steps.addNestedPass<func::FuncOp>(createDelayWideningPass());
  addPrecision(steps, options, targets);
  // Decomposes quantization that no matmul absorbed; before attention, which reads masks
  // through casts.
  steps.addNestedPass<func::FuncOp>(createDecomposeQuantizationPass());
  // After the types of its operands are final, as they determine whether a target
  // supports it.
  if (targets.holdsAttention)
    steps.addNestedPass<func::FuncOp>(
        createDecomposeAttentionPass(options.targets.names, targets.holdsAttention));
  // After precision, which rounds operands of matmuls only.
  steps.addNestedPass<func::FuncOp>(createLowerMatrixVectorPass());
  // Removes casts that narrow a stored value twice, or widen and narrow it.
  steps.addPass(createSimplifyGraphPass());
  // After merging, so that merged weights are packed.
  PackWeightsPassOptions pack;
  pack.width = kPanelWidth;
  pack.narrowWidth = targets.narrowPanelWidth;
  pack.narrowTile = targets.narrowTileWidth;
  steps.addNestedPass<func::FuncOp>(createPackWeightsPass(pack));
  // A weight that is used twice was packed twice; CSE finds this more easily before
  // values move to @bake.
  steps.addPass(createCSEPass());
  // Last, when all values that are known at compile time are explicit.
  steps.addPass(createHoistBakePass());
  // Removes weights of merged, packed or dead ops.
  steps.addPass(createSimplifyGraphPass());
  // After all other passes, so that both programs are equal and read the same weights.
  if (options.state.enabled) {
    MakeProgramsPassOptions programs;
    programs.tokens = options.state.tokens;
    steps.addPass(createMakeProgramsPass(programs));
    // Removes computations that only results for other positions needed.
    steps.addPass(createCSEPass());
  }
  addDividedRows(steps, options);
  // Fusion requires this form.
  steps.addPass(createVerifyGraphPass());
}
