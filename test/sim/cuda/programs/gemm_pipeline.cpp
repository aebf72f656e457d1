//===- gemm_pipeline.cpp - A bf16 matmul with cp.async
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/formats.h"
#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {

void run_gemm_pipeline(Test &test) {
  const int sizes[][3] = {
      {64, 64, 32}, {64, 64, 96}, {1, 1, 8}, {65, 70, 40}, {130, 33, 200}};
  for (auto [m, n, k] : sizes) {
    auto a = test.integers<int>(m * k, -8, 8), b = test.integers<int>(n * k, -8, 8);
    std::vector<uint16_t> codesA, codesB;
    for (int value : a)
      codesA.push_back(uint16_t(Bfloat16.encode(value, false)));
    for (int value : b)
      codesB.push_back(uint16_t(Bfloat16.encode(value, false)));
    std::vector<float> want(m * n);
    for (int row = 0; row < m; ++row)
      for (int column = 0; column < n; ++column)
        for (int i = 0; i < k; ++i)
          want[row * n + column] += float(a[row * k + i] * b[column * k + i]);
    Buffer<uint16_t> deviceA(codesA), deviceB(codesB);
    Buffer<float> c(m * n);
    constexpr uint32_t StageBytes = 2 * 64 * 40 * 2, Stages = 3;
    Shape shape = {.grid = {divideUp(n, 64), divideUp(m, 64)},
                   .block = {128},
                   .shared = Stages * StageBytes};
    test.kernel("gemm_bf16")(shape, deviceA, deviceB, c, m, n, k);
    test.equal(c.download(), want, "gemm_bf16");
  }
}

} // namespace kiln::sim::programs
