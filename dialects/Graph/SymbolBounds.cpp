//===- SymbolBounds.cpp - Intervals of expressions ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/SymbolBounds.h"
#include "dialects/Graph/Graph.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln::graph;
using namespace mlir;
using AtomKind = SymbolicExpr::AtomKind;

SymbolRanges::SymbolRanges(ModuleOp module) {
  for (auto symbol : module.getOps<SymbolOp>())
    set(symbol.getSymNameAttr(), {int64_t(symbol.getMin()), int64_t(symbol.getMax())});
}

/// The extremes of a product are at corners of the box of its factors.
static std::optional<Bounds> multiply(Bounds a, Bounds b) {
  Bounds result{std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()};
  for (int64_t x : {a.min, a.max})
    for (int64_t y : {b.min, b.max}) {
      int64_t product;
      if (llvm::MulOverflow(x, y, product))
        return std::nullopt;
      result.min = std::min(result.min, product);
      result.max = std::max(result.max, product);
    }
  return result;
}

static std::optional<Bounds> add(Bounds a, Bounds b) {
  Bounds sum;
  if (llvm::AddOverflow(a.min, b.min, sum.min) ||
      llvm::AddOverflow(a.max, b.max, sum.max))
    return std::nullopt;
  return sum;
}

/// A quotient is monotonic in its dividend, and for each dividend in its divisor.
static Bounds divide(Bounds a, Bounds b, int64_t (*quotient)(int64_t, int64_t)) {
  return {std::min(quotient(a.min, b.min), quotient(a.min, b.max)),
          std::max(quotient(a.max, b.min), quotient(a.max, b.max))};
}

static int64_t floorDiv(int64_t a, int64_t b) { return llvm::divideFloorSigned(a, b); }
static int64_t ceilDiv(int64_t a, int64_t b) { return llvm::divideCeilSigned(a, b); }

static Bounds remainder(Bounds a, Bounds b) {
  // With a constant divisor, a remainder ascends with the dividend within one period.
  int64_t period = floorDiv(a.min, b.min);
  if (b.min == b.max && period == floorDiv(a.max, b.min))
    return {a.min - period * b.min, a.max - period * b.min};
  int64_t last = b.max - 1;
  return {0, a.min >= 0 ? std::min(a.max, last) : last};
}

/// Bounds of max(a, b) or of min(a, b).
static Bounds extremum(bool isMax, Bounds a, Bounds b) {
  return isMax ? Bounds{std::max(a.min, b.min), std::max(a.max, b.max)}
               : Bounds{std::min(a.min, b.min), std::min(a.max, b.max)};
}

std::optional<Bounds> SymbolRanges::boundsOf(const SymbolicExpr::Atom &atom) const {
  if (atom.kind == AtomKind::Symbol) {
    auto it = ranges.find(atom.symbol);
    return it == ranges.end() ? std::nullopt : std::optional(it->second);
  }
  std::optional<Bounds> a = boundsOf(*atom.lhs), b = boundsOf(*atom.rhs);
  if (a && b && atom.kind == AtomKind::Max)
    return extremum(/*isMax=*/true, *a, *b);
  if (!a || !b || b->min <= 0)
    return std::nullopt;
  if (atom.kind == AtomKind::Mod)
    return remainder(*a, *b);
  return divide(*a, *b, atom.kind == AtomKind::FloorDiv ? floorDiv : ceilDiv);
}

std::optional<Bounds> SymbolRanges::boundsOf(const SymbolicExpr &expr) const {
  if (std::optional<SymbolicExpr::Extremum> sides = expr.getExtremum()) {
    std::optional<Bounds> a = boundsOf(sides->a), b = boundsOf(sides->b);
    return a && b ? std::optional(extremum(sides->isMax, *a, *b)) : std::nullopt;
  }
  std::optional<Bounds> sum = Bounds{};
  for (const SymbolicExpr::Term &term : expr.getTerms()) {
    std::optional<Bounds> product = Bounds{1, 1};
    for (const SymbolicExpr::Atom &factor : term.factors) {
      std::optional<Bounds> bounds = boundsOf(factor);
      product = product && bounds ? multiply(*product, *bounds) : std::nullopt;
    }
    if (product)
      product = multiply(*product, {term.coefficient, term.coefficient});
    sum = sum && product ? add(*sum, *product) : std::nullopt;
  }
  return sum;
}

std::optional<int64_t> SymbolRanges::maxOf(const SymbolicExpr &expr) const {
  std::optional<Bounds> bounds = boundsOf(expr);
  return bounds ? std::optional(std::max<int64_t>(bounds->max, 0)) : std::nullopt;
}

std::optional<int64_t> SymbolRanges::maxOf(ArrayRef<SymbolicExpr> exprs) const {
  std::optional<int64_t> maximum = 0;
  for (const SymbolicExpr &expr : exprs) {
    std::optional<int64_t> one = maxOf(expr);
    maximum = maximum && one ? std::optional(std::max(*maximum, *one)) : std::nullopt;
  }
  return maximum;
}

llvm::DenseSet<StringAttr> kiln::graph::usedSymbols(ModuleOp module) {
  llvm::DenseSet<StringAttr> used;
  AttrTypeWalker walker;
  walker.addWalk([&](ShapeAttr shape) {
    used.insert(shape.getSymbols().begin(), shape.getSymbols().end());
  });
  module.walk([&](Operation *op) {
    walker.walk(op->getAttrDictionary());
    for (Type type : op->getResultTypes())
      walker.walk(type);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          walker.walk(type);
  });
  return used;
}
