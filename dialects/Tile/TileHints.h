//===- TileHints.h - Hints to targets about kernels -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes that emitters put on tile ops and that do not change results.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_TILE_TILEHINTS_H
#define KILN_DIALECTS_TILE_TILEHINTS_H

#include "llvm/ADT/StringRef.h"

namespace kiln::tile {

/// Attribute of a tile.pipeline: its right operand is a weight, which no kernel writes,
/// so a target may issue its first loads before preceding kernels end.
inline constexpr llvm::StringLiteral kWeightsAttr = "tile.weights";

} // namespace kiln::tile

#endif // KILN_DIALECTS_TILE_TILEHINTS_H
