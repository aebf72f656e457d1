//===- matmul_tiled.cpp - Matmuls tiled in shared memory
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {

void run_matmul_tiled(Test &test) {
  const int sizes[][3] = {
      {1, 1, 1}, {16, 16, 16}, {17, 33, 19}, {40, 70, 65}, {5, 100, 7}};
  for (auto [m, n, k] : sizes) {
    auto a = test.reals<float>(m * k, -1, 1), b = test.reals<float>(k * n, -1, 1);
    // Both kernels add in the order of k, padded with zeros, so the results are bitwise
    // equal.
    std::vector<float> want(m * n);
    for (int row = 0; row < m; ++row)
      for (int column = 0; column < n; ++column)
        for (int i = 0; i < k; ++i)
          want[row * n + column] =
              std::fma(a[row * k + i], b[i * n + column], want[row * n + column]);
    Buffer<float> deviceA(a), deviceB(b);
    Buffer<float> c(m * n), d(m * n);
    Shape tiles = {.grid = {divideUp(n, 16), divideUp(m, 16)}, .block = {16, 16}};
    test.kernel("matmul")(tiles, deviceA, deviceB, c, m, n, k);
    test.equal(c.download(), want, "matmul");
    Shape blocks = {.grid = {divideUp(n, 32), divideUp(m, 32)}, .block = {64}};
    test.kernel("matmul_registers")(blocks, deviceA, deviceB, d, m, n, k);
    test.equal(d.download(), want, "matmul_registers");
  }
}

} // namespace kiln::sim::programs
