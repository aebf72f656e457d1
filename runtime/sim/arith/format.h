//===- format.h - The floating-point formats of PTX --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_ARITH_FORMAT_H
#define KILN_SIM_ARITH_FORMAT_H

#include <cstdint>

/// Marks functions that the lane loops of several ISAs share. They must always be
/// inlined: of several out-of-line copies the linker could pick the AVX-512 one for the
/// portable loops.
#define KILN_SIM_LANE [[gnu::always_inline]] inline

namespace kiln::sim::arith {

/// rn ties to even, rna ties away from zero, rz toward zero, rm down, rp up, rs
/// stochastic: up if adding the random bits to the discarded ones carries.
enum class Rounding : uint8_t { Rn, Rna, Rz, Rm, Rp, Rs };

/// A format with a sign bit on top, an exponent field and a fraction field. `low` zero
/// bits lie below the fraction (tf32 lives in 32 bits, its low 13 bits are ignored).
struct Format {
  uint8_t bits; ///< width of an element, sign and low bits included
  uint8_t exponentBits;
  uint8_t fractionBits;
  uint8_t low;
  int16_t bias;
  bool hasInfinity;
  bool hasNan;
  uint64_t nan;       ///< the canonical NaN; without NaNs: what a NaN becomes
  uint64_t maxFinite; ///< the canonical NaN; a format without NaNs: the value that
                      ///< replaces a NaN

  constexpr uint64_t sign() const { return uint64_t(1) << (bits - 1); }
  constexpr uint64_t infinity() const {
    return ((uint64_t(1) << exponentBits) - 1) << (fractionBits + low);
  }
  constexpr int minExponent() const { return 1 - bias; }
  /// Mask of the sign, exponent and fraction bits: all but the `low` ones.
  constexpr uint64_t significantMask() const {
    uint64_t all = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
    return all & ~((uint64_t(1) << low) - 1);
  }
};

inline constexpr Format F64 = {
    64, 11, 52, 0, 1023, true, true, 0xfff8000000000000, 0x7fefffffffffffff};
inline constexpr Format F32 = {32, 8, 23, 0, 127, true, true, 0x7fffffff, 0x7f7fffff};
inline constexpr Format TF32 = {32, 8, 10, 13, 127, true, true, 0x7fffffff, 0x7f7fe000};
inline constexpr Format F16 = {16, 5, 10, 0, 15, true, true, 0x7fff, 0x7bff};
inline constexpr Format BF16 = {16, 8, 7, 0, 127, true, true, 0x7fff, 0x7f7f};
inline constexpr Format E5M2 = {8, 5, 2, 0, 15, true, true, 0x7f, 0x7b};
/// The top exponent holds finite values too; only all ones is a NaN.
inline constexpr Format E4M3 = {8, 4, 3, 0, 7, false, true, 0x7f, 0x7e};
inline constexpr Format E2M3 = {6, 2, 3, 0, 1, false, false, 0x1f, 0x1f};
inline constexpr Format E3M2 = {6, 3, 2, 0, 3, false, false, 0x1f, 0x1f};
inline constexpr Format E2M1 = {4, 2, 1, 0, 1, false, false, 0x7, 0x7};

} // namespace kiln::sim::arith

#endif // KILN_SIM_ARITH_FORMAT_H
