//===- dynamic_shared.cpp - Shared memory whose size the launch chooses
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

#include <algorithm>

namespace kiln::sim::programs {

void run_dynamic_shared(Test &test) {
  for (auto [rows, columns] : {std::pair{1, 1}, {32, 32}, {50, 33}, {7, 90}})
    for (auto [tile, pad] : {std::pair{32, 1}, {32, 0}, {16, 3}}) {
      auto in = test.reals<float>(rows * columns, -1, 1);
      Buffer<float> deviceIn(in), out(in.size());
      Shape shape = {.grid = {divideUp(columns, tile), divideUp(rows, tile)},
                     .block = {uint32_t(tile), 4},
                     .shared = uint32_t(tile * (tile + pad) * 4)};
      test.kernel("transpose")(shape, deviceIn, out, rows, columns, tile, pad);
      std::vector<float> want(in.size());
      for (int i = 0; i < rows * columns; ++i)
        want[i % columns * rows + i / columns] = in[i];
      test.equal(out.download(), want, "transpose");
    }
  // The last size needs more than a block has without opt-in.
  for (int n : {2, 64, 1000, 30000}) {
    auto in = test.integers<int>(n, -1000000, 1000000);
    Buffer<int> deviceIn(in), out(n);
    test.kernel("reverse")({.block = {128}, .shared = uint32_t(n * 4)}, deviceIn, out, n);
    std::reverse(in.begin(), in.end());
    test.equal(out.download(), in, "reverse");
  }
}

} // namespace kiln::sim::programs
