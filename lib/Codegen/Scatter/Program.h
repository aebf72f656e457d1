//===- Program.h - Program of a scatter kernel ------------------*- C++ -*-===//
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

/// Elements of the operands, over the loop variables, and the address of the result.
class ScatterProgram {
public:
  /// Returns null, with `why` set, if the kernel is not one scatter between views.
  static std::unique_ptr<ScatterProgram> build(graph::KernelOp kernel, std::string &why);

  Body body;
  Loop batch, row, column, update;
  Node *data = nullptr;     ///< at batch, row, column
  Node *index = nullptr;    ///< at batch, update and, if `perColumn`, column
  Node *value = nullptr;    ///< update, at batch, update, column
  Node *current = nullptr;  ///< element of the result, read as a memory after the
                            ///< operands
  Node *old = nullptr;      ///< bound node: an element before an update
  Node *combined = nullptr; ///< the element after the update
  /// Address of the result's element at batch, row, column.
  SymbolicExpr address;
  /// True if columns have indices of their own.
  bool perColumn = false;
  bool combines = false;

private:
  explicit ScatterProgram(mlir::Block &block) : body(block) {}
  bool analyze(graph::ScatterOp op);
};

/// Emits the tile program with a config at the builder's insertion point.
tile::KernelOp emitScatter(graph::KernelOp kernel, const ScatterProgram &program,
                           mlir::OpBuilder &builder, tile::ScatterConfigAttr config);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_SCATTER_PROGRAM_H
