//===- scan.cpp - Prefix sums
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {
namespace {

void runGrid(Test &test, int n) {
  auto in = test.integers<int>(n, -1000, 1000);
  uint32_t blocks = divideUp(n, 128);
  Buffer<int> deviceIn(in), out(n), totals(blocks);
  Shape shape = {.grid = {blocks}, .block = {128}};
  test.kernel("scan_blocks")(shape, deviceIn, out, totals, n);
  test.kernel("scan_totals")({.block = {1024}}, totals, int(blocks));
  test.kernel("add_offsets")(shape, out, totals, n);
  int sum = 0;
  for (int &value : in)
    value = sum += value;
  test.equal(out.download(), in, "scan");
}

void runLong(Test &test, uint32_t threads) {
  auto in = test.integers<int64_t>(threads, -1ll << 55, 1ll << 55);
  Buffer<int64_t> deviceIn(in), out(threads);
  test.kernel("scan_long")({.block = {threads}}, deviceIn, out);
  int64_t sum = 0;
  for (int64_t &value : in)
    value = sum += value;
  test.equal(out.download(), in, "scan_long");
}

void runSegments(Test &test) {
  constexpr int N = 256;
  auto values = test.integers<int>(N, -9, 9);
  auto starts = test.integers<uint8_t>(N, 0, 3);
  for (uint8_t &start : starts)
    start = start == 0;
  Buffer<int> deviceValues(values), out(N);
  Buffer<uint8_t> deviceStarts(starts);
  test.kernel("scan_segments")({.grid = {2}, .block = {128}}, deviceValues, deviceStarts,
                               out);
  for (int i = 1; i < N; ++i)
    if (i % 32 && !starts[i])
      values[i] += values[i - 1];
  test.equal(out.download(), values, "scan_segments");
}

} // namespace

void run_scan(Test &test) {
  for (int n : {1, 32, 127, 128, 129, 1000, 5000})
    runGrid(test, n);
  for (uint32_t threads : {32u, 64u, 256u})
    runLong(test, threads);
  runSegments(test);
}

} // namespace kiln::sim::programs
