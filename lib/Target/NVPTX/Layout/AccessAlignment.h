//===- AccessAlignment.h - Alignment of memory accesses ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Powers of two that divide offsets, derived from constants, strides and loop bounds.
// Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LAYOUT_ACCESSALIGNMENT_H
#define KILN_LIB_TARGET_NVPTX_LAYOUT_ACCESSALIGNMENT_H

#include "dialects/Tile/Tile.h"
#include "kiln/Target/TargetInfo.h"

#include <optional>

namespace kiln::nvptx {

/// Returns the largest power of two known to divide an index, at most 1 << 30.
int64_t knownDivisor(mlir::Value index);
int64_t knownDivisor(mlir::OpFoldResult index);
/// Returns the largest power of two known to divide the offset, in elements, at which an
/// access to a fragment begins; with rank 2, at which each of its rows begins.
int64_t accessDivisor(mlir::Value view, mlir::ValueRange indices, unsigned rank);

/// Operands that loads and stores have in common.
struct Access {
  mlir::Value view;
  mlir::ValueRange indices;
  tile::FragType type; ///< null: a scalar
  llvm::ArrayRef<int64_t> masked;

  /// Returns true if the elements of a row are contiguous in memory.
  bool hasNeighbours() const;
};
std::optional<Access> accessOf(mlir::Operation *op);

/// Returns the contiguous elements that each thread holds of fragments of the given
/// ranks: the largest count for which every access to them in global memory is aligned
/// and no wider than the target's widest; nullopt if there is no such access. Accesses to
/// scratch do not count: narrow ones cost no extra memory transactions there.
std::optional<int64_t> chooseRun(tile::KernelOp kernel, const GpuInfo &gpu,
                                 llvm::ArrayRef<int64_t> ranks);

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LAYOUT_ACCESSALIGNMENT_H
