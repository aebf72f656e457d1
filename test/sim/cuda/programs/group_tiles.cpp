//===- group_tiles.cpp - Tiles and groups of lanes
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

#include <algorithm>

namespace kiln::sim::programs {
namespace {

void runTiles(Test &test, const char *name, int size) {
  constexpr int N = 192;
  auto in = test.integers<int>(N, -50, 50);
  Buffer<int> deviceIn(in), sums(N / size), scans(N);
  test.kernel(name)({.grid = {2}, .block = {96}}, deviceIn, sums, scans);
  std::vector<int> wantSums(N / size), wantScans(N);
  for (int i = 0; i < N; ++i) {
    wantScans[i] = wantSums[i / size];
    wantSums[i / size] += in[i];
  }
  test.equal(sums.download(), wantSums, name);
  test.equal(scans.download(), wantScans, name);
}

void runFilter(Test &test, int n) {
  auto in = test.integers<int>(n, -100, 100);
  Buffer<int> deviceIn(in), out(n);
  auto count = Buffer<int>::zeroed(1);
  test.kernel("filter")({.grid = {divideUp(n, 64)}, .block = {64}}, deviceIn, out, count,
                        n);
  std::vector<int> want;
  std::copy_if(in.begin(), in.end(), std::back_inserter(want),
               [](int value) { return value > 0; });
  test.equal(count.download(), {int(want.size())}, "filter's count");
  if (want.empty())
    return;
  // Download only the written part; the rest is uninitialised.
  std::vector<int> got(want.size());
  require(driver().cuMemcpyDtoH(got.data(), out.address(), got.size() * sizeof(int)),
          "cuMemcpyDtoH");
  std::sort(got.begin(), got.end());
  std::sort(want.begin(), want.end());
  test.equal(got, want, "filter");
}

void runLabels(Test &test) {
  constexpr int N = 64;
  auto labels = test.integers<int>(N, 0, 4), values = test.integers<int>(N, -9, 9);
  Buffer<int> deviceLabels(labels), deviceValues(values), out(N);
  test.kernel("by_label")({.block = {N}}, deviceLabels, deviceValues, out);
  std::vector<int> want(N);
  for (int i = 0; i < N; ++i)
    for (int j = i / 32 * 32; j < i / 32 * 32 + 32; ++j)
      if (labels[i] == labels[j])
        want[i] += values[j] * 100 + 1;
  test.equal(out.download(), want, "by_label");
}

} // namespace

void run_group_tiles(Test &test) {
  runTiles(test, "tiles_4", 4);
  runTiles(test, "tiles_8", 8);
  runTiles(test, "tiles_32", 32);
  for (int n : {1, 64, 333})
    runFilter(test, n);
  runLabels(test);
}

} // namespace kiln::sim::programs
