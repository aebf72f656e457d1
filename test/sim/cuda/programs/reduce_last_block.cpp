//===- reduce_last_block.cpp - Sums finished by the last block
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

#include <numeric>

namespace kiln::sim::programs {

void run_reduce_last_block(Test &test) {
  for (int n : {1, 63, 1000, 4097})
    for (uint32_t blocks : {1u, 3u, 40u}) {
      auto in = test.integers<int>(n, -100000, 100000);
      Buffer<int> deviceIn(in), partials(blocks), out(1);
      Shape shape = {.grid = {blocks}, .block = {64}};
      test.kernel("reduce_int")(shape, deviceIn, partials, out, n);
      test.equal(out.download(), {std::accumulate(in.begin(), in.end(), 0)},
                 "reduce_int");

      // Multiples of 2^-20 below 2^20, so that every sum is exact.
      std::vector<double> reals(in.begin(), in.end());
      for (double &value : reals)
        value *= 0x1p-20;
      Buffer<double> deviceReals(reals), realPartials(blocks), realOut(1);
      test.kernel("reduce_double")(shape, deviceReals, realPartials, realOut, n);
      test.equal(realOut.download(), {std::accumulate(reals.begin(), reals.end(), 0.0)},
                 "reduce_double");
    }
}

} // namespace kiln::sim::programs
