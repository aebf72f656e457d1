//===- fast.h - The conversions that hot loops need ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline, without branches or library calls, so that loops over lanes are vectorized.
// Each function gives the same bits as convert.h's general path, to which tests compare
// it exhaustively.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_ARITH_FAST_H
#define KILN_SIM_ARITH_FAST_H

#include "runtime/sim/arith/float_ops.h"

namespace kiln::sim::arith {

KILN_SIM_LANE uint32_t f16ToF32(uint32_t a) {
  uint32_t magnitude = (a & 0x7fff) << 13;
  // The f32 exponent is too small by 112 here; the multiplication is exact, for
  // subnormals too.
  uint32_t bits = bitsOf(f32(magnitude) * 0x1p112f);
  bits = magnitude >= 0x0f800000 ? 0x7f800000 : bits;
  bits |= (a & 0x8000) << 16;
  return magnitude > 0x0f800000 ? 0x7fffffff : bits;
}

KILN_SIM_LANE uint32_t bf16ToF32(uint32_t a) {
  return (a & 0x7fff) > 0x7f80 ? 0x7fffffff : a << 16;
}

/// cvt.rn.f16.f32
KILN_SIM_LANE uint32_t f32ToF16(uint32_t a) {
  uint32_t magnitude = a & 0x7fffffff;
  uint32_t normal = (magnitude - (112u << 23) + 0xfff + ((magnitude >> 13) & 1)) >> 13;
  // The last place of 0.5f is the smallest subnormal f16, so adding 0.5 rounds to a
  // multiple of it.
  uint32_t small = bitsOf(f32(magnitude) + 0.5f) - 0x3f000000;
  uint32_t result = magnitude < 0x38800000 ? small : normal;
  result = magnitude >= 0x477ff000 ? 0x7c00 : result;
  result |= (a >> 16) & 0x8000;
  return magnitude > 0x7f800000 ? 0x7fff : result;
}

/// cvt.rn.bf16.f32
KILN_SIM_LANE uint32_t f32ToBf16(uint32_t a) {
  uint32_t result = (a + 0x7fff + ((a >> 16) & 1)) >> 16;
  return (a & 0x7fffffff) > 0x7f800000 ? 0x7fff : result;
}

/// f64 to f16 or bf16, rounded once to nearest even.
template <bool Bf> KILN_SIM_LANE uint32_t f64ToHalf(double value) {
  constexpr int drop = Bf ? 45 : 42;
  constexpr uint64_t rebias = uint64_t(Bf ? 1023 - 127 : 1023 - 15) << 52;
  constexpr uint64_t firstNormal = uint64_t(Bf ? 1023 - 126 : 1023 - 14) << 52;
  constexpr double shifter = Bf ? 0x1p-81 : 0x1p28; // whose last place is the smallest
                                                    // subnormal
  constexpr uint64_t infinity = Bf ? 0x7f80 : 0x7c00;
  uint64_t all = bitsOf(value), magnitude = all & 0x7fffffffffffffff;
  uint64_t half = (uint64_t(1) << (drop - 1)) - 1;
  uint64_t normal = (magnitude - rebias + half + ((magnitude >> drop) & 1)) >> drop;
  uint64_t small = bitsOf(f64(magnitude) + shifter) - bitsOf(shifter);
  uint64_t result = magnitude < firstNormal ? small : normal;
  result = result > infinity ? infinity : result;
  result |= (all >> 48) & 0x8000;
  return static_cast<uint32_t>(magnitude > 0x7ff0000000000000 ? 0x7fff : result);
}

/// Adds with round-to-odd, so that rounding the result again to fewer bits is correct.
KILN_SIM_LANE double addToOdd(double x, double y) {
  double sum = x + y;
  double back = sum - x;
  double error = (x - (sum - back)) + (y - back);
  uint64_t bits = bitsOf(sum);
  bool inexact = (error > 0.0) | (error < 0.0);
  uint64_t away = ((error > 0.0) == (sum > 0.0)) ? 1 : ~uint64_t(0);
  uint64_t odd = bits + away;
  return f64((inexact & ((bits & 1) == 0)) ? odd : bits);
}

/// cvt.rzi to s32 or u32: clamped, NaN to 0. Flushing subnormals would change nothing.
template <bool Signed> KILN_SIM_LANE uint32_t f32ToInt32(uint32_t a) {
  // Every step is exact in f64.
  double value = f32(a);
  constexpr double low = Signed ? -0x1p31 : 0.0, high = Signed ? 0x1p31 - 1 : 0x1p32 - 1;
  value = value >= low ? value : low;
  value = value <= high ? value : high;
  value = isNanF32(a) ? 0.0 : value;
  return static_cast<uint32_t>(static_cast<int64_t>(value));
}

} // namespace kiln::sim::arith

#endif // KILN_SIM_ARITH_FAST_H
