//===- Resize.cpp - Resize and Upsample -----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each dim is resized separately: nearest is a gather, linear and cubic are a matmul with
// a matrix [in, out] with few nonzero elements per column. The matrices are small, so a
// dense matmul is as fast as gathers of adjacent elements, and a constant matrix is
// baked. Matrix and indices are built by graph ops on iotas, so that sizes may be
// symbolic.
//
//===----------------------------------------------------------------------===//

#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Ops.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::CompareKind;
using graph::ReduceKind;
using graph::UnaryKind;

namespace {
enum class Coordinates {
  HalfPixel,
  HalfPixelSymmetric,
  TorchHalfPixel,
  AlignCorners,
  Asymmetric,
  CropAndResize,
};

/// Sizes of one dim, with the given factor or new size.
struct Axis {
  int64_t dim = 0;
  SymbolicExpr in, out;
  std::optional<double> factor; ///< nullopt: out / in
  double begin = 0, end = 1;    ///< the region of tf_crop_and_resize
};

class Resizer {
public:
  explicit Resizer(Node &n) : n(n), type(n.builder.getF32Type()) {}
  LogicalResult run(bool old);

private:
  LogicalResult readMode(bool old);
  LogicalResult readAxes(bool old);
  LogicalResult readScales(unsigned input, ArrayRef<int64_t> dims);
  LogicalResult readSizes(ArrayRef<int64_t> dims);
  LogicalResult keepAspectRatio(StringRef policy);
  LogicalResult readRegion(size_t count);
  Value number(double value) { return n.scalar(type, value); }
  Value sizeOf(const SymbolicExpr &size);
  Value sub(Value a, Value b) { return n.binary(BinaryKind::sub, a, b); }
  Value add(Value a, Value b) { return n.binary(BinaryKind::add, a, b); }
  Value mul(Value a, Value b) { return n.binary(BinaryKind::mul, a, b); }
  Value div(Value a, Value b) { return n.binary(BinaryKind::div, a, b); }
  /// Returns the positions of the result's elements in the input: [1, out].
  Value coordinates(const Axis &axis);
  Value factorOf(const Axis &axis);
  Value nearestIndex(const Axis &axis, Value at);
  Value matrix(const Axis &axis, Value at);
  Value weights(const Axis &axis, Value at) {
    return antialias ? smoothMatrix(axis, at) : matrix(axis, at);
  }
  Value cubicWeight(Value distance);
  Value smoothMatrix(const Axis &axis, Value at);
  std::optional<int64_t> reachOf(const Axis &axis) const;
  Value resize(const Axis &axis, Value x);

  Node &n;
  Type type; ///< coordinates and weights
  Coordinates mode = Coordinates::HalfPixel;
  std::string interpolation, rounding;
  double cubic = -0.75, extrapolation = 0;
  bool excludeOutside = false, antialias = false;
  std::vector<Axis> axes;
};
} // namespace

//===----------------------------------------------------------------------===//
// Attributes and sizes
//===----------------------------------------------------------------------===//

LogicalResult Resizer::readMode(bool old) {
  interpolation = n.stringAttr("mode", "nearest").str();
  if (interpolation == "bilinear")
    interpolation = "linear";
  if (interpolation != "nearest" && interpolation != "linear" && interpolation != "cubic")
    return n.unsupported("the mode of " + n.op(), "nearest, linear or cubic",
                         interpolation);
  rounding = old ? "floor" : n.stringAttr("nearest_mode", "round_prefer_floor").str();
  StringRef name =
      old ? "asymmetric" : n.stringAttr("coordinate_transformation_mode", "half_pixel");
  auto known = llvm::StringSwitch<std::optional<Coordinates>>(name)
                   .Case("half_pixel", Coordinates::HalfPixel)
                   .Case("half_pixel_symmetric", Coordinates::HalfPixelSymmetric)
                   .Case("pytorch_half_pixel", Coordinates::TorchHalfPixel)
                   .Case("align_corners", Coordinates::AlignCorners)
                   .Case("asymmetric", Coordinates::Asymmetric)
                   .Case("tf_crop_and_resize", Coordinates::CropAndResize)
                   .Default(std::nullopt);
  if (!known)
    return n.unsupported("the coordinates of " + n.op(),
                         "half_pixel, half_pixel_symmetric, pytorch_half_pixel, "
                         "align_corners, asymmetric or tf_crop_and_resize",
                         name);
  if (!llvm::is_contained({"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"},
                          rounding))
    return n.unsupported("the nearest_mode of " + n.op(),
                         "round_prefer_floor, round_prefer_ceil, floor or ceil",
                         rounding);
  mode = *known;
  cubic = n.floatAttr("cubic_coeff_a", -0.75);
  excludeOutside = n.intAttr("exclude_outside", 0);
  extrapolation = n.floatAttr("extrapolation_value", 0);
  antialias = n.intAttr("antialias", 0) && interpolation != "nearest";
  return success();
}

/// Returns the factor as a fraction of small integers; nullopt if it is not one.
static std::optional<std::pair<int64_t, int64_t>> fractionOf(double factor) {
  for (int64_t divisor = 1; divisor <= 64; ++divisor)
    if (double scaled = factor * double(divisor);
        scaled == std::floor(scaled) && scaled < INT32_MAX)
      return std::pair(int64_t(scaled), divisor);
  return std::nullopt;
}

/// Returns floor(size * factor).
static std::optional<SymbolicExpr> scaleSize(const SymbolicExpr &size, double factor) {
  if (std::optional<int64_t> constant = size.getConstant()) {
    double scaled = std::floor(double(*constant) * factor);
    return scaled < INT32_MAX ? std::optional<SymbolicExpr>(int64_t(scaled))
                              : std::nullopt;
  }
  if (auto fraction = fractionOf(factor))
    return (size * SymbolicExpr(fraction->first)).floorDiv(fraction->second);
  return std::nullopt;
}

LogicalResult Resizer::readScales(unsigned input, ArrayRef<int64_t> dims) {
  SmallVector<double> factors;
  if (n.hasAttr("scales"))
    llvm::append_range(factors, n.attr("scales")->floats());
  else if (auto given = n.constantNumbers(input))
    factors = *given;
  else
    return n.fail(ErrorCode::ShapeFromData,
                  "the scales are not known before the model runs", "constants",
                  "values computed from data",
                  "export the model with constant scales or sizes");
  if (factors.size() != dims.size())
    return n.fail(ErrorCode::NodeInvalid, "the scales do not fit the axes",
                  Twine(dims.size()) + " scales", Twine(factors.size()),
                  "correct the node");
  for (auto [dim, factor] : llvm::zip(dims, factors)) {
    SymbolicExpr in = n.inputDims(0)[dim];
    std::optional<SymbolicExpr> out = factor > 0 ? scaleSize(in, factor) : std::nullopt;
    if (!out)
      return n.fail(ErrorCode::ShapeUndecided, "a resized dim has no formula",
                    "a scale that is a fraction of integers up to 64",
                    std::to_string(factor) + " of dim " + in.str(),
                    "make the dim constant with --dims");
    // The standard computes corner positions from the size before rounding down, ONNX
    // Runtime and torch from the size after it.
    bool whole = in.isConstant()
                     ? double(*in.getConstant()) * factor == double(*out->getConstant())
                     : factor == std::floor(factor);
    if (mode == Coordinates::AlignCorners && !whole)
      return n.unsupported("align_corners with a size that is rounded down",
                           "sizes, or a scale that gives a whole size",
                           std::to_string(factor) + " of dim " + in.str());
    axes.push_back({dim, in, *out, factor});
  }
  return success();
}

LogicalResult Resizer::readSizes(ArrayRef<int64_t> dims) {
  const IntTensor *sizes = n.requireContent(3, "list of sizes");
  if (!sizes)
    return failure();
  if (sizes->elements.size() != dims.size())
    return n.fail(ErrorCode::NodeInvalid, "the sizes do not fit the axes",
                  Twine(dims.size()) + " sizes", Twine(sizes->elements.size()),
                  "correct the node");
  for (auto [dim, size] : llvm::zip(dims, sizes->elements))
    axes.push_back({dim, n.inputDims(0)[dim], n.symbols.canonical(size), std::nullopt});
  return keepAspectRatio(n.stringAttr("keep_aspect_ratio_policy", "stretch"));
}

/// Resizes all dims by the minimum (or maximum) of their factors.
LogicalResult Resizer::keepAspectRatio(StringRef policy) {
  if (policy == "stretch")
    return success();
  std::optional<double> factor;
  for (const Axis &axis : axes) {
    std::optional<int64_t> in = axis.in.getConstant(), out = axis.out.getConstant();
    if (!in || !out || *in < 1)
      return n.unsupported("keep_aspect_ratio_policy of sizes that vary",
                           "constant sizes", axis.in.str() + " to " + axis.out.str());
    double own = double(*out) / double(*in);
    factor = !factor                  ? own
             : policy == "not_larger" ? std::min(*factor, own)
                                      : std::max(*factor, own);
  }
  for (Axis &axis : axes) {
    axis.factor = factor;
    axis.out = int64_t(std::floor(double(*axis.in.getConstant()) * *factor + 0.5));
  }
  return success();
}

LogicalResult Resizer::readRegion(size_t count) {
  if (mode != Coordinates::CropAndResize)
    return success();
  auto region = n.constantNumbers(1);
  if (!region || region->size() != 2 * count)
    return n.unsupported("the region of Resize", "constants, two per axis",
                         region ? Twine(region->size()).str() : "values from data");
  for (auto [i, axis] : llvm::enumerate(axes)) {
    axis.begin = (*region)[i];
    axis.end = (*region)[i + count];
  }
  return success();
}

LogicalResult Resizer::readAxes(bool old) {
  SmallVector<int64_t> dims;
  for (int64_t i = 0; i < n.inputRank(0); ++i)
    dims.push_back(i);
  if (auto given = n.intsAttr("axes")) {
    dims.clear();
    for (int64_t value : *given) {
      std::optional<int64_t> axis = n.axis(value, n.inputRank(0));
      if (!axis)
        return failure();
      dims.push_back(*axis);
    }
  }
  auto isGiven = [&](unsigned i) {
    return n.hasInput(i) && !graph::numElements(n.inputDims(i)).isConstant(0);
  };
  bool sized = !old && isGiven(3);
  if (failed(sized ? readSizes(dims) : readScales(old ? 1 : 2, dims)))
    return failure();
  if (failed(readRegion(dims.size())))
    return failure();
  llvm::erase_if(axes, [&](const Axis &axis) {
    bool same = axis.in == axis.out && axis.factor.value_or(1) == 1;
    return same &&
           (mode != Coordinates::CropAndResize || (axis.begin == 0 && axis.end == 1));
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value Resizer::sizeOf(const SymbolicExpr &size) {
  if (std::optional<int64_t> constant = size.getConstant())
    return number(double(*constant));
  return n.cast(n.integers(IntTensor::scalar(size, n.builder.getI64Type())), type);
}

/// Returns the number of result elements per input element.
Value Resizer::factorOf(const Axis &axis) {
  return axis.factor ? number(*axis.factor) : div(sizeOf(axis.out), sizeOf(axis.in));
}

Value Resizer::coordinates(const Axis &axis) {
  Value at = n.iota({1, axis.out}, type, 1);
  Value in = sizeOf(axis.in), out = sizeOf(axis.out), half = number(0.5);
  Value factor = factorOf(axis);
  // Number of result elements before rounding down.
  Value exact = axis.factor ? mul(in, factor) : out;
  Value one = number(1);
  Value halfPixel = sub(div(add(at, half), factor), half);
  bool single = axis.out.isConstant(1);
  switch (mode) {
  case Coordinates::HalfPixel:
    return halfPixel;
  case Coordinates::TorchHalfPixel:
    if (single)
      return n.fill({1, 1}, type, -0.5);
    if (axis.out.isConstant())
      return halfPixel;
    return n.select(n.compare(CompareKind::greater, out, one), halfPixel, number(-0.5));
  case Coordinates::HalfPixelSymmetric: {
    Value centre = mul(in, half);
    return add(mul(centre, sub(one, div(out, exact))), halfPixel);
  }
  case Coordinates::Asymmetric:
    return div(at, factor);
  case Coordinates::AlignCorners: {
    if (single)
      return n.fill({1, 1}, type, 0);
    Value last = n.binary(BinaryKind::max, sub(out, one), one);
    return div(mul(at, sub(in, one)), last);
  }
  case Coordinates::CropAndResize: {
    Value last = sub(in, one), region = number(axis.end - axis.begin);
    Value first = mul(number(axis.begin), last);
    if (single)
      return n.reshape(mul(mul(number(axis.begin + axis.end), last), half), {1, 1});
    return add(first, div(mul(mul(at, region), last), sub(out, one)));
  }
  }
  return {};
}

Value Resizer::nearestIndex(const Axis &axis, Value at) {
  Value rounded;
  if (rounding == "floor")
    rounded = n.unary(UnaryKind::floor, at);
  else if (rounding == "ceil")
    rounded = n.unary(UnaryKind::ceil, at);
  else if (rounding == "round_prefer_ceil")
    rounded = n.unary(UnaryKind::floor, add(at, number(0.5)));
  else
    rounded = n.unary(UnaryKind::ceil, sub(at, number(0.5)));
  rounded = n.binary(BinaryKind::max, rounded, number(0));
  rounded = n.binary(BinaryKind::min, rounded, sub(sizeOf(axis.in), number(1)));
  return n.cast(n.reshape(rounded, {axis.out}), n.builder.getI64Type());
}

/// Returns Keys' kernel: one formula up to distance 1, another up to 2, zero above.
Value Resizer::cubicWeight(Value distance) {
  Value d = n.unary(UnaryKind::abs, distance);
  auto horner = [&](double a, double b, double c, double e) {
    return add(mul(add(mul(add(mul(number(a), d), number(b)), d), number(c)), d),
               number(e));
  };
  Value near = horner(cubic + 2, -(cubic + 3), 0, 1);
  Value far = horner(cubic, -5 * cubic, 8 * cubic, -4 * cubic);
  Value isNear = n.compare(CompareKind::less_equal, d, number(1));
  Value isFar = n.compare(CompareKind::less, d, number(2));
  return n.select(isNear, near, n.select(isFar, far, number(0)));
}

/// Returns the weights [in, out] of input element i for result element o. Elements
/// outside of the input repeat the one at its end, or have weight 0 (exclude_outside).
Value Resizer::matrix(const Axis &axis, Value at) {
  Value from = n.iota({axis.in, 1}, type, 0);
  Value last = sub(sizeOf(axis.in), number(1));
  if (interpolation == "linear" && !excludeOutside) {
    Value inside =
        n.binary(BinaryKind::min, n.binary(BinaryKind::max, at, number(0)), last);
    Value distance = n.unary(UnaryKind::abs, sub(inside, from));
    return n.binary(BinaryKind::max, sub(number(1), distance), number(0));
  }
  Value base = n.unary(UnaryKind::floor, at), sum;
  bool isCubic = interpolation == "cubic";
  for (int64_t tap = isCubic ? -1 : 0; tap <= (isCubic ? 2 : 1); ++tap) {
    Value place = add(base, number(double(tap))), distance = sub(at, place);
    Value weight = isCubic ? cubicWeight(distance)
                           : sub(number(1), n.unary(UnaryKind::abs, distance));
    if (!excludeOutside)
      place =
          n.binary(BinaryKind::min, n.binary(BinaryKind::max, place, number(0)), last);
    Value own = n.select(n.compare(CompareKind::equal, place, from), weight, number(0));
    sum = sum ? add(sum, own) : own;
  }
  if (!excludeOutside)
    return sum;
  return div(sum, n.reduce(ReduceKind::sum, sum, {0}, /*keepDims=*/true));
}

/// Returns the number of elements beyond an end of the input within a kernel that is
/// stretched for downscaling; nullopt: too many.
std::optional<int64_t> Resizer::reachOf(const Axis &axis) const {
  constexpr double kMaxReach = 256;
  double support = interpolation == "cubic" ? 2 : 1;
  double factor = axis.factor.value_or(
      double(std::max<int64_t>(n.symbols.boundsOf(axis.out).lo, 1)) /
      double(std::max<int64_t>(n.symbols.boundsOf(axis.in).hi, 1)));
  double reach = std::ceil(support / std::min(factor, 1.0)) + 1;
  return reach <= kMaxReach ? std::optional(int64_t(reach)) : std::nullopt;
}

/// Returns the matrix with antialias: for downscaling the kernel is stretched by the
/// factor, and its weights are normalized to a sum of one. (ONNX, Resize, `antialias`;
/// torch and Pillow do the same with exclude_outside.)
Value Resizer::smoothMatrix(const Axis &axis, Value at) {
  Value stretch = n.binary(BinaryKind::min, factorOf(axis), number(1));
  auto weightOf = [&](Value place) {
    Value distance = mul(sub(place, at), stretch);
    if (interpolation == "cubic")
      return cubicWeight(distance);
    return n.binary(BinaryKind::max, sub(number(1), n.unary(UnaryKind::abs, distance)),
                    number(0));
  };
  Value from = n.iota({axis.in, 1}, type, 0), sum = weightOf(from);
  Value last = sub(sizeOf(axis.in), number(1));
  std::optional<int64_t> reach = excludeOutside ? std::optional<int64_t>(0) : reachOf(axis);
  if (!reach) {
    (void)n.unsupported("antialias of so much smaller sizes",
                        "exclude_outside 1, or larger sizes by --dims",
                        axis.in.str() + " to " + axis.out.str());
    return {};
  }
  // Elements outside of the input repeat the one at its end.
  for (auto [end, step] : {std::pair(number(0), -1), std::pair(last, 1)}) {
    Value outside;
    for (int64_t i = 1; i <= *reach; ++i) {
      Value weight = weightOf(add(end, number(double(step * i))));
      outside = outside ? add(outside, weight) : weight;
    }
    if (outside)
      sum = add(sum, n.select(n.compare(CompareKind::equal, from, end), outside, number(0)));
  }
  return div(sum, n.reduce(ReduceKind::sum, sum, {0}, /*keepDims=*/true));
}

Value Resizer::resize(const Axis &axis, Value x) {
  int64_t rank = n.rank(x);
  Value at = coordinates(axis), result;
  if (interpolation == "nearest") {
    result = n.gather(x, nearestIndex(axis, at), axis.dim);
  } else if (axis.dim == rank - 1) {
    result = n.matmul(x, weights(axis, at));
  } else {
    SmallVector<int64_t> permutation;
    for (int64_t i = 0; i < rank; ++i)
      permutation.push_back(i == axis.dim ? rank - 1 : i == rank - 1 ? axis.dim : i);
    result = n.matmul(n.transpose(x, permutation), weights(axis, at));
    result = n.transpose(result, permutation);
  }
  if (mode != Coordinates::CropAndResize)
    return result;
  // Elements whose position is outside of the input get extrapolation_value.
  Value last = sub(sizeOf(axis.in), number(1));
  Value outside =
      n.binary(BinaryKind::logical_or, n.compare(CompareKind::less, at, number(0)),
               n.compare(CompareKind::greater, at, last));
  Dims shape(rank, SymbolicExpr(1));
  shape[axis.dim] = axis.out;
  return n.select(n.reshape(outside, shape), n.scalarLike(x, extrapolation), result);
}

LogicalResult Resizer::run(bool old) {
  if (failed(readMode(old)) || failed(readAxes(old)))
    return failure();
  Value x = n.input(0);
  if (!x || failed(n.checkDims(n.dims(x))))
    return failure();
  Type given = n.elementType(x);
  bool interpolates = interpolation != "nearest" && !axes.empty();
  if (interpolates && !isa<FloatType>(given))
    return n.unsupported("interpolation of integers", "floats, or mode nearest",
                         "integers");
  if (interpolates && given.isF64())
    type = given;
  Value y = interpolates ? n.cast(x, type) : x;
  for (const Axis &axis : axes)
    if (y)
      y = resize(axis, y);
  return n.result(n.cast(y, given));
}

LogicalResult kiln::import::importResize10(Node &n) { return Resizer(n).run(true); }
LogicalResult kiln::import::importResize(Node &n) { return Resizer(n).run(false); }
