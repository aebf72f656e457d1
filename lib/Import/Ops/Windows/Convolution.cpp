//===- Convolution.cpp - Convolutions -------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A convolution is imported as a matmul of windows with weights (im2col). Windows of all
// channels are the rows of one matmul, groups are separate or batched matmuls, and
// depthwise convolutions multiply elementwise and sum. Channels come last inside, as in
// adjacent transformer ops: the transposes on both sides are views that cancel with their
// inverses there. docs/rationale/convolution.md has the reasons.
//
//===----------------------------------------------------------------------===//

#include "Windows.h"
#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Ops.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::ReduceKind;

namespace {
/// Convolution of x [batch, channels, in...] with w [outputs, depth, kernel...], where
/// depth is channels / groups.
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
  Value splitChannelsLast(Value padded) const;
  Value fewChannels() const;
  Value product() const;
  Value grouped() const;
  Value batched() const;
  Value depthwise() const;
  /// Returns the result, [batch, outputs, out...]; `bias` may be null.
  Value run(Value bias) const;
};
} // namespace

/// With fewer channels than this, windows are read faster along their rows.
static constexpr int64_t kFewChannels = 8;
/// Maximum number of groups with a matmul each.
static constexpr int64_t kFewGroups = 32;

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

/// Transposes [batch, channels, spatial...] to [batch, spatial..., channels].
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

/// Returns the windows of padded x, or of some of its channels, with channels last:
/// [batch, out..., kernel..., channels].
Value Convolution::splitChannelsLast(Value padded) const {
  Value split = splitPadded(n, padded, 1, windows);
  SmallVector<int64_t> permutation{0};
  for (size_t i = 0; i < rank(); ++i)
    permutation.push_back(1 + 2 * i);
  for (size_t i = 0; i < rank(); ++i)
    permutation.push_back(2 + 2 * i);
  permutation.push_back(1 + 2 * rank());
  return n.transpose(split, permutation);
}

/// Returns the windows of an image or a waveform as [batch, window, positions],
/// transposed for the matmul. Positions are contiguous in the input and in the result,
/// and there are many, while rows of a window have few elements.
Value Convolution::fewChannels() const {
  SymbolicExpr width = channels;
  for (const Window &w : windows)
    width *= SymbolicExpr(w.kernel);
  Value split = splitPadded(n, padWindows(n, x, 2, windows, 0), 2, windows, true);
  SmallVector<int64_t> permutation{0, 1};
  for (size_t i = 0; i < rank(); ++i)
    permutation.push_back(2 + 2 * i);
  for (size_t i = 0; i < rank(); ++i)
    permutation.push_back(3 + 2 * i);
  Value columns = n.reshape(n.transpose(split, permutation),
                            {batch(), width, graph::numElements(out())});
  return n.transpose(columns, {0, 2, 1});
}

/// Computes all channels by one matmul: [batch, positions, window] by [window, outputs].
Value Convolution::product() const {
  SymbolicExpr width = channels, positions = graph::numElements(out());
  for (const Window &w : windows)
    width *= SymbolicExpr(w.kernel);
  bool disjoint = llvm::all_of(windows, [](const Window &w) { return w.isDisjoint(); });
  Value rows, matrix;
  if (!disjoint && channels < kFewChannels) {
    rows = fewChannels();
    matrix = n.transpose(n.reshape(w, {outputs, width}), {1, 0});
  } else if (disjoint && (channels < kFewChannels || width != SymbolicExpr(channels))) {
    // [batch, channels, out, kernel, out, kernel ...]: window elements are in the
    // weights' order.
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
    rows = splitChannelsLast(padWindows(n, channelsLast(x), 1, windows, 0));
    SmallVector<int64_t> permutation;
    for (size_t i = 0; i < rank(); ++i)
      permutation.push_back(i + 2);
    permutation.append({1, 0});
    matrix = n.reshape(n.transpose(w, permutation), {width, outputs});
  }
  Value product = n.matmul(n.reshape(rows, {batch(), positions, width}), matrix);
  return product;
}

/// Computes a matmul per group, each with packed weights, and concatenates: [batch,
/// positions, outputs].
Value Convolution::grouped() const {
  SymbolicExpr positions = graph::numElements(out()), width = depth;
  for (const Window &w : windows)
    width *= SymbolicExpr(w.kernel);
  SmallVector<int64_t> permutation;
  for (size_t i = 0; i < rank(); ++i)
    permutation.push_back(i + 2);
  permutation.append({1, 0});
  Value padded = padWindows(n, channelsLast(x), 1, windows, 0);
  Value weights = n.transpose(w, permutation);
  int64_t last = 1 + rank(), own = outputs / groups;
  SmallVector<Value> parts;
  for (int64_t group = 0; group < groups; ++group) {
    Value part = splitChannelsLast(n.slice(padded, last, group * depth, depth));
    Value matrix = n.slice(weights, rank() + 1, group * own, own);
    parts.push_back(n.matmul(n.reshape(part, {batch(), positions, width}),
                             n.reshape(matrix, {width, own})));
  }
  return n.concat(parts, 2);
}

/// Computes a batched matmul, [batch, groups, positions, window] by [groups, window,
/// outputs / groups], if there are too many groups for a matmul each.
Value Convolution::batched() const {
  SymbolicExpr width = depth, positions = graph::numElements(out());
  Dims split{batch(), positions};
  Dims weights{groups, outputs / groups, depth};
  SymbolicExpr elements = 1;
  for (const Window &w : windows)
    elements *= SymbolicExpr(w.kernel);
  width *= elements;
  split.append({elements, groups, depth});
  weights.push_back(elements);
  Value rows = splitChannelsLast(padWindows(n, channelsLast(x), 1, windows, 0));
  rows = n.reshape(rows, split);
  rows = n.transpose(rows, {0, 3, 1, 2, 4});
  rows = n.reshape(rows, {batch(), groups, positions, width});
  Value matrix = n.transpose(n.reshape(w, weights), {0, 3, 2, 1});
  matrix = n.reshape(matrix, {groups, width, outputs / groups});
  Value product = n.transpose(n.matmul(rows, matrix), {0, 2, 1, 3});
  return n.reshape(product, {batch(), positions, outputs});
}

/// Multiplies each channel's windows by its weights; there are one or a few outputs per
/// channel.
Value Convolution::depthwise() const {
  int64_t multiplier = outputs / channels;
  Value split = splitChannelsLast(padWindows(n, channelsLast(x), 1, windows, 0));
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
  if (multiplier == 1)
    return sum;
  return n.reshape(sum, {batch(), graph::numElements(out()), outputs});
}

/// Reads the convolution of input 0 with input `weight`.
static std::optional<Convolution> readConvolution(Node &n, unsigned weight = 1) {
  Dims x = n.inputDims(0), w = n.inputDims(weight);
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
  auto windows = readWindows(n, kernel, ArrayRef(x).drop_front(2));
  if (!windows)
    return std::nullopt;
  return Convolution{n,       n.input(0), n.input(weight), groups, groups * depth,
                     outputs, depth,      *windows};
}

Value Convolution::run(Value bias) const {
  Value y = groups == 1            ? product()
            : depth == 1           ? depthwise()
            : groups <= kFewGroups ? grouped()
                                   : batched();
  if (bias)
    y = n.binary(BinaryKind::add, y, bias);
  Dims shape{batch()};
  shape.append(out());
  shape.push_back(outputs);
  return channelsFirst(n.reshape(y, shape));
}

LogicalResult kiln::import::importConv(Node &n) {
  std::optional<Convolution> conv = readConvolution(n);
  if (!conv || !conv->x || !conv->w)
    return failure();
  return n.result(conv->run(n.hasInput(2) ? n.input(2) : Value()));
}

//===----------------------------------------------------------------------===//
// Integer convolutions
//===----------------------------------------------------------------------===//

/// Returns quantized values minus their zero point (single, or one per slice of dim 0),
/// as i32.
static Value lessZero(Node &n, Value codes, unsigned zero) {
  Type i32 = n.builder.getI32Type();
  Value wide = n.cast(codes, i32);
  if (!wide || !n.hasInput(zero))
    return wide;
  Value point = n.cast(n.input(zero), i32);
  if (point && n.rank(point) == 1 && !n.dims(point)[0].isConstant(1)) {
    Dims shape(n.rank(codes), SymbolicExpr(1));
    shape[0] = n.dims(point)[0];
    point = n.reshape(point, shape);
  } else if (point) {
    point = n.reshape(point, {});
  }
  return n.binary(BinaryKind::sub, wide, point);
}

LogicalResult kiln::import::importConvInteger(Node &n) {
  std::optional<Convolution> conv = readConvolution(n);
  if (!conv)
    return failure();
  conv->x = lessZero(n, conv->x, 2);
  conv->w = lessZero(n, conv->w, 3);
  return conv->x && conv->w ? n.result(conv->run({})) : failure();
}

LogicalResult kiln::import::importQLinearConv(Node &n) {
  enum : unsigned { X, XScale, XZero, W, WScale, WZero, YScale, YZero, Bias };
  std::optional<Convolution> conv = readConvolution(n, W);
  if (!conv)
    return failure();
  conv->x = lessZero(n, conv->x, XZero);
  conv->w = lessZero(n, conv->w, WZero);
  if (!conv->x || !conv->w)
    return failure();
  Value sums = conv->run(n.hasInput(Bias) ? n.input(Bias) : Value());
  Type f32 = n.builder.getF32Type();
  // Scales per output channel are aligned with dim 1 of the result.
  Dims shape(n.inputRank(X), SymbolicExpr(1));
  Value ofWeight = n.cast(n.input(WScale), f32);
  if (ofWeight && n.rank(ofWeight) == 1)
    shape[1] = n.dims(ofWeight)[0];
  auto single = [&](unsigned input) {
    return n.cast(n.reshape(n.input(input), {}), f32);
  };
  Value factor = n.binary(BinaryKind::mul, n.reshape(ofWeight, shape), single(XScale));
  factor = n.binary(BinaryKind::div, factor, single(YScale));
  Value scaled = n.binary(BinaryKind::mul, n.cast(sums, f32), factor);
  Value rounded = n.unary(graph::UnaryKind::round, scaled);
  Value shifted = n.binary(BinaryKind::add, rounded, single(YZero));
  return n.result(n.cast(shifted, n.inputType(YZero).getElementType()));
}

//===----------------------------------------------------------------------===//
// Transposed convolutions
//===----------------------------------------------------------------------===//

/// Converts w [channels, outputs / groups, kernel...] to the weight of a convolution,
/// with the kernel reversed: [outputs, channels / groups, kernel...].
static Value flipWeight(Node &n, Value w, int64_t groups) {
  Dims dims = n.dims(w), starts(dims.size(), SymbolicExpr(0));
  SmallVector<int64_t> steps(dims.size(), 1), permutation{0, 2, 1};
  for (size_t i = 2; i < dims.size(); ++i) {
    starts[i] = dims[i] - 1;
    steps[i] = -1;
    permutation.push_back(i + 1);
  }
  SymbolicExpr depth = *dims[0].getConstant() / groups;
  Dims split{groups, depth}, joined{dims[1] * SymbolicExpr(groups), depth};
  split.append(dims.begin() + 1, dims.end());
  joined.append(dims.begin() + 2, dims.end());
  Value flipped = n.reshape(n.slice(w, starts, dims, steps), split);
  return n.reshape(n.transpose(flipped, permutation), joined);
}

/// Computes windows over the input with zeros inserted between elements (stride 1): a
/// transposed convolution is a convolution of that input with the reversed kernel.
static LogicalResult transposeWindows(Node &n, MutableArrayRef<Window> windows,
                                      ArrayRef<int64_t> pads, ArrayRef<int64_t> more) {
  StringRef automatic = n.stringAttr("auto_pad", "NOTSET");
  auto shape = n.intsAttr("output_shape");
  if (shape && shape->size() != windows.size())
    return n.unsupported("output_shape with batch and channels", "the spatial dims alone",
                         Twine(shape->size()) + " dims");
  for (auto [i, w] : llvm::enumerate(windows)) {
    SymbolicExpr spread = (w.in - 1) * SymbolicExpr(w.stride) + 1;
    SymbolicExpr before = pads[i], after = pads[i + windows.size()];
    bool same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
    if (shape || same) {
      SymbolicExpr out =
          shape ? SymbolicExpr((*shape)[i]) : w.in * SymbolicExpr(w.stride);
      SymbolicExpr total = spread + w.extent() - 1 + more[i] - out;
      SymbolicExpr half = total.floorDiv(2);
      before = automatic == "SAME_UPPER" ? half : total - half;
      after = total - before;
    }
    w.before = SymbolicExpr(w.extent() - 1) - before;
    w.after = SymbolicExpr(w.extent() - 1 + more[i]) - after;
    w.in = spread;
    w.stride = 1;
    w.out = w.in + w.before + w.after - (w.extent() - 1);
    if (!n.symbols.isAtLeast(w.out, 1).value_or(false) && !n.symbols.raise(w.out, 1, describe(n.loc)))
      return n.fail(ErrorCode::ShapeMismatch, "the padding leaves no output",
                    "at least one element", w.out.str(), "correct the node");
  }
  return success();
}

LogicalResult kiln::import::importConvTranspose(Node &n) {
  Dims x = n.inputDims(0), w = n.inputDims(1);
  int64_t groups = n.intAttr("group", 1);
  bool constant = llvm::all_of(w, [](const SymbolicExpr &dim) {
    return dim.isConstant() && *dim.getConstant() > 0;
  });
  if (x.size() < 3 || x.size() != w.size() || !constant || groups < 1 ||
      *w[0].getConstant() % groups)
    return n.fail(ErrorCode::ShapeMismatch, "the weight does not fit the input",
                  "equal ranks of at least 3, constant dims, groups that divide dim 0",
                  graph::printDims(x) + " and " + graph::printDims(w),
                  "check the shapes of the input and the weight");
  if (failed(n.unify(x[1], w[0], "the channels do not fit the weight")))
    return failure();
  SmallVector<int64_t> kernel;
  for (const SymbolicExpr &dim : ArrayRef(w).drop_front(2))
    kernel.push_back(*dim.getConstant());
  size_t count = kernel.size();
  auto lists = readWindowAttributes(n, kernel, ArrayRef(x).drop_front(2));
  auto more = lists ? readList(n, "output_padding", count, 0, 0) : std::nullopt;
  if (!more || failed(transposeWindows(n, lists->windows, lists->pads, *more)))
    return failure();
  Value input = n.input(0), weight = n.input(1);
  if (!input || !weight)
    return failure();
  auto strides = readList(n, "strides", count, 1, 1);
  for (size_t i = 0; i < count; ++i)
    input = spread(n, input, i + 2, (*strides)[i]);
  int64_t channels = *w[0].getConstant();
  Convolution conv{n,
                   input,
                   flipWeight(n, weight, groups),
                   groups,
                   channels,
                   *w[1].getConstant() * groups,
                   channels / groups,
                   lists->windows};
  return input && conv.w ? n.result(conv.run(n.hasInput(2) ? n.input(2) : Value()))
                         : failure();
}
