//===- TensorMap.h - TMA tensor maps of views -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TMA tensor maps describe a view of a kernel's buffer whose offset, sizes and strides
// depend on symbols only; the indices of a tile.stage are the box's coordinates in it.
// Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LAYOUT_TENSORMAP_H
#define KILN_LIB_TARGET_NVPTX_LAYOUT_TENSORMAP_H

#include "dialects/Tile/Tile.h"

namespace kiln::nvptx {

/// Size and alignment in bytes of a tensor map among a kernel's parameters.
inline constexpr int64_t kMapBytes = 128, kMapAlignment = 64;

/// Returns the dims of a view in a tensor map's order, innermost first: the contiguous
/// one of the last two, the other one of them, then the outer dims. Empty if neither is
/// contiguous.
llvm::SmallVector<unsigned> mapOrder(tile::ViewOp view);

/// Returns null if the view is not of a tensor argument or violates the rules of tensor
/// maps. `box` has an extent per dim of the view; the result is in the order of mapOrder.
tile::TensorMapAttr describeTensor(tile::KernelOp kernel, tile::ViewOp view,
                                   llvm::ArrayRef<int64_t> box, int64_t swizzle);

/// Returns an index of a kernel as an expression of its symbols; null if it depends on
/// anything else.
mlir::AffineExpr overSymbols(tile::KernelOp kernel, mlir::Value value);

/// Returns to - from if it is a known constant.
std::optional<int64_t> knownDifference(mlir::Value from, mlir::Value to);

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LAYOUT_TENSORMAP_H
