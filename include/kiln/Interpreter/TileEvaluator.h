//===- TileEvaluator.h - Tile programs without a target ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a tile.kernel over its whole grid, one task after the other, on plain
// memory. Arithmetic is that of the program's own types, so the result is what a
// target should compute up to its transcendental functions; every access is
// checked, and so is that tasks do not meddle with each other's elements.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_INTERPRETER_TILEEVALUATOR_H
#define KILN_INTERPRETER_TILEEVALUATOR_H

#include "dialects/Tile/Tile.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>

namespace kiln::interpreter {

/// Memory for one buffer of a kernel. An operand and a result may be the same
/// memory, whole; other overlaps are refused.
struct Buffer {
  void *data = nullptr;
  int64_t bytes = 0;
  /// Null: whatever the kernel says.
  mlir::Type elementType;
};

enum class TaskOrder { Forward, Reverse, Shuffled };

struct Options {
  TaskOrder order = TaskOrder::Forward;
  uint64_t seed = 0; ///< of Shuffled
};

struct Report {
  int64_t tasks = 0;
  /// Elements of each result that no task has written.
  llvm::SmallVector<int64_t> unwritten;
};

/// Buffers of the operands, then of the results; values of the kernel's symbols
/// in its order. Errors (KILN-E0270 to KILN-E0274) name the op at fault:
/// accesses outside of a view or buffer, an element that two tasks write, or one
/// writes and another reads, ops without a meaning here, undefined arithmetic.
llvm::Expected<Report> evaluateKernel(tile::KernelOp kernel, llvm::ArrayRef<Buffer> buffers,
                                      llvm::ArrayRef<int64_t> symbols,
                                      const Options &options = {});

} // namespace kiln::interpreter

#endif // KILN_INTERPRETER_TILEEVALUATOR_H
