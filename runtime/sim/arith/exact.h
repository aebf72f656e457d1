//===- exact.h - Exact values and their rounding ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The slow path: an operation computes an exact (or sticky) value in integers, then
// rounds once. Everything that is not a plain host operation uses it.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_ARITH_EXACT_H
#define KILN_SIM_ARITH_EXACT_H

#include "runtime/sim/arith/format.h"

namespace kiln::sim::arith {

using Wide = unsigned __int128;

/// The value significand * 2^exponent; if `sticky`, plus an unknown amount above zero and
/// below 2^exponent.
struct Exact {
  enum class Kind : uint8_t { Zero, Finite, Infinite, Nan };
  Kind kind = Kind::Zero;
  bool negative = false;
  bool sticky = false;
  int exponent = 0;
  Wide significand = 0;

  bool isNan() const { return kind == Kind::Nan; }
  bool isZero() const { return kind == Kind::Zero; }
  bool isInfinite() const { return kind == Kind::Infinite; }

  static Exact zero(bool negative) { return {Kind::Zero, negative}; }
  static Exact infinite(bool negative) { return {Kind::Infinite, negative}; }
  static Exact nan() { return {Kind::Nan}; }
  static Exact finite(bool negative, Wide significand, int exponent, bool sticky = false);
  static Exact integer(bool negative, uint64_t magnitude);
};

/// How to round a value to a format.
struct RoundTo {
  Rounding mode = Rounding::Rn;
  bool ftz = false;       ///< flush a subnormal result to zero of its sign
  bool sat = false;       ///< clamp to [+0, 1], NaN to +0
  bool relu = false;      ///< negative values to +0, NaN stays
  bool satfinite = false; ///< overflow and infinity to the largest finite number
  uint32_t random = 0;    ///< for Rs: the bits that are added to the discarded bits
  uint8_t randomBits = 0; ///< for Rs: how many random bits there are
};

Exact decode(const Format &format, uint64_t bits);
/// Decodes, reading a subnormal as zero of its sign.
Exact decodeFlushed(const Format &format, uint64_t bits);
uint64_t encode(const Format &format, Exact value, const RoundTo &how);

// The sign of an exact zero sum depends on the rounding mode: -0 only for Rm.
Exact add(const Exact &a, const Exact &b, Rounding mode);
Exact multiply(const Exact &a, const Exact &b);
Exact fuse(const Exact &a, const Exact &b, const Exact &c, Rounding mode);
Exact divide(const Exact &a, const Exact &b);
Exact squareRoot(const Exact &a);
Exact negate(Exact a);

} // namespace kiln::sim::arith

#endif // KILN_SIM_ARITH_EXACT_H
