//===- KernelShell.h - Common parts of all emitters -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creates an empty tile.kernel with the arguments that a graph.kernel needs, and fills in
// its body. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_EXPRESSION_KERNELSHELL_H
#define KILN_CODEGEN_EXPRESSION_KERNELSHELL_H

#include "NodeEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace kiln::codegen {

/// Creates a tile.kernel without a body, named after the hero.
tile::KernelOp createShell(mlir::OpBuilder &builder, graph::KernelOp kernel,
                           const SymbolicExpr &tasks, const SymbolicExpr &scratchBytes,
                           mlir::Attribute config);

/// Declares the workspace (bytes) and the arrival counters (`tickets`) with which tasks
/// combine partial results.
void setWorkspace(tile::KernelOp shell, graph::KernelOp kernel, const SymbolicExpr &bytes,
                  const SymbolicExpr &tickets);

/// Marks a kernel as a variant for launches where each value is at most its bound.
void setBounds(tile::KernelOp shell, graph::KernelOp kernel,
               llvm::ArrayRef<std::pair<SymbolicExpr, int64_t>> bounds);

/// Binds the symbols' values and adds the operands' memories to the emitter.
void bindShell(NodeEmitter &emitter, graph::KernelOp kernel, tile::KernelOp shell);

/// Returns the position in the innermost of several loops that `number` enumerates, and
/// divides `number` by that loop's extent.
mlir::Value takePosition(mlir::OpBuilder &b, mlir::Location loc, NodeEmitter &emitter,
                         mlir::Value &number, const SymbolicExpr &extent);

/// Emits `body` twice, in two branches: with null if all positions of a tile of `length`
/// are valid, and with the number of valid positions otherwise. If `valid` is null, only
/// the former.
void forWhole(mlir::OpBuilder &b, mlir::Location loc, NodeEmitter &emitter,
              mlir::Value valid, int64_t length,
              llvm::function_ref<void(mlir::Value)> body);

/// Base class of emitters of a part of a task. Holds the builder, the emitter of nodes
/// and the memories of results, and has index arithmetic that folds constants. A copy
/// emits into the same task.
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
  /// Emits for (i = 0; i < count; ++i), with one thread group of `threads` threads per
  /// iteration.
  void forTeams(Value count, int64_t threads, llvm::function_ref<void(Value)> each);
  /// Computes and stores all outputs for the current lanes.
  void storeOutputs(llvm::ArrayRef<Output> outputs);
  /// Prefetches `count` elements of a memory from `offset` on, distributed over the
  /// threads of a block. All of the elements must exist.
  void prefetchStretch(const NodeEmitter::Memory &memory, Value offset, Value count);

  mlir::OpBuilder &b;
  mlir::Location loc;
  NodeEmitter &emitter;
  std::vector<NodeEmitter::Memory> &results;
};

/// Base class of emitters of an entire kernel: its shell, and what TaskBuilder holds.
class ShellEmitter : protected TaskBuilder {
protected:
  ShellEmitter(mlir::OpBuilder &builder, graph::KernelOp kernel, const Body &body)
      : TaskBuilder(builder, kernel.getLoc(), nodes, resultMemories), kernel(kernel),
        nodes(builder, loc, body) {}
  ShellEmitter(const ShellEmitter &) = delete;

  /// Emits the shell's body: memories of operands and results, then the task.
  tile::KernelOp fill(tile::KernelOp shell, llvm::function_ref<void(Value task)> task);

  graph::KernelOp kernel;

private:
  NodeEmitter nodes;
  std::vector<NodeEmitter::Memory> resultMemories;
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_EXPRESSION_KERNELSHELL_H
