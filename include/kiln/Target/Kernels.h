//===- Kernels.h - Kernels on the way to code -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TARGET_KERNELS_H
#define KILN_TARGET_KERNELS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace kiln {

/// Returns true for a tile.kernel, and for the llvm.func that the passes of a target made
/// of one.
bool isKernel(mlir::Operation *op);

/// Returns the kernels that stand in a module itself, in order.
llvm::SmallVector<mlir::Operation *> kernelsIn(mlir::ModuleOp module);

/// Returns a module of copies: the kernel, and the functions and globals that it refers
/// to.
mlir::OwningOpRef<mlir::ModuleOp> isolateKernel(mlir::Operation *kernel);

} // namespace kiln

#endif // KILN_TARGET_KERNELS_H
