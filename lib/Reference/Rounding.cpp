//===- Rounding.cpp - Small float formats and saturating casts ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rounding.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cmath>

using namespace kiln;

uint16_t reference::encode(double value, SmallFormat format) {
  const int bias = (1 << (format.exponentBits - 1)) - 1;
  const int mantissa = format.mantissaBits;
  const uint32_t infinity = ((1u << format.exponentBits) - 1) << mantissa;
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value))
    return sign | infinity | (1u << (mantissa - 1));
  value = std::fabs(value);
  if (value == 0)
    return sign;
  if (value >= std::ldexp(1.0, bias + 1))
    return sign | infinity;
  // In units of the last place the value is an integer plus what is rounded
  // away; a carry out of the mantissa steps the exponent as it should.
  int exponent = std::max(std::ilogb(value), 1 - bias);
  auto units = static_cast<uint32_t>(std::nearbyint(std::ldexp(value, mantissa - exponent)));
  uint32_t bits = (static_cast<uint32_t>(exponent + bias - 1) << mantissa) + units;
  return sign | std::min(bits, infinity);
}

double reference::decode(uint16_t bits, SmallFormat format) {
  const int bias = (1 << (format.exponentBits - 1)) - 1;
  const uint32_t mantissa = bits & ((1u << format.mantissaBits) - 1);
  const int exponent = (bits & 0x7fff) >> format.mantissaBits;
  double value;
  if (exponent == (1 << format.exponentBits) - 1)
    value = mantissa ? NAN : INFINITY;
  else if (exponent == 0)
    value = std::ldexp(mantissa, 1 - bias - format.mantissaBits);
  else
    value = std::ldexp(mantissa + (1u << format.mantissaBits),
                       exponent - bias - format.mantissaBits);
  return bits & 0x8000 ? -value : value;
}

double reference::toDoubleSticky(uint64_t value) {
  if (value < (uint64_t(1) << 53))
    return value;
  int shift = 11 - llvm::countl_zero(value);
  uint64_t kept = value >> shift;
  if (kept << shift != value)
    kept |= 1;
  return std::ldexp(static_cast<double>(kept), shift);
}

double reference::toDoubleSticky(int64_t value) {
  uint64_t magnitude = value < 0 ? -static_cast<uint64_t>(value) : value;
  double result = toDoubleSticky(magnitude);
  return value < 0 ? -result : result;
}

int64_t reference::truncateSigned(double value, unsigned width) {
  if (std::isnan(value))
    return 0;
  double limit = std::ldexp(1.0, width - 1);
  if (value >= limit)
    return static_cast<int64_t>((uint64_t(1) << (width - 1)) - 1);
  if (value <= -limit)
    return -static_cast<int64_t>((uint64_t(1) << (width - 1)) - 1) - 1;
  return static_cast<int64_t>(value);
}

uint64_t reference::truncateUnsigned(double value, unsigned width) {
  if (std::isnan(value) || value <= 0)
    return 0;
  if (value >= std::ldexp(1.0, width))
    return ~uint64_t(0) >> (64 - width);
  return static_cast<uint64_t>(value);
}
