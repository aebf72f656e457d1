//===- TensorMap.h - Views as tensor maps -----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A view of a kernel's buffer whose offset, sizes and strides depend on the symbols
// alone is what a tensor map describes; the indices of a tile.stage are coordinates
// in it. Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LAYOUT_TENSORMAP_H
#define KILN_LIB_TARGET_NVPTX_LAYOUT_TENSORMAP_H

#include "dialects/Tile/Tile.h"

namespace kiln::nvptx {

/// Size and alignment of a tensor map among a kernel's parameters.
inline constexpr int64_t kMapBytes = 128, kMapAlignment = 64;

/// Dims of a view in the order of a tensor map, the contiguous one first: that of
/// the last two which is contiguous, the other, then outwards. Empty if neither is.
llvm::SmallVector<unsigned> mapOrder(tile::ViewOp view);

/// Null if the view is no tensor or breaks the rules of tensor maps. `box` has an extent
/// per dim of the view; what is returned is in the order of mapOrder.
tile::TensorMapAttr describeTensor(tile::KernelOp kernel, tile::ViewOp view,
                                   llvm::ArrayRef<int64_t> box, int64_t swizzle);

/// An index of a kernel over its symbols; null if it depends on more than these.
mlir::AffineExpr overSymbols(tile::KernelOp kernel, mlir::Value value);

/// How much larger one index is than another, if that is known.
std::optional<int64_t> knownDifference(mlir::Value from, mlir::Value to);

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LAYOUT_TENSORMAP_H
