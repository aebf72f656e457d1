//===- IndexRange.h - Intervals of integers ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intervals of integer values whose ends are expressions over the symbols. They determine
// which indices need no check. Internal to lib/Transforms/Fusion.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_FUSION_INDEXRANGE_H
#define KILN_TRANSFORMS_FUSION_INDEXRANGE_H

#include "dialects/Graph/IndexRows.h"
#include "dialects/Graph/SymbolBounds.h"
#include "llvm/ADT/DenseMap.h"

namespace kiln {

class IndexRange {
public:
  /// Interval [lo, hi]; nullopt: only bounded by the type. An empty tensor satisfies
  /// every interval.
  struct Interval {
    std::optional<graph::SymbolicExpr> lo, hi;
  };

  /// assumeParts: an index before wrapping (matchWrappedIndex) is assumed to be in range.
  IndexRange(const graph::SymbolRanges &symbols, bool assumeParts)
      : symbols(symbols), assumeParts(assumeParts) {}

  Interval of(mlir::Value value) { return visit(value, 0); }
  /// Whether every element is in [-rows, rows).
  bool isInside(mlir::Value index, const graph::SymbolicExpr &rows);

private:
  using Bound = std::optional<graph::SymbolicExpr>;

  Interval visit(mlir::Value value, unsigned depth);
  Interval compute(mlir::Operation *op, unsigned depth);
  Interval ofBinary(graph::BinaryOp op, unsigned depth);
  Interval combine(graph::BinaryKind kind, Interval a, Interval b) const;
  Interval ofCast(graph::CastOp op, unsigned depth);
  Interval ofReduce(graph::ReduceOp op, unsigned depth);
  Interval ofSelect(graph::SelectOp op, unsigned depth);
  Interval ofUnary(graph::UnaryOp op, unsigned depth);
  /// Returns the value that a condition always has; nullopt if it varies.
  std::optional<bool> decide(mlir::Value condition, unsigned depth);
  std::optional<bool> decide(graph::CompareOp op, unsigned depth);
  Interval join(const Interval &a, const Interval &b) const;
  Bound smaller(const Bound &a, const Bound &b) const;
  Bound larger(const Bound &a, const Bound &b) const;
  /// Returns the interval if arithmetic in this type cannot have wrapped around, else an
  /// unbounded one.
  Interval fit(Interval interval, mlir::Type type) const;
  /// Whether a >= b for all values of the symbols.
  bool isAtLeast(const graph::SymbolicExpr &a, const graph::SymbolicExpr &b) const;
  bool isNonNegative(const Interval &interval) const;

  const graph::SymbolRanges &symbols;
  bool assumeParts;
  llvm::DenseMap<mlir::Value, Interval> known;
};

} // namespace kiln

#endif // KILN_TRANSFORMS_FUSION_INDEXRANGE_H
