//===- RangeEstimate.h - What a static scale covers -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_QUANTIZATION_RANGEESTIMATE_H
#define KILN_LIB_QUANTIZATION_RANGEESTIMATE_H

#include "MagnitudeHistogram.h"
#include "kiln/Pipeline/Compile.h"

namespace kiln::quantization {

/// Type of the codes.
enum class RangeCode { Int8, Float8 }; ///< -127 to 127, or f8E4M3FN up to 448
inline double largestCode(RangeCode code) { return code == RangeCode::Int8 ? 127 : 448; }

/// The largest magnitude that a code has. Larger ones saturate.
///  - Max: the largest one of all.
///  - Percentile: the upper edge of the bin with which so many magnitudes are covered.
///  - Mse: with the smallest sum of (x - code(x) * scale)^2.
///  - Entropy: with the smallest Kullback-Leibler divergence of what codes say of the
///    distribution from the distribution, whose end has all that saturates (as the
///    calibrator of TensorRT; Migacz, 8-bit inference with TensorRT, 2017).
/// The last two try every eighth edge of a bin from the 128th on, and the largest
/// magnitude; of equal ones the largest counts. 0 if all numbers are 0.
ActivationRange estimateRange(const MagnitudeHistogram &histogram,
                              const RangeMethod &method, RangeCode code);

} // namespace kiln::quantization

#endif // KILN_LIB_QUANTIZATION_RANGEESTIMATE_H
