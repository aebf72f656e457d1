//===- tensors.h - Elements of all types as numbers -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GPU_CHECK_TENSORS_H
#define KILN_GPU_CHECK_TENSORS_H

#include "kiln/runtime.h"
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kiln::gpucheck {

/// Converts elements to doubles; 64-bit integers beyond 2^53 lose bits.
std::vector<double> toNumbers(kiln_dtype dtype, const void *data, size_t bytes);

/// Appends a number as bytes of a floating-point type, rounded to nearest even.
void appendNumber(std::vector<uint8_t> &bytes, kiln_dtype dtype, float value);

/// Returns the largest |y - r| / max(|r|, root mean square of r, minNormal). NaN and
/// infinity must be at the same positions as in the reference; otherwise the result is
/// infinite.
double largestError(const std::vector<double> &values,
                    const std::vector<double> &reference, double minNormal = 0);

/// Returns f16's smallest normal number, below which the rounding error is not relative
/// but up to 2^-25; 0 for types whose subnormal range no case reaches.
double minNormalOf(kiln_dtype dtype);

/// Returns the error limit for results of a type: f32 2e-5, f16 2e-3, bf16 1.6e-2, f64
/// 1e-12, 0 for others. These are the limits of `kiln verify` for one kernel.
double toleranceOf(kiln_dtype dtype);

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_TENSORS_H
