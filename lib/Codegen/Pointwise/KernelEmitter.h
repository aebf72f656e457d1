//===- KernelEmitter.h - Loops of a program as tile IR ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Pointwise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_KERNELEMITTER_H
#define KILN_CODEGEN_POINTWISE_KERNELEMITTER_H

#include "../Expression/NodeEmitter.h"
#include "StagedTile.h"
#include "Tasks.h"

namespace kiln::codegen {

class KernelEmitter {
public:
  KernelEmitter(mlir::OpBuilder &builder, graph::KernelOp kernel, Program &program,
                tile::PointwiseConfigAttr config)
      : b(builder), loc(kernel.getLoc()), kernel(kernel), program(program),
        config(config), tasks(program, config), emitter(builder, loc, program.body) {
    emitter.hasStrides = !config.getThreads();
  }

  /// Makes each task a tile whose strided operands are staged in scratch.
  void stage(const Staging &staging, tile::StagingConfigAttr tileConfig) {
    tile.emplace(b, loc, program, emitter, staging, tileConfig);
    emitter.hasStrides = false;
  }
  tile::KernelOp emit();

  /// For kernels of several programs, each of which has some of the tasks; without
  /// scratch.
  const SymbolicExpr &taskCount() const { return tasks.count; }
  void open(tile::KernelOp shell);
  mlir::Value index(const SymbolicExpr &expr) { return emitter.index(expr); }
  void emitTask(mlir::Value task);

private:
  /// Returns true if `part` divides `whole`.
  static bool divides(const SymbolicExpr &part, const SymbolicExpr &whole);
  using Values = llvm::SmallVector<mlir::Value>;
  using LoopBody =
      llvm::function_ref<Values(mlir::Value position, mlir::ValueRange carried)>;
  using Step = llvm::function_ref<Values(mlir::ValueRange carried)>;

  /// Scratch for a node that a pass stages.
  struct Stage {
    Node *node, *load;
    SymbolicExpr address, elements, offset;
  };

  void planScratch();
  void bindMemories(tile::KernelOp tileKernel);
  void emitTile();
  void emitTileColumns(NodeEmitter::Lanes lanes);
  void emitRow(mlir::Value columnBegin, mlir::Value columnEnd);
  /// Returns true if thread groups of one thread take fragments of several rows in the
  /// order of memory.
  bool dealsFragments() const;
  void dealFragments(mlir::Value rowBegin, mlir::Value rowEnd);
  /// Computes one fragment of columns, or one row.
  void emitPosition();
  /// Computes the positions of a task for one fragment of columns; `config.positions` of
  /// them are reduced together.
  void emitPositions();
  void emitBlock(mlir::Value first, int64_t count);
  /// Returns true if the reduced loops from `depth` on are unrolled.
  bool unrolls(size_t depth) const;
  /// Returns true if a row (on a GPU) is a single fragment, which stays in registers
  /// between passes.
  bool holdsRow() const;
  void holdRow();
  /// Sets the lanes to the entire row.
  void openRow();
  void emitPass(const Pass &pass);
  const Stage *stageOf(Node *node) const;
  Values reduceStep(const Pass &pass, Node *accumulator, Node *combined,
                    mlir::ValueRange carried);
  void storeOutputs(llvm::ArrayRef<Output> outputs);

  /// Emits for (position = begin; position < end; position += step). With `share`,
  /// iterations are distributed over the thread groups of the block.
  Values loop(mlir::Value begin, mlir::Value end, int64_t step, mlir::ValueRange inits,
              LoopBody body, bool share = false);
  bool hasTeams() const { return config.getGroupThreads() < config.getThreads(); }
  /// Returns true if each task has one row, whose columns are distributed over the thread
  /// groups of the block.
  bool hasOneRow() const {
    return tasks.rows.isConstant(1) || tasks.rowsPerTask.isConstant(1);
  }
  /// Emits a loop over the fragments in [begin, end), the last one of which may be
  /// partial.
  Values vectorLoop(mlir::Value begin, mlir::Value end, mlir::ValueRange inits,
                    llvm::ArrayRef<Node *> nodes, Step step, bool share = false);
  Values vectorTail(mlir::Value begin, mlir::Value end, mlir::ValueRange inits,
                    Step step);
  /// Emits the last, partial fragment in one of the thread groups that the preceding loop
  /// is distributed over.
  void sharedTail(mlir::Value begin, mlir::Value end, Step step);
  /// Emits the reduced loops from `depth` on.
  Values reducedLoops(size_t depth, mlir::ValueRange inits, llvm::ArrayRef<Node *> nodes,
                      Step step);
  mlir::Value minimum(mlir::Value lhs, mlir::Value rhs);

  mlir::OpBuilder &b;
  mlir::Location loc;
  graph::KernelOp kernel;
  Program &program;
  tile::PointwiseConfigAttr config;
  Tasks tasks;
  NodeEmitter emitter;
  std::optional<StagedTile> tile;
  /// Positions of the current task, if it has any.
  struct {
    mlir::Value begin, end;
  } positions;
  std::vector<Stage> stages;
  SymbolicExpr scratchBytes;
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_KERNELEMITTER_H
