//===- MathF32.cpp - Functions of f32 -------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stated errors were measured over the entire range against double precision;
// test/unit/Target/MathTest.cpp checks them.
//
//===----------------------------------------------------------------------===//

#include "MathBuilder.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace kiln::host;

/// 1.5 * 2^23: adding it leaves the nearest integer in the low bits.
static constexpr double kRound32 = 12582912.0;

/// Lanes of one vscalefps of 512 bits.
static constexpr int64_t kLanes = 16;

bool MathBuilder::canScaleByPower(Value x) const {
  constexpr int64_t kHalf = 8, kMaxLanes = 8 * kLanes; // code is written out
  auto all = dyn_cast<VectorType>(x.getType());
  return hasScalef && all && all.getNumElements() <= kMaxLanes &&
         (all.getNumElements() == kHalf || all.getNumElements() % kLanes == 0);
}

Value MathBuilder::scaleByPower(Value x, Value n, Value isZero) {
  auto all = cast<VectorType>(x.getType());
  int64_t lanes = std::min(all.getNumElements(), kLanes);
  auto part = VectorType::get(lanes, b.getF32Type());
  auto bits = VectorType::get(lanes, b.getI1Type());
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(part));
  Value ones = arith::ConstantOp::create(b, b.getOneAttr(isZero.getType()));
  Value keep = bxor(isZero, ones);
  Value roundsAsSet = arith::ConstantIntOp::create(b, 4, 32);
  auto name =
      b.getStringAttr("llvm.x86.avx512.mask.scalef.ps." + std::to_string(32 * lanes));
  auto scale = [&](Value own, Value power, Value kept) {
    Value mask = LLVM::BitcastOp::create(b, b.getIntegerType(lanes), kept);
    SmallVector<Value> operands{own, power, zero, mask};
    if (lanes == kLanes)
      operands.push_back(roundsAsSet);
    return LLVM::CallIntrinsicOp::create(b, part, name, operands).getResult(0);
  };
  if (lanes == all.getNumElements())
    return scale(x, n, keep);
  for (int64_t first = 0; first < all.getNumElements(); first += lanes) {
    Value own = LLVM::vector_extract::create(b, part, x, first),
          power = LLVM::vector_extract::create(b, part, n, first),
          kept = LLVM::vector_extract::create(b, bits, keep, first);
    x = LLVM::vector_insert::create(b, x, scale(own, power, kept), first);
  }
  return x;
}

// exp(x) = 2^n * exp(r), |r| <= ln2 / 2. Relative error 8.4e-8; denormal results are
// accurate too, because 2^n is applied in two steps. Below -104, as at masked keys, the
// result is a zero that nothing multiplies: an underflow takes Intel CPUs 250 cycles.
Value kiln::host::exp32(MathBuilder m, Value x) {
  Value lowest = m.f32(-104.0), highest = m.f32(89.0), isZero = m.less(x, lowest);
  bool canScale = m.canScaleByPower(x);
  if (!canScale)
    x = m.select(isZero, lowest, x);
  x = m.select(m.greater(x, highest), highest, x);
  Value shifted = m.fma(x, m.f32(1.44269504088896341), m.f32(kRound32));
  Value n = m.sub(shifted, m.f32(kRound32));
  Value r = m.fma(n, m.f32(-0.693359375), x); // ln 2 in two parts
  r = m.fma(n, m.f32(2.12194440e-4), r);
  Value p = m.poly32(r, {5.0000001201e-1, 1.6666665459e-1, 4.1665795894e-2,
                         8.3334519073e-3, 1.3981999507e-3, 1.9875691500e-4});
  p = m.add(m.fma(p, m.mul(r, r), r), m.f32(1.0));
  if (canScale)
    return m.scaleByPower(p, n, isZero);
  p = m.select(isZero, m.f32(0.0), p);
  Value exponent = m.isub(m.bits(shifted), m.i32(0x4B400000));
  Value half = m.sar(exponent, m.i32(1));
  auto power = [&](Value e) { return m.asF32(m.shl(m.iadd(e, m.i32(127)), m.i32(23))); };
  return m.mul(m.mul(p, power(half)), power(m.isub(exponent, half)));
}

// An odd rational function. Absolute error 3.1e-7.
Value kiln::host::erf32(MathBuilder m, Value x) {
  x = m.clamp(x, m.f32(-3.8325), m.f32(3.8325));
  Value x2 = m.mul(x, x);
  Value p =
      m.poly32(x2, {-1.60960333262415e-02, -2.95459980854025e-03, -7.34990630326855e-04,
                    -5.69250639462346e-05, -2.10102402082508e-06, 2.77068142495902e-08,
                    -2.72614225801306e-10});
  Value q =
      m.poly32(x2, {-1.42647390514189e-02, -7.37332916720468e-03, -1.68282697438203e-03,
                    -2.13374055278905e-04, -1.45660718464996e-05});
  return m.div(m.mul(p, x), q);
}

// An odd rational function. Relative error 2.8e-7.
Value kiln::host::tanh32(MathBuilder m, Value x) {
  x = m.clamp(x, m.f32(-7.90531110763549805), m.f32(7.90531110763549805));
  Value x2 = m.mul(x, x);
  Value p =
      m.poly32(x2, {4.89352455891786e-03, 6.37261928875436e-04, 1.48572235717979e-05,
                    5.12229709037114e-08, -8.60467152213735e-11, 2.00018790482477e-13,
                    -2.76076847742355e-16});
  Value q = m.poly32(x2, {4.89352518554385e-03, 2.26843463243900e-03,
                          1.18534705686654e-04, 1.19825839466702e-06});
  return m.div(m.mul(p, x), q);
}

// The functions below are rare in models. They are computed in f64, whose formulas are
// accurate to the last bit or two of f32.

Value kiln::host::log32(MathBuilder m, Value x) { return m.toF32(log64(m, m.toF64(x))); }

Value kiln::host::log1p32(MathBuilder m, Value x) {
  // 1 + x is exact in f64 for |x| >= 2^-29; below that log1p(x) = x to 1e-9.
  Value wide = m.toF64(x);
  Value result = m.toF32(log64(m, m.add(wide, m.f64(1.0))));
  return m.select(m.less(m.abs(x), m.f32(1.8626451e-9)), x, result);
}

Value kiln::host::pow32(MathBuilder m, Value x, Value y) {
  return m.toF32(pow64(m, m.toF64(x), m.toF64(y)));
}

// Exact: each step subtracts a multiple of y whose factor has at most 29 bits, so that
// factor * y, with 24 bits of y, is exact in f64. The quotient of two f32 values is below
// 2^278, and a step removes at least 28 bits of it.
Value kiln::host::fmod32(MathBuilder m, Value x, Value y) {
  Value r = m.abs(m.toF64(x)), d = m.abs(m.toF64(y));
  Value infinity = m.f64(std::numeric_limits<double>::infinity());
  for (int step = 0; step < 10; ++step) {
    Value quotient = math::TruncOp::create(m.b, m.div(r, d));
    quotient = m.asF64(m.band(m.bits(quotient), m.i64(-(int64_t(1) << 24))));
    Value next = m.fma(m.neg(quotient), d, r);
    r = m.select(m.less(next, m.f64(0.0)), m.add(next, d), next);
  }
  Value magnitude = m.toF32(r);
  magnitude = m.select(m.equal(d, infinity), m.abs(x), magnitude);
  Value undefined = m.bor(m.equal(m.abs(m.toF64(x)), infinity), m.equal(d, m.f64(0.0)));
  Value nan = m.f32(std::numeric_limits<float>::quiet_NaN());
  magnitude = m.select(m.bor(undefined, m.bor(m.isNan(x), m.isNan(y))), nan, magnitude);
  return math::CopySignOp::create(m.b, magnitude, x);
}
