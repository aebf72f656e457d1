//===- Trigonometry.cpp - Trigonometric and hyperbolic functions ----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Ops/Ops.h"

#include <cmath>

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::CompareKind;
using graph::UnaryKind;

namespace {
/// Formulas in f64, whose cancellation of a few bits does not affect narrower types.
class Wide {
public:
  explicit Wide(Node &n) : n(n), x(n.cast(n.input(0), n.builder.getF64Type())) {}

  Value number(double value) { return n.scalar(n.builder.getF64Type(), value); }
  Value add(Value a, Value b) { return n.binary(BinaryKind::add, a, b); }
  Value sub(Value a, Value b) { return n.binary(BinaryKind::sub, a, b); }
  Value mul(Value a, Value b) { return n.binary(BinaryKind::mul, a, b); }
  Value div(Value a, Value b) { return n.binary(BinaryKind::div, a, b); }
  Value of(UnaryKind kind, Value a) { return n.unary(kind, a); }
  Value less(Value a, Value b) { return n.compare(CompareKind::less, a, b); }
  /// Returns `a` where |x| < limit, else `b`.
  Value below(double limit, Value a, Value b) {
    return n.select(less(of(UnaryKind::abs, x), number(limit)), a, b);
  }
  Value atan(Value a);
  LogicalResult result(Value value) {
    return n.result(n.cast(value, n.inputType(0).getElementType()));
  }

  Node &n;
  Value x;
};
} // namespace

/// Reduces to 1 / a above tan(3 pi / 8) and to (a - 1) / (a + 1) above tan(pi / 8): the
/// reduced argument is below tan(pi / 8), where a Chebyshev fit of atan(t) / t in t^2 is
/// accurate.
Value Wide::atan(Value a) {
  static constexpr double kFit[] = {
      -0.33333333333333326, 0.19999999999997012,   -0.14285714285329562,
      0.11111111085313444,  -0.09090908058726949,  0.0769228109318707,
      -0.06666205161654902, 0.05876833051768914,   -0.052173064890151256,
      0.044994761370224005, -0.033387254662610874, 0.015113188421315576};
  Value size = of(UnaryKind::abs, a);
  Value isLarge = less(number(2.414213562373095), size),
        isMiddle = less(number(0.41421356237309503), size);
  Value above = n.select(isLarge, number(-1), sub(size, number(1)));
  Value below = n.select(isLarge, size, add(size, number(1)));
  Value t = n.select(isMiddle, div(above, below), size), square = mul(t, t);
  Value fit = number(kFit[std::size(kFit) - 1]);
  for (double coefficient : llvm::reverse(ArrayRef(kFit).drop_back()))
    fit = add(mul(fit, square), number(coefficient));
  Value rest = add(mul(mul(t, square), fit), t);
  Value start =
      n.select(isLarge, number(M_PI_2), n.select(isMiddle, number(M_PI_4), number(0)));
  Value result = add(start, rest);
  return n.select(less(a, number(0)), of(UnaryKind::neg, result), result);
}

namespace {
/// Formulas in f32, for f32 and narrower types, in which no step cancels. With Chebyshev
/// fits and rounding the relative error is at most 2.6e-7.
class Single {
public:
  explicit Single(Node &n) : n(n), x(n.cast(n.input(0), n.builder.getF32Type())) {}
  static bool fits(Node &n) { return !n.inputType(0).getElementType().isF64(); }

  Value number(double value) { return n.scalar(n.builder.getF32Type(), value); }
  Value add(Value a, Value b) { return n.binary(BinaryKind::add, a, b); }
  Value sub(Value a, Value b) { return n.binary(BinaryKind::sub, a, b); }
  Value mul(Value a, Value b) { return n.binary(BinaryKind::mul, a, b); }
  Value less(Value a, Value b) { return n.compare(CompareKind::less, a, b); }
  Value size() { return n.unary(UnaryKind::abs, x); }
  /// Returns the value, negated where x is negative.
  Value signedLikeX(Value value) {
    return n.select(less(x, number(0)), n.unary(UnaryKind::neg, value), value);
  }
  /// Returns r + r z p(z): the first term of an odd function's series, and a fit of the
  /// others.
  Value series(Value r, Value z, ArrayRef<double> fit);
  Value atan();
  Value asinOfSize(Value &isFar);
  LogicalResult result(Value value) {
    return n.result(n.cast(value, n.inputType(0).getElementType()));
  }

  Node &n;
  Value x;
};
} // namespace

Value Single::series(Value r, Value z, ArrayRef<double> fit) {
  Value sum = number(fit.back());
  for (double coefficient : llvm::reverse(fit.drop_back()))
    sum = add(mul(sum, z), number(coefficient));
  return add(mul(mul(r, z), sum), r);
}

/// Reduces the argument as in f64.
Value Single::atan() {
  static constexpr double kFit[] = {-0.3333333181353334, 0.19999550084780268,
                                    -0.14264232739077992, 0.10746299880039527,
                                    -0.06459380023175876};
  Value isLarge = less(number(2.414213562373095), size()),
        isMiddle = less(number(0.41421356237309503), size());
  Value above = n.select(isLarge, number(-1), sub(size(), number(1)));
  Value below = n.select(isLarge, size(), add(size(), number(1)));
  Value t = n.select(isMiddle, n.binary(BinaryKind::div, above, below), size());
  Value start =
      n.select(isLarge, number(M_PI_2), n.select(isMiddle, number(M_PI_4), number(0)));
  return signedLikeX(add(start, series(t, mul(t, t), kFit)));
}

/// Computes asin(|x|) up to 1/2; above, asin(sqrt((1 - |x|) / 2)), which is (pi/2 -
/// asin|x|) / 2.
Value Single::asinOfSize(Value &isFar) {
  static constexpr double kFit[] = {0.16666666317142473,  0.0750009873241077,
                                    0.04459803902053592,  0.031116094350261077,
                                    0.017078107723727573, 0.03380538707132569};
  isFar = less(number(0.5), size());
  Value rest = mul(sub(number(1), size()), number(0.5));
  Value square = n.select(isFar, rest, mul(x, x));
  Value root = n.select(isFar, n.unary(UnaryKind::sqrt, square), size());
  return series(root, square, kFit);
}

LogicalResult kiln::import::importTan(Node &n) {
  Wide w(n);
  return w.result(w.div(w.of(UnaryKind::sin, w.x), w.of(UnaryKind::cos, w.x)));
}

/// Computes atan(x / sqrt((1 - x) (1 + x))), whose quotient is infinite at the ends.
LogicalResult kiln::import::importAsin(Node &n) {
  if (Single::fits(n)) {
    Single s(n);
    Value isFar, asin = s.asinOfSize(isFar);
    Value far = s.sub(s.number(M_PI_2), s.add(asin, asin));
    return s.result(s.signedLikeX(n.select(isFar, far, asin)));
  }
  Wide w(n);
  Value one = w.number(1);
  Value square = w.mul(w.sub(one, w.x), w.add(one, w.x));
  return w.result(w.atan(w.div(w.x, w.of(UnaryKind::sqrt, square))));
}

/// Computes 2 atan(sqrt((1 - x) / (1 + x))).
LogicalResult kiln::import::importAcos(Node &n) {
  if (Single::fits(n)) {
    Single s(n);
    Value isFar, asin = s.asinOfSize(isFar), twice = s.add(asin, asin);
    Value far = n.select(s.less(s.x, s.number(0)), s.sub(s.number(M_PI), twice), twice);
    return s.result(n.select(isFar, far, s.sub(s.number(M_PI_2), s.signedLikeX(asin))));
  }
  Wide w(n);
  Value one = w.number(1);
  Value square = w.div(w.sub(one, w.x), w.add(one, w.x));
  Value half = w.atan(w.of(UnaryKind::sqrt, square));
  return w.result(w.add(half, half));
}

LogicalResult kiln::import::importAtan(Node &n) {
  if (Single::fits(n)) {
    Single s(n);
    return s.result(s.atan());
  }
  Wide w(n);
  return w.result(w.atan(w.x));
}

/// Uses tanh(x / 2) below 1, where the difference of exponentials cancels; above,
/// multiplies by exp(|x| / 2) twice, which is finite if the result is.
LogicalResult kiln::import::importSinh(Node &n) {
  Wide w(n);
  Value t = w.of(UnaryKind::tanh, w.mul(w.x, w.number(0.5)));
  Value small = w.div(w.add(t, t), w.sub(w.number(1), w.mul(t, t)));
  Value root = w.of(UnaryKind::exp, w.mul(w.of(UnaryKind::abs, w.x), w.number(0.5)));
  Value half = w.mul(root, w.number(0.5));
  Value size = w.sub(w.mul(half, root), w.div(w.div(w.number(0.5), root), root));
  return w.result(w.below(1, small, w.mul(w.of(UnaryKind::sign, w.x), size)));
}

LogicalResult kiln::import::importCosh(Node &n) {
  Wide w(n);
  Value root = w.of(UnaryKind::exp, w.mul(w.of(UnaryKind::abs, w.x), w.number(0.5)));
  Value half = w.mul(root, w.number(0.5));
  return w.result(w.add(w.mul(half, root), w.div(w.div(w.number(0.5), root), root)));
}

/// Uses x - x^3 / 6 near 0, and log(2|x|) where the square overflows.
LogicalResult kiln::import::importAsinh(Node &n) {
  Wide w(n);
  Value size = w.of(UnaryKind::abs, w.x), square = w.mul(w.x, w.x);
  Value root = w.of(UnaryKind::sqrt, w.add(square, w.number(1)));
  Value middle = w.of(UnaryKind::log, w.add(size, root));
  Value large = w.add(w.of(UnaryKind::log, size), w.number(M_LN2));
  Value sign = w.of(UnaryKind::sign, w.x);
  Value result = w.mul(sign, w.below(1e150, middle, large));
  Value small = w.sub(w.x, w.mul(w.mul(square, w.x), w.number(1.0 / 6)));
  return w.result(w.below(1e-4, small, result));
}

/// sqrt((x - 1) (x + 1)) avoids the cancellation of x^2 - 1 near 1.
LogicalResult kiln::import::importAcosh(Node &n) {
  Wide w(n);
  Value one = w.number(1);
  Value root = w.mul(w.of(UnaryKind::sqrt, w.sub(w.x, one)),
                     w.of(UnaryKind::sqrt, w.add(w.x, one)));
  Value middle = w.of(UnaryKind::log, w.add(w.x, root));
  Value large = w.add(w.of(UnaryKind::log, w.x), w.number(M_LN2));
  return w.result(w.below(1e150, middle, large));
}

LogicalResult kiln::import::importAtanh(Node &n) {
  Wide w(n);
  Value one = w.number(1);
  Value quotient = w.div(w.add(one, w.x), w.sub(one, w.x));
  Value result = w.mul(w.of(UnaryKind::log, quotient), w.number(0.5));
  Value cube = w.mul(w.mul(w.x, w.x), w.x);
  Value small = w.add(w.x, w.mul(cube, w.number(1.0 / 3)));
  return w.result(w.below(1e-4, small, result));
}
