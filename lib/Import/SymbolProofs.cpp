//===- SymbolProofs.cpp - Proofs on expressions of dims -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Symbols.h"

#include <numeric>

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using mlir::StringAttr;

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

namespace {
/// An interval of 128-bit integers, saturated far below overflow.
struct Interval {
  __int128 lo, hi;
};
} // namespace

static __int128 saturate(__int128 value) {
  constexpr __int128 kLimit = __int128(1) << 62;
  return std::clamp(value, -kLimit, kLimit);
}

static Interval multiply(Interval a, Interval b) {
  __int128 products[] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
  return {saturate(*std::min_element(products, products + 4)),
          saturate(*std::max_element(products, products + 4))};
}

static __int128 floorDivide(__int128 a, __int128 b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/// Returns bounds of a quotient or remainder with a positive divisor.
static Interval divide(SymbolicExpr::AtomKind kind, Interval a, Interval b) {
  __int128 minimum = std::max<__int128>(b.lo, 1), maximum = std::max<__int128>(b.hi, 1);
  if (kind == SymbolicExpr::AtomKind::Mod)
    return {0, std::min(maximum - 1, a.lo >= 0 ? a.hi : maximum - 1)};
  __int128 up = kind == SymbolicExpr::AtomKind::CeilDiv;
  auto quotient = [&](__int128 x, __int128 y) {
    return up ? -floorDivide(-x, y) : floorDivide(x, y);
  };
  return {std::min(quotient(a.lo, minimum), quotient(a.lo, maximum)),
          std::max(quotient(a.hi, minimum), quotient(a.hi, maximum))};
}

using SymbolBounds = function_ref<Interval(StringAttr)>;

/// Returns bounds of the maximum or the minimum of two values.
static Interval extremum(bool isMax, Interval a, Interval b) {
  return isMax ? Interval{std::max(a.lo, b.lo), std::max(a.hi, b.hi)}
               : Interval{std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
}

static Interval intervalOf(const SymbolicExpr &expr, SymbolBounds ofSymbol);

static Interval intervalOf(const SymbolicExpr::Atom &atom, SymbolBounds ofSymbol) {
  if (atom.kind == SymbolicExpr::AtomKind::Symbol)
    return ofSymbol(atom.symbol);
  Interval a = intervalOf(*atom.lhs, ofSymbol), b = intervalOf(*atom.rhs, ofSymbol);
  return atom.kind == SymbolicExpr::AtomKind::Max ? extremum(/*isMax=*/true, a, b)
                                                  : divide(atom.kind, a, b);
}

static Interval intervalOf(const SymbolicExpr &expr, SymbolBounds ofSymbol) {
  if (std::optional<SymbolicExpr::Extremum> sides = expr.getExtremum())
    return extremum(sides->isMax, intervalOf(sides->a, ofSymbol),
                    intervalOf(sides->b, ofSymbol));
  Interval sum{0, 0};
  for (const SymbolicExpr::Term &term : expr.getTerms()) {
    Interval product{term.coefficient, term.coefficient};
    for (const SymbolicExpr::Atom &atom : term.factors)
      product = multiply(product, intervalOf(atom, ofSymbol));
    sum = {saturate(sum.lo + product.lo), saturate(sum.hi + product.hi)};
  }
  return sum;
}

Symbols::Bounds Symbols::rangeOf(const SymbolicExpr &expr) const {
  Interval interval = intervalOf(expr, [&](StringAttr name) -> Interval {
    const Symbol *symbol = find(name.getValue());
    return symbol ? Interval{symbol->info.lo, symbol->info.hi} : Interval{0, INT32_MAX};
  });
  return {int64_t(interval.lo), int64_t(interval.hi)};
}

Symbols::Bounds Symbols::boundsOf(const SymbolicExpr &expr) const {
  return rangeOf(canonical(expr));
}

namespace {
/// A lower bound of an expression e: `expr` <= `multiple` * e.
struct Below {
  SymbolicExpr expr;
  int64_t multiple;
};
} // namespace

/// Replaces quotients with constant divisors by lower bounds (upper bounds if they are
/// subtracted): k * (x ceildiv k) is in [x, x + k - 1] and k * (x floordiv k) in [x - k +
/// 1, x]. The bounds can cancel with other occurrences of x, which interval arithmetic on
/// the symbols does not see.
static Below belowOf(const SymbolicExpr &expr) {
  using Kind = SymbolicExpr::AtomKind;
  constexpr int64_t kMaxMultiple = 1 << 20;
  auto quotientOf = [](const SymbolicExpr::Term &term) -> const SymbolicExpr::Atom * {
    if (term.factors.size() != 1 ||
        (term.factors[0].kind != Kind::CeilDiv && term.factors[0].kind != Kind::FloorDiv))
      return nullptr;
    int64_t divisor = term.factors[0].rhs->getConstant().value_or(0);
    return divisor > 0 && divisor <= kMaxMultiple ? &term.factors[0] : nullptr;
  };
  int64_t multiple = 1;
  for (const SymbolicExpr::Term &term : expr.getTerms())
    if (const SymbolicExpr::Atom *quotient = quotientOf(term)) {
      multiple = std::lcm(multiple, *quotient->rhs->getConstant());
      if (multiple > kMaxMultiple)
        return {expr, 1};
    }
  SymbolicExpr result = expr * SymbolicExpr(multiple);
  for (const SymbolicExpr::Term &term : expr.getTerms()) {
    const SymbolicExpr::Atom *quotient = quotientOf(term);
    if (!quotient)
      continue;
    int64_t divisor = *quotient->rhs->getConstant();
    bool isCeil = quotient->kind == Kind::CeilDiv, isPositive = term.coefficient > 0;
    SymbolicExpr bound = *quotient->lhs;
    if (isCeil && !isPositive)
      bound += divisor - 1;
    if (!isCeil && isPositive)
      bound += 1 - divisor;
    result +=
        bound * SymbolicExpr(term.coefficient * (multiple / divisor)) -
        SymbolicExpr::fromAtom(*quotient) * SymbolicExpr(term.coefficient * multiple);
  }
  return {result, multiple};
}

bool Symbols::isProvenNonNegative(const SymbolicExpr &expr) const {
  if (rangeOf(expr).lo >= 0)
    return true;
  if (std::optional<SymbolicExpr::Extremum> sides = expr.getExtremum()) {
    bool a = isProvenNonNegative(sides->a), b = isProvenNonNegative(sides->b);
    return sides->isMax ? a || b : a && b;
  }
  // An integer greater than -1 is not negative.
  Below below = belowOf(expr);
  return rangeOf(below.expr).lo > -below.multiple;
}

std::optional<bool> Symbols::isAtLeast(const SymbolicExpr &a,
                                       const SymbolicExpr &b) const {
  if (isProvenNonNegative(canonical(a - b)))
    return true;
  bool isLess = isProvenNonNegative(canonical(b - a) - 1);
  return isLess ? std::optional(false) : std::nullopt;
}

std::optional<bool> Symbols::isEqual(const SymbolicExpr &a, const SymbolicExpr &b) const {
  SymbolicExpr difference = canonical(a - b);
  if (auto constant = difference.getConstant())
    return *constant == 0;
  Bounds bounds = boundsOf(difference);
  return bounds.lo > 0 || bounds.hi < 0 ? std::optional(false) : std::nullopt;
}

SymbolicExpr Symbols::minOf(const SymbolicExpr &a, const SymbolicExpr &b) const {
  return canonical(SymbolicExpr::min(a, b));
}

SymbolicExpr Symbols::maxOf(const SymbolicExpr &a, const SymbolicExpr &b) const {
  return canonical(SymbolicExpr::max(a, b));
}

//===----------------------------------------------------------------------===//
// Trying sizes
//===----------------------------------------------------------------------===//

/// Enumerates values of symbols in their ranges, the last symbol fastest.
namespace {
struct Odometer {
  SmallVector<StringAttr> names;
  SmallVector<Symbols::Bounds> ranges;
  SmallVector<int64_t> values;

  int64_t valueOf(StringAttr name) const {
    auto it = llvm::find(names, name);
    return it == names.end() ? 0 : values[it - names.begin()];
  }
  bool next() {
    for (size_t i = values.size(); i-- > 0; values[i] = ranges[i].lo)
      if (values[i]++ < ranges[i].hi)
        return true;
    return false;
  }
  std::string str(StringRef between, StringRef equals) const {
    std::string text;
    for (auto [name, value] : llvm::zip(names, values))
      text += (text.empty() ? "" : between.str()) + name.str() + equals.str() +
              std::to_string(value);
    return text;
  }
};
} // namespace

std::optional<std::string>
Symbols::findSizes(const SymbolicExpr &a, const SymbolicExpr &b, Wanted wanted) const {
  constexpr __int128 kMaxSizes = 1 << 16;
  SymbolicExpr difference = canonical(a - b);
  Odometer sizes;
  __int128 count = 1;
  for (StringAttr name : difference.getSymbols()) {
    Bounds range = boundsOf(SymbolicExpr::symbol(name));
    sizes.names.push_back(name);
    sizes.ranges.push_back(range);
    sizes.values.push_back(range.lo);
    count *= __int128(range.hi) - range.lo + 1;
    // Sizes for which both differ are among the small ones, or not worth a search.
    if (count > kMaxSizes && wanted == Wanted::Different)
      return std::nullopt;
  }
  auto valueOf = [&](StringAttr name) { return sizes.valueOf(name); };
  int64_t left = kMaxSizes;
  do {
    bool isZero = difference.evaluate(valueOf) == 0;
    if (isZero == (wanted == Wanted::Equal))
      return isZero ? "--dims " + sizes.str(",", "=") : sizes.str(", ", " = ");
  } while (sizes.next() && --left > 0);
  return "";
}
