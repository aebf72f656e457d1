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

/// `count` slices of the pad value along an axis; a negative count crops.
static Value padSide(Node &n, Value x, Value pad, int64_t axis, const SymbolicExpr &count,
                     bool front) {
  if (!x || count.isConstant(0))
    return x;
  Dims dims = n.dims(x);
  Symbols::Bounds bounds = n.symbols.boundsOf(count);
  if (bounds.hi <= 0)
    return n.slice(x, axis, front ? SymbolicExpr(0) - count : SymbolicExpr(0),
                   dims[axis] + count);
  if (bounds.lo < 0) {
    (void)n.failUndecided("whether a dim is padded or cropped",
                          {count, 0, Undecided::Kind::Order});
    return {};
  }
  dims[axis] = count;
  Value side = n.broadcast(pad, dims);
  return front ? n.concat({side, x}, axis) : n.concat({x, side}, axis);
}

static LogicalResult padBy(Node &n, ArrayRef<SymbolicExpr> pads, ArrayRef<int64_t> axes,
                           Value pad) {
  if (n.stringAttr("mode", "constant") != "constant")
    return n.unsupported("the mode of Pad", "constant", n.stringAttr("mode", "constant"));
  if (pads.size() != 2 * axes.size())
    return n.fail(ErrorCode::NodeInvalid, "the pads do not fit the axes",
                  Twine(2 * axes.size()) + " pads", Twine(pads.size()),
                  "correct the pads");
  Value x = n.input(0);
  for (auto [i, value] : llvm::enumerate(axes)) {
    std::optional<int64_t> axis = n.axis(value, n.inputRank(0));
    if (!axis)
      return failure();
    x = padSide(n, x, pad, *axis, pads[i], /*front=*/true);
    x = padSide(n, x, pad, *axis, pads[i + axes.size()], /*front=*/false);
  }
  return n.result(x);
}

static SmallVector<int64_t> allAxes(Node &n) {
  SmallVector<int64_t> axes;
  for (int64_t axis = 0; axis < n.inputRank(0); ++axis)
    axes.push_back(axis);
  return axes;
}

/// Pad before opset 11: everything is an attribute.
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

/// Elements (i, j) with j - i >= k (upper) or <= k (lower); zeros elsewhere.
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
