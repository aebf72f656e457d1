//===- wgmma_gemm.cpp - A wgmma matmul with a ring of mbarriers
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/formats.h"
#include "test/sim/cuda/host/program.h"
#include "test/sim/cuda/host/tensor.h"

namespace kiln::sim::programs {

void run_wgmma_gemm(Test &test) {
  const int sizes[][3] = {
      {128, 64, 64}, {128, 64, 256}, {1, 1, 8}, {200, 100, 136}, {257, 130, 72}};
  for (auto [m, n, k] : sizes) {
    auto a = test.integers<int>(m * k, -4, 4), b = test.integers<int>(n * k, -4, 4);
    std::vector<uint16_t> codesA, codesB;
    for (int value : a)
      codesA.push_back(uint16_t(Bfloat16.encode(value, false)));
    for (int value : b)
      codesB.push_back(uint16_t(Bfloat16.encode(value, false)));
    std::vector<float> want(m * n);
    for (int i = 0; i < m * n; ++i)
      for (int j = 0; j < k; ++j)
        want[i] += float(a[i / n * k + j] * b[i % n * k + j]);
    Buffer<uint16_t> deviceA(codesA), deviceB(codesB);
    Buffer<float> c(m * n);
    auto tensor = [k](int rows, uint32_t box) {
      return Tensor{.element = Element::Bf16,
                    .bytes = 2,
                    .sizes = {uint64_t(k), uint64_t(rows)},
                    .box = {64, box},
                    .swizzle = SwizzleMode::Bytes128};
    };
    constexpr uint32_t StageBytes = (128 + 64) * 64 * 2, Stages = 3;
    Shape shape = {.grid = {2}, .block = {384}, .shared = Stages * StageBytes + 1024};
    test.kernel("wgmma_gemm")(shape, tensor(m, 128).map(deviceA.address()),
                              tensor(n, 64).map(deviceB.address()), c, m, n, k);
    test.equal(c.download(), want, "wgmma_gemm");
  }
}

} // namespace kiln::sim::programs
