//===- DeformConv.cpp - Deformable convolutions ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every element of every window is sampled at its own position between pixels (Dai et
// al., "Deformable Convolutional Networks", 2017; with a mask Zhu et al., 2018). The
// samples, [batch, kernel * positions, channels], are then multiplied by the weight as in
// other convolutions.
//
//===----------------------------------------------------------------------===//

#include "Sampling.h"
#include "Windows.h"
#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Ops.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;

namespace {
class DeformConv {
public:
  explicit DeformConv(Node &n) : n(n) {}
  LogicalResult run();

private:
  enum Input : unsigned { X, W, Offset, Bias, Mask };
  LogicalResult readShapes();
  Value baseOf(PixelSampler &sampler, size_t dim);
  Value samplesOf(PixelSampler &sampler, int64_t group);
  Value product(Value samples);

  Node &n;
  Type type;
  std::vector<Window> windows;
  Dims image, out;
  SymbolicExpr batch, positions;
  int64_t channels = 0, outputs = 0, groups = 1, offsetGroups = 1, elements = 1;
};
} // namespace

LogicalResult DeformConv::readShapes() {
  Dims x = n.inputDims(X), w = n.inputDims(W);
  groups = n.intAttr("group", 1);
  offsetGroups = n.intAttr("offset_group", 1);
  auto mismatch = [&](const Twine &expected) {
    return n.fail(ErrorCode::ShapeMismatch,
                  "the inputs of DeformConv do not fit together", expected,
                  graph::printDims(x) + ", weight " + graph::printDims(w) + ", offset " +
                      graph::printDims(n.inputDims(Offset)),
                  "check the shapes of the inputs");
  };
  bool isKnown = llvm::all_of(
      w, [](const SymbolicExpr &dim) { return dim.getConstant().value_or(0) > 0; });
  if (x.size() < 3 || x.size() != w.size() || !isKnown || groups < 1 || offsetGroups < 1)
    return mismatch("equal ranks of at least 3 and a weight of known dims");
  outputs = *w[0].getConstant();
  channels = *w[1].getConstant() * groups;
  if (failed(n.unify(x[1], channels, "the channels do not fit the weight")))
    return failure();
  if (channels % offsetGroups || outputs % groups)
    return mismatch("groups that divide the channels and the outputs");
  SmallVector<int64_t> kernel;
  for (const SymbolicExpr &dim : ArrayRef(w).drop_front(2)) {
    kernel.push_back(*dim.getConstant());
    elements *= kernel.back();
  }
  image.assign(x.begin() + 2, x.end());
  auto read = readWindows(n, kernel, image);
  if (!read)
    return failure();
  windows = *read;
  batch = x[0];
  for (const Window &window : windows)
    out.push_back(window.out);
  positions = graph::numElements(out);
  Dims offset{batch, offsetGroups * elements * int64_t(windows.size())};
  llvm::append_range(offset, out);
  Dims given = n.inputDims(Offset);
  if (given.size() != offset.size())
    return mismatch("an offset " + graph::printDims(offset));
  for (auto [own, wanted] : llvm::zip(given, offset))
    if (failed(n.unify(own, wanted, "the offsets do not fit the windows")))
      return failure();
  return success();
}

/// Returns the positions of window elements along a dim, without offsets: [1, kernel *
/// positions].
Value DeformConv::baseOf(PixelSampler &s, size_t dim) {
  size_t rank = windows.size();
  const Window &window = windows[dim];
  Dims ofElement(2 * rank, SymbolicExpr(1)), ofWindow = ofElement, all;
  ofElement[dim] = window.kernel;
  ofWindow[rank + dim] = window.out;
  Type i64 = n.builder.getI64Type();
  Value element = n.iota(ofElement, i64, int64_t(dim), 0, double(window.dilation));
  Value begin = n.iota(ofWindow, i64, int64_t(rank + dim), 0, double(window.stride));
  Value place =
      s.sub(s.add(element, begin), n.integers(IntTensor::scalar(window.before, i64)));
  for (const Window &each : windows)
    all.push_back(each.kernel);
  llvm::append_range(all, out);
  return n.cast(
      n.reshape(n.broadcast(place, all), {1, positions * SymbolicExpr(elements)}), type);
}

/// Samples the channels of one group of offsets: [batch, kernel * positions, channels].
Value DeformConv::samplesOf(PixelSampler &s, int64_t group) {
  int64_t rank = int64_t(windows.size()), own = channels / offsetGroups;
  SymbolicExpr samples = positions * SymbolicExpr(elements);
  Value offsets =
      n.reshape(n.input(Offset), {batch, offsetGroups, elements, rank, positions});
  SmallVector<SmallVector<Tap>> taps;
  for (int64_t dim = 0; dim < rank; ++dim) {
    Value moved =
        n.slice(n.slice(offsets, 1, SymbolicExpr(group), 1), 3, SymbolicExpr(dim), 1);
    moved = n.cast(n.reshape(moved, {batch, samples}), type);
    Value place = s.add(baseOf(s, size_t(dim)), moved);
    taps.push_back(s.linearTaps(place, s.sizeOf(image[size_t(dim)])));
  }
  Value x = n.slice(n.input(X), 1, SymbolicExpr(group * own), SymbolicExpr(own));
  Value sampled = s.sampleOf(taps, s.rowsOf(x, own), samples);
  if (!n.hasInput(Mask))
    return sampled;
  Value mask = n.reshape(n.input(Mask), {batch, offsetGroups, samples});
  mask = n.reshape(n.slice(mask, 1, SymbolicExpr(group), 1), {batch, samples, 1});
  return s.mul(sampled, n.cast(mask, type));
}

/// Returns [batch, positions, outputs].
Value DeformConv::product(Value samples) {
  int64_t depth = channels / groups, own = outputs / groups;
  Value apart = n.reshape(samples, {batch, elements, positions, channels});
  Value weight = n.reshape(n.cast(n.input(W), type), {outputs, depth, elements});
  SmallVector<Value> parts;
  for (int64_t group = 0; group < groups; ++group) {
    Value rows = n.slice(apart, 3, SymbolicExpr(group * depth), SymbolicExpr(depth));
    rows =
        n.reshape(n.transpose(rows, {0, 2, 1, 3}), {batch, positions, elements * depth});
    Value matrix = n.slice(weight, 0, SymbolicExpr(group * own), SymbolicExpr(own));
    matrix = n.reshape(n.transpose(matrix, {2, 1, 0}), {elements * depth, own});
    parts.push_back(n.matmul(rows, matrix));
  }
  return parts.size() == 1 ? parts.front() : n.concat(parts, 2);
}

LogicalResult DeformConv::run() {
  if (failed(readShapes()))
    return failure();
  Type given = n.inputType(X).getElementType();
  type = given.isF64() ? given : Type(n.builder.getF32Type());
  PixelSampler sampler(n, type, batch, image);
  SmallVector<Value> samples;
  for (int64_t group = 0; group < offsetGroups; ++group)
    samples.push_back(samplesOf(sampler, group));
  Value y = product(samples.size() == 1 ? samples.front() : n.concat(samples, 2));
  if (n.hasInput(Bias))
    y = sampler.add(y, n.cast(n.input(Bias), type));
  Dims shape{batch, outputs};
  llvm::append_range(shape, out);
  return n.result(n.cast(n.reshape(n.transpose(y, {0, 2, 1}), shape), given));
}

LogicalResult kiln::import::importDeformConv(Node &n) { return DeformConv(n).run(); }
