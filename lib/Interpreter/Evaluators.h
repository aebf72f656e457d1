//===- Evaluators.h - Evaluators of families of ops -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per family of ops, each in its own file. It evaluates an op of its family
// and returns nullopt for any other. Internal to lib/Interpreter.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_INTERPRETER_EVALUATORS_H
#define KILN_LIB_INTERPRETER_EVALUATORS_H

#include "State.h"

#include <optional>

namespace kiln::interpreter {

/// Success or failure of evaluating an op; nullopt if it is of another family.
using Evaluated = std::optional<mlir::LogicalResult>;
/// Runs the ops of a block whose arguments have these values.
using RunBlock = llvm::function_ref<mlir::LogicalResult(
    mlir::Block &block, llvm::ArrayRef<Value> arguments, Values *yielded)>;

/// Views, loads, stores (Access.cpp).
Evaluated evaluateAccess(State &state, mlir::Operation *op);
/// Ops on fragments (Fragments.cpp).
Evaluated evaluateFragments(State &state, mlir::Operation *op, RunBlock run);
/// MMA of quantized operands (ScaledMma.cpp).
Evaluated evaluateScaledMma(State &state, mlir::Operation *op);
/// Multistage buffers, barriers, producer and consumers (Async.cpp).
Evaluated evaluateAsync(State &state, mlir::Operation *op, RunBlock run);
/// Asynchronous MMAs (AsyncMma.cpp).
Evaluated evaluateAsyncMma(State &state, mlir::Operation *op);
/// Asynchronous stores (AsyncStores.cpp).
Evaluated evaluateAsyncStores(State &state, mlir::Operation *op);
/// Asynchronous copies by all threads of a block (AsyncCopies.cpp).
Evaluated evaluateAsyncCopies(State &state, mlir::Operation *op);

/// Reads a tile of a view; elements outside of it in the masked dims are zero.
mlir::LogicalResult readTile(State &state, mlir::Operation *op, const View &from,
                             llvm::ArrayRef<int64_t> start,
                             llvm::ArrayRef<int64_t> masked, Fragment &result);
/// Decodes bytes of a tile, stored as type `stored`, to floats of type `element`.
void decodeBytes(mlir::Type stored, mlir::Type element, Fragment &tile);
/// Reads an operand of tile.mma: a fragment, a staged tile or a buffer's stage.
mlir::LogicalResult readOperand(State &state, mlir::Operation *op, mlir::Value operand,
                                Fragment &result);
/// Fails if a copy is still in flight at the end of a task.
mlir::LogicalResult checkCopiesDone(State &state, tile::KernelOp kernel);
/// Returns a stage of a multistage buffer; null, after reporting an error, if the index
/// is out of bounds.
Stage *stage(State &state, mlir::Operation *op, mlir::Value buffer, mlir::Value number);
/// Fails because two threads' accesses are not ordered by barriers.
mlir::LogicalResult unordered(State &state, mlir::Operation *op, std::string what);
/// Returns x * y + sum, rounded once to the type.
double fusedIn(mlir::Type type, double x, double y, double sum);

} // namespace kiln::interpreter

#endif // KILN_LIB_INTERPRETER_EVALUATORS_H
