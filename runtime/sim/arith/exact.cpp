//===- exact.cpp - Exact values and their rounding -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/arith/exact.h"

using namespace kiln::sim;
using namespace kiln::sim::arith;

/// Position of the highest bit of a normalised significand; leaves room for one carry.
static constexpr int Top = 126;

static int highestBit(Wide value) {
  uint64_t high = static_cast<uint64_t>(value >> 64);
  return high ? 127 - __builtin_clzll(high)
              : 63 - __builtin_clzll(static_cast<uint64_t>(value));
}

Exact Exact::finite(bool negative, Wide significand, int exponent, bool sticky) {
  if (significand == 0 && !sticky)
    return zero(negative);
  return {Kind::Finite, negative, sticky, exponent, significand};
}

Exact Exact::integer(bool negative, uint64_t magnitude) {
  return finite(negative && magnitude != 0, magnitude, 0);
}

/// Moves the highest bit to Top. The highest bit of a sticky value is near Top already.
static Exact normalised(Exact a) {
  int shift = Top - highestBit(a.significand);
  if (shift > 0)
    a.significand <<= shift;
  else if (shift < 0) {
    a.sticky |= (a.significand & ((Wide(1) << -shift) - 1)) != 0;
    a.significand >>= -shift;
  }
  a.exponent -= shift;
  return a;
}

Exact arith::decode(const Format &format, uint64_t bits) {
  bool negative = bits & format.sign();
  uint64_t fields = (bits & (format.sign() - 1)) >> format.low;
  int fractionBits = format.fractionBits;
  uint64_t exponent = fields >> fractionBits;
  uint64_t fraction = fields & ((uint64_t(1) << fractionBits) - 1);
  uint64_t topExponent = (uint64_t(1) << format.exponentBits) - 1;
  if (format.hasInfinity && exponent == topExponent) {
    // tf32: the register holds 32 bits, and its low bits count when telling a NaN from
    // infinity.
    uint64_t low = bits & ((uint64_t(1) << format.low) - 1);
    return (fraction | low) ? Exact::nan() : Exact::infinite(negative);
  }
  if (!format.hasInfinity && format.hasNan && fields == format.nan)
    return Exact::nan();
  if (exponent == 0)
    return Exact::finite(negative, fraction, format.minExponent() - fractionBits);
  return Exact::finite(negative, fraction | uint64_t(1) << fractionBits,
                       static_cast<int>(exponent) - format.bias - fractionBits);
}

Exact arith::decodeFlushed(const Format &format, uint64_t bits) {
  if ((bits & format.infinity()) == 0)
    return Exact::zero(bits & format.sign());
  return decode(format, bits);
}

/// Whether the discarded bits (`rest` / 2^shift, plus the sticky bit) round the kept ones
/// up.
static bool roundsUp(const RoundTo &how, bool negative, bool keptOdd, Wide rest,
                     int shift, bool sticky) {
  bool inexact = rest != 0 || sticky;
  switch (how.mode) {
  case Rounding::Rz:
    return false;
  case Rounding::Rm:
    return inexact && negative;
  case Rounding::Rp:
    return inexact && !negative;
  case Rounding::Rs: {
    // The random bits are aligned with the discarded bits, below the last kept bit.
    uint64_t top =
        static_cast<uint64_t>(shift >= how.randomBits ? rest >> (shift - how.randomBits)
                                                      : rest << (how.randomBits - shift));
    uint64_t random = how.random & ((uint64_t(1) << how.randomBits) - 1);
    return ((top + random) >> how.randomBits) != 0;
  }
  case Rounding::Rn:
  case Rounding::Rna:
    break;
  }
  Wide half = Wide(1) << (shift - 1);
  if (rest != half || sticky)
    return rest >= half;
  return how.mode == Rounding::Rna || keptOdd;
}

static uint64_t overflowed(const Format &format, bool negative, const RoundTo &how) {
  bool towardZero = how.mode == Rounding::Rz || (how.mode == Rounding::Rm && !negative) ||
                    (how.mode == Rounding::Rp && negative);
  if (how.satfinite || towardZero || !format.hasNan)
    return format.maxFinite;
  return format.hasInfinity ? format.infinity() : format.nan;
}

/// Rounds the magnitude to the format's bits, without shifting by `low` and without
/// clamping.
static uint64_t roundMagnitude(const Format &format, const Exact &value,
                               const RoundTo &how) {
  Exact a = normalised(value);
  int exponent = a.exponent + Top;
  int kept = exponent > format.minExponent() ? exponent : format.minExponent();
  int shift = kept - format.fractionBits - a.exponent;
  Wide whole = 0, rest = a.significand;
  bool sticky = a.sticky;
  if (shift < 128) {
    whole = a.significand >> shift;
    rest = a.significand & ((Wide(1) << shift) - 1);
  } else {
    // The value is below half of the smallest subnormal; only its being nonzero matters.
    rest = 1;
    shift = 127;
  }
  uint64_t result = static_cast<uint64_t>(whole);
  if (roundsUp(how, a.negative, result & 1, rest, shift, sticky))
    ++result;
  // The hidden bit of a normal value is 1 in `result` and completes its exponent field.
  return result +
         (static_cast<uint64_t>(kept - format.minExponent()) << format.fractionBits);
}

static uint64_t encodeMagnitude(const Format &format, const Exact &value,
                                const RoundTo &how) {
  if (value.isInfinite())
    return how.satfinite || !format.hasNan ? format.maxFinite
           : format.hasInfinity            ? format.infinity()
                                           : format.nan;
  if (value.isZero())
    return 0;
  uint64_t bits = roundMagnitude(format, value, how) << format.low;
  if (bits > format.maxFinite)
    return overflowed(format, value.negative, how);
  bool subnormal = bits < uint64_t(1) << (format.fractionBits + format.low);
  return how.ftz && subnormal ? 0 : bits;
}

uint64_t arith::encode(const Format &format, Exact value, const RoundTo &how) {
  if (value.isNan())
    return how.sat ? 0 : format.nan;
  if (value.negative && (how.sat || how.relu))
    return 0;
  uint64_t bits = encodeMagnitude(format, value, how);
  if (how.sat) {
    uint64_t one = static_cast<uint64_t>(format.bias)
                   << (format.fractionBits + format.low);
    return bits > one ? one : bits;
  }
  return bits | (value.negative ? format.sign() : 0);
}

Exact arith::negate(Exact a) {
  a.negative = !a.negative;
  return a;
}

/// Shifts `small` to `exponent`, the larger operand's (both normalised); bits shifted out
/// set the sticky bit.
static Exact aligned(Exact small, int exponent) {
  int shift = exponent - small.exponent;
  if (shift > 127) {
    small.significand = 0;
    small.sticky = true;
  } else if (shift > 0) {
    small.sticky |= (small.significand & ((Wide(1) << shift) - 1)) != 0;
    small.significand >>= shift;
  }
  small.exponent = exponent;
  return small;
}

/// Adds finite values. At most one of them may be sticky, and then the other is smaller
/// or far larger.
static Exact addFinite(Exact a, Exact b, Rounding mode) {
  a = normalised(a);
  b = normalised(b);
  if (a.exponent < b.exponent ||
      (a.exponent == b.exponent && a.significand < b.significand)) {
    Exact swap = a;
    a = b;
    b = swap;
  }
  b = aligned(b, a.exponent);
  if (a.negative == b.negative)
    return Exact::finite(a.negative, a.significand + b.significand, a.exponent,
                         a.sticky | b.sticky);
  Wide difference = a.significand - b.significand;
  if (b.sticky)
    --difference; // subtracts the sticky part; the remainder is sticky too
  if (difference == 0 && !b.sticky)
    return Exact::zero(mode == Rounding::Rm);
  return Exact::finite(a.negative, difference, a.exponent, b.sticky);
}

Exact arith::add(const Exact &a, const Exact &b, Rounding mode) {
  if (a.isNan() || b.isNan())
    return Exact::nan();
  if (a.isInfinite() || b.isInfinite()) {
    if (a.isInfinite() && b.isInfinite() && a.negative != b.negative)
      return Exact::nan();
    return a.isInfinite() ? a : b;
  }
  if (a.isZero() && b.isZero())
    return a.negative == b.negative ? a : Exact::zero(mode == Rounding::Rm);
  if (a.isZero() || b.isZero())
    return a.isZero() ? b : a;
  return addFinite(a, b, mode);
}

Exact arith::multiply(const Exact &a, const Exact &b) {
  bool negative = a.negative != b.negative;
  if (a.isNan() || b.isNan())
    return Exact::nan();
  if (a.isInfinite() || b.isInfinite())
    return a.isZero() || b.isZero() ? Exact::nan() : Exact::infinite(negative);
  if (a.isZero() || b.isZero())
    return Exact::zero(negative);
  return Exact::finite(negative, a.significand * b.significand, a.exponent + b.exponent);
}

Exact arith::fuse(const Exact &a, const Exact &b, const Exact &c, Rounding mode) {
  return add(multiply(a, b), c, mode);
}

Exact arith::divide(const Exact &a, const Exact &b) {
  bool negative = a.negative != b.negative;
  if (a.isNan() || b.isNan())
    return Exact::nan();
  if (a.isInfinite() || b.isInfinite())
    return a.isInfinite() && b.isInfinite() ? Exact::nan()
           : a.isInfinite()                 ? Exact::infinite(negative)
                                            : Exact::zero(negative);
  if (a.isZero() || b.isZero())
    return a.isZero() && b.isZero() ? Exact::nan()
           : a.isZero()             ? Exact::zero(negative)
                                    : Exact::infinite(negative);
  // At least 126 - 53 bits of quotient: more than any format and its rounding bits need.
  Exact n = normalised(a);
  Wide quotient = n.significand / b.significand;
  bool sticky = n.significand % b.significand != 0;
  return Exact::finite(negative, quotient, n.exponent - b.exponent, sticky);
}

Exact arith::squareRoot(const Exact &a) {
  if (a.isNan() || (a.negative && !a.isZero()))
    return Exact::nan();
  if (a.isZero() || a.isInfinite())
    return a;
  Exact n = normalised(a);
  if (n.exponent & 1) {
    n.significand <<= 1; // Top leaves room for one more bit
    --n.exponent;
  }
  // Computes the root bit by bit; it has 64 bits.
  Wide rest = n.significand, root = 0;
  for (Wide bit = Wide(1) << 126; bit != 0; bit >>= 2) {
    if (rest >= root + bit) {
      rest -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
  }
  return Exact::finite(false, root, n.exponent / 2, rest != 0);
}
