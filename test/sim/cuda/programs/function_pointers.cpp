//===- function_pointers.cpp - Calls through pointers
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

#include <algorithm>

namespace kiln::sim::programs {

void run_function_pointers(Test &test) {
  for (int n : {1, 32, 77}) {
    auto which = test.integers<int>(n, 0, 3), a = test.integers<int>(n, -1000, 1000);
    auto b = test.integers<int>(n, -1000, 1000);
    Buffer<int> deviceWhich(which), deviceA(a), deviceB(b), out(n);
    test.kernel("apply")({.grid = {divideUp(n, 64)}, .block = {64}}, deviceWhich, deviceA,
                         deviceB, out, n);
    std::vector<int> want;
    for (int i = 0; i < n; ++i)
      want.push_back(which[i] == 0   ? a[i] + b[i]
                     : which[i] == 1 ? a[i] - b[i]
                     : which[i] == 2 ? a[i] * b[i]
                                     : std::max(a[i], b[i]));
    test.equal(out.download(), want, "apply");
  }
  auto sizes = test.reals<float>(64, 0, 4);
  Buffer<float> deviceSizes(sizes), areas(64);
  test.kernel("measure")({.block = {64}}, deviceSizes, areas);
  std::vector<double> wantAreas;
  for (int i = 0; i < 64; ++i)
    wantAreas.push_back(i % 3 ? sizes[i] * sizes[i] + 4 : 3 * sizes[i] * sizes[i]);
  test.near(areas.download(), wantAreas, 0, 1e-6, "measure");

  auto choices = test.integers<int>(8, 0, 1);
  Buffer<int> deviceChoices(choices), steps(32);
  for (int count : {0, 1, 8}) {
    test.kernel("run_steps")({.block = {32}}, deviceChoices, steps, count);
    std::vector<int> want(32, 1);
    for (int t = 0; t < 32; ++t)
      for (int i = 0; i < count; ++i)
        want[t] = want[t] * (choices[i] ? 2 : 1) + i + t;
    test.equal(steps.download(), want, "run_steps");
  }
}

} // namespace kiln::sim::programs
