//===- CumSum.cpp - Cumulative sums and products --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/IntFold.h"
#include "lib/Import/Ops/Ops.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::CompareKind;
using graph::ReduceKind;

namespace {
/// Cumulative sum or product along an axis.
struct Running {
  Node &n;
  bool isProduct, exclusive, reverse;

  double neutral() const { return isProduct ? 1 : 0; }
  ReduceKind kind() const { return isProduct ? ReduceKind::prod : ReduceKind::sum; }

  Value direct(Value x, int64_t axis) const;
  Value blocked(Value x, int64_t axis) const;
  Value operator()(Value x, int64_t axis) const;
};
} // namespace

/// Maximum number of elements for which each cumulative sum is computed independently.
static constexpr int64_t kBlock = 16, kStridedBlock = 4;

/// Returns the block size of the two-level sum. Along the last dim a vector holds all
/// sums of a block; along other dims lanes are different rows, so each sum of a block
/// costs additional instructions and short blocks are cheaper.
static int64_t blockOf(Node &n, Value x, int64_t axis) {
  Dims dims = n.dims(x);
  SymbolicExpr inner =
      graph::numElements(ArrayRef<SymbolicExpr>(dims).drop_front(axis + 1));
  return n.symbols.boundsOf(inner).lo >= kBlock ? kStridedBlock : kBlock;
}

/// Computes each element's sum independently, over a masked copy of the axis. The reduced
/// dim is before the result's dim, so that vectors run along the result.
Value Running::direct(Value x, int64_t axis) const {
  Dims dims = n.dims(x), to(dims.size() + 1, SymbolicExpr(1)), from = to;
  from[axis] = to[axis + 1] = dims[axis];
  Type type = n.builder.getI32Type();
  Value place = n.iota(to, type, axis + 1), other = n.iota(from, type, axis);
  if (reverse)
    std::swap(place, other);
  CompareKind order = exclusive ? CompareKind::less : CompareKind::less_equal;
  // Select instead of multiply: infinities after the element must not affect its sum.
  Value counted = n.select(n.compare(order, other, place), n.unsqueeze(x, axis + 1),
                           n.scalarLike(x, neutral()));
  return n.reduce(kind(), counted, axis, /*keepDims=*/false);
}

/// Computes sums within blocks plus sums of the blocks before: kBlock additions per
/// element instead of n / 2.
Value Running::blocked(Value x, int64_t axis) const {
  Dims dims = n.dims(x), padded = dims, split = dims;
  int64_t block = blockOf(n, x, axis);
  SymbolicExpr blocks = dims[axis].ceilDiv(block);
  padded[axis] = blocks * SymbolicExpr(block);
  Dims rest = dims;
  rest[axis] = padded[axis] - dims[axis];
  if (!rest[axis].isConstant(0))
    x = n.concat({x, n.fill(rest, n.elementType(x), neutral())}, axis);
  split[axis] = blocks;
  split.insert(split.begin() + axis + 1, SymbolicExpr(block));
  x = n.reshape(x, split);
  if (!x)
    return {};
  Value totals = n.reduce(kind(), x, axis + 1, /*keepDims=*/false);
  Value before = Running{n, isProduct, /*exclusive=*/true, reverse}(totals, axis);
  if (!before)
    return {};
  Value sum = n.binary(isProduct ? BinaryKind::mul : BinaryKind::add, direct(x, axis + 1),
                       n.unsqueeze(before, axis + 1));
  sum = n.reshape(sum, padded);
  return rest[axis].isConstant(0) ? sum : n.slice(sum, axis, 0, dims[axis]);
}

Value Running::operator()(Value x, int64_t axis) const {
  if (!x)
    return {};
  SymbolicExpr length = n.dims(x)[axis];
  bool isShort = n.symbols.boundsOf(length).hi <= 2 * blockOf(n, x, axis);
  // The cumulative sum of a decoder's mask becomes positions when its cache becomes
  // state. This pattern is recognized only without blocks, whose number would depend on a
  // past's length.
  bool isOfPast = n.symbols.pastIsState() && n.symbols.mentionsPast(length);
  return isShort || isOfPast ? direct(x, axis) : blocked(x, axis);
}

/// Folds sums of sizes, which remain sizes.
static std::optional<IntTensor> foldSum(const Running &sum, const IntTensor *known) {
  if (!known || known->rank() != 1)
    return std::nullopt;
  IntTensor result = *known;
  SymbolicExpr total = 0;
  size_t count = result.elements.size();
  for (size_t i = 0; i < count; ++i) {
    SymbolicExpr &element = result.elements[sum.reverse ? count - 1 - i : i];
    SymbolicExpr next = total + element;
    auto constant = next.getConstant();
    bool fits = constant && std::abs(*constant) < exactLimit(known->elementType);
    if (!fits && (constant || !isReasonable(next) || !known->elementType.isInteger(64)))
      return std::nullopt;
    element = sum.exclusive ? total : next;
    total = next;
  }
  return result;
}

static LogicalResult importRunning(Node &n, bool isProduct) {
  auto given = n.requireConstants(1, "axis");
  if (!given)
    return failure();
  if (given->size() != 1)
    return n.fail(ErrorCode::NodeInvalid, "the axis is not one number", "one element",
                  Twine(given->size()), "correct the axis");
  auto axis = n.axis(given->front(), n.inputRank(0));
  if (!axis)
    return failure();
  Running running{n, isProduct, n.intAttr("exclusive", 0) != 0,
                  n.intAttr("reverse", 0) != 0};
  if (std::optional<IntTensor> folded =
          isProduct ? std::nullopt : foldSum(running, n.content(0)))
    return n.result(*folded);
  Value x = n.input(0);
  // Narrow floats are accumulated in f32 and rounded once, at the end.
  Type type = n.inputType(0).getElementType();
  bool narrow = isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32;
  return n.result(n.cast(
      running(n.cast(x, narrow ? Type(n.builder.getF32Type()) : type), *axis), type));
}

LogicalResult kiln::import::importCumSum(Node &n) { return importRunning(n, false); }
LogicalResult kiln::import::importCumProd(Node &n) { return importRunning(n, true); }
