//===- attention.cpp - Attention of one head
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/formats.h"
#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {
namespace {

constexpr int HeadSize = 32;

/// Returns values rounded to f16, as the kernel reads them.
std::vector<double> halves(Test &test, size_t count, std::vector<uint16_t> &codes) {
  std::vector<double> out;
  for (double value : test.reals<double>(count, -2, 2)) {
    codes.push_back(uint16_t(Half.encode(value, false)));
    out.push_back(Half.decode(codes.back()));
  }
  return out;
}

std::vector<double> attend(const std::vector<double> &q, const std::vector<double> &k,
                           const std::vector<double> &v, int queries, int length,
                           double scale) {
  std::vector<double> out(queries * HeadSize);
  for (int row = 0; row < queries; ++row) {
    std::vector<double> weights(length);
    double total = 0;
    for (int key = 0; key < length; ++key) {
      double score = 0;
      for (int i = 0; i < HeadSize; ++i)
        score += q[row * HeadSize + i] * k[key * HeadSize + i];
      total += weights[key] = std::exp(score * scale);
    }
    for (int key = 0; key < length; ++key)
      for (int i = 0; i < HeadSize; ++i)
        out[row * HeadSize + i] += weights[key] / total * v[key * HeadSize + i];
  }
  return out;
}

} // namespace

void run_attention(Test &test) {
  for (auto [queries, length] : {std::pair{16, 32}, {1, 1}, {40, 75}}) {
    std::vector<uint16_t> codesQ, codesK, codesV;
    auto q = halves(test, queries * HeadSize, codesQ), k = halves(test, length * HeadSize, codesK);
    auto v = halves(test, length * HeadSize, codesV);
    Buffer<uint16_t> deviceQ(codesQ), deviceK(codesK), deviceV(codesV);
    Buffer<float> out(queries * HeadSize);
    constexpr float Scale = 0.17677669f;
    test.kernel("attend")({.grid = {divideUp(queries, 16)}, .block = {32}}, deviceQ,
                          deviceK, deviceV, out, queries, length, Scale);
    // The kernel rounds softmax weights to f16.
    test.near(out.download(), attend(q, k, v, queries, length, Scale), 2e-3, 1e-3,
              "attend");
  }
}

} // namespace kiln::sim::programs
