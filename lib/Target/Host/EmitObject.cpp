//===- EmitObject.cpp - The LLVM dialect to an object ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitObject.h"
#include "kiln/Support/Error.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/TargetParser/Triple.h"

using namespace kiln;

// Declared by hand: llvm/Support/TargetSelect.h offers the target of this
// machine or all of them, and an image is always for x86-64.
extern "C" {
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86Target();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86AsmPrinter();
}

static constexpr llvm::StringLiteral kTriple = "x86_64-unknown-linux-gnu";

void host::prepareEmission(mlir::MLIRContext *context) {
  static const bool once = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    return true;
  }();
  (void)once;
  mlir::registerBuiltinDialectTranslation(*context);
  mlir::registerLLVMDialectTranslation(*context);
}

static llvm::Error emissionError(llvm::StringRef what, const llvm::Twine &found) {
  return makeError({ErrorCode::ObjectEmission, "", what.str(), "", found.str(),
                    "report this; the kernel's LLVM IR is in --save-temps"});
}

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(const TargetInfo &info) {
  std::string message, features;
  for (const std::string &feature : info.features)
    features += (features.empty() ? "+" : ",+") + feature;
  llvm::Triple triple(kTriple);
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return emissionError("LLVM has no x86-64 target", message);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict; // only what tile.mma says
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, "x86-64", features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small,
      llvm::CodeGenOptLevel::Aggressive));
  if (!machine)
    return emissionError("LLVM cannot select instructions", features);
  return machine;
}

/// What a function must say so that it stays alone: no call is formed, no
/// unwind table is written, registers are used to their full width.
static void annotate(llvm::Module &module, const TargetInfo &info) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("no-builtins");
    function.addFnAttr("tune-cpu", info.tuneCpu);
    function.addFnAttr("prefer-vector-width", std::to_string(info.vectorBytes * 8));
    function.addFnAttr("min-legal-vector-width", std::to_string(info.vectorBytes * 8));
    function.setDoesNotThrow();
    function.setUWTableKind(llvm::UWTableKind::None);
    for (llvm::Argument &argument : function.args())
      if (argument.getType()->isPointerTy())
        argument.addAttr(llvm::Attribute::NoAlias);
  }
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PipelineTuningOptions tuning;
  // Tile programs are vectors already; looking for more costs time only.
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
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
}

static llvm::Error writeText(const llvm::Twine &path, llvm::StringRef text) {
  std::error_code code;
  llvm::ToolOutputFile file(path.str(), code, llvm::sys::fs::OF_Text);
  if (code)
    return makeError({ErrorCode::OutputNotWritable, path.str(), code.message(), "", "", ""});
  file.os() << text;
  file.keep();
  return llvm::Error::success();
}

static llvm::Error assemble(llvm::Module &module, llvm::TargetMachine &machine,
                            llvm::CodeGenFileType type, llvm::SmallVectorImpl<char> &out) {
  llvm::raw_svector_ostream stream(out);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type))
    return emissionError("LLVM cannot write this kind of file", "");
  passes.run(module);
  return llvm::Error::success();
}

/// Code generation changes a module, hence the copy for the assembly.
static llvm::Error dumpTexts(llvm::Module &module, llvm::TargetMachine &machine,
                             llvm::StringRef path) {
  std::string ir;
  llvm::raw_string_ostream(ir) << module;
  if (llvm::Error error = writeText(path + ".ll", ir))
    return error;
  llvm::SmallString<0> assembly;
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  if (llvm::Error error =
          assemble(*copy, machine, llvm::CodeGenFileType::AssemblyFile, assembly))
    return error;
  return writeText(path + ".s", assembly);
}

llvm::Error host::emitObject(mlir::ModuleOp op, const TargetInfo &target,
                             llvm::StringRef dump, llvm::SmallVectorImpl<char> &object) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = mlir::translateModuleToLLVMIR(op, context, "kernel");
  if (!module)
    return emissionError("a module cannot be translated to LLVM IR", "");
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine = createMachine(target);
  if (!machine)
    return machine.takeError();
  module->setTargetTriple(llvm::Triple(kTriple));
  module->setDataLayout((*machine)->createDataLayout());
  annotate(*module, target);
  optimize(*module, **machine);
  if (!dump.empty())
    if (llvm::Error error = dumpTexts(*module, **machine, dump))
      return error;
  return assemble(*module, **machine, llvm::CodeGenFileType::ObjectFile, object);
}
