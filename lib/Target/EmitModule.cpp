//===- EmitModule.cpp - LLVM modules to text and objects ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitModule.h"
#include "kiln/ErrorCodes/Target.h"
#include "kiln/Support/Error.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"

using namespace kiln;

llvm::Error kiln::emissionError(llvm::StringRef what, const llvm::Twine &found) {
  return makeError({ErrorCode::ObjectEmission, "", what.str(), "", found.str(),
                    "report this; the kernel's LLVM IR is in --save-temps"});
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
kiln::createMachine(const MachineSpec &spec) {
  std::string message;
  llvm::Triple triple(spec.triple);
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return emissionError("LLVM has no such target", message);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict; // no contraction except by tile.mma
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, spec.cpu, spec.features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small,
      llvm::CodeGenOptLevel::Aggressive));
  if (!machine)
    return emissionError("LLVM cannot select instructions", spec.features);
  return machine;
}

void kiln::runPasses(
    llvm::Module &module, llvm::TargetMachine &machine,
    llvm::function_ref<llvm::ModulePassManager(llvm::PassBuilder &)> build) {
  llvm::PipelineTuningOptions tuning;
  // Tile programs are already vectorized; the vectorizers would only cost time.
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  tuning.LoopInterleaving = false;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  build(builder).run(module, modules);
}

void kiln::optimizeModule(llvm::Module &module, llvm::TargetMachine &machine) {
  runPasses(module, machine, [](llvm::PassBuilder &builder) {
    return builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
  });
}

std::string kiln::textOf(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

namespace {
/// Adds all passes but one to a pass manager.
class PassesWithout : public llvm::legacy::PassManagerBase {
public:
  PassesWithout(llvm::legacy::PassManagerBase &passes, llvm::StringRef skipped)
      : passes(passes), skipped(skipped) {}

  void add(llvm::Pass *pass) override {
    if (pass->getPassName() != skipped)
      return passes.add(pass);
    hasSkipped = true;
    delete pass;
  }

  bool hasSkipped = false;

private:
  llvm::legacy::PassManagerBase &passes;
  llvm::StringRef skipped;
};
} // namespace

llvm::Error kiln::assembleModule(llvm::Module &module, llvm::TargetMachine &machine,
                                 llvm::CodeGenFileType type,
                                 llvm::SmallVectorImpl<char> &out,
                                 llvm::StringRef skipped) {
  llvm::raw_svector_ostream stream(out);
  llvm::legacy::PassManager passes;
  PassesWithout chosen(passes, skipped);
  if (machine.addPassesToEmitFile(chosen, stream, nullptr, type))
    return emissionError("LLVM cannot write this kind of file", "");
  if (!skipped.empty() && !chosen.hasSkipped)
    return emissionError("LLVM has no pass of this name to leave out", skipped);
  passes.run(module);
  return llvm::Error::success();
}
