//===- control_test.cpp - Divergence, calls, barriers, schedules -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/harness.h"

namespace kiln::sim::test {

namespace {
const std::vector<std::string> schedules = {
    "eager,forward",    "eager,reverse",     "eager,random,7",
    "late,forward",     "late,reverse",      "late,random,8",
    "random,forward,9", "random,reverse,10", "random,random,11"};

/// Runs a kernel of kernelOf with %c as output and returns what it wrote.
std::vector<uint32_t> outputs(const std::string &ptx, uint32_t threads, Outcome &outcome,
                              uint32_t blocks = 1) {
  Machine machine;
  outcome = machine.load(ptx);
  if (!outcome.ok())
    return {};
  Buffer<uint32_t> out = machine.zeros<uint32_t>(threads);
  outcome = machine.run("k", {.grid = {blocks}, .block = {threads}}, uint64_t(0),
                        uint64_t(0), out.address());
  return std::vector<uint32_t>(out.data(), out.data() + threads);
}
} // namespace

TEST(Control, LoopsOfDifferentLengthsComeTogether) {
  // Each lane adds 1..tid, then all vote: the ballot must contain all lanes.
  std::string body = R"(
    mov.u32 %r0, 0; mov.u32 %r1, 0;
    LOOP: setp.ge.u32 %p0, %r1, %i; @%p0 bra DONE;
    add.u32 %r1, %r1, 1; add.u32 %r0, %r0, %r1; bra LOOP;
    DONE: activemask.b32 %r2; setp.eq.u32 %p1, %r2, 0xffffffff;
    selp.b32 %r3, 1000000, 0, %p1; add.u32 %r0, %r0, %r3;
    st.global.u32 [%pc], %r0;)";
  Outcome outcome;
  std::vector<uint32_t> out = outputs(kernelOf("k", body), 64, outcome);
  ASSERT_EQ(outcome.message, "");
  for (uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(out[i], 1000000 + i * (i + 1) / 2) << i;
}

TEST(Control, BranchTables) {
  std::string body = R"(
    and.b32 %r0, %i, 3;
    TS: .branchtargets L0, L1, L2, L3;
    brx.idx %r0, TS;
    L0: mov.u32 %r1, 10; bra OUT;
    L1: mov.u32 %r1, 20; bra OUT;
    L2: mov.u32 %r1, 30; bra OUT;
    L3: mov.u32 %r1, 40;
    OUT: st.global.u32 [%pc], %r1;)";
  Outcome outcome;
  std::vector<uint32_t> out = outputs(kernelOf("k", body), 32, outcome);
  ASSERT_EQ(outcome.message, "");
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], 10 * (i % 4 + 1));
}

TEST(Control, RecursionByLaneAndIndirectCalls) {
  std::string functions = R"(
    .func (.param .b32 r) fib (.param .b32 n) {
      .reg .b32 %r<6>; .reg .pred %p;
      ld.param.b32 %r0, [n]; setp.lt.u32 %p, %r0, 2; @%p bra BASE;
      sub.u32 %r1, %r0, 1;
      { .param .b32 a; .param .b32 o; st.param.b32 [a], %r1;
        call (o), fib, (a); ld.param.b32 %r2, [o]; }
      sub.u32 %r1, %r0, 2;
      { .param .b32 a; .param .b32 o; st.param.b32 [a], %r1;
        call (o), fib, (a); ld.param.b32 %r3, [o]; }
      add.u32 %r0, %r2, %r3;
      BASE: st.param.b32 [r], %r0; ret; }
    .func (.param .b32 r) twice (.param .b32 n) {
      .reg .b32 %r<2>; ld.param.b32 %r0, [n]; shl.b32 %r0, %r0, 1;
      st.param.b32 [r], %r0; ret; }
  )";
  std::string body = R"(
    and.b32 %r0, %i, 7; and.b32 %r1, %i, 8; setp.ne.u32 %p0, %r1, 0;
    mov.u64 %d0, fib; mov.u64 %d1, twice; selp.b64 %d2, %d1, %d0, %p0;
    P: .callprototype (.param .b32 _) _ (.param .b32 _);
    { .param .b32 a; .param .b32 o; st.param.b32 [a], %r0;
      call (o), %d2, (a), P; ld.param.b32 %r2, [o]; }
    st.global.u32 [%pc], %r2;)";
  Outcome outcome;
  std::vector<uint32_t> out = outputs(functions + kernelOf("k", body), 32, outcome);
  ASSERT_EQ(outcome.message, "");
  const uint32_t fib[] = {0, 1, 1, 2, 3, 5, 8, 13};
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], i & 8 ? 2 * (i & 7) : fib[i & 7]) << i;
}

TEST(Control, SharedMemoryReversalUnderEverySchedule) {
  std::string text = ".shared .align 4 .b8 buffer[1024];\n" + kernelOf("k", R"(
    mov.u32 %r0, buffer; mad.lo.u32 %r1, %i, 4, %r0; st.shared.u32 [%r1], %i;
    bar.sync 0;
    sub.u32 %r2, 255, %i; mad.lo.u32 %r3, %r2, 4, %r0; ld.shared.u32 %r4, [%r3];
    st.global.u32 [%pc], %r4;)");
  for (const std::string &schedule : schedules) {
    Setting setting("KILN_SIM_SCHEDULE", schedule);
    Outcome outcome;
    std::vector<uint32_t> out = outputs(text, 256, outcome);
    ASSERT_EQ(outcome.message, "") << schedule;
    for (uint32_t i = 0; i < 256; ++i)
      ASSERT_EQ(out[i], 255 - i) << schedule;
  }
}

TEST(Control, LockBetweenLanesOfAWarp) {
  // Each lane takes a spin lock and adds 1 without atomics.
  std::string body = R"(
    AGAIN: atom.global.cas.b32 %r0, [%c+256], 0, 1;
    setp.ne.u32 %p0, %r0, 0; @%p0 bra AGAIN;
    ld.volatile.global.u32 %r1, [%c]; add.u32 %r1, %r1, 1;
    st.volatile.global.u32 [%c], %r1; membar.gl;
    atom.global.exch.b32 %r2, [%c+256], 0;)";
  Outcome outcome;
  std::vector<uint32_t> out = outputs(kernelOf("k", body), 128, outcome);
  ASSERT_EQ(outcome.message, "");
  EXPECT_EQ(out[0], 128u);
}

TEST(Control, NamedBarrierJoinsTwoOfThreeWarps) {
  std::string text = ".shared .align 4 .u32 word;\n" + kernelOf("k", R"(
    setp.ge.u32 %p0, %i, 64; @%p0 bra LAST;
    setp.ge.u32 %p1, %i, 32; @%p1 bra SECOND;
    mov.u32 %r0, 77; setp.eq.u32 %p2, %i, 0;
    @%p2 st.shared.u32 [word], %r0; bar.arrive 3, 64; bra LAST;
    SECOND: bar.sync 3, 64; ld.shared.u32 %r1, [word]; st.global.u32 [%pc], %r1;
    LAST: )");
  Outcome outcome;
  std::vector<uint32_t> out = outputs(text, 96, outcome);
  ASSERT_EQ(outcome.message, "");
  EXPECT_EQ(out[31], 0u);
  EXPECT_EQ(out[32], 77u);
  EXPECT_EQ(out[63], 77u);
}

TEST(Control, DeadlockNamesEveryWarp) {
  std::string body = "setp.lt.u32 %p0, %i, 32; @%p0 bar.sync 1, 64;\n"
                     "@!%p0 bar.sync 2, 64;";
  Outcome outcome;
  outputs(kernelOf("k", body), 64, outcome);
  EXPECT_EQ(outcome.cuda, 719);
  EXPECT_NE(outcome.message.find("deadlock"), std::string::npos) << outcome.message;
  EXPECT_NE(outcome.message.find("warp 0, all lanes: waits at barrier 1"),
            std::string::npos)
      << outcome.message;
  EXPECT_NE(outcome.message.find("warp 1, all lanes: waits at barrier 2"),
            std::string::npos)
      << outcome.message;
}

TEST(Control, LivelockIsFoundAndWorkIsNot) {
  Outcome outcome;
  outputs(kernelOf("k", "L: ld.volatile.global.u32 %r0, [%c]; setp.eq.u32 %p0, %r0, 0;\n"
                        "@%p0 bra L;"),
          32, outcome);
  EXPECT_EQ(outcome.cuda, 719);
  EXPECT_NE(outcome.message.find("livelock"), std::string::npos) << outcome.message;
  // A long loop that only counts is not a livelock.
  std::vector<uint32_t> out = outputs(
      kernelOf("k",
               "mov.u32 %r0, 0;\nL: add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 1000000;\n"
               "@%p0 bra L;\nst.global.u32 [%pc], %r0;"),
      32, outcome);
  ASSERT_EQ(outcome.message, "");
  EXPECT_EQ(out[5], 1000000u);
}

TEST(Control, TimeoutEndsWhatNeverEnds) {
  Setting setting("KILN_SIM_TIMEOUT", "0.2");
  Outcome outcome;
  outputs(kernelOf("k", "mov.u32 %r0, 0;\nL: add.u32 %r0, %r0, 1; bra L;"), 32, outcome);
  EXPECT_EQ(outcome.cuda, 702);
  EXPECT_NE(outcome.message.find("KILN_SIM_TIMEOUT"), std::string::npos)
      << outcome.message;
}

} // namespace kiln::sim::test
