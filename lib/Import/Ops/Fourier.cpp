//===- Fourier.cpp - Discrete Fourier transforms --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transform of n points is a product with the matrices cos and sin of
// 2 pi j k / n. At the sizes of transformers that is one more matrix product among
// many; where n is constant the matrices are packed at compile time.
//
//===----------------------------------------------------------------------===//

#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Ops.h"
#include "lib/Import/Ops/Windows.h"

#include <numbers>

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::UnaryKind;

namespace {
struct Complex {
  Value real, imaginary; ///< imaginary may be null: zero
};
} // namespace

/// 2 pi j k / n for j < n and k < columns: [n, columns]. The product is reduced as an
/// integer, since a float angle of n * n has no digits left.
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

/// The transform along the last dim.
static Complex transform(Node &n, Complex x, const SymbolicExpr &points,
                         const SymbolicExpr &columns, bool inverse) {
  Type type = n.elementType(x.real);
  Value angle = angles(n, points, columns, type);
  Value cosine = n.unary(UnaryKind::cos, angle), sine = n.unary(UnaryKind::sin, angle);
  // e^(-i a) = cos a - i sin a; the inverse has the other sign.
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

/// x cut or padded with zeros to `points` elements of dim `axis`.
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

/// The axis: an attribute before opset 20, an input after it.
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
  if (inverse && oneSided)
    return n.unsupported("the inverse of a one-sided DFT", "inverse 0 or onesided 0",
                         "both");
  SymbolicExpr points = n.inputDims(0)[*axis];
  if (n.hasInput(1)) {
    const IntTensor *length = n.requireContent(1, "length of the DFT");
    if (!length || length->elements.size() != 1)
      return failure();
    points = length->elements.front();
  }
  x = fitLength(n, x, *axis, points);
  if (!x)
    return failure();
  // Along the last dim, for the products.
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
  SymbolicExpr columns = oneSided ? points.floorDiv(2) + 1 : points;
  Complex out = transform(n, in, points, columns, inverse);
  SmallVector<int64_t> back(rank - 1);
  for (auto [i, from] : llvm::enumerate(permutation))
    back[from] = i;
  Value joined[2] = {out.real, out.imaginary};
  for (Value &value : joined) {
    Value moved = value ? n.transpose(value, back) : Value();
    value = moved ? n.unsqueeze(moved, rank - 1) : Value();
  }
  return n.result(n.concat(joined, rank - 1));
}
