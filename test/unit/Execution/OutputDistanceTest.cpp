//===- OutputDistanceTest.cpp - Distance of outputs -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Execution/OutputDistance.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace kiln::execution;

namespace {
TEST(OutputRowsTest, AreSlicesOfTheLastAxis) {
  OutputRows rows{"y", 3, {1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(rows.count(), 2u);
  EXPECT_EQ(rows.row(1), llvm::ArrayRef<float>({4, 5, 6}));
  EXPECT_EQ((OutputRows{"y", 0, {}}.count()), 0u);
  EXPECT_EQ((OutputRows{"y", 4, {}}.count()), 0u);
}

TEST(OutputDistanceTest, CosineIsExactWhereRowsAreEqual) {
  std::vector<float> row{0.1f, -3, 7e-3f}, zeros(3);
  EXPECT_EQ(cosineLoss(row, row), 0);
  EXPECT_EQ(cosineLoss(zeros, zeros), 0);
  EXPECT_EQ(cosineLoss(row, zeros), 1);
  EXPECT_NEAR(cosineLoss({1, 0}, {1, 1}), 1 - std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(cosineLoss({1, 0}, {-2, 0}), 2, 1e-12);
  EXPECT_NEAR(cosineLoss({1, 0}, {1, 1e-6f}), 5e-13, 1e-16);
}

TEST(OutputDistanceTest, CosineDoesNotSeeLengths) {
  EXPECT_NEAR(cosineLoss({1, 2, 3}, {10, 20, 30}), 0, 1e-15);
  // The squares of these overflow or underflow f32.
  EXPECT_NEAR(cosineLoss({1e30f, 1e30f}, {1e-30f, 1e-30f}), 0, 1e-12);
  EXPECT_NEAR(cosineLoss({1e30f, 0}, {0, 1e-30f}), 1, 1e-12);
}

TEST(OutputDistanceTest, LogSumOfLogitsDoesNotOverflow) {
  EXPECT_NEAR(logSum({0, 0}), std::log(2.0), 1e-12);
  EXPECT_NEAR(logSum({1000, 1000}), 1000 + std::log(2.0), 1e-9);
  EXPECT_NEAR(logSum({-1000, -1000}), -1000 + std::log(2.0), 1e-9);
  EXPECT_NEAR(logSum({5, -std::numeric_limits<float>::infinity()}), 5, 1e-12);
  EXPECT_EQ(logSum({3}), 3);
}

TEST(OutputDistanceTest, DivergenceOfDistributions) {
  std::vector<float> logits{1, 2, 3};
  EXPECT_EQ(klDivergence(logits, logits), 0);
  // Softmax is invariant under adding a constant.
  EXPECT_NEAR(klDivergence(logits, {101, 102, 103}), 0, 1e-12);
  // 1/2 ln(1/2 / 1/4) + 1/2 ln(1/2 / 3/4)
  EXPECT_NEAR(klDivergence({0, 0}, {0, std::log(3.0f)}),
              0.5 * std::log(2) + 0.5 * std::log(2.0 / 3), 1e-7);
}

TEST(OutputDistanceTest, DivergenceIsNoDistance) {
  std::vector<float> even{0, 0, 0}, sharp{8, 0, 0};
  EXPECT_GT(klDivergence(even, sharp), 2 * klDivergence(sharp, even));
  EXPECT_GT(klDivergence(sharp, even), 0);
}

TEST(OutputDistanceTest, MeansAndMaxima) {
  OutputRows expected{"y", 2, {1, 0, 0, 1}}, found{"y", 2, {1, 0, 1, 0}};
  OutputDistance cosine(AccuracyMetric::Cosine), max(AccuracyMetric::MaxError);
  cosine.add(expected, found);
  EXPECT_DOUBLE_EQ(cosine.value(), 0.5);
  cosine.add(expected, expected);
  EXPECT_DOUBLE_EQ(cosine.value(), 0.25);
  max.add(expected, {"y", 2, {1.5, 0, 0, 1}});
  EXPECT_DOUBLE_EQ(max.value(), 0.5);
  max.add(expected, expected);
  EXPECT_DOUBLE_EQ(max.value(), 0.5);
}

/// Each row has equal weight, so an output with more rows counts more.
TEST(OutputDistanceTest, EveryRowCountsOnce) {
  OutputDistance distance(AccuracyMetric::Cosine);
  distance.add({"a", 1, {1, 1, 1}}, {"a", 1, {1, 1, 1}});
  distance.add({"b", 2, {1, 0}}, {"b", 2, {0, 1}});
  EXPECT_DOUBLE_EQ(distance.value(), 0.25);
}

TEST(OutputDistanceTest, ErrorsAreRelativeToTheOutput) {
  OutputDistance distance(AccuracyMetric::MaxError);
  // The root mean square is 10, so an error of 1 next to zero is 0.1.
  distance.add({"y", 2, {0, 10 * std::sqrt(2.0f)}}, {"y", 2, {1, 10 * std::sqrt(2.0f)}});
  EXPECT_NEAR(distance.value(), 0.1, 1e-6);
}

TEST(OutputDistanceTest, NothingComparedIsNoLoss) {
  for (AccuracyMetric metric :
       {AccuracyMetric::Cosine, AccuracyMetric::KLDivergence, AccuracyMetric::MaxError}) {
    EXPECT_EQ(OutputDistance(metric).value(), 0);
    OutputDistance empty(metric);
    empty.add({"y", 4, {}}, {"y", 4, {}});
    EXPECT_EQ(empty.value(), 0);
  }
}
} // namespace
