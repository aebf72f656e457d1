//===- SearchTest.cpp - Meshes whose best one is known --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Estimate/Search.h"
#include "Transformer.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::estimate;

static Topology profile(const char *name) { return llvm::cantFail(readTopology(name)); }

namespace {
/// A search over a transformer.
struct Case {
  Case(Topology topology, Shape shape, SearchOptions options = {})
      : topology(std::move(topology)), shape(shape),
        searcher(
            this->topology, [this](int64_t tp) { return transformer(this->shape, tp); },
            options) {}
  std::string best(int64_t ranks) { return searcher.rank(ranks).front().mesh.str(); }
  const Candidate &find(const std::vector<Candidate> &list, const std::string &mesh) {
    for (const Candidate &one : list)
      if (one.mesh.str() == mesh)
        return one;
    ADD_FAILURE() << "no mesh " << mesh;
    return list.front();
  }

  Topology topology;
  Shape shape;
  Searcher searcher;
};

Shape withSizes(Shape shape, int64_t rows, int64_t sequence, int64_t capacity) {
  shape.rows = rows;
  shape.sequence = sequence;
  shape.capacity = capacity;
  return shape;
}

/// Two nodes of one GPU each, joined by Ethernet.
Topology twoDistantGpus() {
  Topology topology = profile("h100x8x2nodes");
  topology.devicesPerNode = topology.adapters = 1;
  topology.network = {"Ethernet", 1.25e9, 50e-6, false};
  return topology;
}
} // namespace

TEST(Search, SmallModelFitsOneDevice) {
  Case one(profile("h100x8"), kSmall);
  std::vector<Candidate> counts = one.searcher.counts(8);
  ASSERT_EQ(counts.size(), 4u);
  EXPECT_TRUE(counts[0].fits);
  EXPECT_EQ(counts[0].mesh.str(), "tp=1");
}

TEST(Search, TensorParallelWithinANodeOfNvlink) {
  Case one(profile("h100x8"), kLlama70B);
  EXPECT_EQ(one.best(8), "tp=8");
}

TEST(Search, PipelineAcrossNodesTensorParallelWithin) {
  Case one(profile("h100x8x2nodes"), withSizes(kLlama70B, 1, 4096, 4096), {2, 128});
  std::vector<Candidate> list = one.searcher.rank(16);
  EXPECT_EQ(list.front().mesh.str(), "pp=2,tp=8");
  EXPECT_NE(one.find(list, "tp=16").why.find("InfiniBand"), std::string::npos);
}

TEST(Search, PipelineOverPcieOnceItIsFull) {
  Case one(profile("l4x8-pcie"), withSizes(kLlama70B, 1, 1024, 1024), {64, 0});
  std::vector<Candidate> list = one.searcher.rank(8);
  EXPECT_EQ(list.front().mesh.str(), "pp=8");
  EXPECT_NE(one.find(list, "tp=8").why.find("all-reduce (ring) over PCIe"),
            std::string::npos);
}

TEST(Search, WithNvlinkTheSameGpusAreTensorParallel) {
  Topology topology = profile("l4x8-pcie");
  topology.node = profile("h100x8").node;
  Case one(topology, withSizes(kLlama70B, 1, 4096, 4096), {16, 0});
  EXPECT_EQ(one.best(8), "tp=8");
}

TEST(Search, LargeModelNeedsASecondDevice) {
  Case one(profile("l4x4-pcie"), kLlama13B);
  std::vector<Candidate> counts = one.searcher.counts(4);
  EXPECT_FALSE(counts[0].fits);
  EXPECT_EQ(counts[0].why.find("does not fit by "), 0u);
  EXPECT_TRUE(counts[1].fits);
  EXPECT_EQ(counts[1].mesh.ranks(), 2);
}

TEST(Search, HeadsThatDoNotDivideAreRuledOut) {
  Shape shape = kLlama13B;
  shape.heads = shape.keyHeads = 20;
  Case one(profile("h100x8"), shape);
  std::vector<Candidate> list = one.searcher.rank(8);
  EXPECT_EQ(list.front().mesh.str(), "pp=2,tp=4");
  const Candidate &whole = one.find(list, "tp=8");
  EXPECT_FALSE(whole.prediction);
  EXPECT_EQ(whole.why, "attention cannot be split among 8 ranks: 20 heads");
}

TEST(Search, PipelineOverASlowNetwork) {
  Case one(twoDistantGpus(), kLlama70B);
  std::vector<Candidate> list = one.searcher.rank(2);
  EXPECT_EQ(list.front().mesh.str(), "pp=2");
  EXPECT_NE(one.find(list, "tp=2").why.find("Ethernet"), std::string::npos);
}

TEST(Search, AloneADecodeStepIsFasterOnTensorParallelRanks) {
  Case one(profile("a100x8"), kLlama13B);
  std::vector<Candidate> list = one.searcher.rank(4);
  EXPECT_EQ(list.front().mesh.str(), "tp=4");
  EXPECT_NE(one.find(list, "pp=4").why.find("bubble"), std::string::npos);
}

TEST(Search, MoreRanksThanWeights) {
  Shape shape = kSmall;
  shape.layers = 1;
  Case one(profile("h100x8x2nodes"), shape);
  std::vector<Candidate> list = one.searcher.rank(16);
  const Candidate &pipeline = one.find(list, "pp=16");
  EXPECT_FALSE(pipeline.prediction);
  EXPECT_EQ(pipeline.why, "the model has 6 large weights for 16 stages");
  EXPECT_TRUE(list.front().prediction);
}

TEST(Search, OneRankHasNoCollectives) {
  Case one(profile("h100x1"), kSmall);
  std::vector<Candidate> list = one.searcher.rank(1);
  ASSERT_EQ(list.size(), 1u);
  for (const ProgramTime &time : list.front().prediction->programs)
    EXPECT_EQ(time.collectives, 0);
}

TEST(Search, FourThousandRanksOnPaper) {
  Topology topology = profile("h100x8x512nodes");
  std::vector<int64_t> made;
  Searcher searcher(topology,
                    [&](int64_t tp) {
                      made.push_back(tp);
                      return transformer(kLlama70B, tp);
                    },
                    {});
  std::vector<Candidate> list = searcher.rank(4096);
  EXPECT_EQ(list.size(), 13u);
  EXPECT_TRUE(list.front().prediction);
  // 128 ranks do not divide the heads, so nobody asks about its multiples.
  EXPECT_EQ(made, (std::vector<int64_t>{1, 2, 4, 8, 16, 32, 64, 128}));
  EXPECT_EQ(list.front().mesh.ranks(), 4096);
}
