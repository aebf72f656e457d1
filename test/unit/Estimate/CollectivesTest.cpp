//===- CollectivesTest.cpp - Costs and rounds of collectives --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Estimate/Collectives.h"
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace kiln::estimate;

static Topology nodesOf(int64_t devices, int64_t nodes, bool reachesAll) {
  Topology topology;
  topology.devicesPerNode = topology.adapters = devices;
  topology.nodes = nodes;
  topology.node = {"near", 100e9, 1e-6, reachesAll};
  topology.network = {"far", 10e9, 10e-6, false};
  return topology;
}

static Group firstRanks(int64_t count) {
  Group group;
  for (int64_t i = 0; i < count; ++i)
    group.ranks.push_back(i);
  return group;
}

TEST(Collectives, ClosedFormsOfANode) {
  Topology topology = nodesOf(4, 1, true);
  Group group = firstRanks(4);
  auto seconds = [&](Algorithm algorithm) {
    return secondsOf(CollectiveKind::AllReduce, algorithm, 4e6, group, topology);
  };
  EXPECT_DOUBLE_EQ(seconds(Algorithm::Ring), 6 * (1e-6 + 1e6 / 100e9));
  EXPECT_DOUBLE_EQ(seconds(Algorithm::Tree), 4 * (1e-6 + 4e6 / 100e9));
  EXPECT_DOUBLE_EQ(seconds(Algorithm::OneShot), 1e-6 + 3 * 4e6 / 100e9);
  EXPECT_DOUBLE_EQ(seconds(Algorithm::TwoShot), 2 * (1e-6 + 3 * 1e6 / 100e9));
}

TEST(Collectives, SmallTensorsTakeOneShotLargeOnesTwo) {
  Topology topology = nodesOf(8, 1, true);
  Group group = firstRanks(8);
  auto best = [&](double bytes) {
    return cheapest(CollectiveKind::AllReduce, bytes, group, topology).algorithm;
  };
  EXPECT_EQ(best(1e3), Algorithm::OneShot);
  EXPECT_EQ(best(1e8), Algorithm::TwoShot);
}

TEST(Collectives, WithoutASwitchSmallTensorsTakeTheTree) {
  Topology topology = nodesOf(8, 1, false);
  Group group = firstRanks(8);
  auto best = [&](double bytes) {
    return cheapest(CollectiveKind::AllReduce, bytes, group, topology).algorithm;
  };
  EXPECT_EQ(best(1e3), Algorithm::Tree);
  EXPECT_EQ(best(1e8), Algorithm::Ring);
}

TEST(Collectives, AcrossNodesLargeTensorsTakeTheHierarchy) {
  Topology topology = nodesOf(8, 4, true);
  CollectiveTime best =
      cheapest(CollectiveKind::AllReduce, 1e7, firstRanks(32), topology);
  EXPECT_EQ(best.algorithm, Algorithm::Hierarchical);
}

TEST(Collectives, OneRankTakesNoTime) {
  CollectiveTime best =
      cheapest(CollectiveKind::AllReduce, 1e9, firstRanks(1), nodesOf(8, 1, true));
  EXPECT_EQ(best.algorithm, Algorithm::None);
  EXPECT_EQ(best.seconds, 0);
}

/// All-to-all: three chunks of a quarter each, all at once through a switch or pairwise.
/// Between two nodes, each round sends as many chunks across as ranks have their partner
/// there.
TEST(Collectives, ClosedFormsOfAnExchange) {
  auto seconds = [&](Algorithm algorithm, const Topology &topology) {
    return secondsOf(CollectiveKind::AllToAll, algorithm, 4e6, firstRanks(4), topology);
  };
  Topology one = nodesOf(4, 1, true), two = nodesOf(2, 2, false);
  EXPECT_DOUBLE_EQ(seconds(Algorithm::OneShot, one), 1e-6 + 3 * 1e6 / 100e9);
  EXPECT_DOUBLE_EQ(seconds(Algorithm::Pairwise, one), 3 * (1e-6 + 1e6 / 100e9));
  double apart = 10e-6 + 1e6 / two.networkRate(2),
         next = 10e-6 + 1e6 / two.networkRate(1);
  EXPECT_DOUBLE_EQ(seconds(Algorithm::Pairwise, two), apart + 2 * next);
  EXPECT_EQ(cheapest(CollectiveKind::AllToAll, 4e6, firstRanks(4), one).algorithm,
            Algorithm::OneShot);
  // A permute sends one message.
  EXPECT_DOUBLE_EQ(cheapest(CollectiveKind::Permute, 1e6, firstRanks(2), one).seconds,
                   1e-6 + 1e6 / 100e9);
  EXPECT_DOUBLE_EQ(cheapest(CollectiveKind::Permute, 1e6, Group{{1, 2}, 0}, two).seconds,
                   10e-6 + 1e6 / two.networkRate(1));
}

/// Every rank receives one chunk from each other rank.
TEST(Collectives, AnExchangeMovesEachPartOnce) {
  for (int64_t size : {2, 3, 5, 8})
    for (Algorithm algorithm : {Algorithm::Pairwise, Algorithm::OneShot}) {
      std::set<std::pair<int64_t, int64_t>> seen;
      for (const Round &round : roundsOf(CollectiveKind::AllToAll, algorithm, 1e6,
                                         firstRanks(size), nodesOf(8, 1, true), 0))
        for (const Transfer &one : round) {
          EXPECT_NE(one.from, one.to);
          EXPECT_DOUBLE_EQ(one.bytes, 1e6 / double(size));
          EXPECT_TRUE(seen.insert({one.from, one.to}).second);
        }
      EXPECT_EQ(int64_t(seen.size()), size * (size - 1));
    }
}

/// Tracks which ranks' contributions each rank has: a chunk carries all that its sender
/// had at the beginning of the round.
static bool reachesEverybody(const std::vector<Round> &rounds, int64_t size) {
  std::vector<std::set<int64_t>> known(size);
  for (int64_t i = 0; i < size; ++i)
    known[i] = {i};
  for (const Round &round : rounds) {
    std::vector<std::set<int64_t>> before = known;
    for (const Transfer &one : round)
      known[one.to].insert(before[one.from].begin(), before[one.from].end());
  }
  for (const std::set<int64_t> &one : known)
    if (int64_t(one.size()) != size)
      return false;
  return true;
}

/// For random groups: every rank's contribution reaches every other one, no rank sends to
/// itself, and the bytes match theory.
TEST(Collectives, RandomGroupsMoveWhatTheyHaveTo) {
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    Topology topology = nodesOf(1 + random() % 8, 1 + random() % 4, random() % 2 != 0);
    if (topology.devices() < 2)
      continue;
    Group group = firstRanks(2 + random() % (topology.devices() - 1));
    double size = double(group.size()), bytes = 1024.0 * double(1 + random() % 1000);
    for (Algorithm algorithm : algorithmsOf(CollectiveKind::AllReduce, group, topology)) {
      auto rounds =
          roundsOf(CollectiveKind::AllReduce, algorithm, bytes, group, topology, 0);
      EXPECT_TRUE(reachesEverybody(rounds, group.size())) << nameOf(algorithm).str();
      double sent = 0;
      for (const Round &round : rounds)
        for (const Transfer &one : round) {
          EXPECT_NE(one.from, one.to);
          sent += one.bytes;
        }
      // No algorithm moves fewer bytes than reduce-scatter and all-gather; one-shot moves
      // more.
      double least = 2 * (size - 1) * bytes;
      if (algorithm == Algorithm::OneShot)
        EXPECT_NEAR(sent, size * (size - 1) * bytes, 1e-6 * sent);
      else
        EXPECT_NEAR(sent, least, 1e-6 * sent) << nameOf(algorithm).str();
      EXPECT_GT(secondsOf(CollectiveKind::AllReduce, algorithm, bytes, group, topology),
                0);
    }
  }
}
