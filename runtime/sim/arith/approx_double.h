//===- approx_double.h - Elementary functions in f64 ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses plain operations only, so that every CPU gives the same bits; the relative error
// is below 2^-49. Where that error straddles a rounding boundary, approx_quad.h decides.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_ARITH_APPROX_DOUBLE_H
#define KILN_SIM_ARITH_APPROX_DOUBLE_H

#include "runtime/sim/arith/float_ops.h"

namespace kiln::sim::arith {

/// Bound on the relative error of the functions here.
inline constexpr double DoubleError = 0x1p-49;

/// 2^x for |x| <= 512, without branches: the integer part goes into the exponent, a
/// polynomial computes the rest.
KILN_SIM_LANE double exp2Double(double x) {
  constexpr double shifter = 0x1.8p52;
  double shifted = x + shifter;
  double r = x - (shifted - shifter);
  // ln(2)^k / k!
  double p = 0x1.816193166d0f9p-40;
  p = p * r + 0x1.c3bd650fc2986p-36;
  p = p * r + 0x1.e8cac7351bb25p-32;
  p = p * r + 0x1.e4cf5158b8ecap-28;
  p = p * r + 0x1.b5253d395e7c4p-24;
  p = p * r + 0x1.62c0223a5c824p-20;
  p = p * r + 0x1.ffcbfc588b0c7p-17;
  p = p * r + 0x1.430912f86c787p-13;
  p = p * r + 0x1.5d87fe78a6731p-10;
  p = p * r + 0x1.3b2ab6fba4e77p-7;
  p = p * r + 0x1.c6b08d704a0c0p-5;
  p = p * r + 0x1.ebfbdff82c58fp-3;
  p = p * r + 0x1.62e42fefa39efp-1;
  p = p * r + 1.0;
  // The low bits of the shifted value are the integer part.
  return f64(bitsOf(p) + (bitsOf(shifted) << 52));
}

double log2Double(double x); ///< x > 0, normal
double tanhDouble(double x); ///< x finite, not 0
/// The sine or cosine of x; x a finite f32 value, not 0.
double sineDouble(double x, bool cosine);

/// A finite f32 value as a multiple of pi/2: the nearest integer multiple, modulo 4, and
/// the rest as a signed fraction of 2^-127 in [-1/2, 1/2].
struct Quadrant {
  int turns;
  bool negative;
  unsigned __int128 magnitude;
};
Quadrant reduceQuadrant(float x);

} // namespace kiln::sim::arith

#endif // KILN_SIM_ARITH_APPROX_DOUBLE_H
