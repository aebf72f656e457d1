//===- EmitPtx.cpp - The LLVM dialect to PTX ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitPtx.h"
#include "../EmitModule.h"
#include "../EqualModules.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace kiln;

// Declared here because llvm/Support/TargetSelect.h initializes either the build
// machine's target or all targets.
extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

void nvptx::prepareEmission(mlir::MLIRContext *context) {
  static const bool once = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)once;
  mlir::registerBuiltinDialectTranslation(*context);
  mlir::registerLLVMDialectTranslation(*context);
  mlir::registerNVVMDialectTranslation(*context);
}

/// Returns ten times the PTX ISA version to emit: the target's, or a higher one that an
/// intrinsic of the module needs.
static int64_t ptxVersion(const llvm::Module &module, const GpuInfo &gpu) {
  static constexpr std::pair<llvm::StringLiteral, int64_t> kNeeds[] = {
      {"llvm.nvvm.e4m3x2.", 81}, {"llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.", 84}};
  int64_t version = gpu.ptxVersion;
  for (const llvm::Function &function : module)
    for (auto [name, needed] : kNeeds)
      if (function.getName().starts_with(name))
        version = std::max(version, needed);
  return version;
}

llvm::Error nvptx::emitPtx(mlir::ModuleOp op, const TargetInfo &target,
                           llvm::StringRef kernel, const KernelTextSink &texts,
                           std::string &ptx,
                           llvm::function_ref<bool(llvm::StringRef)> isWanted) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module =
      mlir::translateModuleToLLVMIR(op, context, "kernel");
  if (!module)
    return emissionError("a module cannot be translated to LLVM IR", "");
  MachineSpec spec;
  spec.triple = "nvptx64-nvidia-cuda";
  spec.cpu = target.name;
  spec.features = "+ptx" + std::to_string(ptxVersion(*module, *target.gpu));
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine = createMachine(spec);
  if (!machine)
    return machine.takeError();
  module->setTargetTriple(llvm::Triple(spec.triple));
  module->setDataLayout((*machine)->createDataLayout());
  for (llvm::Function &function : *module) {
    if (!function.isDeclaration())
      function.setDoesNotThrow();
    // Inline assembly may act on an entire warp (mma, shuffles): convergent calls are not
    // moved into or out of branches.
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          call && call->isInlineAsm())
        call->setConvergent();
  }
  if (!isWanted(hashWithoutName(*module)))
    return llvm::Error::success();
  if (!texts)
    definedIn(*module).setName(kEmittedName);
  optimizeModule(*module, **machine);
  joinAccesses(*module, **machine);
  if (texts)
    if (llvm::Error error = texts(kernel, "ll", textOf(*module)))
      return error;
  llvm::SmallString<0> text;
  if (llvm::Error error =
          assembleModule(*module, **machine, llvm::CodeGenFileType::AssemblyFile, text))
    return error;
  ptx = text.str().str();
  return texts ? texts(kernel, "ptx", ptx) : llvm::Error::success();
}
