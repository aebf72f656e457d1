//===- tensor_bench.cpp - Speed of tensor core arithmetic ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints one line per shape and instruction set: GFLOP/s of one core, with exact results.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/arith/fast.h"
#include "runtime/sim/arith/tensor.h"
#include "runtime/sim/arith/tensor_scaled.h"

#include <cstdio>
#include <ctime>
#include <random>
#include <vector>

using namespace kiln::sim::arith;

static void measure(const char *name, const Format &format, uint32_t (*convert)(uint32_t),
                    int m, int n, int k, TensorUnit unit) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<uint32_t> a(m * k), b(k * n);
  for (uint32_t &x : a)
    x = convert(bitsOf(normal(random)));
  for (uint32_t &x : b)
    x = convert(bitsOf(normal(random)));
  DotRule rule = dotRule(TensorArch::Hopper, unit, format, k, false);
  for (Isa isa : {Isa::Portable, Isa::Avx2, Isa::Avx512}) {
    if (isa > bestIsa())
      continue;
    std::vector<uint32_t> d(m * n, 0);
    double seconds = 0;
    long count = 0;
    // CPU time of this process, so that other load on the machine does not count.
    for (std::clock_t start = std::clock(); seconds < 0.3;
         seconds = double(std::clock() - start) / CLOCKS_PER_SEC)
      for (int i = 0; i < 16; ++i, ++count)
        multiply(rule,
                 {&format, &format, m, n, k, a.data(), b.data(), d.data(), d.data()},
                 isa);
    std::printf("%-28s %-9s %6.2f GFLOP/s\n", name, isaName(isa),
                2.0 * m * n * k * static_cast<double>(count) / seconds * 1e-9);
  }
}

static void measureScaled(const char *name, const Format &format, ScaledUnit unit, int k,
                          int blocks) {
  constexpr int m = 16, n = 8;
  std::mt19937 random(1);
  uint32_t mask = (1u << format.bits) - 1 - (format.bits == E4M3.bits);
  std::vector<uint32_t> a(m * k), b(k * n), d(m * n, 0);
  for (uint32_t &x : a)
    x = random() & mask;
  for (uint32_t &x : b)
    x = random() & mask;
  std::vector<uint8_t> scaleA(m * blocks, 127), scaleB(n * blocks, 127);
  Product product = {&format, &format, m, n, k, a.data(), b.data(), d.data(), d.data()};
  double seconds = 0;
  long count = 0;
  for (std::clock_t start = std::clock(); seconds < 0.3;
       seconds = double(std::clock() - start) / CLOCKS_PER_SEC, ++count)
    multiplyScaled(
        {product, unit, ScaleType::UE8M0, blocks, scaleA.data(), scaleB.data()});
  std::printf("%-28s %-9s %6.2f GFLOP/s\n", name, "all",
              2.0 * m * n * k * static_cast<double>(count) / seconds * 1e-9);
}

int main() {
  auto same = [](uint32_t bits) { return bits; };
  measure("mma m16n8k16 bf16", BF16, f32ToBf16, 16, 8, 16, TensorUnit::Mma);
  measure("mma m16n8k8 tf32", TF32, same, 16, 8, 8, TensorUnit::Mma);
  measure("wgmma m64n64k16 f16", F16, f32ToF16, 64, 64, 16, TensorUnit::Wgmma);
  measure("wgmma m64n256k16 bf16", BF16, f32ToBf16, 64, 256, 16, TensorUnit::Wgmma);
  measureScaled("mma m16n8k32 mxf8f6f4", E4M3, ScaledUnit::Mxf8f6f4, 32, 1);
  measureScaled("mma m16n8k64 mxf4", E2M1, ScaledUnit::Mxf4, 64, 2);
}
