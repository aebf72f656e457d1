//===- OptimizeKernel.cpp - LLVM's passes for tile programs ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel is one function of vectors, whose loops are already tiled and whose bodies are
// unrolled by code generation. LLVM only needs to clean up addresses and conditions:
// common subexpressions, loop invariants, dead code. The O3 pipeline takes more than
// twice as long for the same speed: it looks for calls, allocations and vectorization
// that kernels do not have, and unrolls loops whose bodies already fill the CPU.
//
//===----------------------------------------------------------------------===//

#include "OptimizeKernel.h"
#include "../EmitModule.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/CorrelatedValuePropagation.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopRotationUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace kiln;

/// Maximum instructions of a module with short loops.
static constexpr unsigned kMaxShort = 2000;

bool host::hasShortLoops(const llvm::Module &module) {
  return module.getInstructionCount() <= kMaxShort;
}

/// Maximum size of a loop header that LLVM's own rotation pass duplicates.
static constexpr unsigned kMaxRotatedHeader = 16;

namespace {
/// Rotates loops as llvm::LoopRotatePass does, innermost first, but without scalar
/// evolution: for each loop it would invalidate the entire nest around it, which takes
/// time quadratic in the number of loops.
struct RotateLoopsPass : llvm::PassInfoMixin<RotateLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses) {
    auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
    auto &costs = analyses.getResult<llvm::TargetIRAnalysis>(function);
    auto &assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
    auto &dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
    llvm::SimplifyQuery query = llvm::getBestSimplifyQuery(analyses, function);
    auto outermostFirst = loops.getLoopsInReverseSiblingPreorder();
    for (llvm::Loop *loop : llvm::reverse(outermostFirst))
      llvm::LoopRotation(loop, &loops, &costs, &assumptions, &dominators, /*SE=*/nullptr,
                         /*MSSAU=*/nullptr, query, /*RotationOnly=*/false,
                         kMaxRotatedHeader, /*IsUtilMode=*/false);
    llvm::PreservedAnalyses preserved;
    preserved.preserve<llvm::LoopAnalysis>();
    preserved.preserve<llvm::DominatorTreeAnalysis>();
    return preserved;
  }
};
} // namespace

template <typename... Passes>
static void addLoopPasses(llvm::FunctionPassManager &passes, bool usesMemorySSA,
                          Passes &&...ofLoops) {
  llvm::LoopPassManager loops;
  (loops.addPass(std::forward<Passes>(ofLoops)), ...);
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), usesMemorySSA));
}

static void addRotation(llvm::FunctionPassManager &passes) {
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());
  passes.addPass(RotateLoopsPass());
}

static llvm::FunctionPassManager kernelPasses(bool unrolls) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::CorrelatedValuePropagationPass());
  addRotation(passes);
  addLoopPasses(passes, /*usesMemorySSA=*/true, llvm::LICMPass(llvm::LICMOptions()));
  addLoopPasses(passes, /*usesMemorySSA=*/false, llvm::IndVarSimplifyPass());
  passes.addPass(llvm::GVNPass());
  addLoopPasses(passes, /*usesMemorySSA=*/true, llvm::LICMPass(llvm::LICMOptions()));
  if (unrolls)
    passes.addPass(llvm::LoopUnrollPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::DSEPass());
  passes.addPass(llvm::ADCEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  return passes;
}

void host::optimizeKernel(llvm::Module &module, llvm::TargetMachine &machine,
                          bool unrolls) {
  runPasses(module, machine, [&](llvm::PassBuilder &) {
    llvm::ModulePassManager passes;
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(kernelPasses(unrolls)));
    return passes;
  });
}
