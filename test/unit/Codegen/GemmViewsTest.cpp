//===- GemmViewsTest.cpp - GEMM through views and types -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelHarness.h"
#include "kiln/Codegen/EmitKernel.h"
#include "kiln/Codegen/Gemm.h"

#include <cmath>

using namespace kiln;
using namespace kiln::test;

namespace {

class GemmViews : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    target = targetOrSkip(GetParam());
    if (!target)
      GTEST_SKIP() << "this machine cannot run " << GetParam();
  }
  /// Builds a kernel from its operands ("%a: type, ..."), result type and body.
  std::unique_ptr<BuiltKernel> build(const std::string &symbols,
                                     std::vector<std::pair<std::string, std::string>> operands,
                                     const std::string &result, const std::string &body) {
    std::string text, arguments, bindings, types;
    for (char symbol : symbols)
      text += std::string("graph.symbol @") + symbol + " in [1, 512]\n";
    for (auto &[name, type] : operands) {
      std::string comma = arguments.empty() ? "" : ", ";
      arguments += comma + "%arg_" + name + ": " + type;
      bindings += comma + "%" + name + " = %arg_" + name;
      types += comma + type;
    }
    text += "func.func @main(" + arguments + ") {\n  %r = graph.kernel \"matmul\" (" + bindings +
            ") : (" + types + ") -> " + result + " {\n" + body + "    graph.yield %y : " + result +
            "\n  }\n  return\n}\n";
    return buildKernel(context, text, *target,
                       [](graph::KernelOp kernel, const TargetInfo &target,
                          mlir::OpBuilder &builder) {
                         return codegen::emitKernel(kernel, target, builder);
                       });
  }
  mlir::MLIRContext context;
  std::optional<TargetInfo> target;
};

} // namespace

/// Both operands are activations; operand B is transposed in memory.
TEST_P(GemmViews, BatchedTransposed) {
  std::string q = "tensor<3x?x20xf32, #graph.shape<[m] -> [3, m, 20]>>";
  std::string k = "tensor<3x?x20xf32, #graph.shape<[n] -> [3, n, 20]>>";
  std::string s = "tensor<3x?x?xf32, #graph.shape<[m, n] -> [3, m, n]>>";
  auto kernel = build("mn", {{"q", q}, {"k", k}}, s,
                      "    %y = graph.matmul %q, %k {transpose_b} : (" + q + ", " + k + ") -> " +
                          s + "\n");
  ASSERT_TRUE(kernel);
  for (int64_t m : {1, 2, 3, 4, 17, 70})
    for (int64_t n : {1, 5, 8, 16, 33, 70}) {
      std::vector<float> a = randomFloats(3 * m * 20, 1), b = randomFloats(3 * n * 20, 2),
                         c(3 * m * n + 8, 5.f), again = c;
      kernel->run({a.data(), b.data(), c.data()}, {m, n});
      kernel->run({a.data(), b.data(), again.data()}, {m, n}, 4);
      ASSERT_EQ(c, again);
      ASSERT_EQ(c.back(), 5.f);
      for (int64_t i = 0; i < 3 * m; ++i)
        for (int64_t j = 0; j < n; ++j) {
          float sum = 0;
          for (int64_t p = 0; p < 20; ++p)
            sum = std::fma(a[i * 20 + p], b[(i / m * n + j) * 20 + p], sum);
          ASSERT_EQ(c[i * n + j], sum) << m << " " << n << " " << i << " " << j;
        }
    }
}

/// Row-major operand B with strides, symbolic K, operand A transposed.
TEST_P(GemmViews, LeftTransposedRunTimeDepth) {
  std::string a = "tensor<?x7xf32, #graph.shape<[k] -> [k, 7]>>";
  std::string b = "tensor<?x32xf32, #graph.shape<[k] -> [k, 32]>>";
  auto kernel = build("k", {{"a", a}, {"b", b}}, "tensor<7x32xf32>",
                      "    %y = graph.matmul %a, %b {transpose_a} : (" + a + ", " + b +
                          ") -> tensor<7x32xf32>\n");
  ASSERT_TRUE(kernel);
  for (int64_t k : {1, 2, 9, 100}) {
    std::vector<float> x = randomFloats(k * 7, 1), w = randomFloats(k * 32, 2), c(7 * 32);
    kernel->run({x.data(), w.data(), c.data()}, {k});
    for (int64_t i = 0; i < 7; ++i)
      for (int64_t j = 0; j < 32; ++j) {
        float sum = 0;
        for (int64_t p = 0; p < k; ++p)
          sum = std::fma(x[p * 7 + i], w[p * 32 + j], sum);
        ASSERT_EQ(c[i * 32 + j], sum) << k;
      }
  }
}

/// The result is split into heads: reshape and transpose are folded into the store.
TEST_P(GemmViews, ResultToHeads) {
  std::string x = "tensor<?x?x24xf32, #graph.shape<[b, s] -> [b, s, 24]>>";
  std::string p = "tensor<?x?x96xf32, #graph.shape<[b, s] -> [b, s, 96]>>";
  std::string r = "tensor<?x?x3x32xf32, #graph.shape<[b, s] -> [b, s, 3, 32]>>";
  std::string y = "tensor<?x3x?x32xf32, #graph.shape<[b, s] -> [b, 3, s, 32]>>";
  auto kernel = build(
      "bs", {{"x", x}, {"w", "tensor<6x24x16xf32>"}, {"v", "tensor<96xf32>"}}, y,
      "    %u = graph.unpack %w : (tensor<6x24x16xf32>) -> tensor<24x96xf32>\n"
      "    %p = graph.matmul %x, %u : (" + x + ", tensor<24x96xf32>) -> " + p + "\n" +
      "    %q = graph.binary add %p, %v : (" + p + ", tensor<96xf32>) -> " + p + "\n" +
      "    %r = graph.reshape %q : (" + p + ") -> " + r + "\n" +
      "    %y = graph.transpose %r [0, 2, 1, 3] : (" + r + ") -> " + y + "\n");
  ASSERT_TRUE(kernel);
  for (int64_t b : {1, 3})
    for (int64_t s : {1, 2, 5, 20}) {
      std::vector<float> a = randomFloats(b * s * 24, 1), w = randomFloats(24 * 96, 2),
                         v = randomFloats(96, 3), c(b * s * 96);
      kernel->run({a.data(), w.data(), v.data(), c.data()}, {b, s});
      for (int64_t i = 0; i < b * s; ++i)
        for (int64_t j = 0; j < 96; ++j) {
          float sum = 0;
          for (int64_t p = 0; p < 24; ++p)
            sum = std::fma(a[i * 24 + p], w[(j / 16 * 24 + p) * 16 + j % 16], sum);
          int64_t at = ((i / s * 3 + j / 32) * s + i % s) * 32 + j % 32;
          ASSERT_EQ(c[at], sum + v[j]) << b << " " << s << " " << i << " " << j;
        }
    }
}

/// Weights in f16, converted when they are loaded.
TEST_P(GemmViews, HalfWeights) {
  std::string x = "tensor<?x40xf32, #graph.shape<[m] -> [m, 40]>>";
  std::string y = "tensor<?x20xf32, #graph.shape<[m] -> [m, 20]>>";
  auto kernel = build("m", {{"x", x}, {"w", "tensor<2x40x16xf16>"}}, y,
                      "    %u = graph.unpack %w : (tensor<2x40x16xf16>) -> tensor<40x20xf16>\n"
                      "    %f = graph.cast %u : (tensor<40x20xf16>) -> tensor<40x20xf32>\n"
                      "    %y = graph.matmul %x, %f : (" + x + ", tensor<40x20xf32>) -> " + y + "\n");
  ASSERT_TRUE(kernel);
  std::vector<_Float16> w(2 * 40 * 16);
  std::vector<float> values = randomFloats(w.size(), 2);
  for (size_t i = 0; i < w.size(); ++i)
    w[i] = _Float16(values[i]);
  for (int64_t m : {1, 3, 8, 50}) {
    std::vector<float> a = randomFloats(m * 40, 1), c(m * 20);
    kernel->run({a.data(), w.data(), c.data()}, {m});
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < 20; ++j) {
        float sum = 0;
        for (int64_t p = 0; p < 40; ++p)
          sum = std::fma(a[i * 40 + p], float(w[(j / 16 * 40 + p) * 16 + j % 16]), sum);
        ASSERT_EQ(c[i * 20 + j], sum) << m;
      }
  }
}

/// Operand A in f16, plain and transposed, converted once per task.
TEST_P(GemmViews, HalfRows) {
  std::string y = "tensor<?x20xf16, #graph.shape<[m] -> [m, 20]>>", w = "tensor<37x20xf16>";
  for (bool isTransposed : {false, true}) {
    std::string x = isTransposed ? "tensor<37x?xf16, #graph.shape<[m] -> [37, m]>>"
                                 : "tensor<?x37xf16, #graph.shape<[m] -> [m, 37]>>";
    auto kernel = build("m", {{"x", x}, {"w", w}}, y,
                        std::string("    %y = graph.matmul %x, %w ") +
                            (isTransposed ? "{transpose_a} " : "") + ": (" + x + ", " + w +
                            ") -> " + y + "\n");
    ASSERT_TRUE(kernel);
    for (int64_t m : {1, 3, 8, 100, 200}) {
      std::vector<_Float16> a(m * 37), b(37 * 20), c(m * 20);
      llvm::copy(randomFloats(a.size(), 1), a.begin());
      llvm::copy(randomFloats(b.size(), 2), b.begin());
      kernel->run({a.data(), b.data(), c.data()}, {m});
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < 20; ++j) {
          float sum = 0;
          for (int64_t p = 0; p < 37; ++p)
            sum = std::fma(float(a[isTransposed ? p * m + i : i * 37 + p]),
                           float(b[p * 20 + j]), sum);
          ASSERT_EQ(float(c[i * 20 + j]), float(_Float16(sum))) << m << " " << i << " " << j;
        }
    }
  }
}

TEST_P(GemmViews, BFloatAndIntegers) {
  std::string x = "tensor<?x9xbf16, #graph.shape<[m] -> [m, 9]>>";
  std::string y = "tensor<?x10xbf16, #graph.shape<[m] -> [m, 10]>>";
  auto kernel = build("m", {{"x", x}, {"w", "tensor<9x10xbf16>"}}, y,
                      "    %y = graph.matmul %x, %w : (" + x + ", tensor<9x10xbf16>) -> " + y + "\n");
  ASSERT_TRUE(kernel);
  std::vector<uint16_t> ones(9 * 9, 0x3f80), c(9 * 10);
  std::vector<uint16_t> twos(9 * 10, 0x4000);
  kernel->run({ones.data(), twos.data(), c.data()}, {9});
  for (uint16_t value : c)
    ASSERT_EQ(value, 0x4190); // 18

  std::string i = "tensor<?x9xi64, #graph.shape<[m] -> [m, 9]>>";
  std::string o = "tensor<?x10xi64, #graph.shape<[m] -> [m, 10]>>";
  kernel = build("m", {{"x", i}, {"w", "tensor<9x10xi64>"}}, o,
                 "    %y = graph.matmul %x, %w : (" + i + ", tensor<9x10xi64>) -> " + o + "\n");
  ASSERT_TRUE(kernel);
  std::vector<int64_t> a(5 * 9), w(9 * 10), r(5 * 10);
  for (size_t n = 0; n < a.size(); ++n)
    a[n] = int64_t(n) - 20;
  for (size_t n = 0; n < w.size(); ++n)
    w[n] = (int64_t(1) << 40) - int64_t(n);
  kernel->run({a.data(), w.data(), r.data()}, {5});
  for (int row = 0; row < 5; ++row)
    for (int column = 0; column < 10; ++column) {
      int64_t sum = 0;
      for (int p = 0; p < 9; ++p)
        sum += a[row * 9 + p] * w[p * 10 + column];
      ASSERT_EQ(r[row * 10 + column], sum);
    }
}

TEST(GemmRefusals, SayWhatStandsInTheWay) {
  mlir::MLIRContext context;
  auto why = [&](const std::string &operands, const std::string &types, const std::string &body,
                 const std::string &result) {
    auto module = parseGraph(context, "func.func @main(%x: tensor<4x4xf32>, %z: tensor<4x4xf32>) {\n"
                                      "  %r = graph.kernel \"matmul\" (" + operands + ") : (" +
                                          types + ") -> " + result + " {\n" + body +
                                          "    graph.yield %y : " + result + "\n  }\n  return\n}\n");
    std::string reason;
    EXPECT_FALSE(module && codegen::analyze(findKernel(*module))->canEmit(reason));
    return reason;
  };
  std::string t = "tensor<4x4xf32>", two = "(" + t + ", " + t + ") -> " + t + "\n";
  EXPECT_EQ(why("%a = %x, %b = %z", t + ", " + t,
                "    %e = graph.unary exp %a : (" + t + ") -> " + t + "\n" +
                    "    %y = graph.matmul %e, %b : " + two,
                t),
            "the left operand is computed in the kernel");
  EXPECT_EQ(why("%a = %x, %b = %z", t + ", " + t,
                "    %e = graph.matmul %a, %b : " + two + "    %y = graph.matmul %a, %e : " + two, t),
            "the kernel has more than one matmul");
  EXPECT_EQ(why("%a = %x, %b = %z", t + ", " + t,
                "    %e = graph.matmul %a, %b : " + two +
                    "    %y = graph.softmax %e axis 1 : (" + t + ") -> " + t + "\n",
                t),
            "'graph.softmax' after the contraction does not keep each of its elements");
}

TEST(GemmConfig, FollowsTheTargetAndTheProblem) {
  mlir::MLIRContext context;
  context.loadDialect<tile::TileDialect>();
  TargetInfo v3 = llvm::cantFail(TargetInfo::get("x86-64-v3"));
  TargetInfo v4 = llvm::cantFail(TargetInfo::get("x86-64-v4"));
  codegen::GemmProblem problem;
  problem.n = 768;
  problem.k = 768;
  auto print = [&](const TargetInfo &target) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << mlir::Attribute(codegen::rankGemmConfigs(&context, problem, target).front());
    return text;
  };
  EXPECT_EQ(print(v3),
            "#tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 6, kc = 0, ku = 4, "
            "group = 1, staged_epilogue = false>");
  EXPECT_EQ(print(v4),
            "#tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 6, kc = 0, ku = 4, "
            "group = 2, staged_epilogue = false>");
  problem.k = 3072; // too large for L2
  problem.epilogueCost = 30;
  EXPECT_EQ(print(v3),
            "#tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 6, kc = 1024, ku = 4, "
            "group = 1, staged_epilogue = true>");
}

INSTANTIATE_TEST_SUITE_P(Targets, GemmViews, testing::Values("x86-64-v3", "x86-64-v4"));
