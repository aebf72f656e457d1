//===- MathF64.cpp - Functions of f64 -------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Textbook range reductions with polynomials accurate to a few ulps;
// test/unit/Target/MathTest.cpp checks the errors.
//
//===----------------------------------------------------------------------===//

#include "MathBuilder.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <limits>

using namespace mlir;
using namespace kiln::host;

/// 1.5 * 2^52: adding it leaves the nearest integer in the low bits.
static constexpr double kRound64 = 6755399441055744.0;
static constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// 2^e for -1022 <= e <= 1023.
static Value power(MathBuilder &m, Value e) {
  return m.asF64(m.shl(m.iadd(e, m.i64(1023)), m.i64(52)));
}

Value kiln::host::exp64(MathBuilder m, Value x) {
  x = m.clamp(x, m.f64(-746.0), m.f64(710.0));
  Value shifted = m.fma(x, m.f64(1.4426950408889634), m.f64(kRound64));
  Value n = m.sub(shifted, m.f64(kRound64));
  Value r = m.fma(n, m.f64(-6.93147180369123816490e-01), x);
  r = m.fma(n, m.f64(-1.90821492927058770002e-10), r);
  llvm::SmallVector<double> taylor;
  double factorial = 1;
  for (int i = 0; i < 14; factorial *= ++i)
    taylor.push_back(1 / factorial);
  Value p = m.poly64(r, taylor);
  Value exponent = m.isub(m.bits(shifted), m.bits(m.f64(kRound64)));
  Value half = m.sar(exponent, m.i64(1));
  return m.mul(m.mul(p, power(m, half)), power(m, m.isub(exponent, half)));
}

// log(x) for x = 2^k * f with f near 1: log f by the odd series in s = (f - 1) / (f + 1).
Value kiln::host::log64(MathBuilder m, Value x) {
  Value isTiny = m.less(x, m.f64(2.2250738585072014e-308)); // denormals: scaled
  Value scaled = m.select(isTiny, m.mul(x, m.f64(18014398509481984.0)), x);
  Value bits = m.isub(m.bits(scaled), m.i64(0x3FE6A09E667F3BCD)); // sqrt(1/2)
  Value k = m.sar(bits, m.i64(52));
  Value f = m.asF64(m.isub(m.bits(scaled), m.shl(k, m.i64(52))));
  Value exponent = arith::SIToFPOp::create(m.b, m.type(m.b.getF64Type()), k);
  exponent = m.sub(exponent, m.select(isTiny, m.f64(54.0), m.f64(0.0)));
  Value g = m.sub(f, m.f64(1.0));
  Value s = m.div(g, m.add(f, m.f64(1.0)));
  Value z = m.mul(s, s);
  Value series = m.mul(z, m.poly64(z, {6.666666666666735130e-01, 3.999999999940941908e-01,
                                       2.857142874366239149e-01, 2.222219843214978396e-01,
                                       1.818357216161805012e-01, 1.531383769920937332e-01,
                                       1.479819860511658591e-01}));
  Value half = m.mul(m.mul(g, g), m.f64(0.5));
  Value tail = m.fma(s, m.add(half, series), m.mul(exponent, m.f64(1.90821492927058770002e-10)));
  Value result = m.fma(exponent, m.f64(6.93147180369123816490e-01),
                       m.sub(g, m.sub(half, tail)));
  result = m.select(m.equal(x, m.f64(0.0)), m.f64(-kInfinity), result);
  result = m.select(m.less(x, m.f64(0.0)), m.f64(std::numeric_limits<double>::quiet_NaN()),
                    result);
  return m.select(m.bor(m.equal(x, m.f64(kInfinity)), m.isNan(x)), x, result);
}

// log1p(x) = log(u) * x / (u - 1) for u = 1 + x: the factor corrects the rounding of u.
Value kiln::host::log1p64(MathBuilder m, Value x) {
  Value one = m.f64(1.0), u = m.add(one, x);
  Value corrected = m.mul(log64(m, u), m.div(x, m.sub(u, one)));
  Value same = m.bor(m.equal(u, one), m.equal(x, m.f64(kInfinity)));
  return m.select(same, x, corrected);
}

// Both polynomials are Chebyshev fits: erf(x) / x in x^2 up to 1, then exp(x^2) * erfc(x)
// in (x - 3) / (x + 3) up to 6; above, erf is 1.
Value kiln::host::erf64(MathBuilder m, Value x) {
  Value size = m.clamp(m.abs(x), m.f64(0.0), m.f64(6.0)), square = m.mul(size, size);
  Value near = m.poly64(
      square, {1.1283791670955126, -0.3761263890318375, 0.11283791670954879,
               -0.026866170645076792, 0.0052239776248180145, -0.000854832698083379,
               0.0001205533111164271, -1.4925595266831182e-05, 1.6461000484121368e-06,
               -1.6350312701054695e-07, 1.4659775274047436e-08, -1.1372848856791674e-09,
               5.957176147748911e-11});
  Value t = m.div(m.sub(size, m.f64(3.0)), m.add(size, m.f64(3.0)));
  Value far =
      m.poly64(t, {0.17900115118138996, -0.3262335600430372, 0.24560380171233487,
                   -0.15011593650077898, 0.07166583719747308, -0.024392499318915004,
                   0.004269136356961225, 0.0007077464666941425, -0.0005970624964924544,
                   4.525434558991009e-05, 6.406279226046039e-05, -1.2845780030775907e-05,
                   -8.00978093907608e-06, 2.0135111426447427e-06, 1.2755818949624478e-06,
                   3.381355142042904e-09});
  Value complement = m.mul(exp64(m, m.neg(square)), far);
  Value result = m.select(m.less(size, m.f64(1.0)), m.mul(size, near),
                          m.sub(m.f64(1.0), complement));
  return math::CopySignOp::create(m.b, result, x);
}

Value kiln::host::tanh64(MathBuilder m, Value x) {
  // 1 - 2 / (exp(2|x|) + 1); for small x, where that cancels, the Taylor series.
  Value size = m.abs(x), x2 = m.mul(x, x);
  Value e = exp64(m, m.mul(size, m.f64(2.0)));
  Value large = m.sub(m.f64(1.0), m.div(m.f64(2.0), m.add(e, m.f64(1.0))));
  Value small = m.mul(size, m.poly64(x2, {1.0, -1.0 / 3, 2.0 / 15, -17.0 / 315, 62.0 / 2835,
                                          -1382.0 / 155925, 21844.0 / 6081075,
                                          -929569.0 / 638512875}));
  Value result = m.select(m.less(size, m.f64(0.1)), small, large);
  return math::CopySignOp::create(m.b, result, x);
}

Value kiln::host::pow64(MathBuilder m, Value x, Value y) {
  Value size = exp64(m, m.mul(y, log64(m, m.abs(x))));
  Value whole = m.equal(math::TruncOp::create(m.b, y), y);
  Value halved = m.mul(y, m.f64(0.5));
  Value even = m.equal(math::TruncOp::create(m.b, halved), halved);
  Value odd = m.band(whole, m.bxor(even, m.integer(1, -1)));
  // The sign bit instead of a comparison: pow(-0, -1) is -inf.
  Value copied = math::CopySignOp::create(m.b, size, x);
  Value result = m.select(odd, copied, size);
  Value undefined = m.band(m.less(x, m.f64(0.0)), m.bxor(whole, m.integer(1, -1)));
  undefined = m.band(undefined, m.greater(x, m.f64(-kInfinity)));
  result = m.select(undefined, m.f64(std::numeric_limits<double>::quiet_NaN()), result);
  Value one = m.bor(m.equal(x, m.f64(1.0)), m.equal(y, m.f64(0.0)));
  one = m.bor(one, m.band(m.equal(x, m.f64(-1.0)), m.equal(m.abs(y), m.f64(kInfinity))));
  return m.select(one, m.f64(1.0), result);
}

/// Returns d * 2^max(2046 - 52 * step, 0), which may be infinite.
static Value scaledDivisor(MathBuilder &m, Value d, Value step) {
  MathBuilder scalar(m.b, m.b.getF64Type());
  Value number = arith::IndexCastOp::create(m.b, m.b.getI64Type(), step);
  Value taken = arith::MulIOp::create(m.b, number, scalar.i64(52));
  Value left = scalar.isub(scalar.i64(2046), taken);
  Value scale = arith::MaxSIOp::create(m.b, left, scalar.i64(0));
  Value half = scalar.sar(scale, scalar.i64(1));
  for (Value exponent : {half, scalar.isub(scale, half)}) {
    Value factor = power(scalar, exponent);
    if (isa<VectorType>(d.getType()))
      factor = vector::BroadcastOp::create(m.b, d.getType(), factor);
    d = m.mul(d, factor);
  }
  return d;
}

// Exact, in 41 steps of long division. Before the step that divides by d = |y| * 2^s, r <
// d * 2^52: the quotient has no more bits than an f64, its truncation is at most one too
// high, and the remainder is less than d in units of d's last place. Infinities, zeros
// and NaN need no special case.
Value kiln::host::fmod64(MathBuilder m, Value x, Value y) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(m.b, value);
  };
  Value size = m.abs(y);
  auto loop =
      scf::ForOp::create(m.b, index(0), index(41), index(1), ValueRange{m.abs(x)});
  {
    OpBuilder::InsertionGuard guard(m.b);
    m.b.setInsertionPointToStart(loop.getBody());
    Value r = loop.getRegionIterArg(0);
    Value d = scaledDivisor(m, size, loop.getInductionVar());
    Value quotient = math::TruncOp::create(m.b, m.div(r, d));
    Value next = m.fma(m.neg(quotient), d, r);
    next = m.select(m.less(next, m.f64(0.0)), m.add(next, d), next);
    scf::YieldOp::create(m.b, m.select(m.less(r, d), r, next));
  }
  return math::CopySignOp::create(m.b, loop.getResult(0), x);
}
