//===- control_rows_test.cpp - Control, barriers, fences, stacks -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Oracle: the integers that threads pass to each other.
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/rows/host.h"
#include "test/sim/exec/rows/rows.h"

#include <algorithm>

namespace kiln::sim::test {

namespace {
/// Runs `body` (see kernelOf) with `in` at a and 8 bytes per thread at c.
std::vector<uint64_t> runBody(const std::string &body, const Machine::Shape &shape,
                              const std::vector<uint32_t> &in = {0},
                              const std::string &target = "sm_90a") {
  Machine machine(target.starts_with("sm_10") ? "b200" : "h200");
  Outcome outcome = machine.load(kernelOf("k", body, 8), target);
  EXPECT_EQ(outcome.message, "") << body;
  size_t threads = shape.grid[0] * shape.block[0];
  auto a = machine.upload(in);
  auto c = machine.zeros<uint64_t>(threads);
  if (outcome.ok())
    outcome = machine.run("k", shape, a.address(), a.address(), c.address());
  EXPECT_EQ(outcome.message, "") << body;
  return std::vector<uint64_t>(c.data(), c.data() + threads);
}
const std::string store = " cvt.u64.u32 %d0, %r0; st.global.u64 [%pc], %d0;";
} // namespace

TEST(ControlRows, BarrierReductions) {
  // Votes over 96 threads with predicates "odd" and "below 5": popc, and, or.
  const std::string vote =
      "and.b32 %r1, %i, 1; setp.eq.u32 %p0, %r1, 1; setp.lt.u32 %p1, %i, 5;"
      "or.pred %p0, %p0, %p1;\n";
  for (const std::string name :
       {"bar.red", "barrier.cta.red", "barrier.red", "bar.cta.red"}) {
    std::string aligned = name == "barrier.red" ? ".aligned" : "";
    auto popc = runBody(vote + name + ".popc" + aligned + ".u32 %r0, 1, 96, %p0;" + store,
                        {.block = {96}});
    auto both =
        runBody(vote + name + ".and" + aligned + ".pred %p2, 2, !%p0; " + name + ".or" +
                    aligned + ".pred %p3, 3, %p1; selp.u32 %r0, 1, 0, %p2;" +
                    "@%p3 add.u32 %r0, %r0, 2;" + store,
                {.block = {96}});
    for (uint64_t count : popc)
      ASSERT_EQ(count, 48u + 3u) << name;
    for (uint64_t bits : both)
      ASSERT_EQ(bits, 2u) << name;
  }
}

TEST(ControlRows, ArriveAndSync) {
  // The second warp writes a word, arrives and continues; the first waits for it.
  for (const std::string name : {"bar", "barrier", "barrier.cta"}) {
    auto out =
        runBody(".shared .b32 s; setp.ge.u32 %p0, %i, 32; setp.eq.u32 %p1, %i, 32;\n"
                "mov.u32 %r0, 3; @%p1 st.shared.u32 [s], 77; @%p0 bra behind;\n" +
                    name + ".sync 1, 64; ld.shared.u32 %r0, [s]; bra end;\n" +
                    "behind: " + name + ".arrive 1, 64;\nend:" + store,
                {.block = {64}});
    for (size_t i = 0; i < 64; ++i)
      ASSERT_EQ(out[i], i < 32 ? 77u : 3u) << name;
  }
}

TEST(ControlRows, FencesPublish) {
  // Block 0 writes a word, fences and sets a flag; block 1 waits, fences and reads.
  const std::pair<const char *, const char *> pairs[] = {
      {"fence.acq_rel.gpu;", "fence.acq_rel.gpu;"},
      {"fence.sc.sys;", "fence.sc.sys;"},
      {"fence.release.gpu;", "fence.acquire.gpu;"},
      {"fence.release.cluster; fence.acq_rel.gpu;", "fence.acquire.sys;"},
      {"membar.gl;", "membar.sys;"},
      {"membar.proxy.alias; membar.gl;", "membar.gl; membar.proxy.alias;"},
      {"fence.proxy.alias; fence.acq_rel.gpu;", "fence.acq_rel.gpu; fence.proxy.alias;"},
      {"fence.proxy.tensormap::generic.release.gpu; fence.acq_rel.gpu;",
       "fence.acq_rel.gpu; and.b64 %d1, %a, -128;"
       "fence.proxy.tensormap::generic.acquire.gpu [%d1], 128;"}};
  for (auto [release, acquire] : pairs) {
    auto out =
        runBody(std::string("setp.ne.u32 %p0, %i, 0; @%p0 exit; mov.u32 %r1, %ctaid.x;\n"
                            "setp.eq.u32 %p1, %r1, 1; @%p1 bra reader;\n"
                            "st.global.u32 [%a], 41; ") +
                    release +
                    " st.relaxed.gpu.global.u32 [%a + 4], 1; exit;\n"
                    "reader: ld.relaxed.gpu.global.u32 %r2, [%a + 4];\n"
                    "setp.eq.u32 %p2, %r2, 0; @%p2 bra reader;\n" +
                    acquire + " ld.global.u32 %r0, [%a];" + store,
                {.grid = {2}}, {0, 0, 0, 0});
    EXPECT_EQ(out[0], 41u) << release;
  }
}

TEST(ControlRows, ClusterFences) {
  // Passes a word to the other block of the cluster, ordered by fences restricted to
  // spaces.
  const std::string fences[] = {
      "fence.release.sync_restrict::shared::cta.cluster;",
      "fence.acquire.sync_restrict::shared::cluster.cluster;",
      "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;",
      "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;"};
  auto out = runBody(
      ".shared .b32 s; .reg .b32 %o; mov.u32 %r1, s; mov.u32 %r2, %cluster_ctarank;\n"
      "setp.eq.u32 %p0, %i, 0; add.u32 %r3, %r2, 60; @%p0 st.shared.u32 [s], %r3;\n" +
          fences[0] + fences[2] +
          "barrier.cluster.arrive.release; barrier.cluster.wait.acquire;\n" + fences[1] +
          fences[3] +
          "xor.b32 %r4, %r2, 1; mapa.shared::cluster.u32 %r5, %r1, %r4;\n"
          "ld.shared::cluster.u32 %r0, [%r5];\n"
          "getctarank.shared::cluster.u32 %r6, %r5; mad.lo.u32 %r0, %r6, 1000, %r0;\n"
          "cvt.u64.u32 %d1, %r5; cvta.shared::cluster.u64 %d2, %d1;\n"
          "getctarank.u64 %r7, %d2; mad.lo.u32 %r0, %r7, 100000, %r0;\n"
          "mad.wide.u32 %pc, %r2, 256, %pc;\n" +
          store + "barrier.cluster.arrive; barrier.cluster.wait;",
      {.grid = {2}, .cluster = {2}});
  for (uint64_t i = 0; i < 64; ++i) {
    uint64_t other = i < 32;
    ASSERT_EQ(out[i], 60 + other + other * 1000 + other * 100000) << i;
  }
}

TEST(ControlRows, FloatReductions) {
  std::vector<std::vector<uint32_t>> warps(4, std::vector<uint32_t>(32));
  std::vector<uint64_t> edges = singleEdges();
  for (size_t w = 0; w < warps.size(); ++w)
    for (size_t i = 0; i < 32; ++i)
      warps[w][i] =
          uint32_t(edges[(w * 5 + i * (w + 1)) % (edges.size() - (w % 2 ? 3 : 0))]);
  warps[3].assign(32, 0x7fc00000);
  for (const auto &values : warps)
    for (int n = 0; n < 8; ++n) {
      bool most = n & 1, absolute = n & 2, nanWins = n & 4, anyNan = false;
      float best = NAN;
      for (uint32_t bits : values) {
        float x = absolute ? std::fabs(single(bits)) : single(bits);
        anyNan |= std::isnan(x);
        bool less = best == x ? std::signbit(x) : x < best;
        if (!std::isnan(x) &&
            (std::isnan(best) || (best != x ? less != most : less != most)))
          best = x;
      }
      uint64_t expected = nanWins && anyNan ? SingleNan : bitsOf(best);
      std::string name = std::string("redux.sync.") + (most ? "max" : "min") +
                         (absolute ? ".abs" : "") + (nanWins ? ".NaN" : "") + ".f32";
      auto out = runBody("mad.wide.u32 %d1, %i, 4, %a; ld.global.u32 %r1, [%d1];\n" +
                             name + " %r0, %r1, 0xffffffff;" + store,
                         {}, values, "sm_100a");
      for (uint64_t got : out)
        ASSERT_EQ(got, expected) << name;
    }
}

TEST(ControlRows, StackMemory) {
  // Two allocations at once; one is released and its memory used again.
  auto out = runBody(
      "stacksave.u64 %d1; mul.lo.u32 %r1, %i, 8; add.u32 %r1, %r1, 16;\n"
      "cvt.u64.u32 %d2, %r1; alloca.u64 %d3, %d2; st.local.u32 [%d3], %i;\n"
      "alloca.u64 %d4, 64, 32; st.local.u32 [%d4 + 60], 5;\n"
      "and.b64 %d5, %d4, 31; cvt.u32.u64 %r5, %d5;\n" // aligned to 32
      "ld.local.u32 %r2, [%d3]; ld.local.u32 %r3, [%d4 + 60];\n"
      "stackrestore.u64 %d1; alloca.u64 %d6, 16; setp.eq.u64 %p0, %d6, %d3;\n"
      "add.u32 %r0, %r2, %r3; add.u32 %r0, %r0, %r5; @%p0 add.u32 %r0, %r0, 1000;" +
          store,
      {});
  for (uint64_t i = 0; i < 32; ++i)
    ASSERT_EQ(out[i], i + 5 + out[i] / 1000 * 1000);
}

TEST(ControlRows, MarksChangeNothing) {
  auto out = runBody(
      "mov.u32 %r0, %i; pmevent 3; pmevent.mask 0x81; brkpt; nanosleep.u32 20;" + store,
      {});
  for (uint64_t i = 0; i < 32; ++i)
    ASSERT_EQ(out[i], i);
}

TEST(ControlRows, TrapEndsTheLaunch) {
  Machine machine;
  ASSERT_EQ(machine.load(kernelOf("k", "setp.eq.u32 %p0, %i, 9; @%p0 trap;")).message,
            "");
  auto a = machine.zeros<uint32_t>(1);
  Outcome outcome = machine.run("k", {}, a.address(), a.address(), a.address());
  EXPECT_EQ(outcome.cuda, 719);
  EXPECT_NE(outcome.message.find("trap"), std::string::npos) << outcome.message;
  EXPECT_NE(outcome.message.find("lane 9"), std::string::npos) << outcome.message;
}

} // namespace kiln::sim::test
