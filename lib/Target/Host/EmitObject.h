//===- EmitObject.h - The LLVM dialect to an object -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/Target/Host.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_HOST_EMITOBJECT_H
#define KILN_LIB_TARGET_HOST_EMITOBJECT_H

#include "kiln/Target/Host.h"
#include "llvm/ADT/SmallVector.h"

namespace kiln::host {

/// Registers LLVM's x86 backend and its translation from MLIR, once per process.
void prepareEmission(mlir::MLIRContext *context);

/// Optimizes and assembles a module of the LLVM dialect. `dump` is a path without suffix
/// for the IR and the assembly, or empty. `isWanted` is called with the module's hash,
/// which does not depend on the function's name, before optimization; if it returns
/// false, the object stays empty.
llvm::Error emitObject(mlir::ModuleOp module, const TargetInfo &target,
                       llvm::StringRef dump, llvm::SmallVectorImpl<char> &object,
                       llvm::function_ref<bool(llvm::StringRef hash)> isWanted = nullptr);

} // namespace kiln::host

#endif // KILN_LIB_TARGET_HOST_EMITOBJECT_H
