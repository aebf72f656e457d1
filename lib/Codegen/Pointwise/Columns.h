//===- Columns.h - Reductions split over thread groups ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row ops of a GPU whose vectors run along a dim that is not reduced. Several thread
// groups reduce one column tile (a fragment): group t of P takes the reduced positions t,
// t + P, t + 2P and so on. Their partial results are combined through scratch. Internal
// to lib/Codegen/Pointwise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_COLUMNS_H
#define KILN_CODEGEN_POINTWISE_COLUMNS_H

#include "../Expression/KernelShell.h"
#include "kiln/Codegen/Pointwise.h"

namespace kiln::codegen {

/// Returns nullopt unless vectors run along a dim that is not reduced.
std::optional<ColumnProblem> columnProblemOf(const Program &program);
/// Returns the element type of an operand that is kept between passes: its type in memory
/// if it is only loaded.
mlir::Type stagedType(const Program &program);

/// Returns configs that split reductions over thread groups, best first; empty if nothing
/// is gained.
llvm::SmallVector<tile::PointwiseConfigAttr>
rankSharedColumns(mlir::MLIRContext *context, const PointwiseProblem &problem,
                  const GpuInfo &gpu);

/// Emits the program of a config with reduce_split > 1. A block has as many column tiles
/// as it has thread groups / reduce_split. In each pass, every group reduces its own
/// positions and stores the partial result as one row of scratch; then the rows of each
/// column tile are combined.
class ColumnEmitter : ShellEmitter {
public:
  ColumnEmitter(mlir::OpBuilder &builder, graph::KernelOp kernel, Program &program,
                tile::PointwiseConfigAttr config);
  tile::KernelOp emit();

private:
  using Step = llvm::function_ref<Value(Value carried)>;
  /// Rows of scratch, of one fragment each.
  struct Lines {
    mlir::Type element;
    int64_t offset;
    Value buffer; ///< tile.scratch
  };

  void planScratch();
  void openScratch();
  void openStrip(Value group);
  void bindPosition(Value position, Value group);
  /// Visits the positions of one of the groups that reduce a column tile, in ascending
  /// order.
  Value forPositions(Value team, Value group, Value carried, Step step);
  void accumulate(size_t pass);
  void combineParts(size_t pass);
  /// Binds the results of the passes before `end`, which are in scratch, in this scope.
  void bindFound(size_t end, Value group);
  void bindFinals(const Pass &pass);
  void storeRows();
  bool isLast(size_t pass) const {
    return pass + 1 == program.passes.size() && !program.outputsWholeRows;
  }
  Value viewLines(const Lines &lines, Value first, int64_t count);
  void storeLine(const Lines &lines, Value number, Value fragment);
  Value loadLine(const Lines &lines, Value number);
  llvm::SmallVector<Node *> outputNodes() const;

  Program &program;
  tile::PointwiseConfigAttr config;
  const Loop columns;
  std::vector<Loop> rowLoops;
  SymbolicExpr depth, strips, items; ///< `items`: column tiles of all rows
  int64_t share, groups;             ///< thread groups per column tile; column tiles per
                                     ///< block
  /// Scratch per pass: partial results of thread groups; results that later passes read.
  llvm::SmallVector<Lines> parts, found;
  Node *staged = nullptr; ///< load of the operand that is kept between passes
  mlir::StringAttr stagedPosition;
  SymbolicExpr stagedElements, scratchBytes;
  int64_t stageOffset = 0;
  Value firstItem, count; ///< column tiles of the current block
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_COLUMNS_H
