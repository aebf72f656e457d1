//===- counters_test.cpp - Counters of launches ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/memory/tensor_map.h"
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
  // 8 warps; each loads and stores 128 bytes in 4 sectors; words two apart in shared
  // memory use every second bank twice.
  for (const char *part :
       {"\"kernel\":\"k\"", "\"block\":[256,1,1]", "\"flops\":{\"f32\":512}",
        "\"global\":{\"reads\":8,\"writes\":8,\"bytes\":2048,\"sectors\":64,"
        "\"distinct_sectors\":64}",
        "\"shared\":{\"reads\":0,\"writes\":8,\"bytes\":1024,\"bank_conflicts\":8,"
        "\"conflict_lines\":[[16,8]]}"})
    EXPECT_NE(line.find(part), std::string::npos) << part << "\n" << line;
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
  EXPECT_EQ(outcome.cost.f32Flops, 512u);
  EXPECT_EQ(outcome.cost.globalBytes, 2048u);
}

namespace {
/// Runs kernel k and returns its line of counters.
std::string countersOf(const std::string &text, const Machine::Shape &shape,
                       LaunchCost *cost = nullptr) {
  std::string path = temporaryFile("counters-of.json");
  Setting setting("KILN_SIM_COUNTERS", path);
  Machine machine;
  EXPECT_EQ(machine.load(text).message, "");
  auto a = machine.upload(std::vector<uint32_t>(4096, 1)),
       c = machine.zeros<uint32_t>(4096);
  Outcome outcome = machine.run("k", shape, a.address(), a.address(), c.address());
  EXPECT_EQ(outcome.message, "");
  if (cost)
    *cost = outcome.cost;
  return contents(path);
}

void expectParts(const std::string &line, std::initializer_list<const char *> parts) {
  for (const char *part : parts)
    EXPECT_NE(line.find(part), std::string::npos) << part << "\n" << line;
}
} // namespace

TEST(Counters, SectorsAndConflictsByStride) {
  // Words 12 bytes apart: a warp spans 31 * 12 + 4 = 376 bytes, 12 sectors of 32. In
  // shared memory words 3 apart are in different banks, words 32 apart in the same one.
  // With 16-byte accesses 32 bytes apart, each quarter warp uses each bank twice.
  std::string line = countersOf(".shared .align 16 .b8 s[8192];\n" + kernelOf("k", R"(
        mad.wide.u32 %d0, %i, 12, %a; ld.global.u32 %r0, [%d0];
        mov.u32 %r1, s; mad.lo.u32 %r2, %i, 12, %r1; st.shared.u32 [%r2], %r0; bar.warp.sync -1;
        mad.lo.u32 %r2, %i, 128, %r1; st.shared.u32 [%r2], %r0; bar.warp.sync -1;
        mad.lo.u32 %r2, %i, 32, %r1; st.shared.v4.u32 [%r2], {%r0, %r0, %r0, %r0};
        atom.global.add.u32 %r3, [%c], 1; red.global.add.u32 [%c], 1;)"),
                                {.block = {32}});
  // One load and two atomics on one word: 12 + 1 + 1 sectors, 13 of them distinct.
  expectParts(line, {"\"global\":{\"reads\":3,\"writes\":0,\"bytes\":384,\"sectors\":14,"
                     "\"distinct_sectors\":13}",
                     "\"shared\":{\"reads\":0,\"writes\":3,\"bytes\":768,"
                     "\"bank_conflicts\":35," // 0 + 31 + 4 * 1
                     "\"conflict_lines\":[[17,31],[18,4]]}",
                     "\"atomics\":64,"});
}

TEST(Counters, CopiesOfThreadsAreOneRequest) {
  // Each lane copies 16 bytes, the last but 4 and one none: 512 - 16 contiguous bytes in
  // 16 sectors. They are written 16 bytes apart, then 32 bytes apart, where each quarter
  // warp uses each bank twice. A fourth copy has 8 bytes per lane.
  std::string line = countersOf(".shared .align 16 .b8 s[2048];\n" + kernelOf("k", R"(
        mad.wide.u32 %d0, %i, 16, %a; mov.u32 %r1, s; mad.lo.u32 %r2, %i, 16, %r1;
        setp.eq.u32 %p0, %i, 31; selp.u32 %r4, 4, 16, %p0;
        setp.eq.u32 %p1, %i, 5; selp.u32 %r4, 0, %r4, %p1;
        cp.async.cg.shared.global [%r2], [%d0], 16, %r4; cp.async.commit_group;
        mad.lo.u32 %r3, %i, 32, %r1; cp.async.wait_group 0; bar.warp.sync -1;
        cp.async.cg.shared.global [%r3], [%d0], 16;
        cp.async.commit_group; cp.async.wait_group 0; bar.warp.sync -1;
        mad.wide.u32 %d0, %i, 8, %a; mad.lo.u32 %r2, %i, 8, %r1;
        cp.async.ca.shared.global [%r2], [%d0], 8;)"),
                                {.block = {32}});
  expectParts(line, {"\"bytes\":1252,\"sectors\":40,\"distinct_sectors\":16}",
                     "\"bank_conflicts\":4,\"conflict_lines\":[[20,4]]}"});
}

TEST(Counters, MatricesAreReadEightRowsAtATime) {
  // Contiguous rows of 16 bytes use all banks; rows 64 bytes apart use 2 groups of 4
  // banks, 4 times each, for each of 4 matrices.
  std::string line = countersOf(".shared .align 16 .b8 s[2048];\n" + kernelOf("k", R"(
        mov.u32 %r1, s; mad.lo.u32 %r2, %i, 64, %r1; mov.u32 %r0, 0;
        st.shared.v4.u32 [%r2], {%r0, %r0, %r0, %r0}; st.shared.v4.u32 [%r2+16], {%r0, %r0, %r0, %r0};
        st.shared.v4.u32 [%r2+32], {%r0, %r0, %r0, %r0}; st.shared.v4.u32 [%r2+48], {%r0, %r0, %r0, %r0};
        bar.warp.sync -1; mad.lo.u32 %r3, %i, 16, %r1;
        ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%r3];
        ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%r2];)"),
                                {.block = {32}});
  // The stores are 64 bytes apart too.
  expectParts(line, {"\"conflict_lines\":[[16,24],[17,24],[20,12]]}"});
}

TEST(Counters, RowsOfMatrices) {
  // Eight rows of 16 bytes take one cycle if they are in different banks, as contiguous
  // rows are; 128 bytes apart all eight are in the same banks. Four matrices take four
  // such phases.
  std::string line = countersOf(".shared .align 128 .b8 s[4096];\n" + kernelOf("k", R"(
        mov.u32 %r1, s; mad.lo.u32 %r2, %i, 128, %r1; mad.lo.u32 %r3, %i, 16, %r1;
        mov.u32 %r4, 0; clear: mad.lo.u32 %r5, %r4, 128, %r1; mad.lo.u32 %r5, %i, 4, %r5;
        st.shared.u32 [%r5], %r4; add.u32 %r4, %r4, 1; setp.lt.u32 %p0, %r4, 32; @%p0 bra clear;
        bar.warp.sync -1;
        ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r6, %r7, %r8, %r9}, [%r3];
        ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r6, %r7, %r8, %r9}, [%r2]; bar.warp.sync -1;
        stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r2], {%r6, %r7};)"),
                                {.block = {32}});
  expectParts(line, {"\"shared\":{\"reads\":2,\"writes\":33,\"bytes\":5376,"
                     "\"bank_conflicts\":42,"}); // 4 * 7 + 2 * 7
}

TEST(Counters, Barriers) {
  // 3 warps: 4 rounds of bar.sync and one bar.red; warp 0's lanes arrive at an mbarrier
  // of count 32, and all 96 threads test it once.
  std::string line = countersOf(".shared .align 8 .b64 m;\n" + kernelOf("k", R"(
        setp.eq.u32 %p0, %i, 0; @%p0 mbarrier.init.shared.b64 [m], 32; mov.u32 %r0, 0;
        again: bar.sync 0; add.u32 %r0, %r0, 1; setp.lt.u32 %p1, %r0, 4; @%p1 bra again;
        bar.red.popc.u32 %r1, 1, %p1; setp.lt.u32 %p2, %i, 32;
        @%p2 mbarrier.arrive.shared.b64 _, [m]; bar.sync 0;
        mbarrier.test_wait.parity.shared.b64 %p3, [m], 0;)"),
                                {.block = {96}});
  expectParts(line, {"\"barriers\":{\"block\":18,\"cluster\":0,\"mbarrier_arrivals\":32,"
                     "\"mbarrier_waits\":96}"});
}

TEST(Counters, Copies) {
  // Two blocks; each loads 256 bytes with one copy and stores 128 of them with another.
  LaunchCost cost;
  std::string line = countersOf(
      ".shared .align 16 .b8 s[256]; .shared .align 8 .b64 m;\n" + kernelOf("k", R"(
        setp.ne.u32 %p0, %i, 0; @%p0 exit; mov.u32 %r1, s; mov.u32 %r2, m;
        mbarrier.init.shared.b64 [m], 1; fence.proxy.async; mov.u32 %r3, %ctaid.x;
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [m], 256;
        cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%a], 256, [%r2];
        wait: mbarrier.try_wait.parity.shared::cta.b64 %p1, [m], 0; @!%p1 bra wait;
        mad.wide.u32 %d0, %r3, 128, %c;
        cp.async.bulk.global.shared::cta.bulk_group [%d0], [%r1], 128;
        cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;)"),
      {.grid = {2}, .block = {32}}, &cost);
  expectParts(line, {"\"tma\":{\"boxes\":0,\"copies\":4,\"global_bytes\":768,"
                     "\"shared_bytes\":768}",
                     "\"mbarrier_arrivals\":2,"});
  EXPECT_EQ(cost.globalBytes, 768u);
}

TEST(Counters, TensorCopies) {
  // Boxes of 8 x 4 words of a 32 x 16 tensor: one inside, one half out of bounds in
  // columns (that half is filled), and a store with two rows out of bounds.
  const std::string text = R"(
    .shared .align 128 .b8 s[256]; .shared .align 8 .b64 m;
    .entry k(.param .align 64 .b8 map[128]) {
      .reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %d;
      mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; @%p0 exit;
      mov.b64 %d, map; cvta.param.u64 %d, %d; mov.u32 %r1, s; add.u32 %r2, %r1, 128; mov.u32 %r3, m;
      mbarrier.init.shared.b64 [m], 1; fence.proxy.async;
      mbarrier.arrive.expect_tx.shared::cta.b64 _, [m], 256;
      cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d, {0, 0}], [%r3];
      cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%d, {28, 4}], [%r3];
      wait: mbarrier.try_wait.parity.shared::cta.b64 %p1, [m], 0; @!%p1 bra wait;
      cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%d, {0, 14}], [%r1];
      cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
    })";
  std::string path = temporaryFile("counters-tensor.json");
  Setting setting("KILN_SIM_COUNTERS", path);
  Machine machine;
  ASSERT_EQ(machine.load(text).message, "");
  std::vector<uint32_t> words(32 * 16);
  for (size_t i = 0; i < words.size(); ++i)
    words[i] = uint32_t(i);
  auto tensor = machine.upload(words);
  TensorMap map = {};
  map.magic = TensorMap::Valid;
  map.globalAddress = tensor.address();
  map.rank = 2;
  map.element = TensorMap::U32;
  map.strides[0] = 32 * 4;
  map.extentLess1[0] = 31;
  map.extentLess1[1] = 15;
  map.box[0] = 8;
  map.box[1] = 4;
  map.elementStrides[0] = map.elementStrides[1] = 1;
  Outcome outcome = machine.run("k", {.block = {32}}, map);
  ASSERT_EQ(outcome.message, "");
  EXPECT_EQ(tensor[14 * 32 + 7], 7u);
  EXPECT_EQ(tensor[15 * 32], 32u);
  // 4 rows of 32 bytes, 4 of 16, 2 of 32; in shared memory three full boxes.
  expectParts(contents(path),
              {"\"tma\":{\"boxes\":3,\"copies\":0,\"global_bytes\":256,"
               "\"shared_bytes\":384}",
               "\"global\":{\"reads\":8,\"writes\":2,\"bytes\":256,\"sectors\":10,"
               "\"distinct_sectors\":10}"});
  EXPECT_EQ(outcome.cost.globalBytes, 256u);
}

TEST(Counters, CostsAreThoseOfALaunchWithoutCounters) {
  const std::string text = kernelOf("k", R"(
    ld.global.f32 %f0, [%pa]; fma.rn.f32 %f1, %f0, %f0, %f0; and.b32 %r0, %i, 3;
    setp.eq.u32 %p0, %r0, 0; @%p0 add.f32 %f1, %f1, %f0; @!%p0 bra end;
    st.global.v2.f32 [%pc], {%f1, %f1}; end:)",
                                    8);
  LaunchCost with, without;
  countersOf(text, {.block = {64}}, &with);
  Machine machine;
  ASSERT_EQ(machine.load(text).message, "");
  auto a = machine.upload(std::vector<uint32_t>(128, 1)),
       c = machine.zeros<uint32_t>(128);
  Outcome outcome =
      machine.run("k", {.block = {64}}, a.address(), a.address(), c.address());
  ASSERT_EQ(outcome.message, "");
  without = outcome.cost;
  EXPECT_EQ(without.globalBytes, 64u * 4 + 16 * 8);
  EXPECT_EQ(without.f32Flops, 64u * 2 + 16);
  EXPECT_EQ(without.warpInstructions, with.warpInstructions);
  EXPECT_EQ(without.globalBytes, with.globalBytes);
  EXPECT_EQ(without.f32Flops, with.f32Flops);
  EXPECT_EQ(without.tensorFlops, 0u);
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
