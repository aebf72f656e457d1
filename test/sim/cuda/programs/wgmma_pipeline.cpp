//===- wgmma_pipeline.cpp - A warp-specialised wgmma matmul
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/formats.h"
#include "test/sim/cuda/host/program.h"
#include "test/sim/cuda/host/tensor.h"

namespace kiln::sim::programs {

// 128 x 768 x 768 is a layer of a small transformer.
void run_wgmma_pipeline(Test &test) {
  const int sizes[][3] = {{128, 256, 64}, {256, 256, 128}, {128, 768, 768}};
  for (auto [m, n, k] : sizes) {
    auto a = test.integers<int>(m * k, -4, 4), b = test.integers<int>(n * k, -4, 4);
    auto encoded = [](const std::vector<int> &values) {
      std::vector<uint16_t> codes;
      for (int value : values)
        codes.push_back(uint16_t(Bfloat16.encode(value, false)));
      return codes;
    };
    std::vector<float> want(size_t(m) * n);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        int sum = 0;
        for (int l = 0; l < k; ++l)
          sum += a[i * k + l] * b[j * k + l];
        want[i * n + j] = float(sum);
      }
    Buffer<uint16_t> deviceA(encoded(a)), deviceB(encoded(b));
    Buffer<float> c(size_t(m) * n);
    auto tensor = [k](int rows, uint32_t box) {
      return Tensor{.element = Element::Bf16,
                    .bytes = 2,
                    .sizes = {uint64_t(k), uint64_t(rows)},
                    .box = {64, box},
                    .swizzle = SwizzleMode::Bytes128};
    };
    constexpr uint32_t StageBytes = (128 + 256) * 64 * 2, Stages = 4;
    Shape shape = {.grid = {uint32_t(n) / 256, uint32_t(m) / 128},
                   .block = {384},
                   .shared = Stages * StageBytes + 1024};
    test.kernel("wgmma_pipeline")(shape, tensor(m, 128).map(deviceA.address()),
                                  tensor(n, 256).map(deviceB.address()), c, n, k);
    test.equal(c.download(), want, "wgmma_pipeline");
  }
}

} // namespace kiln::sim::programs
