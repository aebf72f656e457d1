//===- Phases.cpp - The compiler as a table of phases ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Pipeline/Phases.h"
#include "Compiler.h"
#include "FindCode.h"
#include "kiln/Codegen/Attention.h"
#include "kiln/Codegen/KernelAnalyses.h"
#include "kiln/Codegen/Passes.h"
#include "kiln/Planning/Passes.h"
#include "kiln/Target/TargetInfo.h"
#include "kiln/Transforms/Fusion/Passes.h"
#include "kiln/Transforms/Graph/Pipeline.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

using namespace kiln;
using namespace mlir;

/// Whether MMA instructions of a target take block scales of both operands.
static bool takesScales(const std::string &name) {
  std::optional<TargetInfo> info = TargetInfo::find(name);
  return info && info->gpu && info->gpu->hasBlockScaledMma;
}

/// Sets the columns of a panel of 16-bit weights, and of the tile that kernels read at
/// once. A GPU stages entire lines of 128 bytes. A host reads one panel after the other
/// as one stream, which hardware prefetchers follow better than four streams
/// (docs/rationale/precision.md). A package for both uses panels that suit both, so that
/// it has its weights once.
static void choosePanels(ArrayRef<std::string> targets, GraphTargets &graph) {
  constexpr int64_t kLine = 64;
  if (llvm::all_of(targets, isGpuTarget))
    graph.narrowPanelWidth = graph.narrowTileWidth = kLine;
  else if (llvm::none_of(targets, isGpuTarget))
    graph.narrowPanelWidth = kLine;
}

/// --kiln-import-pipeline: records facts that are visible only in the unchanged model.
static void buildImportPhase(OpPassManager &pm, const PhaseOptions &options,
                             const codegen::SharedAnalyses & /*analyses*/) {
  // Before CSE or other passes merge the ops that compute an index with others.
  if (!options.indices.clamp)
    pm.addPass(createFindIndexInputsPass());
}

/// --kiln-graph-pipeline: a canonical form of each computation, weights packed.
static void buildGraphPhase(OpPassManager &pm, const PhaseOptions &options,
                            const codegen::SharedAnalyses & /*analyses*/) {
  // All targets of a package use one layout of weights.
  ArrayRef<std::string> targets = options.targets.names;
  GraphTargets graph;
  choosePanels(targets, graph);
  graph.hasGpu = llvm::any_of(targets, isGpuTarget);
  graph.takesScales = !targets.empty() && llvm::all_of(targets, takesScales);
  graph.holdsAttention = codegen::holdsAttention;
  addGraphPasses(pm, options, graph);
}

/// --kiln-kernels-pipeline: groups all ops into kernels.
static void buildKernelsPhase(OpPassManager &pm, const PhaseOptions &options,
                              const codegen::SharedAnalyses &analyses) {
  pm.addPass(createVerifyGraphPass());
  // Kernels contain no data, so constants with data become weights first.
  pm.addPass(createExternalizeConstantsPass());
  pm.addPass(createFuseKernelsPass(getKernelCodegen(analyses), options.targets.names));
  // GPU sessions accept inputs in device memory, which the runtime cannot check on the
  // host.
  if (!options.indices.clamp)
    pm.addPass(createCheckIndicesPass(getKernelCodegen(analyses),
                                      llvm::any_of(options.targets.names, isGpuTarget)));
  pm.addPass(createLiftStartsPass(getKernelCodegen(analyses)));
  pm.addPass(createLiftScalarsPass(getKernelCodegen(analyses)));
  // Removes equal reads of weights, and those without a reader after fusion.
  pm.addPass(createCSEPass());
  pm.addPass(createVerifyKernelsPass());
}

/// --kiln-code-pipeline: emits a tile program for every kernel.
static void buildCodePhase(OpPassManager &pm, const PhaseOptions &options,
                           const codegen::SharedAnalyses &analyses) {
  pm.addPass(createVerifyKernelsPass());
  ChooseConfigsPassOptions choose;
  choose.targets = llvm::to_vector(options.targets.names);
  choose.batchInvariant = options.targets.batchInvariant;
  choose.configs = options.targets.configs;
  pm.addPass(createChooseConfigsPass(choose, analyses));
  EmitKernelsPassOptions emit;
  emit.targets = llvm::to_vector(options.targets.names);
  pm.addPass(createEmitKernelsPass(emit, analyses));
  pm.addPass(createEmitCollectivesPass());
}

/// --kiln-plan-pipeline: assigns memory to every value.
static void buildPlanPhase(OpPassManager &pm, const PhaseOptions &options,
                           const codegen::SharedAnalyses & /*analyses*/) {
  pm.addPass(createVerifyKernelsPass());
  BuildPlanPassOptions plan;
  plan.memoryLimit = options.limits.memory.value_or(0);
  plan.stages = options.mesh.axes.pp;
  plan.overlap = options.mesh.overlap > 1;
  plan.microBatches = options.mesh.axes.pp > 1 && options.mesh.microBatches > 1;
  pm.addPass(createBuildPlanPass(plan, findCode));
  pm.addPass(createVerifyPlanPass());
}

void Phase::addTo(OpPassManager &pm, const PhaseOptions &options,
                  codegen::SharedAnalyses analyses) const {
  BeginPhasePassOptions begin;
  begin.phase = name.str();
  if (this != getPhases().begin())
    begin.after = (this - 1)->name.str();
  begin.compileOptions = "{" + options.str() + "}";
  pm.addPass(createBeginPhasePass(begin));
  if (!analyses)
    analyses = std::make_shared<codegen::KernelAnalyses>();
  build(pm, options, analyses);
}

ArrayRef<Phase> kiln::getPhases() {
  static constexpr Phase kPhases[] = {
      {.name = "import",
       .contract = "the model as it was exported",
       .build = buildImportPhase,
       .before = &Compiler::import},
      {.name = "graph",
       .contract = "one spelling per computation, weights packed, constants folded",
       .build = buildGraphPhase,
       .after = &Compiler::reportGraph,
       .isEvaluated = true},
      {.name = "kernels",
       .contract = "every op of @main sits in a graph.kernel",
       .build = buildKernelsPhase,
       .after = &Compiler::keepGraph,
       .isEvaluated = true},
      {.name = "code",
       .contract = "every graph.kernel names a tile.kernel of every target",
       .build = buildCodePhase},
      {.name = "plan",
       .contract = "every value has a place in an arena, proved at the corners",
       .build = buildPlanPhase,
       .after = &Compiler::printPlan,
       .verify = [](OpPassManager &pm) { pm.addPass(createVerifyPlanPass()); }},
      {.name = "image",
       .contract = "every tile.kernel has machine code for its target",
       .before = &Compiler::makeImages,
       .after = &Compiler::fillReport},
      {.name = "package",
       .contract = "the file holds plans, images and weights",
       .before = &Compiler::writePackage},
  };
  return kPhases;
}

const Phase *kiln::findModulePhase(StringRef name) {
  const Phase *phase =
      llvm::find_if(getPhases(), [&](const Phase &phase) { return phase.name == name; });
  return phase != getPhases().end() && phase->build ? phase : nullptr;
}

std::string kiln::modulePhaseNames() {
  SmallVector<StringRef> names;
  for (const Phase &phase : getPhases())
    if (phase.build)
      names.push_back(phase.name);
  return llvm::join(names, ", ");
}

std::string kiln::describeModulePhases(StringRef before, StringRef after) {
  constexpr size_t kNameWidth = 10; // of the longest name, and a gap
  size_t width = before.size() + kNameWidth + after.size();
  std::string lines;
  for (const Phase &phase : getPhases())
    if (phase.build) {
      std::string name = (before + phase.name + after).str();
      lines += "  " + name + std::string(width - name.size(), ' ') +
               phase.contract.str() + "\n";
    }
  return lines;
}

/// Options of a pipeline as kiln-opt gives them; failure has been reported.
static LogicalResult addParsed(const Phase &phase, OpPassManager &pm, StringRef text,
                               function_ref<LogicalResult(const Twine &)> errorHandler) {
  llvm::Expected<PhaseOptions> options = PhaseOptions::parse(text);
  if (!options)
    return errorHandler(llvm::toString(options.takeError()));
  for (const std::string &target : options->targets.names)
    if (llvm::Error error = TargetInfo::get(target).takeError())
      return errorHandler(llvm::toString(std::move(error)));
  TargetInfo::resolveNative(options->targets.names);
  phase.addTo(pm, *options);
  return success();
}

void kiln::registerPhasePipelines() {
  for (const Phase &phase : getPhases())
    if (phase.build)
      registerPassPipeline(
          ("kiln-" + phase.name + "-pipeline").str(), phase.contract,
          [&phase](OpPassManager &pm, StringRef text,
                   function_ref<LogicalResult(const Twine &)> errorHandler) {
            return addParsed(phase, pm, text, errorHandler);
          },
          showPhaseOptions);
}
