//===- Tasks.h - How a program's work is cut into tasks ---------*- C++ -*-===//
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

/// A task is `rowsPerTask` rows times `columnsPerTask` columns. Rows are the
/// positions of the parallel loops that vectors do not run along, columns those
/// of the one they do (one column where that loop is reduced). Where positions of the
/// loop around that are reduced side by side they are counted apart.
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

/// Gives nested loops the indices of a position of all of them together.
void bindLoops(mlir::OpBuilder &b, mlir::Location loc, NodeEmitter &emitter,
               llvm::ArrayRef<Loop> loops, mlir::Value position);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_TASKS_H
