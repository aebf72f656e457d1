//===- Selection.cpp - TopK, ArgMax, OneHot -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Ops.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::CompareKind;
using graph::ReduceKind;
using graph::UnaryKind;

/// Element type of positions: a dim has fewer than 2^31 elements.
static Type positionType(Node &n) { return n.builder.getI32Type(); }
static constexpr double kNowhere = INT32_MAX;

/// Returns positions along an axis of a tensor of `rank` dims.
static Value positions(Node &n, int64_t rank, int64_t axis, const SymbolicExpr &dim) {
  Dims dims(rank, SymbolicExpr(1));
  dims[axis] = dim;
  return n.iota(dims, positionType(n), axis);
}

/// Returns the first (or last) position along the axis where the condition holds.
static Value positionWhere(Node &n, Value condition, int64_t axis, bool last) {
  if (!condition)
    return {};
  Dims dims = n.dims(condition);
  Value place = positions(n, dims.size(), axis, dims[axis]);
  Value nowhere = n.scalar(positionType(n), last ? -1 : kNowhere);
  return n.reduce(last ? ReduceKind::max : ReduceKind::min,
                  n.select(condition, place, nowhere), axis, /*keepDims=*/true);
}

/// Clamps positions below `size`, which they are already, so that analyses can prove it:
/// gathers there need no bounds check.
static Value within(Node &n, Value positions, const SymbolicExpr &size) {
  IntTensor last = IntTensor::scalar(size - 1, positionType(n));
  return positions ? n.binary(BinaryKind::min, positions, n.integers(last)) : Value();
}

/// Returns booleans as u8, other types unchanged.
static Value asNumber(Node &n, Value x) {
  if (x && n.elementType(x).isInteger(1))
    return n.cast(x, n.builder.getIntegerType(8, /*isSigned=*/false));
  return x;
}

//===----------------------------------------------------------------------===//
// ArgMax, ArgMin, Hardmax
//===----------------------------------------------------------------------===//

/// Returns the position of the maximum or minimum; NaN counts as both.
static Value argument(Node &n, Value x, ReduceKind kind, int64_t axis, bool last) {
  x = asNumber(n, x);
  Value best = n.reduce(kind, x, axis, /*keepDims=*/true);
  Value chosen = n.compare(CompareKind::equal, x, best);
  if (x && isa<FloatType>(n.elementType(x)))
    chosen = n.binary(BinaryKind::logical_or, chosen, n.unary(UnaryKind::is_nan, x));
  return positionWhere(n, chosen, axis, last);
}

static LogicalResult importArgument(Node &n, ReduceKind kind) {
  auto axis = n.axis(n.intAttr("axis", 0), n.inputRank(0));
  if (!axis)
    return failure();
  Dims dims = n.inputDims(0);
  if (n.symbols.boundsOf(dims[*axis]).hi == 0)
    return n.fail(ErrorCode::NodeInvalid, "the axis has no elements to choose from",
                  "a dim of at least 1", "0", "correct the input's shape");
  Value place =
      within(n, argument(n, n.input(0), kind, *axis, n.intAttr("select_last_index", 0)),
             dims[*axis]);
  if (!n.intAttr("keepdims", 1))
    dims.erase(dims.begin() + *axis);
  else
    dims[*axis] = 1;
  return place ? n.result(n.cast(n.reshape(place, dims), n.builder.getI64Type()))
               : failure();
}

LogicalResult kiln::import::importArgMax(Node &n) {
  return importArgument(n, ReduceKind::max);
}
LogicalResult kiln::import::importArgMin(Node &n) {
  return importArgument(n, ReduceKind::min);
}

/// Returns 1 at the first maximum, 0 elsewhere.
static Value hardmax(Node &n, Value x, int64_t axis) {
  Value place = argument(n, x, ReduceKind::max, axis, /*last=*/false);
  if (!place)
    return {};
  Dims dims = n.dims(x);
  Value all = positions(n, dims.size(), axis, dims[axis]);
  return n.cast(n.compare(CompareKind::equal, all, place), n.elementType(x));
}

/// Imports Hardmax before opset 13, which flattens the dims from the axis on.
LogicalResult kiln::import::importHardmax1(Node &n) {
  Dims dims = n.inputDims(0);
  auto axis = n.axis(n.intAttr("axis", 1), dims.size());
  if (!axis)
    return failure();
  ArrayRef<SymbolicExpr> all(dims);
  Value flat = n.reshape(n.input(0), {graph::numElements(all.take_front(*axis)),
                                      graph::numElements(all.drop_front(*axis))});
  Value chosen = flat ? hardmax(n, flat, 1) : Value();
  return chosen ? n.result(n.reshape(chosen, dims)) : failure();
}

LogicalResult kiln::import::importHardmax(Node &n) {
  auto axis = n.axis(n.intAttr("axis", -1), n.inputRank(0));
  return axis ? n.result(hardmax(n, n.input(0), *axis)) : failure();
}

//===----------------------------------------------------------------------===//
// OneHot
//===----------------------------------------------------------------------===//

/// Folds the one-hot of known indices, which TorchScript's exporter uses for the repeats
/// of repeat_interleave.
static std::optional<IntTensor> foldOneHot(const IntTensor *index, int64_t depth,
                                           const IntTensor *values, int64_t axis) {
  auto places = index ? index->constants() : std::nullopt;
  if (!places || !values || depth < 0 ||
      int64_t(places->size()) * depth > int64_t(IntTensor::kMaxElements))
    return std::nullopt;
  IntTensor result{index->shape, {}, values->elementType};
  result.shape.insert(result.shape.begin() + axis, depth);
  int64_t inner = 1;
  for (int64_t dim : ArrayRef(index->shape).drop_front(axis))
    inner *= dim;
  for (int64_t i = 0, count = int64_t(places->size()) * depth; i < count; ++i) {
    int64_t place = (*places)[i / (inner * depth) * inner + i % inner];
    bool isOn = i / inner % depth == (place < 0 ? place + depth : place);
    result.elements.push_back(values->elements[isOn]);
  }
  return result;
}

LogicalResult kiln::import::importOneHot(Node &n) {
  const IntTensor *depth = n.requireContent(1, "depth");
  if (!depth || depth->elements.size() != 1)
    return failure();
  Dims dims = n.inputDims(0);
  auto axis = n.axis(n.intAttr("axis", -1), dims.size() + 1);
  if (!axis || failed(n.unify(graph::numElements(n.inputDims(2)), 2,
                              "the values are not the one for off and the one for on")))
    return failure();
  SymbolicExpr size = n.symbols.canonical(depth->elements[0]);
  if (auto count = size.getConstant())
    if (auto folded = foldOneHot(n.content(0), *count, n.content(2), *axis))
      return n.result(*folded);
  Type type = n.builder.getI64Type();
  Value index = n.cast(n.input(0), type);
  Value negative = n.compare(CompareKind::less, index, n.scalar(type, 0));
  Value wrapped =
      n.binary(BinaryKind::add, index, n.integers(IntTensor::scalar(size, type)));
  index = n.select(negative, wrapped, index);
  Value values = n.reshape(n.input(2), {2});
  if (!index || !values)
    return failure();
  Dims own(dims.size() + 1, SymbolicExpr(1));
  own[*axis] = size;
  Value hot =
      n.compare(CompareKind::equal, n.unsqueeze(index, *axis), n.iota(own, type, *axis));
  Value off = n.reshape(n.slice(values, 0, 0, 1), {}),
        on = n.reshape(n.slice(values, 0, 1, 1), {});
  return n.result(n.select(hot, on, off));
}

//===----------------------------------------------------------------------===//
// TopK
//===----------------------------------------------------------------------===//

/// Gathers data[..., indices[..., i, ...], ...] along the axis; indices are in range.
static Value gatherAlong(Node &n, Value data, Value indices, int64_t axis) {
  if (!data || !indices)
    return {};
  Type type = n.builder.getI64Type();
  Dims dims = n.dims(data), shape = n.dims(indices);
  Value total;
  for (auto [dim, size] : llvm::enumerate(dims)) {
    Dims own(dims.size(), SymbolicExpr(1));
    own[dim] = shape[dim];
    Value place = int64_t(dim) == axis ? n.cast(indices, type) : n.iota(own, type, dim);
    Value count = n.integers(IntTensor::scalar(size, type));
    total =
        total ? n.binary(BinaryKind::add, n.binary(BinaryKind::mul, total, count), place)
              : place;
  }
  return n.gather(n.reshape(data, {graph::numElements(dims)}), total, 0);
}

/// Returns the minimum or maximum value of a type.
static Value extreme(Node &n, Type type, bool low) {
  auto scalar = RankedTensorType::get({}, type);
  if (isa<FloatType>(type)) {
    double infinity = std::numeric_limits<double>::infinity();
    return n.scalar(type, low ? -infinity : infinity);
  }
  unsigned width = type.getIntOrFloatBitWidth();
  APInt value;
  if (type.isUnsignedInteger())
    value = low ? APInt::getMinValue(width) : APInt::getMaxValue(width);
  else
    value = low ? APInt::getSignedMinValue(width) : APInt::getSignedMaxValue(width);
  return n.constant(DenseElementsAttr::get(scalar, value));
}

/// Replaces NaN by infinity, as which it is ordered.
static Value withoutNan(Node &n, Value x) {
  if (!x || !isa<FloatType>(n.elementType(x)))
    return x;
  return n.select(n.unary(UnaryKind::is_nan, x), extreme(n, n.elementType(x), false), x);
}

namespace {
struct TopK {
  Node &n;
  Value data;
  Value key;   ///< sort key: the data without NaN
  Value place; ///< breaks ties: smaller positions come first
  int64_t axis;
  SymbolicExpr count;
  bool largest;

  /// Returns true if `a` is ordered before `b` by key.
  Value isBefore(Value a, Value b) const {
    return n.compare(largest ? CompareKind::greater : CompareKind::less, a, b);
  }
  ReduceKind kind() const { return largest ? ReduceKind::max : ReduceKind::min; }
  /// Returns a key that is ordered after all others.
  Value last() const { return extreme(n, n.elementType(key), largest); }
  Value byRank() const;
  Value oneByOne() const;
  Value blocked(int64_t length) const;
  int64_t blockLength() const;
  /// Returns the positions of the first `count` elements, in order.
  Value places() const;
};
} // namespace

/// Computes each element's rank, the number of elements before it: quadratic in the dim.
Value TopK::byRank() const {
  int64_t rank = n.dims(key).size() + 1;
  Value own = n.unsqueeze(key, axis + 1), other = n.unsqueeze(key, axis);
  Value ownPlace = n.unsqueeze(place, axis + 1), otherPlace = n.unsqueeze(place, axis);
  Value tie = n.binary(BinaryKind::logical_and, n.compare(CompareKind::equal, other, own),
                       n.compare(CompareKind::less, otherPlace, ownPlace));
  Value before = n.binary(BinaryKind::logical_or, isBefore(other, own), tie);
  Value ranks = n.reduce(ReduceKind::sum, n.cast(before, positionType(n)), axis + 1,
                         /*keepDims=*/false);
  if (!ranks)
    return {};
  Value hit = n.compare(CompareKind::equal, n.unsqueeze(ranks, axis),
                        positions(n, rank, axis, count));
  return n.reduce(ReduceKind::sum,
                  n.select(hit, otherPlace, n.scalar(positionType(n), 0)), axis + 1,
                  /*keepDims=*/false);
}

/// Finds the elements one by one: each is the first of those after the previous one.
Value TopK::oneByOne() const {
  SmallVector<Value> found;
  Value behind, best, nowhere = n.scalar(positionType(n), kNowhere);
  for (int64_t i = 0; i < *count.getConstant(); ++i) {
    if (i > 0) {
      Value tie =
          n.binary(BinaryKind::logical_and, n.compare(CompareKind::equal, key, best),
                   n.compare(CompareKind::greater, place, found.back()));
      behind = n.binary(BinaryKind::logical_or, isBefore(best, key), tie);
    }
    best = n.reduce(kind(), behind ? n.select(behind, key, last()) : key, axis, true);
    Value hit = n.compare(CompareKind::equal, key, best);
    if (behind)
      hit = n.binary(BinaryKind::logical_and, behind, hit);
    found.push_back(
        n.reduce(ReduceKind::min, n.select(hit, place, nowhere), axis, /*keepDims=*/true));
    if (!found.back())
      return {};
  }
  return found.size() == 1 ? found[0] : n.concat(found, axis);
}

/// Two-level search. An element among the first k is in one of the k blocks with the best
/// first elements: otherwise k blocks before its own would have k elements before it. So
/// the row is read once, for the best element of each block, and the k searches are in
/// short rows.
Value TopK::blocked(int64_t length) const {
  Dims dims = n.dims(key), split = dims, rest = dims, chosen = dims;
  SymbolicExpr blocks = dims[axis].ceilDiv(length), each = length;
  rest[axis] = blocks * each - dims[axis];
  Value whole = rest[axis].isConstant(0)
                    ? key
                    : n.concat({key, n.broadcast(last(), rest)}, axis);
  split[axis] = blocks;
  split.insert(split.begin() + axis + 1, each);
  Value firsts = n.reduce(kind(), n.reshape(whole, split), axis + 1, /*keepDims=*/false);
  if (!firsts)
    return {};
  Value best =
      TopK{n, firsts, firsts, positions(n, dims.size(), axis, blocks), axis, count, largest}
          .places();
  chosen[axis] = count * each;
  Value inside = positions(n, dims.size() + 1, axis + 1, each);
  Value begin = n.binary(BinaryKind::mul, best, n.scalar(positionType(n), double(length)));
  Value at = n.reshape(
      n.binary(BinaryKind::add, n.unsqueeze(begin, axis + 1), inside), chosen);
  Value size = n.cast(n.integers(IntTensor::scalar(dims[axis], n.builder.getI64Type())),
                      positionType(n));
  Value exists = n.compare(CompareKind::less, at, size);
  Value inRow = n.select(exists, at, n.scalar(positionType(n), 0));
  Value candidates =
      n.select(exists, withoutNan(n, gatherAlong(n, data, inRow, axis)), last());
  if (!candidates)
    return {};
  return TopK{n, candidates, candidates, at, axis, count, largest}.places();
}

/// Searching one by one is used for up to kFew elements, if the row is longer than
/// kShortRow or if it is kLessWork times less work than ranks.
static constexpr int64_t kShortRow = 256, kFew = 64, kLessWork = 16;

/// Returns a block length that gives about as many blocks as candidates; 0 if most of a
/// row would be candidates.
int64_t TopK::blockLength() const {
  SymbolicExpr size = n.dims(key)[axis];
  int64_t maxLength = n.symbols.boundsOf(size).hi, k = count.getConstant().value_or(0);
  if (k < 2 || maxLength > INT32_MAX || maxLength < 64 * k)
    return 0;
  int64_t length = 16;
  while (length * length * k < maxLength)
    length *= 2;
  // Even the minimum size must have k blocks.
  return n.symbols.isAtLeast(size, SymbolicExpr(k * length)).value_or(false) ? length : 0;
}

Value TopK::places() const {
  if (int64_t length = blockLength())
    return blocked(length);
  int64_t few = count.getConstant().value_or(kFew + 1);
  int64_t maxLength = n.symbols.boundsOf(n.dims(key)[axis]).hi;
  bool isLess = maxLength > kShortRow || maxLength >= kLessWork * few || few == 1;
  return few >= 1 && few <= kFew && isLess ? oneByOne() : byRank();
}

static LogicalResult topK(Node &n, const SymbolicExpr &count, int64_t defaultAxis) {
  auto axis = n.axis(n.intAttr("axis", defaultAxis), n.inputRank(0));
  if (!axis)
    return failure();
  SymbolicExpr size = n.inputDims(0)[*axis];
  (void)n.symbols.narrowToPositive(size - count, describe(n.loc));
  std::optional<bool> fits = n.symbols.isAtLeast(size, count),
                      counts = n.symbols.isAtLeast(count, 0);
  if (!fits.value_or(false) || !counts.value_or(false))
    return n.fail(fits && counts ? ErrorCode::NodeInvalid : ErrorCode::ShapeUndecided,
                  "k is not a number of elements along the axis for all sizes",
                  "from 0 to " + size.str(), count.str(),
                  fits && counts ? "correct k" : "correct k, or the ranges of these dims");
  Value x = n.input(0), data = asNumber(n, x), key = withoutNan(n, data);
  if (!key)
    return failure();
  Value place = positions(n, n.dims(key).size(), *axis, size);
  TopK by{n, data, key, place, *axis, count, n.intAttr("largest", 1) != 0};
  Value places = within(n, by.places(), size);
  if (failed(n.result(gatherAlong(n, x, places, *axis))))
    return failure();
  return n.wantsOutput(1) ? n.result(n.cast(places, n.builder.getI64Type()), 1)
                          : success();
}

/// Imports TopK before opset 10, whose k is an attribute.
LogicalResult kiln::import::importTopK1(Node &n) {
  return topK(n, SymbolicExpr(n.intAttr("k", 0)), -1);
}

LogicalResult kiln::import::importTopK(Node &n) {
  const IntTensor *count = n.requireContent(1, "k");
  if (!count || count->elements.size() != 1)
    return failure();
  return topK(n, n.symbols.canonical(count->elements[0]), -1);
}
