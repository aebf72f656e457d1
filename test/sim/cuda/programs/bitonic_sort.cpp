//===- bitonic_sort.cpp - Sorting by blocks and merging
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

#include <algorithm>

namespace kiln::sim::programs {

void run_bitonic_sort(Test &test) {
  constexpr uint32_t Threads = 32, Run = 2 * Threads;
  for (int n : {1, 63, 64, 65, 500}) {
    auto keys = test.integers<uint32_t>(n, 0, 2 * n);
    Buffer<uint32_t> a(keys), b(n);
    test.kernel("sort_blocks")(
        {.grid = {divideUp(n, Run)}, .block = {Threads}, .shared = Run * 4}, a, n);
    bool inB = false;
    for (int run = Run; run < n; run *= 2, inB = !inB)
      test.kernel("merge_runs")({.grid = {divideUp(n, 64)}, .block = {64}}, inB ? b : a,
                                inB ? a : b, run, n);
    std::sort(keys.begin(), keys.end());
    test.equal((inB ? b : a).download(), keys, "sorted");
  }
}

} // namespace kiln::sim::programs
