//===- GpuKernels.h - Helpers of passes over GPU kernels --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LAYOUT_GPUKERNELS_H
#define KILN_LIB_TARGET_NVPTX_LAYOUT_GPUKERNELS_H

#include "dialects/Tile/Tile.h"
#include "kiln/Target/TargetInfo.h"
#include "mlir/Pass/Pass.h"

namespace kiln::nvptx {

/// Calls `body` for every kernel of a module and of the modules in it that is for a GPU.
/// Kernels in a module with the name of a target are for that, all others for `target`.
/// Reports a target that there is not; warns, as `pass`, where there is no such kernel.
mlir::LogicalResult forEachGpuKernel(
    const mlir::Pass &pass, mlir::ModuleOp module, llvm::StringRef target,
    llvm::function_ref<mlir::LogicalResult(tile::KernelOp, const TargetInfo &)> body);

/// Reports KILN-E0403 at an op that violates what the earlier pass `pass` guarantees;
/// returns false.
bool refuseLevel(mlir::Operation *op, llvm::StringRef pass, const llvm::Twine &what,
                 const llvm::Twine &expected, const llvm::Twine &found);

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LAYOUT_GPUKERNELS_H
