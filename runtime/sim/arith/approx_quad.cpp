//===- approx_quad.cpp - Elementary functions for hard cases ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/arith/approx_quad.h"
#include "runtime/sim/arith/approx_double.h"

using namespace kiln::sim;
using namespace kiln::sim::arith;

#if __LDBL_MANT_DIG__ == 113
using Quad = long double;
#else
using Quad = __float128;
#endif

/// From a constant's leading 112 fraction bits.
static Quad constant(uint64_t high, uint64_t low, int exponent) {
  Quad value = static_cast<Quad>(high) * 0x1p64 + static_cast<Quad>(low);
  for (; exponent < 0; ++exponent)
    value *= 0.5;
  return value;
}

static Quad ln2() { return constant(0x0000b17217f7d1cf, 0x79abc9e3b39803f2, -112); }
static Quad halfPi() { return constant(0xc90fdaa22168c234, 0xc4c6628b80dc1cd1, -127); }

static double roundToOdd(Quad value) {
  double near = static_cast<double>(value);
  Quad rest = value - static_cast<Quad>(near);
  uint64_t bits = bitsOf(near);
  if (rest == 0 || (bits & 1))
    return near;
  return f64((rest > 0) == (near > 0) ? bits + 1 : bits - 1);
}

static Quad exp2Quad(Quad x) {
  int whole = static_cast<int>(x < 0 ? x - 0.5 : x + 0.5);
  Quad z = (x - whole) * ln2(), term = 1, sum = 1;
  for (int k = 1; k < 34; ++k) {
    term = term * z / k;
    sum += term;
  }
  return sum * static_cast<Quad>(f64(static_cast<uint64_t>(whole + 1023) << 52));
}

static Quad log2Quad(Quad x) {
  int exponent = 0;
  for (; x > 1.4142135; x *= 0.5)
    ++exponent;
  for (; x < 0.7071068; x *= 2)
    --exponent;
  Quad s = (x - 1) / (x + 1), square = s * s, power = s, sum = 0;
  for (int k = 1; k < 50; k += 2) {
    sum += power / k;
    power *= square;
  }
  return exponent + 2 * sum / ln2();
}

static Quad tanhQuad(Quad x) {
  Quad magnitude = x < 0 ? -x : x;
  if (magnitude < 0.25) {
    Quad square = x * x, tail = 41;
    for (int k = 39; k >= 1; k -= 2)
      tail = k + square / tail;
    return x / tail;
  }
  Quad result = 1 - 2 / (exp2Quad(2 * magnitude / ln2()) + 1);
  return x < 0 ? -result : result;
}

static Quad rsqrtQuad(Quad x, double first) {
  Quad y = first;
  for (int i = 0; i < 2; ++i)
    y += y * (1 - x * y * y) * 0.5;
  return y;
}

static Quad sineQuad(float x, bool cosine) {
  Quadrant quadrant = reduceQuadrant(x);
  Quad r = x;
  int turns = 0;
  if (x > 0.78f || x < -0.78f) {
    r = static_cast<Quad>(quadrant.magnitude) * 0x1p-127 * halfPi();
    r = quadrant.negative ? -r : r;
    turns = quadrant.turns;
  }
  turns += cosine;
  Quad square = r * r, term = turns & 1 ? Quad(1) : r, sum = term;
  for (int k = turns & 1 ? 2 : 3; k < 36; k += 2) {
    term = -term * square / (k * (k - 1));
    sum += term;
  }
  return turns & 2 ? -sum : sum;
}

double arith::approxQuad(Approx function, float x) {
  switch (function) {
  case Approx::Ex2:
    return roundToOdd(exp2Quad(x));
  case Approx::Lg2:
    return roundToOdd(log2Quad(x));
  case Approx::Rsqrt:
    return roundToOdd(rsqrtQuad(x, 1.0 / __builtin_sqrt(double(x))));
  case Approx::Tanh:
    return roundToOdd(tanhQuad(x));
  case Approx::Sin:
    return roundToOdd(sineQuad(x, false));
  case Approx::Cos:
    return roundToOdd(sineQuad(x, true));
  default:
    return 0; // the other functions are plain operations and never get here
  }
}
