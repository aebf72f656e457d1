//===- SamplesTest.cpp - Statistics of measured times ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Execution/Samples.h"
#include "kiln/Execution/PairedTimes.h"
#include "kiln/Execution/ReadTime.h"
#include <gtest/gtest.h>
#include <numeric>

using namespace kiln::execution;

namespace {
std::vector<double> oneTo(size_t count) {
  std::vector<double> times(count);
  std::iota(times.rbegin(), times.rend(), 1.0); // slowest first
  return times;
}

TEST(Samples, AreSorted) {
  Samples samples({3, 1, 2});
  EXPECT_EQ(samples.count(), 3u);
  EXPECT_EQ(samples.min(), 1);
  EXPECT_EQ(samples.max(), 3);
  EXPECT_EQ(samples.median(), 2);
  EXPECT_EQ(samples.mean(), 2);
}

TEST(Samples, PercentilesAreSamples) {
  Samples samples(oneTo(100));
  EXPECT_EQ(samples.percentile(0), 1);
  EXPECT_EQ(samples.percentile(1), 1);
  EXPECT_EQ(samples.percentile(1.5), 2);
  EXPECT_EQ(samples.percentile(50), 50);
  EXPECT_EQ(samples.percentile(99), 99);
  EXPECT_EQ(samples.percentile(100), 100);
  EXPECT_EQ(Samples({1, 2, 3, 4}).median(), 2) << "the lower one of an even number";
  EXPECT_EQ(Samples({7}).percentile(99), 7);
}

TEST(Samples, VariationLeavesTheSlowestHundredthOut) {
  EXPECT_EQ(Samples({2, 2, 2}).variation(), 0);
  // Mean 2, standard deviation 1.
  EXPECT_DOUBLE_EQ(Samples({1, 3, 1, 3}).variation(), 0.5);
  std::vector<double> times(200, 1.0);
  times[17] = times[99] = 1000; // two interruptions in 200
  EXPECT_EQ(Samples(times).variation(), 0);
  times[5] = 1000;
  EXPECT_GT(Samples(times).variation(), 1);
}

TEST(Samples, VariationOfNoTimeIsNone) { EXPECT_EQ(Samples({0, 0}).variation(), 0); }

PairedTimes pairsOf(std::initializer_list<double> seconds) {
  PairedTimes times;
  for (double second : seconds)
    times.add(1, second);
  return times;
}

TEST(PairedTimes, NothingMeasuredIsNoGain) {
  PairedTimes none;
  EXPECT_EQ(none.count(), 0u);
  EXPECT_EQ(none.medianRatio(), 1);
  EXPECT_EQ(none.medianFirst(), 0);
  EXPECT_EQ(none.medianSecond(), 0);
  EXPECT_FALSE(none.isSecondFaster(0));
}

TEST(PairedTimes, RatiosArePairwise) {
  PairedTimes times;
  // Clock changes affect both times of a pair.
  times.add(1, 0.5);
  times.add(10, 5);
  times.add(100, 50);
  EXPECT_EQ(times.count(), 3u);
  EXPECT_EQ(times.medianRatio(), 0.5);
  EXPECT_EQ(times.medianFirst(), 10);
  EXPECT_EQ(times.medianSecond(), 5);
}

TEST(PairedTimes, TimesOfNothingHaveNoRatio) {
  PairedTimes times;
  times.add(0, 1);
  times.add(2, 1);
  EXPECT_EQ(times.count(), 1u);
  EXPECT_EQ(times.medianRatio(), 0.5);
}

TEST(PairedTimes, AGainHasToBeLargerThanTheMargin) {
  EXPECT_TRUE(pairsOf({0.9, 0.9, 0.9, 0.9, 0.9}).isSecondFaster(0.05));
  EXPECT_FALSE(pairsOf({0.9, 0.9, 0.9, 0.9, 0.9}).isSecondFaster(0.1));
  EXPECT_FALSE(pairsOf({1, 1, 1, 1, 1}).isSecondFaster(0));
  EXPECT_FALSE(pairsOf({1.1, 1.1, 1.1}).isSecondFaster(0));
}

TEST(PairedTimes, FourPairsOfFiveHaveToBeFaster) {
  EXPECT_TRUE(pairsOf({0.5, 0.5, 0.5, 0.5, 1.5}).isSecondFaster(0.1));
  EXPECT_FALSE(pairsOf({0.5, 0.5, 0.5, 1.5, 1.5}).isSecondFaster(0.1));
  EXPECT_FALSE(pairsOf({0.5, 0.5, 0.5, 1, 1}).isSecondFaster(0.1)) << "equal is no gain";
}

TEST(ReadTime, LargerBuffersTakeLonger) {
  std::optional<double> small = measureReadTime(1 << 16, 1),
                        large = measureReadTime(1 << 24, 1);
  ASSERT_TRUE(small && large);
  EXPECT_GT(*small, 0);
  EXPECT_GT(*large, 16 * *small) << "256 times the bytes";
}

TEST(ReadTime, ThreadsShareTheBuffer) {
  std::optional<double> both = measureReadTime(1 << 20, 2);
  ASSERT_TRUE(both);
  EXPECT_GT(*both, 0);
  EXPECT_FALSE(measureReadTime(7, 1)) << "no word of eight bytes";
  EXPECT_FALSE(measureReadTime(8, 2)) << "none for the second thread";
}

TEST(ReadTime, MoreThanAllBandwidthIsAnotherProgram) {
  EXPECT_EQ(describeBandwidth(0.5), "reading as many bytes takes 50 % of that");
  EXPECT_EQ(describeBandwidth(1.1), "reading as many bytes takes 110 % of that");
  EXPECT_EQ(describeBandwidth(1.3),
            "other programs slow this machine down: bandwidth could not be measured");
}
} // namespace
