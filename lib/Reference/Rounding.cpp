//===- Rounding.cpp - Small float formats and saturating casts ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rounding.h"
#include "llvm/ADT/bit.h"

#include <cmath>

using namespace kiln;

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
