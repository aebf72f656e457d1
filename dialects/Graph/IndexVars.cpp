//===- IndexVars.cpp - Variables of index expressions ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/IndexVars.h"

using namespace kiln::graph;
using namespace mlir;
using Atom = SymbolicExpr::Atom;
using AtomKind = SymbolicExpr::AtomKind;
using Term = SymbolicExpr::Term;

bool kiln::graph::isVariable(StringAttr name) {
  return name.getValue().starts_with("%") || name.getValue().starts_with("$");
}

bool kiln::graph::mentions(const SymbolicExpr &expr, StringAttr name) {
  return llvm::is_contained(expr.getSymbols(), name);
}

//===----------------------------------------------------------------------===//
// Grouping of terms
//===----------------------------------------------------------------------===//

static SymbolicExpr product(int64_t coefficient, ArrayRef<Atom> factors) {
  SymbolicExpr result = coefficient;
  for (const Atom &atom : factors)
    result *= SymbolicExpr::fromAtom(atom);
  return result;
}

/// True if the atom's value changes within a kernel.
static bool varies(const Atom &atom) {
  if (atom.kind == AtomKind::Symbol)
    return isVariable(atom.symbol);
  return llvm::any_of(atom.lhs->getSymbols(), isVariable) ||
         llvm::any_of(atom.rhs->getSymbols(), isVariable);
}

static bool varies(const Term &term) {
  return llvm::any_of(term.factors, [](const Atom &atom) { return varies(atom); });
}

namespace {
/// coefficient * varying, with a coefficient that is free of variables.
struct Group {
  SymbolicExpr coefficient, varying;
};
} // namespace

/// Groups the terms of an index by the factors that vary within a kernel.
static std::vector<Group> groupTerms(const SymbolicExpr &expr) {
  std::vector<Group> groups;
  for (const Term &term : expr.getTerms()) {
    SmallVector<Atom> fixed, varying;
    for (const Atom &atom : term.factors)
      (varies(atom) ? varying : fixed).push_back(atom);
    SymbolicExpr key = product(1, varying);
    auto it = llvm::find_if(groups, [&](const Group &g) { return g.varying == key; });
    if (it == groups.end())
      it = groups.insert(groups.end(), Group{SymbolicExpr(0), key});
    it->coefficient += product(term.coefficient, fixed);
  }
  return groups;
}

std::optional<SymbolicExpr> kiln::graph::coefficientOf(const SymbolicExpr &expr,
                                                       StringAttr name) {
  SymbolicExpr coefficient;
  for (const Term &term : expr.getTerms()) {
    SmallVector<Atom> rest;
    int occurrences = 0;
    for (const Atom &atom : term.factors) {
      if (atom.kind == AtomKind::Symbol && atom.symbol == name)
        ++occurrences;
      else if (mentions(SymbolicExpr::fromAtom(atom), name))
        return std::nullopt;
      else
        rest.push_back(atom);
    }
    if (occurrences > 1)
      return std::nullopt;
    if (occurrences == 1)
      coefficient += product(term.coefficient, rest);
  }
  return coefficient;
}

std::optional<SymbolicExpr> kiln::graph::findDivisor(const SymbolicExpr &expr,
                                                     StringAttr name) {
  for (const Term &term : expr.getTerms())
    for (const Atom &atom : term.factors) {
      if (atom.kind == AtomKind::Symbol || !mentions(*atom.lhs, name))
        continue;
      if (auto inner = findDivisor(*atom.lhs, name))
        return inner;
      if (llvm::none_of(atom.rhs->getSymbols(), isVariable))
        return *atom.rhs;
    }
  return std::nullopt;
}

SymbolicExpr kiln::graph::replace(const SymbolicExpr &expr, StringAttr name,
                                  const SymbolicExpr &by) {
  return expr.substitute([&](StringAttr symbol) -> std::optional<SymbolicExpr> {
    if (symbol == name)
      return by;
    return std::nullopt;
  });
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

StringAttr IndexVars::add(const Twine &name, SymbolicExpr extent) {
  auto symbol = StringAttr::get(context, name);
  extents[symbol] = std::move(extent);
  return symbol;
}

StringAttr IndexVars::addNumbered(StringRef prefix, SymbolicExpr extent) {
  unsigned number = llvm::count_if(extents, [&](const auto &known) {
    return known.first.getValue().starts_with(prefix);
  });
  return add(prefix + Twine(number), std::move(extent));
}

Dims IndexVars::addPlaces(ArrayRef<SymbolicExpr> dims) {
  Dims places;
  for (const SymbolicExpr &dim : dims)
    places.push_back(dim.isConstant(1) ? SymbolicExpr(0)
                                       : SymbolicExpr::symbol(addLoop(dim)));
  return places;
}

SymbolicExpr IndexVars::upperBound(const Atom &atom) const {
  if (!varies(atom))
    return SymbolicExpr::fromAtom(atom);
  switch (atom.kind) {
  case AtomKind::Symbol:
    return extentOf(atom.symbol) - 1;
  case AtomKind::Mod:
    return upperBound(*atom.rhs) - 1;
  case AtomKind::FloorDiv:
    return upperBound(*atom.lhs).floorDiv(*atom.rhs);
  case AtomKind::CeilDiv:
    return upperBound(*atom.lhs).ceilDiv(*atom.rhs);
  case AtomKind::Max:
    return SymbolicExpr::max(upperBound(*atom.lhs), *atom.rhs);
  }
  llvm_unreachable("all kinds handled");
}

SymbolicExpr IndexVars::upperBound(const SymbolicExpr &expr) const {
  SymbolicExpr bound;
  for (const Term &term : expr.getTerms()) {
    // A negative term that varies is at most 0, so it is dropped from the upper bound.
    if (term.coefficient < 0 && varies(term))
      continue;
    SymbolicExpr value = term.coefficient;
    for (const Atom &atom : term.factors)
      value *= upperBound(atom);
    bound += value;
  }
  return bound;
}

SymbolicExpr IndexVars::lowerBound(const SymbolicExpr &expr) const {
  SymbolicExpr bound;
  for (const Term &term : expr.getTerms()) {
    if (term.coefficient > 0 && varies(term))
      continue; // >= 0
    SymbolicExpr value = term.coefficient;
    for (const Atom &atom : term.factors)
      value *= upperBound(atom);
    bound += value;
  }
  return bound;
}

SymbolicExpr IndexVars::shortfall(const SymbolicExpr &expr,
                                  const SymbolicExpr &divisor) const {
  SymbolicExpr lowest = lowerBound(expr), negative;
  if (lowest.dominates(SymbolicExpr(0)))
    return 0;
  auto constant = lowest.getConstant(), size = divisor.getConstant();
  if (constant && size && *size > 0)
    return llvm::divideCeil(-*constant, *size);
  for (const Term &term : expr.getTerms())
    if (term.coefficient < 0)
      negative += lowerBound(SymbolicExpr::fromTerm(term));
  return SymbolicExpr(0) - negative; // a divisor is at least 1
}

bool IndexVars::provablyAtLeast(const SymbolicExpr &expr,
                                const SymbolicExpr &limit) const {
  return lowerBound(expr - limit).dominates(SymbolicExpr(0));
}

bool IndexVars::provablyInside(const SymbolicExpr &expr,
                               const SymbolicExpr &limit) const {
  return expr.dominates(SymbolicExpr(0)) && (limit - 1).dominates(upperBound(expr));
}

//===----------------------------------------------------------------------===//
// Division and linearized positions
//===----------------------------------------------------------------------===//

std::pair<SymbolicExpr, SymbolicExpr>
IndexVars::divMod(const SymbolicExpr &index, const SymbolicExpr &divisor) const {
  if (divisor.isConstant(1))
    return {index, SymbolicExpr(0)};
  SymbolicExpr quotient, rest;
  for (const Group &group : groupTerms(index)) {
    if (auto exact = group.coefficient.exactDiv(divisor))
      quotient += *exact * group.varying;
    else
      rest += group.coefficient * group.varying;
  }
  // An index is >= 0 where it is used, but may be negative once multiples of the divisor
  // are split off: (3 * u + v - 1) with v = 0. Division in generated code rounds toward
  // zero, so the remainder is made >= 0 first.
  SymbolicExpr lacking = shortfall(rest, divisor);
  quotient = quotient - lacking;
  rest += lacking * divisor;
  if (provablyInside(rest, divisor))
    return {quotient, rest};
  return {quotient + rest.floorDiv(divisor), rest.mod(divisor)};
}

static size_t countQuotients(const SymbolicExpr &expr) {
  size_t count = 0;
  for (const Term &term : expr.getTerms())
    count += llvm::count_if(
        term.factors, [](const Atom &atom) { return atom.kind != AtomKind::Symbol; });
  return count;
}

/// Simplifies c * (n * (x floordiv n) + x mod n) + rest to c * x + rest, where the group
/// is c * (x mod n); nullopt if the expression is not of that form.
static std::optional<SymbolicExpr> joinQuotient(const SymbolicExpr &expr,
                                                const Group &group) {
  ArrayRef<Term> terms = group.varying.getTerms();
  if (terms.size() != 1 || terms[0].factors.size() != 1 ||
      terms[0].factors[0].kind != AtomKind::Mod)
    return std::nullopt;
  const SymbolicExpr &x = *terms[0].factors[0].lhs, &n = *terms[0].factors[0].rhs;
  SymbolicExpr apart = n * x.floorDiv(n) + group.varying;
  SymbolicExpr joined = expr + group.coefficient * (x - apart);
  if (countQuotients(joined) >= countQuotients(expr))
    return std::nullopt;
  return joined;
}

/// Joins floordiv and mod of the same expression, which one reshape introduces and a
/// later one undoes, as in front of a transpose.
static SymbolicExpr joinQuotients(SymbolicExpr expr) {
  for (bool found = true; found;) {
    found = false;
    for (const Group &group : groupTerms(expr))
      if (auto joined = joinQuotient(expr, group)) {
        expr = *joined;
        found = true;
        break;
      }
  }
  return expr;
}

SymbolicExpr IndexVars::linearize(ArrayRef<SymbolicExpr> indices,
                                  ArrayRef<SymbolicExpr> dims) {
  assert(indices.size() == dims.size() && "one index per dim");
  SymbolicExpr position;
  for (auto [index, dim] : llvm::zip(indices, dims))
    position = position * dim + index;
  return joinQuotients(position);
}

Dims IndexVars::delinearize(SymbolicExpr position, ArrayRef<SymbolicExpr> dims) const {
  Dims indices(dims.size());
  for (size_t i = dims.size(); i-- > 0;) {
    if (dims[i].isConstant(1))
      continue;
    if (i == 0) { // the index is within this dim, no mod needed
      indices[0] = position;
      break;
    }
    auto [quotient, rest] = divMod(position, dims[i]);
    indices[i] = rest;
    position = quotient;
  }
  return indices;
}

Dims kiln::graph::broadcastPlaces(ArrayRef<SymbolicExpr> places,
                                  ArrayRef<SymbolicExpr> operandDims) {
  Dims result;
  for (auto [place, dim] : llvm::zip(places.take_back(operandDims.size()), operandDims))
    result.push_back(dim.isConstant(1) ? SymbolicExpr(0) : place);
  return result;
}
