//===- RangeEstimate.h - Range of static scales -----------------*- C++ -*-===//
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

/// Type of the quantized values.
enum class RangeCode { Int8, Float8 }; ///< -127 to 127, or f8E4M3FN up to 448
inline double largestCode(RangeCode code) { return code == RangeCode::Int8 ? 127 : 448; }

/// Returns the maximum magnitude that can be represented; larger ones saturate.
///  - Max: the maximum of all values.
///  - Percentile: the upper edge of the bin that reaches this percentage of values.
///  - Mse: minimizes the sum of (x - dequantize(quantize(x)))^2.
///  - Entropy: minimizes the Kullback-Leibler divergence of the quantized distribution
///    from the original one, whose last bin has all saturated values (as TensorRT's
///    calibrator; Migacz, 8-bit inference with TensorRT, 2017).
/// Mse and Entropy try every eighth edge of a bin from the 128th on, and the maximum; of
/// equally good candidates the largest is taken. 0 if all values are 0.
ActivationRange estimateRange(const MagnitudeHistogram &histogram,
                              const RangeMethod &method, RangeCode code);

} // namespace kiln::quantization

#endif // KILN_LIB_QUANTIZATION_RANGEESTIMATE_H
