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

/// Returns true for names that exporters give to the batch.
static bool isBatchName(StringRef name) {
  static constexpr StringLiteral kNames[] = {"batch", "batch_size", "batchsize", "n", "b",
                                             "bs",    "num_batch",  "batch_dim"};
  return is_contained(kNames, name.lower());
}

/// Returns true for names of the length of a past, which is empty at the first step:
/// past, past_len, past_sequence_length; not past_plus_sequence or total_past.
static bool isPastName(StringRef name) {
  SmallVector<StringRef> words;
  std::string lower = name.lower();
  StringRef(lower).split(words, '_', -1, /*KeepEmpty=*/false);
  static constexpr StringLiteral kSums[] = {"plus", "total", "and", "add", "all", "full"};
  return (is_contained(words, "past") || is_contained(words, "pastlen")) &&
         lower.find_first_of("+*-") == std::string::npos &&
         none_of(words, [&](StringRef word) { return is_contained(kSums, word); });
}

/// Returns true for the length of a past whose dims have no meaningful names, such as
/// dynamo's s17: every dim but the first of an input named past_key_values.0.key, [batch,
/// heads, past, size].
static bool isPastDim(const onnx::ValueInfoProto &input, int index) {
  std::string name = input.name();
  std::replace(name.begin(), name.end(), '.', '_');
  return index > 0 && isPastName(name) &&
         input.type().tensor_type().shape().dim_size() >= 3;
}

void Symbols::add(StringRef key, StringRef source, bool leading, bool isPast) {
  std::string base = sanitizeName(source.empty() ? key : source), name = base;
  for (unsigned i = 1; byName.count(name); ++i)
    name = base + "_" + std::to_string(i);
  isPast |= isPastName(source);
  int64_t lo = isPast ? 0 : 1, hi = leading && isBatchName(source) ? 64 : 512;
  byKey[key] = symbols.size();
  byName[name] = symbols.size();
  symbols.push_back({{name, source.str(), lo, hi, false},
                     StringAttr::get(context, name),
                     {},
                     lo,
                     hi,
                     false,
                     isPast,
                     ""});
}

bool Symbols::mentionsPast(const SymbolicExpr &expr) const {
  return llvm::any_of(canonical(expr).getSymbols(),
                      [&](StringAttr name) { return find(name.getValue())->isPast; });
}

/// Returns the text that identifies a dim: its name, or the input and the index.
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
    if (!options.keepsInput(tensor.name()))
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
        add(key, source, i == 0, isPastDim(input, int(i)));
    }
  }
  // "past + seq" is a formula if both names are dims themselves, else a name.
  for (StringRef formula : formulas) {
    if (expressions.count(formula) || byKey.count(formula))
      continue;
    if (auto expr = parseExpression(formula))
      expressions[formula] = *expr;
    else
      add(formula, formula, /*leading=*/false, /*isPast=*/false);
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

SymbolicExpr Symbols::dimOf(const onnx::ValueInfoProto &input, int index) const {
  const auto &dim = input.type().tensor_type().shape().dim(index);
  if (dim.has_dim_value())
    return dim.dim_value();
  std::string key = keyOf(input, index);
  if (auto it = expressions.find(key); it != expressions.end())
    return canonical(it->second);
  auto it = byKey.find(key);
  return it == byKey.end() ? SymbolicExpr(0) : symbols[it->second].expr();
}

SymbolicExpr Symbols::canonical(const SymbolicExpr &expr) const {
  SymbolicExpr result =
      expr.substitute([&](StringAttr name) -> std::optional<SymbolicExpr> {
        const Symbol *symbol = find(name.getValue());
        return symbol ? symbol->replacement : std::nullopt;
      });
  return result.resolveMaxima([&](const SymbolicExpr &side) -> std::optional<bool> {
    if (isProvenNonNegative(side))
      return true;
    return isProvenNonNegative(SymbolicExpr(0) - side) ? std::optional(false)
                                                       : std::nullopt;
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

/// Returns true, and records the conflict, if the model works for only a part of a range
/// given by the user: that is an error, which states the part.
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
  // A default range yields to one given by the user.
  return symbol.given && kept.given && (note(symbol) || note(kept));
}

bool Symbols::replace(StringAttr name, const SymbolicExpr &by, StringRef where) {
  if (is_contained(by.getSymbols(), name))
    return false;
  Symbol &symbol = symbols[byName.lookup(name.getValue())];
  // Another symbol gets the intersection of both ranges; a constant or formula must be
  // possible within a range given by the user.
  Bounds bounds = boundsOf(by);
  int64_t lo = std::max(symbol.info.lo, bounds.lo),
          hi = std::min(symbol.info.hi, bounds.hi);
  if (narrowsGiven(symbol.info, by, {lo, hi}) || bounds.hi < 0 ||
      (lo > hi && (symbol.info.given || by.getSymbol())))
    return false;
  if (StringAttr other = by.getSymbol()) {
    ImportedSymbol &kept = symbols[byName.lookup(other.getValue())].info;
    // A range given by the user stays; a default yields.
    if (symbol.info.given || !kept.given) {
      kept.lo = symbol.info.given && !kept.given ? symbol.info.lo : lo;
      kept.hi = symbol.info.given && !kept.given ? symbol.info.hi : hi;
    }
    kept.given |= symbol.info.given;
  }
  symbol.replacement = by;
  if (by.isConstant() && !where.empty())
    symbol.changedAt = where.str();
  unifications.push_back("dim '" + symbol.info.name + "' is always " + by.str());
  for (Symbol &other : symbols)
    if (other.replacement)
      other.replacement = canonical(*other.replacement);
  return true;
}

/// Returns the terms that two expressions do not have in common: a - b = positive -
/// negative.
static std::pair<SymbolicExpr, SymbolicExpr> apart(const SymbolicExpr &a,
                                                   const SymbolicExpr &b) {
  SymbolicExpr positive, negative, difference = a - b;
  for (const SymbolicExpr::Term &term : difference.getTerms()) {
    SymbolicExpr value = SymbolicExpr::fromTerm(term);
    if (term.coefficient > 0)
      positive += value;
    else
      negative = negative - value;
  }
  return {positive, negative};
}

/// Returns the side of a minimum or maximum that equals `size` if the extremum does, such
/// as n for max(n, 0) = size with size > 0; nullopt if either side could be.
static std::optional<SymbolicExpr>
onlySide(const Symbols &symbols, const SymbolicExpr &expr, const SymbolicExpr &size) {
  std::optional<SymbolicExpr::Extremum> sides = expr.getExtremum();
  if (!sides)
    return std::nullopt;
  // The other side is below every size for a maximum, or above for a minimum.
  auto isOutside = [&](const SymbolicExpr &side) {
    return (sides->isMax ? symbols.isAtLeast(side, size)
                         : symbols.isAtLeast(size, side)) == false;
  };
  if (isOutside(sides->b))
    return sides->a;
  return isOutside(sides->a) ? std::optional(sides->b) : std::nullopt;
}

bool Symbols::unify(const SymbolicExpr &first, const SymbolicExpr &second,
                    StringRef where) {
  SymbolicExpr a = canonical(first), b = canonical(second);
  if (a == b)
    return true;
  if (std::optional<SymbolicExpr> side = onlySide(*this, a, b))
    return unify(*side, b, where);
  if (std::optional<SymbolicExpr> side = onlySide(*this, b, a))
    return unify(a, *side, where);
  StringAttr left = a.getSymbol(), right = b.getSymbol();
  // The symbol declared first is kept.
  if (left && right && byName.lookup(left.getValue()) > byName.lookup(right.getValue()))
    return replace(left, b, where);
  // For sequence = total - past, total is replaced by a sum, which is never negative.
  auto [x, y] = apart(a, b);
  if ((x.getSymbol() || y.getSymbol()) && (x != a || y != b))
    return unify(x, y, where);
  if (right)
    return replace(right, a, where) || (left && replace(left, b, where));
  return left && replace(left, b, where);
}

bool Symbols::unifyProducts(const SymbolicExpr &first, const SymbolicExpr &second,
                            StringRef where) {
  SymbolicExpr a = canonical(first), b = canonical(second);
  if (a == b)
    return true;
  // For a = symbol * rest and b = quotient * rest, the symbol is the quotient.
  auto solve = [&](const SymbolicExpr &a, const SymbolicExpr &b) {
    return llvm::any_of(a.getSymbols(), [&](StringAttr name) {
      SymbolicExpr symbol = SymbolicExpr::symbol(name);
      std::optional<SymbolicExpr> rest = a.exactDiv(symbol);
      std::optional<SymbolicExpr> quotient = rest ? b.exactDiv(*rest) : std::nullopt;
      return quotient && unify(symbol, *quotient, where);
    });
  };
  return solve(b, a) || solve(a, b);
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

namespace {
/// constant + sum of coefficient * symbol.
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

/// Splits the range [lo, hi] of a symbol into parts for which `undecided` is decided,
/// given a - b = factor * symbol + constant.
static SmallVector<Symbols::Bounds> splitRange(Undecided::Kind kind, int64_t factor,
                                               int64_t constant, int64_t lo, int64_t hi) {
  // The maximum symbol below the point where a equals b, and the minimum above it.
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
  case Undecided::Kind::AtLeast: // a >= b holds at the point itself
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

/// Returns ranges for which `undecided` is decided, the best first: for one symbol, the
/// parts of its range; for several, ranges small enough that the sum stays below the
/// limit.
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
    // Prefers small sizes, unless very few of them would be left.
    int64_t few = std::max<int64_t>(7, (info.hi - info.lo) / 8);
    auto isTiny = [&](const Bounds &part) { return part.hi - part.lo < few; };
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

/// Returns the part of a symbol's range for which factor * symbol + constant >= 0.
static Symbols::Bounds positiveRange(int64_t factor, int64_t constant, int64_t lo,
                                     int64_t hi) {
  if (factor > 0)
    return {std::max(lo, llvm::divideCeilSigned(-constant, factor)), hi};
  return {lo, std::min(hi, llvm::divideFloorSigned(constant, -factor))};
}

bool Symbols::narrowToPositive(const SymbolicExpr &given, StringRef where) {
  SymbolicExpr expr = canonical(given);
  if (isProvenNonNegative(expr))
    return true;
  if (std::optional<SymbolicExpr::Extremum> sides = expr.getExtremum()) {
    bool first = narrowToPositive(sides->a, where);
    if (first == sides->isMax)
      return first;
    return narrowToPositive(sides->b, where);
  }
  std::optional<Linear> linear = linearOf(expr);
  if (!linear || linear->terms.empty())
    return false;
  if (linear->terms.size() > 1) {
    // Several symbols together must stay below a limit.
    bool isLimit =
        all_of(linear->terms, [](const auto &term) { return term.second < 0; });
    return isLimit && decide({expr, 0, Undecided::Kind::Order}, where);
  }
  auto [name, factor] = linear->terms[0];
  Symbol &symbol = symbols[byName.lookup(name.getValue())];
  Bounds range = positiveRange(factor, linear->constant, symbol.info.lo, symbol.info.hi);
  // A model may need sizes above the default range.
  range.hi = symbol.narrowed ? range.hi : std::max(range.lo, range.hi);
  if (range.lo > range.hi || range.lo > INT32_MAX || range.hi < symbol.info.lo)
    return false;
  symbol.narrowed |= setRange(symbol, range.lo, range.hi, where) && !symbol.info.given;
  return true;
}

bool Symbols::narrowToEqual(const SymbolicExpr &first, const SymbolicExpr &second,
                            StringRef where) {
  SymbolicExpr a = canonical(first), b = canonical(second);
  std::optional<SymbolicExpr> needed;
  // Finds which side of which maximum makes them equal, trying one maximum at a time.
  (void)(a - b).resolveMaxima([&](const SymbolicExpr &side) -> std::optional<bool> {
    for (bool isPositive : {true, false}) {
      auto choose = [&](const SymbolicExpr &other) {
        return other == side ? std::optional(isPositive) : std::nullopt;
      };
      if (!needed && a.resolveMaxima(choose) == b.resolveMaxima(choose))
        needed = isPositive ? side : SymbolicExpr(0) - side;
    }
    return std::nullopt;
  });
  if (!needed)
    return false;
  if (narrowToPositive(*needed, where))
    return canonical(a) == canonical(b);
  // Ranges cannot express total >= past + sequence, so these are made equal: a slice of
  // as many rows as past and new ones then has all rows.
  auto [x, y] = apart(*needed, 0);
  return unify(x, y, where) && canonical(a) == canonical(b);
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

/// Searches sizes of the only symbol in an expression by the expression's value.
class Symbols::Probe {
public:
  Probe(Symbols &symbols, ImportedSymbol &info, const SymbolicExpr &expr)
      : symbols(symbols), info(info), expr(expr), kept(info) {}
  ~Probe() { info.lo = kept.lo, info.hi = kept.hi; }

  /// Returns the first size in the range for which the expression is at least `wanted`;
  /// nullopt if none is below 2^30. The expression must grow with the symbol.
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
  // A narrowed default keeps its upper bound: moving a bound back and forth would not
  // terminate.
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
    if (const ImportedSymbol &info = symbol.info; symbol.changedAt.empty() || info.given)
      continue;
    else if (symbol.replacement && symbol.replacement->isConstant())
      result.push_back(symbol.changedAt + ": dim '" + info.name + "' can only be " +
                       symbol.replacement->str() +
                       "; export the model with this dim as a dynamic one to run others");
    else if (!symbol.replacement)
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
