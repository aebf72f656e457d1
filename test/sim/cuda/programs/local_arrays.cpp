//===- local_arrays.cpp - Arrays of one thread, structures as arguments
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {
namespace {

/// Has the same layout as the kernels' struct.
struct Weights {
  int32_t count;
  int16_t offsets[5];
  double scale;
  float values[16];
};

Weights makeWeights(Test &test, int count) {
  Weights out = {count, {}, 0.25, {}};
  for (int16_t &offset : out.offsets)
    offset = int16_t(test.random() % 100);
  for (float &value : out.values)
    value = float(test.random() % 1000);
  return out;
}

} // namespace

void run_local_arrays(Test &test) {
  constexpr int Threads = 48;
  for (int count : {0, 1, 20}) {
    Weights weights = makeWeights(test, count);
    auto which = test.integers<int>(Threads, 0, 15);
    Buffer<int> deviceWhich(which);
    Buffer<double> sums(Threads);
    Buffer<float> turned(Threads * 16);
    test.kernel("weigh")({.block = {Threads}}, weights, deviceWhich, sums);
    test.kernel("turn")({.block = {Threads}}, weights, turned);
    std::vector<double> wantSums(Threads);
    std::vector<float> wantTurned;
    for (int t = 0; t < Threads; ++t) {
      for (int i = 0; i < count; ++i)
        wantSums[t] += weights.values[(which[t] + i) % 16] * weights.offsets[(i + t) % 5];
      wantSums[t] *= weights.scale;
      for (int i = 0; i < 16; ++i)
        wantTurned.push_back(weights.values[(i + t) % 16] + weights.offsets[i % 5]);
    }
    test.equal(sums.download(), wantSums, "weigh");
    test.equal(turned.download(), wantTurned, "turn");
  }
  auto numbers = test.integers<uint32_t>(Threads, 0, UINT32_MAX);
  Buffer<uint32_t> in(numbers);
  Buffer<uint8_t> out(Threads * 10);
  test.kernel("digits")({.block = {Threads}}, in, out);
  std::vector<uint8_t> want(Threads * 10);
  for (int t = 0; t < Threads; ++t)
    for (uint32_t value = numbers[t]; value; value /= 10)
      ++want[t * 10 + value % 10];
  test.equal(out.download(), want, "digits");
}

} // namespace kiln::sim::programs
