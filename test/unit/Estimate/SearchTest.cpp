//===- SearchTest.cpp - Search for meshes with known optimum --------------===//
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

/// Returns the work of a context-parallel rank: prefill of its rows with the weights of
/// its group of `weightRanks`, and an all-gather of its heads' keys and values before
/// each attention.
static llvm::Expected<Workload> contextWorkload(const Shape &shape, int64_t ranks,
                                                int64_t weightRanks) {
  llvm::Expected<Workload> made = transformer(shape, weightRanks);
  if (!made)
    return made.takeError();
  Workload workload = std::move(*made);
  workload.ranks = ranks * weightRanks;
  for (Program &program : workload.programs)
    for (Step &step : program.steps)
      step.groupSize = weightRanks;
  Program &prefill = workload.programs.front();
  std::vector<Step> steps;
  for (Step &step : prefill.steps) {
    step.productFlops /= double(ranks);
    // A rank reads all weights of its group, but only its rows of activations.
    if (step.kind == Step::Kind::Kernel && step.name != "attention") {
      double weight = std::min(step.bytes, prefill.values[step.reads[1]].bytes);
      step.bytes = weight + (step.bytes - weight) / double(ranks);
    }
    if (step.kind == Step::Kind::Collective &&
        step.collective == CollectiveKind::AllReduce)
      step.bytes /= double(ranks); // only its rows
    if (step.name == "attention") {
      Step gather = step;
      gather.kind = Step::Kind::Collective;
      gather.collective = CollectiveKind::AllGather;
      gather.groupSize = ranks;
      gather.groupStride = weightRanks;
      gather.bytes = 2 * prefill.tokens * double(shape.keyHeads * shape.headSize()) * 4 /
                     double(weightRanks);
      gather.writes = {step.reads.front()};
      steps.push_back(gather);
    }
    steps.push_back(step);
  }
  prefill.steps = std::move(steps);
  return workload;
}

/// Divides caches among ranks, which all-reduce their partial attention results.
static void divideCaches(Workload &workload, double ranks) {
  for (Program &program : workload.programs) {
    for (Value &value : program.values)
      value.bytes /= value.kind == Value::Kind::State ? ranks : 1;
    std::vector<Step> steps;
    for (Step &step : program.steps) {
      steps.push_back(step);
      if (step.name != "attention")
        continue;
      steps.back().bytes /= ranks;
      Step sum = step;
      sum.kind = Step::Kind::Collective;
      sum.bytes = program.values[step.writes[0]].bytes;
      sum.groupSize = 0;
      sum.reads = sum.writes = {step.writes[0]};
      steps.push_back(sum);
    }
    program.steps = std::move(steps);
  }
}

/// Shrinks collectives as overlap does: a quarter of their bytes remains exposed with two
/// parts, and nearly as much with four.
static void hideCollectives(Workload &workload, int64_t parts) {
  for (Program &program : workload.programs)
    for (Step &step : program.steps)
      if (step.kind == Step::Kind::Collective)
        step.bytes *= parts == 2 ? 0.25 : 0.249;
}

/// Returns the work of a rank of the mesh; sequence parallelism counts as tensor
/// parallelism.
static llvm::Expected<Workload> workload(const Shape &shape, const MeshShape &mesh) {
  bool isContext = mesh.division == Division::Context;
  llvm::Expected<Workload> made =
      isContext ? contextWorkload(shape, mesh.tp / mesh.weightRanks, mesh.weightRanks)
                : transformer(shape, mesh.tp);
  if (made && mesh.dividesCaches)
    divideCaches(*made, double(mesh.tp / mesh.weightRanks));
  if (made && mesh.overlap() > 1)
    hideCollectives(*made, mesh.parts);
  return made;
}

namespace {
/// A search for the best mesh of a transformer.
struct Case {
  Case(Topology topology, Shape shape, SearchOptions options = {})
      : topology(std::move(topology)), shape(shape),
        searcher(
            this->topology,
            [this](const MeshShape &mesh) { return workload(this->shape, mesh); },
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
  // One prompt keeps two pipeline stages half idle; two context-parallel groups divide
  // its rows.
  EXPECT_EQ(list.front().mesh.str(), "tp=4,cp=2");
  EXPECT_EQ(list[1].mesh.str(), "pp=2,tp=4");
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

TEST(Search, ContextParallelWhereWeightsFitAndPromptsAreLong) {
  Shape longPrompts = withSizes(kSmall, 8, 4096, 4096);
  Case encoder(profile("h100x8"), longPrompts, {1, /*newTokens=*/0});
  // Bytes per row of a layer with hidden size h: cp=8 gathers 7/8 of 2 h of keys and
  // values; tp=2,cp=4 gathers 3/4 of h, and all-reduces 2 h for a quarter of the rows.
  EXPECT_EQ(encoder.best(8), "tp=2,cp=4");
  // A sixth of the keys and values to gather, and as many bytes to all-reduce.
  longPrompts.keyHeads = 2;
  Case grouped(profile("h100x8"), longPrompts, {1, /*newTokens=*/0});
  EXPECT_EQ(grouped.best(8), "cp=8");
  Case large(profile("h100x8"), kLlama70B);
  std::vector<Candidate> list = large.searcher.rank(8);
  EXPECT_EQ(list.front().mesh.str(), "tp=8");
  EXPECT_FALSE(large.find(list, "cp=8").fits);
}

TEST(Search, FourThousandRanksOnPaper) {
  Topology topology = profile("h100x8x512nodes");
  std::vector<int64_t> made;
  Searcher searcher(topology,
                    [&](const MeshShape &mesh) {
                      if (mesh.division == Division::Tensor)
                        made.push_back(mesh.tp);
                      return workload(kLlama70B, mesh);
                    },
                    {});
  std::vector<Candidate> list = searcher.rank(4096);
  // tp, sp and cp with 13 powers of two, and tp=2, 4 and 8 with cp up to 64 ranks. Caches
  // are small compared with weights, so no divided caches are tried.
  EXPECT_EQ(list.size(), 13u + 2 * 12u + 1 + 2 + 3 + 3 + 3);
  EXPECT_TRUE(list.front().prediction);
  // 128 does not divide the heads, so multiples of it are not tried.
  EXPECT_EQ(made, (std::vector<int64_t>{1, 2, 4, 8, 16, 32, 64, 128}));
  EXPECT_EQ(list.front().mesh.ranks(), 4096);
}

TEST(Search, CachesThatDoNotFitWhole) {
  // Heads share keys, so tensor-parallel ranks would each hold the entire cache.
  Shape shape = withSizes(kSmall, 1, 4096, 1 << 27);
  shape.keyHeads = 1;
  Case one(profile("h100x8"), shape);
  std::vector<Candidate> list = one.searcher.rank(4);
  EXPECT_FALSE(one.find(list, "tp=4").fits);
  EXPECT_FALSE(one.find(list, "cp=4").fits);
  EXPECT_TRUE(one.find(list, "dcp=4").fits);
}

TEST(Search, PartsOfRowsWhereTheySaveTime) {
  SearchOptions options;
  options.triesParts = true;
  Case one(profile("h100x8"), withSizes(kLlama70B, 1, 4096, 4096), options);
  std::vector<Candidate> list = one.searcher.rank(8);
  EXPECT_EQ(list.front().mesh.withParts(), "tp=8, overlap 2");
  // Four parts save no more time than two.
  for (const Candidate &candidate : list)
    EXPECT_TRUE(candidate.mesh.pp > 1 || candidate.mesh.parts <= 2);
  for (const Candidate &candidate : list)
    if (candidate.mesh.withParts() == "tp=8")
      EXPECT_EQ(candidate.why, "no products run beside its collectives");
  // No overlap without the option, nor on CPUs, where collectives run after kernels.
  Case whole(profile("h100x8"), withSizes(kLlama70B, 1, 4096, 4096));
  EXPECT_EQ(whole.searcher.rank(8).front().mesh.withParts(), "tp=8");
  Case cpus(profile("epyc9654x2"), kSmall, options);
  for (const Candidate &candidate : cpus.searcher.rank(2))
    EXPECT_EQ(candidate.mesh.overlap(), 1);
}

TEST(Search, MicroBatchesOfTheBestPipeline) {
  SearchOptions options;
  options.triesParts = true;
  std::vector<std::string> asked;
  Topology topology = profile("h100x8");
  Searcher searcher(topology,
                    [&](const MeshShape &mesh) {
                      if (mesh.microBatches() > 1)
                        asked.push_back(mesh.withParts());
                      return workload(kLlama70B, mesh);
                    },
                    options);
  std::vector<Candidate> list = searcher.rank(8);
  // The workload here is the same with one part, so more parts save nothing and are not
  // tried.
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_NE(asked[0].find(", 2 micro-batches"), std::string::npos) << asked[0];
  for (const Candidate &candidate : list)
    EXPECT_EQ(candidate.mesh.microBatches(), 1);
}

TEST(Search, GivenPartsAreOfAllMeshesThatCanHaveThem) {
  SearchOptions options;
  options.microBatches = 4;
  options.overlap = 2;
  Case one(profile("h100x8"), kLlama70B, options);
  for (const Candidate &candidate : one.searcher.rank(8)) {
    const MeshShape &mesh = candidate.mesh;
    EXPECT_EQ(mesh.microBatches(), mesh.pp > 1 ? 4 : 1) << mesh.str();
    bool isContext = mesh.division == Division::Context;
    EXPECT_EQ(mesh.overlap(), mesh.pp == 1 && !isContext ? 2 : 1) << mesh.str();
  }
}
