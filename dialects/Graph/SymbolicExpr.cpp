//===- SymbolicExpr.cpp - Integer expressions over symbols ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/SymbolicExpr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace kiln::graph;
using namespace mlir;
using mlir::AffineExpr;
using mlir::AffineExprKind;
using mlir::StringAttr;
using Atom = SymbolicExpr::Atom;
using AtomKind = SymbolicExpr::AtomKind;
using Term = SymbolicExpr::Term;

//===----------------------------------------------------------------------===//
// Order of terms
//===----------------------------------------------------------------------===//

int Atom::compare(const Atom &other) const {
  if (kind != other.kind)
    return kind < other.kind ? -1 : 1;
  if (kind == AtomKind::Symbol)
    return symbol.getValue().compare(other.symbol.getValue());
  if (int order = lhs->compare(*other.lhs))
    return order;
  return rhs->compare(*other.rhs);
}

static int compareFactors(ArrayRef<Atom> lhs, ArrayRef<Atom> rhs) {
  // Higher degrees come first, so that constants print last.
  if (lhs.size() != rhs.size())
    return lhs.size() > rhs.size() ? -1 : 1;
  for (auto [a, b] : llvm::zip(lhs, rhs))
    if (int order = a.compare(b))
      return order;
  return 0;
}

int SymbolicExpr::compare(const SymbolicExpr &rhs) const {
  if (terms.size() != rhs.terms.size())
    return terms.size() < rhs.terms.size() ? -1 : 1;
  for (auto [a, b] : llvm::zip(terms, rhs.terms)) {
    if (int order = compareFactors(a.factors, b.factors))
      return order;
    if (a.coefficient != b.coefficient)
      return a.coefficient < b.coefficient ? -1 : 1;
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// Ring operations
//===----------------------------------------------------------------------===//

/// The sum and the product, or the nearest coefficient there can be: from it, bounds and
/// values overflow as well, which is refused.
static int64_t addCoefficients(int64_t a, int64_t b) {
  int64_t sum;
  if (!llvm::AddOverflow(a, b, sum) && sum != std::numeric_limits<int64_t>::min())
    return sum;
  return a < 0 ? -std::numeric_limits<int64_t>::max()
               : std::numeric_limits<int64_t>::max();
}
static int64_t multiplyCoefficients(int64_t a, int64_t b) {
  int64_t product;
  if (!llvm::MulOverflow(a, b, product) && product != std::numeric_limits<int64_t>::min())
    return product;
  return (a < 0) != (b < 0) ? -std::numeric_limits<int64_t>::max()
                            : std::numeric_limits<int64_t>::max();
}

SymbolicExpr::SymbolicExpr(int64_t constant) {
  if (constant)
    terms.push_back({constant, {}});
}

SymbolicExpr SymbolicExpr::symbol(StringAttr name) {
  SymbolicExpr expr;
  expr.terms.push_back({1, {Atom{AtomKind::Symbol, name, nullptr, nullptr}}});
  return expr;
}

void SymbolicExpr::addTerm(Term term) {
  if (!term.coefficient)
    return;
  auto *it = llvm::lower_bound(terms, term, [](const Term &a, const Term &b) {
    return compareFactors(a.factors, b.factors) < 0;
  });
  if (it == terms.end() || compareFactors(it->factors, term.factors)) {
    terms.insert(it, std::move(term));
    return;
  }
  it->coefficient = addCoefficients(it->coefficient, term.coefficient);
  if (!it->coefficient)
    terms.erase(it);
}

SymbolicExpr SymbolicExpr::operator+(const SymbolicExpr &rhs) const {
  SymbolicExpr sum = *this;
  for (const Term &term : rhs.terms)
    sum.addTerm(term);
  return sum;
}

SymbolicExpr SymbolicExpr::operator-(const SymbolicExpr &rhs) const {
  return *this + rhs * SymbolicExpr(-1);
}

SymbolicExpr SymbolicExpr::operator*(const SymbolicExpr &rhs) const {
  SymbolicExpr product;
  for (const Term &a : terms)
    for (const Term &b : rhs.terms) {
      Term term{multiplyCoefficients(a.coefficient, b.coefficient), a.factors};
      llvm::append_range(term.factors, b.factors);
      llvm::sort(term.factors, [](const Atom &x, const Atom &y) {
        return x.compare(y) < 0;
      });
      product.addTerm(std::move(term));
    }
  return product;
}

//===----------------------------------------------------------------------===//
// floordiv and mod
//===----------------------------------------------------------------------===//

/// Returns the factors of `term` without those of `divisor`; nullopt unless all of those
/// occur.
static std::optional<SmallVector<Atom, 2>> removeFactors(ArrayRef<Atom> factors,
                                                         ArrayRef<Atom> divisor) {
  SmallVector<Atom, 2> rest(factors.begin(), factors.end());
  for (const Atom &atom : divisor) {
    auto *it = llvm::find_if(rest, [&](const Atom &x) { return !x.compare(atom); });
    if (it == rest.end())
      return std::nullopt;
    rest.erase(it);
  }
  return rest;
}

/// Polynomial long division by leading terms: terms are sorted by degree, then by
/// factors, an order that multiplication preserves.
static std::optional<SymbolicExpr> divideByPolynomial(SymbolicExpr rest,
                                                      const SymbolicExpr &divisor) {
  constexpr int kMaxTerms = 64;
  SymbolicExpr quotient, leading = SymbolicExpr::fromTerm(divisor.getTerms().front());
  for (int i = 0; i < kMaxTerms && !rest.getTerms().empty(); ++i) {
    auto next = SymbolicExpr::fromTerm(rest.getTerms().front()).exactDiv(leading);
    if (!next)
      return std::nullopt;
    quotient += *next;
    rest = rest - *next * divisor;
  }
  return rest.getTerms().empty() ? std::optional(quotient) : std::nullopt;
}

std::optional<SymbolicExpr> SymbolicExpr::exactDiv(const SymbolicExpr &rhs) const {
  if (*this == rhs && !terms.empty())
    return SymbolicExpr(1);
  if (rhs.terms.size() > 1)
    return divideByPolynomial(*this, rhs);
  if (rhs.terms.empty())
    return std::nullopt;
  const Term &divisor = rhs.terms.front();
  SymbolicExpr quotient;
  for (const Term &term : terms) {
    auto rest = removeFactors(term.factors, divisor.factors);
    if (!rest || term.coefficient % divisor.coefficient)
      return std::nullopt;
    quotient.addTerm({term.coefficient / divisor.coefficient, *rest});
  }
  return quotient;
}

SymbolicExpr SymbolicExpr::atom(AtomKind kind, SymbolicExpr lhs, SymbolicExpr rhs) {
  SymbolicExpr expr;
  expr.terms.push_back(
      {1, {Atom{kind, {}, std::make_shared<const SymbolicExpr>(std::move(lhs)),
                std::make_shared<const SymbolicExpr>(std::move(rhs))}}});
  return expr;
}

/// Splits an expression into its constant term and the other terms.
static std::pair<int64_t, SymbolicExpr> splitConstant(const SymbolicExpr &expr) {
  for (const SymbolicExpr::Term &term : expr.getTerms())
    if (term.factors.empty())
      return {term.coefficient, expr - SymbolicExpr(term.coefficient)};
  return {0, expr};
}

/// Consecutive convolutions make nested floordivs, which models spell otherwise than the
/// importer; equal shapes must be equal expressions:
///   (x floordiv a + c) floordiv b = (x + a * c) floordiv (a * b)
///   (x + c) floordiv b = (x + c mod b) floordiv b + c floordiv b
/// The second holds only where no dividend becomes negative: division in generated code
/// rounds toward zero.
static std::optional<SymbolicExpr> simplifyQuotient(const SymbolicExpr &expr,
                                                    int64_t divisor) {
  constexpr int64_t kLimit = INT32_MAX;
  auto [constant, rest] = splitConstant(expr);
  if (std::abs(constant) > kLimit || divisor > kLimit)
    return std::nullopt;
  ArrayRef<SymbolicExpr::Term> terms = rest.getTerms();
  if (terms.size() == 1 && terms[0].coefficient == 1 && terms[0].factors.size() == 1 &&
      terms[0].factors[0].kind == SymbolicExpr::AtomKind::FloorDiv) {
    const SymbolicExpr::Atom &inner = terms[0].factors[0];
    std::optional<int64_t> by = inner.rhs->getConstant();
    if (by && *by > 0 && *by <= kLimit / divisor)
      return (*inner.lhs + SymbolicExpr(*by * constant)).floorDiv(*by * divisor);
  }
  int64_t whole = llvm::divideFloorSigned(constant, divisor);
  bool grows = llvm::all_of(
      terms, [](const SymbolicExpr::Term &term) { return term.coefficient > 0; });
  if (whole == 0 || (whole > 0 && !grows))
    return std::nullopt;
  return (rest + SymbolicExpr(constant - whole * divisor)).floorDiv(divisor) +
         SymbolicExpr(whole);
}

/// x + (-x mod b) is x rounded up to a multiple of b; divided by b it becomes x ceildiv
/// b, so that a model's padding to entire blocks equals the importer's expression.
static std::optional<SymbolicExpr> roundedUp(const SymbolicExpr &expr, int64_t divisor) {
  for (const SymbolicExpr::Term &term : expr.getTerms()) {
    if (term.coefficient != 1 || term.factors.size() != 1 ||
        term.factors[0].kind != SymbolicExpr::AtomKind::Mod ||
        !term.factors[0].rhs->isConstant(divisor))
      continue;
    const SymbolicExpr &remainder = *term.factors[0].lhs;
    SymbolicExpr rest = expr - remainder.mod(divisor);
    if ((rest + remainder).exactDiv(divisor))
      return rest.ceilDiv(divisor);
  }
  return std::nullopt;
}

SymbolicExpr SymbolicExpr::floorDiv(const SymbolicExpr &rhs) const {
  if (auto exact = exactDiv(rhs))
    return *exact;
  auto a = getConstant(), b = rhs.getConstant();
  if (a && b && *b > 0)
    return llvm::divideFloorSigned(*a, *b);
  if (b && *b > 0) {
    if (std::optional<SymbolicExpr> ceil = roundedUp(*this, *b))
      return *ceil;
    if (std::optional<SymbolicExpr> simpler = simplifyQuotient(*this, *b))
      return *simpler;
  }
  return atom(AtomKind::FloorDiv, *this, rhs);
}

SymbolicExpr SymbolicExpr::ceilDiv(const SymbolicExpr &rhs) const {
  if (auto exact = exactDiv(rhs))
    return *exact;
  auto a = getConstant(), b = rhs.getConstant();
  if (a && b && *b > 0)
    return llvm::divideCeilSigned(*a, *b);
  return atom(AtomKind::CeilDiv, *this, rhs);
}

SymbolicExpr SymbolicExpr::mod(const SymbolicExpr &rhs) const {
  if (exactDiv(rhs))
    return SymbolicExpr(0);
  auto a = getConstant(), b = rhs.getConstant();
  if (a && b && *b > 0)
    return llvm::mod(*a, *b);
  if (!b || *b <= 0)
    return atom(AtomKind::Mod, *this, rhs);
  // Coefficients are reduced modulo b too: -s mod 128 becomes 127 * s mod 128, whose
  // terms are not negative.
  SymbolicExpr positive;
  for (Term term : terms) {
    term.coefficient = llvm::mod(term.coefficient, *b);
    positive.addTerm(std::move(term));
  }
  return positive.isConstant() ? positive : atom(AtomKind::Mod, positive, rhs);
}

SymbolicExpr SymbolicExpr::apply(AtomKind kind, const SymbolicExpr &a,
                                 const SymbolicExpr &b) {
  switch (kind) {
  case AtomKind::FloorDiv:
    return a.floorDiv(b);
  case AtomKind::CeilDiv:
    return a.ceilDiv(b);
  case AtomKind::Mod:
    return a.mod(b);
  case AtomKind::Max:
    return max(a, b);
  case AtomKind::Symbol:
    break;
  }
  llvm_unreachable("a symbol has no sides");
}

SymbolicExpr SymbolicExpr::fromAtom(const Atom &atom) {
  return atom.kind == AtomKind::Symbol ? symbol(atom.symbol)
                                       : apply(atom.kind, *atom.lhs, *atom.rhs);
}

SymbolicExpr SymbolicExpr::fromTerm(const Term &term) {
  SymbolicExpr product = term.coefficient;
  for (const Atom &atom : term.factors)
    product *= fromAtom(atom);
  return product;
}

SymbolicExpr SymbolicExpr::alignTo(int64_t alignment) const {
  return ceilDiv(alignment) * SymbolicExpr(alignment);
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

std::optional<int64_t> SymbolicExpr::getConstant() const {
  if (terms.empty())
    return 0;
  if (terms.size() == 1 && terms.front().factors.empty())
    return terms.front().coefficient;
  return std::nullopt;
}

StringAttr SymbolicExpr::getSymbol() const {
  if (terms.size() != 1 || terms[0].coefficient != 1 || terms[0].factors.size() != 1)
    return {};
  return terms[0].factors[0].symbol;
}

static void collectSymbols(const SymbolicExpr &expr, SmallVectorImpl<StringAttr> &out) {
  for (const Term &term : expr.getTerms())
    for (const Atom &atom : term.factors) {
      if (atom.kind == AtomKind::Symbol) {
        out.push_back(atom.symbol);
        continue;
      }
      collectSymbols(*atom.lhs, out);
      collectSymbols(*atom.rhs, out);
    }
}

SmallVector<StringAttr> SymbolicExpr::getSymbols() const {
  SmallVector<StringAttr> symbols;
  collectSymbols(*this, symbols);
  llvm::sort(symbols, [](StringAttr a, StringAttr b) { return a.getValue() < b.getValue(); });
  symbols.erase(llvm::unique(symbols), symbols.end());
  return symbols;
}

static bool isNeverNegative(const SymbolicExpr &expr);

/// A floordiv is negative where its dividend is; mod and max with 0 never are.
static bool isNeverNegative(const Atom &atom) {
  return atom.kind == AtomKind::Symbol || atom.kind == AtomKind::Mod ||
         atom.kind == AtomKind::Max || isNeverNegative(*atom.lhs);
}

static bool isNeverNegative(const SymbolicExpr &expr) {
  bool byTerms = llvm::all_of(expr.getTerms(), [](const Term &term) {
    return term.coefficient >= 0 &&
           llvm::all_of(term.factors, [](const Atom &atom) { return isNeverNegative(atom); });
  });
  if (byTerms)
    return true;
  std::optional<SymbolicExpr::Extremum> sides = expr.getExtremum();
  if (!sides)
    return false;
  return sides->isMax ? isNeverNegative(sides->a) || isNeverNegative(sides->b)
                      : isNeverNegative(sides->a) && isNeverNegative(sides->b);
}

bool SymbolicExpr::dominates(const SymbolicExpr &rhs) const {
  return isNeverNegative(*this - rhs);
}

static std::optional<int64_t>
evaluateAtom(const Atom &atom, function_ref<int64_t(StringAttr)> valueOf) {
  if (atom.kind == AtomKind::Symbol)
    return valueOf(atom.symbol);
  auto a = atom.lhs->evaluate(valueOf), b = atom.rhs->evaluate(valueOf);
  if (a && b && atom.kind == AtomKind::Max)
    return std::max(*a, *b);
  if (!a || !b || *b <= 0)
    return std::nullopt;
  switch (atom.kind) {
  case AtomKind::FloorDiv:
    return llvm::divideFloorSigned(*a, *b);
  case AtomKind::CeilDiv:
    return llvm::divideCeilSigned(*a, *b);
  default:
    return llvm::mod(*a, *b);
  }
}

std::optional<int64_t>
SymbolicExpr::evaluate(function_ref<int64_t(StringAttr)> valueOf) const {
  int64_t sum = 0;
  for (const Term &term : terms) {
    int64_t product = term.coefficient;
    for (const Atom &atom : term.factors) {
      auto value = evaluateAtom(atom, valueOf);
      if (!value || llvm::MulOverflow(product, *value, product))
        return std::nullopt;
    }
    if (llvm::AddOverflow(sum, product, sum))
      return std::nullopt;
  }
  return sum;
}

/// Returns the expression with every atom of its terms replaced.
static SymbolicExpr mapAtoms(const SymbolicExpr &expr,
                             function_ref<SymbolicExpr(const Atom &)> map) {
  SymbolicExpr result;
  for (const Term &term : expr.getTerms()) {
    SymbolicExpr product = term.coefficient;
    for (const Atom &atom : term.factors)
      product *= map(atom);
    result += product;
  }
  return result;
}

SymbolicExpr SymbolicExpr::substitute(
    function_ref<std::optional<SymbolicExpr>(StringAttr)> map) const {
  return mapAtoms(*this, [&](const Atom &atom) -> SymbolicExpr {
    if (atom.kind == AtomKind::Symbol)
      return map(atom.symbol).value_or(symbol(atom.symbol));
    return apply(atom.kind, atom.lhs->substitute(map), atom.rhs->substitute(map));
  });
}

SymbolicExpr SymbolicExpr::resolveMaxima(
    function_ref<std::optional<bool>(const SymbolicExpr &)> isPositive) const {
  return mapAtoms(*this, [&](const Atom &atom) -> SymbolicExpr {
    if (atom.kind == AtomKind::Symbol)
      return fromAtom(atom);
    SymbolicExpr a = atom.lhs->resolveMaxima(isPositive);
    std::optional<bool> side = atom.kind == AtomKind::Max ? isPositive(a) : std::nullopt;
    if (side)
      return *side ? a : SymbolicExpr(0);
    return apply(atom.kind, a, atom.rhs->resolveMaxima(isPositive));
  });
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// Affine expressions have no max, but x floordiv 2^62 is -1 for x < 0 and 0 otherwise,
/// so max(x, 0) is written as x * (x floordiv 2^62 + 1).
static constexpr int64_t kSignDivisor = int64_t(1) << 62;

/// True if `expr` is x floordiv 2^62 + 1.
static bool isSignOf(const SymbolicExpr &expr, const SymbolicExpr &x) {
  ArrayRef<Term> terms = expr.getTerms();
  bool isSum = terms.size() == 2 && terms[1].factors.empty() && terms[1].coefficient == 1;
  if (!isSum || terms[0].coefficient != 1 || terms[0].factors.size() != 1)
    return false;
  const Atom &atom = terms[0].factors[0];
  return atom.kind == AtomKind::FloorDiv && atom.rhs->isConstant(kSignDivisor) &&
         *atom.lhs == x;
}

static AffineExpr atomToAffine(const Atom &atom, ArrayRef<StringAttr> symbols,
                               mlir::MLIRContext *context) {
  if (atom.kind == AtomKind::Symbol) {
    const auto *it = llvm::find(symbols, atom.symbol);
    assert(it != symbols.end() && "symbol missing from the list");
    return mlir::getAffineSymbolExpr(it - symbols.begin(), context);
  }
  AffineExpr a = atom.lhs->toAffine(symbols, context);
  if (atom.kind == AtomKind::Max)
    return a * (a.floorDiv(kSignDivisor) + 1);
  AffineExpr b = atom.rhs->toAffine(symbols, context);
  if (atom.kind == AtomKind::FloorDiv)
    return a.floorDiv(b);
  return atom.kind == AtomKind::CeilDiv ? a.ceilDiv(b) : a % b;
}

AffineExpr SymbolicExpr::toAffine(ArrayRef<StringAttr> symbols,
                                  mlir::MLIRContext *context) const {
  AffineExpr sum;
  for (const Term &term : terms) {
    AffineExpr product;
    for (const Atom &atom : term.factors) {
      AffineExpr factor = atomToAffine(atom, symbols, context);
      product = product ? product * factor : factor;
    }
    product = product ? product * term.coefficient
                      : mlir::getAffineConstantExpr(term.coefficient, context);
    sum = sum ? sum + product : product;
  }
  return sum ? sum : mlir::getAffineConstantExpr(0, context);
}

SymbolicExpr SymbolicExpr::fromAffine(AffineExpr expr, ArrayRef<StringAttr> symbols) {
  if (auto constant = dyn_cast<mlir::AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto sym = dyn_cast<mlir::AffineSymbolExpr>(expr))
    return symbol(symbols[sym.getPosition()]);
  auto binary = cast<mlir::AffineBinaryOpExpr>(expr);
  SymbolicExpr a = fromAffine(binary.getLHS(), symbols);
  SymbolicExpr b = fromAffine(binary.getRHS(), symbols);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return a + b;
  case AffineExprKind::Mul:
    return isSignOf(b, a) ? max(a, 0) : isSignOf(a, b) ? max(b, 0) : a * b;
  case AffineExprKind::FloorDiv:
    return a.floorDiv(b);
  case AffineExprKind::CeilDiv:
    return a.ceilDiv(b);
  default:
    return a.mod(b);
  }
}

static std::string printAtom(const Atom &atom) {
  if (atom.kind == AtomKind::Symbol)
    return atom.symbol.str();
  if (atom.kind == AtomKind::Max)
    return "max(" + atom.lhs->str() + ", " + atom.rhs->str() + ")";
  StringRef name = atom.kind == AtomKind::FloorDiv  ? " floordiv "
                   : atom.kind == AtomKind::CeilDiv ? " ceildiv "
                                                    : " mod ";
  auto parenthesised = [](const SymbolicExpr &e) {
    bool simple = e.isConstant() || e.getSymbol();
    return simple ? e.str() : "(" + e.str() + ")";
  };
  return "(" + parenthesised(*atom.lhs) + name.str() + parenthesised(*atom.rhs) + ")";
}

std::string SymbolicExpr::str() const {
  if (terms.empty())
    return "0";
  if (std::optional<Extremum> sides = getExtremum())
    return (sides->isMax ? "max(" : "min(") + sides->a.str() + ", " + sides->b.str() +
           ")";
  std::string text;
  for (const Term &term : terms) {
    int64_t coefficient = term.coefficient;
    if (!text.empty()) {
      text += coefficient < 0 ? " - " : " + ";
      coefficient = std::abs(coefficient);
    }
    SmallVector<std::string> parts;
    if (coefficient != 1 || term.factors.empty())
      parts.push_back(std::to_string(coefficient));
    for (const Atom &atom : term.factors)
      parts.push_back(printAtom(atom));
    text += llvm::join(parts, " * ");
  }
  return text;
}
