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

#include "kiln/Target/KernelText.h"
#include "kiln/Target/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace kiln::nvptx {

/// Registers LLVM's NVPTX backend and the translations from MLIR, once per process.
void prepareEmission(mlir::MLIRContext *context);

/// Placeholder for the kernel's name in PTX text that several equal kernels use.
inline constexpr llvm::StringLiteral kEmittedName = "kiln_emitted_kernel";

/// Optimizes a module of the LLVM and NVVM dialects and writes it as PTX text.
/// `texts` gets the LLVM IR and the PTX of `kernel`; if it is null, the kernel is called
/// kEmittedName in the text. `isWanted` is given the hash of the module, whatever the
/// kernel is called, before that work begins; false leaves the text empty.
llvm::Error emitPtx(mlir::ModuleOp module, const TargetInfo &target,
                    llvm::StringRef kernel, const KernelTextSink &texts, std::string &ptx,
                    llvm::function_ref<bool(llvm::StringRef)> isWanted);

/// Vectorizes accesses to contiguous elements in an optimized module. No load reads
/// memory that the program does not read.
void joinAccesses(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_EMITPTX_H
