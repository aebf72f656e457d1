//===- host.h - Floating-point types on the host -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Oracle for PTX's floating-point types: f32 and f64 are the host's, with the host's
// rounding modes; the small formats are those of test/sim/cuda/host/formats.h, which
// formats_test.cpp compares with the CUDA toolkit's headers over all bit patterns.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_SIM_EXEC_ROWS_HOST_H
#define KILN_TEST_SIM_EXEC_ROWS_HOST_H

#include "test/sim/cuda/host/formats.h"

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <string>

namespace kiln::sim::test {

inline float single(uint64_t bits) { return std::bit_cast<float>(uint32_t(bits)); }
inline double number(uint64_t bits) { return std::bit_cast<double>(bits); }

constexpr uint32_t SingleNan = 0x7fffffff; ///< NaN result of f32 instructions
/// Returns the bits of an f32 result.
inline uint64_t bitsOf(float value) {
  return std::isnan(value) ? SingleNan : std::bit_cast<uint32_t>(value);
}

/// Applies .ftz: a subnormal becomes zero of its sign.
inline float flushed(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
}

/// Applies .sat: clamps to [0, 1], NaN to +0.
inline float saturated(float x) { return x >= 1 ? 1.0f : x > 0 ? x : 0.0f; }

enum class Round { Even, Zero, Down, Up, Away };
struct RoundName {
  const char *name; ///< "rn"
  Round mode;
  int host; ///< argument of fesetround
};
inline constexpr RoundName rounds[] = {{"rn", Round::Even, FE_TONEAREST},
                                       {"rz", Round::Zero, FE_TOWARDZERO},
                                       {"rm", Round::Down, FE_DOWNWARD},
                                       {"rp", Round::Up, FE_UPWARD}};

/// Computes f() on the host in that rounding mode. f must read its operands from volatile
/// variables, or the compiler computes it beforehand.
template <class F> auto rounded(int mode, F f) {
  std::fesetround(mode);
  volatile auto result = f();
  std::fesetround(FE_TONEAREST);
  return result;
}

/// f16, bf16 and their pairs.
struct HalfType {
  const char *name;
  const programs::Format &format;
  uint32_t one, nan;
  double decode(uint64_t bits) const { return format.decode(uint32_t(bits & 0xffff)); }
  /// Encodes `value`, which is exact or rounded to odd.
  uint32_t encode(double value, Round mode = Round::Even) const {
    if (std::isnan(value))
      return nan;
    switch (mode) {
    case Round::Zero:
      return format.encodeTowardZero(value);
    case Round::Down:
      return format.encodeDown(value);
    case Round::Up:
      return format.encodeUp(value);
    default:
      return format.encode(value, false);
    }
  }
  uint64_t flushed(uint64_t bits) const {
    bool subnormal = (bits & format.infinity()) == 0;
    return subnormal ? bits & 0x8000 : bits & 0xffff;
  }
};
inline const HalfType halfTypes[] = {{"f16", programs::Half, 0x3c00, 0x7fff},
                                     {"bf16", programs::Bfloat16, 0x3f80, 0x7fff}};

/// Returns a + b rounded to odd, so that rounding again to fewer bits is correct.
inline double oddSum(double a, double b) {
  double sum = a + b;
  if (!std::isfinite(sum))
    return sum;
  double part = sum - a, rest = (a - (sum - part)) + (b - part);
  bool odd = std::bit_cast<uint64_t>(sum) & 1;
  return rest == 0 || odd ? sum : std::nextafter(sum, rest > 0 ? HUGE_VAL : -HUGE_VAL);
}

} // namespace kiln::sim::test

#endif // KILN_TEST_SIM_EXEC_ROWS_HOST_H
