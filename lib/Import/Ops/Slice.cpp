//===- Slice.cpp - Slices with symbolic bounds ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX clamps the bounds of a slice to the dim. With symbolic sizes the clamp
// must come out the same for every size in the ranges; otherwise the result has
// no formula: ranges that are defaults are narrowed, others make an error.
//
//===----------------------------------------------------------------------===//

#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/IntFold.h"
#include "lib/Import/Ops/Ops.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;

namespace {
/// The elements of one dim: start, start + step, ... (size of them).
struct AxisRange {
  SymbolicExpr start, size;
  int64_t step = 1;
};
} // namespace

/// `index` counted from the end if negative, then clamped to [low, high].
static std::optional<SymbolicExpr> resolve(Node &n, SymbolicExpr index,
                                           const SymbolicExpr &dim,
                                           const SymbolicExpr &low,
                                           const SymbolicExpr &high) {
  std::optional<int64_t> constant = index.getConstant();
  // Exporters write "to the end" as the largest or smallest integer.
  if (constant && *constant >= INT32_MAX)
    return high;
  if (constant && *constant <= -INT32_MAX)
    return low;
  auto undecided = [&](const SymbolicExpr &other, Undecided::Kind kind) {
    (void)n.failUndecided("whether the bounds of a slice lie in the dim",
                          {index, other, kind});
    return std::nullopt;
  };
  Symbols::Bounds bounds = n.symbols.boundsOf(index);
  if (bounds.hi < 0)
    index = index + dim;
  else if (bounds.lo < 0)
    return undecided(0, Undecided::Kind::AtLeast);
  // A table of positions limits the sequence, if the user did not ask for more.
  std::optional<SymbolicExpr> upper = minOf(n.symbols, index, high);
  if (!upper)
    return undecided(high, Undecided::Kind::Order);
  index = *upper;
  std::optional<SymbolicExpr> both = maxOf(n.symbols, *upper, low);
  return both ? both : undecided(low, Undecided::Kind::Order);
}

static std::optional<AxisRange> rangeOf(Node &n, const SymbolicExpr &dim,
                                    const SymbolicExpr &start, const SymbolicExpr &end,
                                    int64_t step) {
  SymbolicExpr last = dim - 1;
  bool forward = step > 0;
  auto from = resolve(n, start, dim, 0, forward ? dim : last);
  auto to = !from ? from : resolve(n, end, dim, forward ? 0 : -1, forward ? dim : last);
  if (!to)
    return std::nullopt;
  SymbolicExpr distance = forward ? *to - *from : *from - *to;
  std::optional<SymbolicExpr> count =
      maxOf(n.symbols, distance.ceilDiv(std::abs(step)), SymbolicExpr(0));
  if (!count) {
    (void)n.failUndecided("whether a slice is empty",
                          {distance, SymbolicExpr(0), Undecided::Kind::Order});
    return std::nullopt;
  }
  // An empty slice starts at 0: its start may be outside.
  return AxisRange{count->isConstant(0) ? SymbolicExpr(0) : *from, *count, step};
}

/// The content of a sliced integer tensor, if it is known.
static std::optional<IntTensor> sliceContent(Node &n, ArrayRef<AxisRange> ranges) {
  if (!n.content(0))
    return std::nullopt;
  IntTensor result = *n.content(0);
  for (auto [axis, range] : llvm::enumerate(ranges)) {
    auto start = range.start.getConstant(), size = range.size.getConstant();
    if (!start || !size)
      return std::nullopt;
    SmallVector<int64_t> indices;
    for (int64_t i = 0; i < *size; ++i)
      indices.push_back(*start + i * range.step);
    auto taken = take(result, axis, indices, {*size});
    if (!taken)
      return std::nullopt;
    result = *taken;
  }
  return result;
}

static LogicalResult sliceAlong(Node &n, ArrayRef<SymbolicExpr> starts,
                                ArrayRef<SymbolicExpr> ends, ArrayRef<int64_t> axes,
                                ArrayRef<int64_t> steps) {
  Dims dims = n.inputDims(0), first, sizes;
  if (ends.size() != starts.size() || axes.size() != starts.size() ||
      steps.size() != starts.size() || llvm::is_contained(steps, 0))
    return n.fail(ErrorCode::NodeInvalid, "the bounds of a slice do not fit together",
                  "as many starts, ends, axes and steps, and no step 0",
                  Twine(starts.size()) + " starts and " + Twine(ends.size()) + " ends",
                  "correct the node");
  std::vector<AxisRange> ranges;
  for (const SymbolicExpr &dim : dims)
    ranges.push_back({0, dim, 1});
  if (!n.axes(axes, dims.size()))
    return failure();
  for (size_t i = 0; i < axes.size(); ++i) {
    int64_t axis = axes[i] < 0 ? axes[i] + int64_t(dims.size()) : axes[i];
    auto range = rangeOf(n, dims[axis], n.symbols.canonical(starts[i]),
                         n.symbols.canonical(ends[i]), steps[i]);
    if (!range)
      return failure();
    ranges[axis] = *range;
  }
  if (std::optional<IntTensor> content = sliceContent(n, ranges))
    return n.result(*content);
  SmallVector<int64_t> strides;
  for (const AxisRange &range : ranges) {
    first.push_back(range.start);
    sizes.push_back(range.size);
    strides.push_back(range.step);
  }
  return n.result(n.slice(n.input(0), first, sizes, strides));
}

static SmallVector<int64_t> countUp(size_t count) {
  SmallVector<int64_t> result(count);
  for (size_t i = 0; i < count; ++i)
    result[i] = i;
  return result;
}

/// Slice before opset 10: bounds and axes are attributes, every step is 1.
LogicalResult kiln::import::importSlice1(Node &n) {
  SmallVector<int64_t> starts = n.intsAttr("starts").value_or(SmallVector<int64_t>());
  SmallVector<int64_t> ends = n.intsAttr("ends").value_or(SmallVector<int64_t>());
  SmallVector<int64_t> axes = n.intsAttr("axes").value_or(countUp(starts.size()));
  return sliceAlong(n, Dims(starts.begin(), starts.end()), Dims(ends.begin(), ends.end()),
                    axes, SmallVector<int64_t>(starts.size(), 1));
}

LogicalResult kiln::import::importSlice(Node &n) {
  const IntTensor *starts = n.requireContent(1, "list of starts");
  const IntTensor *ends = starts ? n.requireContent(2, "list of ends") : nullptr;
  if (!ends)
    return failure();
  std::optional<SmallVector<int64_t>> axes = countUp(starts->elements.size());
  std::optional<SmallVector<int64_t>> steps =
      SmallVector<int64_t>(starts->elements.size(), 1);
  if (n.hasInput(3))
    axes = n.requireConstants(3, "list of axes");
  if (axes && n.hasInput(4))
    steps = n.requireConstants(4, "list of steps");
  if (!axes || !steps)
    return failure();
  return sliceAlong(n, starts->elements, ends->elements, *axes, *steps);
}
