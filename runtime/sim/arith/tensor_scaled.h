//===- tensor_scaled.h - MMA with block scales ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the block-scaled tensor cores of sm_120 compute for one element of the result, as
// published measurements found it (MMA-Sim, arXiv 2511.10909):
// - mxf8f6f4: the rule of tensor.h with F = 25 and one step of 32 terms; a product's
//   exponent also has the exponents of its two scales.
// - mxf4: 16 products at a time are added exactly, and the sum is multiplied exactly by
//   the significands of its two scales; its exponent is the sum of the scales' exponents
//   and counts as soon as no scale is zero, also if the sum is zero. These terms and the
//   old accumulator are cut to F = 35 bits and added.
// A scale that is NaN makes the whole element NaN. UE4M3 has no sign: that bit is
// ignored.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_ARITH_TENSOR_SCALED_H
#define KILN_SIM_ARITH_TENSOR_SCALED_H

#include "runtime/sim/arith/tensor.h"

namespace kiln::sim::arith {

enum class ScaleType : uint8_t { UE8M0, UE4M3 };
enum class ScaledUnit : uint8_t {
  Mxf8f6f4, ///< elements of up to 8 bits, one scale for all of K, K <= 32
  Mxf4      ///< elements are E2M1, one scale per 16 or 32 elements, K <= 64
};

/// D = (A scaled) (B scaled) + C with f32 accumulators. Row i of A has the scales
/// scaleA[i * blocks ...], one for each k / blocks elements; column j of B likewise.
struct ScaledProduct {
  Product product;
  ScaledUnit unit;
  ScaleType type;
  int blocks;
  const uint8_t *scaleA, *scaleB;
};

void multiplyScaled(const ScaledProduct &scaled);

} // namespace kiln::sim::arith

#endif // KILN_SIM_ARITH_TENSOR_SCALED_H
