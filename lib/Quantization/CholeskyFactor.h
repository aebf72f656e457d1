//===- CholeskyFactor.h - Factors of Hessians -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_QUANTIZATION_CHOLESKYFACTOR_H
#define KILN_LIB_QUANTIZATION_CHOLESKYFACTOR_H

#include <cstdint>
#include <vector>

namespace kiln::quantization {

/// Returns, for a symmetric positive semidefinite H, [k, k] row-major, the upper
/// triangular U with (H + d I)^-1 = U^T U, where d is `damping` times the mean of the
/// diagonal. A row of zeros (an input that is always 0) gets that mean as its diagonal.
/// The order of summation is fixed.
std::vector<float> inverseCholesky(std::vector<double> hessian, int64_t k,
                                   double damping);

} // namespace kiln::quantization

#endif // KILN_LIB_QUANTIZATION_CHOLESKYFACTOR_H
