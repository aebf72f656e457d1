//===- warp_primitives.cpp - Votes, matches, reductions and shuffles
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

#include <algorithm>

namespace kiln::sim::programs {
namespace {

void runVotes(Test &test, int low, int high) {
  auto in = test.integers<int>(32, low, high);
  Buffer<int> deviceIn(in);
  Buffer<uint32_t> out(32 * 8);
  test.kernel("votes")({.block = {32}}, deviceIn, out);
  auto got = out.download();
  uint32_t positive = 0, above = 0;
  bool any = false, all = true, same = true;
  for (int i = 0; i < 32; ++i) {
    positive |= uint32_t(in[i] > 0) << i;
    above |= uint32_t(in[i] > 2) << i;
    any |= in[i] == 7;
    all &= in[i] < 100;
    same &= in[i] / 1000 == in[0] / 1000;
  }
  for (int i = 0; i < 32; ++i) {
    uint32_t equal = 0;
    for (int j = 0; j < 32; ++j)
      equal |= uint32_t(in[j] == in[i]) << j;
    uint32_t active = got[i * 8 + 4];
    test.check(in[i] > 0 ? active >> i & 1 && !(active & ~positive) : !active,
               "active mask of lane %d is %08x", i, active);
    std::vector<uint32_t> mine(&got[i * 8], &got[i * 8] + 8);
    mine[4] = 0;
    test.equal(mine,
               {positive, any * 2u + all, equal, same ? ~1u : 0u, 0,
                above & (i % 2 ? 0xaaaaaaaa : 0x55555555), equal,
                uint32_t(__builtin_popcount(positive) + __builtin_ffs(int(equal)))},
               "votes");
  }
}

void runReductions(Test &test) {
  auto in = test.integers<int>(32, INT32_MIN / 64, INT32_MAX / 64);
  Buffer<int> deviceIn(in);
  Buffer<uint32_t> out(32 * 8);
  test.kernel("reductions")({.block = {32}}, deviceIn, out);
  std::vector<uint32_t> asUnsigned(in.begin(), in.end());
  uint32_t sum = 0, bitAnd = ~0u, bitOr = 0, bitXor = 0;
  for (uint32_t value : asUnsigned) {
    sum += value;
    bitAnd &= value;
    bitOr |= value;
    bitXor ^= value;
  }
  auto [low, high] = std::minmax_element(in.begin(), in.end());
  auto [lowUnsigned, highUnsigned] =
      std::minmax_element(asUnsigned.begin(), asUnsigned.end());
  std::vector<uint32_t> want;
  for (int i = 0; i < 32; ++i)
    for (uint32_t value : {sum, uint32_t(*low), uint32_t(*high), *lowUnsigned,
                           *highUnsigned, bitAnd, bitOr, bitXor})
      want.push_back(value);
  test.equal(out.download(), want, "reductions");
}

/// Appends the source lane of each shuffle with segments of `width`: its own if the
/// source is outside the segment, but xor may read from an earlier segment.
void appendSources(std::vector<int> &sources, int lane, int width) {
  int first = lane / width * width, last = first + width - 1;
  sources.push_back(first + 3 % width);
  sources.push_back(first + lane * 5 % width);
  sources.push_back(lane - 2 >= first ? lane - 2 : lane);
  sources.push_back(lane + 3 <= last ? lane + 3 : lane);
  sources.push_back((lane ^ 5) <= last ? lane ^ 5 : lane);
}

void runShuffles(Test &test) {
  auto in = test.integers<int>(32, -1000, 1000);
  Buffer<int> deviceIn(in), out(32 * 15), exchanged(128);
  test.kernel("shuffles")({.block = {32}}, deviceIn, out);
  std::vector<int> want;
  for (int lane = 0; lane < 32; ++lane)
    for (int width : {32, 8, 2})
      appendSources(want, lane, width);
  for (int &value : want)
    value = in[value];
  test.equal(out.download(), want, "shuffles");

  auto reals = test.reals<double>(32, -1, 1);
  Buffer<double> deviceReals(reals), wide(32);
  test.kernel("wide_shuffles")({.block = {32}}, deviceReals, wide);
  std::vector<double> wantWide;
  for (int i = 0; i < 32; ++i)
    wantWide.push_back(reals[31 - i] + reals[0]);
  test.equal(wide.download(), wantWide, "wide_shuffles");
}

void runExchange(Test &test) {
  auto in = test.integers<int>(128, -1000, 1000);
  Buffer<int> deviceIn(in), out(128);
  test.kernel("warp_exchange")({.block = {128}}, deviceIn, out);
  std::vector<int> want;
  for (int i = 0; i < 128; ++i)
    want.push_back(i % 32 < 16 ? in[i ^ 1 ^ 9] * 2 : in[i ^ 9]);
  test.equal(out.download(), want, "warp_exchange");
}

} // namespace

void run_warp_primitives(Test &test) {
  runVotes(test, -3, 9);
  runVotes(test, -3000, 3000);
  runReductions(test);
  runShuffles(test);
  runExchange(test);
}

} // namespace kiln::sim::programs
