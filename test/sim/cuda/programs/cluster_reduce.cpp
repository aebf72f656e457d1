//===- cluster_reduce.cpp - Distributed shared memory
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

#include <numeric>

namespace kiln::sim::programs {
namespace {

void runSums(Test &test, uint32_t blocks, int perBlock) {
  constexpr uint32_t Clusters = 3;
  auto in = test.integers<int>(Clusters * blocks * perBlock, -100, 100);
  Buffer<int> deviceIn(in), out(Clusters);
  test.kernel("cluster_sum")(
      {.grid = {Clusters * blocks}, .block = {64}, .cluster = {blocks}}, deviceIn, out,
      perBlock);
  std::vector<int> want;
  for (uint32_t c = 0; c < Clusters; ++c)
    want.push_back(std::accumulate(in.begin() + c * blocks * perBlock,
                                   in.begin() + (c + 1) * blocks * perBlock, 0));
  test.equal(out.download(), want, "cluster_sum");
}

void runHistogram(Test &test, uint32_t blocks, int n) {
  auto in = test.integers<uint8_t>(n, 0, 64 * int(blocks) - 1);
  Buffer<uint8_t> deviceIn(in);
  Buffer<uint32_t> bins(64 * blocks);
  test.kernel("cluster_histogram")({.grid = {blocks}, .block = {64}, .cluster = {blocks}},
                                   deviceIn, bins, n);
  std::vector<uint32_t> want(64 * blocks);
  for (uint8_t value : in)
    ++want[value];
  test.equal(bins.download(), want, "cluster_histogram");
}

void runExchange(Test &test, uint32_t blocks) {
  Buffer<int> out(blocks * blocks), totals(2);
  test.kernel("exchange")({.grid = {blocks}, .block = {32}, .cluster = {blocks}}, out);
  std::vector<int> want;
  for (uint32_t rank = 0; rank < blocks; ++rank)
    for (uint32_t from = 0; from < blocks; ++from)
      want.push_back(int(from * 10 + rank));
  test.equal(out.download(), want, "exchange");
  test.kernel("remote_arrive")({.grid = {2 * blocks}, .block = {32}, .cluster = {blocks}},
                               totals);
  int total = int(blocks * (blocks + 1) / 2);
  test.equal(totals.download(), {total, total}, "remote_arrive");
}

} // namespace

void run_cluster_reduce(Test &test) {
  for (uint32_t blocks : {1u, 2u, 4u, 8u}) {
    runSums(test, blocks, 77);
    runExchange(test, blocks);
  }
  for (uint32_t blocks : {1u, 2u, 4u})
    runHistogram(test, blocks, 500);
}

} // namespace kiln::sim::programs
