//===- oracle.h - Second implementation of the formats ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts by search: lists every value of a format in order and finds the nearest or
// next one by comparison in f64. It shares nothing with runtime/sim/arith but the
// formats' names.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_SIM_ARITH_ORACLE_H
#define KILN_TEST_SIM_ARITH_ORACLE_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace oracle {

enum class Mode { Even, Away, Zero, Down, Up };

/// Non-negative finite values of a small format; index = bits of the magnitude.
struct Small {
  int exponentBits, fractionBits, bias;
  unsigned finite;   ///< number of finite magnitudes
  unsigned infinity; ///< bits of infinity, or of the value that overflow gives
  unsigned nan;
  std::vector<double> values;

  Small(int exponentBits, int fractionBits, int bias, unsigned finite, unsigned infinity,
        unsigned nan)
      : exponentBits(exponentBits), fractionBits(fractionBits), bias(bias),
        finite(finite), infinity(infinity), nan(nan) {
    for (unsigned bits = 0; bits < finite; ++bits) {
      int field = static_cast<int>(bits >> fractionBits);
      double fraction = bits & ((1u << fractionBits) - 1);
      double unit = std::ldexp(1.0, (field ? field : 1) - bias - fractionBits);
      values.push_back((fraction + (field ? std::ldexp(1.0, fractionBits) : 0)) * unit);
    }
  }
  unsigned sign() const { return 1u << (exponentBits + fractionBits); }

  double decode(unsigned bits) const {
    unsigned magnitude = bits & (sign() - 1);
    double value = magnitude < finite ? values[magnitude]
                   : magnitude == infinity && infinity != nan
                       ? std::numeric_limits<double>::infinity()
                       : std::numeric_limits<double>::quiet_NaN();
    return bits & sign() ? -value : value;
  }

  /// Encodes a value, which f64 represents exactly.
  unsigned encode(double value, Mode mode, bool satfinite) const {
    if (std::isnan(value))
      return nan;
    bool negative = std::signbit(value);
    double size = std::fabs(value);
    unsigned s = negative ? sign() : 0;
    if (std::isinf(size))
      return s | (satfinite ? finite - 1 : infinity);
    if (mode == Mode::Down)
      mode = negative ? Mode::Away : Mode::Zero;
    else if (mode == Mode::Up)
      mode = negative ? Mode::Zero : Mode::Away;
    else if (mode == Mode::Away)
      return s | nearest(size, true, satfinite);
    else if (mode == Mode::Even)
      return s | nearest(size, false, satfinite);
    auto above = std::lower_bound(values.begin(), values.end(), size);
    if (mode == Mode::Zero) {
      if (above == values.end() || *above != size)
        --above;
      return s | static_cast<unsigned>(above - values.begin());
    }
    if (above == values.end())
      return s | (satfinite ? finite - 1 : infinity);
    return s | static_cast<unsigned>(above - values.begin());
  }

private:
  unsigned nearest(double size, bool tiesAway, bool satfinite) const {
    auto above = std::lower_bound(values.begin(), values.end(), size);
    unsigned index = static_cast<unsigned>(above - values.begin());
    // The next value beyond the largest one would be one step further.
    double next =
        above != values.end() ? *above : 2 * values[finite - 1] - values[finite - 2];
    if (index == finite && size >= next)
      return satfinite ? finite - 1 : infinity;
    if (next == size)
      return index;
    double below = values[index - 1], down = size - below, up = next - size;
    bool takeUp = up < down || (up == down && (tiesAway || (index & 1) == 0));
    if (!takeUp)
      return index - 1;
    return index == finite ? (satfinite ? finite - 1 : infinity) : index;
  }
};

inline const Small f16(5, 10, 15, 0x7c00, 0x7c00, 0x7fff);
inline const Small bf16(8, 7, 127, 0x7f80, 0x7f80, 0x7fff);
inline const Small e5m2(5, 2, 15, 0x7c, 0x7c, 0x7f);
inline const Small e4m3(4, 3, 7, 0x7f, 0x7f, 0x7f);
inline const Small e2m3(2, 3, 1, 0x20, 0x1f, 0x1f);
inline const Small e3m2(3, 2, 3, 0x20, 0x1f, 0x1f);
inline const Small e2m1(2, 1, 1, 0x8, 0x7, 0x7);

} // namespace oracle

#endif // KILN_TEST_SIM_ARITH_ORACLE_H
