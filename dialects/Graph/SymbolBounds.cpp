//===- SymbolBounds.cpp - What a dim can be -------------------------------===//
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

/// Extremes of products are at corners.
static std::optional<Bounds> multiply(Bounds a, Bounds b) {
  Bounds result{std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()};
  for (int64_t x : {a.least, a.most})
    for (int64_t y : {b.least, b.most}) {
      int64_t product;
      if (llvm::MulOverflow(x, y, product))
        return std::nullopt;
      result.least = std::min(result.least, product);
      result.most = std::max(result.most, product);
    }
  return result;
}

static std::optional<Bounds> add(Bounds a, Bounds b) {
  Bounds sum;
  if (llvm::AddOverflow(a.least, b.least, sum.least) ||
      llvm::AddOverflow(a.most, b.most, sum.most))
    return std::nullopt;
  return sum;
}

/// A quotient goes up with its dividend, and one way or the other with its divisor.
static Bounds divide(Bounds a, Bounds b, int64_t (*quotient)(int64_t, int64_t)) {
  return {std::min(quotient(a.least, b.least), quotient(a.least, b.most)),
          std::max(quotient(a.most, b.least), quotient(a.most, b.most))};
}

static int64_t floorDiv(int64_t a, int64_t b) { return llvm::divideFloorSigned(a, b); }
static int64_t ceilDiv(int64_t a, int64_t b) { return llvm::divideCeilSigned(a, b); }

static Bounds remainder(Bounds a, Bounds b) {
  // Within one period of a divisor that stands still, it ascends with the dividend.
  int64_t period = floorDiv(a.least, b.least);
  if (b.least == b.most && period == floorDiv(a.most, b.least))
    return {a.least - period * b.least, a.most - period * b.least};
  int64_t most = b.most - 1;
  return {0, a.least >= 0 ? std::min(a.most, most) : most};
}

std::optional<Bounds> SymbolRanges::boundsOf(const SymbolicExpr::Atom &atom) const {
  if (atom.kind == AtomKind::Symbol) {
    auto it = ranges.find(atom.symbol);
    return it == ranges.end() ? std::nullopt : std::optional(it->second);
  }
  std::optional<Bounds> a = boundsOf(*atom.lhs), b = boundsOf(*atom.rhs);
  if (!a || !b || b->least <= 0)
    return std::nullopt;
  if (atom.kind == AtomKind::Mod)
    return remainder(*a, *b);
  return divide(*a, *b, atom.kind == AtomKind::FloorDiv ? floorDiv : ceilDiv);
}

std::optional<Bounds> SymbolRanges::boundsOf(const SymbolicExpr &expr) const {
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

std::optional<int64_t> SymbolRanges::mostOf(const SymbolicExpr &expr) const {
  std::optional<Bounds> bounds = boundsOf(expr);
  return bounds ? std::optional(std::max<int64_t>(bounds->most, 0)) : std::nullopt;
}

std::optional<int64_t> SymbolRanges::mostOf(ArrayRef<SymbolicExpr> exprs) const {
  std::optional<int64_t> most = 0;
  for (const SymbolicExpr &expr : exprs) {
    std::optional<int64_t> one = mostOf(expr);
    most = most && one ? std::optional(std::max(*most, *one)) : std::nullopt;
  }
  return most;
}
