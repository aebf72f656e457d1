//===- VariantsTest.cpp ---------------------------------------------- ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selection of kernel variants by the dims of a run. Each variant of the kernel computes
// something else, so that results show which one ran.
//
//===----------------------------------------------------------------------===//
#include "GpuModels.h"
#include <gtest/gtest.h>

using namespace kiln::test;
using kiln::package::PackageContents;
namespace fb = kiln::fb;

/// Returns a model that computes 2x + 1 in general, 2x + 2 up to 8 columns, 2x up to 64.
static PackageContents threeWays() {
  PackageContents contents = withGpu(scaleModel());
  uint32_t seq = symbolOf(contents.plan, 1);
  addVariant(contents, seq, 8, "add.rn.f32 %x, %x, %y;");
  addVariant(contents, seq, 64, "mul.rn.f32 %x, %x, %z;");
  return contents;
}

/// Returns the expected value after three launches.
static float expected(float x, int64_t seq) {
  float shift = seq <= 8 ? 2.f : seq <= 64 ? 0.f : 1.f;
  for (int i = 0; i < 3; ++i)
    x = x * 2 + shift;
  return x;
}

namespace {
class Variants : public testing::Test {
protected:
  void open(bool graph, uint64_t instances = 1) {
    writeModel(folder / "m.kiln", threeWays());
    model = loadModel(folder / "m.kiln");
    kiln_session_options options = onGpu("sim", graph);
    options.graph_memory = instances * 5 * (64 << 10);
    session = makeSession(model.get(), &options);
    ASSERT_TRUE(session);
  }
  void run(int64_t batch, int64_t seq) {
    ScaleRun one(batch, seq);
    ASSERT_EQ(one.run(session.get()), 0u) << one.message;
    for (size_t i = 0; i < one.y.data.size(); ++i)
      ASSERT_EQ(one.y.data[i], expected(one.x.data[i], seq)) << seq << " at " << i;
  }
  std::string codeOf(size_t step) {
    kiln_step_launch launch;
    EXPECT_FALSE(own(kiln_session_step_launch(session.get(), step, &launch)));
    return launch.code ? launch.code : "";
  }
  void close() {
    session.reset();
    model.reset();
  }
  TempFolder folder;
  ModelPtr model{nullptr, kiln_model_release};
  SessionPtr session{nullptr, kiln_session_release};
};

TEST_F(Variants, TheFirstWhoseBoundHoldsRuns) {
  for (bool graph : {true, false})
    isolated({}, [&] {
      open(graph);
      for (auto [seq, code] : {std::pair(1, "scale_rows8"),
                               {8, "scale_rows8"},
                               {9, "scale_rows64"},
                               {64, "scale_rows64"},
                               {65, "scale"},
                               {256, "scale"},
                               {8, "scale_rows8"},
                               {65, "scale"}}) {
        run(3, seq);
        EXPECT_EQ(codeOf(0), code) << seq;
        EXPECT_EQ(codeOf(3), "") << "a copy";
        EXPECT_EQ(codeOf(4), "row_sum");
      }
      close();
    });
}

TEST_F(Variants, GraphsChangeFunctionsAndInstantiateNothing) {
  isolated({{"KILN_SIM_TRACE", folder / "calls"}}, [&] {
    Trace trace{folder / "calls"};
    open(/*graph=*/true, /*instances=*/2);
    std::map<std::string, int> calls = trace.newCalls();
    // Two kernels and two variants are loaded before the first run.
    EXPECT_EQ(calls["cuModuleLoadDataEx"], 4);
    EXPECT_EQ(calls["cuModuleGetFunction"], 4);
    EXPECT_EQ(calls["cuGraphInstantiateWithFlags"], 2);
    for (int64_t seq : {8, 65}) { // one graph instance each
      run(2, seq);
      EXPECT_GT(trace.newCalls()["cuGraphExecKernelNodeSetParams_v2"], 0);
    }
    for (int64_t seq : {8, 65, 8}) {
      run(2, seq);
      EXPECT_EQ(trace.newCalls()["cuGraphExecKernelNodeSetParams_v2"], 0) << seq;
    }
    run(2, 64); // evicts 65
    calls = trace.newCalls();
    EXPECT_EQ(calls["cuGraphExecKernelNodeSetParams_v2"], 4);
    EXPECT_EQ(calls["cuModuleLoadDataEx"] + calls["cuGraphInstantiateWithFlags"] +
                  calls["cuFuncSetAttribute"] + calls["cuMemAlloc_v2"],
              0);
    close();
  });
}

/// Counts PDL edges, where a kernel starts before its predecessor has ended.
int earlyEdges(const TempFolder &folder, Trace &trace,
               const std::function<void(fb::PlanT &)> &change) {
  PackageContents contents = threeWays();
  for (auto &kernel : contents.plan.kernels) {
    kernel->blocks[1]->waits = true;
    for (auto &variant : kernel->variants)
      variant->block->waits = true;
  }
  change(contents.plan);
  writeModel(folder / "e.kiln", contents);
  ModelPtr model = loadModel(folder / "e.kiln");
  kiln_session_options options = onGpu();
  SessionPtr session = makeSession(model.get(), &options);
  EXPECT_TRUE(session);
  return trace.newCalls()["cuGraphAddDependencies_v2"];
}

TEST_F(Variants, EdgesHoldForEveryOne) {
  isolated({{"KILN_SIM_TRACE", folder / "calls"}}, [&] {
    Trace trace{folder / "calls"};
    EXPECT_EQ(earlyEdges(folder, trace, [](fb::PlanT &) {}), 3);
    // PDL is off if one variant does not wait, or has no work for some dims.
    EXPECT_EQ(earlyEdges(folder, trace,
                         [](fb::PlanT &plan) {
                           plan.kernels[0]->variants[1]->block->waits = false;
                         }),
              0);
    EXPECT_EQ(earlyEdges(folder, trace,
                         [](fb::PlanT &plan) {
                           plan.kernels[0]->variants[0]->grid = constant(plan, 0);
                         }),
              0);
  });
}

TEST_F(Variants, AModelSaysWhatItHas) {
  isolated({}, [&] {
    open(/*graph=*/true);
    ASSERT_EQ(kiln_model_variant_count(model.get(), 0), 2u);
    const kiln_variant_info &second = *kiln_model_variant(model.get(), 0, 1);
    EXPECT_STREQ(second.name, "scale_rows64");
    ASSERT_EQ(second.bound_count, 1u);
    EXPECT_STREQ(second.when[0].value, "seq");
    EXPECT_EQ(second.when[0].max, 64);
    EXPECT_EQ(second.target, 1u);
    std::string text = kiln_model_variant_ptx(model.get(), 0, 1);
    EXPECT_NE(text.find(".entry scale_rows64("), std::string::npos);
    int64_t rows = 0, dims[] = {3, 70};
    ASSERT_FALSE(own(kiln_model_variant_bounds(model.get(), 0, 1, dims, &rows)));
    EXPECT_EQ(rows, 70);
    EXPECT_EQ(kiln_status_code(
                  own(kiln_model_variant_bounds(model.get(), 0, 1, nullptr, &rows)).get()),
              1u);
    EXPECT_EQ(kiln_model_variant_count(model.get(), 1), 0u);
    EXPECT_EQ(kiln_model_variant_count(model.get(), 9), 0u);
    EXPECT_EQ(kiln_model_variant(model.get(), 0, 2), nullptr);
    EXPECT_EQ(kiln_model_variant_ptx(model.get(), 1, 0), nullptr);
    EXPECT_EQ(
        kiln_status_code(own(kiln_model_variant_bounds(model.get(), 1, 0, dims, &rows)).get()),
        1u);
    close();
  });
}
} // namespace
