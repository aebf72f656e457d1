//===- SimulatorTest.cpp - The simulator against the closed form ----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Estimate/Simulator.h"
#include "Transformer.h"
#include "llvm/Support/JSON.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::estimate;

static Topology simulatedProfile(const char *name) {
  return llvm::cantFail(readTopology(name));
}

namespace {
struct SimulatorCase {
  const char *topology;
  const Shape *shape;
  MeshShape mesh;
  int64_t runs, rows, sequence;
};

class Agreement : public testing::TestWithParam<SimulatorCase> {};
} // namespace

static Shape shapeOf(const SimulatorCase &one) {
  Shape shape = *one.shape;
  shape.rows = one.rows;
  shape.sequence = one.sequence;
  return shape;
}

/// Simulator and closed form agree within 10 % for both programs.
TEST_P(Agreement, WithTheClosedForm) {
  const SimulatorCase &one = GetParam();
  Topology topology = simulatedProfile(one.topology);
  Workload workload = llvm::cantFail(transformer(shapeOf(one), one.mesh.tp));
  std::string why;
  std::optional<StagedWorkload> staged = assignStages(workload, one.mesh.pp, why);
  ASSERT_TRUE(staged) << why;
  Prediction prediction = predict(workload, *staged, one.mesh, topology, one.runs);
  for (size_t i = 0; i < workload.programs.size(); ++i) {
    double simulated = simulate(workload.programs[i], staged->programs[i], one.mesh,
                                topology, {one.runs, false})
                           .seconds;
    double predicted = prediction.programs[i].seconds;
    EXPECT_NEAR(predicted / simulated, 1, 0.1)
        << workload.programs[i].name << " " << one.mesh.str() << " on " << one.topology
        << ": " << predicted << " s, simulated " << simulated << " s";
  }
}

INSTANTIATE_TEST_SUITE_P(
    TwentyCases, Agreement,
    testing::Values(SimulatorCase{"h100x1", &kSmall, {1, 1}, 1, 8, 128},
                    SimulatorCase{"h100x8", &kLlama70B, {2, 1}, 1, 1, 512},
                    SimulatorCase{"h100x8", &kLlama70B, {4, 1}, 1, 8, 512},
                    SimulatorCase{"h100x8", &kLlama70B, {8, 1}, 1, 1, 4096},
                    SimulatorCase{"h100x8", &kLlama70B, {1, 2}, 1, 1, 512},
                    SimulatorCase{"h100x8", &kLlama70B, {1, 8}, 1, 1, 4096},
                    SimulatorCase{"h100x8", &kLlama70B, {1, 8}, 16, 1, 512},
                    SimulatorCase{"h100x8", &kLlama70B, {4, 2}, 1, 4, 512},
                    SimulatorCase{"h100x8", &kLlama70B, {2, 4}, 8, 1, 512},
                    SimulatorCase{"h100x8", &kSmall, {4, 2}, 4, 16, 512},
                    SimulatorCase{"a100x8", &kLlama13B, {8, 1}, 1, 1, 2048},
                    SimulatorCase{"a100x8", &kLlama13B, {2, 2}, 32, 4, 256},
                    SimulatorCase{"l4x4-pcie", &kLlama13B, {4, 1}, 1, 1, 1024},
                    SimulatorCase{"l4x4-pcie", &kLlama13B, {1, 4}, 16, 1, 1024},
                    SimulatorCase{"l4x8-pcie", &kLlama70B, {8, 1}, 2, 1, 512},
                    SimulatorCase{"h100x8x2nodes", &kLlama70B, {16, 1}, 1, 1, 512},
                    SimulatorCase{"h100x8x2nodes", &kLlama70B, {8, 2}, 1, 4, 2048},
                    SimulatorCase{"h100x8x2nodes", &kLlama70B, {8, 2}, 8, 4, 2048},
                    SimulatorCase{"a100x8x2nodes", &kLlama70B, {4, 4}, 4, 1, 1024},
                    SimulatorCase{"epyc9654x2", &kLlama13B, {2, 1}, 1, 1, 256}));

TEST(Simulator, RecordsATrackPerRankAndLink) {
  Topology topology = simulatedProfile("h100x8");
  Shape shape = kSmall;
  shape.layers = 1;
  MeshShape mesh{2, 2};
  Workload workload = llvm::cantFail(transformer(shape, 2));
  std::string why;
  StagedWorkload staged = *assignStages(workload, 2, why);
  Timeline timeline =
      simulate(workload.programs[0], staged.programs[0], mesh, topology, {1, true});
  // Tracks of kernels and collectives for 4 ranks, and 4 links in two directions.
  ASSERT_EQ(timeline.tracks.size(), 16u);
  EXPECT_EQ(timeline.tracks[0], "rank 0");
  EXPECT_EQ(timeline.tracks[4], "rank 0 collectives");
  EXPECT_EQ(timeline.tracks[8], "rank 0 NVLink out");
  for (const Span &span : timeline.spans) {
    EXPECT_LE(span.begin, span.end);
    EXPECT_LE(span.end, timeline.seconds);
  }
  // Spans of a track do not overlap.
  for (unsigned track = 0; track < timeline.tracks.size(); ++track) {
    std::vector<std::pair<double, double>> own;
    for (const Span &span : timeline.spans)
      if (span.track == track)
        own.emplace_back(span.begin, span.end);
    std::sort(own.begin(), own.end());
    // The first stage has the embedding and no all-reduce.
    bool isIdle = track == 4 || track == 5;
    EXPECT_EQ(own.empty(), isIdle) << timeline.tracks[track];
    for (size_t i = 1; i < own.size(); ++i)
      EXPECT_LE(own[i - 1].second, own[i].first + 1e-12) << timeline.tracks[track];
  }
}

TEST(Simulator, WritesTraceEvents) {
  Timeline timeline{2e-3, {"rank 0", "rank 0 NVLink out"}, {{0, "mat\"mul", 0, 1e-3}}};
  std::string text;
  llvm::raw_string_ostream os(text);
  writeTrace(os, {{"prefill", timeline}, {"decode", timeline}});
  llvm::json::Value value = llvm::cantFail(llvm::json::parse(text));
  const llvm::json::Array &events = *value.getAsObject()->getArray("traceEvents");
  ASSERT_EQ(events.size(), 6u); // two processes, two tracks, one span per program
  const llvm::json::Object &last = *events.back().getAsObject();
  EXPECT_EQ(last.getString("name"), llvm::StringRef("mat\"mul"));
  EXPECT_EQ(last.getString("cat"), llvm::StringRef("decode"));
  EXPECT_DOUBLE_EQ(*last.getNumber("ts"), 2000);
  EXPECT_DOUBLE_EQ(*last.getNumber("dur"), 1000);
}

/// Two collectives of equal size, each overlapping a kernel: one kernel takes longer than
/// the collective, the other half as long.
TEST(Overlap, HidesWhatKernelsTake) {
  Topology topology = simulatedProfile("h100x8");
  topology.device.stepSeconds = 0;
  MeshShape mesh{2, 1};
  Program program;
  program.values.resize(1);
  Step collective;
  collective.kind = Step::Kind::Collective;
  collective.bytes = 64 << 20;
  double seconds = cheapest(CollectiveKind::AllReduce, collective.bytes,
                            tensorGroup(mesh, 0), topology)
                       .seconds;
  Step kernel;
  auto takes = [&](double time) {
    kernel.bytes = time * topology.device.memoryRate;
    return kernel;
  };
  auto until = [&](unsigned join) {
    collective.join = join;
    return collective;
  };
  program.steps = {until(2), takes(2 * seconds), until(4), takes(seconds / 2),
                   takes(seconds)};
  StagedProgram staged;
  staged.stages.assign(program.steps.size(), 0);
  Timeline timeline = simulate(program, staged, mesh, topology, {1, true});
  EXPECT_NEAR(timeline.seconds, 4 * seconds, 0.05 * seconds);
  EXPECT_NEAR(timeline.hidden(), 0.75, 0.01);
  auto predicted = [&] {
    StagedWorkload workload;
    workload.programs = {staged};
    workload.weightBytes = workload.replicatedBytes = workload.stateBytes = {0};
    return predict({2, {}, {program}}, workload, mesh, topology, 1).programs[0].seconds;
  };
  EXPECT_NEAR(predicted(), timeline.seconds, 0.01 * seconds);
  // In a single stream they run one after the other.
  for (Step &step : program.steps)
    step.join = 0;
  timeline = simulate(program, staged, mesh, topology);
  EXPECT_NEAR(timeline.seconds, 5.5 * seconds, 0.05 * seconds);
  EXPECT_EQ(timeline.hidden(), 0);
  EXPECT_NEAR(predicted(), timeline.seconds, 0.01 * seconds);
}
