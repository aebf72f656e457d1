//===- TileHints.h - Hints to targets about kernels -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes that passes put on ops and that change no value. TileDialect.cpp checks
// their forms.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_TILE_TILEHINTS_H
#define KILN_DIALECTS_TILE_TILEHINTS_H

#include "llvm/ADT/StringRef.h"

namespace kiln::tile {

/// Attribute of a tile.pipeline: its right operand is a weight, which no kernel writes,
/// so a target may issue its first loads before preceding kernels end.
inline constexpr llvm::StringLiteral kWeightsAttr = "tile.weights";

/// On a graph.kernel: a dictionary from targets to configs. Variants have entries of
/// their own, "sm_80/rows<=8".
inline constexpr llvm::StringLiteral kConfigsAttr = "tile.configs";

/// On an op that has shared memory of a GPU: the first byte of it.
inline constexpr llvm::StringLiteral kSharedOffsetAttr = "tile.shared_offset";
/// On a kernel and on the function that it is lowered to: the shared memory it reserves.
inline constexpr llvm::StringLiteral kSharedBytesAttr = "tile.shared_bytes";
/// On a lowered kernel: the tensor maps that it takes, if any.
inline constexpr llvm::StringLiteral kTensorMapsAttr = "tile.tensor_maps";

} // namespace kiln::tile

#endif // KILN_DIALECTS_TILE_TILEHINTS_H
