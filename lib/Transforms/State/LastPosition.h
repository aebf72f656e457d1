//===- LastPosition.h - Computes the last position only ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Transforms/State.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_STATE_LASTPOSITION_H
#define KILN_LIB_TRANSFORMS_STATE_LASTPOSITION_H

#include "dialects/Graph/Graph.h"

namespace kiln::graph {

/// Restricts results [sequences, positions, ...] to [sequences, 1, ...], the last valid
/// new position. Ops that only these results need are computed for that position alone,
/// up to ops whose positions depend on each other. counts: [sequences] in i64; 0 gives
/// the result of the first position. Returns the number of changed results.
unsigned keepLastPosition(mlir::func::FuncOp program, mlir::Value counts,
                          const SymbolicExpr &positions);

} // namespace kiln::graph

#endif // KILN_LIB_TRANSFORMS_STATE_LASTPOSITION_H
