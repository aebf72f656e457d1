//===- same_value_test.cpp - Races that have one outcome -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/harness.h"

namespace kiln::sim::test {

namespace {
const std::string shared = ".shared .align 16 .b8 s[1024];\n";
/// %r1: the start of shared memory; %r2: the warp; %r3: the lane.
const std::string start = "mov.u32 %r1, s; shr.u32 %r2, %i, 5; and.b32 %r3, %i, 31;\n"
                          "shl.b32 %r4, %r3, 2; add.u32 %r4, %r4, %r1;\n";
const std::string finish = "bar.sync 0; ld.shared.u32 %r9, [s];\n"
                           "st.global.u32 [%pc], %r9;";

/// Returns the message of a launch with 64 threads.
std::string found(const std::string &body) {
  Machine machine;
  Outcome outcome = machine.load(shared + kernelOf("k", start + body + finish));
  EXPECT_EQ(outcome.message, "") << body;
  auto c = machine.zeros<uint32_t>(64);
  if (outcome.ok())
    outcome = machine.run("k", {.block = {64}}, c.address(), c.address(), c.address());
  return outcome.message;
}

void expectRace(const std::string &body) {
  EXPECT_NE(found(body).find("race"), std::string::npos) << body << found(body);
}
void expectNoReport(const std::string &body) { EXPECT_EQ(found(body), "") << body; }

/// Expects that only the samevalue check reports the race.
void expectSameValue(const std::string &body) {
  expectNoReport(body);
  Setting setting("KILN_SIM_CHECK", "+samevalue");
  EXPECT_NE(found(body).find("samevalue"), std::string::npos) << body << found(body);
}
} // namespace

TEST(SameValue, LanesOfAWarp) {
  expectSameValue("mov.u32 %r5, 7; st.shared.u32 [%r1], %r5;");
  expectRace("st.shared.u32 [%r1], %r3;");
  // Every other lane writes the first word.
  const std::string others = "and.b32 %r6, %r3, 1; setp.eq.u32 %p1, %r6, 0;\n"
                             "@%p1 mov.u32 %r4, %r1;\n";
  expectSameValue(others + "mov.u32 %r5, 7; st.shared.u32 [%r4], %r5;");
  expectRace(others + "st.shared.u32 [%r4], %r3;");
}

TEST(SameValue, WarpsOfABlock) {
  expectSameValue("st.shared.u32 [%r4], %r3;");
  expectRace("st.shared.u32 [%r4], %i;");
  expectSameValue("mov.u32 %r5, 3; shl.b32 %r7, %r3, 3; add.u32 %r7, %r7, %r1;\n"
                  "st.shared.v2.b32 [%r7], {%r3, %r5};");
  expectRace("shl.b32 %r7, %r3, 3; add.u32 %r7, %r7, %r1;\n"
             "st.shared.v2.b32 [%r7], {%r3, %r2};");
}

TEST(SameValue, PartsOfWords) {
  const std::string address =
      "add.u32 %r7, %r1, %r3; cvt.u16.u32 %h1, %r3;\n"
      "cvt.u16.u32 %h2, %i; st.shared.u32 [%r4], 0; bar.sync 0;\n";
  expectSameValue(address + "st.shared.b8 [%r7], %h1;");
  expectRace(address + "st.shared.b8 [%r7], %h2;");
}

TEST(SameValue, OneInstructionOnly) {
  // Two instructions that write the same value race, as do a read and a write.
  expectRace("mov.u32 %r5, 7; setp.eq.u32 %p1, %r2, 0;\n"
             "@%p1 st.shared.u32 [%r4], %r5; @!%p1 st.shared.u32 [%r4], %r5;");
  expectRace("st.shared.u32 [%r4], %r3; bar.warp.sync 0xffffffff;\n"
             "ld.shared.u32 %r8, [%r4];");
}

TEST(SameValue, EarlierWritersAreRemembered) {
  // The second warp's next write races with what the first one wrote.
  expectRace("st.shared.u32 [%r4], %r3; bar.warp.sync 0xffffffff;\n"
             "setp.eq.u32 %p1, %r2, 1; @%p1 st.shared.u32 [%r4], 9;");
  expectNoReport("st.shared.u32 [%r4], %r3; bar.sync 0;\n"
                 "setp.eq.u32 %p1, %r2, 1; @%p1 st.shared.u32 [%r4], 9;");
}

TEST(SameValue, RoundsOfALoopDiffer) {
  const std::string loop = "mov.u32 %r10, 0;\nAGAIN: st.shared.u32 [%r4], %r10;\n";
  const std::string again = "add.u32 %r10, %r10, 1; setp.lt.u32 %p2, %r10, 4;\n"
                            "@%p2 bra AGAIN;\n";
  expectRace(loop + again);
  expectNoReport(loop + "bar.sync 0;\n" + again);
}

TEST(SameValue, RowsOfMatrices) {
  const std::string rows = "and.b32 %r6, %r3, 7; shl.b32 %r6, %r6, 4;\n"
                           "add.u32 %r6, %r6, %r1;\n";
  expectSameValue(rows + "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r6], {%r3};");
  expectRace(rows + "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r6], {%i};");
}

} // namespace kiln::sim::test
