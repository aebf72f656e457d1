//===- wgmma_types.cpp - Every element type of wgmma
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/formats.h"
#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {
namespace {

constexpr int M = 64;

struct WgmmaCase {
  const char *name;
  int n, elementBytes, low, high, lowB, highB, sign;
};

void append(std::vector<uint8_t> &bytes, uint32_t code, int count) {
  for (int i = 0; i < count; ++i)
    bytes.push_back(uint8_t(code >> 8 * i));
}

/// Uses small integers, exact in every type; B is stored by columns.
template <typename Sum, typename Encode>
void runCase(Test &test, const WgmmaCase &shape, Encode encode) {
  for (int steps : {1, 2, 5}) {
    int k = steps * 32 / shape.elementBytes;
    auto a = test.integers<int>(M * k, shape.low, shape.high);
    auto b = test.integers<int>(shape.n * k, shape.lowB, shape.highB);
    std::vector<uint8_t> bytesA, bytesB;
    for (int value : a)
      append(bytesA, encode(value), shape.elementBytes);
    for (int value : b)
      append(bytesB, encode(value), shape.elementBytes);
    std::vector<Sum> want(M * shape.n);
    for (int i = 0; i < M * shape.n; ++i) {
      int sum = 0;
      for (int j = 0; j < k; ++j)
        sum += a[i / shape.n * k + j] * b[i % shape.n * k + j];
      want[i] = Sum(sum * shape.sign);
    }
    Buffer<uint8_t> deviceA(bytesA), deviceB(bytesB);
    Buffer<Sum> c(want.size());
    Shape launch = {.block = {128}, .shared = uint32_t(bytesA.size() + bytesB.size())};
    test.kernel(shape.name)(launch, deviceA, deviceB, c, steps);
    auto got = c.download();
    for (Sum &value : got)
      value += Sum(0); // turns -0 into +0
    test.equal(got, want, shape.name);
  }
}

/// Uses A in registers, B by rows.
void runRegisters(Test &test, int steps) {
  constexpr int N = 64;
  int k = steps * 16;
  auto a = test.integers<int>(M * k, -16, 16), b = test.integers<int>(k * N, -16, 16);
  std::vector<uint8_t> bytesA, bytesB;
  for (int value : a)
    append(bytesA, Half.encode(value, false), 2);
  for (int value : b)
    append(bytesB, Half.encode(value, false), 2);
  std::vector<float> want(M * N);
  for (int i = 0; i < M * N; ++i)
    for (int j = 0; j < k; ++j)
      want[i] += float(a[i / N * k + j] * b[j * N + i % N]);
  Buffer<uint8_t> deviceA(bytesA), deviceB(bytesB);
  Buffer<float> c(want.size());
  test.kernel("wgmma_registers")(
      {.block = {128}, .shared = uint32_t(bytesB.size()) + 1024}, deviceA, deviceB, c,
      steps);
  test.equal(c.download(), want, "wgmma_registers");
}

} // namespace

void run_wgmma_types(Test &test) {
  auto encoder = [](const Format &format) {
    return [&format](int value) { return format.encode(value, false); };
  };
  auto asIs = [](int value) { return uint32_t(value); };
  auto single = [](int value) {
    float real = float(value);
    uint32_t bits;
    std::memcpy(&bits, &real, sizeof bits);
    return bits;
  };
  runCase<float>(test, {"wgmma_f16", 16, 2, -16, 16, -16, 16, 1}, encoder(Half));
  runCase<float>(test, {"wgmma_bf16_negated", 16, 2, -16, 16, -16, 16, -1},
                 encoder(Bfloat16));
  runCase<float>(test, {"wgmma_tf32", 8, 4, -100, 100, -100, 100, 1}, single);
  runCase<int32_t>(test, {"wgmma_s8", 16, 1, -128, 127, -128, 127, 1}, asIs);
  runCase<int32_t>(test, {"wgmma_u8s8", 8, 1, 0, 255, -128, 127, 1}, asIs);
  // fp8 wgmma keeps few bits below the largest term: small values stay exact.
  runCase<float>(test, {"wgmma_e4m3", 8, 1, -2, 2, -2, 2, 1}, encoder(E4m3));
  runCase<float>(test, {"wgmma_e5m2", 16, 1, -2, 2, -2, 2, -1}, encoder(E5m2));
  for (int steps : {1, 3})
    runRegisters(test, steps);
}

} // namespace kiln::sim::programs
