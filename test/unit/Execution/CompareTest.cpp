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
             [&](uint64_t i) { return expected[i]; },
             [&](uint64_t i) { return slack[i]; })
      .worst;
}

TEST(Compare, HalfAStepNextToZeroIsNoDistance) {
  // f16 values next to zero are 2^-24 apart: 0.4 steps are stored as 0.
  double step = 0x1p-24;
  EXPECT_EQ(worst(KILN_DTYPE_F16, {0, step}, {0.4 * step, 1.3 * step}), 0);
  EXPECT_GT(worst(KILN_DTYPE_F16, {0, step}, {0.6 * step, step}), 0.1);
  EXPECT_GT(worst(KILN_DTYPE_F32, {0, step}, {0.4 * step, step}), 0.3);
  EXPECT_GT(worst(KILN_DTYPE_BF16, {0, step}, {0.4 * step, step}), 0.3);
  // Next to values of order one such a step does not matter.
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
TEST(Compare, FindsTheWorstElement) {
  std::vector<double> found = {1, 2, 3.5, 4, -4.25}, expected = {1, 2, 3, 4, -4};
  Distance distance = compareElements(
      KILN_DTYPE_F32, found.size(), [&](uint64_t i) { return found[i]; },
      [&](uint64_t i) { return expected[i]; });
  EXPECT_EQ(distance.worstIndex, 2u);
  EXPECT_EQ(distance.found, 3.5);
  EXPECT_EQ(distance.expected, 3);
  EXPECT_NEAR(distance.worst, 0.5 / std::sqrt(46 / 5.0), 1e-12);
}

TEST(Compare, LargeElementsAreComparedWithThemselves) {
  EXPECT_NEAR(worst(KILN_DTYPE_F32, {110, 1}, {100, 1}), 0.1, 1e-12);
}

TEST(Compare, EqualInfinitiesAgree) {
  EXPECT_EQ(worst(KILN_DTYPE_F32, {INFINITY, -INFINITY, NAN}, {INFINITY, -INFINITY, NAN}),
            0);
  EXPECT_TRUE(std::isinf(worst(KILN_DTYPE_F32, {INFINITY}, {-INFINITY})));
  EXPECT_TRUE(std::isinf(worst(KILN_DTYPE_F32, {1}, {INFINITY})));
  EXPECT_TRUE(std::isinf(worst(KILN_DTYPE_F32, {INFINITY}, {1})));
  EXPECT_TRUE(std::isinf(worst(KILN_DTYPE_F32, {NAN}, {INFINITY})));
}

TEST(Compare, InfinitiesAreNoSizeOfTheOthers) {
  EXPECT_NEAR(worst(KILN_DTYPE_F32, {INFINITY, 1.5}, {INFINITY, 1}), 0.5, 1e-12);
  EXPECT_NEAR(worst(KILN_DTYPE_F32, {NAN, 1.5}, {NAN, 1}), 0.5, 1e-12);
}

TEST(Compare, IntegersAreExact) {
  EXPECT_EQ(worst(KILN_DTYPE_I64, {1, -5, 0}, {1, -5, 0}), 0);
  EXPECT_GT(worst(KILN_DTYPE_I64, {1, -5, 1}, {1, -5, 0}), 0);
  EXPECT_GT(worst(KILN_DTYPE_I8, {1}, {0}), 0) << "all expected ones are 0";
}

TEST(Compare, NothingIsEqualToNothing) {
  EXPECT_EQ(worst(KILN_DTYPE_F32, {}, {}), 0);
  EXPECT_EQ(worst(KILN_DTYPE_F32, {0, -0.0}, {-0.0, 0}), 0);
}

TEST(Compare, TolerancesOfTypes) {
  EXPECT_EQ(defaultTolerance(KILN_DTYPE_F32), 1e-4);
  EXPECT_EQ(defaultTolerance(KILN_DTYPE_F16), 5e-3);
  EXPECT_EQ(defaultTolerance(KILN_DTYPE_BF16), 4e-2);
  EXPECT_EQ(defaultTolerance(KILN_DTYPE_F64), 1e-10);
  for (kiln_dtype dtype : {KILN_DTYPE_I64, KILN_DTYPE_BOOL, KILN_DTYPE_U8})
    EXPECT_EQ(defaultTolerance(dtype), 0);
}

TEST(Compare, TolerancesOfModelsAreThoseOfTheirProducts) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(defaultTolerance(KILN_DTYPE_F32, Names{}), 1e-4);
  EXPECT_EQ(defaultTolerance(KILN_DTYPE_F32, Names{"f32"}), 1e-4);
  EXPECT_EQ(defaultTolerance(KILN_DTYPE_F32, Names{"f32", "tf32"}), 1e-2);
  EXPECT_EQ(defaultTolerance(KILN_DTYPE_F32, Names{"bf16", "f16"}), 1e-1);
  EXPECT_EQ(defaultTolerance(KILN_DTYPE_F32, Names{"int4", "f32"}), 5e-1);
  for (const char *name : {"fp8", "mxfp8", "mxfp6"})
    EXPECT_EQ(defaultTolerance(KILN_DTYPE_F32, Names{name}), 2e-1) << name;
  EXPECT_EQ(defaultTolerance(KILN_DTYPE_F32, Names{"mxfp6_e3m2"}), 5e-1);
  EXPECT_EQ(defaultTolerance(KILN_DTYPE_BF16, Names{"f16"}), 4e-2) << "the larger one";
  // Integers that are computed from floats have no tolerance of their own.
  EXPECT_EQ(defaultTolerance(KILN_DTYPE_I64, Names{"int4"}), 0);
}
} // namespace
