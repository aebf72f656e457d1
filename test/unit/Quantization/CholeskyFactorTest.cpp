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

/// Expects that U^T U times the damped Hessian is the identity.
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

/// H = diag(4, 1): U = diag(1/2, 1) without damping.
TEST(CholeskyFactorTest, DiagonalsAreInvertedRoots) {
  EXPECT_EQ(inverseCholesky({4, 0, 0, 1}, 2, 0), (std::vector<float>{0.5, 0, 0, 1}));
}

/// H = [[2, 1], [1, 2]] has the inverse [[2, -1], [-1, 2]] / 3, whose upper factor is
/// [[sqrt(2/3), -sqrt(1/6)], [0, sqrt(1/2)]].
TEST(CholeskyFactorTest, AKnownFactor) {
  std::vector<float> u = inverseCholesky({2, 1, 1, 2}, 2, 0);
  EXPECT_NEAR(u[0], std::sqrt(2.0 / 3), 1e-6);
  EXPECT_NEAR(u[1], -std::sqrt(1.0 / 6), 1e-6);
  EXPECT_EQ(u[2], 0);
  EXPECT_NEAR(u[3], std::sqrt(0.5), 1e-6);
}

TEST(CholeskyFactorTest, DampingIsAPartOfTheMeanDiagonal) {
  // diag(1, 3) has a mean of 2: damping 0.5 adds 1.
  std::vector<float> u = inverseCholesky({1, 0, 0, 3}, 2, 0.5);
  EXPECT_NEAR(u[0], std::sqrt(1 / 2.0), 1e-6);
  EXPECT_NEAR(u[3], std::sqrt(1 / 4.0), 1e-6);
}

/// Callers detect a matrix that is not positive definite by NaN or infinity in the
/// factor.
TEST(CholeskyFactorTest, MatricesThatAreNotPositiveHaveNoFactor) {
  for (std::vector<double> h : {std::vector<double>{1, 2, 2, 1},
                                {-1, 0, 0, 1},
                                {1, 0, 0, -2},
                                {NAN, 0, 0, 1},
                                {1, NAN, NAN, 1}}) {
    bool isFinite = true;
    for (float value : inverseCholesky(h, 2, 0))
      isFinite &= std::isfinite(value);
    EXPECT_FALSE(isFinite) << h[0] << ' ' << h[1] << ' ' << h[3];
  }
}

TEST(CholeskyFactorTest, TheSameHessianGivesTheSameBits) {
  std::vector<double> h = productsOf(100, 33);
  EXPECT_EQ(inverseCholesky(h, 33, 0.01), inverseCholesky(h, 33, 0.01));
}

/// Scaling the samples scales the factor.
TEST(CholeskyFactorTest, ScalesAreKept) {
  std::vector<double> h = productsOf(60, 17), large = h;
  for (double &value : large)
    value *= 4;
  std::vector<float> u = inverseCholesky(h, 17, 0.01),
                     v = inverseCholesky(large, 17, 0.01);
  for (size_t i = 0; i < u.size(); ++i)
    EXPECT_NEAR(v[i], u[i] / 2, 1e-6 * std::fabs(u[i]) + 1e-9);
}

TEST(CholeskyFactorTest, ManyMagnitudesAtOnce) {
  int64_t k = 16;
  std::vector<double> h = productsOf(80, k);
  for (int64_t i = 0; i < k; ++i)
    for (int64_t j = 0; j < k; ++j)
      h[i * k + j] *= std::ldexp(1, int(i + j)); // 2^0 to 2^30
  for (float value : inverseCholesky(h, k, 0.01))
    EXPECT_TRUE(std::isfinite(value));
}
