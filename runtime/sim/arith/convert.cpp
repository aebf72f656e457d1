//===- convert.cpp - Conversions of PTX's cvt ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/arith/convert.h"

using namespace kiln::sim;
using namespace kiln::sim::arith;

static bool isF32(const Format &format) { return format.bits == 32 && format.low == 0; }

static Exact read(const Format &from, uint64_t bits, bool ftz) {
  return ftz && isF32(from) ? decodeFlushed(from, bits) : decode(from, bits);
}

uint64_t arith::convertFloat(const Format &to, const Format &from, uint64_t bits,
                             const RoundTo &how) {
  Exact value = read(from, bits, how.ftz);
  RoundTo round = how;
  round.ftz = how.ftz && isF32(to);
  if (value.isNan() && to.bits == 64 && !how.sat && from.bits >= 32) {
    // NaN payloads survive: a wider format gets the fraction in its top bits.
    uint64_t sign = bits & from.sign() ? to.sign() : 0;
    uint64_t fraction = (bits & ((uint64_t(1) << (from.fractionBits + from.low)) - 1))
                        << (to.fractionBits - from.fractionBits - from.low);
    return sign | to.infinity() | fraction | uint64_t(1) << (to.fractionBits - 1);
  }
  return encode(to, value, round);
}

/// Rounds to an integer; sets `huge` for magnitudes of 2^64 and more.
static uint64_t roundToInteger(const Exact &value, Rounding mode, bool &huge) {
  // Cut the fraction off at 2^0, then round by the bits cut off.
  huge = false;
  if (value.isZero())
    return 0;
  if (value.exponent >= 0) {
    // Operands have at most 64 significant bits.
    int length = 64 - __builtin_clzll(static_cast<uint64_t>(value.significand));
    if (length + value.exponent > 64) {
      huge = true;
      return 0;
    }
    return static_cast<uint64_t>(value.significand) << value.exponent;
  }
  int shift = -value.exponent;
  Wide whole = shift < 128 ? value.significand >> shift : 0;
  Wide rest = shift < 128 ? value.significand & ((Wide(1) << shift) - 1) : 1;
  Wide half = shift < 128 ? Wide(1) << (shift - 1) : 2;
  bool up = false;
  if (mode == Rounding::Rn)
    up = rest > half || (rest == half && (whole & 1));
  else if (mode == Rounding::Rm)
    up = rest != 0 && value.negative;
  else if (mode == Rounding::Rp)
    up = rest != 0 && !value.negative;
  return static_cast<uint64_t>(whole) + up;
}

static uint64_t maxOf(IntType type) {
  int bits = type.isSigned ? type.bits - 1 : type.bits;
  return bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
}

static uint64_t minMagnitude(IntType type) {
  return type.isSigned ? uint64_t(1) << (type.bits - 1) : 0;
}

/// Extends the low bits of an integer type to 64 bits, by its signedness.
static uint64_t extended(IntType type, uint64_t value) {
  if (type.bits == 64)
    return value;
  int shift = 64 - type.bits;
  return type.isSigned
             ? static_cast<uint64_t>(static_cast<int64_t>(value << shift) >> shift)
             : value << shift >> shift;
}

static uint64_t clamped(IntType to, bool negative, uint64_t magnitude, bool huge) {
  uint64_t limit = negative ? minMagnitude(to) : maxOf(to);
  if (huge || magnitude > limit)
    magnitude = limit;
  return extended(to, negative ? 0 - magnitude : magnitude);
}

uint64_t arith::convertToInt(IntType to, const Format &from, uint64_t bits, Rounding mode,
                             bool ftz) {
  Exact value = read(from, bits, ftz);
  if (value.isNan())
    return from.bits == 64 || to.bits == 64 ? extended(to, uint64_t(1) << (to.bits - 1))
                                            : 0;
  bool huge = value.isInfinite();
  uint64_t magnitude = huge ? 0 : roundToInteger(value, mode, huge);
  return clamped(to, value.negative, magnitude, huge);
}

uint64_t arith::convertFromInt(const Format &to, IntType from, uint64_t value,
                               const RoundTo &how) {
  value = extended(from, value);
  bool negative = from.isSigned && static_cast<int64_t>(value) < 0;
  return encode(to, Exact::integer(negative, negative ? 0 - value : value), how);
}

uint64_t arith::convertInt(IntType to, IntType from, uint64_t value, bool sat) {
  value = extended(from, value);
  if (!sat)
    return extended(to, value);
  bool negative = from.isSigned && static_cast<int64_t>(value) < 0;
  return clamped(to, negative, negative ? 0 - value : value, false);
}

uint64_t arith::roundToIntegral(const Format &format, uint64_t bits, Rounding mode,
                                const RoundTo &how) {
  Exact value = read(format, bits, how.ftz);
  if (value.kind == Exact::Kind::Finite && value.exponent < 0) {
    bool huge;
    uint64_t magnitude = roundToInteger(value, mode, huge);
    value = Exact::finite(value.negative, magnitude, 0);
  }
  if (value.isNan())
    return convertFloat(format, format, bits, how);
  RoundTo round = how;
  round.ftz = how.ftz && isF32(format);
  return encode(format, value, round);
}

uint8_t arith::convertToUe8m0(const Format &from, uint64_t bits, Rounding mode,
                              bool satfinite) {
  constexpr uint8_t nan = 0xff, largest = 0xfe;
  Exact value = decode(from, bits);
  if (value.isNan())
    return nan;
  if (value.isInfinite())
    return satfinite ? largest : nan;
  if (value.isZero())
    return 0;
  int length = 64 - __builtin_clzll(static_cast<uint64_t>(value.significand));
  bool power = (value.significand & (value.significand - 1)) == 0;
  int biased = value.exponent + length - 1 + 127;
  if (mode == Rounding::Rp && !power)
    ++biased;
  if (biased < 0)
    return 0;
  if (biased > largest)
    return satfinite ? largest : nan;
  return static_cast<uint8_t>(biased);
}

uint16_t arith::ue8m0ToBf16(uint8_t scale) {
  if (scale == 0xff)
    return static_cast<uint16_t>(BF16.nan);
  return scale == 0 ? 0x0040 : static_cast<uint16_t>(scale << 7);
}
