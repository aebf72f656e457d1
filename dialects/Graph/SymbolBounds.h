//===- SymbolBounds.h - Intervals of expressions ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intervals of expressions over the ranges of their symbols. The largest size of a tensor
// does not follow from the largest symbols: 1000 - seq is largest where seq is smallest.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_GRAPH_SYMBOLBOUNDS_H
#define KILN_DIALECTS_GRAPH_SYMBOLBOUNDS_H

#include "dialects/Graph/SymbolicExpr.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace kiln::graph {

/// Inclusive range of integers.
struct Bounds {
  int64_t min = 0, max = 0;
};

/// Ranges of a module's symbols.
class SymbolRanges {
public:
  /// Ranges of no symbols.
  SymbolRanges() = default;
  /// Takes the ranges that graph.symbol declares in `module`.
  explicit SymbolRanges(mlir::ModuleOp module);

  void set(mlir::StringAttr symbol, Bounds range) { ranges[symbol] = range; }

  /// Returns bounds of the values of `expr` by interval arithmetic: never too narrow, but
  /// too wide where terms with a common symbol have opposite signs. nullopt where `expr`
  /// may have no value: an overflow, or a divisor that may be 0.
  std::optional<Bounds> boundsOf(const SymbolicExpr &expr) const;
  /// Returns an upper bound of `expr`, at least 0 since sizes are never negative.
  std::optional<int64_t> maxOf(const SymbolicExpr &expr) const;
  /// Returns the largest value that any of several expressions can have; 0 for none.
  std::optional<int64_t> maxOf(llvm::ArrayRef<SymbolicExpr> exprs) const;

private:
  std::optional<Bounds> boundsOf(const SymbolicExpr::Atom &atom) const;

  llvm::DenseMap<mlir::StringAttr, Bounds> ranges;
};

/// Returns the names of the symbols in shapes of a module's types and attributes.
llvm::DenseSet<mlir::StringAttr> usedSymbols(mlir::ModuleOp module);

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_SYMBOLBOUNDS_H
