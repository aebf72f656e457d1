//===- grid_sync.cpp - Barriers of a cooperative grid
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {

void run_grid_sync(Test &test) {
  for (int n : {2, 33, 500}) {
    constexpr int Steps = 6;
    auto a = test.reals<float>(n, 0, 100);
    Buffer<float> deviceA(a), deviceB(n);
    Shape shape = {.grid = {4}, .block = {64}, .cooperative = true};
    test.kernel("heat")(shape, deviceA, deviceB, n, Steps);
    for (int s = 0; s < Steps; ++s) {
      auto b = a;
      for (int i = 1; i < n - 1; ++i)
        b[i] = std::fma(0.5f, a[i], 0.25f * (a[i - 1] + a[i + 1]));
      a = b;
    }
    test.near(deviceA.download(), {a.begin(), a.end()}, 0, 1e-6, "heat");
  }
  for (uint32_t blocks : {1u, 2u, 7u}) {
    auto values = test.integers<int>(blocks, 0, 10);
    Buffer<int> device(values);
    constexpr int Rounds = 5;
    test.kernel("ring")({.grid = {blocks}, .block = {32}, .cooperative = true}, device,
                        Rounds);
    for (int r = 0; r < Rounds; ++r) {
      auto before = values;
      for (uint32_t i = 0; i < blocks; ++i)
        values[i] += before[(i + 1) % blocks];
    }
    test.equal(device.download(), values, "ring");
  }
}

} // namespace kiln::sim::programs
