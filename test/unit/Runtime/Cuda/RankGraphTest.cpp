//===- RankGraphTest.cpp - Runs of ranks as CUDA graphs -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of ranks whose collectives use the modelled NCCL: with known dims one launch per
// rank and no NCCL call. KILN_SIM_NCCL_FAULT counts collectives: each run has two per
// rank.
//
//===----------------------------------------------------------------------===//
#include "GpuModels.h"
#include "kiln/group.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kiln::test;
using testing::AnyOf;
using testing::HasSubstr;

namespace {
constexpr int ranks = 2;
/// Bytes of a graph of 5 commands and two collectives; see CudaSession::createGraphs.
constexpr uint64_t graphBytes = (5 + 2 * 4) * (64 << 10);

kiln::rt::View view(FloatTensor &x) { return {x.name, x.data, x.shape}; }

class RankGraph : public testing::Test {
protected:
  using Settings = std::map<std::string, std::string>;
  /// Runs the body in a process with two GPUs and the modelled NCCL.
  void onTwoGpus(Settings more, const std::function<void()> &body) {
    Settings all = {{"KILN_SIM_TRACE", folder / "calls"},
                    {"KILN_CUDA_DRIVER", SimDriver::path()},
                    {"KILN_SIM_DEVICES", "a100,a100"},
                    {"KILN_NCCL_LIBRARY", KILN_TEST_SIM_NCCL},
                    {"KILN_COLLECTIVES", "nccl"}};
    more.merge(all);
    isolated(more, [&] {
      writeModel(folder / "m.kiln", withGpu(ranksModel(ranks)));
      body();
    });
  }
  kiln::rt::Group makeGroup(uint64_t instances = 3, bool graph = true,
                            uint32_t timeout = 0) {
    kiln_group_options options = KILN_GROUP_OPTIONS_INIT;
    options.device = "cuda";
    options.no_graph = !graph;
    options.graph_memory = instances * graphBytes;
    options.timeout_ms = timeout;
    return kiln::rt::Group(kiln::rt::Model(folder / "m.kiln"), options);
  }
  /// Runs the group and checks the sums of all ranks.
  static void runRight(kiln::rt::Group &group, int64_t batch, int64_t seq) {
    FloatTensor x("x", {batch, seq});
    auto results = group.runAll({view(x)});
    for (const auto &own : results)
      for (size_t i = 0; i < x.data.size(); ++i)
        ASSERT_EQ(own[0].as<float>()[i], x.data[i] * 2 + 1 + (x.data[i] * 3 + 1)) << i;
  }
  std::map<std::string, int> callsOf(kiln::rt::Group &group, int64_t batch, int64_t seq) {
    (void)trace.newCalls();
    runRight(group, batch, seq);
    return trace.newCalls();
  }
  /// Expects that a run with known dims makes one graph launch per rank and no NCCL call.
  void expectReplay(kiln::rt::Group &group, int64_t batch, int64_t seq) {
    auto calls = callsOf(group, batch, seq);
    EXPECT_EQ(calls["cuGraphLaunch"], ranks);
    for (const char *name :
         {"cuLaunchKernel", "cuLaunchHostFunc", "cuStreamBeginCapture_v2",
          "cuGraphInstantiateWithFlags", "cuGraphExecKernelNodeSetParams_v2",
          "cuMemAlloc_v2", "cuMemHostAlloc"})
      EXPECT_EQ(calls[name], 0) << name << " at " << batch << ", " << seq;
  }
  /// Expects that a run with new dims captures NCCL's work into one new graph.
  void expectCapture(kiln::rt::Group &group, int64_t batch, int64_t seq) {
    auto calls = callsOf(group, batch, seq);
    EXPECT_EQ(calls["cuStreamBeginCapture_v2"], 2 * ranks);
    EXPECT_EQ(calls["cuGraphAddChildGraphNode"], 2 * ranks);
    EXPECT_EQ(calls["cuLaunchHostFunc"], 2 * ranks);
    EXPECT_EQ(calls["cuGraphInstantiateWithFlags"], ranks);
    EXPECT_EQ(calls["cuGraphLaunch"], ranks);
    EXPECT_EQ(calls["cuLaunchKernel"], 0);
  }
  /// Runs and returns the error.
  std::string failOnce(kiln::rt::Group &group) {
    FloatTensor x("x", {2, 3});
    std::string text;
    try {
      (void)group.runAll({view(x)});
    } catch (const kiln::rt::Error &error) {
      text = error.what();
    }
    return text;
  }
  TempFolder folder;
  Trace trace{folder / "calls"};
};
} // namespace

TEST_F(RankGraph, ARunIsOneLaunch) {
  for (const char *order : {"eager", "late", "random,,3"})
    onTwoGpus({{"KILN_SIM_SCHEDULE", order}}, [&] {
      kiln::rt::Group group = makeGroup();
      expectCapture(group, 3, 7);
      for (int i = 0; i < 3; ++i)
        expectReplay(group, 3, 7);
    });
}

TEST_F(RankGraph, EveryInstanceKeepsItsDims) {
  onTwoGpus({}, [&] {
    kiln::rt::Group group = makeGroup(2);
    for (int64_t seq : {3, 4})
      expectCapture(group, 1, seq);
    for (int64_t seq : {4, 3, 3})
      expectReplay(group, 1, seq);
    expectCapture(group, 2, 3); // evicts 4
    expectReplay(group, 1, 3);
    expectCapture(group, 1, 4);
  });
}

TEST_F(RankGraph, TwoGroups) {
  onTwoGpus({}, [&] {
    kiln::rt::Group one = makeGroup(), two = makeGroup();
    expectCapture(one, 2, 5);
    expectCapture(two, 2, 5);
    for (int64_t i = 0; i < 2; ++i) {
      expectReplay(two, 2, 5);
      expectReplay(one, 2, 5);
    }
  });
}

TEST_F(RankGraph, StepByStepIsAsBefore) {
  onTwoGpus({}, [&] {
    kiln::rt::Group group = makeGroup(3, /*graph=*/false);
    auto calls = callsOf(group, 2, 5);
    EXPECT_EQ(calls["cuGraphLaunch"], 0);
    EXPECT_EQ(calls["cuLaunchKernel"], 2 * ranks);
  });
}

TEST_F(RankGraph, ThroughTheHostThereIsNone) {
  onTwoGpus({{"KILN_COLLECTIVES", "host"}}, [&] {
    kiln::rt::Group group = makeGroup();
    auto calls = callsOf(group, 2, 5);
    EXPECT_EQ(calls["cuGraphLaunch"], 0);
    EXPECT_EQ(calls["cuStreamBeginCapture_v2"], 0);
  });
}

/// A rank's GPU does not reach a collective of a launched graph.
TEST_F(RankGraph, ALostRankEndsALaunch) {
  for (const char *fault : {"drop:1:5", "delay:1:6:100000"})
    onTwoGpus({{"KILN_SIM_NCCL_FAULT", fault}}, [&] {
      kiln::rt::Group group = makeGroup(3, true, 500);
      runRight(group, 2, 3);
      runRight(group, 2, 3);
      std::string text = failOnce(group);
      EXPECT_THAT(text, HasSubstr("KILN-E0711"));
      EXPECT_THAT(text, HasSubstr("do not complete a collective that all ranks have"));
      EXPECT_THAT(text, AnyOf(HasSubstr("all_gather"), HasSubstr("all_reduce")));
      EXPECT_THAT(text, HasSubstr("within 500 ms"));
    });
}

TEST_F(RankGraph, AnErrorOfNcclEndsALaunchAndTheNextRunCapturesAnew) {
  onTwoGpus({{"KILN_SIM_NCCL_FAULT", "fail:0:4"}}, [&] {
    kiln::rt::Group group = makeGroup();
    runRight(group, 2, 3);
    std::string text = failOnce(group);
    EXPECT_THAT(text, HasSubstr("KILN-E0706"));
    EXPECT_THAT(text, HasSubstr("failure of rank 0, as asked for in collective 4"));
    // Communicators are new; graphs of the old ones are destroyed.
    expectCapture(group, 2, 3);
  });
}

TEST_F(RankGraph, AFailureWhileCapturing) {
  onTwoGpus({{"KILN_SIM_NCCL_FAULT", "fail:1:2"}}, [&] {
    kiln::rt::Group group = makeGroup();
    std::string text = failOnce(group);
    EXPECT_THAT(text, HasSubstr("ncclAllReduce failed"));
    (void)trace.newCalls();
    text = failOnce(group); // the fault occurs in each communicator
    EXPECT_THAT(text, HasSubstr("ncclAllReduce failed"));
  });
}

/// Whichever driver call fails, the run ends with an error unless the call does not
/// matter, and no rank waits forever, both in a run that captures and in one that
/// launches a graph.
TEST_F(RankGraph, EveryCallFails) {
  onTwoGpus({}, [&] {
    SimDriver driver;
    for (bool replays : {false, true}) {
      int failures = 0;
      constexpr uint64_t calls = 120; // about the number of calls of a run without waits
      for (uint64_t call = 1; call < calls; ++call) {
        kiln::rt::Group group = makeGroup();
        if (replays)
          runRight(group, 2, 3);
        constexpr int unknown = 999;
        driver.failAt(call, unknown);
        failures += !failOnce(group).empty();
        driver.failAt(0, 0);
        if (call % 7 == 0) // the group can continue
          runRight(group, 2, 3);
      }
      EXPECT_GT(failures, replays ? 15 : 80);
    }
  });
}
