//===- IndexRange.h - What integers can be ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intervals of integer values, with ends that are expressions over the symbols. They
// tell which indices need no check. Internal to lib/Transforms/Fusion.
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
  /// From `lo` to `hi`, both included; none: no bound but the type's. Of a tensor without
  /// elements both say nothing.
  struct Interval {
    std::optional<graph::SymbolicExpr> lo, hi;
  };

  /// assumeParts: an index that is wrapped (matchWrappedIndex) was in range before.
  IndexRange(const graph::SymbolRanges &symbols, bool assumeParts)
      : symbols(symbols), assumeParts(assumeParts) {}

  Interval of(mlir::Value value) { return visit(value, 0); }
  /// Whether every element lies in [-rows, rows).
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
  /// Returns the value that a condition always has; nullopt where it depends.
  std::optional<bool> decide(mlir::Value condition, unsigned depth);
  std::optional<bool> decide(graph::CompareOp op, unsigned depth);
  Interval join(const Interval &a, const Interval &b) const;
  Bound smaller(const Bound &a, const Bound &b) const;
  Bound larger(const Bound &a, const Bound &b) const;
  /// Nothing where arithmetic in this type could have wrapped around.
  Interval fit(Interval interval, mlir::Type type) const;
  /// a >= b for all values of the symbols.
  bool isAtLeast(const graph::SymbolicExpr &a, const graph::SymbolicExpr &b) const;
  bool isNonNegative(const Interval &interval) const;

  const graph::SymbolRanges &symbols;
  bool assumeParts;
  llvm::DenseMap<mlir::Value, Interval> known;
};

} // namespace kiln

#endif // KILN_TRANSFORMS_FUSION_INDEXRANGE_H
