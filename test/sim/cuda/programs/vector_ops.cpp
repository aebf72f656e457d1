//===- vector_ops.cpp - Element-wise kernels
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {

void run_vector_ops(Test &test) {
  for (int n : {1, 3, 4, 5, 127, 128, 1000, 4099}) {
    auto x = test.reals<float>(n, -4, 4), y = test.reals<float>(n, -4, 4);
    Buffer<float> deviceX(x), deviceY(y);
    Shape shape = {.grid = {2}, .block = {64}};
    test.kernel("saxpy")(shape, deviceX, deviceY, 1.75f, n);
    for (int i = 0; i < n; ++i)
      y[i] = std::fma(1.75f, x[i], y[i]);
    test.equal(deviceY.download(), y, "saxpy");

    auto bytes = test.integers<uint32_t>(n, 0, UINT32_MAX);
    Buffer<uint32_t> deviceBytes(bytes), swapped(n);
    Shape cover = {.grid = {divideUp(n, 96)}, .block = {96}};
    test.kernel("swap_bytes")(cover, deviceBytes, swapped, n);
    for (uint32_t &word : bytes)
      word = __builtin_bswap32(word);
    test.equal(swapped.download(), bytes, "swap_bytes");

    auto shorts = test.integers<int16_t>(2 * n, -32768, 32767);
    Buffer<int16_t> deviceShorts(shorts);
    Buffer<int64_t> wide(2 * n);
    test.kernel("widen")(cover, deviceShorts, wide, n);
    std::vector<int64_t> wantWide(2 * n);
    for (int i = 0; i < 2 * n; ++i)
      wantWide[i] = int64_t(shorts[i]) * (i % 2 ? 1 << 20 : 1);
    test.equal(wide.download(), wantWide, "widen");

    auto a = test.reals<double>(2 * n, -1, 1), b = test.reals<double>(2 * n, -1, 1);
    Buffer<double> deviceA(a), deviceB(b), dots(n);
    test.kernel("dot_double2")(cover, deviceA, deviceB, dots, n);
    std::vector<double> wantDots(n);
    for (int i = 0; i < n; ++i)
      wantDots[i] = std::fma(a[2 * i], b[2 * i], a[2 * i + 1] * b[2 * i + 1]);
    test.equal(dots.download(), wantDots, "dot_double2");
  }
}

} // namespace kiln::sim::programs
