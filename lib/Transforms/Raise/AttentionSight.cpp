//===- AttentionSight.cpp - Analysis of attention masks -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mask that hides keys after the query, after a length per sequence, or before a window
// needs no tensor: the loop over keys ends earlier or begins later. This analysis splits
// a mask into its summands. A summand that compares positions, given by iotas or by a
// constant, becomes the attention's `causal`, `lengths` or `window`, and the others
// remain its mask. Of a conjunction of comparisons, a part may be converted.
//
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include "dialects/Graph/Indexing.h"
#include "kiln/Analysis/PlaceReader.h"

#include <utility>

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// Longest window that attention supports.
static constexpr int64_t kMaxWindow = int64_t(1) << 30;

namespace {
enum ScoreAxis { Batch, Head, Query, Key };

/// number + sign * lengths[b], where `number` depends on the indices of the scores.
struct Linear {
  SymbolicExpr number;
  Value lengths;
  int sign = 0;
};

/// A key is visible if all of these are negative.
using Limits = SmallVector<Linear, 2>;

struct KeyBounds {
  Limits below;
  bool removesByInfinity = true;
};

/// A summand of a mask, with the keys it hides if it depends only on positions; else
/// nullopt.
struct Term {
  Value value;
  std::optional<KeyBounds> bounds;
};

class MaskReader {
public:
  explicit MaskReader(AttentionOp op) : op(op), vars(op.getContext()) {
    Dims q = getDims(op.getQuery()), k = getDims(op.getKey());
    scores = {q[0], q[1], q[2], k[2]};
    places = vars.addPlaces(scores);
  }

  /// Removes position-dependent terms from the op's mask; false if there are none.
  bool run();

private:
  void collect(Value mask, SmallVectorImpl<Value> &terms);
  std::optional<KeyBounds> read(Value term, ArrayRef<SymbolicExpr> at);
  std::optional<KeyBounds> readNumbers(Value term, ArrayRef<SymbolicExpr> at);
  std::optional<Limits> readTable(Value table, ArrayRef<SymbolicExpr> at,
                                  function_ref<bool(int64_t)> keeps);
  std::optional<Limits> readCondition(Value condition, ArrayRef<SymbolicExpr> at,
                                      bool keeps);
  std::optional<Limits> readBoth(BinaryOp op, ArrayRef<SymbolicExpr> at, bool keeps);
  std::optional<Linear> readComparison(CompareOp op, ArrayRef<SymbolicExpr> at,
                                       bool keeps);
  std::optional<Linear> readPosition(Value value, ArrayRef<SymbolicExpr> at);
  std::optional<Linear> readLengths(Value value, ArrayRef<SymbolicExpr> at);
  bool isCausal(const Linear &below);
  bool isLength(const Linear &below);
  std::optional<int64_t> windowOf(const Linear &below);
  bool mayGo(const KeyBounds &bounds, bool isAll, bool hasCausal);
  SmallVector<Value> takePositions(MutableArrayRef<Term> terms);
  void take(const KeyBounds &bounds);

  AttentionOp op;
  IndexVars vars;
  Dims scores, places; ///< the index is 0 along a dim of size 1
  bool causal = false;
  std::optional<int64_t> window;
  Value lengths;
};
} // namespace

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

static std::optional<Linear> combine(std::optional<Linear> a, std::optional<Linear> b,
                                     int factor) {
  if (!a || !b || (a->lengths && b->lengths))
    return std::nullopt;
  Linear sum = *a;
  sum.number += b->number * SymbolicExpr(factor);
  if (b->lengths) {
    sum.lengths = b->lengths;
    sum.sign = factor * b->sign;
  }
  return sum;
}

/// Reads a splat, or 0, 1, 2, ... along one dim, to which folding reduces an iota.
static std::optional<Linear> readConstant(ConstantOp op, ArrayRef<SymbolicExpr> at) {
  auto elements = dyn_cast<DenseIntElementsAttr>(op.getValue());
  if (!elements || elements.empty() || elements.getElementType().isInteger(1))
    return std::nullopt;
  int64_t first = (*elements.begin()).getSExtValue(), next = first;
  if (elements.isSplat())
    return Linear{first, {}, 0};
  for (const APInt &element : elements)
    if (element.getSExtValue() != next++)
      return std::nullopt;
  for (auto [extent, place] : llvm::zip(elements.getType().getShape(), at))
    if (extent == elements.getNumElements())
      return Linear{place + first, {}, 0};
  return std::nullopt;
}

/// Reads a value per sequence.
std::optional<Linear> MaskReader::readLengths(Value value, ArrayRef<SymbolicExpr> at) {
  Type type = elementTypeOf(value);
  bool isPerSequence = type.isSignlessInteger(32) || type.isSignlessInteger(64);
  for (auto [dim, place] : llvm::zip(getDims(value), at))
    isPerSequence &= dim.isConstant(1) || place == places[Batch];
  if (!isPerSequence || numElements(getDims(value)) != scores[Batch])
    return std::nullopt;
  return Linear{0, value, 1};
}

std::optional<Linear> MaskReader::readPosition(Value value, ArrayRef<SymbolicExpr> at) {
  Operation *from = value.getDefiningOp();
  if (std::optional<Place> moved = from ? movedFrom(from, at, vars) : std::nullopt)
    if (std::optional<Linear> position = readPosition(moved->value, moved->at))
      return position;
  if (auto cast = dyn_cast_if_present<CastOp>(from))
    return isa<IntegerType>(elementTypeOf(cast.getInput())) &&
                   !elementTypeOf(cast.getInput()).isInteger(1)
               ? readPosition(cast.getInput(), at)
               : std::nullopt;
  if (auto iota = dyn_cast_if_present<IotaOp>(from)) {
    std::optional<SymbolicExpr> number = readIota(iota, at);
    return number ? std::optional(Linear{*number, {}, 0}) : std::nullopt;
  }
  if (auto dims = dyn_cast_if_present<DimsOp>(from)) {
    Dims exprs = getDims(dims.getValue());
    return exprs.size() == 1 ? std::optional(Linear{exprs.front(), {}, 0}) : std::nullopt;
  }
  auto binary = dyn_cast_if_present<BinaryOp>(from);
  if (binary &&
      (binary.getKind() == BinaryKind::add || binary.getKind() == BinaryKind::sub))
    return combine(readPosition(binary.getLhs(), broadcastPlaces(at, binary.getLhs())),
                   readPosition(binary.getRhs(), broadcastPlaces(at, binary.getRhs())),
                   binary.getKind() == BinaryKind::add ? 1 : -1);
  if (auto constant = dyn_cast_if_present<ConstantOp>(from))
    return readConstant(constant, at);
  return readLengths(value, at);
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// Reads a conjunction: an `and` that is true, or an `or` that is false.
std::optional<Limits> MaskReader::readBoth(BinaryOp op, ArrayRef<SymbolicExpr> at,
                                           bool keeps) {
  if (op.getKind() != (keeps ? BinaryKind::logical_and : BinaryKind::logical_or))
    return std::nullopt;
  auto both = readCondition(op.getLhs(), broadcastPlaces(at, op.getLhs()), keeps);
  auto other = both ? readCondition(op.getRhs(), broadcastPlaces(at, op.getRhs()), keeps)
                    : std::nullopt;
  if (!other)
    return std::nullopt;
  both->append(*other);
  return both;
}

/// Returns expressions that are all negative exactly if the condition is true (`keeps`)
/// or false (otherwise); nullopt if it does not compare positions.
std::optional<Limits> MaskReader::readCondition(Value condition,
                                                ArrayRef<SymbolicExpr> at, bool keeps) {
  Operation *from = condition.getDefiningOp();
  if (std::optional<Place> moved = from ? movedFrom(from, at, vars) : std::nullopt)
    return readCondition(moved->value, moved->at, keeps);
  if (UnaryOp inverse = asUnary(condition, UnaryKind::logical_not))
    return readCondition(inverse.getInput(), at, !keeps);
  // A number that is cast to a condition is true if it is not 0.
  if (auto cast = dyn_cast_if_present<CastOp>(from))
    return readCondition(cast.getInput(), at, keeps);
  if (auto select = dyn_cast_if_present<SelectOp>(from)) {
    std::optional<double> onTrue = splatOf(select.getOnTrue()),
                          onFalse = splatOf(select.getOnFalse());
    if (!onTrue || !onFalse || (*onTrue == 0) == (*onFalse == 0))
      return std::nullopt;
    Value selects = select.getCondition();
    return readCondition(selects, broadcastPlaces(at, selects), (*onTrue != 0) == keeps);
  }
  if (auto constant = dyn_cast_if_present<ConstantOp>(from)) {
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (!elements || elements.isSplat())
      return std::nullopt;
    SmallVector<bool> table(elements.getValues<bool>());
    return readTable(constant, at, [&](int64_t n) { return table[n] == keeps; });
  }
  if (auto binary = dyn_cast_if_present<BinaryOp>(from))
    return readBoth(binary, at, keeps);
  auto compare = dyn_cast_if_present<CompareOp>(from);
  auto below = compare ? readComparison(compare, at, keeps) : std::nullopt;
  return below ? std::optional(Limits{*below}) : std::nullopt;
}

std::optional<Linear> MaskReader::readComparison(CompareOp compare,
                                                 ArrayRef<SymbolicExpr> at, bool keeps) {
  CompareKind kind = compare.getKind();
  bool isLess = kind == CompareKind::less || kind == CompareKind::less_equal;
  if (!isLess && kind != CompareKind::greater && kind != CompareKind::greater_equal)
    return std::nullopt;
  auto lhs = readPosition(compare.getLhs(), broadcastPlaces(at, compare.getLhs()));
  auto rhs = readPosition(compare.getRhs(), broadcastPlaces(at, compare.getRhs()));
  // lhs < rhs is lhs - rhs < 0; its negation is rhs - lhs - 1 < 0.
  bool isStrict = kind == CompareKind::less || kind == CompareKind::greater;
  if (!isLess)
    std::swap(lhs, rhs);
  if (!keeps) {
    std::swap(lhs, rhs);
    isStrict = !isStrict;
  }
  std::optional<Linear> below = combine(lhs, rhs, -1);
  if (below && !isStrict)
    below->number = below->number - SymbolicExpr(1);
  return below;
}

/// Reads a constant table over queries and keys. Each row must hide the keys from some
/// key on, one later in each row (causal), and optionally the keys before a window.
std::optional<Limits> MaskReader::readTable(Value table, ArrayRef<SymbolicExpr> at,
                                            function_ref<bool(int64_t)> keeps) {
  Dims dims = getDims(table);
  auto queries = scores[Query].getConstant(), keys = scores[Key].getConstant();
  if (!queries || !keys || numElements(dims) != *queries * *keys ||
      IndexVars::linearize(at, dims) != places[Query] * scores[Key] + places[Key])
    return std::nullopt;
  auto isKept = [&](int64_t i, int64_t j) { return keeps(i * *keys + j); };
  // The end of the visible keys in the first row, and their begin in the last row.
  int64_t offset = *keys, begin = 0;
  while (offset > 0 && !isKept(0, offset - 1))
    --offset;
  while (begin < *keys && !isKept(*queries - 1, begin))
    ++begin;
  bool hasWindow = begin > 0 && begin < *keys;
  int64_t window = *queries - 1 + offset - begin;
  for (int64_t i = 0; i < *queries; ++i)
    for (int64_t j = 0; j < *keys; ++j)
      if (isKept(i, j) != (j - i < offset && (!hasWindow || j - i >= offset - window)))
        return std::nullopt;
  Limits limits;
  if (offset < *keys)
    limits.push_back({places[Key] - places[Query] - offset, {}, 0});
  if (hasWindow)
    limits.push_back({places[Query] - places[Key] + (offset - window - 1), {}, 0});
  return limits.empty() ? std::nullopt : std::optional(limits);
}

/// Reads a constant that has zeros and one other value, which hides keys.
std::optional<KeyBounds> MaskReader::readNumbers(Value term, ArrayRef<SymbolicExpr> at) {
  auto constant = term.getDefiningOp<ConstantOp>();
  auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  if (!elements || elements.isSplat() || !elementTypeOf(term).isF32())
    return std::nullopt;
  SmallVector<float> numbers(elements.getValues<float>());
  if (!llvm::all_of(numbers, [](float x) { return x == 0 || x <= kMaskedAtMost; }))
    return std::nullopt;
  bool isInfinite =
      llvm::all_of(numbers, [](float x) { return x == 0 || std::isinf(x); });
  std::optional<Limits> below =
      readTable(term, at, [&](int64_t n) { return numbers[n] == 0; });
  if (!below)
    return std::nullopt;
  return KeyBounds{*below, isInfinite};
}

std::optional<KeyBounds> MaskReader::read(Value term, ArrayRef<SymbolicExpr> at) {
  Operation *from = term.getDefiningOp();
  if (std::optional<Place> moved = from ? movedFrom(from, at, vars) : std::nullopt)
    return read(moved->value, moved->at);
  auto select = term.getDefiningOp<SelectOp>();
  if (!select)
    return readNumbers(term, at);
  std::optional<double> onTrue = splatOf(select.getOnTrue()),
                        onFalse = splatOf(select.getOnFalse());
  bool removesTrue = onTrue && *onTrue <= kMaskedAtMost;
  bool removesFalse = onFalse && *onFalse <= kMaskedAtMost;
  if (removesTrue == removesFalse)
    return std::nullopt;
  Value condition = select.getCondition();
  std::optional<Limits> below =
      readCondition(condition, broadcastPlaces(at, condition), removesFalse);
  if (!below)
    return std::nullopt;
  KeyBounds bounds{*below, std::isinf(removesTrue ? *onTrue : *onFalse)};
  // Visible elements must be 0 or the value of another mask.
  Value kept = removesTrue ? select.getOnFalse() : select.getOnTrue();
  if (std::optional<double> number = splatOf(kept))
    return *number == 0 ? std::optional(bounds) : std::nullopt;
  std::optional<KeyBounds> other = read(kept, broadcastPlaces(at, kept));
  if (!other)
    return std::nullopt;
  bounds.below.append(other->below);
  bounds.removesByInfinity &= other->removesByInfinity;
  return bounds;
}

/// Whether the term is zero everywhere.
static bool isNothing(Value term) {
  std::optional<double> number = splatOf(term);
  if (auto select = term.getDefiningOp<SelectOp>())
    if (std::optional<double> condition = splatOf(select.getCondition()))
      number = splatOf(*condition != 0 ? select.getOnTrue() : select.getOnFalse());
  return number && *number == 0;
}

void MaskReader::collect(Value mask, SmallVectorImpl<Value> &terms) {
  if (BinaryOp sum = asBinary(mask, BinaryKind::add)) {
    collect(sum.getLhs(), terms);
    collect(sum.getRhs(), terms);
  } else if (!isNothing(mask)) {
    terms.push_back(mask);
  }
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// Matches j < i + 1 + T - S.
bool MaskReader::isCausal(const Linear &below) {
  return !below.lengths && below.number == places[Key] - places[Query] + scores[Query] -
                                               scores[Key] - SymbolicExpr(1);
}

/// Matches j < lengths[b].
bool MaskReader::isLength(const Linear &below) {
  return below.lengths && below.sign == -1 && below.number == places[Key];
}

/// Returns w of i + T - S - w < j or, if queries are the last positions of their
/// sequences, of i + lengths[b] - S - w < j.
std::optional<int64_t> MaskReader::windowOf(const Linear &below) {
  SymbolicExpr end = scores[Key];
  if (op.getFromLength()) {
    auto viewed = [](Value value) {
      while (auto reshape = value.getDefiningOp<ReshapeOp>())
        value = reshape.getInput();
      return value;
    };
    if (below.sign != 1 || viewed(below.lengths) != viewed(op.getLengths()))
      return std::nullopt;
    end = 0;
  } else if (below.lengths) {
    return std::nullopt;
  }
  SymbolicExpr first = below.number + places[Key] - places[Query],
               size = end - scores[Query] - first;
  auto keys = size.getConstant();
  return keys && *keys > 0 && *keys <= kMaxWindow ? keys : std::nullopt;
}

/// Whether a term can become attributes. A finite mask value hides no key if all keys of
/// a row are hidden. Such a mask can be converted only if it is the entire mask (`isAll`)
/// and leaves every query a visible key. A window can be converted only together with
/// causal.
bool MaskReader::mayGo(const KeyBounds &bounds, bool isAll, bool hasCausal) {
  bool seesOne = isAll && scores[Key].dominates(scores[Query]); // for all dims
  return llvm::all_of(bounds.below, [&](const Linear &below) {
    if (isCausal(below))
      return bounds.removesByInfinity || seesOne;
    if (windowOf(below))
      return hasCausal && (bounds.removesByInfinity || seesOne);
    return bounds.removesByInfinity && !op.getLengths() && isLength(below);
  });
}

void MaskReader::take(const KeyBounds &bounds) {
  for (const Linear &below : bounds.below)
    if (isCausal(below))
      causal |= !scores[Query].isConstant(1); // a single query, the last, sees all keys
                                              // anyway
    else if (auto keys = windowOf(below))
      window = std::min(*keys, window.value_or(*keys));
    else
      lengths = below.lengths;
}

/// Removes the terms that can become attributes, and returns the others.
SmallVector<Value> MaskReader::takePositions(MutableArrayRef<Term> terms) {
  auto drop = [&](function_ref<bool(const KeyBounds &)> isBad) {
    for (Term &term : terms)
      if (term.bounds && isBad(*term.bounds))
        term.bounds.reset();
  };
  // An attention has one `lengths`; only the first is converted.
  const Linear *length = nullptr;
  drop([&](const KeyBounds &bounds) {
    for (const Linear &below : bounds.below)
      if (isLength(below) && std::exchange(length, &below))
        return true;
    return false;
  });
  // Terms that remain may prevent the conversion of others, hence the iteration.
  auto count = [&] { return llvm::count_if(terms, [](auto &t) { return t.bounds; }); };
  for (int64_t before = -1; before != count();) {
    before = count();
    bool isAll = before == int64_t(terms.size()) && !op.getLengths() && !length;
    bool hasCausal = op.getCausal() || scores[Query].isConstant(1);
    for (Term &term : terms)
      hasCausal |= term.bounds &&
                   llvm::any_of(term.bounds->below,
                                [&](const Linear &below) { return isCausal(below); });
    drop([&](const KeyBounds &bounds) { return !mayGo(bounds, isAll, hasCausal); });
  }
  SmallVector<Value> rest;
  for (Term &term : terms) {
    if (term.bounds)
      take(*term.bounds);
    else
      rest.push_back(term.value);
  }
  return rest;
}

bool MaskReader::run() {
  SmallVector<Value> terms;
  Value whole = op.getMask();
  while (CastOp cast = asFloatCast(whole)) // a sum of several terms is rounded once
    whole = cast.getInput();
  collect(whole, terms);
  std::vector<Term> read;
  for (Value term : terms)
    read.push_back({term, this->read(term, broadcastPlaces(places, term))});
  SmallVector<Value> rest = takePositions(read);
  if (!terms.empty() && rest.size() == terms.size())
    return false;
  OpBuilder builder(op);
  Value mask;
  for (Value term : rest)
    mask = mask ? BinaryOp::create(builder, op.getLoc(), BinaryKind::add, mask, term)
                      .getResult()
                : term;
  if (mask && elementTypeOf(mask) != elementTypeOf(op.getMask()))
    mask =
        CastOp::create(builder, op.getLoc(),
                       makeTensorType(getDims(mask), elementTypeOf(op.getMask())), mask);
  if (lengths)
    lengths = reshapeTo(builder, op.getLoc(), lengths, {scores[Batch]});
  else
    lengths = op.getLengths();
  if (std::optional<uint64_t> before = op.getWindow(); before && window)
    window = std::min<int64_t>(*window, *before);
  UnitAttr isCausal = causal || window ? builder.getUnitAttr() : op.getCausalAttr();
  IntegerAttr keys = window ? builder.getI64IntegerAttr(*window) : op.getWindowAttr();
  Value result = AttentionOp::create(
      builder, op.getLoc(), op.getQuery(), op.getKey(), op.getValue(), mask, lengths,
      op.getSinks(), op.getKeyScales(), op.getValueScales(), /*keep=*/Value(),
      op.getScaleAttr(), isCausal, op.getFromLengthAttr(), op.getMaskedZeroAttr(),
      op.getNanZeroAttr(), op.getSoftcapAttr(), keys,
      mask ? op.getMaskHidesAttr() : UnitAttr());
  replaceAndErase(op, result);
  return true;
}

bool kiln::graph::readSight(AttentionOp op) {
  // With `keep`, a key that one mask hides has a weight if another mask hides all other
  // keys.
  return op.getMask() && !op.getKeep() && rankOf(op.getMask()) <= 4 &&
         MaskReader(op).run();
}
