//===- State.h - Helpers of passes about state ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Transforms/State.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_STATE_STATE_H
#define KILN_LIB_TRANSFORMS_STATE_STATE_H

#include "dialects/Graph/Graph.h"

#include <optional>

namespace kiln::graph {

/// A present has `added` rows more along `axis` than its past, which has `past` rows.
struct StateAxis {
  int64_t axis;
  mlir::StringAttr past;
  SymbolicExpr added;
};

/// Compares the types; nullopt unless one is the other with appended rows.
std::optional<StateAxis> stateAxis(mlir::Type past, mlir::Type present);

} // namespace kiln::graph

#endif // KILN_LIB_TRANSFORMS_STATE_STATE_H
