//===- Machine.h - Runs tile programs ---------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes blocks, loops and branches (Control.cpp). The families of ops are in
// Evaluators.h, ops on scalars in ScalarOps.cpp. Internal to lib/Interpreter.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_INTERPRETER_MACHINE_H
#define KILN_LIB_INTERPRETER_MACHINE_H

#include "Evaluators.h"

namespace kiln::interpreter {

class Machine {
public:
  /// Runs one task; the kernel's other arguments must be bound.
  mlir::LogicalResult runTask(tile::KernelOp kernel, int64_t task);
  void bind(mlir::Value name, Value value) { state.bind(name, std::move(value)); }
  void setScratch(Memory *memory) { state.scratch = memory; }
  /// Sets the workspace and arrival counters of all tasks; the counters begin at 0.
  void setWorkspace(Memory *memory, int64_t count) {
    state.workspace = memory;
    state.tickets.assign(count, 0);
  }
  /// Sets the number of blocks of a kernel whose blocks take several tasks each
  /// (persistent kernels).
  void setBlocks(int64_t count) { state.blocks = count; }
  /// Returns true if every arrival counter has wrapped to 0: as many tasks arrived as it
  /// expects.
  bool ticketsAreZero() const {
    return llvm::all_of(state.tickets, [](int64_t taken) { return taken == 0; });
  }
  Diagnosis takeError() { return std::move(state.error); }

private:
  mlir::LogicalResult run(mlir::Block &block, llvm::ArrayRef<Value> arguments,
                          Values *yielded);
  mlir::LogicalResult evaluate(mlir::Operation *op);
  Evaluated evaluateFamilies(mlir::Operation *op);
  mlir::LogicalResult evaluateFor(mlir::Operation *op);
  mlir::LogicalResult evaluateIf(mlir::Operation *op);
  mlir::LogicalResult evaluateSwitch(mlir::Operation *op);
  mlir::LogicalResult evaluateApply(mlir::Operation *op);
  mlir::LogicalResult evaluatePipeline(tile::PipelineOp op);
  mlir::LogicalResult evaluateScalar(mlir::Operation *op);

  State state;
};

} // namespace kiln::interpreter

#endif // KILN_LIB_INTERPRETER_MACHINE_H
