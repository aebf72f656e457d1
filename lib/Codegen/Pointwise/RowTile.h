//===- RowTile.h - Rows whose operands lie across them ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A task of a row kernel with turned operands: neighbouring rows along the loop that
// the operands' neighbours lie along. The block copies what lies across into scratch,
// where it is row after row; whoever computes a row reads it there. So every byte is
// read once, in whole sectors. Internal to lib/Codegen/Pointwise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_ROWTILE_H
#define KILN_CODEGEN_POINTWISE_ROWTILE_H

#include "TurnedTile.h"

namespace kiln::codegen {

class RowTile {
public:
  RowTile(mlir::OpBuilder &builder, mlir::Location loc, Program &program,
          NodeEmitter &emitter, const Turned &turned, tile::RowTileConfigAttr config);

  tile::RowTileConfigAttr getConfig() const { return config; }
  SymbolicExpr tasks() const;
  /// Places the rows behind so many bytes of scratch, as memories from number `memory`
  /// on. Returns the bytes with them.
  SymbolicExpr plan(unsigned memory, SymbolicExpr scratch);
  /// Adds those memories.
  void bindMemories();
  /// Binds the outer loops to a task's and copies its rows into scratch.
  void open(mlir::Value task);
  /// Rows of the tile at hand, counted from 0.
  mlir::Value end();
  void bindRow(mlir::Value row);
  /// From here on, turned operands are read from scratch.
  void redirect();

private:
  /// Where the rows of an operand are: `pitch` elements apart.
  struct Rows {
    TurnedLoad turned;
    Node *by = nullptr;
    SymbolicExpr pitch, offset;
    unsigned memory = 0;
    mlir::StringAttr before;      ///< rows of the tile before its first; null: it has all
    std::optional<TileSide> part; ///< the rows that it has
  };

  void fill();
  void fillColumns();

  mlir::OpBuilder &b;
  mlir::Location loc;
  Program &program;
  NodeEmitter &emitter;
  tile::RowTileConfigAttr config;
  std::vector<Rows> operands;
  TileSide columns, rows;
  TurnedTile tile;
  mlir::StringAttr rowVar; ///< counts the rows of a tile
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_ROWTILE_H
