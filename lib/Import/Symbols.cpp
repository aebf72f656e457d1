//===- Symbols.cpp - The symbolic dims of a model -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Symbols.h"
#include "kiln/Support/Error.h"
#include "lib/Import/DimText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace kiln;
using namespace kiln::import;
using namespace llvm;
using mlir::StringAttr;

//===----------------------------------------------------------------------===//
// Declaration
//===----------------------------------------------------------------------===//

/// Names exporters give to the batch.
static bool isBatchName(StringRef name) {
  static constexpr StringLiteral kNames[] = {"batch", "batch_size", "batchsize", "n", "b",
                                             "bs",    "num_batch",  "batch_dim"};
  return is_contained(kNames, name.lower());
}

void Symbols::add(StringRef key, StringRef source, bool leading) {
  std::string base = sanitizeName(source.empty() ? key : source), name = base;
  for (unsigned i = 1; byName.count(name); ++i)
    name = base + "_" + std::to_string(i);
  int64_t hi = leading && isBatchName(source) ? 64 : 512;
  byKey[key] = symbols.size();
  byName[name] = symbols.size();
  symbols.push_back(
      {{name, source.str(), 1, hi, false}, StringAttr::get(context, name), {}});
}

/// What identifies a dim: its name, or the input and the index.
static std::string keyOf(const onnx::ValueInfoProto &input, int index) {
  const std::string &source = input.type().tensor_type().shape().dim(index).dim_param();
  return source.empty() ? input.name() + "/" + std::to_string(index) : source;
}

Error Symbols::declare(const onnx::GraphProto &graph, ArrayRef<DimRange> given,
                       StringRef path) {
  StringSet<> constants;
  for (const onnx::TensorProto &tensor : graph.initializer())
    constants.insert(tensor.name());
  SmallVector<StringRef> formulas;
  for (const onnx::ValueInfoProto &input : graph.input()) {
    if (constants.contains(input.name()))
      continue;
    const onnx::TensorShapeProto &shape = input.type().tensor_type().shape();
    for (auto [i, dim] : llvm::enumerate(shape.dim())) {
      StringRef source = dim.dim_param();
      std::string key = keyOf(input, i);
      if (dim.has_dim_value() || byKey.count(key))
        continue;
      if (isFormula(source))
        formulas.push_back(source);
      else
        add(key, source, i == 0);
    }
  }
  // "past + seq" is a formula if both are dims of their own, else a name.
  for (StringRef formula : formulas) {
    if (expressions.count(formula) || byKey.count(formula))
      continue;
    if (auto expr = parseExpression(formula))
      expressions[formula] = *expr;
    else
      add(formula, formula, /*leading=*/false);
  }
  return apply(given, path);
}

std::optional<SymbolicExpr> Symbols::parseExpression(StringRef text) const {
  return parseFormula(text, [&](StringRef name) -> std::optional<SymbolicExpr> {
    auto it = byKey.find(name);
    if (it == byKey.end())
      return std::nullopt;
    return SymbolicExpr::symbol(symbols[it->second].attr);
  });
}

Error Symbols::apply(ArrayRef<DimRange> given, StringRef path) {
  for (const DimRange &range : given) {
    auto it = llvm::find_if(symbols, [&](const Symbol &s) {
      return s.info.name == range.name || s.info.source == range.name;
    });
    std::string text =
        range.name + "=" + std::to_string(range.lo) + ".." + std::to_string(range.hi);
    if (it == symbols.end()) {
      SmallVector<StringRef> names;
      for (const Symbol &symbol : symbols)
        names.push_back(symbol.info.name);
      return makeError(
          {ErrorCode::DimsInvalid, path.str(),
           "the model has no symbolic dim '" + range.name + "'",
           names.empty() ? "no --dims: every dim is static" : join(names, " or "),
           range.name, "name a symbolic dim of an input in --dims"});
    }
    if (range.lo < 0 || range.hi < range.lo || range.hi > INT32_MAX)
      return makeError({ErrorCode::DimsInvalid, path.str(),
                        "the range of a dim is impossible", "0 <= lo <= hi < 2^31", text,
                        "correct --dims"});
    it->info.lo = range.lo;
    it->info.hi = range.hi;
    it->info.given = true;
    if (range.lo == range.hi)
      it->replacement = SymbolicExpr(range.lo);
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

const Symbols::Symbol *Symbols::find(StringRef name) const {
  auto it = byName.find(name);
  return it == byName.end() ? nullptr : &symbols[it->second];
}

SymbolicExpr Symbols::exprOf(const Symbol &symbol) const {
  return symbol.replacement ? *symbol.replacement : SymbolicExpr::symbol(symbol.attr);
}

SymbolicExpr Symbols::dimOf(const onnx::ValueInfoProto &input, int index) const {
  const auto &dim = input.type().tensor_type().shape().dim(index);
  if (dim.has_dim_value())
    return dim.dim_value();
  std::string key = keyOf(input, index);
  if (auto it = expressions.find(key); it != expressions.end())
    return canonical(it->second);
  auto it = byKey.find(key);
  return it == byKey.end() ? SymbolicExpr(0) : exprOf(symbols[it->second]);
}

SymbolicExpr Symbols::canonical(const SymbolicExpr &expr) const {
  return expr.substitute([&](StringAttr name) -> std::optional<SymbolicExpr> {
    const Symbol *symbol = find(name.getValue());
    return symbol ? symbol->replacement : std::nullopt;
  });
}

std::vector<ImportedSymbol> Symbols::remaining() const {
  std::vector<ImportedSymbol> result;
  for (const Symbol &symbol : symbols)
    if (!symbol.replacement)
      result.push_back(symbol.info);
  return result;
}

//===----------------------------------------------------------------------===//
// Unification
//===----------------------------------------------------------------------===//

bool Symbols::replace(StringAttr name, const SymbolicExpr &by) {
  if (is_contained(by.getSymbols(), name))
    return false;
  Symbol &symbol = symbols[byName.lookup(name.getValue())];
  // Another symbol takes over what both ranges share; a constant or formula
  // must be possible within a range the user gave.
  Bounds bounds = boundsOf(by);
  int64_t lo = std::max(symbol.info.lo, bounds.lo),
          hi = std::min(symbol.info.hi, bounds.hi);
  if (bounds.hi < 0 || (lo > hi && (symbol.info.given || by.getSymbol())))
    return false;
  if (StringAttr other = by.getSymbol()) {
    ImportedSymbol &kept = symbols[byName.lookup(other.getValue())].info;
    // A range the user gave stays as it is; a default gives way.
    if (symbol.info.given || !kept.given) {
      kept.lo = symbol.info.given && !kept.given ? symbol.info.lo : lo;
      kept.hi = symbol.info.given && !kept.given ? symbol.info.hi : hi;
    }
    kept.given |= symbol.info.given;
  }
  symbol.replacement = by;
  unifications.push_back("dim '" + symbol.info.name + "' is always " + by.str());
  for (Symbol &other : symbols)
    if (other.replacement)
      other.replacement = canonical(*other.replacement);
  return true;
}

bool Symbols::unify(const SymbolicExpr &first, const SymbolicExpr &second) {
  SymbolicExpr a = canonical(first), b = canonical(second);
  if (a == b)
    return true;
  StringAttr left = a.getSymbol(), right = b.getSymbol();
  // Of two symbols the one declared first stays.
  if (left && right && byName.lookup(left.getValue()) > byName.lookup(right.getValue()))
    return replace(left, b);
  if (right)
    return replace(right, a) || (left && replace(left, b));
  return left && replace(left, b);
}

bool Symbols::unifyProducts(const SymbolicExpr &first, const SymbolicExpr &second) {
  SymbolicExpr a = canonical(first), b = canonical(second);
  if (a == b)
    return true;
  // a = symbol * rest, b = quotient * rest: the symbol is the quotient.
  auto solve = [&](const SymbolicExpr &a, const SymbolicExpr &b) {
    return llvm::any_of(a.getSymbols(), [&](StringAttr name) {
      SymbolicExpr symbol = SymbolicExpr::symbol(name);
      std::optional<SymbolicExpr> rest = a.exactDiv(symbol);
      std::optional<SymbolicExpr> quotient = rest ? b.exactDiv(*rest) : std::nullopt;
      return quotient && unify(symbol, *quotient);
    });
  };
  return solve(b, a) || solve(a, b);
}

bool Symbols::narrow(const SymbolicExpr &expr, int64_t limit) {
  SmallVector<StringAttr> names = canonical(expr).getSymbols();
  if (names.size() != 1)
    return false;
  auto it = byName.find(names[0].getValue());
  if (it == byName.end() || symbols[it->second].info.given)
    return false;
  ImportedSymbol &info = symbols[it->second].info;
  std::optional<int64_t> offset =
      (canonical(expr) - SymbolicExpr::symbol(names[0])).getConstant();
  if (!offset || limit - *offset < info.lo || limit - *offset >= info.hi)
    return false;
  info.hi = limit - *offset;
  unifications.push_back("dim '" + info.name + "' can be at most " +
                         std::to_string(info.hi));
  return true;
}

bool Symbols::raise(const SymbolicExpr &expr, int64_t limit) {
  SmallVector<StringAttr> names = canonical(expr).getSymbols();
  auto it = names.size() == 1 ? byName.find(names[0].getValue()) : byName.end();
  if (it == byName.end() || symbols[it->second].info.given)
    return false;
  ImportedSymbol &info = symbols[it->second].info;
  int64_t before = info.lo;
  // The expression grows with the symbol, so its lower bound is the value at `lo`:
  // the first size that is large enough is found by halving.
  int64_t low = before, high = info.hi;
  auto holdsFrom = [&](int64_t lo) {
    info.lo = lo;
    return boundsOf(expr).lo >= limit;
  };
  if (!holdsFrom(high)) {
    info.lo = before;
    return false;
  }
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (holdsFrom(middle))
      high = middle;
    else
      low = middle + 1;
  }
  info.lo = high;
  if (high != before)
    unifications.push_back("dim '" + info.name + "' is at least " + std::to_string(high));
  return true;
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

namespace {
/// An interval of wide integers, saturated far below overflow.
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

/// Bounds of a quotient or remainder with a positive divisor.
static Interval divide(SymbolicExpr::AtomKind kind, Interval a, Interval b) {
  __int128 least = std::max<__int128>(b.lo, 1), most = std::max<__int128>(b.hi, 1);
  if (kind == SymbolicExpr::AtomKind::Mod)
    return {0, std::min(most - 1, a.lo >= 0 ? a.hi : most - 1)};
  __int128 up = kind == SymbolicExpr::AtomKind::CeilDiv;
  auto quotient = [&](__int128 x, __int128 y) {
    return up ? -floorDivide(-x, y) : floorDivide(x, y);
  };
  return {std::min(quotient(a.lo, least), quotient(a.lo, most)),
          std::max(quotient(a.hi, least), quotient(a.hi, most))};
}

using SymbolBounds = function_ref<Interval(StringAttr)>;

static Interval intervalOf(const SymbolicExpr &expr, SymbolBounds ofSymbol) {
  Interval sum{0, 0};
  for (const SymbolicExpr::Term &term : expr.getTerms()) {
    Interval product{term.coefficient, term.coefficient};
    for (const SymbolicExpr::Atom &atom : term.factors)
      product = multiply(product, atom.kind == SymbolicExpr::AtomKind::Symbol
                                      ? ofSymbol(atom.symbol)
                                      : divide(atom.kind, intervalOf(*atom.lhs, ofSymbol),
                                               intervalOf(*atom.rhs, ofSymbol)));
    sum = {saturate(sum.lo + product.lo), saturate(sum.hi + product.hi)};
  }
  return sum;
}

Symbols::Bounds Symbols::boundsOf(const SymbolicExpr &expr) const {
  Interval interval = intervalOf(canonical(expr), [&](StringAttr name) -> Interval {
    const Symbol *symbol = find(name.getValue());
    return symbol ? Interval{symbol->info.lo, symbol->info.hi} : Interval{0, INT32_MAX};
  });
  return {int64_t(interval.lo), int64_t(interval.hi)};
}

std::optional<bool> Symbols::isAtLeast(const SymbolicExpr &a,
                                       const SymbolicExpr &b) const {
  Bounds difference = boundsOf(a - b);
  if (difference.lo >= 0)
    return true;
  return difference.hi < 0 ? std::optional(false) : std::nullopt;
}

std::optional<bool> Symbols::isEqual(const SymbolicExpr &a, const SymbolicExpr &b) const {
  SymbolicExpr difference = canonical(a - b);
  if (auto constant = difference.getConstant())
    return *constant == 0;
  Bounds bounds = boundsOf(difference);
  return bounds.lo > 0 || bounds.hi < 0 ? std::optional(false) : std::nullopt;
}

/// The values of symbols that count up through their ranges, the last fastest.
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
  std::string str() const {
    std::string text;
    for (auto [name, value] : llvm::zip(names, values))
      text += (text.empty() ? "" : ", ") + name.str() + " = " + std::to_string(value);
    return text;
  }
};
} // namespace

std::optional<std::string> Symbols::findDifference(const SymbolicExpr &a,
                                                   const SymbolicExpr &b) const {
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
    if (count > kMaxSizes)
      return std::nullopt;
  }
  auto valueOf = [&](StringAttr name) { return sizes.valueOf(name); };
  do {
    if (difference.evaluate(valueOf) != 0)
      return sizes.str();
  } while (sizes.next());
  return "";
}
