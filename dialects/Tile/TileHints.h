//===- TileHints.h - What targets may know of a kernel ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes that emitters put on tile ops and that change no value.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_TILE_TILEHINTS_H
#define KILN_DIALECTS_TILE_TILEHINTS_H

#include "llvm/ADT/StringRef.h"

namespace kiln::tile {

/// On a tile.pipeline: its right operand is a weight, which no kernel writes, so that a
/// target may ask for its first tiles before earlier kernels end.
inline constexpr llvm::StringLiteral kWeightsAttr = "tile.weights";

} // namespace kiln::tile

#endif // KILN_DIALECTS_TILE_TILEHINTS_H
