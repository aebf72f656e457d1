//===- TransposeEmitter.h - Tiles through scratch as tile IR ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A task is a tile of the result, on a host several of a row. Turned operands are read
// along their own neighbours into scratch; then rows are computed along those of the
// result. A block of a GPU has the lines in scratch and reads across them; a host
// transposes in registers and has the rows. Internal to lib/Codegen/Pointwise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_TRANSPOSEEMITTER_H
#define KILN_CODEGEN_POINTWISE_TRANSPOSEEMITTER_H

#include "../Expression/KernelShell.h"
#include "TurnedTile.h"

namespace kiln::codegen {

class TransposeEmitter : ShellEmitter {
public:
  TransposeEmitter(mlir::OpBuilder &builder, graph::KernelOp kernel, Program &program,
                   const Turned &turned, tile::TransposeConfigAttr config);
  tile::KernelOp emit();

private:
  /// Where the lines of a turned operand are in scratch.
  struct Lines {
    TurnedLoad turned;
    Node *by = nullptr; ///< an element there, from row and lane
    int64_t pitch = 0, offset = 0;
    unsigned memory = 0;
    /// Columns and rows of the tile before its first; null: it has all.
    mlir::StringAttr columnsBefore, rowsBefore;
  };

  bool isHost() const { return !config.getThreads(); }
  /// Tiles of a row that make one task.
  SymbolicExpr columnTasks() const;
  void openTile(Value task);
  void forTilesOfHost(Value task);
  void computeTile();
  void openLoops(Value task);
  void place(const TurnedLoad &load, int64_t pitch);
  void fillLines();
  void fillRows();
  /// The tile of an operand, in terms of what it has of either side.
  std::pair<TileSide, TileSide> selectLines(const Lines &lines);
  Value loadLines(const Lines &lines);
  /// The area of an operand, as the memory that its lines are read from.
  Value openArea(const Lines &lines);
  void computeRows(Value validColumns);
  void computeRow(Value row);

  Program &program;
  tile::TransposeConfigAttr config;
  std::vector<Lines> operands;
  TileSide rows, columns;
  TurnedTile tile;
  mlir::StringAttr rowVar; ///< counts the rows of a tile
  int64_t scratchBytes = 0;
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_TRANSPOSEEMITTER_H
