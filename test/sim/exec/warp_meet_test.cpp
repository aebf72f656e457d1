//===- warp_meet_test.cpp - Collectives in divergent code ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both sides of a branch execute their own instruction; %p0 selects the side.
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/harness.h"

namespace kiln::sim::test {

namespace {
struct Ran {
  Outcome outcome;
  std::vector<uint32_t> out;
};

/// Runs `a` in the lanes of `first`, `b` in the others; %r0 is the result.
Ran branches(const std::string &first, const std::string &a, const std::string &b) {
  Machine machine;
  std::string body = "setp." + first + ";\nmul.lo.u32 %r1, %i, 3; mov.u32 %r2, %i;\n" +
                     "mov.u32 %r7, 7; mov.u32 %r5, 5;\n@%p0 bra A;\n" + b +
                     "\nbra done;\nA:\n" + a + "\ndone: st.global.u32 [%pc], %r0;";
  Ran ran;
  ran.outcome = machine.load(kernelOf("k", body));
  EXPECT_EQ(ran.outcome.message, "") << body;
  auto c = machine.zeros<uint32_t>(32);
  ran.outcome = machine.run("k", {.block = {32}}, c.address(), c.address(), c.address());
  ran.out.assign(c.data(), c.data() + 32);
  return ran;
}
const std::string Low = "lt.u32 %p0, %i, 16";
} // namespace

TEST(WarpMeet, BarriersOfBothSides) {
  Ran ran = branches(Low, "bar.warp.sync 0xffffffff; mov.u32 %r0, 1;",
                     "bar.warp.sync 0xffffffff; mov.u32 %r0, 2;");
  ASSERT_EQ(ran.outcome.message, "");
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(ran.out[i], i < 16 ? 1u : 2u);
}

TEST(WarpMeet, ShufflesWithOperandsOfTheirOwn) {
  // One side passes %r1 and wants the predicate too, the other passes %r2. Both write the
  // same register, which one of them also reads.
  for (const std::string &first : {Low, std::string("ge.u32 %p0, %i, 9")}) {
    Ran ran = branches(
        first,
        "shfl.sync.bfly.b32 %r0|%p1, %r1, 17, 31, 0xffffffff;\n"
        "@!%p1 mov.u32 %r0, 99; add.u32 %r0, %r0, %r5; sub.u32 %r0, %r0, %r5;",
        "mov.u32 %r0, %r2; shfl.sync.bfly.b32 %r0, %r0, 17, 31, 0xffffffff;\n"
        "add.u32 %r0, %r0, %r7; sub.u32 %r0, %r0, 7;\n"
        "setp.ne.u32 %p2, %r2, %i; @%p2 mov.u32 %r0, 98;\n"
        "mad.lo.u32 %r3, %i, 3, 0; setp.ne.u32 %p2, %r3, %r1; @%p2 mov.u32 %r0, 97;");
    ASSERT_EQ(ran.outcome.message, "");
    for (uint32_t i = 0; i < 32; ++i) {
      uint32_t from = i ^ 17;
      bool tripled = first == Low ? from < 16 : from >= 9;
      EXPECT_EQ(ran.out[i], tripled ? 3 * from : from) << first << " lane " << i;
    }
  }
}

TEST(WarpMeet, VotesReductionsAndMatches) {
  Ran ballot = branches(Low,
                        "setp.eq.u32 %p3, %i, 3; vote.sync.ballot.b32 %r0, %p3, "
                        "0xffffffff;",
                        "setp.gt.u32 %p4, %i, 29; vote.sync.ballot.b32 %r0, %p4, "
                        "0xffffffff;");
  Ran sum = branches(Low, "redux.sync.add.u32 %r0, %r5, 0xffffffff;",
                     "redux.sync.add.u32 %r0, %r7, 0xffffffff;");
  Ran match = branches(Low, "match.any.sync.b32 %r0, %r5, 0xffffffff;",
                       "match.any.sync.b32 %r0, %r7, 0xffffffff;");
  for (const Ran *ran : {&ballot, &sum, &match})
    ASSERT_EQ(ran->outcome.message, "");
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(ballot.out[i], 0xc0000008u);
    EXPECT_EQ(sum.out[i], 16 * 5 + 16 * 7u);
    EXPECT_EQ(match.out[i], i < 16 ? 0xffffu : 0xffff0000u);
  }
}

TEST(WarpMeet, LanesThatExitNeedNotCome) {
  Ran ran = branches(Low, "bar.warp.sync 0xffffffff; mov.u32 %r0, 1;",
                     "setp.gt.u32 %p3, %i, 20; @%p3 exit;\n"
                     "bar.warp.sync 0xffffffff; mov.u32 %r0, 2;");
  ASSERT_EQ(ran.outcome.message, "");
  EXPECT_EQ(ran.out[3], 1u);
  EXPECT_EQ(ran.out[20], 2u);
  EXPECT_EQ(ran.out[21], 0u);
}

TEST(WarpMeet, OtherQualifiersOrMasksDoNotMatch) {
  Ran kinds = branches(Low, "shfl.sync.up.b32 %r0, %r1, 1, 0, 0xffffffff;",
                       "shfl.sync.down.b32 %r0, %r1, 1, 31, 0xffffffff;");
  EXPECT_EQ(kinds.outcome.cuda, 719);
  EXPECT_NE(kinds.outcome.message.find("deadlock"), std::string::npos);
  Ran masks = branches(Low, "bar.warp.sync 0xffffffff; mov.u32 %r0, 1;",
                       "bar.warp.sync 0xffff0000; mov.u32 %r0, 2;\n"
                       "bar.warp.sync 0xfffffff0;");
  EXPECT_EQ(masks.outcome.cuda, 719);
}

} // namespace kiln::sim::test
