//===- Trigonometry.cpp - Sine and cosine of f64 -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// test/unit/Target/MathTest.cpp checks the errors.
//
//===----------------------------------------------------------------------===//

#include "MathBuilder.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <cmath>

using namespace mlir;
using namespace kiln::host;

/// 1.5 * 2^52: adding it leaves the nearest integer in the low bits.
static constexpr double kRoundTrig64 = 6755399441055744.0;
/// Maximum |x| for which pi/2 in three parts is accurate enough.
static constexpr double kNear = 268435456.0;
/// pi/2 rounded to f64, and the rounding error.
static constexpr double kHalfPi = 1.5707963267948966, kHalfPiRest = 6.123233995736766e-17;

//===----------------------------------------------------------------------===//
// Reduction
//===----------------------------------------------------------------------===//

/// Fractional bits of 2/pi.
static constexpr uint64_t kTwoOverPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08};
/// Bits of a segment of 2/pi: the product with 27 bits of x is exact.
static constexpr int kPieceBits = 26;
/// First segment for arguments above 2^500: products with earlier segments are multiples
/// of 4.
static constexpr int kFarPiece = 16, kFarExponent = 512;

/// Returns segment `i` of 2/pi, times 2^scale.
static double pieceOf(int i, int scale) {
  uint64_t piece = 0;
  for (int bit = i * kPieceBits; bit < (i + 1) * kPieceBits; ++bit)
    piece = piece << 1 | (kTwoOverPi[bit / 64] >> (63 - bit % 64) & 1);
  return std::ldexp(static_cast<double>(piece), scale - (i + 1) * kPieceBits);
}

namespace {
/// x = quadrant * pi/2 + rest.
struct Reduced {
  Value quadrant, rest;
};
} // namespace

/// Cody-Waite reduction with pi/2 in three parts.
static Reduced reduceNear(MathBuilder &m, Value x) {
  Value n = math::RoundEvenOp::create(m.b, m.mul(x, m.f64(6.36619772367581382433e-01)));
  Value r = m.fma(n, m.f64(-1.57079632673412561417e+00), x);
  r = m.fma(n, m.f64(-6.07710050630396597660e-11), r);
  r = m.fma(n, m.f64(-2.02226624879595063154e-21), r);
  return {m.bits(m.add(n, m.f64(kRoundTrig64))), r};
}

// Payne-Hanek reduction: x * 2/pi modulo 4, by segments of 2/pi. Products of segments
// with the halves of x are exact, as are their remainders modulo 4, and the sum is kept
// in two floats. It is accurate for any magnitude of x. Infinities give NaN.
static Reduced reduceFar(MathBuilder &m, Value x, bool fromF32) {
  Value far = m.greater(m.abs(x), m.f64(std::ldexp(1.0, 500)));
  SmallVector<Value> halves{x};
  if (!fromF32) {
    x = m.select(far, m.mul(x, m.f64(std::ldexp(1.0, -kFarExponent))), x);
    Value high = m.asF64(m.band(m.bits(x), m.i64(-(int64_t(1) << 27))));
    halves = {high, m.sub(x, high)};
  }
  Value sum = m.f64(0.0), lost = m.f64(0.0);
  for (int i = 0; i < (fromF32 ? 9 : 27); ++i) {
    Value piece = m.f64(pieceOf(i, 0));
    if (!fromF32)
      piece = m.select(far, m.f64(pieceOf(i + kFarPiece, kFarExponent)), piece);
    for (Value half : halves) {
      Value term = m.mul(half, piece);
      Value fours = math::RoundEvenOp::create(m.b, m.mul(term, m.f64(0.25)));
      term = m.fma(fours, m.f64(-4.0), term);
      // Two-sum: the sum and its exact rounding error.
      Value next = m.add(sum, term), back = m.sub(next, sum);
      Value error = m.add(m.sub(sum, m.sub(next, back)), m.sub(term, back));
      sum = next;
      lost = m.add(lost, error);
    }
  }
  Value n = math::RoundEvenOp::create(m.b, sum);
  Value part = m.sub(sum, n), fraction = m.add(part, lost);
  Value rounded = m.add(m.sub(part, fraction), lost);
  Value r = m.fma(fraction, m.f64(kHalfPi),
                  m.fma(fraction, m.f64(kHalfPiRest), m.mul(rounded, m.f64(kHalfPi))));
  return {m.bits(m.add(n, m.f64(kRoundTrig64))), r};
}

/// Returns true if the condition holds for any element.
static Value anyOf(MathBuilder &m, Value condition) {
  auto type = dyn_cast<VectorType>(condition.getType());
  if (!type)
    return condition;
  if (type.getRank() != 1) {
    type = VectorType::get({type.getNumElements()}, type.getElementType());
    condition = vector::ShapeCastOp::create(m.b, type, condition);
  }
  return vector::ReductionOp::create(m.b, vector::CombiningKind::OR, condition);
}

/// The slow reduction is in a branch: arguments in models are almost never that large.
static Reduced reduce(MathBuilder &m, Value x, bool fromF32) {
  Reduced near = reduceNear(m, x);
  // NaN and infinities give NaN by the fast reduction.
  Value beyond = m.greater(m.abs(x), m.f64(kNear));
  auto branch = scf::IfOp::create(
      m.b, TypeRange{near.quadrant.getType(), near.rest.getType()}, anyOf(m, beyond),
      /*addThenBlock=*/true, /*addElseBlock=*/true);
  {
    OpBuilder::InsertionGuard guard(m.b);
    m.b.setInsertionPointToStart(branch.thenBlock());
    Reduced far = reduceFar(m, x, fromF32);
    scf::YieldOp::create(m.b, ValueRange{m.select(beyond, far.quadrant, near.quadrant),
                                         m.select(beyond, far.rest, near.rest)});
    m.b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(m.b, ValueRange{near.quadrant, near.rest});
  }
  return {branch.getResult(0), branch.getResult(1)};
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Value kiln::host::sine64(MathBuilder m, Value x, int64_t quadrant, bool fromF32) {
  auto [n, r] = reduce(m, x, fromF32);
  Value q = m.iadd(n, m.i64(quadrant));
  Value z = m.mul(r, r);
  Value sine = m.poly64(z, {-1.66666666666666324348e-01, 8.33333333332248946124e-03,
                            -1.98412698298579493134e-04, 2.75573137070700676789e-06,
                            -2.50507602534068634195e-08, 1.58969099521155010221e-10});
  sine = m.fma(m.mul(sine, z), r, r);
  Value cosine = m.poly64(z, {4.16666666666666019037e-02, -1.38888888888741095749e-03,
                              2.48015872894767294178e-05, -2.75573143513906633035e-07,
                              2.08757232129817482790e-09, -1.13596475577881948265e-11});
  cosine = m.fma(m.mul(z, z), cosine, m.fma(z, m.f64(-0.5), m.f64(1.0)));
  Value odd = m.iequal(m.band(q, m.i64(1)), m.i64(1));
  Value result = m.select(odd, cosine, sine);
  Value sign = m.shl(m.band(q, m.i64(2)), m.i64(62));
  return m.asF64(m.bxor(m.bits(result), sign));
}
