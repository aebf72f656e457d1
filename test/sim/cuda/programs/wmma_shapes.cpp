//===- wmma_shapes.cpp - The older warp matrix interface
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/formats.h"
#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {
namespace {

struct WmmaCase {
  const char *name;
  int m, n, k;
  bool rowsOfB;
};

/// Uses small integers, exact in every type.
template <typename Element, typename Sum, typename Encode, typename EncodeSum>
void runCase(Test &test, const WmmaCase &shape, int limit, Encode encode,
             EncodeSum encodeSum) {
  for (int steps : {1, 3}) {
    int k = shape.k * steps, low = std::is_same_v<Element, uint8_t> ? 0 : -limit;
    auto a = test.integers<int>(shape.m * k, low, limit),
         b = test.integers<int>(k * shape.n, low, limit);
    auto c = test.integers<int>(shape.m * shape.n, -50, 50);
    std::vector<Element> codesA(a.size()), codesB(b.size());
    std::vector<Sum> codesC(c.size()), want(c.size());
    for (size_t i = 0; i < a.size(); ++i)
      codesA[i] = encode(a[i]);
    for (int i = 0; i < k; ++i)
      for (int j = 0; j < shape.n; ++j)
        codesB[shape.rowsOfB ? i * shape.n + j : j * k + i] = encode(b[i * shape.n + j]);
    for (size_t at = 0; at < c.size(); ++at) {
      codesC[at] = encodeSum(c[at]);
      int sum = c[at];
      for (int i = 0; i < k; ++i)
        sum += a[at / shape.n * k + i] * b[i * shape.n + at % shape.n];
      want[at] = encodeSum(sum);
    }
    Buffer<Element> deviceA(codesA), deviceB(codesB);
    Buffer<Sum> deviceC(codesC), d(c.size());
    test.kernel(shape.name)({.block = {32}}, deviceA, deviceB, deviceC, d, steps);
    test.equal(d.download(), want, shape.name);
  }
}

} // namespace

void run_wmma_shapes(Test &test) {
  auto half = [](int value) { return uint16_t(Half.encode(value, false)); };
  auto bfloat = [](int value) { return uint16_t(Bfloat16.encode(value, false)); };
  auto same = [](int value) { return value; };
  runCase<uint16_t, float>(test, {"wmma_f16_16x16", 16, 16, 16, true}, 8, half, same);
  runCase<uint16_t, float>(test, {"wmma_f16_32x8", 32, 8, 16, false}, 8, half, same);
  runCase<uint16_t, float>(test, {"wmma_bf16_8x32", 8, 32, 16, true}, 8, bfloat, same);
  runCase<uint16_t, uint16_t>(test, {"wmma_f16_f16", 16, 16, 16, false}, 4, half, half);
  runCase<int8_t, int32_t>(test, {"wmma_s8", 16, 16, 16, false}, 127, same, same);
  runCase<uint8_t, int32_t>(test, {"wmma_u8", 16, 16, 16, true}, 255, same, same);
  runCase<double, double>(test, {"wmma_f64", 8, 8, 4, false}, 1000, same, same);
}

} // namespace kiln::sim::programs
