//===- EmitPtx.h - The LLVM dialect to PTX ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_EMITPTX_H
#define KILN_LIB_TARGET_NVPTX_EMITPTX_H

#include "kiln/Target/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace kiln::nvptx {

/// Once per process: LLVM's NVPTX backend and the translations from MLIR.
void prepareEmission(mlir::MLIRContext *context);

/// Stands for the name of a kernel in a text that several may have.
inline constexpr llvm::StringLiteral kEmittedName = "kiln_emitted_kernel";

/// Optimizes a module of the LLVM and NVVM dialects and writes it as PTX text.
/// `dump` is a path without suffix for the LLVM IR and the PTX, or empty: then the kernel
/// is called kEmittedName. `isWanted` is given the hash of the module, whatever the
/// kernel is called, before that work begins; false leaves the text empty.
llvm::Error emitPtx(mlir::ModuleOp module, const TargetInfo &target, llvm::StringRef dump,
                    std::string &ptx, llvm::function_ref<bool(llvm::StringRef)> isWanted);

/// Joins neighbouring accesses of an optimized module, as far as memory is read that
/// the program reads.
void joinAccesses(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_EMITPTX_H
