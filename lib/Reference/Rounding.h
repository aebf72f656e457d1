//===- Rounding.h - Small float formats and saturating casts ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Reference.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_REFERENCE_ROUNDING_H
#define KILN_LIB_REFERENCE_ROUNDING_H

#include <cstdint>

namespace kiln::reference {

/// An IEEE format of 16 bits by the width of its two fields.
struct SmallFormat {
  int exponentBits, mantissaBits;
};
inline constexpr SmallFormat kF16{5, 10}, kBF16{8, 7};

/// Rounds once, to nearest even; too large gives infinity, NaN a quiet NaN.
uint16_t encode(double value, SmallFormat format);
double decode(uint16_t bits, SmallFormat format);

/// A double that rounds to any narrower float as the integer itself does: where
/// the integer is not a double, the last bit says that something was cut off.
double toDoubleSticky(int64_t value);
double toDoubleSticky(uint64_t value);

/// Truncates towards zero, saturates at the limits, NaN gives 0.
int64_t truncateSigned(double value, unsigned width);
uint64_t truncateUnsigned(double value, unsigned width);

} // namespace kiln::reference

#endif // KILN_LIB_REFERENCE_ROUNDING_H
