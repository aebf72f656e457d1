//===- TurnedTile.h - A tile of a turned operand ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tiles of a result and tiles of rows do alike with operands that go through
// scratch: where a tile begins and ends, what of it an operand is selected for, and
// how that is loaded. Internal to lib/Codegen/Pointwise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_TURNEDTILE_H
#define KILN_CODEGEN_POINTWISE_TURNEDTILE_H

#include "../Expression/NodeEmitter.h"
#include "Turned.h"

namespace kiln::codegen {

/// What a tile has of one loop: positions from `from + first` on.
struct TileSide {
  const Loop *loop;
  int64_t length;    ///< of a tile
  int64_t shift = 0; ///< by which tiles begin before multiples of the length
  SymbolicExpr from;
  mlir::Value first;
  mlir::Value valid; ///< positions from there on; null: whole tiles only
  mlir::Value base;  ///< the multiple of the length

  /// A side whose tiles of such a length begin at `seam`, the first one before it.
  static TileSide at(const Loop *loop, int64_t length, int64_t seam);
  SymbolicExpr tiles() const;
};

class TurnedTile {
public:
  TurnedTile(mlir::OpBuilder &builder, mlir::Location loc, NodeEmitter &emitter)
      : b(builder), loc(loc), emitter(emitter) {}

  /// Sets where a tile begins and ends.
  void open(TileSide &side, mlir::Value number);
  /// What an operand has of an open side: what it is selected for.
  TileSide select(const TileSide &side, const Selection &selection);
  /// Nothing of a side where choices along other loops do not select the operand.
  void selectWhole(TileSide &side, llvm::ArrayRef<Chosen> outside);
  /// Where what an operand has of a side begins, along the loop.
  mlir::Value position(const TileSide &selected) {
    return add(selected.first, emitter.index(selected.from));
  }
  /// How many positions a tile begins before what an operand has of it, below 0.
  mlir::Value before(const TileSide &side, const TileSide &selected);
  /// A tile of a turned operand, a column of the result per line: [columns, rows]. What
  /// is outside is zero.
  mlir::Value load(const Node *load, const TileSide &columns, const TileSide &rows);

private:
  mlir::Value index(int64_t value) { return emitter.constantIndex(value); }
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value sub(mlir::Value x, mlir::Value y);
  mlir::Value mul(mlir::Value x, mlir::Value y);
  mlir::Value least(mlir::Value x, mlir::Value y);
  mlir::Value most(mlir::Value x, mlir::Value y);

  mlir::OpBuilder &b;
  mlir::Location loc;
  NodeEmitter &emitter;
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_TURNEDTILE_H
