//===- approx_double.cpp - Elementary functions in f64 ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/arith/approx_double.h"

using namespace kiln::sim;
using namespace kiln::sim::arith;

double arith::log2Double(double x) {
  // x = m 2^e with m in [sqrt(1/2), sqrt(2)), log2(m) = 2/ln(2) atanh((m-1)/(m+1)).
  uint64_t bits = bitsOf(x);
  uint64_t offset = bits - 0x3fe6a09e667f3bcd;
  int64_t exponent = static_cast<int64_t>(offset) >> 52;
  double m = f64(bits - (static_cast<uint64_t>(exponent) << 52));
  double s = (m - 1.0) / (m + 1.0), square = s * s;
  double series = 0.0;
  for (int k = 23; k >= 3; k -= 2)
    series = series * square + 1.0 / k;
  series = s + s * (series * square);
  return static_cast<double>(exponent) + series * 0x1.71547652b82fep+1;
}

double arith::tanhDouble(double x) {
  double magnitude = x < 0 ? -x : x;
  if (magnitude < 0.25) {
    // The continued fraction x / (1 + x^2 / (3 + x^2 / (5 + ...))).
    double square = x * x, tail = 17.0;
    for (int k = 15; k >= 1; k -= 2)
      tail = k + square / tail;
    return x / tail;
  }
  double power = exp2Double((magnitude < 20 ? magnitude : 20) * 0x1.71547652b82fep+1);
  double result = 1.0 - 2.0 / (power + 1.0);
  return x < 0 ? -result : result;
}

Quadrant arith::reduceQuadrant(float x) {
  // 2/pi in binary, after the point.
  static constexpr uint64_t twoOverPi[] = {0xa2f9836e4e441529, 0xfc2757d1f534ddc0,
                                           0xdb6295993c439041, 0xfe5163abdebbc561,
                                           0xb7246e3a424dd2e0};
  uint32_t bits = bitsOf(x);
  uint32_t field = (bits >> 23) & 0xff;
  uint64_t significand = (bits & 0x7fffff) | (field ? 0x800000 : 0);
  int exponent = static_cast<int>(field ? field : 1) - 150;
  // x 2/pi = significand * (2/pi 2^exponent). Drops the leading bits of 2/pi that
  // contribute multiples of 4 and keeps the 192 bits after those.
  int start = exponent - 2 - 24 > 0 ? exponent - 26 : 0;
  auto word = [&](int at) {
    int index = at / 64, shift = at % 64;
    uint64_t high = index < 5 ? twoOverPi[index] : 0;
    uint64_t low = index + 1 < 5 ? twoOverPi[index + 1] : 0;
    return shift ? high << shift | low >> (64 - shift) : high;
  };
  // window * 2^(exponent - start - 192) times significand: 216 bits in four words.
  uint64_t product[4] = {};
  uint64_t carry = 0;
  for (int i = 0; i < 3; ++i) {
    unsigned __int128 part =
        static_cast<unsigned __int128>(word(start + 64 * (2 - i))) * significand + carry;
    product[i] = static_cast<uint64_t>(part);
    carry = static_cast<uint64_t>(part >> 64);
  }
  product[3] = carry;
  // The binary point lies 192 + start - exponent bits up.
  int point = 192 + start - exponent;
  auto bitsAt = [&](int at) { // 64 bits from bit `at` upward
    int index = at >> 6, shift = at & 63;
    uint64_t low = index >= 0 && index < 4 ? product[index] : 0;
    uint64_t high = index + 1 >= 0 && index + 1 < 4 ? product[index + 1] : 0;
    return shift ? low >> shift | high << (64 - shift) : low;
  };
  Quadrant result;
  unsigned __int128 fraction =
      static_cast<unsigned __int128>(bitsAt(point - 63)) << 64 | bitsAt(point - 127);
  // Bit 127 of `fraction` is the lowest bit of the integer part; only the 127 bits below
  // are fraction.
  uint64_t whole = bitsAt(point);
  fraction &= (static_cast<unsigned __int128>(1) << 127) - 1;
  result.turns = static_cast<int>(whole & 3);
  result.negative = false;
  if (fraction >> 126) {
    fraction = (static_cast<unsigned __int128>(1) << 127) - fraction;
    result.turns = (result.turns + 1) & 3;
    result.negative = true;
  }
  result.magnitude = fraction;
  if (bits >> 31) {
    result.turns = (4 - result.turns) & 3;
    result.negative = !result.negative;
  }
  return result;
}

static double sineSeries(double r) {
  double square = r * r, series = 0.0;
  for (int k = 19; k >= 3; k -= 2)
    series = (1.0 - series) * square / (k * (k - 1));
  return r - r * series;
}

static double cosineSeries(double r) {
  double square = r * r, series = 0.0;
  for (int k = 20; k >= 2; k -= 2)
    series = (1.0 - series) * square / (k * (k - 1));
  return 1.0 - series;
}

double arith::sineDouble(double x, bool cosine) {
  double r = x;
  int turns = 0;
  if (x > 0.78 || x < -0.78) {
    Quadrant quadrant = reduceQuadrant(static_cast<float>(x));
    turns = quadrant.turns;
    r = static_cast<double>(quadrant.magnitude) * 0x1p-127 * 0x1.921fb54442d18p+0;
    r = quadrant.negative ? -r : r;
  }
  turns += cosine;
  double result = turns & 1 ? cosineSeries(r) : sineSeries(r);
  return turns & 2 ? -result : result;
}
