//===- atomics.cpp - Atomic operations
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/formats.h"
#include "test/sim/cuda/host/program.h"

#include <algorithm>
#include <numeric>

namespace kiln::sim::programs {
namespace {

template <typename T> void runIntegers(Test &test, const char *name, int n) {
  auto in = test.integers<T>(n, 0, INT64_MAX - 1);
  std::vector<T> want = {
      T(7), std::numeric_limits<T>::max(), std::numeric_limits<T>::min(), T(-1), 0, T(5)};
  Buffer<T> out(want), deviceIn(in);
  test.kernel(name)({.grid = {divideUp(n, 96)}, .block = {96}}, out, deviceIn, n);
  for (T value : in) {
    want[0] = T(uint64_t(want[0]) + uint64_t(value));
    want[1] = std::min(want[1], value);
    want[2] = std::max(want[2], value);
    want[3] &= value;
    want[4] |= value;
    want[5] ^= value;
  }
  test.equal(out.download(), want, name);
}

void runLong(Test &test) {
  auto in = test.integers<int64_t>(100, -1ll << 60, 1ll << 60);
  Buffer<int64_t> out(std::vector<int64_t>{INT64_MAX, INT64_MIN}), deviceIn(in);
  test.kernel("atomic_long")({.grid = {2}, .block = {64}}, out, deviceIn, 100);
  auto [low, high] = std::minmax_element(in.begin(), in.end());
  test.equal(out.download(), {*low, *high}, "atomic_long");
}

void runFloats(Test &test, int n) {
  auto in = test.integers<int>(n, -8, 8);
  int sum = std::accumulate(in.begin(), in.end(), 0), odd = 0;
  for (int value : in)
    odd += value & 1;
  auto f = Buffer<float>::zeroed(1), pairs = Buffer<float>::zeroed(8);
  auto d = Buffer<double>::zeroed(1);
  auto h = Buffer<uint16_t>::zeroed(2), b = Buffer<uint16_t>::zeroed(2);
  Buffer<int> deviceIn(in);
  test.kernel("atomic_floats")({.grid = {divideUp(n, 64)}, .block = {64}}, f, d, h, b,
                               pairs, deviceIn, n);
  test.equal(f.download(), {float(sum)}, "f32");
  test.equal(d.download(), {double(sum) * 0x1p-20}, "f64");
  auto half = [](int value) { return uint16_t(Half.encode(value, false)); };
  auto bfloat = [](int value) { return uint16_t(Bfloat16.encode(value, false)); };
  auto halves = h.download();
  test.check(Half.decode(halves[0]) == sum && Half.decode(halves[1]) == -sum,
             "f16x2 is %04x %04x, expected %04x %04x", halves[0], halves[1], half(sum),
             half(-sum));
  test.equal(b.download(), {bfloat(odd), bfloat(n)}, "bf16x2");
  test.equal(
      pairs.download(),
      {float(sum), float(n), 0, 0, float(sum), float(n), float(-sum), float(2 * n)},
      "vectors");
}

void runTickets(Test &test, int n) {
  // The counters wrap around below n, and count down from n - 1.
  Buffer<uint32_t> counters(std::vector<uint32_t>{0, uint32_t(n - 1), uint32_t(n)});
  auto seen = Buffer<uint32_t>::zeroed(3 * n);
  test.kernel("atomic_tickets")({.grid = {divideUp(n, 64)}, .block = {64}}, counters,
                                seen, n);
  test.equal(seen.download(), std::vector<uint32_t>(3 * n, 1), "tickets");
  test.equal(counters.download(), {0, uint32_t(n - 1), 0}, "counters");
}

void runCas(Test &test, int n) {
  auto in = test.integers<uint32_t>(n, 0, 0xffff);
  auto h = Buffer<uint16_t>::zeroed(2);
  auto w = Buffer<uint32_t>::zeroed(1);
  auto d = Buffer<uint64_t>::zeroed(1);
  auto chain = Buffer<int>::zeroed(1);
  Buffer<int> links(n);
  Buffer<uint32_t> deviceIn(in);
  test.kernel("atomic_cas")({.grid = {divideUp(n, 64)}, .block = {64}}, h, w, d, chain,
                            links, deviceIn, n);
  uint32_t top = *std::max_element(in.begin(), in.end());
  test.equal(h.download(), {uint16_t(top), 0}, "16-bit maximum");
  test.equal(w.download(), {top}, "32-bit maximum");
  test.equal(d.download(), {uint64_t(top) << 20}, "64-bit maximum");
  // The exchanges form one list of all threads, in some order, that starts with 0.
  auto list = links.download();
  list.push_back(chain.download()[0]);
  std::sort(list.begin(), list.end());
  std::vector<int> all(n + 1);
  std::iota(all.begin(), all.end(), 0);
  test.equal(list, all, "chain");
}

void runHistogram(Test &test, int n) {
  auto in = test.integers<uint8_t>(n, 0, 255);
  Buffer<uint8_t> deviceIn(in);
  auto bins = Buffer<uint32_t>::zeroed(256);
  test.kernel("histogram")({.grid = {3}, .block = {128}}, deviceIn, bins, n);
  std::vector<uint32_t> want(256);
  for (uint8_t value : in)
    ++want[value];
  test.equal(bins.download(), want, "histogram");
}

} // namespace

void run_atomics(Test &test) {
  for (int n : {1, 33, 200}) {
    runIntegers<int32_t>(test, "atomic_int", n);
    runIntegers<uint32_t>(test, "atomic_unsigned", n);
    runIntegers<uint64_t>(test, "atomic_ulong", n);
    runFloats(test, n);
    runTickets(test, n);
    runCas(test, n);
    runHistogram(test, n * 10);
  }
  runLong(test);
}

} // namespace kiln::sim::programs
