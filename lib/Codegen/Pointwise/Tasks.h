//===- Tasks.h - Division of a program into tasks ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Pointwise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_TASKS_H
#define KILN_CODEGEN_POINTWISE_TASKS_H

#include "../Expression/NodeEmitter.h"

namespace kiln::codegen {

/// A task is `rowsPerTask` rows times `columnsPerTask` columns. Columns are the positions
/// of the vector loop (one column if that loop is reduced), rows those of the other
/// parallel loops. If positions of the loop just outside the vector loop are reduced
/// together, they are divided separately.
struct Tasks {
  Tasks(const Program &program, tile::PointwiseConfigAttr config);

  std::vector<Loop> rowLoops;
  SymbolicExpr rows, columns;
  SymbolicExpr rowsPerTask, columnsPerTask;
  SymbolicExpr columnTasks, count;
  std::optional<Loop> positionLoop;
  SymbolicExpr positions = 1, positionsPerTask = 1, positionTasks = 1;

private:
  void splitPositions(int64_t work, int64_t block);
};

/// Binds nested loops to the indices of a position in the merged loops.
void bindLoops(mlir::OpBuilder &b, mlir::Location loc, NodeEmitter &emitter,
               llvm::ArrayRef<Loop> loops, mlir::Value position);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_TASKS_H
