//===- Phases.cpp - The compiler as a table of phases ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Pipeline/Phases.h"
#include "FindCode.h"
#include "kiln/Codegen/Attention.h"
#include "kiln/Codegen/EmitKernel.h"
#include "kiln/Codegen/Passes.h"
#include "kiln/Planning/Passes.h"
#include "kiln/Target/TargetInfo.h"
#include "kiln/Transforms/Fusion/Passes.h"
#include "kiln/Transforms/Graph/Pipeline.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace kiln;
using namespace mlir;

/// Whether instructions take the scales of both operands' blocks.
static bool takesScales(const std::string &name) {
  std::optional<TargetInfo> info = TargetInfo::find(name);
  return info && info->gpu && info->gpu->hasBlockScaledMma;
}

/// Columns of a panel of 16-bit weights, and of what kernels take of it at once. A GPU
/// stages whole lines of 128 bytes. A host reads one panel after the other as one stream,
/// which its prefetchers follow better than four (docs/rationale/precision.md). A package
/// for both keeps to panels that both take whole, so that it holds its weights once.
static void choosePanels(ArrayRef<std::string> targets, GraphOptions &graph) {
  constexpr int64_t kLine = 64;
  if (llvm::all_of(targets, isGpuTarget))
    graph.narrowPanelWidth = graph.narrowTileWidth = kLine;
  else if (llvm::none_of(targets, isGpuTarget))
    graph.narrowPanelWidth = kLine;
}

/// --kiln-graph-pipeline: one spelling for each computation, weights packed.
static void buildGraphPhase(OpPassManager &pm, const PhaseOptions &options) {
  // One layout serves every target of a package.
  GraphOptions graph;
  choosePanels(options.targets, graph);
  graph.precision = options.precision;
  graph.precisionReport = options.precisionReport;
  graph.observed = options.observed;
  graph.observation = options.observation;
  graph.hasGpu = llvm::any_of(options.targets, isGpuTarget);
  graph.takesScales =
      !options.targets.empty() && llvm::all_of(options.targets, takesScales);
  graph.targets = options.targets;
  graph.state = options.state;
  graph.ranks = options.ranks;
  graph.division = options.division;
  graph.contextRanks = options.contextRanks;
  graph.dividesCaches = options.dividesCaches;
  graph.overlap = options.overlap;
  graph.microBatches = options.microBatches;
  graph.shardReport = options.shardReport;
  graph.holdsAttention = codegen::holdsAttention;
  addGraphPasses(pm, graph);
}

/// --kiln-kernels-pipeline: every op in a kernel.
static void buildKernelsPhase(OpPassManager &pm, const PhaseOptions &options) {
  // Kernels hold no data, so what is data becomes a weight first.
  pm.addPass(createExternalizeConstantsPass());
  pm.addPass(createFuseKernelsPass(getKernelCodegen(), options.targets));
  // Sessions on GPUs take inputs from memory that the runtime cannot look into.
  if (!options.clampIndices)
    pm.addPass(createCheckIndicesPass(getKernelCodegen(),
                                      llvm::any_of(options.targets, isGpuTarget),
                                      options.indexReport));
  pm.addPass(createLiftStartsPass(getKernelCodegen()));
  pm.addPass(createLiftScalarsPass(getKernelCodegen()));
  // Weight reads that fusion left without a reader, and equal ones.
  pm.addPass(createCSEPass());
  pm.addPass(createVerifyKernelsPass());
}

/// --kiln-code-pipeline: a tile program for every kernel.
static void buildCodePhase(OpPassManager &pm, const PhaseOptions &options) {
  ChooseConfigsPassOptions choose;
  choose.targets.assign(options.targets.begin(), options.targets.end());
  choose.batchInvariant = options.batchInvariant;
  choose.configs = options.configs;
  pm.addPass(createChooseConfigsPass(choose));
  EmitKernelsPassOptions emit;
  emit.targets.assign(options.targets.begin(), options.targets.end());
  pm.addPass(createEmitKernelsPass(emit));
  pm.addPass(createEmitCollectivesPass());
}

/// --kiln-plan-pipeline: a place in memory for every value.
static void buildPlanPhase(OpPassManager &pm, const PhaseOptions &options) {
  BuildPlanPassOptions plan;
  plan.memoryLimit = options.memoryLimit;
  plan.stages = options.stages;
  plan.overlap = options.overlap > 1;
  plan.microBatches = options.stages > 1 && options.microBatches > 1;
  pm.addPass(createBuildPlanPass(plan, findCode));
  pm.addPass(createVerifyPlanPass());
}

static constexpr Phase kPhases[] = {
    {"graph", "one spelling per computation, weights packed, constants folded",
     buildGraphPhase},
    {"kernels", "every op of @main sits in a graph.kernel", buildKernelsPhase},
    {"code", "every graph.kernel names a tile.kernel of every target", buildCodePhase},
    {"plan", "every value has a place in an arena, proved at the corners",
     buildPlanPhase},
};

ArrayRef<Phase> kiln::getPhases() { return kPhases; }

namespace {
/// The options of --kiln-<phase>-pipeline after the graph phase.
struct PipelineFlags : public PassPipelineOptions<PipelineFlags> {
  ListOption<std::string> targets{*this, "targets",
                                  llvm::cl::desc("Targets (default: native)")};
  Option<uint64_t> memoryLimit{*this, "memory-limit", llvm::cl::desc("Bytes, 0 for none"),
                               llvm::cl::init(0)};
  Option<int64_t> stages{*this, "stages", llvm::cl::desc("Stages of a pipeline"),
                         llvm::cl::init(1)};
  Option<bool> batchInvariant{*this, "batch-invariant",
                              llvm::cl::desc("One kernel for any number of rows"),
                              llvm::cl::init(false)};
  Option<std::string> configs{*this, "configs",
                              llvm::cl::desc("File of configs that replace the choice")};

  PhaseOptions get() const {
    PhaseOptions options;
    if (!targets.empty())
      options.targets.assign(targets.begin(), targets.end());
    options.memoryLimit = memoryLimit;
    options.stages = stages;
    options.batchInvariant = batchInvariant;
    options.configs = configs;
    return options;
  }
};
} // namespace

template <size_t... Index> static void registerAll(std::index_sequence<Index...>) {
  // Names must outlive the registry.
  static const std::string names[] = {
      ("kiln-" + kPhases[Index + 1].name + "-pipeline").str()...};
  (PassPipelineRegistration<PipelineFlags>(
       names[Index], kPhases[Index + 1].contract,
       [](OpPassManager &pm, const PipelineFlags &flags) {
         kPhases[Index + 1].build(pm, flags.get());
       }),
   ...);
}

void kiln::registerPhasePipelines() {
  // The graph phase has options of its own, and no target.
  registerGraphPipelines();
  registerAll(std::make_index_sequence<std::size(kPhases) - 1>());
}
