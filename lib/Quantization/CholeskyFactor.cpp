//===- CholeskyFactor.cpp - Factors of Hessians ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// H = W W^T with an upper triangular W, by a Cholesky factorization from the last row to
// the first, gives H^-1 = W^-T W^-1, and so U = W^-1. The inverse of H is never formed.
//
//===----------------------------------------------------------------------===//

#include "CholeskyFactor.h"

#include <cmath>

using namespace kiln;

/// Uses eight partial sums, so that a compiler may vectorize without reassociation.
static double dot(const double *x, const double *y, int64_t count) {
  double sums[8] = {};
  int64_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (int64_t lane = 0; lane < 8; ++lane)
      sums[lane] += x[i + lane] * y[i + lane];
  double rest = 0;
  for (; i < count; ++i)
    rest += x[i] * y[i];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) +
         ((sums[4] + sums[5]) + (sums[6] + sums[7])) + rest;
}

/// Factorizes in place: the upper triangle becomes W.
static void factorize(std::vector<double> &h, int64_t k) {
  for (int64_t j = k; j-- > 0;) {
    double *row = &h[j * k];
    int64_t behind = k - j - 1;
    row[j] = std::sqrt(row[j] - dot(row + j + 1, row + j + 1, behind));
    for (int64_t i = 0; i < j; ++i) {
      double *other = &h[i * k];
      other[j] = (other[j] - dot(other + j + 1, row + j + 1, behind)) / row[j];
    }
  }
}

/// Inverts the upper triangular W in place and transposed: row j up to the diagonal
/// becomes column j of the inverse. The elements after the diagonal are kept.
static void invertTransposed(std::vector<double> &w, int64_t k) {
  std::vector<double> diagonal(k);
  for (int64_t j = 0; j < k; ++j)
    diagonal[j] = w[j * k + j];
  for (int64_t j = 0; j < k; ++j) {
    double *column = &w[j * k];
    column[j] = 1 / diagonal[j];
    for (int64_t i = j; i-- > 0;)
      column[i] = -dot(&w[i * k + i + 1], column + i + 1, j - i) / diagonal[i];
  }
}

std::vector<float> kiln::quantization::inverseCholesky(std::vector<double> hessian,
                                                       int64_t k, double damping) {
  double mean = 0;
  for (int64_t i = 0; i < k; ++i)
    mean += hessian[i * k + i] / double(k);
  for (int64_t i = 0; i < k; ++i) {
    double &diagonal = hessian[i * k + i];
    diagonal = diagonal == 0 ? (mean > 0 ? mean : 1) : diagonal + damping * mean;
  }
  factorize(hessian, k);
  invertTransposed(hessian, k);
  std::vector<float> factor(k * k);
  for (int64_t i = 0; i < k; ++i)
    for (int64_t j = i; j < k; ++j)
      factor[i * k + j] = static_cast<float>(hessian[j * k + i]);
  return factor;
}
