//===- NvtxTest.cpp ------------------------------------------------------ ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX ranges for profilers.
//
//===----------------------------------------------------------------------===//
#include "GpuModels.h"
#include <gtest/gtest.h>

using namespace kiln::test;

namespace {
/// Returns the ranges that a profiler records in a run of the model.
std::string ranges(const TempFolder &folder,
                   std::map<std::string, std::string> environment, bool graph) {
  environment["FAKE_NVTX_LOG"] = folder / "log";
  writeFile(folder / "log", "");
  isolated(environment, [&] {
    writeModel(folder / "m.kiln", withGpu(scaleModel()));
    ModelPtr model = loadModel(folder / "m.kiln");
    kiln_session_options options = onGpu("sim", graph);
    SessionPtr session = makeSession(model.get(), &options);
    ScaleRun run(1, 2);
    EXPECT_EQ(run.run(session.get()), 0u);
  });
  return readFile(folder / "log");
}

const std::map<std::string, std::string> injected = {
    {"NVTX_INJECTION64_PATH", KILN_TEST_NVTX_INJECTION}};

TEST(Nvtx, ARunIsARange) {
  TempFolder folder;
  EXPECT_EQ(ranges(folder, injected, /*graph=*/true), folder / "m.kiln" + "\n");
}

TEST(Nvtx, StepsAreRangesWithTheirNodes) {
  TempFolder folder;
  EXPECT_EQ(ranges(folder, injected, /*graph=*/false),
            folder / "m.kiln" + "\n" +
                "  step 0 (kernel \"scale\"), node node0\n"
                "  step 1 (kernel \"scale\"), node node1\n"
                "  step 2 (kernel \"scale\"), node node2\n"
                "  step 3 (copy)\n"
                "  step 4 (kernel \"row_sum\"), node node4\n");
}

TEST(Nvtx, ToolsThatAreAbsentOrWrongAreIgnored) {
  TempFolder folder;
  EXPECT_EQ(ranges(folder, {}, true), "");
  EXPECT_EQ(ranges(folder, {{"NVTX_INJECTION64_PATH", "libno-such-tool.so"}}, true), "");
  EXPECT_EQ(ranges(folder, {{"NVTX_INJECTION64_PATH", "libc.so.6"}}, true), "");
}
} // namespace
