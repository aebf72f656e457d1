//===- LastPosition.h - Results of each sequence's last position -*- C++ -*-===//
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

/// Results [sequences, positions, ...] become [sequences, 1, ...]: those of the last new
/// position that counts. What only they need is computed at that position alone, from
/// where one position's value depends on others. counts: [sequences] in i64; where one is
/// 0 the result is that of the first position. Returns how many results changed.
unsigned keepLastPosition(mlir::func::FuncOp program, mlir::Value counts,
                          const SymbolicExpr &positions);

} // namespace kiln::graph

#endif // KILN_LIB_TRANSFORMS_STATE_LASTPOSITION_H
