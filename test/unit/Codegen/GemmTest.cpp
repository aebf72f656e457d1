//===- GemmTest.cpp - GEMM against nested loops ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelHarness.h"
#include "kiln/Codegen/EmitKernel.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace kiln;
using namespace kiln::test;

namespace {

mlir::FailureOr<tile::KernelOp> emitGemm(graph::KernelOp kernel, const TargetInfo &target,
                                         mlir::OpBuilder &builder) {
  return codegen::emitKernel(kernel, target, builder);
}

/// Packs a row-major [k, n] into panels [n_panels, k, width].
std::vector<float> pack(const std::vector<float> &b, int64_t k, int64_t n, int64_t width) {
  std::vector<float> packed((n + width - 1) / width * width * k, 0.f);
  for (int64_t p = 0; p < k; ++p)
    for (int64_t j = 0; j < n; ++j)
      packed[(j / width * k + p) * width + j % width] = b[p * n + j];
  return packed;
}

class Gemm : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    target = targetOrSkip(GetParam());
    if (!target)
      GTEST_SKIP() << "this machine cannot run " << GetParam();
  }

  /// x[m, k] * w[k, n] with `body` as the epilogue between %p (the product) and %y.
  std::unique_ptr<BuiltKernel> packedKernel(int64_t k, int64_t n, const std::string &operands,
                                            const std::string &types, const std::string &body) {
    std::string text = llvm::formatv(R"(
      #x = #graph.shape<[m] -> [m, {0}]>
      #y = #graph.shape<[m] -> [m, {1}]>
      graph.symbol @m in [0, 512]
      func.func @main(%x: tensor<?x{0}xf32, #x>, %w: tensor<{2}x{0}x16xf32>{3}) {{
        %r = graph.kernel "matmul" (%a = %x, %b = %w{4}) : (tensor<?x{0}xf32, #x>, tensor<{2}x{0}x16xf32>{5}) -> tensor<?x{1}xf32, #y> {{
          %u = graph.unpack %b : (tensor<{2}x{0}x16xf32>) -> tensor<{0}x{1}xf32>
          %p = graph.matmul %a, %u : (tensor<?x{0}xf32, #x>, tensor<{0}x{1}xf32>) -> tensor<?x{1}xf32, #y>
          {6}
          graph.yield %y : tensor<?x{1}xf32, #y>
        }
        return
      })",
                                     k, n, (n + 15) / 16, arguments(types, "%o"),
                                     bindings(operands, "%o"), plain(types),
                                     llvm::formatv(body.c_str(), n).str());
    return buildKernel(context, text, *target, emitGemm);
  }
  // Splits "t1;t2" into ", %o0: t1, %o1: t2" and the like.
  static std::vector<std::string> split(const std::string &list) {
    std::vector<std::string> parts;
    for (size_t at = 0; at < list.size();) {
      size_t end = std::min(list.find(';', at), list.size());
      parts.push_back(list.substr(at, end - at));
      at = end + 1;
    }
    return parts;
  }
  static std::string arguments(const std::string &types, const std::string &prefix) {
    std::string text;
    int i = 0;
    for (const std::string &type : split(types))
      text += ", " + prefix + std::to_string(i++) + ": " + type;
    return text;
  }
  static std::string bindings(const std::string &operands, const std::string &prefix) {
    std::string text;
    int i = 0;
    for (const std::string &operand : split(operands))
      text += ", " + operand + " = " + prefix + std::to_string(i++);
    return text;
  }
  static std::string plain(const std::string &types) {
    std::string text;
    for (const std::string &type : split(types))
      text += ", " + type;
    return text;
  }

  mlir::MLIRContext context;
  std::optional<TargetInfo> target;
};

constexpr const char *kIdentity = R"(
          %y = graph.unary abs %p : (tensor<?x{0}xf32, #y>) -> tensor<?x{0}xf32, #y>)";

double erfGelu(double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }

} // namespace

TEST_P(Gemm, EverySizeUpTo70) {
  std::mt19937 engine(7);
  std::vector<std::pair<int64_t, int64_t>> shapes = {{1, 1}, {3, 16}, {5, 17}, {64, 70}, {33, 48}};
  for (int i = 0; i < 6; ++i)
    shapes.push_back({1 + engine() % 70, 1 + engine() % 70});
  for (auto [k, n] : shapes) {
    auto kernel = packedKernel(k, n, "", "", kIdentity);
    ASSERT_TRUE(kernel);
    std::vector<float> b = randomFloats(k * n, 1), packed = pack(b, k, n, 16);
    for (int64_t m = 0; m <= 70; ++m) {
      std::vector<float> a = randomFloats(m * k, 2), c(m * n + 16, 77.f), again = c;
      kernel->run({a.data(), packed.data(), c.data()}, {m});
      kernel->run({a.data(), packed.data(), again.data()}, {m}, 3);
      ASSERT_EQ(c, again) << "the cut of the grid shows";
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
          float sum = 0;
          for (int64_t p = 0; p < k; ++p)
            sum = std::fma(a[i * k + p], b[p * n + j], sum);
          ASSERT_EQ(c[i * n + j], std::fabs(sum)) << m << "x" << n << "x" << k << " " << i << "," << j;
        }
      for (int64_t i = 0; i < 16; ++i)
        ASSERT_EQ(c[m * n + i], 77.f);
    }
  }
}

TEST_P(Gemm, ManyRowsAndDeepProducts) {
  for (auto [k, n] : {std::pair<int64_t, int64_t>{1100, 64}, {2048, 33}}) {
    auto kernel = packedKernel(k, n, "", "", kIdentity);
    ASSERT_TRUE(kernel);
    std::vector<float> b = randomFloats(k * n, 1), packed = pack(b, k, n, 16);
    for (int64_t m : {2, 31, 130, 300}) {
      std::vector<float> a = randomFloats(m * k, 2), c(m * n);
      kernel->run({a.data(), packed.data(), c.data()}, {m}, 2);
      for (int64_t i = 0; i < m; i += 7)
        for (int64_t j = 0; j < n; ++j) {
          float sum = 0;
          for (int64_t p = 0; p < k; ++p)
            sum = std::fma(a[i * k + p], b[p * n + j], sum);
          ASSERT_EQ(c[i * n + j], std::fabs(sum)) << m << " " << i << "," << j;
        }
    }
  }
}

TEST_P(Gemm, BiasGeluResidual) {
  for (int64_t n : {48, 50}) {
    int64_t k = 40;
    std::string vector = "tensor<" + std::to_string(n) + "xf32>";
    std::string matrix = "tensor<?x" + std::to_string(n) + "xf32, #y>";
    auto kernel = packedKernel(k, n, "%bias;%res", vector + ";" + matrix, R"(
      %1 = graph.binary add %p, %bias : (tensor<?x{0}xf32, #y>, tensor<{0}xf32>) -> tensor<?x{0}xf32, #y>
      %2 = graph.unary gelu %1 : (tensor<?x{0}xf32, #y>) -> tensor<?x{0}xf32, #y>
      %y = graph.binary add %2, %res : (tensor<?x{0}xf32, #y>, tensor<?x{0}xf32, #y>) -> tensor<?x{0}xf32, #y>)");
    ASSERT_TRUE(kernel);
    std::vector<float> b = randomFloats(k * n, 1), packed = pack(b, k, n, 16);
    std::vector<float> bias = randomFloats(n, 3);
    for (int64_t m : {1, 2, 3, 4, 7, 13, 100}) {
      std::vector<float> a = randomFloats(m * k, 2), res = randomFloats(m * n, 4), c(m * n);
      kernel->run({a.data(), packed.data(), bias.data(), res.data(), c.data()}, {m});
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
          double sum = bias[j];
          for (int64_t p = 0; p < k; ++p)
            sum += double(a[i * k + p]) * b[p * n + j];
          ASSERT_NEAR(c[i * n + j], erfGelu(sum) + res[i * n + j], 1e-5) << m << " " << i << "," << j;
        }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Gemm, testing::Values("x86-64-v3", "x86-64-v4"));
