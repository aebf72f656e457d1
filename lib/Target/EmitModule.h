//===- EmitModule.h - LLVM modules to text and objects ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emission of LLVM modules, common to the targets. Private to lib/Target.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_EMITMODULE_H
#define KILN_LIB_TARGET_EMITMODULE_H

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace kiln {

struct MachineSpec {
  std::string triple, cpu, features;
};

llvm::Error emissionError(llvm::StringRef what, const llvm::Twine &found);

/// Creates a target machine that does not contract or reorder floating-point operations.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine(const MachineSpec &spec);

/// Runs LLVM passes; the PassBuilder has all analyses.
void runPasses(llvm::Module &module, llvm::TargetMachine &machine,
               llvm::function_ref<llvm::ModulePassManager(llvm::PassBuilder &)> build);

/// Runs LLVM's optimizations without the vectorizers.
void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine);

/// Generates code, which changes the module. `skipped` names a pass that does not run.
llvm::Error assembleModule(llvm::Module &module, llvm::TargetMachine &machine,
                           llvm::CodeGenFileType type, llvm::SmallVectorImpl<char> &out,
                           llvm::StringRef skipped = "");

/// Returns the LLVM IR of a module as text.
std::string textOf(const llvm::Module &module);

} // namespace kiln

#endif // KILN_LIB_TARGET_EMITMODULE_H
