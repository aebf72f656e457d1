//===- GraphTest.cpp ----------------------------------------------------- ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver calls of a run: with known dims none may instantiate or update a graph.
//
//===----------------------------------------------------------------------===//
#include "GpuModels.h"
#include "runtime/device/cuda/graph_cache.h"
#include <gtest/gtest.h>

using namespace kiln::test;

namespace {
constexpr uint64_t kilobyte = 1024, nodes = 5;

TEST(GraphInstances, FollowTheMemory) {
  using kiln::rt::cuda::graphBytes;
  using kiln::rt::cuda::graphInstances;
  EXPECT_EQ(graphBytes(5), 5 * 64 * kilobyte);
  EXPECT_EQ(graphInstances(5, 3 * graphBytes(5), 1000), 3u);
  EXPECT_EQ(graphInstances(5, 3 * graphBytes(5) - 1, 1000), 2u);
  EXPECT_EQ(graphInstances(5, 0, 1000), 1u);
  EXPECT_EQ(graphInstances(5, uint64_t(1) << 40, 7), 7u);
  EXPECT_EQ(graphInstances(5, uint64_t(1) << 40, UINT64_MAX), 64u);
  EXPECT_EQ(graphInstances(0, 0, 1), 1u);
}

/// Returns the number of calls that create or update a graph.
int changes(const std::map<std::string, int> &calls) {
  int count = 0;
  for (const char *name :
       {"cuGraphInstantiateWithFlags", "cuGraphExecKernelNodeSetParams_v2",
        "cuGraphExecMemcpyNodeSetParams", "cuGraphNodeSetEnabled", "cuGraphUpload",
        "cuModuleLoadDataEx", "cuMemAlloc_v2", "cuMemHostAlloc", "cuFuncSetAttribute"})
    if (auto found = calls.find(name); found != calls.end())
      count += found->second;
  return count;
}

class Graph : public testing::Test {
protected:
  void withInstances(uint64_t count, const std::function<void()> &body) {
    isolated({{"KILN_SIM_TRACE", folder / "calls"}}, [&] {
      writeModel(folder / "m.kiln", withGpu(scaleModel()));
      model = loadModel(folder / "m.kiln");
      kiln_session_options options = onGpu();
      options.graph_memory = count * nodes * 64 * kilobyte;
      session = makeSession(model.get(), &options);
      ASSERT_TRUE(session);
      EXPECT_EQ(trace.newCalls()["cuGraphInstantiateWithFlags"], int(count));
      body();
      session.reset();
      model.reset();
    });
  }
  /// Runs with these dims and returns the number of graph updates.
  int run(int64_t batch, int64_t seq) {
    ScaleRun one(batch, seq);
    EXPECT_EQ(one.run(session.get()), 0u) << one.message;
    EXPECT_TRUE(one.right());
    std::map<std::string, int> calls = trace.newCalls();
    EXPECT_EQ(calls["cuGraphLaunch"], 1);
    EXPECT_EQ(calls["cuLaunchKernel"], 0);
    EXPECT_EQ(calls["cuGraphInstantiateWithFlags"], 0);
    return changes(calls);
  }
  TempFolder folder;
  Trace trace{folder / "calls"};
  ModelPtr model{nullptr, kiln_model_release};
  SessionPtr session{nullptr, kiln_session_release};
};

TEST_F(Graph, TheSameDimsChangeNothing) {
  withInstances(1, [&] {
    EXPECT_GT(run(2, 7), 0);
    EXPECT_EQ(run(2, 7), 0);
    EXPECT_GT(run(1, 7), 0);
    EXPECT_EQ(run(1, 7), 0);
  });
}

TEST_F(Graph, EveryInstanceKeepsItsDims) {
  withInstances(3, [&] {
    for (int64_t seq : {3, 4, 5})
      EXPECT_GT(run(1, seq), 0);
    for (int64_t seq : {4, 3, 5, 5, 3})
      EXPECT_EQ(run(1, seq), 0) << seq;
    EXPECT_GT(run(1, 6), 0); // evicts 4, the least recently used
    for (int64_t seq : {3, 5, 6})
      EXPECT_EQ(run(1, seq), 0) << seq;
    EXPECT_GT(run(1, 4), 0);
  });
}

TEST_F(Graph, PackageAndInspectionSayHowMany) {
  kiln::package::PackageContents contents = withGpu(scaleModel());
  contents.plan.graph_memory = 2 * nodes * 64 * kilobyte + 1;
  writeModel(folder / "n.kiln", contents);
  ModelPtr small = loadModel(folder / "n.kiln");
  kiln_graph_info info;
  ASSERT_FALSE(own(kiln_model_graph(small.get(), &info)));
  EXPECT_EQ(info.nodes, nodes);
  EXPECT_EQ(info.edges, 4u);
  EXPECT_EQ(info.depth, 4u);
  EXPECT_EQ(info.bytes, nodes * 64 * kilobyte);
  EXPECT_EQ(info.memory, contents.plan.graph_memory);
  EXPECT_EQ(info.instantiated, 2u);
  size_t count = 9;
  const uint32_t *before = kiln_model_step_dependencies(small.get(), 4, &count);
  ASSERT_EQ(count, 1u); // row sums and copy are independent
  EXPECT_EQ(before[0], 2u);
  EXPECT_EQ(kiln_model_step_dependencies(small.get(), 5, &count), nullptr);
  EXPECT_EQ(count, 0u);
}

/// Counts PDL edges of the graph, where a kernel starts before its predecessor has ended.
int graphEarlyEdges(const TempFolder &folder, Trace &trace,
                    const std::function<void(kiln::fb::PlanT &)> &change) {
  kiln::package::PackageContents contents = withGpu(scaleModel());
  change(contents.plan);
  writeModel(folder / "e.kiln", contents);
  ModelPtr model = loadModel(folder / "e.kiln");
  kiln_session_options options = onGpu();
  SessionPtr session = makeSession(model.get(), &options);
  ScaleRun one(3, 5);
  EXPECT_EQ(one.run(session.get()), 0u) << one.message;
  EXPECT_TRUE(one.right());
  return trace.newCalls()["cuGraphAddDependencies_v2"];
}

TEST_F(Graph, KernelsThatWaitByThemselvesComeEarly) {
  isolated({{"KILN_SIM_TRACE", folder / "calls"}}, [&] {
    using kiln::fb::PlanT;
    auto waits = [](PlanT &plan, size_t kernels) {
      for (size_t i = 0; i < kernels; ++i)
        plan.kernels[i]->blocks[1]->waits = true;
    };
    EXPECT_EQ(graphEarlyEdges(folder, trace, [&](PlanT &) {}), 0);
    // scale -> scale -> scale -> sums; the copy parallel to the sums is a normal node.
    EXPECT_EQ(graphEarlyEdges(folder, trace, [&](PlanT &plan) { waits(plan, 2); }), 3);
    EXPECT_EQ(graphEarlyEdges(folder, trace, [&](PlanT &plan) { waits(plan, 1); }), 2);
    // Zero rows mean no launch.
    EXPECT_EQ(graphEarlyEdges(folder, trace,
                              [&](PlanT &plan) {
                                waits(plan, 2);
                                plan.symbols[0]->min = 0;
                              }),
              0);
  });
}

TEST_F(Graph, NoGraphLaunchesEveryKernel) {
  isolated({{"KILN_SIM_TRACE", folder / "calls"}}, [&] {
    writeModel(folder / "m.kiln", withGpu(scaleModel()));
    ModelPtr whole = loadModel(folder / "m.kiln");
    kiln_session_options options = onGpu("sim", /*graph=*/false);
    SessionPtr steps = makeSession(whole.get(), &options);
    ScaleRun one(3, 5);
    EXPECT_EQ(one.run(steps.get()), 0u);
    EXPECT_TRUE(one.right());
    std::map<std::string, int> calls = trace.newCalls();
    EXPECT_EQ(calls["cuLaunchKernel"], 4);
    EXPECT_EQ(calls["cuMemcpyDtoDAsync_v2"], 1);
    EXPECT_EQ(calls["cuGraphCreate"] + calls["cuGraphLaunch"], 0);
  });
}

TEST_F(Graph, StepTimesAndLaunches) {
  isolated({}, [&] {
    writeModel(folder / "m.kiln", withGpu(scaleModel()));
    ModelPtr whole = loadModel(folder / "m.kiln");
    kiln_session_options options = onGpu();
    options.profile = 1;
    SessionPtr profiled = makeSession(whole.get(), &options);
    kiln_step_launch launch;
    EXPECT_EQ(
        kiln_status_code(own(kiln_session_step_launch(profiled.get(), 0, &launch)).get()),
        1u); // before the first run
    ScaleRun one(3, 5);
    EXPECT_EQ(one.run(profiled.get()), 0u);
    const uint64_t *times = kiln_session_step_times(profiled.get());
    ASSERT_TRUE(times);
    for (size_t i = 0; i < nodes; ++i)
      EXPECT_GT(times[i], 500u) << i; // the model's launch overhead alone is 2 us
    ASSERT_FALSE(own(kiln_session_step_launch(profiled.get(), 0, &launch)));
    EXPECT_EQ(launch.tasks, 3);
    EXPECT_EQ(launch.threads, 32u);
    EXPECT_GT(launch.blocks_per_multiprocessor, 0u);
    ASSERT_FALSE(own(kiln_session_step_launch(profiled.get(), 3, &launch)));
    EXPECT_EQ(launch.tasks, 60); // bytes of the copy
    EXPECT_EQ(launch.threads, 0u);
    EXPECT_EQ(
        kiln_status_code(own(kiln_session_step_launch(profiled.get(), 5, &launch)).get()),
        1u);
    const kiln_device_info *device = kiln_session_device(profiled.get());
    EXPECT_STREQ(device->name, "sim");
    EXPECT_STREQ(device->gpu, "NVIDIA H200");
    EXPECT_STREQ(device->target, "sm_80");
    EXPECT_EQ(device->capability, 90);
    EXPECT_EQ(device->multiprocessors, 132u);
    EXPECT_TRUE(device->simulated);
  });
}
} // namespace
