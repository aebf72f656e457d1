//===- Indexing.h - Questions that index maps answer ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops state which elements of their operands they read (dialects/Graph/Indexing.h).
// Passes ask here for consequences: along which axes rows are independent, and which box
// of an operand a box of the result needs.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_ANALYSIS_INDEXING_H
#define KILN_ANALYSIS_INDEXING_H

#include "dialects/Graph/Indexing.h"

#include <optional>
#include <vector>

namespace kiln::graph {

/// How an operand is read along an axis of the result: index i of the result reads only
/// index i + shift along the operand's axis `axis`.
struct AxisRead {
  int64_t axis = 0;
  SymbolicExpr shift;
  bool operator==(const AxisRead &other) const {
    return axis == other.axis && shift == other.shift;
  }
};

/// For each operand, how it is read along one axis of the result; nullopt if all indices
/// read the same elements.
using AxisReads = std::vector<std::optional<AxisRead>>;

/// Whether the conditions of reads may depend on the index along an axis, as those of
/// causal attention do.
enum class ReadConditions { Independent, Any };

/// Returns how an op reads its operands along axis `axis` of its result; nullopt if the
/// axis has one element, or if an element depends on its index itself, on other indices
/// of an operand's axis, or on an index that is not its own plus a constant. A softmax is
/// independent along all axes but its own.
std::optional<AxisReads>
readsAlong(mlir::Operation *op, int64_t axis,
           ReadConditions conditions = ReadConditions::Independent);
/// Overload for an op whose maps are known.
std::optional<AxisReads>
readsAlong(mlir::Operation *op, const OpIndexing &indexing, int64_t axis,
           ReadConditions conditions = ReadConditions::Independent);

/// False if all elements along the axis are known to be equal.
bool variesAlong(mlir::Value value, int64_t axis);

/// Indices [begin, begin + size) of a dim.
struct DimRange {
  SymbolicExpr begin, size;
};

/// Returns the values of an expression whose variables run over the ranges that `rangeOf`
/// returns; nullopt unless they are provably an entire range (for a floordiv, each value
/// once per block), so that the image of a box is a box.
std::optional<DimRange> imageOf(const SymbolicExpr &expr,
                                llvm::function_ref<DimRange(mlir::StringAttr)> rangeOf);

} // namespace kiln::graph

#endif // KILN_ANALYSIS_INDEXING_H
