//===- run_test.cpp - kiln-ptx run ----------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/tool/npy.h"
#include "test/sim/tool/tool_test.h"

#include <cstring>

using namespace kiln::sim::tool;
using testing::HasSubstr;

namespace {

class RunKernel : public Folder {
protected:
  RunKernel() {
    std::vector<float> values(count);
    for (uint32_t i = 0; i < count; ++i)
      values[i] = float(i);
    Array array{"<f4", {10, 10}, std::vector<uint8_t>(count * sizeof(float))};
    std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
    std::string problem;
    EXPECT_TRUE(writeNpy(file("in.npy"), array, problem)) << problem;
  }

  Outcome scale(const std::string &n, const Arguments &more = {}) {
    Arguments arguments = {"run",     input("scale.ptx"),
                           "--grid",  "4",
                           "--block", "32",
                           "--arg",   "f32[10,10]:" + file("out.npy"),
                           "--arg",   file("in.npy"),
                           "--arg",   "f32:2.5",
                           "--arg",   "u32:" + n};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return kilnPtx(arguments);
  }

  static constexpr uint32_t count = 100;
};

TEST_F(RunKernel, WritesTheResult) {
  Outcome outcome = scale("90");
  ASSERT_EQ(outcome.code, Success) << outcome.err;
  Array result;
  std::string problem;
  ASSERT_TRUE(readNpy(file("out.npy"), result, problem)) << problem;
  EXPECT_EQ(result.shape, (std::vector<uint64_t>{10, 10}));
  std::vector<float> values(count);
  std::memcpy(values.data(), result.bytes.data(), result.bytes.size());
  for (uint32_t i = 0; i < count; ++i)
    EXPECT_EQ(values[i], i < 90 ? float(i) * 2.5f : 0.0f) << i;
}

TEST_F(RunKernel, ReportsWhatTheKernelDidWrong) {
  Outcome outcome = scale("120");
  EXPECT_EQ(outcome.code, Failure);
  EXPECT_THAT(outcome.err, HasSubstr("CUDA error 700"));
  EXPECT_FALSE(std::filesystem::exists(file("out.npy")));
}

TEST_F(RunKernel, ChecksArgumentsAndLimits) {
  EXPECT_EQ(kilnPtx({"run", input("scale.ptx")}).code, UsageError);
  EXPECT_EQ(scale("90", {"--arg", "u32:1"}).code, UsageError) << "one too many";
  EXPECT_EQ(scale("90", {"--kernel", "other"}).code, UsageError);
  EXPECT_EQ(scale("90", {"--block", "4096"}).code, Failure);
  EXPECT_EQ(scale("90", {"--device", "a100"}).code, Success);
  Outcome wide = kilnPtx({"run", input("scale.ptx"), "--arg", "f32[1]", "--arg", "f32[1]",
                          "--arg", "f64:1", "--arg", "u32:1"});
  EXPECT_EQ(wide.code, UsageError);
  EXPECT_THAT(wide.err, HasSubstr("argument 3 has 8 bytes, the kernel takes 4"));
  EXPECT_EQ(kilnPtx({"run", file("missing.ptx")}).code, BadFile);
  EXPECT_EQ(kilnPtx({"run", file("bad.ptx", ".version 8.0\n")}).code, BadFile);
}

} // namespace
