//===- cache_hints.cpp - Hints to the caches
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {

void run_cache_hints(Test &test) {
  for (int n : {1, 100}) {
    auto in = test.integers<int>(n, -1000, 1000);
    Buffer<int> deviceIn(in), out(4 * n);
    test.kernel("hinted")({.grid = {2}, .block = {64}}, deviceIn, out, n);
    std::vector<int> want;
    for (int value : in)
      for (int i = 0; i < 4; ++i)
        want.push_back(value * 63 + i);
    test.equal(out.download(), want, "hinted");
  }
  auto in = test.integers<uint32_t>(4 * 32, 0, UINT32_MAX);
  Buffer<uint32_t> deviceIn(in), out(4 * 32), kinds(32);
  test.kernel("with_policy")({.block = {32}}, deviceIn, out);
  for (size_t i = 0; i < in.size(); i += 4)
    ++in[i];
  test.equal(out.download(), in, "with_policy");
  test.kernel("kinds")({.block = {32}}, deviceIn, kinds);
  test.equal(kinds.download(), std::vector<uint32_t>(32, 0x4211), "kinds");
}

} // namespace kiln::sim::programs
