//===- softmax_rows.cpp - Softmax of rows
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {

void run_softmax_rows(Test &test) {
  const int sizes[][2] = {{1, 1}, {3, 31}, {8, 32}, {5, 33}, {9, 257}, {2, 1000}};
  for (auto [rows, columns] : sizes) {
    auto in = test.reals<float>(rows * columns, -20, 20);
    std::vector<double> want(in.size());
    for (int row = 0; row < rows; ++row) {
      double top = -INFINITY, sum = 0;
      for (int i = 0; i < columns; ++i)
        top = std::fmax(top, in[row * columns + i]);
      for (int i = 0; i < columns; ++i)
        sum += std::exp(in[row * columns + i] - top);
      for (int i = 0; i < columns; ++i)
        want[row * columns + i] = std::exp(in[row * columns + i] - top) / sum;
    }
    Buffer<float> deviceIn(in), out(in.size()), online(in.size());
    test.kernel("softmax")({.grid = {divideUp(rows, 4)}, .block = {128}}, deviceIn, out,
                           rows, columns);
    test.near(out.download(), want, 1e-9, 2e-6, "softmax");
    test.kernel("softmax_online")({.grid = {uint32_t(rows)}, .block = {96}}, deviceIn,
                                  online, columns);
    test.near(online.download(), want, 1e-9, 2e-5, "softmax_online");
  }
}

} // namespace kiln::sim::programs
