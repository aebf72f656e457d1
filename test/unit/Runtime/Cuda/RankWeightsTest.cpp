//===- RankWeightsTest.cpp - Weights that a rank copies to its GPU --------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include "runtime/device/cuda/rank_weights.h"
#include "runtime/model/model.h"
#include <gtest/gtest.h>

using namespace kiln::test;
using namespace kiln::rt;

namespace {
/// Returns the parts of a package's weights that a rank gets, as offsets and sizes.
std::vector<std::pair<uint64_t, uint64_t>> given(const kiln::package::PackageContents &of,
                                                 uint32_t rank, uint64_t &bytes) {
  TempFolder folder;
  writeModel(folder / "m.kiln", of);
  ModelPtr model = loadModel(folder / "m.kiln");
  cuda::RankWeights weights;
  EXPECT_TRUE(weights.find(*model, rank).ok());
  bytes = weights.bytes();
  std::vector<std::pair<uint64_t, uint64_t>> result;
  for (const auto &range : weights.ranges()) {
    EXPECT_LE(range.to + range.size, bytes);
    EXPECT_EQ(range.to % 64, range.from % 64);
    result.emplace_back(range.from, range.size);
  }
  return result;
}

using Ranges = std::vector<std::pair<uint64_t, uint64_t>>;

TEST(RankWeights, ARankHasItsPart) {
  uint64_t bytes = 0;
  for (uint32_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(given(ranksModel(3), rank, bytes), (Ranges{{rank * 64, 8}}));
    EXPECT_EQ(bytes, 8u);
  }
}

TEST(RankWeights, ARankHasTheWeightsOfItsStage) {
  uint64_t bytes = 0;
  EXPECT_EQ(given(stagesModel(), 0, bytes), (Ranges{{0, 8}}));
  EXPECT_EQ(bytes, 8u);
  EXPECT_EQ(given(stagesModel(), 1, bytes), Ranges());
  EXPECT_EQ(bytes, 0u);
}

TEST(RankWeights, OneRankHasAll) {
  uint64_t bytes = 0;
  Ranges all = given(scaleModel(), 0, bytes);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0], std::pair(uint64_t(0), bytes));
  EXPECT_GT(bytes, 0u);
}
} // namespace
