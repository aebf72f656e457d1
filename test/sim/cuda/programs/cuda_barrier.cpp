//===- cuda_barrier.cpp - The library's barriers and asynchronous copies
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

#include <algorithm>

namespace kiln::sim::programs {

void run_cuda_barrier(Test &test) {
  for (uint32_t threads : {32u, 50u, 256u})
    for (int rounds : {1, 2, 5}) {
      Buffer<int> out(threads);
      test.kernel("split_wait")({.block = {threads}}, out, rounds);
      std::vector<int> want(threads);
      for (uint32_t t = 0; t < threads; ++t)
        for (int r = 0; r < rounds; ++r)
          want[t] += int((t + 1) % threads) * (r + 1) + r * 3;
      test.equal(out.download(), want, "split_wait");
    }
  for (uint32_t threads : {2u, 33u, 64u}) {
    Buffer<int> out(1);
    test.kernel("drop_out")({.block = {threads}}, out);
    test.equal(out.download(), {int(threads)}, "drop_out");
  }
  for (int n : {4, 36, 512}) {
    auto in = test.integers<int>(n, -1000, 1000);
    Buffer<int> deviceIn(in), out(n);
    test.kernel("copy_async")({.block = {64}}, deviceIn, out, n);
    std::reverse(in.begin(), in.end());
    test.equal(out.download(), in, "copy_async");
  }
  for (int batches : {1, 2, 7}) {
    auto in = test.integers<int>(batches * 128, -1000, 1000);
    Buffer<int> deviceIn(in), out(128);
    test.kernel("staged_sums")({.block = {128}}, deviceIn, out, batches);
    std::vector<int> want(128);
    for (int i = 0; i < batches * 128; ++i)
      want[127 - i % 128] += in[i];
    test.equal(out.download(), want, "staged_sums");
  }
  for (uint32_t blocks : {1u, 9u}) {
    Buffer<int> data(blocks), out(1);
    auto flags = Buffer<int>::zeroed(blocks);
    test.kernel("hand_over")({.grid = {blocks}}, data, flags, out);
    test.equal(out.download(), {int(100 + blocks * (blocks - 1) / 2)}, "hand_over");
  }
}

} // namespace kiln::sim::programs
