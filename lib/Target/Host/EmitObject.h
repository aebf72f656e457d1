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

/// Optimizes and assembles a module of the LLVM dialect. `texts`, if there is one, gets
/// the IR and the assembly of `kernel`. `isWanted` is given the hash of the module,
/// whatever its function is called, before that work begins; false leaves the object
/// empty.
llvm::Error emitObject(mlir::ModuleOp module, const TargetInfo &target,
                       llvm::StringRef kernel, const KernelTextSink &texts,
                       llvm::SmallVectorImpl<char> &object,
                       llvm::function_ref<bool(llvm::StringRef hash)> isWanted = nullptr);

} // namespace kiln::host

#endif // KILN_LIB_TARGET_HOST_EMITOBJECT_H
