//===- EmitModule.h - LLVM modules to text and objects ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the targets share below MLIR. Private to lib/Target.
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

/// A machine that keeps the floating-point operations it is given.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine(const MachineSpec &spec);

/// Runs passes of LLVM; the builder has all analyses.
void runPasses(llvm::Module &module, llvm::TargetMachine &machine,
               llvm::function_ref<llvm::ModulePassManager(llvm::PassBuilder &)> build);

/// LLVM's optimizations without looking for vectors.
void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine);

/// Code generation; changes the module. `skipped` is the name of a pass that is left out.
llvm::Error assembleModule(llvm::Module &module, llvm::TargetMachine &machine,
                           llvm::CodeGenFileType type, llvm::SmallVectorImpl<char> &out,
                           llvm::StringRef skipped = "");

llvm::Error writeText(const llvm::Twine &path, llvm::StringRef text);
llvm::Error writeModuleText(const llvm::Module &module, const llvm::Twine &path);

} // namespace kiln

#endif // KILN_LIB_TARGET_EMITMODULE_H
