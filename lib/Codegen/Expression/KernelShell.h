//===- KernelShell.h - What every emitter begins with -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An empty tile.kernel with the arguments a graph.kernel asks for, and how emitters
// fill it. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_EXPRESSION_KERNELSHELL_H
#define KILN_CODEGEN_EXPRESSION_KERNELSHELL_H

#include "NodeEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace kiln::codegen {

/// A tile.kernel with no body yet, named after the hero.
tile::KernelOp createShell(mlir::OpBuilder &builder, graph::KernelOp kernel,
                           const SymbolicExpr &tasks, const SymbolicExpr &scratchBytes,
                           mlir::Attribute config);

/// Declares the workspace (bytes) and the arrival counters (`tickets`) by which the
/// kernel's tasks combine partial results.
void setWorkspace(tile::KernelOp shell, graph::KernelOp kernel, const SymbolicExpr &bytes,
                  const SymbolicExpr &tickets);

/// States that a kernel is a variant for launches where each value is at most its bound.
void setBounds(tile::KernelOp shell, graph::KernelOp kernel,
               llvm::ArrayRef<std::pair<SymbolicExpr, int64_t>> bounds);

/// Tells the emitter the symbols' values and adds the operands' memories.
void bindShell(NodeEmitter &emitter, graph::KernelOp kernel, tile::KernelOp shell);

/// Takes the position in a loop from a number that counts through several, the innermost
/// first.
mlir::Value takePosition(mlir::OpBuilder &b, mlir::Location loc, NodeEmitter &emitter,
                         mlir::Value &number, const SymbolicExpr &extent);

/// Calls `body` with the valid positions of a tile of `length`, and with null where all
/// are, in a branch of its own; null: they always are.
void forWhole(mlir::OpBuilder &b, mlir::Location loc, NodeEmitter &emitter,
              mlir::Value valid, int64_t length,
              llvm::function_ref<void(mlir::Value)> body);

/// Base of classes that write a part of a task: a builder, the emitter of nodes, the
/// memories of results, and index arithmetic that folds constants. A copy writes into the
/// same task.
class TaskBuilder {
public:
  TaskBuilder(mlir::OpBuilder &builder, mlir::Location loc, NodeEmitter &emitter,
              std::vector<NodeEmitter::Memory> &results)
      : b(builder), loc(loc), emitter(emitter), results(results) {}

protected:
  using Value = mlir::Value;

  Value index(int64_t value) { return emitter.constantIndex(value); }
  Value add(Value lhs, Value rhs) {
    return b.createOrFold<mlir::arith::AddIOp>(loc, lhs, rhs);
  }
  Value sub(Value lhs, Value rhs) {
    return b.createOrFold<mlir::arith::SubIOp>(loc, lhs, rhs);
  }
  Value mul(Value lhs, Value rhs) {
    return b.createOrFold<mlir::arith::MulIOp>(loc, lhs, rhs);
  }
  Value divide(Value lhs, Value rhs) {
    return b.createOrFold<mlir::arith::DivUIOp>(loc, lhs, rhs);
  }
  Value remainder(Value lhs, Value rhs) {
    return b.createOrFold<mlir::arith::RemUIOp>(loc, lhs, rhs);
  }
  Value minimum(Value lhs, Value rhs) {
    return b.createOrFold<mlir::arith::MinSIOp>(loc, lhs, rhs);
  }
  mlir::OpFoldResult fold(const SymbolicExpr &expr);
  Value takePosition(Value &number, const SymbolicExpr &extent) {
    return codegen::takePosition(b, loc, emitter, number, extent);
  }
  /// for (i = 0; i < count; ++i), a thread group of so many threads per iteration.
  void forTeams(Value count, int64_t threads, llvm::function_ref<void(Value)> each);
  /// Computes and stores all outputs for the lanes at hand.
  void storeOutputs(llvm::ArrayRef<Output> outputs);
  /// The threads of a block ask for `count` elements of a memory from `offset` on, all of
  /// which exist, to come near.
  void prefetchStretch(const NodeEmitter::Memory &memory, Value offset, Value count);

  mlir::OpBuilder &b;
  mlir::Location loc;
  NodeEmitter &emitter;
  std::vector<NodeEmitter::Memory> &results;
};

/// A kernel: its shell, and what its tasks are written with.
class ShellEmitter : protected TaskBuilder {
protected:
  ShellEmitter(mlir::OpBuilder &builder, graph::KernelOp kernel, const Body &body)
      : TaskBuilder(builder, kernel.getLoc(), nodes, resultMemories), kernel(kernel),
        nodes(builder, loc, body) {}
  ShellEmitter(const ShellEmitter &) = delete;

  /// Gives the shell its body: memories of operands and results, and the task.
  tile::KernelOp fill(tile::KernelOp shell, llvm::function_ref<void(Value task)> task);

  graph::KernelOp kernel;

private:
  NodeEmitter nodes;
  std::vector<NodeEmitter::Memory> resultMemories;
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_EXPRESSION_KERNELSHELL_H
