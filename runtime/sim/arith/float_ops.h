//===- float_ops.h - f32 and f64 arithmetic of PTX -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline and without branches where the rounding is rn, so that a loop over the lanes of
// a warp is vectorized. Other roundings call the integer path.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_ARITH_FLOAT_OPS_H
#define KILN_SIM_ARITH_FLOAT_OPS_H

#include "runtime/sim/arith/format.h"

namespace kiln::sim::arith {

enum class FloatOp : uint8_t { Add, Sub, Mul, Fma, Div, Sqrt, Rcp };

/// Computes by the integer path, for any rounding but rna and rs. Unused operands are
/// ignored.
uint32_t slowF32(FloatOp op, uint32_t a, uint32_t b, uint32_t c, Rounding mode, bool ftz,
                 bool sat);
uint64_t slowF64(FloatOp op, uint64_t a, uint64_t b, uint64_t c, Rounding mode);

KILN_SIM_LANE float f32(uint32_t bits) { return __builtin_bit_cast(float, bits); }
KILN_SIM_LANE uint32_t bitsOf(float value) { return __builtin_bit_cast(uint32_t, value); }
KILN_SIM_LANE double f64(uint64_t bits) { return __builtin_bit_cast(double, bits); }
KILN_SIM_LANE uint64_t bitsOf(double value) {
  return __builtin_bit_cast(uint64_t, value);
}

KILN_SIM_LANE bool isNanF32(uint32_t a) { return (a & 0x7fffffff) > 0x7f800000; }
KILN_SIM_LANE bool isNanF64(uint64_t a) {
  return (a & 0x7fffffffffffffff) > 0x7ff0000000000000;
}

/// Flushes subnormals to zero of their sign.
template <bool Ftz> KILN_SIM_LANE uint32_t flush(uint32_t a) {
  if constexpr (Ftz)
    return (a & 0x7f800000) == 0 ? a & 0x80000000 : a;
  return a;
}

/// Last step of every f32 operation: canonical NaN, flush to zero (Ftz), clamp to [+0, 1]
/// (Sat).
template <bool Ftz, bool Sat> KILN_SIM_LANE uint32_t finishF32(float value) {
  uint32_t bits = bitsOf(value);
  if constexpr (Sat) {
    // A comparison with a NaN is false: NaN becomes +0 like every negative number.
    bits = value > 0.0f ? bits : 0;
    bits = value > 1.0f ? 0x3f800000 : bits;
    return flush<Ftz>(bits);
  }
  bits = value != value ? 0x7fffffff : bits;
  return flush<Ftz>(bits);
}

template <FloatOp Op, Rounding R, bool Ftz, bool Sat>
KILN_SIM_LANE uint32_t opF32(uint32_t a, uint32_t b = 0, uint32_t c = 0) {
  if constexpr (R != Rounding::Rn) {
    return slowF32(Op, a, b, c, R, Ftz, Sat);
  } else {
    float x = f32(flush<Ftz>(a)), y = f32(flush<Ftz>(b)), z = f32(flush<Ftz>(c));
    float result;
    if constexpr (Op == FloatOp::Add)
      result = x + y;
    else if constexpr (Op == FloatOp::Sub)
      result = x - y;
    else if constexpr (Op == FloatOp::Mul)
      result = x * y;
    else if constexpr (Op == FloatOp::Fma)
      result = __builtin_fmaf(x, y, z);
    else if constexpr (Op == FloatOp::Div)
      result = x / y;
    else if constexpr (Op == FloatOp::Sqrt)
      result = __builtin_sqrtf(x);
    else
      result = 1.0f / x;
    return finishF32<Ftz, Sat>(result);
  }
}

/// Last step of every f64 operation. Keeps payloads: the first NaN operand, made quiet;
/// an invalid operation gives the default NaN.
KILN_SIM_LANE uint64_t finishF64(double value, uint64_t a, uint64_t b, uint64_t c) {
  uint64_t nan = isNanF64(c) ? c : F64.nan;
  nan = isNanF64(b) ? b : nan;
  nan = isNanF64(a) ? a : nan;
  return value != value ? nan | 0x0008000000000000 : bitsOf(value);
}

template <FloatOp Op, Rounding R>
KILN_SIM_LANE uint64_t opF64(uint64_t a, uint64_t b = 0, uint64_t c = 0) {
  if constexpr (R != Rounding::Rn) {
    return slowF64(Op, a, b, c, R);
  } else {
    double x = f64(a), y = f64(b), z = f64(c), result;
    if constexpr (Op == FloatOp::Add)
      result = x + y;
    else if constexpr (Op == FloatOp::Sub)
      result = x - y;
    else if constexpr (Op == FloatOp::Mul)
      result = x * y;
    else if constexpr (Op == FloatOp::Fma)
      result = __builtin_fma(x, y, z);
    else if constexpr (Op == FloatOp::Div)
      result = x / y;
    else if constexpr (Op == FloatOp::Sqrt)
      result = __builtin_sqrt(x);
    else
      result = 1.0 / x;
    constexpr bool unary = Op == FloatOp::Sqrt || Op == FloatOp::Rcp;
    return finishF64(result, a, unary ? 0 : b, Op == FloatOp::Fma ? c : 0);
  }
}

/// min and max: -0 is below +0. With one NaN operand the result is the other operand or,
/// with `Nan`, NaN; two NaNs give the canonical NaN.
template <bool Max, bool Ftz, bool Nan>
KILN_SIM_LANE uint32_t minMaxF32(uint32_t a, uint32_t b) {
  a = flush<Ftz>(a);
  b = flush<Ftz>(b);
  // Float bits order like sign-magnitude integers; map them to two's complement.
  int32_t ka = static_cast<int32_t>(a ^ ((a >> 31) * 0x7fffffff));
  int32_t kb = static_cast<int32_t>(b ^ ((b >> 31) * 0x7fffffff));
  uint32_t result = (Max ? ka > kb : ka < kb) ? a : b;
  bool nanA = isNanF32(a), nanB = isNanF32(b);
  if constexpr (Nan)
    return (nanA | nanB) ? 0x7fffffff : result;
  result = nanA ? b : result;
  result = nanB ? a : result;
  return (nanA & nanB) ? 0x7fffffff : result;
}

template <bool Max> KILN_SIM_LANE uint64_t minMaxF64(uint64_t a, uint64_t b) {
  int64_t ka = static_cast<int64_t>(a ^ ((a >> 63) * 0x7fffffffffffffff));
  int64_t kb = static_cast<int64_t>(b ^ ((b >> 63) * 0x7fffffffffffffff));
  uint64_t result = (Max ? ka > kb : ka < kb) ? a : b;
  bool nanA = isNanF64(a), nanB = isNanF64(b);
  result = nanA ? b : result;
  result = nanB ? a : result;
  return (nanA & nanB) ? a | 0x0008000000000000 : result;
}

// abs and neg change only the sign of a NaN; ftz flushes.
template <bool Ftz> KILN_SIM_LANE uint32_t absF32(uint32_t a) {
  return flush<Ftz>(a) & 0x7fffffff;
}
template <bool Ftz> KILN_SIM_LANE uint32_t negF32(uint32_t a) {
  return flush<Ftz>(a) ^ 0x80000000;
}

} // namespace kiln::sim::arith

#endif // KILN_SIM_ARITH_FLOAT_OPS_H
