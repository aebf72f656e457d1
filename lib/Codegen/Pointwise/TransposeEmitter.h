//===- TransposeEmitter.h - Tiles through scratch as tile IR ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A task is a tile of the result. Turned operands are read along their own
// neighbours into scratch; then rows are computed along those of the result.
// Internal to lib/Codegen/Pointwise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_TRANSPOSEEMITTER_H
#define KILN_CODEGEN_POINTWISE_TRANSPOSEEMITTER_H

#include "KernelShell.h"
#include "Turned.h"
#include "TurnedTile.h"

namespace kiln::codegen {

class TransposeEmitter : ShellEmitter {
public:
  TransposeEmitter(mlir::OpBuilder &builder, graph::KernelOp kernel, Program &program,
                   Turned turned, tile::TransposeConfigAttr config);
  tile::KernelOp emit();

private:
  /// Where the lines of a turned operand are in scratch.
  struct Lines {
    Node *load;
    int64_t pitch, offset;
    Value buffer; ///< tile.scratch
  };
  void openTile(Value task);
  void openSide(TileSide &side, Value number);
  void fillLines();
  void computeRows(Value validColumns);
  void computeRow(Value row);
  Value loadRow(const Lines &lines, Value row);
  SymbolicExpr tilesAlong(const TileSide &side) const;

  Program &program;
  tile::TransposeConfigAttr config;
  llvm::SmallVector<Lines> operands;
  TileSide rows, columns;
  int64_t scratchBytes = 0;
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_TRANSPOSEEMITTER_H
