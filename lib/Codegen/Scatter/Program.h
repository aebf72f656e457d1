//===- Program.h - What a scatter kernel computes ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Scatter.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_SCATTER_PROGRAM_H
#define KILN_LIB_CODEGEN_SCATTER_PROGRAM_H

#include "../Expression/Program.h"

namespace kiln::codegen {

/// Elements of the operands at the loops' variables, and where results go.
class ScatterProgram {
public:
  /// Null, with `why` set, if the kernel is not one scatter between views.
  static std::unique_ptr<ScatterProgram> build(graph::KernelOp kernel, std::string &why);

  Body body;
  Loop batch, row, column, update;
  Node *data = nullptr;     ///< at batch, row, column
  Node *index = nullptr;    ///< at batch, update and, if `perColumn`, column
  Node *value = nullptr;    ///< an update, at batch, update, column
  Node *current = nullptr;  ///< the result itself, as the memory behind the operands
  Node *old = nullptr;      ///< bound: what an element was before an update
  Node *combined = nullptr; ///< what an update makes of it
  /// Element of the result at batch, row, column.
  SymbolicExpr address;
  /// Columns have indices of their own.
  bool perColumn = false;
  bool combines = false;

private:
  explicit ScatterProgram(mlir::Block &block) : body(block) {}
  bool analyze(graph::ScatterOp op);
};

/// Writes the tile program with a config at the builder's insertion point.
tile::KernelOp emitScatter(graph::KernelOp kernel, const ScatterProgram &program,
                           mlir::OpBuilder &builder, tile::ScatterConfigAttr config);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_SCATTER_PROGRAM_H
