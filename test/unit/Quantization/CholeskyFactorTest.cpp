//===- CholeskyFactorTest.cpp - Factors of Hessians -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CholeskyFactor.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace kiln::quantization;

static std::vector<double> productsOf(int64_t rows, int64_t k) {
  std::mt19937 engine(7);
  std::normal_distribution<double> normal;
  std::vector<double> x(rows * k), h(k * k);
  for (double &value : x)
    value = normal(engine);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t i = 0; i < k; ++i)
      for (int64_t j = 0; j < k; ++j)
        h[i * k + j] += x[row * k + i] * x[row * k + j];
  return h;
}

/// U^T U times the damped Hessian is the identity.
static void expectInverse(std::vector<double> h, int64_t k, double added) {
  std::vector<float> u = inverseCholesky(h, k, /*damping=*/0.01);
  for (int64_t i = 0; i < k; ++i)
    h[i * k + i] += added;
  for (int64_t i = 0; i < k; ++i)
    for (int64_t j = 0; j < k; ++j) {
      EXPECT_TRUE(i <= j || u[i * k + j] == 0);
      double sum = 0;
      for (int64_t l = 0; l < k; ++l) {
        double inverse = 0; // element [i, l] of U^T U
        for (int64_t m = 0; m <= std::min(i, l); ++m)
          inverse += double(u[m * k + i]) * u[m * k + l];
        sum += inverse * h[l * k + j];
      }
      EXPECT_NEAR(sum, i == j, 2e-4) << k << ' ' << i << ' ' << j;
    }
}

TEST(CholeskyFactorTest, IsTheInverseOfWhatIsDamped) {
  for (int64_t k : {1, 7, 8, 9, 24, 35}) {
    std::vector<double> h = productsOf(3 * k, k);
    double mean = 0;
    for (int64_t i = 0; i < k; ++i)
      mean += h[i * k + i] / k;
    expectInverse(h, k, 0.01 * mean);
  }
}

TEST(CholeskyFactorTest, FewerRowsThanColumnsAreDamped) {
  int64_t k = 20;
  std::vector<float> u = inverseCholesky(productsOf(3, k), k, 0.01);
  for (float value : u)
    EXPECT_TRUE(std::isfinite(value));
}

TEST(CholeskyFactorTest, AnInputThatIsAlwaysZeroIsIndependent) {
  int64_t k = 12, dead = 5;
  std::vector<double> h = productsOf(40, k);
  for (int64_t i = 0; i < k; ++i)
    h[i * k + dead] = h[dead * k + i] = 0;
  std::vector<float> u = inverseCholesky(h, k, 0.01);
  EXPECT_GT(u[dead * k + dead], 0);
  for (int64_t i = 0; i < k; ++i)
    if (i != dead)
      EXPECT_EQ(u[std::min(i, dead) * k + std::max(i, dead)], 0) << i;
  for (float value : inverseCholesky(std::vector<double>(16), 4, 0.01))
    EXPECT_TRUE(std::isfinite(value));
}
