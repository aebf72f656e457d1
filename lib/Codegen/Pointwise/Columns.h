//===- Columns.h - Reductions that teams share ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row ops of a GPU whose vectors run along a dim that stays. A strip of columns is
// one fragment; several teams have it, and each walks over some of the reduced
// positions: team t of P over t, t + P, t + 2P and so on. What they leave meets in
// scratch. Internal to lib/Codegen/Pointwise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_COLUMNS_H
#define KILN_CODEGEN_POINTWISE_COLUMNS_H

#include "../Expression/KernelShell.h"
#include "kiln/Codegen/Pointwise.h"

namespace kiln::codegen {

/// Nullopt unless the program's vectors run along a dim that its passes leave.
std::optional<ColumnProblem> columnProblemOf(const Program &program);
/// Element type of what is kept between passes: as it is in memory where it is only
/// loaded.
mlir::Type stagedType(const Program &program);

/// Configs whose teams share reductions, best first; empty where nothing is gained.
llvm::SmallVector<tile::PointwiseConfigAttr>
rankSharedColumns(mlir::MLIRContext *context, const PointwiseProblem &problem,
                  const GpuInfo &gpu);

/// The tile program of a config with `share` > 1. A block has as many strips as its teams
/// can share. Pass by pass: teams accumulate, each over its own positions, and write
/// what they have as one line of scratch; then, per strip, the lines are combined.
class ColumnEmitter : ShellEmitter {
public:
  ColumnEmitter(mlir::OpBuilder &builder, graph::KernelOp kernel, Program &program,
                tile::PointwiseConfigAttr config);
  tile::KernelOp emit();

private:
  using Step = llvm::function_ref<Value(Value carried)>;
  /// Lines of one fragment each in scratch.
  struct Lines {
    mlir::Type element;
    int64_t offset;
    Value buffer; ///< tile.scratch
  };

  void planScratch();
  void openScratch();
  void openStrip(Value group);
  void bindPosition(Value position, Value group);
  /// The positions of one of the teams that share a strip, in ascending order.
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
  SymbolicExpr depth, strips, items; ///< items: strips of all rows
  int64_t share, groups;             ///< teams of a strip, strips of a block
  /// Lines of scratch, per pass: what thread groups leave, and the results that are read
  /// later.
  llvm::SmallVector<Lines> parts, found;
  Node *staged = nullptr; ///< the load of what is kept between passes
  mlir::StringAttr stagedPosition;
  SymbolicExpr stagedElements, scratchBytes;
  int64_t stageOffset = 0;
  Value firstItem, count; ///< strips of the block at hand
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_COLUMNS_H
