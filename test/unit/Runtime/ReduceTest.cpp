//===- ReduceTest.cpp - Reductions over ranks -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/reduce.h"
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

using namespace kiln::rt;

template <typename T>
static std::vector<T> combined(kiln_dtype dtype, Reduction reduction,
                               const std::vector<std::vector<T>> &ranks) {
  std::vector<const void *> from;
  for (const auto &own : ranks)
    from.push_back(own.data());
  std::vector<T> to(ranks[0].size());
  findCombine(dtype, reduction)(to.data(), 0, from.data(),
                                static_cast<uint32_t>(ranks.size()), 0,
                                static_cast<int64_t>(to.size()));
  return to;
}

TEST(Reduce, Floats) {
  std::vector<std::vector<float>> x = {{1, 2, -3}, {10, 20, -30}, {100, 200, NAN}};
  EXPECT_EQ(combined(KILN_DTYPE_F32, Reduction::Sum, x)[1], 222);
  EXPECT_EQ(combined(KILN_DTYPE_F32, Reduction::Mean, x)[0], 37);
  EXPECT_EQ(combined(KILN_DTYPE_F32, Reduction::Max, x)[1], 200);
  EXPECT_EQ(combined(KILN_DTYPE_F32, Reduction::Min, x)[0], 1);
  EXPECT_EQ(combined(KILN_DTYPE_F32, Reduction::Prod, x)[0], 1000);
  for (Reduction each : {Reduction::Sum, Reduction::Max, Reduction::Min})
    EXPECT_TRUE(std::isnan(combined(KILN_DTYPE_F32, each, x)[2]));
}

TEST(Reduce, InTheOrderOfTheRanks) {
  std::vector<std::vector<float>> x = {{1e30f}, {-1e30f}, {1}};
  EXPECT_EQ(combined(KILN_DTYPE_F32, Reduction::Sum, x)[0], 1);
}

TEST(Reduce, IntegersWrap) {
  EXPECT_EQ(combined<int8_t>(KILN_DTYPE_I8, Reduction::Sum, {{100}, {100}})[0], -56);
  EXPECT_EQ(combined<int32_t>(KILN_DTYPE_I32, Reduction::Prod, {{INT32_MIN}, {-1}})[0],
            INT32_MIN);
  EXPECT_EQ(combined<uint16_t>(KILN_DTYPE_U16, Reduction::Max, {{65535}, {1}})[0], 65535);
}

TEST(Reduce, HasNoArithmeticForOthers) {
  EXPECT_EQ(findCombine(KILN_DTYPE_BOOL, Reduction::Sum), nullptr);
  EXPECT_EQ(findCombine(KILN_DTYPE_F8E4M3FN, Reduction::Sum), nullptr);
  EXPECT_EQ(findCombine(KILN_DTYPE_I32, Reduction::Mean), nullptr);
}

/// Every 16-bit value is unchanged on one rank, and sums round once, to nearest even.
TEST(Reduce, Halves) {
  std::vector<uint16_t> all(65536);
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<uint16_t>(i);
  for (kiln_dtype dtype : {KILN_DTYPE_F16, KILN_DTYPE_BF16}) {
    std::vector<uint16_t> same =
        combined(dtype, Reduction::Sum, std::vector<std::vector<uint16_t>>{all});
    unsigned infinity = dtype == KILN_DTYPE_F16 ? 0x7c00 : 0x7f80;
    for (size_t i = 0; i < all.size(); ++i)
      if ((i & 0x7fff) <= infinity)
        ASSERT_EQ(same[i], i) << kiln_dtype_name(dtype);
      else
        ASSERT_GT(same[i] & 0x7fffu, infinity) << i;
  }
  // 1 + 2^-11 is halfway between two f16 values, and so is 1 + 3 * 2^-11.
  using Halves = std::vector<std::vector<uint16_t>>;
  Halves ties = {{0x3c00, 0x3c01}, {0x1000, 0x1000}};
  EXPECT_EQ(combined(KILN_DTYPE_F16, Reduction::Sum, ties),
            (std::vector<uint16_t>{0x3c00, 0x3c02}));
  Halves large = {{0x7bff}, {0x7bff}};
  EXPECT_EQ(combined(KILN_DTYPE_F16, Reduction::Sum, large)[0], 0x7c00);
  Halves tiny = {{0x0001}, {0x0001}};
  EXPECT_EQ(combined(KILN_DTYPE_F16, Reduction::Sum, tiny)[0], 0x0002);
  Halves brains = {{0x3f80, 0x3f81}, {0x3b80, 0x3b80}}; // bf16: 1 and 2^-8
  EXPECT_EQ(combined(KILN_DTYPE_BF16, Reduction::Sum, brains),
            (std::vector<uint16_t>{0x3f80, 0x3f82}));
}
