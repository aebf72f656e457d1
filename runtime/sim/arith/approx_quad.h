//===- approx_quad.h - Elementary functions for hard cases ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes in 113-bit arithmetic with a relative error below 2^-100. Results are rounded
// to odd f64, so rounding them again to fewer bits equals rounding the exact value once.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_ARITH_APPROX_QUAD_H
#define KILN_SIM_ARITH_APPROX_QUAD_H

#include "runtime/sim/arith/approx.h"

namespace kiln::sim::arith {

/// Ex2, Lg2, Rsqrt, Tanh, Sin or Cos of an f32 value for which the result is a finite
/// number other than zero.
double approxQuad(Approx function, float x);

} // namespace kiln::sim::arith

#endif // KILN_SIM_ARITH_APPROX_QUAD_H
