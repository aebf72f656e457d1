//===- warp_test.cpp - Collectives of a warp -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/harness.h"

#include <bit>

namespace kiln::sim::test {

namespace {
std::vector<uint32_t> runWarp(const std::string &body) {
  Machine machine;
  Outcome outcome = machine.load(kernelOf("k", body));
  EXPECT_EQ(outcome.message, "") << body;
  if (!outcome.ok())
    return std::vector<uint32_t>(32);
  auto c = machine.zeros<uint32_t>(32);
  outcome = machine.run("k", {.block = {32}}, c.address(), c.address(), c.address());
  EXPECT_EQ(outcome.message, "") << body;
  return std::vector<uint32_t>(c.data(), c.data() + 32);
}
const std::string store = "st.global.u32 [%pc], %r0;";
} // namespace

TEST(Warp, Shuffles) {
  const std::string all = ", 0xffffffff;\n";
  auto value = "mul.lo.u32 %r1, %i, 3;\n";
  auto up = runWarp(value + std::string("shfl.sync.up.b32 %r0|%p0, %r1, 5, 0") + all +
                    "@!%p0 add.u32 %r0, %r0, 1000;" + store);
  auto down = runWarp(value + std::string("shfl.sync.down.b32 %r0|%p0, %r1, 5, 31") +
                      all + "@!%p0 add.u32 %r0, %r0, 1000;" + store);
  auto bfly =
      runWarp(value + std::string("shfl.sync.bfly.b32 %r0, %r1, 6, 31") + all + store);
  auto halves =
      runWarp(value + std::string("shfl.sync.idx.b32 %r0, %r1, 3, 0x101f") + all + store);
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(up[i], i >= 5 ? 3 * (i - 5) : 3 * i + 1000);
    EXPECT_EQ(down[i], i + 5 < 32 ? 3 * (i + 5) : 3 * i + 1000);
    EXPECT_EQ(bfly[i], 3 * (i ^ 6));
    EXPECT_EQ(halves[i], 3 * ((i & 16) | 3));
  }
}

TEST(Warp, HalvesWithTheirOwnMasks) {
  auto out = runWarp("setp.lt.u32 %p0, %i, 16; selp.b32 %r1, 0xffff, 0xffff0000, %p0;\n"
                     "redux.sync.add.u32 %r0, %i, %r1;" +
                     store);
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], i < 16 ? 120u : 376u);
}

TEST(Warp, MembersFromTwoBranchesMeet) {
  // Lanes reach the shuffle at different times.
  auto out = runWarp("setp.lt.u32 %p0, %i, 7; mov.u32 %r1, %i; @%p0 bra A;\n"
                     "add.u32 %r1, %r1, 100; bra B;\nA: add.u32 %r1, %r1, 200;\n"
                     "B: shfl.sync.idx.b32 %r0, %r1, 3, 31, 0xffffffff;" +
                     store);
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], 203u);
}

TEST(Warp, VotesMatchesElection) {
  auto ballot = runWarp("and.b32 %r1, %i, 3; setp.eq.u32 %p0, %r1, 1;\n"
                        "vote.sync.ballot.b32 %r0, %p0, 0xffffffff;" +
                        store);
  auto match =
      runWarp("and.b32 %r1, %i, 3; match.any.sync.b32 %r0, %r1, 0xffffffff;" + store);
  auto elect =
      runWarp("mov.u32 %r0, 0; setp.ge.u32 %p0, %i, 9; @!%p0 bra OUT;\n"
              "bra END;\nOUT: elect.sync %r1|%p1, 0x1ff; selp.u32 %r0, 1, 0, %p1;\n"
              "END:" +
              store);
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(ballot[i], 0x22222222u);
    EXPECT_EQ(match[i], 0x11111111u << (i & 3));
    EXPECT_EQ(elect[i], i == 0 ? 1u : 0u);
  }
}

TEST(Warp, AtomicsOfAllLanes) {
  Machine machine;
  ASSERT_EQ(machine
                .load(kernelOf("k", "atom.global.add.u32 %r0, [%a], %i;\n"
                                    "red.global.max.u32 [%a+4], %i;\n"
                                    "atom.global.inc.u32 %r1, [%a+8], 9;\n"
                                    "red.global.add.f32 [%a+12], 0f3F000000;"))
                .message,
            "");
  auto a = machine.zeros<uint32_t>(8);
  Outcome outcome = machine.run("k", {.grid = {16}, .block = {64}}, a.address(),
                                a.address(), a.address());
  ASSERT_EQ(outcome.message, "");
  EXPECT_EQ(a[0], 16u * 2016);
  EXPECT_EQ(a[1], 63u);
  EXPECT_EQ(a[2], 1024u % 10);
  EXPECT_EQ(std::bit_cast<float>(a[3]), 512.0f);
}

} // namespace kiln::sim::test
