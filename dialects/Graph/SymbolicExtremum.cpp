//===- SymbolicExtremum.cpp - Minima and maxima of expressions ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/SymbolicExpr.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace kiln::graph;
using namespace mlir;
using Atom = SymbolicExpr::Atom;
using AtomKind = SymbolicExpr::AtomKind;
using Term = SymbolicExpr::Term;

/// Returns the greatest common divisor of the coefficients.
static int64_t commonFactor(const SymbolicExpr &expr) {
  int64_t factor = 0;
  for (const Term &term : expr.getTerms())
    factor = std::gcd(factor, term.coefficient);
  return factor;
}

/// Returns the atoms that are factors of every term and never negative: max(n * x, 0) is
/// n * max(x, 0).
static SmallVector<Atom, 2> commonAtoms(const SymbolicExpr &expr) {
  SmallVector<Atom, 2> common;
  for (const Atom &atom : expr.getTerms().front().factors)
    if (SymbolicExpr::fromAtom(atom).dominates(0))
      common.push_back(atom);
  for (const Term &term : expr.getTerms()) {
    SmallVector<Atom, 2> rest(term.factors), both;
    for (const Atom &atom : common) {
      auto *it = llvm::find_if(rest, [&](const Atom &x) { return !x.compare(atom); });
      if (it == rest.end())
        continue;
      both.push_back(atom);
      rest.erase(it);
    }
    common = both;
  }
  return common;
}

/// Returns max(expr, 0). max(x, 0) and max(-x, 0) differ by x; only one of them is an
/// atom.
SymbolicExpr SymbolicExpr::positivePart(const SymbolicExpr &expr) {
  SymbolicExpr opposite = SymbolicExpr(0) - expr;
  if (expr.dominates(0))
    return expr;
  if (opposite.dominates(0))
    return 0;
  if (expr.terms.front().coefficient < 0)
    return expr + positivePart(opposite);
  SymbolicExpr factor = commonFactor(expr);
  for (const Atom &common : commonAtoms(expr))
    factor *= fromAtom(common);
  return atom(AtomKind::Max, *expr.exactDiv(factor), 0) * factor;
}

SymbolicExpr SymbolicExpr::max(const SymbolicExpr &a, const SymbolicExpr &b) {
  // The difference of two constants may overflow, so they are compared directly.
  if (auto x = a.getConstant(), y = b.getConstant(); x && y)
    return std::max(*x, *y);
  return b + positivePart(a - b);
}

SymbolicExpr SymbolicExpr::min(const SymbolicExpr &a, const SymbolicExpr &b) {
  if (auto x = a.getConstant(), y = b.getConstant(); x && y)
    return std::min(*x, *y);
  return a - positivePart(a - b);
}

/// Nesting depth of maxima.
static unsigned depthOf(const SymbolicExpr &expr) {
  unsigned depth = 0;
  for (const Term &term : expr.getTerms())
    for (const Atom &atom : term.factors)
      if (atom.kind != AtomKind::Symbol)
        depth = std::max(depth, depthOf(*atom.lhs) + (atom.kind == AtomKind::Max));
  return depth;
}

/// Returns the first maximum with the deepest nesting, the outermost one: for max(x +
/// max(-x, 0), 0) the inner one must not be chosen.
static const Atom *findMax(const SymbolicExpr &expr) {
  const Atom *found = nullptr;
  unsigned deepest = 0;
  for (const Term &term : expr.getTerms())
    for (const Atom &atom : term.factors)
      if (atom.kind == AtomKind::Max && depthOf(*atom.lhs) + 1 > deepest) {
        found = &atom;
        deepest = depthOf(*atom.lhs) + 1;
      }
  return found;
}

/// Splits `expr` into rest + factor * max(x, 0), which is max(rest, rest + factor * x) if
/// the factor is never negative and min(rest, rest + factor * x) if it is never positive.
std::optional<SymbolicExpr::Extremum> SymbolicExpr::getExtremum() const {
  const Atom *chosen = findMax(*this);
  if (!chosen)
    return std::nullopt;
  SymbolicExpr factor, rest;
  for (const Term &term : terms) {
    auto isChosen = [&](const Atom &atom) { return atom.compare(*chosen) == 0; };
    if (llvm::count_if(term.factors, isChosen) > 1)
      return std::nullopt;
    Term other = term;
    const auto *it = llvm::find_if(other.factors, isChosen);
    bool isFactor = it != other.factors.end();
    if (isFactor)
      other.factors.erase(it);
    (isFactor ? factor : rest).addTerm(std::move(other));
  }
  bool isMax = factor.dominates(0);
  if (!isMax && !SymbolicExpr(0).dominates(factor))
    return std::nullopt;
  return Extremum{isMax, rest, rest + factor * *chosen->lhs};
}
