//===- half.h - f16 and bf16 arithmetic of PTX ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function takes one element (an x2 instruction makes two calls), rounds once and
// has no branches.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_ARITH_HALF_H
#define KILN_SIM_ARITH_HALF_H

#include "runtime/sim/arith/fast.h"

namespace kiln::sim::arith {

template <bool Bf> KILN_SIM_LANE float halfToFloat(uint32_t a) {
  return f32(Bf ? bf16ToF32(a) : f16ToF32(a));
}

template <bool Bf> KILN_SIM_LANE bool isNanHalf(uint32_t a) {
  return (a & 0x7fff) > (Bf ? 0x7f80 : 0x7c00);
}

template <bool Bf, bool Ftz> KILN_SIM_LANE uint32_t flushHalf(uint32_t a) {
  if constexpr (Ftz)
    return (a & (Bf ? 0x7f80 : 0x7c00)) == 0 ? a & 0x8000 : a;
  return a;
}

/// Sat: clamp to [+0, 1], NaN to +0. Relu: negative values to +0, NaN stays.
template <bool Bf, bool Ftz, bool Sat, bool Relu>
KILN_SIM_LANE uint32_t finishHalf(uint32_t bits) {
  constexpr uint32_t one = Bf ? 0x3f80 : 0x3c00;
  bool nan = isNanHalf<Bf>(bits);
  if constexpr (Sat) {
    bits = (nan | (bits >= 0x8000)) ? 0 : bits;
    bits = bits > one ? one : bits;
    nan = false;
  }
  if constexpr (Relu)
    bits = bits >= 0x8000 ? 0 : bits;
  bits = flushHalf<Bf, Ftz>(bits);
  return nan ? 0x7fff : bits;
}

/// Add, Sub, Mul or Fma.
template <FloatOp Op, bool Bf, bool Ftz, bool Sat, bool Relu>
KILN_SIM_LANE uint32_t opHalf(uint32_t a, uint32_t b, uint32_t c = 0) {
  static_assert(Op <= FloatOp::Fma);
  float x = halfToFloat<Bf>(flushHalf<Bf, Ftz>(a));
  float y = halfToFloat<Bf>(flushHalf<Bf, Ftz>(b));
  uint32_t result;
  if constexpr (Op == FloatOp::Add || Op == FloatOp::Sub) {
    // f32 has more than twice the fraction bits plus two, so rounding twice equals
    // rounding once.
    uint32_t sum = bitsOf(Op == FloatOp::Add ? x + y : x - y);
    result = Bf ? f32ToBf16(sum) : f32ToF16(sum);
  } else if constexpr (Op == FloatOp::Mul) {
    result = f64ToHalf<Bf>(double(x) * double(y)); // the product is exact
  } else {
    double z = halfToFloat<Bf>(flushHalf<Bf, Ftz>(c));
    result = f64ToHalf<Bf>(addToOdd(double(x) * double(y), z));
  }
  return finishHalf<Bf, Ftz, Sat, Relu>(result);
}

/// fma.oob: +0 if an operand is the special NaN that out-of-bounds loads fill in.
inline constexpr uint32_t OutOfBoundsNan = 0xffff;

template <bool Max, bool Bf, bool Ftz, bool Nan, bool XorSignAbs = false>
KILN_SIM_LANE uint32_t minMaxHalf(uint32_t a, uint32_t b) {
  uint32_t sign = (a ^ b) & 0x8000;
  a = flushHalf<Bf, Ftz>(a) & (XorSignAbs ? 0x7fff : 0xffff);
  b = flushHalf<Bf, Ftz>(b) & (XorSignAbs ? 0x7fff : 0xffff);
  int32_t ka = a >= 0x8000 ? -1 - int32_t(a & 0x7fff) : int32_t(a);
  int32_t kb = b >= 0x8000 ? -1 - int32_t(b & 0x7fff) : int32_t(b);
  uint32_t result = (Max ? ka > kb : ka < kb) ? a : b;
  bool nanA = isNanHalf<Bf>(a), nanB = isNanHalf<Bf>(b);
  result = nanA ? b : result;
  result = nanB ? a : result;
  result = XorSignAbs ? result | sign : result;
  return (Nan ? (nanA | nanB) : (nanA & nanB)) ? 0x7fff : result;
}

template <bool Bf, bool Ftz> KILN_SIM_LANE uint32_t absHalf(uint32_t a) {
  return flushHalf<Bf, Ftz>(a) & 0x7fff;
}
template <bool Bf, bool Ftz> KILN_SIM_LANE uint32_t negHalf(uint32_t a) {
  return flushHalf<Bf, Ftz>(a) ^ 0x8000;
}

} // namespace kiln::sim::arith

#endif // KILN_SIM_ARITH_HALF_H
