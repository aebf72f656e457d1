//===- TileEvaluator.h - Interpreter of tile programs -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a tile.kernel over its entire grid, one task after the other, on plain memory.
// Arithmetic uses the program's types, so the result is what a target should compute,
// except for transcendental functions. Every access is checked, and so are races between
// tasks.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_INTERPRETER_TILEEVALUATOR_H
#define KILN_INTERPRETER_TILEEVALUATOR_H

#include "dialects/Tile/Tile.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>

namespace kiln::interpreter {

/// Memory of one buffer of a kernel. An operand and a result may be exactly the same
/// memory; other overlaps are refused.
struct Buffer {
  void *data = nullptr;
  int64_t bytes = 0;
  /// Null: the type that the kernel declares.
  mlir::Type elementType;
};

enum class TaskOrder { Forward, Reverse, Shuffled };

struct Options {
  TaskOrder order = TaskOrder::Forward;
  uint64_t seed = 0; ///< seed of TaskOrder::Shuffled
};

struct Report {
  int64_t tasks = 0;
  /// Number of elements of each result that no task has written.
  llvm::SmallVector<int64_t> unwritten;
};

/// Evaluates a kernel. Buffers are those of the operands, then of the results; symbols
/// are in the kernel's order. Errors (KILN-E0270 to KILN-E0274) name the op at fault:
/// accesses outside of a view or buffer, an element that two tasks write, or one writes
/// and another reads, ops that the interpreter does not support, undefined arithmetic.
llvm::Expected<Report> evaluateKernel(tile::KernelOp kernel, llvm::ArrayRef<Buffer> buffers,
                                      llvm::ArrayRef<int64_t> symbols,
                                      const Options &options = {});

} // namespace kiln::interpreter

#endif // KILN_INTERPRETER_TILEEVALUATOR_H
