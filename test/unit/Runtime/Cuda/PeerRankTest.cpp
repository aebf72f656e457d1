//===- PeerRankTest.cpp - When ranks reduce in peer memory ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/abi.h"
#include "runtime/device/cuda/peer_backend.h"
#include <gtest/gtest.h>

using namespace kiln::rt;
using namespace kiln::rt::cuda;

namespace {
std::vector<PeerOffer> offers() {
  std::vector<PeerOffer> all(3);
  for (uint8_t rank = 0; rank < 3; ++rank) {
    all[rank].process = 17;
    all[rank].gpu[3] = rank;
  }
  return all;
}

TEST(PeerRanks, NeedOneProcessAndAGpuEach) {
  EXPECT_EQ(peerObstacle(offers()), "");
  std::vector<PeerOffer> apart = offers();
  apart[2].process = 18;
  EXPECT_EQ(peerObstacle(apart), "rank 2 is in another process than rank 0");
  std::vector<PeerOffer> shared = offers();
  shared[2].gpu[3] = 1;
  EXPECT_EQ(peerObstacle(shared), "rank 1 and rank 2 share one GPU");
}

TEST(PeerKernels, AreChosenBySize) {
  DeviceCode one, two;
  CollectiveKernels kernels;
  EXPECT_EQ(kernels.find(4, 2), nullptr);
  kernels.whole = &one;
  constexpr uint64_t limit = KILN_PEER_BLOCKS * KILN_PEER_STAGING_BYTES;
  EXPECT_EQ(kernels.find(0, 2), nullptr);
  EXPECT_EQ(kernels.find(4, 2), &one);
  EXPECT_EQ(kernels.find(limit, 2), &one);
  EXPECT_EQ(kernels.find(limit + 4, 2), nullptr);
  kernels.split = &two;
  EXPECT_EQ(kernels.find(limit, 2), &one);
  EXPECT_EQ(kernels.find(limit + 4, 2), &two);
  EXPECT_EQ(kernels.find(2 * limit, 2), &two);
  EXPECT_EQ(kernels.find(2 * limit + 4, 2), nullptr);
}
} // namespace
