//===- mma_types.cpp - Every element type of mma.sync
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/formats.h"
#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {
namespace {

/// Packs one row of elements, `bits` wide, into words.
void pack(std::vector<uint32_t> &words, size_t index, int bits, uint32_t code) {
  size_t perWord = 32 / bits;
  uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
  words[index / perWord] |= (code & mask) << (index % perWord * bits);
}

struct Range {
  int low, high;
};

struct Operands {
  std::vector<uint32_t> a, b;
  std::vector<double> product; ///< 16x8
};

/// Small integers: sums are exact in any order and accumulator width.
template <typename Encode>
Operands makeOperands(Test &test, int k, int bits, Range rangeA, Range rangeB,
                      Encode encode) {
  auto a = test.integers<int>(16 * k, rangeA.low, rangeA.high),
       b = test.integers<int>(8 * k, rangeB.low, rangeB.high);
  Operands out = {std::vector<uint32_t>(16 * k * bits / 32),
                  std::vector<uint32_t>(8 * k * bits / 32), std::vector<double>(16 * 8)};
  for (int i = 0; i < 16 * k; ++i)
    pack(out.a, i, bits, encode(a[i]));
  for (int i = 0; i < 8 * k; ++i)
    pack(out.b, i, bits, encode(b[i]));
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column)
      for (int i = 0; i < k; ++i)
        out.product[row * 8 + column] += double(a[row * k + i]) * b[column * k + i];
  return out;
}

template <typename Sum, typename Encode>
void runType(Test &test, const char *name, int stepK, int bits, Range a, Range b,
             Encode encode) {
  for (int steps : {1, 2, 5}) {
    Operands operands = makeOperands(test, stepK * steps, bits, a, b, encode);
    Buffer<uint32_t> deviceA(operands.a), deviceB(operands.b);
    Buffer<Sum> c(16 * 8);
    test.kernel(name)({.block = {32}}, deviceA, deviceB, c, steps);
    test.equal(c.download(),
               std::vector<Sum>(operands.product.begin(), operands.product.end()), name);
  }
}

auto encoder(const Format &format) {
  return [&format](int value) { return format.encode(value, false); };
}

void runHalfSums(Test &test) {
  Operands operands = makeOperands(test, 8, 16, {-8, 8}, {-8, 8}, encoder(Half));
  Buffer<uint32_t> a(operands.a), b(operands.b);
  Buffer<uint16_t> c(16 * 8);
  test.kernel("mma_f16_f16")({.block = {32}}, a, b, c);
  std::vector<uint16_t> want;
  for (double value : operands.product)
    want.push_back(uint16_t(Half.encode(value, false)));
  test.equal(c.download(), want, "mma_f16_f16");
}

void runDouble(Test &test) {
  auto a = test.reals<double>(8 * 4, -1, 1), b = test.reals<double>(8 * 4, -1, 1);
  Buffer<double> deviceA(a), deviceB(b), c(64);
  test.kernel("mma_f64")({.block = {32}}, deviceA, deviceB, c);
  std::vector<double> want(64);
  for (int i = 0; i < 64; ++i)
    for (int k = 0; k < 4; ++k)
      want[i] = std::fma(a[i / 8 * 4 + k], b[i % 8 * 4 + k], want[i]);
  test.near(c.download(), want, 1e-15, 1e-15, "mma_f64");
}

} // namespace

void run_mma_types(Test &test) {
  auto asIs = [](int value) { return uint32_t(value); };
  auto single = [](int value) {
    float real = float(value);
    uint32_t bits;
    std::memcpy(&bits, &real, sizeof bits);
    return bits;
  };
  runType<float>(test, "mma_f16", 16, 16, {-16, 16}, {-16, 16}, encoder(Half));
  runType<float>(test, "mma_bf16", 16, 16, {-16, 16}, {-16, 16}, encoder(Bfloat16));
  runType<float>(test, "mma_tf32", 8, 32, {-100, 100}, {-100, 100}, single);
  runType<int32_t>(test, "mma_s8", 32, 8, {-128, 127}, {-128, 127}, asIs);
  runType<int32_t>(test, "mma_u8", 32, 8, {0, 255}, {0, 255}, asIs);
  runType<int32_t>(test, "mma_u8s8", 32, 8, {0, 255}, {-128, 127}, asIs);
  if (test.arch == "sm_90a") {
    // fp8 MMA keeps few bits below the largest term: values of 1 and 2 stay exact.
    runType<float>(test, "mma_e4m3", 32, 8, {-2, 2}, {-2, 2}, encoder(E4m3));
    runType<float>(test, "mma_e5m2", 32, 8, {-2, 2}, {-2, 2}, encoder(E5m2));
  }
  runHalfSums(test);
  runDouble(test);
}

} // namespace kiln::sim::programs
