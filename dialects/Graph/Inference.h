//===- Inference.h - Helpers of result type inference -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to dialects/Graph.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_GRAPH_INFERENCE_H
#define KILN_DIALECTS_GRAPH_INFERENCE_H

#include "dialects/Graph/Graph.h"

namespace kiln::graph {

inline mlir::Type elementTypeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getElementType();
}

using Loc = std::optional<mlir::Location>;

/// Broadcasts all operands' dims, or reports `tag` with both shapes.
mlir::FailureOr<Dims> inferBroadcast(Loc loc, llvm::StringRef tag, mlir::ValueRange operands);
/// Reports `tag` unless 0 <= axis < rank.
mlir::LogicalResult checkAxis(Loc loc, llvm::StringRef tag, int64_t axis, int64_t rank);
/// Reports `tag` unless both element types are equal.
mlir::LogicalResult checkSameElement(Loc loc, llvm::StringRef tag, mlir::Value lhs,
                                     mlir::Value rhs);

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_INFERENCE_H
