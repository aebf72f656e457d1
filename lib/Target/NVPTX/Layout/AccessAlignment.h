//===- AccessAlignment.h - What accesses are aligned for --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which powers of two divide offsets, as far as constants, strides and loops tell.
// Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LAYOUT_ACCESSALIGNMENT_H
#define KILN_LIB_TARGET_NVPTX_LAYOUT_ACCESSALIGNMENT_H

#include "dialects/Tile/Tile.h"
#include "kiln/Target/TargetInfo.h"

#include <optional>

namespace kiln::nvptx {

/// The largest power of two known to divide an index; at most 1 << 30.
int64_t knownDivisor(mlir::Value index);
int64_t knownDivisor(mlir::OpFoldResult index);
/// The largest power of two known to divide the offset, in elements, at which an access
/// of a fragment begins; with rank 2, that of every row.
int64_t accessDivisor(mlir::Value view, mlir::ValueRange indices, unsigned rank);

/// Operands that loads and stores have in common.
struct Access {
  mlir::Value view;
  mlir::ValueRange indices;
  tile::FragType type; ///< null: a scalar
  llvm::ArrayRef<int64_t> masked;

  /// Elements of a row follow each other in memory.
  bool hasNeighbours() const;
};
std::optional<Access> accessOf(mlir::Operation *op);

/// Contiguous elements each thread holds of fragments of one of the ranks so that every
/// access to them in global memory is aligned and no wider than the target's
/// widest; nullopt if there is none. One of scratch that is narrower costs no sectors.
std::optional<int64_t> chooseRun(tile::KernelOp kernel, const GpuInfo &gpu,
                                 llvm::ArrayRef<int64_t> ranks);

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LAYOUT_ACCESSALIGNMENT_H
