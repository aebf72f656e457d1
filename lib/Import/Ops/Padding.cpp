//===- Padding.cpp - Pad and Trilu ----------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Ops.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::CompareKind;

//===----------------------------------------------------------------------===//
// Pad
//===----------------------------------------------------------------------===//

/// Adds `count` slices of the pad value along an axis; a negative count crops. If the
/// sign depends on sizes, both are built and one of them is empty.
static Value padSide(Node &n, Value x, Value pad, int64_t axis, const SymbolicExpr &count,
                     bool front) {
  if (!x || count.isConstant(0))
    return x;
  SymbolicExpr added = n.symbols.maxOf(count, 0), cropped = added - count;
  Dims dims = n.dims(x);
  if (!cropped.isConstant(0))
    x = n.slice(x, axis, front ? cropped : SymbolicExpr(0), dims[axis] - cropped);
  if (added.isConstant(0))
    return x;
  dims[axis] = added;
  Value side = n.broadcast(pad, dims);
  return front ? n.concat({side, x}, axis) : n.concat({x, side}, axis);
}

/// Extends a dim by `before` elements before it and `after` elements after it, which
/// repeat inner elements: the outermost one (edge), all in reverse order without the
/// outermost (reflect), or all (wrap). Negative counts crop.
static Value repeatBy(Node &n, Value x, int64_t axis, const SymbolicExpr &before,
                      const SymbolicExpr &after, StringRef mode) {
  if (!x || (before.isConstant(0) && after.isConstant(0)))
    return x;
  Type i64 = n.builder.getI64Type();
  auto number = [&](const SymbolicExpr &value) {
    return n.integers(IntTensor::scalar(value, i64));
  };
  SymbolicExpr dim = n.dims(x)[axis], last = dim - 1;
  Value index = n.binary(BinaryKind::sub,
                         n.iota({n.symbols.maxOf(dim + before + after, 0)}, i64, 0),
                         number(before));
  if (mode == "edge") {
    index = n.binary(BinaryKind::max, index, number(0));
    index = n.binary(BinaryKind::min, index, number(last));
  } else if (mode == "wrap") {
    index = n.binary(BinaryKind::mod, index, number(dim));
  } else {
    Value period = number(n.symbols.maxOf(last * SymbolicExpr(2), 1));
    index = n.binary(BinaryKind::mod, index, period);
    index = n.binary(BinaryKind::min, index, n.binary(BinaryKind::sub, period, index));
  }
  return n.gather(x, index, axis);
}

static LogicalResult padBy(Node &n, ArrayRef<SymbolicExpr> pads, ArrayRef<int64_t> axes,
                           Value pad) {
  StringRef mode = n.stringAttr("mode", "constant");
  if (!llvm::is_contained({"constant", "edge", "reflect", "wrap"}, mode))
    return n.unsupported("the mode of Pad", "constant, edge, reflect or wrap", mode);
  if (pads.size() != 2 * axes.size())
    return n.fail(ErrorCode::NodeInvalid, "the pads do not fit the axes",
                  Twine(2 * axes.size()) + " pads", Twine(pads.size()),
                  "correct the pads");
  Value x = n.input(0);
  for (auto [i, value] : llvm::enumerate(axes)) {
    std::optional<int64_t> axis = n.axis(value, n.inputRank(0));
    if (!axis)
      return failure();
    const SymbolicExpr &before = pads[i], &after = pads[i + axes.size()];
    if (mode != "constant") {
      x = repeatBy(n, x, *axis, before, after, mode);
      continue;
    }
    x = padSide(n, x, pad, *axis, before, /*front=*/true);
    x = padSide(n, x, pad, *axis, after, /*front=*/false);
  }
  return n.result(x);
}

static SmallVector<int64_t> allAxes(Node &n) {
  SmallVector<int64_t> axes;
  for (int64_t axis = 0; axis < n.inputRank(0); ++axis)
    axes.push_back(axis);
  return axes;
}

/// Imports Pad before opset 11, where all parameters are attributes.
LogicalResult kiln::import::importPad2(Node &n) {
  Value pad = n.scalar(n.inputType(0).getElementType(), n.floatAttr("value", 0));
  SmallVector<int64_t> pads = n.intsAttr("pads").value_or(SmallVector<int64_t>());
  return padBy(n, Dims(pads.begin(), pads.end()), allAxes(n), pad);
}

LogicalResult kiln::import::importPad(Node &n) {
  const IntTensor *pads = n.requireContent(1, "list of pads");
  std::optional<SmallVector<int64_t>> axes = allAxes(n);
  if (pads && n.hasInput(3))
    axes = n.requireConstants(3, "list of axes");
  if (!pads || !axes)
    return failure();
  Value pad = n.hasInput(2) ? n.input(2) : n.scalar(n.inputType(0).getElementType(), 0);
  Dims counts;
  for (const SymbolicExpr &count : pads->elements)
    counts.push_back(n.symbols.canonical(count));
  return padBy(n, counts, *axes, n.reshape(pad, {}));
}

//===----------------------------------------------------------------------===//
// Trilu
//===----------------------------------------------------------------------===//

/// Keeps elements (i, j) with j - i >= k (upper) or <= k (lower); the others become zero.
LogicalResult kiln::import::importTrilu(Node &n) {
  Value x = n.input(0);
  Dims dims = n.inputDims(0);
  size_t rank = dims.size();
  if (rank < 2)
    return n.fail(ErrorCode::ShapeMismatch, "Trilu needs matrices", "rank of at least 2",
                  "rank " + Twine(rank), "check the input");
  Type index = n.builder.getI64Type();
  Value row = n.iota({dims[rank - 2], 1}, index, 0);
  Value column = n.iota({1, dims[rank - 1]}, index, 1);
  if (n.hasInput(1))
    row = n.binary(BinaryKind::add, row, n.reshape(n.input(1), {}));
  bool upper = n.intAttr("upper", 1);
  Value keep = n.compare(upper ? CompareKind::greater_equal : CompareKind::less_equal,
                         column, row);
  return n.result(n.select(keep, x, n.scalarLike(x, 0)));
}
