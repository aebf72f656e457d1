//===- State.h - What passes about state have in common ---------*- C++ -*-===//
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

/// Attribute of an argument and a result of @main between kiln-find-state and
/// kiln-make-state: the past's name. The result is the past with new rows behind it.
inline constexpr llvm::StringLiteral kPastAttr = "graph.past";

/// Along `axis` a present has `added` rows more than its past, which has `past` rows.
struct StateAxis {
  int64_t axis;
  mlir::StringAttr past;
  SymbolicExpr added;
};

/// Nullopt if a type is not another one with rows behind it.
std::optional<StateAxis> stateAxis(mlir::Type past, mlir::Type present);

} // namespace kiln::graph

#endif // KILN_LIB_TRANSFORMS_STATE_STATE_H
