//===- AttentionTest.cpp - Attention against plain loops ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelHarness.h"
#include "kiln/Codegen/EmitKernel.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <limits>

using namespace kiln;
using namespace kiln::test;

namespace {

mlir::FailureOr<tile::KernelOp> emit(graph::KernelOp kernel, const TargetInfo &target,
                                     mlir::OpBuilder &builder) {
  return codegen::emitKernel(kernel, target, builder);
}

/// Attention of one head in double precision; strides are in elements.
void reference(const float *q, const float *k, const float *v, const float *mask, double scale,
               bool causal, int64_t s, int64_t t, int64_t d, int64_t dv, int64_t qStride,
               int64_t kStride, int64_t vStride, std::vector<double> &out) {
  out.assign(s * dv, 0);
  for (int64_t i = 0; i < s; ++i) {
    std::vector<double> p(t);
    double most = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t j = 0; j < t; ++j) {
      for (int64_t e = 0; e < d; ++e)
        p[j] += double(q[i * qStride + e]) * k[j * kStride + e];
      p[j] = p[j] * scale + (mask ? mask[j] : 0);
      if (causal && j > i + t - s)
        p[j] = -std::numeric_limits<double>::infinity();
      most = std::max(most, p[j]);
    }
    for (double &x : p)
      sum += x = std::exp(x - most);
    for (int64_t j = 0; j < t; ++j)
      for (int64_t e = 0; e < dv; ++e)
        out[i * dv + e] += p[j] / sum * v[j * vStride + e];
  }
}

class Attention : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    target = targetOrSkip(GetParam());
    if (!target)
      GTEST_SKIP() << "this machine cannot run " << GetParam();
  }
  mlir::MLIRContext context;
  std::optional<TargetInfo> target;
};

} // namespace

/// Heads split and merged as exporters do: [B, S, H*D] to heads and back, with a mask.
TEST_P(Attention, HeadsThroughViews) {
  for (auto [h, d] : {std::pair<int64_t, int64_t>{2, 32}, {3, 20}, {1, 1}, {2, 64}}) {
    std::string text = llvm::formatv(R"(
      #x = #graph.shape<[b, s] -> [b, s, {0}]>
      #i = #graph.shape<[b, s] -> [b, s, {1}, {2}]>
      #h = #graph.shape<[b, s] -> [b, {1}, s, {2}]>
      #m = #graph.shape<[b, s] -> [b, 1, 1, s]>
      graph.symbol @b in [1, 8]
      graph.symbol @s in [1, 512]
      func.func @main(%q: tensor<?x?x{0}xf32, #x>, %k: tensor<?x?x{0}xf32, #x>, %v: tensor<?x?x{0}xf32, #x>, %m: tensor<?x1x1x?xf32, #m>) {{
        %r = graph.kernel "attention" (%q0 = %q, %k0 = %k, %v0 = %v, %m0 = %m) : (tensor<?x?x{0}xf32, #x>, tensor<?x?x{0}xf32, #x>, tensor<?x?x{0}xf32, #x>, tensor<?x1x1x?xf32, #m>) -> tensor<?x?x{0}xf32, #x> {{
          %q1 = graph.reshape %q0 : (tensor<?x?x{0}xf32, #x>) -> tensor<?x?x{1}x{2}xf32, #i>
          %k1 = graph.reshape %k0 : (tensor<?x?x{0}xf32, #x>) -> tensor<?x?x{1}x{2}xf32, #i>
          %v1 = graph.reshape %v0 : (tensor<?x?x{0}xf32, #x>) -> tensor<?x?x{1}x{2}xf32, #i>
          %q2 = graph.transpose %q1 [0, 2, 1, 3] : (tensor<?x?x{1}x{2}xf32, #i>) -> tensor<?x{1}x?x{2}xf32, #h>
          %k2 = graph.transpose %k1 [0, 2, 1, 3] : (tensor<?x?x{1}x{2}xf32, #i>) -> tensor<?x{1}x?x{2}xf32, #h>
          %v2 = graph.transpose %v1 [0, 2, 1, 3] : (tensor<?x?x{1}x{2}xf32, #i>) -> tensor<?x{1}x?x{2}xf32, #h>
          %a = graph.attention %q2, %k2, %v2 mask %m0 {{scale = 0.25} : (tensor<?x{1}x?x{2}xf32, #h>, tensor<?x{1}x?x{2}xf32, #h>, tensor<?x{1}x?x{2}xf32, #h>, tensor<?x1x1x?xf32, #m>) -> tensor<?x{1}x?x{2}xf32, #h>
          %t = graph.transpose %a [0, 2, 1, 3] : (tensor<?x{1}x?x{2}xf32, #h>) -> tensor<?x?x{1}x{2}xf32, #i>
          %y = graph.reshape %t : (tensor<?x?x{1}x{2}xf32, #i>) -> tensor<?x?x{0}xf32, #x>
          graph.yield %y : tensor<?x?x{0}xf32, #x>
        }
        return
      })",
                                     h * d, h, d)
                           .str();
    auto kernel = buildKernel(context, text, *target, emit);
    ASSERT_TRUE(kernel);
    for (int64_t b : {1, 3})
      for (int64_t s : {1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 70, 128, 150}) {
        int64_t row = h * d;
        std::vector<float> q = randomFloats(b * s * row, 1), k = randomFloats(b * s * row, 2),
                           v = randomFloats(b * s * row, 3), mask(b * s, 0.f),
                           out(b * s * row, 9.f), again = out;
        for (int64_t j = 0; j < b * s; ++j)
          mask[j] = j % 3 == 2 || (b == 3 && j / s == 1) ? -10000.f : 0.f; // one row is
                                                                           // fully masked
        kernel->run({q.data(), k.data(), v.data(), mask.data(), out.data()}, {b, s});
        kernel->run({q.data(), k.data(), v.data(), mask.data(), again.data()}, {b, s}, 3);
        ASSERT_EQ(out, again);
        for (int64_t i = 0; i < b; ++i)
          for (int64_t head = 0; head < h; ++head) {
            int64_t at = i * s * row + head * d;
            std::vector<double> expected;
            reference(&q[at], &k[at], &v[at], &mask[i * s], 0.25, false, s, s, d, d, row, row,
                      row, expected);
            for (int64_t r = 0; r < s; ++r)
              for (int64_t e = 0; e < d; ++e)
                ASSERT_NEAR(out[at + r * row + e], expected[r * d + e], 2e-3 * (mask[i * s] != 0) + 2e-6)
                    << b << " " << s << " head " << head << " row " << r << " col " << e;
          }
      }
  }
}

/// Grouped-query attention with two query heads per key head, causal, with different key
/// and value lengths.
TEST_P(Attention, GroupedCausal) {
  std::string text = R"(
    #q = #graph.shape<[s, t] -> [2, 4, s, 24]>
    #k = #graph.shape<[s, t] -> [2, 2, t, 24]>
    #v = #graph.shape<[s, t] -> [2, 2, t, 40]>
    #y = #graph.shape<[s, t] -> [2, 4, s, 40]>
    graph.symbol @s in [1, 512]
    graph.symbol @t in [1, 512]
    func.func @main(%q: tensor<2x4x?x24xf32, #graph.shape<[s] -> [2, 4, s, 24]>>, %k: tensor<2x2x?x24xf32, #graph.shape<[t] -> [2, 2, t, 24]>>, %v: tensor<2x2x?x40xf32, #graph.shape<[t] -> [2, 2, t, 40]>>) {
      %r = graph.kernel "attention" (%q0 = %q, %k0 = %k, %v0 = %v) : (tensor<2x4x?x24xf32, #graph.shape<[s] -> [2, 4, s, 24]>>, tensor<2x2x?x24xf32, #graph.shape<[t] -> [2, 2, t, 24]>>, tensor<2x2x?x40xf32, #graph.shape<[t] -> [2, 2, t, 40]>>) -> tensor<2x4x?x40xf32, #graph.shape<[s] -> [2, 4, s, 40]>> {
        %y = graph.attention %q0, %k0, %v0 {scale = 0.2, causal} : (tensor<2x4x?x24xf32, #graph.shape<[s] -> [2, 4, s, 24]>>, tensor<2x2x?x24xf32, #graph.shape<[t] -> [2, 2, t, 24]>>, tensor<2x2x?x40xf32, #graph.shape<[t] -> [2, 2, t, 40]>>) -> tensor<2x4x?x40xf32, #graph.shape<[s] -> [2, 4, s, 40]>>
        graph.yield %y : tensor<2x4x?x40xf32, #graph.shape<[s] -> [2, 4, s, 40]>>
      }
      return
    })";
  text = text.substr(text.find("    graph.symbol"));
  auto kernel = buildKernel(context, text, *target, emit);
  ASSERT_TRUE(kernel);
  for (auto [s, t] : {std::pair<int64_t, int64_t>{1, 1}, {1, 40}, {5, 5}, {7, 33}, {64, 64}, {130, 140}}) {
    std::vector<float> q = randomFloats(2 * 4 * s * 24, 1), k = randomFloats(2 * 2 * t * 24, 2),
                       v = randomFloats(2 * 2 * t * 40, 3), out(2 * 4 * s * 40);
    kernel->run({q.data(), k.data(), v.data(), out.data()}, {s, t});
    for (int64_t i = 0; i < 8; ++i) {
      int64_t keyHead = i / 4 * 2 + i % 4 / 2;
      std::vector<double> expected;
      reference(&q[i * s * 24], &k[keyHead * t * 24], &v[keyHead * t * 40], nullptr, 0.2, true,
                s, t, 24, 40, 24, 24, 40, expected);
      for (int64_t e = 0; e < s * 40; ++e)
        ASSERT_NEAR(out[i * s * 40 + e], expected[e], 2e-6) << s << " " << t << " " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Attention, testing::Values("x86-64-v3", "x86-64-v4"));
