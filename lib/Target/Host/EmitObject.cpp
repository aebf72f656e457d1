//===- EmitObject.cpp - The LLVM dialect to an object ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitObject.h"
#include "../EmitModule.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Module.h"
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

static MachineSpec specOf(const TargetInfo &info) {
  MachineSpec spec{kTriple.str(), "x86-64", ""};
  for (const std::string &feature : info.features)
    spec.features += (spec.features.empty() ? "+" : ",+") + feature;
  return spec;
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

/// Code generation changes a module, hence the copy for the assembly.
static llvm::Error dumpTexts(llvm::Module &module, llvm::TargetMachine &machine,
                             llvm::StringRef path) {
  if (llvm::Error error = writeModuleText(module, path + ".ll"))
    return error;
  llvm::SmallString<0> assembly;
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  if (llvm::Error error =
          assembleModule(*copy, machine, llvm::CodeGenFileType::AssemblyFile, assembly))
    return error;
  return writeText(path + ".s", assembly);
}

llvm::Error host::emitObject(mlir::ModuleOp op, const TargetInfo &target,
                             llvm::StringRef dump, llvm::SmallVectorImpl<char> &object) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = mlir::translateModuleToLLVMIR(op, context, "kernel");
  if (!module)
    return emissionError("a module cannot be translated to LLVM IR", "");
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine = createMachine(specOf(target));
  if (!machine)
    return machine.takeError();
  module->setTargetTriple(llvm::Triple(kTriple));
  module->setDataLayout((*machine)->createDataLayout());
  annotate(*module, target);
  optimizeModule(*module, **machine);
  if (!dump.empty())
    if (llvm::Error error = dumpTexts(*module, **machine, dump))
      return error;
  return assembleModule(*module, **machine, llvm::CodeGenFileType::ObjectFile, object);
}
