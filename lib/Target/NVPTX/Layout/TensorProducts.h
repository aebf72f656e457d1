//===- TensorProducts.h - MMAs that use mma.sync ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selects the MMAs of a kernel that use mma.sync and the layouts of their accumulators:
// f16 and bf16 into f32, and f32 as tf32 where the op allows it. Private to
// lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LAYOUT_TENSORPRODUCTS_H
#define KILN_LIB_TARGET_NVPTX_LAYOUT_TENSORPRODUCTS_H

#include "Layout.h"
#include "dialects/Tile/Tile.h"
#include "kiln/Target/TargetInfo.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace kiln::nvptx {

struct TensorProducts {
  TensorProducts() = default;
  TensorProducts(tile::KernelOp kernel, const GpuInfo &gpu);

  llvm::DenseSet<mlir::Operation *> mmas;
  llvm::DenseMap<mlir::Operation *, bool> stages; ///< staged operands; true: operand A
  llvm::DenseMap<std::pair<int64_t, int64_t>, Layout> accumulators; ///< by shape
  llvm::DenseMap<std::pair<int64_t, int64_t>, Layout> rights; ///< those of B, by shape
};

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LAYOUT_TENSORPRODUCTS_H
