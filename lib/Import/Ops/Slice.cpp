//===- Slice.cpp - Slices with symbolic bounds ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX counts negative bounds of a slice from the end of the dim and clamps bounds to the
// dim. With symbolic sizes the clamps become minima and maxima in the size of the result;
// those that are decided for all sizes in the ranges are simplified. Only the sign of a
// bound must be the same for all sizes: default ranges are narrowed for that, and
// otherwise it is an error.
//
//===----------------------------------------------------------------------===//

#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/IntFold.h"
#include "lib/Import/Ops/Ops.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;

namespace {
/// Elements of one dim: start, start + step, ... (`size` of them).
struct AxisRange {
  SymbolicExpr start, size;
  int64_t step = 1;
};
} // namespace

/// Returns `index`, counted from the end of the dim if it is negative; nullopt, after an
/// error, if its sign depends on sizes.
static std::optional<SymbolicExpr> fromBegin(Node &n, const SymbolicExpr &index,
                                             const SymbolicExpr &dim) {
  if (n.symbols.isAtLeast(index, 0).value_or(false))
    return index;
  if (n.symbols.isAtLeast(-1, index).value_or(false))
    return index + dim;
  (void)n.failUndecided("whether a bound of a slice counts from the end of the dim",
                        {index, 0, Undecided::Kind::AtLeast});
  return std::nullopt;
}

/// Returns the bound clamped to [low, high]. Exporters write "to the end" as the maximum
/// or minimum integer.
static std::optional<SymbolicExpr> clamped(Node &n, const SymbolicExpr &index,
                                           const SymbolicExpr &dim,
                                           const SymbolicExpr &low,
                                           const SymbolicExpr &high) {
  std::optional<int64_t> constant = index.getConstant();
  if (constant && *constant >= INT32_MAX)
    return high;
  if (constant && *constant <= -INT32_MAX)
    return low;
  std::optional<SymbolicExpr> place = fromBegin(n, index, dim);
  if (!place)
    return std::nullopt;
  // Clamps to `high` last: for an empty dim it may be below `low`.
  return n.symbols.minOf(n.symbols.maxOf(*place, low), high);
}

static std::optional<AxisRange> rangeOf(Node &n, const SymbolicExpr &dim,
                                        const SymbolicExpr &start,
                                        const SymbolicExpr &end, int64_t step) {
  bool isForward = step > 0;
  SymbolicExpr last = dim - 1;
  // A start after the end gives a negative distance with or without the clamp; without
  // it, the formulas of start and size are shorter.
  std::optional<int64_t> constant = start.getConstant();
  bool isPlain = isForward && constant.value_or(0) >= 0 &&
                 constant.value_or(0) < INT32_MAX &&
                 n.symbols.isAtLeast(start, 0).value_or(false);
  auto from =
      isPlain ? std::optional(start) : clamped(n, start, dim, 0, isForward ? dim : last);
  auto to =
      from ? clamped(n, end, dim, isForward ? 0 : -1, isForward ? dim : last) : from;
  if (!to)
    return std::nullopt;
  SymbolicExpr distance = isForward ? *to - *from : *from - *to;
  SymbolicExpr size = n.symbols.maxOf(distance, 0).ceilDiv(std::abs(step));
  // An empty slice starts at 0, because its start may be out of range.
  return AxisRange{size.isConstant(0) ? SymbolicExpr(0) : *from, size, step};
}

/// Returns the content of a sliced integer tensor if it is known.
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
    if (!isReasonable(ranges[axis].start) || !isReasonable(ranges[axis].size))
      return n.fail(
          ErrorCode::ShapeUndecided, "the size of a slice has too long a formula",
          "a formula of at most 12 minima and maxima and 32 terms",
          ranges[axis].size.str(), "narrow the ranges of the symbols with --dims");
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

/// Imports Slice before opset 10, whose bounds and axes are attributes and whose steps
/// are 1.
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
