//===- AttentionSight.cpp - What a mask says of positions -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mask that removes the keys behind the query, behind a length per sequence, or in
// front of a window, is no tensor to read but a loop that ends earlier or begins later.
// The summands of a mask are taken apart; one that compares positions, as iotas or as a
// constant shows them, or a part of a longer comparison, becomes the attention's
// `causal`, `lengths` or `window`, and the others stay its mask.
//
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include "dialects/Graph/Indexing.h"
#include "kiln/Analysis/PlaceReader.h"

#include <utility>

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// The longest that attention has.
static constexpr int64_t kMaxWindow = int64_t(1) << 30;

namespace {
enum ScoreAxis { Batch, Head, Query, Key };

/// number + sign * lengths[b]: the number is of the places in the scores.
struct Linear {
  SymbolicExpr number;
  Value lengths;
  int sign = 0;
};

/// A key counts where all of the numbers are negative.
using Limits = SmallVector<Linear, 2>;

struct KeyBounds {
  Limits below;
  bool removesByInfinity = true;
};

/// A summand of a mask, and what it says of positions; nullopt: something else.
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

  /// Takes off the op's mask what is of positions; false if nothing is.
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
  Dims scores, places; ///< a place is 0 along a dim of one element
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

/// One number, or 0, 1, 2, ... along one dim as folding leaves an iota.
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

/// A number per sequence.
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

/// Both conditions: an `and` that holds, an `or` that does not.
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

/// Returns the numbers that all are below zero where the condition holds (`keeps`), or
/// where it does not; nullopt if it is no such condition of positions.
std::optional<Limits> MaskReader::readCondition(Value condition,
                                                ArrayRef<SymbolicExpr> at, bool keeps) {
  Operation *from = condition.getDefiningOp();
  if (std::optional<Place> moved = from ? movedFrom(from, at, vars) : std::nullopt)
    return readCondition(moved->value, moved->at, keeps);
  if (UnaryOp inverse = asUnary(condition, UnaryKind::logical_not))
    return readCondition(inverse.getInput(), at, !keeps);
  // A number that is cast to a condition holds where it is not 0.
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
  // lhs < rhs is lhs - rhs < 0; its opposite is rhs - lhs - 1 < 0.
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

/// A table of all queries and keys, in whose rows all keys from one on are removed, one
/// more in each row, and perhaps those in front of so many.
std::optional<Limits> MaskReader::readTable(Value table, ArrayRef<SymbolicExpr> at,
                                            function_ref<bool(int64_t)> keeps) {
  Dims dims = getDims(table);
  auto queries = scores[Query].getConstant(), keys = scores[Key].getConstant();
  if (!queries || !keys || numElements(dims) != *queries * *keys ||
      IndexVars::linearize(at, dims) != places[Query] * scores[Key] + places[Key])
    return std::nullopt;
  auto isKept = [&](int64_t i, int64_t j) { return keeps(i * *keys + j); };
  // In the first row, the end of the keys that are kept; in the last row, their begin.
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

/// A constant of zeros and of what removes.
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
  // What is not removed here is 0, or as another mask says.
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

/// Zero everywhere.
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
// The attention
//===----------------------------------------------------------------------===//

/// j < i + 1 + T - S
bool MaskReader::isCausal(const Linear &below) {
  return !below.lengths && below.number == places[Key] - places[Query] + scores[Query] -
                                               scores[Key] - SymbolicExpr(1);
}

/// j < lengths[b]
bool MaskReader::isLength(const Linear &below) {
  return below.lengths && below.sign == -1 && below.number == places[Key];
}

/// The w of i + T - S - w < j, or of i + lengths[b] - S - w < j where queries are the
/// last positions of their sequences.
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

/// `isAll`: all of the mask is of positions. What is removed by a number, and not by
/// minus infinity, counts again where all of a row is: only a mask that is alone, and
/// leaves a key to every query, may go. A window is one of the keys that causal lets a
/// query see.
bool MaskReader::mayGo(const KeyBounds &bounds, bool isAll, bool hasCausal) {
  bool seesOne = isAll && scores[Key].dominates(scores[Query]); // for all sizes
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
      causal |= !scores[Query].isConstant(1); // the last query sees all keys
    else if (auto keys = windowOf(below))
      window = std::min(*keys, window.value_or(*keys));
    else
      lengths = below.lengths;
}

/// Takes off what may go, and returns the rest.
SmallVector<Value> MaskReader::takePositions(MutableArrayRef<Term> terms) {
  auto drop = [&](function_ref<bool(const KeyBounds &)> isBad) {
    for (Term &term : terms)
      if (term.bounds && isBad(*term.bounds))
        term.bounds.reset();
  };
  // One length: the first.
  const Linear *length = nullptr;
  drop([&](const KeyBounds &bounds) {
    for (const Linear &below : bounds.below)
      if (isLength(below) && std::exchange(length, &below))
        return true;
    return false;
  });
  // What stays may keep others from going.
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
  while (CastOp cast = asFloatCast(whole)) // a sum of several is rounded once
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
  // With `keep`, what one mask removes still has a weight where another removes the rest.
  return op.getMask() && !op.getKeep() && rankOf(op.getMask()) <= 4 &&
         MaskReader(op).run();
}
