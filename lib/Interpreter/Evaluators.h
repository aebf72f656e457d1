//===- Evaluators.h - The families of ops -----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per family of ops, each in a file of its own: it evaluates an op of its
// family, and gives nothing for any other. Internal to lib/Interpreter.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_INTERPRETER_EVALUATORS_H
#define KILN_LIB_INTERPRETER_EVALUATORS_H

#include "State.h"

#include <optional>

namespace kiln::interpreter {

/// Whether an op was evaluated without an error; nothing if it is of another family.
using Evaluated = std::optional<mlir::LogicalResult>;
/// Runs the ops of a block whose arguments have these values.
using RunBlock = llvm::function_ref<mlir::LogicalResult(
    mlir::Block &block, llvm::ArrayRef<Value> arguments, Values *yielded)>;

/// Views, loads, stores (Access.cpp).
Evaluated evaluateAccess(State &state, mlir::Operation *op);
/// Ops on fragments (Fragments.cpp).
Evaluated evaluateFragments(State &state, mlir::Operation *op, RunBlock run);
/// Products of quantized operands (ScaledMma.cpp).
Evaluated evaluateScaledMma(State &state, mlir::Operation *op);
/// Multistage buffers, barriers, producer and consumers (Async.cpp).
Evaluated evaluateAsync(State &state, mlir::Operation *op, RunBlock run);
/// MMAs that are issued and waited for (AsyncMma.cpp).
Evaluated evaluateAsyncMma(State &state, mlir::Operation *op);
/// Stores that are issued and waited for (AsyncStores.cpp).
Evaluated evaluateAsyncStores(State &state, mlir::Operation *op);
/// Copies that all threads of a block issue and wait for (AsyncCopies.cpp).
Evaluated evaluateAsyncCopies(State &state, mlir::Operation *op);

/// A tile of a view; what is outside of it along the masked dims is zero.
mlir::LogicalResult readTile(State &state, mlir::Operation *op, const View &from,
                             llvm::ArrayRef<int64_t> start,
                             llvm::ArrayRef<int64_t> masked, Fragment &result);
/// Bytes that a tile holds as numbers of another type.
void decodeBytes(mlir::Type stored, mlir::Type element, Fragment &tile);
/// An operand of tile.mma, wherever it is.
mlir::LogicalResult readOperand(State &state, mlir::Operation *op, mlir::Value operand,
                                Fragment &result);
/// Fails if a copy is in flight at the end of a task.
mlir::LogicalResult checkCopiesDone(State &state, tile::KernelOp kernel);
/// A stage of a multistage buffer; null, and an error, if it has none of this number.
Stage *stage(State &state, mlir::Operation *op, mlir::Value buffer, mlir::Value number);
/// Fails: what two threads do is not ordered by barriers.
mlir::LogicalResult unordered(State &state, mlir::Operation *op, std::string what);
/// x * y + sum, rounded once to the type.
double fusedIn(mlir::Type type, double x, double y, double sum);

} // namespace kiln::interpreter

#endif // KILN_LIB_INTERPRETER_EVALUATORS_H
