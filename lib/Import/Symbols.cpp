//===- Symbols.cpp - The symbolic dims of a model -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Symbols.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/Support/Error.h"
#include "lib/Import/DimText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
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

/// Names of the length of a past, which is empty at the first step: past, past_len,
/// past_sequence_length; not past_plus_sequence or total_past.
static bool isPastName(StringRef name) {
  SmallVector<StringRef> words;
  std::string lower = name.lower();
  StringRef(lower).split(words, '_', -1, /*KeepEmpty=*/false);
  static constexpr StringLiteral kSums[] = {"plus", "total", "and", "add", "all", "full"};
  return (is_contained(words, "past") || is_contained(words, "pastlen")) &&
         lower.find_first_of("+*-") == std::string::npos &&
         none_of(words, [&](StringRef word) { return is_contained(kSums, word); });
}

void Symbols::add(StringRef key, StringRef source, bool leading) {
  std::string base = sanitizeName(source.empty() ? key : source), name = base;
  for (unsigned i = 1; byName.count(name); ++i)
    name = base + "_" + std::to_string(i);
  int64_t lo = isPastName(source) ? 0 : 1, hi = leading && isBatchName(source) ? 64 : 512;
  byKey[key] = symbols.size();
  byName[name] = symbols.size();
  symbols.push_back({{name, source.str(), lo, hi, false},
                     StringAttr::get(context, name),
                     {},
                     lo,
                     hi,
                     false,
                     ""});
}

/// What identifies a dim: its name, or the input and the index.
static std::string keyOf(const onnx::ValueInfoProto &input, int index) {
  const std::string &source = input.type().tensor_type().shape().dim(index).dim_param();
  return source.empty() ? input.name() + "/" + std::to_string(index) : source;
}

llvm::Error Symbols::declare(const onnx::GraphProto &graph, const ImportOptions &options,
                             StringRef path) {
  statePast = options.pastIsState;
  emptyPast = options.pastIsEmpty;
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
  return apply(options, path);
}

std::optional<SymbolicExpr> Symbols::parseExpression(StringRef text) const {
  return parseFormula(text, [&](StringRef name) -> std::optional<SymbolicExpr> {
    auto it = byKey.find(name);
    if (it == byKey.end())
      return std::nullopt;
    return SymbolicExpr::symbol(symbols[it->second].attr);
  });
}

llvm::Error Symbols::apply(const ImportOptions &options, StringRef path) {
  for (const DimRange &range : options.dims) {
    auto it = llvm::find_if(symbols, [&](const Symbol &s) {
      return s.info.name == range.name || s.info.source == range.name;
    });
    std::string text =
        range.name + "=" + std::to_string(range.lo) + ".." + std::to_string(range.hi);
    if (it == symbols.end() && llvm::is_contained(options.laterDims, range.name)) {
      left.push_back(range.name);
      continue;
    }
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
    it->info.lo = it->firstLo = range.lo;
    it->info.hi = it->firstHi = range.hi;
    it->info.given = true;
    if (range.lo == range.hi)
      it->replacement = SymbolicExpr(range.lo);
  }
  return llvm::Error::success();
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

std::vector<std::string> Symbols::replaced() const {
  std::vector<std::string> result;
  for (const Symbol &symbol : symbols)
    if (symbol.replacement)
      result.push_back(symbol.info.name + " = " + symbol.replacement->str());
  return result;
}

//===----------------------------------------------------------------------===//
// Unification
//===----------------------------------------------------------------------===//

static std::string rangeText(StringRef name, int64_t lo, int64_t hi) {
  return (name + "=" + Twine(lo) + (lo == hi ? "" : ".." + std::to_string(hi))).str();
}

/// A range the user gave is a promise: a model that works for a part of it only is an
/// error, with the part.
bool Symbols::narrowsGiven(const ImportedSymbol &symbol, const SymbolicExpr &by,
                           const Bounds &common) {
  StringAttr other = by.getSymbol();
  if (!other && !by.isConstant())
    return false;
  auto note = [&](const ImportedSymbol &info) {
    if (!info.given || (common.lo == info.lo && common.hi == info.hi))
      return false;
    conflict = Conflict{rangeText(info.name, info.lo, info.hi), ""};
    if (common.lo <= common.hi)
      conflict->needed = rangeText(info.name, common.lo, common.hi);
    return true;
  };
  if (!other)
    return note(symbol);
  const ImportedSymbol &kept = symbols[byName.lookup(other.getValue())].info;
  // A default gives way to what the user gave.
  return symbol.given && kept.given && (note(symbol) || note(kept));
}

bool Symbols::replace(StringAttr name, const SymbolicExpr &by) {
  if (is_contained(by.getSymbols(), name))
    return false;
  Symbol &symbol = symbols[byName.lookup(name.getValue())];
  // Another symbol takes over what both ranges share; a constant or formula
  // must be possible within a range the user gave.
  Bounds bounds = boundsOf(by);
  int64_t lo = std::max(symbol.info.lo, bounds.lo),
          hi = std::min(symbol.info.hi, bounds.hi);
  if (narrowsGiven(symbol.info, by, {lo, hi}) || bounds.hi < 0 ||
      (lo > hi && (symbol.info.given || by.getSymbol())))
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

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

namespace {
/// constant + the sum of coefficient * symbol
struct Linear {
  SmallVector<std::pair<StringAttr, int64_t>> terms;
  int64_t constant = 0;
};
} // namespace

static std::optional<Linear> linearOf(const SymbolicExpr &expr) {
  Linear result;
  for (const SymbolicExpr::Term &term : expr.getTerms()) {
    if (std::abs(term.coefficient) > INT32_MAX || term.factors.size() > 1 ||
        (term.factors.size() == 1 &&
         term.factors[0].kind != SymbolicExpr::AtomKind::Symbol))
      return std::nullopt;
    if (term.factors.empty())
      result.constant = term.coefficient;
    else
      result.terms.push_back({term.factors[0].symbol, term.coefficient});
  }
  return result;
}

/// Ranges of one symbol, within [lo, hi], for which `undecided` is decided: for
/// factor * symbol + constant = a - b.
static SmallVector<Symbols::Bounds> splitRange(Undecided::Kind kind, int64_t factor,
                                               int64_t constant, int64_t lo, int64_t hi) {
  // The largest symbol below the point where a and b are equal, and the smallest above.
  int64_t below = llvm::divideFloorSigned(-constant, factor),
          above = llvm::divideCeilSigned(-constant, factor);
  if (factor < 0)
    below = llvm::divideFloorSigned(constant, -factor),
    above = llvm::divideCeilSigned(constant, -factor);
  SmallVector<Symbols::Bounds> parts;
  switch (kind) {
  case Undecided::Kind::Order:
    parts = {{lo, below}, {above, hi}};
    break;
  case Undecided::Kind::AtLeast: // a >= b includes the point itself
    parts = factor > 0 ? SmallVector<Symbols::Bounds>{{lo, above - 1}, {above, hi}}
                       : SmallVector<Symbols::Bounds>{{lo, below}, {below + 1, hi}};
    break;
  case Undecided::Kind::Equal:
    parts = {{lo, below == above ? below - 1 : below},
             {above == below ? above + 1 : above, hi}};
    if (below == above)
      parts.push_back({below, above});
    break;
  }
  for (Symbols::Bounds &part : parts)
    part = {std::max(part.lo, lo), std::min(part.hi, hi)};
  llvm::erase_if(parts, [](const Symbols::Bounds &part) { return part.lo > part.hi; });
  return parts;
}

/// Ranges for which `undecided` is decided, the best first: of one symbol each part of
/// its range; of several those small enough for the sum to stay below the limit.
std::vector<std::vector<DimRange>> Symbols::partsOf(const Undecided &undecided,
                                                    bool defaultsOnly) const {
  std::optional<Linear> difference = linearOf(canonical(undecided.a - undecided.b));
  if (!difference || difference->terms.empty())
    return {};
  std::vector<std::vector<DimRange>> result;
  int64_t sign = difference->terms[0].second < 0 ? -1 : 1;
  int64_t budget = -difference->constant * sign, count = 0;
  for (auto [name, factor] : difference->terms) {
    const Symbol *symbol = find(name.getValue());
    if (!symbol || factor * sign < 0 ||
        (difference->terms.size() == 1 && defaultsOnly && symbol->info.given))
      return {};
    bool fixed = defaultsOnly && symbol->info.given;
    budget -= factor * sign * (fixed ? symbol->info.hi : symbol->info.lo);
    count += !fixed;
  }
  if (difference->terms.size() == 1) {
    auto [name, factor] = difference->terms[0];
    const ImportedSymbol &info = find(name.getValue())->info;
    SmallVector<Bounds> parts =
        splitRange(undecided.kind, factor, difference->constant, info.lo, info.hi);
    // Small sizes first, unless that leaves next to none.
    auto isTiny = [](const Bounds &part) { return part.hi - part.lo < 7; };
    llvm::stable_sort(
        parts, [&](const Bounds &x, const Bounds &y) { return isTiny(x) < isTiny(y); });
    for (const Bounds &part : parts)
      result.push_back({{info.name, part.lo, part.hi}});
    return result;
  }
  if (undecided.kind == Undecided::Kind::Equal || budget < 0 || count == 0)
    return {};
  std::vector<DimRange> ranges;
  for (auto [name, factor] : difference->terms) {
    const ImportedSymbol &info = find(name.getValue())->info;
    if (defaultsOnly && info.given)
      continue;
    int64_t maximum = info.lo + budget / (count * factor * sign);
    ranges.push_back({info.name, info.lo, std::min(info.hi, maximum)});
  }
  return {ranges};
}

bool Symbols::decide(const Undecided &undecided, StringRef where) {
  std::vector<std::vector<DimRange>> parts = partsOf(undecided, /*defaultsOnly=*/true);
  if (parts.empty())
    return false;
  bool changed = false;
  for (const DimRange &range : parts.front()) {
    Symbol &symbol = symbols[byName.lookup(range.name)];
    if (!setRange(symbol, range.lo, range.hi, where))
      continue;
    symbol.narrowed = changed = true;
  }
  return changed;
}

std::string Symbols::proposal(const Undecided &undecided) const {
  std::string text;
  for (const std::vector<DimRange> &part : partsOf(undecided, /*defaultsOnly=*/false)) {
    text += text.empty() ? "--dims " : " or --dims ";
    for (const DimRange &range : part)
      text += (&range == &part.front() ? "" : ",") +
              rangeText(range.name, range.lo, range.hi);
  }
  return text;
}

/// Finds sizes of the one symbol in an expression by the value that it has for them.
class Symbols::Probe {
public:
  Probe(Symbols &symbols, ImportedSymbol &info, const SymbolicExpr &expr)
      : symbols(symbols), info(info), expr(expr), kept(info) {}
  ~Probe() { info.lo = kept.lo, info.hi = kept.hi; }

  /// The first size from the range's begin on whose value is `wanted` or more: the
  /// expression grows with the symbol. nullopt if none is below 2^30.
  std::optional<int64_t> firstOf(int64_t wanted) {
    constexpr int64_t kFar = int64_t(1) << 30;
    int64_t low = kept.lo, high = std::max<int64_t>(low, 1);
    while (!reaches(high, wanted))
      if ((high *= 2) > kFar)
        return std::nullopt;
    while (low < high) {
      int64_t middle = low + (high - low) / 2;
      if (reaches(middle, wanted))
        high = middle;
      else
        low = middle + 1;
    }
    return high;
  }

private:
  bool reaches(int64_t size, int64_t wanted) {
    info.lo = info.hi = size;
    return symbols.boundsOf(expr).lo >= wanted;
  }
  Symbols &symbols;
  ImportedSymbol &info;
  const SymbolicExpr &expr;
  ImportedSymbol kept;
};

Symbols::Symbol *Symbols::onlySymbolOf(const SymbolicExpr &expr) {
  SmallVector<StringAttr> names = canonical(expr).getSymbols();
  auto it = names.size() == 1 ? byName.find(names[0].getValue()) : byName.end();
  return it == byName.end() ? nullptr : &symbols[it->second];
}

std::string Symbols::smallestFor(const SymbolicExpr &expr, int64_t limit) {
  Symbol *symbol = onlySymbolOf(expr);
  auto minimum = symbol ? Probe(*this, symbol->info, expr).firstOf(limit) : std::nullopt;
  if (!minimum)
    return "";
  return "dim '" + symbol->info.name + "' of at least " + std::to_string(*minimum);
}

bool Symbols::raise(const SymbolicExpr &expr, int64_t limit, StringRef where,
                    std::optional<int64_t> reach) {
  Symbol *symbol = onlySymbolOf(expr);
  if (!symbol)
    return false;
  const ImportedSymbol &info = symbol->info;
  std::optional<int64_t> minimum = Probe(*this, symbol->info, expr).firstOf(limit);
  if (!minimum)
    return false;
  int64_t hi = info.hi;
  // What was narrowed has a reason; a bound that is moved to and fro would never settle.
  if (info.given)
    hi = std::max(hi, *minimum);
  else if (reach && !symbol->narrowed)
    hi = std::max(hi, Probe(*this, symbol->info, expr).firstOf(*reach).value_or(hi));
  if (*minimum > hi)
    return false;
  setRange(*symbol, *minimum, hi, where);
  return true;
}

bool Symbols::setRange(Symbol &symbol, int64_t lo, int64_t hi, StringRef where) {
  if (symbol.info.lo == lo && symbol.info.hi == hi)
    return false;
  symbol.info.lo = lo, symbol.info.hi = hi;
  symbol.changedAt = where.str();
  ++rangeChanges;
  return true;
}

std::vector<std::string> Symbols::warnings() const {
  std::vector<std::string> result;
  for (const Symbol &symbol : symbols)
    if (const ImportedSymbol &info = symbol.info;
        !symbol.changedAt.empty() && !info.given)
      result.push_back(
          (symbol.changedAt + ": the default range of dim '" + info.name + "' is " +
           (info.hi > symbol.firstHi ? "changed to " : "narrowed to ") + Twine(info.lo) +
           ".." + Twine(info.hi) + "; choose another with --dims")
              .str());
  return result;
}

std::vector<Diagnosis> Symbols::refusals() const {
  std::vector<Diagnosis> result;
  for (const Symbol &symbol : symbols) {
    const ImportedSymbol &info = symbol.info;
    if (symbol.changedAt.empty() || !info.given)
      continue;
    std::string needed = rangeText(info.name, info.lo, info.hi);
    result.push_back({ErrorCode::DimsInvalid, symbol.changedAt,
                      "the model works for a part of a range given with --dims, or for "
                      "larger sizes only",
                      needed, rangeText(info.name, symbol.firstLo, symbol.firstHi),
                      "--dims " + needed});
  }
  return result;
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

/// A polynomial that `expr` is never below: c * (x ceildiv c) lies in [x, x + c - 1] and
/// c * (x floordiv c) in [x - c + 1, x], which knows of the x beside it what intervals of
/// its symbols do not.
static SymbolicExpr belowOf(const SymbolicExpr &expr) {
  using Kind = SymbolicExpr::AtomKind;
  SymbolicExpr result = expr;
  for (const SymbolicExpr::Term &term : expr.getTerms()) {
    if (term.factors.size() != 1 || (term.factors[0].kind != Kind::CeilDiv &&
                                     term.factors[0].kind != Kind::FloorDiv))
      continue;
    const SymbolicExpr::Atom &atom = term.factors[0];
    int64_t divisor = atom.rhs->getConstant().value_or(0);
    if (divisor <= 0 || term.coefficient % divisor)
      continue;
    bool isCeil = atom.kind == Kind::CeilDiv, isPositive = term.coefficient > 0;
    SymbolicExpr quotient =
        isCeil ? atom.lhs->ceilDiv(divisor) : atom.lhs->floorDiv(divisor);
    SymbolicExpr bound = *atom.lhs;
    if (isCeil && !isPositive)
      bound += divisor - 1;
    if (!isCeil && isPositive)
      bound += 1 - divisor;
    result += bound * SymbolicExpr(term.coefficient / divisor) -
              quotient * SymbolicExpr(term.coefficient);
  }
  return result;
}

std::optional<bool> Symbols::isAtLeast(const SymbolicExpr &a,
                                       const SymbolicExpr &b) const {
  SymbolicExpr difference = canonical(a - b), opposite = canonical(b - a) - 1;
  if (boundsOf(difference).lo >= 0 || boundsOf(belowOf(difference)).lo >= 0)
    return true;
  bool isLess = boundsOf(opposite).lo >= 0 || boundsOf(belowOf(opposite)).lo >= 0;
  return isLess ? std::optional(false) : std::nullopt;
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
