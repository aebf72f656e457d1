//===- Pooling.cpp - Pooling ----------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pooling reduces windows directly: their elements are not stored.
//
//===----------------------------------------------------------------------===//

#include "Windows.h"
#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Ops.h"

#include <limits>

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::ReduceKind;
using graph::UnaryKind;

namespace {
struct Pooling {
  Node &n;
  Value x;
  std::vector<Window> windows;

  /// Reduces the windows of `value` [batch, channels, in...] by `kind`.
  Value reduce(ReduceKind kind, Value value, double padding) const;
  /// Returns the number of counted elements per window; a scalar if it is the same for
  /// all.
  Value counts(bool withPadding) const;
};
} // namespace

static std::optional<Pooling> readPooling(Node &n) {
  std::optional<SmallVector<int64_t>> kernel = n.intsAttr("kernel_shape");
  bool fits = kernel && int64_t(kernel->size()) + 2 == n.inputRank(0) &&
              llvm::all_of(*kernel, [](int64_t k) { return k > 0 && k <= INT32_MAX; });
  if (!fits || kernel->empty()) {
    (void)n.fail(ErrorCode::NodeInvalid, "kernel_shape does not fit the input",
                 "a positive size for each dim behind batch and channels",
                 Twine(kernel ? kernel->size() : 0) + " sizes for rank " +
                     Twine(n.inputRank(0)),
                 "correct the node");
    return std::nullopt;
  }
  Dims dims = n.inputDims(0);
  auto windows =
      readWindows(n, *kernel, ArrayRef(dims).drop_front(2), n.intAttr("ceil_mode", 0));
  if (!windows || !n.input(0))
    return std::nullopt;
  return Pooling{n, n.input(0), *windows};
}

Value Pooling::reduce(ReduceKind kind, Value value, double padding) const {
  Value split = splitWindows(n, value, 2, windows, padding);
  SmallVector<int64_t> axes;
  for (size_t i = 0; i < windows.size(); ++i)
    axes.push_back(3 + 2 * i);
  return n.reduce(kind, split, axes, /*keepDims=*/false);
}

Value Pooling::counts(bool withPadding) const {
  Value product;
  for (auto [i, w] : llvm::enumerate(windows)) {
    bool padded = !withPadding && !(w.before.isConstant(0) && w.after.isConstant(0));
    if (!padded && w.overhang.isConstant(0))
      continue;
    // The overhang is never counted, the padding only if the node requests it.
    Window own = w;
    SymbolicExpr ones = w.in;
    if (withPadding) {
      ones += w.before + w.after;
      own.in = ones, own.before = 0, own.after = 0;
    }
    Value split = splitWindows(n, n.fill({ones}, n.elementType(x), 1), 0, own, 0);
    Value count = n.reduce(ReduceKind::sum, split, {1}, /*keepDims=*/false);
    Dims shape(windows.size(), SymbolicExpr(1));
    shape[i] = w.out;
    count = n.reshape(count, shape);
    product = product ? n.binary(BinaryKind::mul, product, count) : count;
  }
  double rest = 1;
  for (const Window &w : windows)
    if ((withPadding || (w.before.isConstant(0) && w.after.isConstant(0))) &&
        w.overhang.isConstant(0))
      rest *= double(w.kernel);
  Value factor = n.scalarLike(x, rest);
  return product ? n.binary(BinaryKind::mul, product, factor) : factor;
}

/// Returns the minimum value of a type, which max pooling pads with.
static double lowest(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return -std::numeric_limits<double>::infinity();
  if (integer.isUnsigned())
    return 0;
  return double(llvm::minIntN(integer.getWidth()));
}

LogicalResult kiln::import::importMaxPool(Node &n) {
  if (n.wantsOutput(1))
    return n.unsupported("the indices of MaxPool", "one output", "two outputs");
  std::optional<Pooling> pool = readPooling(n);
  if (!pool)
    return failure();
  return n.result(pool->reduce(ReduceKind::max, pool->x, lowest(n.elementType(pool->x))));
}

LogicalResult kiln::import::importAveragePool(Node &n) {
  std::optional<Pooling> pool = readPooling(n);
  if (!pool)
    return failure();
  Value sum = pool->reduce(ReduceKind::sum, pool->x, 0);
  return n.result(
      n.binary(BinaryKind::div, sum, pool->counts(n.intAttr("count_include_pad", 0))));
}

/// Computes (sum of |x|^p)^(1/p), given `sum`.
static LogicalResult importNorm(Node &n, Value x, function_ref<Value(Value)> sum) {
  double p = double(n.intAttr("p", 2));
  if (p < 1)
    return n.fail(ErrorCode::NodeInvalid, "the exponent is not positive", "p >= 1",
                  Twine(int64_t(p)), "correct the node");
  Value size = n.unary(UnaryKind::abs, x);
  if (!size || p == 1)
    return n.result(sum(size));
  if (p == 2)
    return n.result(n.unary(UnaryKind::sqrt, sum(n.binary(BinaryKind::mul, size, size))));
  Value power = sum(n.binary(BinaryKind::pow, size, n.scalarLike(size, p)));
  return n.result(n.binary(BinaryKind::pow, power, n.scalarLike(size, 1 / p)));
}

LogicalResult kiln::import::importLpPool(Node &n) {
  std::optional<Pooling> pool = readPooling(n);
  if (!pool)
    return failure();
  return importNorm(n, pool->x,
                    [&](Value value) { return pool->reduce(ReduceKind::sum, value, 0); });
}

//===----------------------------------------------------------------------===//
// Global pooling
//===----------------------------------------------------------------------===//

static Value reduceSpatial(Node &n, ReduceKind kind, Value x) {
  if (n.inputRank(0) < 3) {
    (void)n.fail(ErrorCode::ShapeMismatch, "pooling needs spatial dims",
                 "rank of at least 3", "rank " + Twine(n.inputRank(0)),
                 "check the input");
    return {};
  }
  SmallVector<int64_t> axes;
  for (int64_t axis = 2; axis < n.inputRank(0); ++axis)
    axes.push_back(axis);
  return n.reduce(kind, x, axes, /*keepDims=*/true);
}

LogicalResult kiln::import::importGlobalAveragePool(Node &n) {
  return n.result(reduceSpatial(n, ReduceKind::mean, n.input(0)));
}

LogicalResult kiln::import::importGlobalMaxPool(Node &n) {
  return n.result(reduceSpatial(n, ReduceKind::max, n.input(0)));
}

LogicalResult kiln::import::importGlobalLpPool(Node &n) {
  return importNorm(n, n.input(0), [&](Value value) {
    return reduceSpatial(n, ReduceKind::sum, value);
  });
}
