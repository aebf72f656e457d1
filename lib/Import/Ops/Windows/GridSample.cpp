//===- GridSample.cpp - Samples of an image at positions ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sample is a weighted sum of pixels around a position: one (nearest), two (linear) or
// four (cubic) per dim. The arithmetic is that of the ONNX spec (GridSample-22), in f32
// or f64; the cubic coefficients are those of Keys with a = -0.75.
//
//===----------------------------------------------------------------------===//

#include "Sampling.h"
#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Ops.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::UnaryKind;

namespace {
class GridSampler {
public:
  explicit GridSampler(Node &n) : n(n) {}
  LogicalResult run();

private:
  LogicalResult readAttributes();
  LogicalResult checkShapes();
  Value reflected(PixelSampler &sampler, Value place, Value size);
  Value placeOf(PixelSampler &sampler, int64_t dim, Value size);
  Tap tapAt(PixelSampler &sampler, Value index, Value weight, Value size);
  SmallVector<Tap> tapsOf(PixelSampler &sampler, int64_t dim);

  Node &n;
  enum class Mode { Nearest, Linear, Cubic } mode = Mode::Linear;
  enum class Padding { Zeros, Border, Reflection } padding = Padding::Zeros;
  bool alignCorners = false;
  Type type;           ///< of positions and weights
  Dims image, samples; ///< the spatial dims of the input and of the output
  SymbolicExpr batch, channels;
};
} // namespace

LogicalResult GridSampler::readAttributes() {
  StringRef given = n.stringAttr("mode", "linear");
  StringRef outside = n.stringAttr("padding_mode", "zeros");
  alignCorners = n.intAttr("align_corners", 0) != 0;
  bool isLinear = given == "linear" || given == "bilinear";
  bool isCubic = given == "cubic" || given == "bicubic";
  if (!isLinear && !isCubic && given != "nearest")
    return n.unsupported("the mode of GridSample", "linear, nearest or cubic", given);
  if (outside != "zeros" && outside != "border" && outside != "reflection")
    return n.unsupported("the padding_mode of GridSample", "zeros, border or reflection",
                         outside);
  mode = isLinear ? Mode::Linear : isCubic ? Mode::Cubic : Mode::Nearest;
  padding = outside == "zeros"    ? Padding::Zeros
            : outside == "border" ? Padding::Border
                                  : Padding::Reflection;
  return success();
}

LogicalResult GridSampler::checkShapes() {
  Dims x = n.inputDims(0), grid = n.inputDims(1);
  if (x.size() < 3 || grid.size() != x.size() ||
      !grid.back().isConstant(int64_t(x.size()) - 2))
    return n.fail(ErrorCode::ShapeMismatch, "the grid does not fit the image",
                  "an image [N, C, D1 .. Dr] and a grid [N, E1 .. Er, r]",
                  graph::printDims(x) + " and " + graph::printDims(grid),
                  "check the shapes of the inputs");
  auto element = dyn_cast<FloatType>(n.inputType(0).getElementType());
  auto places = dyn_cast<FloatType>(n.inputType(1).getElementType());
  if (!element || !places)
    return n.unsupported("the element types of GridSample", "floats", "integers");
  if (failed(n.unify(x[0], grid[0], "the batch of image and grid differs")))
    return failure();
  bool isDouble = element.isF64() || places.isF64();
  type = isDouble ? Type(n.builder.getF64Type()) : Type(n.builder.getF32Type());
  batch = x[0], channels = x[1];
  image.assign(x.begin() + 2, x.end());
  samples.assign(grid.begin() + 1, grid.end() - 1);
  return success();
}

/// Returns the position reflected at the ends of the image until it is inside. The ends
/// are the centers of the outer pixels with align_corners, else their outer edges.
Value GridSampler::reflected(PixelSampler &s, Value place, Value size) {
  Value first = s.number(alignCorners ? 0 : -0.5);
  Value range = alignCorners ? s.sub(size, s.number(1)) : size;
  // An image of one pixel has one position.
  range = n.binary(BinaryKind::max, range, s.number(1e-30));
  Value distance = n.unary(UnaryKind::abs, s.sub(place, first));
  Value period = s.mul(range, s.number(2));
  Value turns = n.unary(UnaryKind::floor, n.binary(BinaryKind::div, distance, period));
  Value within = s.sub(distance, s.mul(turns, period));
  return s.add(n.binary(BinaryKind::min, within, s.sub(period, within)), first);
}

/// Converts a grid coordinate in [-1, 1] along a dim to pixels; [N, samples].
Value GridSampler::placeOf(PixelSampler &s, int64_t dim, Value size) {
  int64_t last = int64_t(image.size());
  // Grids list coordinates from the innermost dim to the outermost.
  Value given =
      n.slice(n.input(1), last + 1, SymbolicExpr(last - 1 - dim), SymbolicExpr(1));
  Value place = n.cast(n.reshape(given, {batch, graph::numElements(samples)}), type);
  place = s.add(place, s.number(1));
  if (alignCorners)
    place = s.mul(place, s.mul(s.sub(size, s.number(1)), s.number(0.5)));
  else
    place = s.mul(s.sub(s.mul(place, size), s.number(1)), s.number(0.5));
  if (mode == Mode::Nearest)
    place = n.unary(UnaryKind::round, place);
  if (padding == Padding::Border)
    return s.clamped(place, s.sub(size, s.number(1)));
  return padding == Padding::Reflection ? reflected(s, place, size) : place;
}

/// Returns a pixel that may be outside, handled by the padding mode.
Tap GridSampler::tapAt(PixelSampler &s, Value index, Value weight, Value size) {
  if (padding == Padding::Zeros)
    return s.tapWithin(index, weight, size);
  if (padding == Padding::Reflection)
    index = reflected(s, index, size);
  return {s.clamped(index, s.sub(size, s.number(1))), weight};
}

/// Returns Keys' kernel at a distance of 0 to 1 (near) or 1 to 2 pixels.
static Value cubicWeight(PixelSampler &s, Value d, bool isNear) {
  constexpr double a = -0.75;
  auto horner = [&](std::initializer_list<double> coefficients) {
    Value sum;
    for (double coefficient : coefficients)
      sum = sum ? s.add(s.mul(sum, d), s.number(coefficient)) : s.number(coefficient);
    return sum;
  };
  return isNear ? horner({a + 2, -(a + 3), 0, 1}) : horner({a, -5 * a, 8 * a, -4 * a});
}

SmallVector<Tap> GridSampler::tapsOf(PixelSampler &s, int64_t dim) {
  Value size = s.sizeOf(image[dim]), place = placeOf(s, dim, size), one = s.number(1);
  auto tap = [&](Value index, Value weight) { return tapAt(s, index, weight, size); };
  if (mode == Mode::Nearest)
    return {tap(place, {})};
  Value first = n.unary(UnaryKind::floor, place), part = s.sub(place, first);
  Value rest = s.sub(one, part), next = s.add(first, one);
  if (mode == Mode::Linear)
    return {tap(first, rest), tap(next, part)};
  return {tap(s.sub(first, one), cubicWeight(s, s.add(part, one), false)),
          tap(first, cubicWeight(s, part, true)), tap(next, cubicWeight(s, rest, true)),
          tap(s.add(next, one), cubicWeight(s, s.add(rest, one), false))};
}

LogicalResult GridSampler::run() {
  if (failed(readAttributes()) || failed(checkShapes()))
    return failure();
  PixelSampler sampler(n, type, batch, image);
  SmallVector<SmallVector<Tap>> taps;
  for (size_t dim = 0; dim < image.size(); ++dim)
    taps.push_back(tapsOf(sampler, int64_t(dim)));
  Value sum = sampler.sampleOf(taps, sampler.rowsOf(n.input(0), channels),
                               graph::numElements(samples));
  Dims shape{batch, channels};
  llvm::append_range(shape, samples);
  sum = n.cast(sum, n.inputType(0).getElementType());
  return n.result(n.reshape(n.transpose(sum, {0, 2, 1}), shape));
}

LogicalResult kiln::import::importGridSample(Node &n) { return GridSampler(n).run(); }
