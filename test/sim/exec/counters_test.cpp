//===- counters_test.cpp - Counters of launches ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/harness.h"

#include <cstdio>
#include <fstream>

namespace kiln::sim::test {

namespace {
std::string temporaryFile(const std::string &name) {
  std::string path = testing::TempDir() + "kiln-" + name;
  remove(path.c_str());
  return path;
}

std::string contents(const std::string &path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}
} // namespace

TEST(Counters, OneLineALaunch) {
  std::string path = temporaryFile("counters.json");
  Setting setting("KILN_SIM_COUNTERS", path);
  Machine machine;
  std::string text = ".shared .align 4 .b8 s[4096];\n" + kernelOf("k", R"(
    ld.global.f32 %f0, [%pa]; fma.rn.f32 %f1, %f0, %f0, %f0;
    mov.u32 %r0, s; mad.lo.u32 %r1, %i, 8, %r0; st.shared.f32 [%r1], %f1;
    st.global.f32 [%pc], %f1;)");
  ASSERT_EQ(machine.load(text).message, "");
  auto a = machine.upload(std::vector<float>(256, 2.0f));
  auto c = machine.zeros<float>(256);
  Outcome outcome =
      machine.run("k", {.block = {256}}, a.address(), a.address(), c.address());
  ASSERT_EQ(outcome.message, "");
  EXPECT_EQ(c[200], 6.0f);
  std::string line = contents(path);
  // 8 warps; a load and a store of 1 KiB each in 8 * 4 sectors each; words two apart in
  // shared memory use every second bank twice.
  for (const char *part :
       {"\"kernel\":\"k\"", "\"block\":[256,1,1]", "\"flops\":{\"f32\":512}",
        "\"global\":{\"reads\":8,\"writes\":8,\"bytes\":2048,\"sectors\":64,"
        "\"distinct_sectors\":64}",
        "\"shared\":{\"reads\":0,\"writes\":8,\"bytes\":1024,\"bank_conflicts\":8}"})
    EXPECT_NE(line.find(part), std::string::npos) << part << "\n" << line;
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
  EXPECT_EQ(outcome.cost.f32Flops, 512u);
  EXPECT_EQ(outcome.cost.globalBytes, 2048u);
}

TEST(Counters, CoverageNamesExecutedRows) {
  std::string path = temporaryFile("coverage.txt");
  Setting setting("KILN_SIM_COVERAGE", path);
  Machine machine;
  ASSERT_EQ(machine
                .load(kernelOf("k", "popc.b32 %r0, %i; setp.gt.u32 %p0, %i, 99;\n"
                                    "@%p0 brev.b32 %r0, %i; st.global.u32 [%pc], %r0;"))
                .message,
            "");
  auto c = machine.zeros<uint32_t>(32);
  machine.run("k", {.block = {32}}, c.address(), c.address(), c.address());
  std::string text = contents(path);
  EXPECT_NE(text.find("popc"), std::string::npos) << text;
  EXPECT_EQ(text.find("brev"), std::string::npos) << "no lane ran it\n" << text;
}

} // namespace kiln::sim::test
