//===- TurnedTile.h - A tile of a turned operand ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tiles of a result and tiles of rows do alike with operands that go through
// scratch. Internal to lib/Codegen/Pointwise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_TURNEDTILE_H
#define KILN_CODEGEN_POINTWISE_TURNEDTILE_H

#include "NodeEmitter.h"

namespace kiln::codegen {

/// One dim of the tile at hand.
struct TileSide {
  const Loop *loop;
  int64_t length;    ///< of a tile
  mlir::Value first; ///< index into the loop
  mlir::Value valid; ///< positions from there on; null: whole tiles only
};

/// Loads a tile of a turned operand, a column of the result per line: [columns, rows].
/// What is outside is zero.
mlir::Value loadTurned(mlir::OpBuilder &b, mlir::Location loc, NodeEmitter &emitter,
                       const Node *load, const TileSide &columns, const TileSide &rows);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_TURNEDTILE_H
