//===- block_sync.cpp - Barriers of a block
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {
namespace {

void runVotes(Test &test, uint32_t threads) {
  auto in = test.integers<int>(2 * threads, -99, 99);
  Buffer<int> deviceIn(in), out(6 * threads);
  test.kernel("count_votes")({.grid = {2}, .block = {threads}}, deviceIn, out);
  std::vector<int> want;
  for (uint32_t block = 0; block < 2; ++block) {
    int count = 0, all = 1, any = 0;
    for (uint32_t t = 0; t < threads; ++t) {
      int value = in[block * threads + t];
      count += value > 0;
      all &= value > -90;
      any |= value > 90;
    }
    for (uint32_t t = 0; t < threads; ++t)
      want.insert(want.end(), {count, all, any});
  }
  test.equal(out.download(), want, "count_votes");
}

} // namespace

void run_block_sync(Test &test) {
  for (uint32_t threads : {1u, 32u, 45u, 200u})
    runVotes(test, threads);
  for (int rounds : {1, 6}) {
    Buffer<int> out(64);
    test.kernel("producers")({.block = {128}}, out, rounds);
    std::vector<int> want;
    for (int t = 0; t < 64; ++t)
      want.push_back(t * 10 * rounds + rounds * (rounds - 1) / 2);
    test.equal(out.download(), want, "producers");
  }
  auto in = test.integers<int>(64, -1000, 1000);
  Buffer<int> deviceIn(in), out(64), sums(40);
  test.kernel("diverged")({.block = {64}}, deviceIn, out);
  std::vector<int> want;
  for (int i = 63; i >= 0; --i)
    want.push_back(in[i] & 1 ? in[i] * 3 : in[i] / 2);
  test.equal(out.download(), want, "diverged");
  test.kernel("early_exit")({.block = {64}}, sums);
  test.equal(sums.download(), std::vector<int>(40, 39 * 40 / 2), "early_exit");
}

} // namespace kiln::sim::programs
