//===- RangeEstimateTest.cpp - Histograms and activation ranges -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RangeEstimate.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace kiln;
using namespace kiln::quantization;

namespace {

using State = std::vector<double>;

State stateOf(const std::vector<float> &numbers, size_t parts) {
  State state(MagnitudeHistogram::kSize);
  llvm::ArrayRef<float> rest(numbers);
  for (size_t part = 0; part < parts; ++part) {
    size_t size = rest.size() / (parts - part);
    EXPECT_TRUE(MagnitudeHistogram(state).add(rest.take_front(size)));
    rest = rest.drop_front(size);
  }
  return state;
}

std::vector<float> laplace(size_t count, float outlier = 0) {
  std::mt19937 random(1);
  std::exponential_distribution<float> magnitudes(1);
  std::vector<float> numbers(count);
  for (auto [i, number] : llvm::enumerate(numbers))
    number = i % 2 ? magnitudes(random) : -magnitudes(random);
  if (outlier > 0)
    numbers[count / 2] = outlier;
  return numbers;
}

/// Compares with separately counted bins; order and partition of the values do not
/// matter.
TEST(MagnitudeHistogram, DoesNotDependOnTheOrder) {
  std::vector<float> numbers = laplace(20000, 1000);
  State state = stateOf(numbers, 1);
  MagnitudeHistogram whole(state);
  EXPECT_EQ(whole.max(), 1000);
  EXPECT_EQ(whole.width(), 0.25); // 1000 is in the upper half of the 4096 bins
  EXPECT_EQ(whole.count(), 20000u);
  std::vector<double> expected(MagnitudeHistogram::kBins);
  for (float number : numbers)
    ++expected[size_t(std::fabs(number) / 0.25)];
  EXPECT_EQ(whole.bins().vec(), expected);
  EXPECT_EQ(whole.usedBins().size(), 4001u);
  EXPECT_EQ(whole.countFrom(500), 1u);
  EXPECT_EQ(whole.countFrom(1001), 0u);
  std::mt19937 random(2);
  for (size_t parts : {2, 7, 1000, 20000}) {
    std::shuffle(numbers.begin(), numbers.end(), random);
    EXPECT_EQ(stateOf(numbers, parts), state) << parts;
  }
}

TEST(MagnitudeHistogram, HasTheSmallestAndTheLargestNumbers) {
  float most = std::numeric_limits<float>::max();
  float least = std::numeric_limits<float>::denorm_min();
  State state = stateOf({0, least, -least, 3 * least}, 4);
  EXPECT_EQ(MagnitudeHistogram(state).max(), 3 * double(least));
  EXPECT_EQ(MagnitudeHistogram(state).bins()[0], 1);
  EXPECT_EQ(MagnitudeHistogram(state).bins().back(), 0);
  ASSERT_TRUE(MagnitudeHistogram(state).add(-most));
  EXPECT_EQ(MagnitudeHistogram(state).bins()[0], 4);
  EXPECT_EQ(MagnitudeHistogram(state).bins().back(), 1);
  State zeros = stateOf({0, -0.0f}, 1), before = zeros;
  EXPECT_EQ(MagnitudeHistogram(zeros).max(), 0);
  for (float none : {std::nanf(""), INFINITY, -INFINITY}) {
    EXPECT_FALSE(MagnitudeHistogram(zeros).add({1, none}));
    EXPECT_EQ(zeros, before);
  }
}

ActivationRange estimate(const std::vector<float> &numbers, const char *method,
                         RangeCode code = RangeCode::Int8) {
  State state = stateOf(numbers, 3);
  return estimateRange(MagnitudeHistogram(state),
                       llvm::cantFail(RangeMethod::parse(method)), code);
}

TEST(RangeEstimate, MaxAndPercentiles) {
  std::vector<float> numbers;
  for (int i = 1; i <= 1000; ++i)
    numbers.push_back(i % 2 ? float(i) : -float(i));
  EXPECT_EQ(estimate(numbers, "max").limit, 1000);
  EXPECT_EQ(estimate(numbers, "max").saturated, 0u);
  // Upper edge of the bin of 990; bins are 0.25 wide.
  ActivationRange range = estimate(numbers, "percentile:99");
  EXPECT_EQ(range.limit, 990.25);
  EXPECT_EQ(range.saturated, 10u);
  EXPECT_EQ(range.values, 1000u);
  EXPECT_EQ(estimate(numbers, "percentile:100").limit, 1000);
  EXPECT_EQ(estimate(numbers, "percentile").limit, 1000); // 99.99 % of 1000 values are
                                                          // all of them
  for (const char *method : {"max", "percentile", "mse", "entropy"})
    EXPECT_EQ(estimate({0, 0, 0}, method).limit, 0) << method;
}

double squaredError(const std::vector<float> &numbers, double limit) {
  double scale = limit / 127, sum = 0;
  for (float x : numbers) {
    double code = std::clamp(std::nearbyint(x / scale), -127.0, 127.0);
    sum += (x - code * scale) * (x - code * scale);
  }
  return sum;
}

/// Compares with the error computed from the values themselves, with limits on another
/// grid.
TEST(RangeEstimate, MseHasTheSmallestError) {
  for (float outlier : {0.0f, 30.0f, 200.0f}) {
    std::vector<float> numbers = laplace(100000, outlier);
    double limit = estimate(numbers, "mse").limit, max = estimate(numbers, "max").limit;
    double best = squaredError(numbers, limit);
    for (int i = 20; i <= 300; ++i)
      EXPECT_GE(squaredError(numbers, max * i / 300), 0.98 * best) << outlier << ' ' << i;
  }
}

/// Rare outliers are clipped, as resolution is worth more elsewhere.
TEST(RangeEstimate, LeavesOutliersOut) {
  std::vector<float> even = laplace(100000), outside = laplace(100000, 100);
  // Minimizes the sum of rounding error n T^2 / (12 127^2) and clipping error (100 -
  // T)^2.
  EXPECT_NEAR(estimate(outside, "mse").limit, 100 / (1 + 1e5 / (12 * 127 * 127)), 1);
  for (const char *method : {"entropy", "percentile:99.99"}) {
    EXPECT_LT(estimate(outside, method).limit, 50) << method;
    EXPECT_GE(estimate(outside, method).saturated, 1u) << method;
    EXPECT_GT(estimate(outside, method).limit, 4) << method;
  }
  // E4M3 has the same relative error everywhere: clipping gains nothing.
  EXPECT_EQ(estimate(outside, "mse", RangeCode::Float8).limit, 100);
  EXPECT_GT(estimate(even, "mse", RangeCode::Float8).limit, 8);
}

TEST(RangeEstimate, NamesOfMethods) {
  EXPECT_EQ(llvm::cantFail(RangeMethod::parse("percentile")).percentile, 99.99);
  EXPECT_EQ(llvm::cantFail(RangeMethod::parse("percentile:99.5")).percentile, 99.5);
  for (const char *wrong : {"", "maximum", "percentile:", "percentile:101", "max:5",
                            "percentile:x", "percentile:49", "mse:1"}) {
    llvm::Expected<RangeMethod> method = RangeMethod::parse(wrong);
    EXPECT_FALSE(bool(method)) << wrong;
    llvm::consumeError(method.takeError());
  }
}

TEST(MagnitudeHistogram, IsEmptyAtFirst) {
  State state(MagnitudeHistogram::kSize);
  MagnitudeHistogram histogram(state);
  EXPECT_EQ(histogram.max(), 0);
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.width(), 1);
  EXPECT_EQ(histogram.usedBins().size(), 1u);
  ASSERT_TRUE(histogram.add({}));
  EXPECT_EQ(histogram.count(), 0u);
}

TEST(MagnitudeHistogram, TheLargestNumberIsInTheUpperHalf) {
  for (float max : {1.0f, 1.5f, 1.9999999f, 2.0f, 3e-30f, 1e30f, 65504.0f}) {
    State state = stateOf({max}, 1);
    MagnitudeHistogram histogram(state);
    double bin = max / histogram.width();
    EXPECT_GE(bin, MagnitudeHistogram::kBins / 2) << max;
    EXPECT_LT(bin, MagnitudeHistogram::kBins) << max;
    EXPECT_EQ(histogram.bins()[size_t(bin)], 1) << max;
    int exponent = 0;
    EXPECT_EQ(std::frexp(histogram.width(), &exponent), 0.5) << "a power of two";
  }
}

TEST(MagnitudeHistogram, LargerNumbersMergeBins) {
  State state = stateOf({1, 0.5, 0.25}, 1);
  MagnitudeHistogram histogram(state);
  EXPECT_EQ(histogram.width(), 2.0 / 4096);
  ASSERT_TRUE(histogram.add(8.0f));
  EXPECT_EQ(histogram.width(), 16.0 / 4096);
  EXPECT_EQ(histogram.count(), 4u);
  for (double value : {1.0, 0.5, 0.25, 8.0})
    EXPECT_EQ(histogram.bins()[size_t(value / histogram.width())], 1) << value;
  ASSERT_TRUE(histogram.add(4e9f));
  EXPECT_EQ(histogram.bins()[0], 4) << "all others";
}

TEST(MagnitudeHistogram, EqualMagnitudesShareABin) {
  State state = stateOf({-3, 3, 3, -3}, 2);
  MagnitudeHistogram histogram(state);
  EXPECT_EQ(histogram.usedBins().back(), 4);
  EXPECT_EQ(histogram.countFrom(3), 4u);
  EXPECT_EQ(histogram.countFrom(3 + histogram.width()), 0u);
  EXPECT_EQ(histogram.countFrom(0), 4u);
}

/// A value that is not finite makes add() fail without adding any value.
TEST(MagnitudeHistogram, NumbersAreAddedAllOrNone) {
  State state = stateOf({1, 2}, 1), before = state;
  EXPECT_FALSE(MagnitudeHistogram(state).add({100, NAN, 5}));
  EXPECT_EQ(state, before);
}

/// If every value is represented exactly, clipping gains nothing.
TEST(RangeEstimate, EvenDistributionsAreCoveredWhole) {
  std::vector<float> numbers;
  for (int i = 0; i <= 127; ++i)
    numbers.insert(numbers.end(), 100, float(i));
  for (const char *method : {"mse", "entropy", "percentile:100", "max"}) {
    EXPECT_EQ(estimate(numbers, method).limit, 127) << method;
    EXPECT_EQ(estimate(numbers, method).saturated, 0u) << method;
  }
}

TEST(RangeEstimate, OneNumberIsItsOwnLimit) {
  for (const char *method : {"max", "percentile", "mse", "entropy"})
    for (float number : {1.0f, -1e-20f, 1e20f})
      EXPECT_EQ(estimate({number}, method).limit, std::fabs(number))
          << method << ' ' << number;
}

/// Scaling the values scales the limit, as bin widths are powers of two.
TEST(RangeEstimate, LimitsScaleWithTheNumbers) {
  std::vector<float> numbers = laplace(20000, 40), small = numbers;
  for (float &number : small)
    number /= 1024;
  for (const char *method : {"max", "percentile:99.9", "mse", "entropy"})
    EXPECT_EQ(estimate(small, method).limit, estimate(numbers, method).limit / 1024)
        << method;
}

TEST(RangeEstimate, HigherPercentilesCoverMore) {
  std::vector<float> numbers = laplace(50000);
  double before = 0;
  uint64_t saturated = 50001;
  for (const char *method : {"percentile:50", "percentile:90", "percentile:99",
                             "percentile:99.9", "percentile:100"}) {
    ActivationRange range = estimate(numbers, method);
    EXPECT_GT(range.limit, before) << method;
    EXPECT_LT(range.saturated, saturated) << method;
    before = range.limit;
    saturated = range.saturated;
  }
  // The median of an exponential distribution is ln 2.
  EXPECT_NEAR(estimate(numbers, "percentile:50").limit, std::log(2.0), 0.02);
}

TEST(RangeEstimate, LargestCodes) {
  EXPECT_EQ(largestCode(RangeCode::Int8), 127);
  EXPECT_EQ(largestCode(RangeCode::Float8), 448);
}

} // namespace
