//===- Rounding.h - Sticky doubles and saturating casts ---------*- C++ -*-===//
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

/// Converts to a double that rounds to any narrower float as the integer itself does: if
/// the integer is not representable, the last bit is set (sticky bit).
double toDoubleSticky(int64_t value);
double toDoubleSticky(uint64_t value);

/// Truncates towards zero, saturates at the limits, NaN gives 0.
int64_t truncateSigned(double value, unsigned width);
uint64_t truncateUnsigned(double value, unsigned width);

} // namespace kiln::reference

#endif // KILN_LIB_REFERENCE_ROUNDING_H
