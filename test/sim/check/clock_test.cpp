//===- clock_test.cpp - Levels of vector clocks ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/check/view.h"

#include <gtest/gtest.h>

using namespace kiln::sim::check;

namespace {
Piece piece(uint32_t block, uint32_t warp, Epoch all) {
  Piece p{block, warp, {}};
  p.lanes.fill(all);
  return p;
}

TEST(Clock, WarpsOfABlockBecomeOneNumber) {
  Gathered gathered;
  gathered.add(piece(7, 0, 5));
  gathered.add(piece(7, 1, 5));
  const ClockPtr &clock = gathered.get(2);
  ASSERT_EQ(clock->blocks.size(), 1u);
  EXPECT_EQ(clock->blocks[0]->all, 5u);
  EXPECT_TRUE(clock->blocks[0]->warps.empty());
}

TEST(Clock, AheadWarpsAndLanesStay) {
  Gathered gathered;
  gathered.add(piece(7, 0, 5));
  Piece ahead = piece(7, 1, 6);
  ahead.lanes[3] = 9;
  gathered.add(ahead);
  const ClockPtr &clock = gathered.get(2);
  EXPECT_EQ(clock->of(7, 0, 3), 5u);
  EXPECT_EQ(clock->of(7, 1, 2), 6u);
  EXPECT_EQ(clock->of(7, 1, 3), 9u);
  EXPECT_EQ(clock->of(8, 1, 3), 0u);
}

TEST(Clock, ABlockSaysNothingOfItsAgents) {
  Gathered gathered;
  gathered.add(piece(1, 0, 5));
  Piece work{1, FirstAgent, {}};
  work.lanes[2] = 4;
  gathered.add(work);
  const ClockPtr &clock = gathered.get(1);
  EXPECT_EQ(clock->blocks[0]->all, 5u);
  EXPECT_EQ(clock->of(1, FirstAgent, 2), 4u);
  EXPECT_EQ(clock->of(1, FirstAgent, 1), 0u);
  EXPECT_EQ(clock->of(1, FirstAgent + 1, 2), 0u);
}

TEST(Clock, JoinGivesBackTheOneThatCovers) {
  Gathered a, b;
  a.add(piece(1, 0, 5));
  b.add(piece(1, 0, 4));
  ClockPtr big = a.get(1), small = b.get(1);
  EXPECT_EQ(join(big, small), big);
  EXPECT_EQ(join(small, big), big);
  EXPECT_EQ(join(nullptr, small), small);
  EXPECT_EQ(join(small, nullptr), small);
}

TEST(Clock, LanesThatDoNotExistHoldNothingBack) {
  Piece partial = piece(1, 0, 5);
  for (unsigned lane = 8; lane < Lanes; ++lane)
    partial.lanes[lane] = Forever;
  Gathered gathered;
  gathered.add(partial);
  EXPECT_EQ(gathered.get(1)->blocks[0]->all, 5u);
}

TEST(WarpClock, LanesThatLearnTheSameAreOneGroup) {
  Epoch top = 1;
  WarpClock clock(0, 0, ~0u, 1, &top);
  Gathered other;
  other.add(piece(3, 0, 4));
  Knowledge knowledge;
  knowledge.parts[Current] = other;
  clock.acquire(0xff, knowledge);
  EXPECT_EQ(clock.groups().size(), 2u);
  EXPECT_EQ(clock.groupOf(3).lanes, 0xffu);
  clock.acquire(~0xffu, knowledge);
  EXPECT_EQ(clock.groups().size(), 1u);
}

TEST(WarpClock, AMeetingOfAWarpNeedsNoClock) {
  Epoch top = 1;
  WarpClock clock(0, 0, ~0u, 1, &top);
  Epoch before = clock.tick();
  EXPECT_FALSE(clock.groups()[0].current().knows(0, 0, 5, {0, 0, 6, before}));
  clock.meet(~0u);
  EXPECT_TRUE(clock.groups()[0].current().knows(0, 0, 5, {0, 0, 6, before}));
  EXPECT_FALSE(clock.groups()[0].current().knows(0, 0, 5, {0, 0, 6, clock.tick()}));
  EXPECT_EQ(clock.groups()[0].current().base, nullptr);
}
} // namespace
