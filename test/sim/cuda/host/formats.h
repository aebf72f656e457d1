//===- formats.h - Small floating-point formats ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encodes and decodes by the definition, in double arithmetic: an oracle that shares no
// code with the simulated GPU. formats_test.cpp compares it with the CUDA toolkit's
// headers over all bit patterns.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_TEST_CUDA_HOST_FORMATS_H
#define KILN_SIM_TEST_CUDA_HOST_FORMATS_H

#include <cmath>
#include <cstdint>

namespace kiln::sim::programs {

struct Format {
  int exponentBits, fractionBits;
  /// Encodings above the largest finite value: infinities and NaNs as in IEEE 754; one
  /// NaN with all bits set (e4m3); none (the 4- and 6-bit formats).
  enum Top { Ieee, NanOnly, Finite } top;

  int bits() const { return 1 + exponentBits + fractionBits; }
  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  uint32_t signBit() const { return 1u << (exponentBits + fractionBits); }
  uint32_t infinity() const { return ((1u << exponentBits) - 1) << fractionBits; }
  uint32_t largest() const {
    return top == Ieee ? infinity() - 1 : signBit() - (top == NanOnly ? 2 : 1);
  }
  uint32_t nan() const { return signBit() - 1; }

  double decode(uint32_t code) const {
    uint32_t magnitude = code & (signBit() - 1);
    double sign = code & signBit() ? -1 : 1;
    if (top == Ieee && magnitude >= infinity())
      return magnitude == infinity() ? sign * INFINITY : std::nan("");
    if (top == NanOnly && magnitude == nan())
      return std::nan("");
    int exponent = int(magnitude >> fractionBits);
    double fraction = magnitude & ((1u << fractionBits) - 1);
    if (exponent == 0)
      return sign * std::ldexp(fraction, 1 - bias() - fractionBits);
    return sign *
           std::ldexp(fraction + (1 << fractionBits), exponent - bias() - fractionBits);
  }

  /// Encodes to nearest, ties to even. `saturate`: overflow gives the largest finite
  /// value.
  uint32_t encode(double value, bool saturate) const {
    return std::isnan(value)
               ? nan()
               : round(value, saturate, [](double x) { return std::nearbyint(x); });
  }
  uint32_t encodeTowardZero(double value) const {
    return std::isnan(value)
               ? nan()
               : round(value, !std::isinf(value), [](double x) { return std::trunc(x); });
  }
  uint32_t encodeDown(double value) const {
    return std::isnan(value) ? nan()
                             : round(value, value > 0 && !std::isinf(value),
                                     [](double x) { return std::floor(x); });
  }
  uint32_t encodeUp(double value) const {
    return std::isnan(value) ? nan()
                             : round(value, value < 0 && !std::isinf(value),
                                     [](double x) { return std::ceil(x); });
  }

private:
  template <typename Rounding>
  uint32_t round(double value, bool saturate, Rounding rounding) const {
    uint32_t sign = std::signbit(value) ? signBit() : 0;
    if (value == 0)
      return sign;
    int lowest = 1 - bias();
    double steps = INFINITY;
    int exponent = lowest;
    if (!std::isinf(value)) {
      exponent = std::ilogb(value) < lowest ? lowest : std::ilogb(value);
      steps = std::fabs(rounding(std::ldexp(value, fractionBits - exponent)));
    }
    double limit = decode(largest());
    if (!(std::ldexp(steps, exponent - fractionBits) <= limit))
      return sign | (saturate || top == Finite ? largest()
                     : top == Ieee             ? infinity()
                                               : nan());
    // A carry into the exponent is correct, as encodings are ordered like the values.
    return sign | uint32_t(int(steps) + ((exponent - lowest) << fractionBits));
  }
};

inline constexpr Format Half = {5, 10, Format::Ieee}, Bfloat16 = {8, 7, Format::Ieee},
                        E5m2 = {5, 2, Format::Ieee}, E4m3 = {4, 3, Format::NanOnly},
                        E3m2 = {3, 2, Format::Finite}, E2m3 = {2, 3, Format::Finite},
                        E2m1 = {2, 1, Format::Finite};

} // namespace kiln::sim::programs

#endif // KILN_SIM_TEST_CUDA_HOST_FORMATS_H
