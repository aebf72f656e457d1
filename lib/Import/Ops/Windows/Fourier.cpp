//===- Fourier.cpp - Discrete Fourier transforms --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transform of n points is a matmul with the matrices cos and sin of 2 pi j k / n. At
// the sizes of transformers that is one more matmul among many; if n is constant, the
// matrices are packed at compile time.
//
//===----------------------------------------------------------------------===//

#include "Windows.h"
#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Ops.h"

#include <numbers>

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::CompareKind;
using graph::UnaryKind;

namespace {
struct Complex {
  Value real, imaginary; ///< a null imaginary part is zero
};
} // namespace

/// Returns 2 pi j k / n for j < n and k < columns: [n, columns]. j k is reduced modulo n
/// as an integer, since a float angle of magnitude n * n has no accurate digits.
static Value angles(Node &n, const SymbolicExpr &points, const SymbolicExpr &columns,
                    Type type) {
  Type index = n.builder.getI64Type();
  Value product = n.binary(BinaryKind::mul, n.iota({points, columns}, index, 0),
                           n.iota({points, columns}, index, 1));
  Value count = n.integers(IntTensor::scalar(points, index));
  Value steps = n.cast(n.binary(BinaryKind::mod, product, count), type);
  if (std::optional<int64_t> constant = points.getConstant())
    return n.binary(BinaryKind::mul, steps,
                    n.scalar(type, 2 * std::numbers::pi / double(*constant)));
  Value full = n.binary(BinaryKind::mul, steps, n.scalar(type, 2 * std::numbers::pi));
  return n.binary(BinaryKind::div, full, n.cast(count, type));
}

/// Transforms along the last dim.
static Complex transform(Node &n, Complex x, const SymbolicExpr &points,
                         const SymbolicExpr &columns, bool inverse) {
  Type type = n.elementType(x.real);
  Value angle = angles(n, points, columns, type);
  Value cosine = n.unary(UnaryKind::cos, angle), sine = n.unary(UnaryKind::sin, angle);
  // e^(-i a) = cos a - i sin a; the inverse uses the opposite sign.
  Value real = n.matmul(x.real, cosine), imaginary = n.matmul(x.real, sine);
  if (!inverse)
    imaginary = n.unary(UnaryKind::neg, imaginary);
  if (x.imaginary) {
    Value across = n.matmul(x.imaginary, sine);
    real = n.binary(inverse ? BinaryKind::sub : BinaryKind::add, real, across);
    imaginary = n.binary(BinaryKind::add, imaginary, n.matmul(x.imaginary, cosine));
  }
  if (!inverse)
    return {real, imaginary};
  Value count =
      n.cast(n.integers(IntTensor::scalar(points, n.builder.getI64Type())), type);
  return {n.binary(BinaryKind::div, real, count),
          n.binary(BinaryKind::div, imaginary, count)};
}

/// Computes the real inverse of a one-sided transform along the last dim: every frequency
/// except the first and, for an even number of points, the last one counts twice.
static Value inverseOfHalf(Node &n, Complex x, const SymbolicExpr &points) {
  Type type = n.elementType(x.real), index = n.builder.getI64Type();
  SymbolicExpr places = n.dims(x.real).back();
  Value angle = angles(n, points, places, type);
  Value place = n.iota({places}, index, 0);
  Value count = n.integers(IntTensor::scalar(points, index));
  Value twice = n.binary(BinaryKind::mod, n.binary(BinaryKind::add, place, place), count);
  Value isAlone = n.compare(CompareKind::equal, twice, n.scalar(index, 0));
  Value weight = n.select(isAlone, n.scalar(type, 1), n.scalar(type, 2));
  weight = n.binary(BinaryKind::div, weight, n.cast(count, type));
  auto part = [&](Value half, UnaryKind function) {
    return n.matmul(n.binary(BinaryKind::mul, half, weight), n.unary(function, angle),
                    /*transposeA=*/false, /*transposeB=*/true);
  };
  return n.binary(BinaryKind::sub, part(x.real, UnaryKind::cos),
                  part(x.imaginary, UnaryKind::sin));
}

/// Truncates x or pads it with zeros to `points` elements of dim `axis`.
static Value fitLength(Node &n, Value x, int64_t axis, const SymbolicExpr &points) {
  SymbolicExpr missing = points - n.dims(x)[axis];
  if (missing.isConstant(0))
    return x;
  bool longer = n.symbols.isAtLeast(missing, 0).value_or(false);
  if (longer)
    return padDim(n, x, axis, 0, missing, 0);
  if (n.symbols.isAtLeast(0, missing).value_or(false))
    return n.slice(x, axis, 0, points);
  (void)n.fail(ErrorCode::ShapeUndecided, "dft_length cuts or pads, depending on sizes",
               "a length that is larger, or smaller, for all sizes",
               points.str() + " of dim " + n.dims(x)[axis].str(),
               "narrow the dims with --dims");
  return {};
}

/// Returns the axis: an attribute before opset 20, then an input.
static std::optional<int64_t> axisOf(Node &n) {
  int64_t value = n.intAttr("axis", 1);
  if (n.sinceVersion() >= 20) {
    value = -2;
    if (n.hasInput(2)) {
      auto given = n.requireConstants(2, "axis");
      if (!given || given->size() != 1)
        return std::nullopt;
      value = given->front();
    }
  }
  std::optional<int64_t> axis = n.axis(value, n.inputRank(0));
  if (axis && *axis + 1 < n.inputRank(0))
    return axis;
  if (axis)
    (void)n.fail(ErrorCode::NodeInvalid, "DFT transforms along real and imaginary parts",
                 "an axis before the last", Twine(value), "correct the node");
  return std::nullopt;
}

LogicalResult kiln::import::importDft(Node &n) {
  std::optional<int64_t> axis = axisOf(n);
  Value x = n.input(0);
  if (!axis || !x)
    return failure();
  int64_t rank = n.inputRank(0);
  std::optional<int64_t> parts = n.inputDims(0).back().getConstant();
  bool inverse = n.intAttr("inverse", 0), oneSided = n.intAttr("onesided", 0);
  if (!parts || (*parts != 1 && *parts != 2))
    return n.fail(ErrorCode::ShapeMismatch, "DFT needs real or complex numbers",
                  "a last dim of 1 or 2", graph::printDims(n.inputDims(0)),
                  "check the input");
  bool isHalf = inverse && oneSided;
  if (isHalf && *parts == 1)
    return n.unsupported("the inverse of a one-sided DFT", "complex numbers",
                         "real ones");
  SymbolicExpr points = n.inputDims(0)[*axis];
  if (isHalf)
    points = (points - 1) * SymbolicExpr(2);
  if (n.hasInput(1)) {
    const IntTensor *length = n.requireContent(1, "length of the DFT");
    if (!length || length->elements.size() != 1)
      return failure();
    points = length->elements.front();
  }
  x = fitLength(n, x, *axis, isHalf ? points.floorDiv(2) + 1 : points);
  if (!x)
    return failure();
  // Moves the axis last, for the matmuls.
  SmallVector<int64_t> permutation;
  for (int64_t i = 0; i + 1 < rank; ++i)
    if (i != *axis)
      permutation.push_back(i);
  permutation.push_back(*axis);
  auto part = [&](int64_t which) {
    Value one = n.slice(x, rank - 1, which, 1);
    Dims dims = n.dims(one);
    dims.pop_back();
    return n.transpose(n.reshape(one, dims), permutation);
  };
  Complex in{part(0), *parts == 2 ? part(1) : Value()};
  SmallVector<int64_t> back(rank - 1);
  for (auto [i, from] : llvm::enumerate(permutation))
    back[from] = i;
  if (isHalf)
    return n.result(
        n.unsqueeze(n.transpose(inverseOfHalf(n, in, points), back), rank - 1));
  SymbolicExpr columns = oneSided ? points.floorDiv(2) + 1 : points;
  Complex out = transform(n, in, points, columns, inverse);
  Value joined[2] = {out.real, out.imaginary};
  for (Value &value : joined) {
    Value moved = value ? n.transpose(value, back) : Value();
    value = moved ? n.unsqueeze(moved, rank - 1) : Value();
  }
  return n.result(n.concat(joined, rank - 1));
}

//===----------------------------------------------------------------------===//
// STFT
//===----------------------------------------------------------------------===//

/// Multiplies frames of a signal, `step` apart, by a window, and transforms each.
LogicalResult kiln::import::importStft(Node &n) {
  Dims dims = n.inputDims(0);
  const IntTensor *step = n.requireContent(1, "step of the frames");
  std::optional<int64_t> parts = dims.size() == 3 ? dims[2].getConstant() : std::nullopt;
  SymbolicExpr points;
  if (n.hasInput(3)) {
    const IntTensor *given = n.requireContent(3, "length of a frame");
    if (!given || given->elements.size() != 1)
      return failure();
    points = n.symbols.canonical(given->elements.front());
  } else if (n.hasInput(2) && n.inputRank(2) == 1) {
    points = n.inputDims(2)[0];
  }
  if (!step || !n.input(0))
    return failure();
  std::optional<int64_t> by =
      step->elements.size() == 1 ? step->elements.front().getConstant() : std::nullopt;
  if (!parts || *parts < 1 || *parts > 2 || !by || *by < 1 || points.isConstant(0) ||
      (n.hasInput(2) && n.inputRank(2) != 1))
    return n.fail(
        ErrorCode::NodeInvalid, "the inputs of STFT do not fit together",
        "a signal [batch, length, 1 or 2], a step of 1 or more, and a window or a "
        "frame_length",
        graph::printDims(dims), "correct the node");
  if (n.hasInput(2) &&
      failed(n.unify(n.inputDims(2)[0], points, "the window does not fit the frames")))
    return failure();
  SymbolicExpr count =
      n.symbols.maxOf((dims[1] - points).floorDiv(*by) + 1, SymbolicExpr(0));
  Type index = n.builder.getI64Type();
  Value places =
      n.binary(BinaryKind::add, n.iota({count, points}, index, 0, 0, double(*by)),
               n.iota({count, points}, index, 1));
  auto frames = [&](int64_t part) {
    Value signal =
        n.reshape(n.slice(n.input(0), 2, SymbolicExpr(part), 1), {dims[0], dims[1]});
    Value taken = n.gather(signal, places, 1);
    return n.hasInput(2) ? n.binary(BinaryKind::mul, taken, n.input(2)) : taken;
  };
  Complex in{frames(0), *parts == 2 ? frames(1) : Value()};
  bool oneSided = n.intAttr("onesided", 1) && *parts == 1;
  Complex out = transform(n, in, points, oneSided ? points.floorDiv(2) + 1 : points,
                          /*inverse=*/false);
  if (!out.real || !out.imaginary)
    return failure();
  return n.result(n.concat({n.unsqueeze(out.real, 3), n.unsqueeze(out.imaginary, 3)}, 3));
}
