//===- CompareTest.cpp ----------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Execution/Compare.h"
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

using namespace kiln::execution;

namespace {
double worst(kiln_dtype dtype, const std::vector<double> &found,
             const std::vector<double> &expected, std::vector<double> slack = {}) {
  slack.resize(found.size());
  return compareElements(
             dtype, found.size(), [&](uint64_t i) { return found[i]; },
             [&](uint64_t i) { return expected[i]; }, [&](uint64_t i) { return slack[i]; })
      .worst;
}

TEST(Compare, HalfAStepNextToZeroIsNoDistance) {
  // Numbers of f16 next to zero are 2^-24 apart: 0.4 steps are stored as none.
  double step = 0x1p-24;
  EXPECT_EQ(worst(KILN_DTYPE_F16, {0, step}, {0.4 * step, 1.3 * step}), 0);
  EXPECT_GT(worst(KILN_DTYPE_F16, {0, step}, {0.6 * step, step}), 0.1);
  EXPECT_GT(worst(KILN_DTYPE_F32, {0, step}, {0.4 * step, step}), 0.3);
  EXPECT_GT(worst(KILN_DTYPE_BF16, {0, step}, {0.4 * step, step}), 0.3);
  // Of numbers of order one it is nothing.
  EXPECT_NEAR(worst(KILN_DTYPE_F16, {1.5}, {1}), 0.5, 1e-6);
}

TEST(Compare, MasksAreNoSizeOfTheOthers) {
  double lowest = -3.4028234663852886e38;
  EXPECT_NEAR(worst(KILN_DTYPE_F32, {lowest, 1.5}, {lowest, 1}), 0.5, 1e-12);
  EXPECT_NEAR(worst(KILN_DTYPE_F16, {-65504, 1.5}, {-65504, 1}), 0.5, 1e-6);
}

TEST(Compare, AWholeModelIsComparedByItsRms) {
  auto rms = [](const std::vector<double> &found, const std::vector<double> &expected) {
    return relativeRms(
        KILN_DTYPE_F32, found.size(), [&](uint64_t i) { return found[i]; },
        [&](uint64_t i) { return expected[i]; });
  };
  EXPECT_NEAR(rms({3.5, 4}, {3, 4}), 0.1, 1e-12);
  EXPECT_EQ(rms({NAN, INFINITY}, {NAN, INFINITY}), 0);
  EXPECT_TRUE(std::isinf(rms({NAN, 1}, {1, 1})));
  EXPECT_EQ(rms({0.5}, {0}), 0.5);
}

TEST(Compare, SlackIsPerElement) {
  EXPECT_EQ(worst(KILN_DTYPE_F32, {1.5, 1}, {1, 1}, {0.5, 0}), 0);
  EXPECT_NEAR(worst(KILN_DTYPE_F32, {1.5, 1}, {1, 1}, {0, 0.5}), 0.5, 1e-12);
  EXPECT_NEAR(worst(KILN_DTYPE_F32, {2, 1}, {1, 1}, {0.5, 0}), 0.5, 1e-12);
  EXPECT_TRUE(std::isinf(worst(KILN_DTYPE_F32, {NAN}, {1}, {9})));
}
} // namespace
