//===- KernelEmitter.h - A program's loops as tile IR -----------*- C++ -*-===//
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

  /// Tasks become tiles whose strided operands go through scratch.
  void stage(const Staging &staging, tile::StagingConfigAttr tileConfig) {
    tile.emplace(b, loc, program, emitter, staging, tileConfig);
    emitter.hasStrides = false;
  }
  tile::KernelOp emit();

  /// As one of several programs that have tasks of one kernel, without scratch.
  const SymbolicExpr &taskCount() const { return tasks.count; }
  void open(tile::KernelOp shell);
  mlir::Value index(const SymbolicExpr &expr) { return emitter.index(expr); }
  void emitTask(mlir::Value task);

private:
  /// True if blocks of `part` make up `whole` exactly.
  static bool divides(const SymbolicExpr &part, const SymbolicExpr &whole);
  using Values = llvm::SmallVector<mlir::Value>;
  using LoopBody =
      llvm::function_ref<Values(mlir::Value position, mlir::ValueRange carried)>;
  using Step = llvm::function_ref<Values(mlir::ValueRange carried)>;

  /// Scratch for the nodes that passes stage.
  struct Stage {
    Node *node, *load;
    SymbolicExpr address, elements, offset;
  };

  void planScratch();
  void bindMemories(tile::KernelOp tileKernel);
  void emitTile();
  void emitTileColumns(NodeEmitter::Lanes lanes);
  void emitRow(mlir::Value columnBegin, mlir::Value columnEnd);
  /// Teams of one thread have the fragments of several rows, in the order of memory.
  bool dealsFragments() const;
  void dealFragments(mlir::Value rowBegin, mlir::Value rowEnd);
  /// Everything for one fragment of columns, or for one row.
  void emitPosition();
  /// The positions of a task, for one fragment of columns: `config.positions` of them
  /// are reduced side by side.
  void emitPositions();
  void emitBlock(mlir::Value first, int64_t count);
  /// The reduced loops from this one on are written out.
  bool unrolls(size_t depth) const;
  /// A row of a GPU that is one fragment stays in registers from pass to pass.
  bool holdsRow() const;
  void holdRow();
  /// All of the row as the lanes at hand.
  void openRow();
  void emitPass(const Pass &pass);
  const Stage *stageOf(Node *node) const;
  Values reduceStep(const Pass &pass, Node *accumulator, Node *combined,
                    mlir::ValueRange carried);
  void storeOutputs(llvm::ArrayRef<Output> outputs);

  /// for (position = begin; position < end; position += step); the teams of a
  /// block may share the iterations.
  Values loop(mlir::Value begin, mlir::Value end, int64_t step, mlir::ValueRange inits,
              LoopBody body, bool share = false);
  bool hasTeams() const { return config.getGroupThreads() < config.getThreads(); }
  /// Whether tasks have one row each, the columns of which the thread groups of a block
  /// split.
  bool hasOneRow() const {
    return tasks.rows.isConstant(1) || tasks.rowsPerTask.isConstant(1);
  }
  /// Fragments of the vector loop in [begin, end), the last one perhaps partly.
  Values vectorLoop(mlir::Value begin, mlir::Value end, mlir::ValueRange inits,
                    llvm::ArrayRef<Node *> nodes, Step step, bool share = false);
  Values vectorTail(mlir::Value begin, mlir::Value end, mlir::ValueRange inits,
                    Step step);
  /// Emits the last fragment, which is partly valid, in one of the thread groups that
  /// split the loop in front of it.
  void sharedTail(mlir::Value begin, mlir::Value end, Step step);
  /// All positions of the reduced loops, innermost last.
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
  /// Positions of the task at hand, if it has any.
  struct {
    mlir::Value begin, end;
  } positions;
  std::vector<Stage> stages;
  SymbolicExpr scratchBytes;
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_KERNELEMITTER_H
