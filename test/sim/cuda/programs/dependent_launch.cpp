//===- dependent_launch.cpp - Programmatic dependent launch
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {

void run_dependent_launch(Test &test) {
  constexpr int Chain = 4;
  for (int n : {1, 100, 1000}) {
    Stream stream = nullptr;
    require(driver().cuStreamCreate(&stream, 0), "cuStreamCreate");
    auto weights = test.integers<int>(n, -5, 5);
    Buffer<int> deviceWeights(weights);
    std::vector<Buffer<int>> values;
    for (int i = 0; i <= Chain; ++i)
      values.emplace_back(n);
    Shape shape = {.grid = {divideUp(n, 64)}, .block = {64}, .stream = stream};
    require(test.kernel("first").tryLaunch(shape, values[0], n), "first");
    shape.programmatic = true;
    for (int i = 0; i < Chain; ++i)
      require(test.kernel("next").tryLaunch(shape, values[i], values[i + 1],
                                            deviceWeights, n),
              "next");
    require(driver().cuStreamSynchronize(stream), "cuStreamSynchronize");
    std::vector<int> want(n);
    for (int i = 0; i < n; ++i)
      want[i] = i * 3;
    for (int step = 0; step < Chain; ++step) {
      auto before = want;
      for (int i = 0; i < n; ++i)
        want[i] = before[n - 1 - i] + weights[i];
    }
    test.equal(values[Chain].download(), want, "chain");
    require(driver().cuStreamDestroy(stream), "cuStreamDestroy");
  }
}

} // namespace kiln::sim::programs
