//===- Convolution.cpp - Convolutions -------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A convolution is a product of windows with weights. Windows of all channels are
// the rows of one matrix product, those of groups of a batch of products, and
// depthwise ones are multiplied and summed where they are. Channels come last inside,
// as they do in the transformer around: the transposes on both sides are views that
// meet their inverses there. docs/rationale/convolution.md has the reasons.
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Ops/Ops.h"
#include "lib/Import/Ops/Windows.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::ReduceKind;

namespace {
/// A convolution of x [batch, channels, in...] with w [outputs, depth, kernel...],
/// where depth is channels / groups.
struct Convolution {
  Node &n;
  Value x, w;
  int64_t groups, channels, outputs, depth;
  std::vector<Window> windows;

  size_t rank() const { return windows.size(); }
  SymbolicExpr batch() const { return n.dims(x)[0]; }
  SmallVector<int64_t> kernel() const;
  Dims out() const;
  Value channelsLast(Value value) const;
  Value channelsFirst(Value value) const;
  Value splitChannelsLast() const;
  Value product() const;
  Value grouped() const;
  Value depthwise() const;
};
} // namespace

/// Below this many channels a window of all channels is read faster along its rows.
static constexpr int64_t kFewChannels = 8;

SmallVector<int64_t> Convolution::kernel() const {
  SmallVector<int64_t> sizes;
  for (const Window &w : windows)
    sizes.push_back(w.kernel);
  return sizes;
}

Dims Convolution::out() const {
  Dims sizes;
  for (const Window &w : windows)
    sizes.push_back(w.out);
  return sizes;
}

/// [batch, channels, spatial...] to [batch, spatial..., channels], and back.
Value Convolution::channelsLast(Value value) const {
  SmallVector<int64_t> permutation{0};
  for (size_t i = 0; i < rank(); ++i)
    permutation.push_back(i + 2);
  permutation.push_back(1);
  return n.transpose(value, permutation);
}

Value Convolution::channelsFirst(Value value) const {
  SmallVector<int64_t> permutation{0, int64_t(rank()) + 1};
  for (size_t i = 0; i < rank(); ++i)
    permutation.push_back(i + 1);
  return n.transpose(value, permutation);
}

/// [batch, out..., kernel..., channels]
Value Convolution::splitChannelsLast() const {
  Value split = splitWindows(n, channelsLast(x), 1, windows, 0);
  SmallVector<int64_t> permutation{0};
  for (size_t i = 0; i < rank(); ++i)
    permutation.push_back(1 + 2 * i);
  for (size_t i = 0; i < rank(); ++i)
    permutation.push_back(2 + 2 * i);
  permutation.push_back(1 + 2 * rank());
  return n.transpose(split, permutation);
}

/// All channels in one product: [batch, positions, window] by [window, outputs].
Value Convolution::product() const {
  SymbolicExpr width = channels, positions = graph::numElements(out());
  for (const Window &w : windows)
    width *= SymbolicExpr(w.kernel);
  bool disjoint = llvm::all_of(windows, [](const Window &w) {
    return w.dilation == 1 && w.kernel == w.stride;
  });
  Value rows, matrix;
  if (channels < kFewChannels || (disjoint && width != SymbolicExpr(channels))) {
    // [batch, channels, out, kernel, out, kernel ...]: columns as the weights have them.
    rows = splitWindows(n, x, 2, windows, 0);
    SmallVector<int64_t> permutation{0};
    for (size_t i = 0; i < rank(); ++i)
      permutation.push_back(2 + 2 * i);
    permutation.push_back(1);
    for (size_t i = 0; i < rank(); ++i)
      permutation.push_back(3 + 2 * i);
    rows = n.transpose(rows, permutation);
    matrix = n.transpose(n.reshape(w, {outputs, width}), {1, 0});
  } else {
    rows = splitChannelsLast();
    SmallVector<int64_t> permutation;
    for (size_t i = 0; i < rank(); ++i)
      permutation.push_back(i + 2);
    permutation.append({1, 0});
    matrix = n.reshape(n.transpose(w, permutation), {width, outputs});
  }
  Value product = n.matmul(n.reshape(rows, {batch(), positions, width}), matrix);
  return product;
}

/// [batch, groups, positions, window] by [groups, window, outputs / groups].
Value Convolution::grouped() const {
  SymbolicExpr width = depth, positions = graph::numElements(out());
  Dims split{batch(), positions};
  Dims weights{groups, outputs / groups, depth};
  SymbolicExpr elements = 1;
  for (const Window &w : windows)
    elements *= SymbolicExpr(w.kernel);
  width *= elements;
  split.append({elements, groups, depth});
  weights.push_back(elements);
  Value rows = n.reshape(splitChannelsLast(), split);
  rows = n.transpose(rows, {0, 3, 1, 2, 4});
  rows = n.reshape(rows, {batch(), groups, positions, width});
  Value matrix = n.transpose(n.reshape(w, weights), {0, 3, 2, 1});
  matrix = n.reshape(matrix, {groups, width, outputs / groups});
  Value product = n.transpose(n.matmul(rows, matrix), {0, 2, 1, 3});
  return n.reshape(product, {batch(), positions, outputs});
}

/// One channel in, one or a few out: each window by the weights of its channel.
Value Convolution::depthwise() const {
  int64_t multiplier = outputs / channels;
  Value split = splitChannelsLast();
  SmallVector<int64_t> permutation, axes;
  for (size_t i = 0; i < rank(); ++i) {
    permutation.push_back(i + 2);
    axes.push_back(1 + rank() + i);
  }
  permutation.append({0, 1});
  Dims weights;
  for (int64_t size : kernel())
    weights.push_back(size);
  Value taps = n.transpose(w, permutation);
  if (multiplier == 1) {
    weights.push_back(channels);
  } else {
    weights.append({channels, multiplier});
    split = split ? n.unsqueeze(split, n.rank(split)) : split;
  }
  Value scaled = n.binary(BinaryKind::mul, split, n.reshape(taps, weights));
  Value sum = n.reduce(ReduceKind::sum, scaled, axes, /*keepDims=*/false);
  return n.reshape(sum, {batch(), graph::numElements(out()), outputs});
}

static std::optional<Convolution> readConvolution(Node &n) {
  Dims x = n.inputDims(0), w = n.inputDims(1);
  auto mismatch = [&](const Twine &what, const Twine &expected) {
    (void)n.fail(ErrorCode::ShapeMismatch, what, expected,
                 graph::printDims(x) + " and " + graph::printDims(w),
                 "check the shapes of the input and the weight");
    return std::nullopt;
  };
  if (x.size() < 3 || x.size() != w.size())
    return mismatch("Conv needs spatial dims", "equal ranks of at least 3");
  SmallVector<int64_t> kernel;
  for (const SymbolicExpr &dim : w) {
    if (!dim.isConstant() || *dim.getConstant() < 1)
      return mismatch("the weight's dims are not known", "constants");
    kernel.push_back(*dim.getConstant());
  }
  int64_t groups = n.intAttr("group", 1), outputs = kernel[0], depth = kernel[1];
  if (groups < 1 || groups > outputs || outputs % groups)
    return mismatch("the groups do not divide the outputs", "a divisor of dim 0");
  if (failed(n.unify(x[1], groups * depth, "the channels do not fit the weight")))
    return std::nullopt;
  kernel.erase(kernel.begin(), kernel.begin() + 2);
  if (auto shape = n.intsAttr("kernel_shape"); shape && *shape != kernel)
    return mismatch("kernel_shape is not that of the weight", "equal dims");
  auto windows = readWindows(n, kernel);
  if (!windows)
    return std::nullopt;
  return Convolution{n,       n.input(0), n.input(1), groups, groups * depth, outputs,
                     depth, *windows};
}

LogicalResult kiln::import::importConv(Node &n) {
  std::optional<Convolution> conv = readConvolution(n);
  if (!conv || !conv->x || !conv->w)
    return failure();
  Value y = conv->groups == 1  ? conv->product()
            : conv->depth == 1 ? conv->depthwise()
                               : conv->grouped();
  if (n.hasInput(2))
    y = n.binary(BinaryKind::add, y, n.input(2));
  Dims shape{conv->batch()};
  shape.append(conv->out());
  shape.push_back(conv->outputs);
  return n.result(conv->channelsFirst(n.reshape(y, shape)));
}
