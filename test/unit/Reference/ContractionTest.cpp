//===- ContractionTest.cpp - matmul and attention -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphText.h"

#include <cmath>

using namespace kiln::reference;

using Contraction = GraphTest;

TEST_F(Contraction, Matmul) {
  std::string a = "tensor<2x3xf32>", b = "tensor<3x2xf32>", r = "tensor<2x2xf32>";
  Tensor x = f32({2, 3}, {1, 2, 3, 4, 5, 6}), y = f32({3, 2}, {1, 0, 0, 1, 2, -1});
  expectNear(eval("graph.matmul %0, %1 : (" + a + ", " + b + ") -> " + r, {a, b}, r, {x, y}),
             {7, -1, 16, -1});
}

TEST_F(Contraction, MatmulTransposed) {
  std::string a = "tensor<3x2xf32>", b = "tensor<2x3xf32>", r = "tensor<2x2xf32>";
  Tensor x = f32({3, 2}, {1, 4, 2, 5, 3, 6}), y = f32({2, 3}, {1, 0, 2, 0, 1, -1});
  expectNear(eval("graph.matmul %0, %1 {transpose_a, transpose_b} : (" + a + ", " + b + ") -> " + r,
                  {a, b}, r, {x, y}),
             {7, -1, 16, -1});
}

TEST_F(Contraction, MatmulBroadcastsLeadingDims) {
  std::string a = "tensor<2x1x1x2xf64>", b = "tensor<3x2x1xf64>", r = "tensor<2x3x1x1xf64>";
  Tensor x = floats("f64", {2, 1, 1, 2}, {1, 2, 3, 4});
  Tensor y = floats("f64", {3, 2, 1}, {1, 0, 0, 1, 1, 1});
  expectNear(eval("graph.matmul %0, %1 : (" + a + ", " + b + ") -> " + r, {a, b}, r, {x, y}),
             {1, 2, 3, 3, 4, 7});
}

TEST_F(Contraction, MatmulPropagatesNonFinite) {
  std::string a = "tensor<1x2xf32>", b = "tensor<2x2xf32>";
  Tensor x = f32({1, 2}, {0, 1}), y = f32({2, 2}, {kInf, kNaN, 1, 1});
  expectNear(eval("graph.matmul %0, %1 : (" + a + ", " + b + ") -> " + a, {a, b}, a, {x, y}),
             {kNaN, kNaN});
}

TEST_F(Contraction, MatmulOfIntegersWraps) {
  std::string a = "tensor<1x2xi8>", b = "tensor<2x1xi8>", r = "tensor<1x1xi8>";
  expectInts(eval("graph.matmul %0, %1 : (" + a + ", " + b + ") -> " + r, {a, b}, r,
                  {ints("i8", {1, 2}, {100, 100}), ints("i8", {2, 1}, {2, 1})}),
             {44});
}

TEST_F(Contraction, MatmulWithoutElements) {
  std::string a = "tensor<2x0xf32>", b = "tensor<0x2xf32>", r = "tensor<2x2xf32>";
  expectNear(eval("graph.matmul %0, %1 : (" + a + ", " + b + ") -> " + r, {a, b}, r,
                  {f32({2, 0}, {}), f32({0, 2}, {})}),
             {0, 0, 0, 0});
}

TEST_F(Contraction, LargeMatmulAgreesWithTheDefinition) {
  // Sizes that blocks do not divide in any dim.
  constexpr int64_t kM = 19, kK = 33, kN = 301;
  std::vector<double> a(kM * kK), b(kK * kN), c(kM * kN, 0.0);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<double>(i % 7) - 3;
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = static_cast<double>(i % 11) - 5;
  for (int64_t i = 0; i < kM * kN; ++i)
    for (int64_t k = 0; k < kK; ++k)
      c[i] += a[i / kN * kK + k] * b[k * kN + i % kN];
  std::string ta = "tensor<19x33xf32>", tb = "tensor<33x301xf32>", tc = "tensor<19x301xf32>";
  expectNear(eval("graph.matmul %0, %1 : (" + ta + ", " + tb + ") -> " + tc, {ta, tb}, tc,
                  {f32({kM, kK}, a), f32({kK, kN}, b)}),
             c, 0);
}

namespace {
/// Queries and keys of one element; values show which keys were visible.
class Attention : public GraphTest {
protected:
  static std::string tensor(llvm::ArrayRef<int64_t> shape) {
    std::string text = "tensor<";
    for (int64_t dim : shape)
      text += std::to_string(dim) + "x";
    return text + "f32>";
  }

  Tensor run(const Tensor &q, const Tensor &k, const Tensor &v, const std::string &attributes,
             const Tensor *mask = nullptr) {
    std::string tq = tensor(q.getShape()), tk = tensor(k.getShape()), tv = tensor(v.getShape());
    Shape shape(q.getShape());
    shape[3] = v.getShape()[3];
    std::string out = tensor(shape), tm = mask ? tensor(mask->getShape()) : "";
    std::string op = "graph.attention %0, %1, %2 " + std::string(mask ? "mask %3 " : "") + "{" +
                     attributes + "} : (" + tq + ", " + tk + ", " + tv + (mask ? ", " + tm : "") +
                     ") -> " + out;
    std::vector<std::string> types{tq, tk, tv};
    std::vector<Tensor> inputs{q, k, v};
    if (mask)
      types.push_back(tm), inputs.push_back(*mask);
    return eval(op, types, out, inputs);
  }
};
} // namespace

TEST_F(Attention, IsTheSoftmaxOfScaledScores) {
  Tensor q = f32({1, 1, 1, 1}, {2}), k = f32({1, 1, 2, 1}, {0, 1});
  Tensor v = f32({1, 1, 2, 2}, {1, 0, 0, 1});
  double p = 1 / (1 + std::exp(1.0)); // scores 0 and 0.5 * 2
  expectNear(run(q, k, v, "scale = 0.5"), {p, 1 - p});
}

TEST_F(Attention, CausalCountsFromTheEnd) {
  // Query i of 2 sees keys j <= i + 1 of 3; all scores are 0.
  Tensor q = f32({1, 1, 2, 1}, {0, 0}), k = f32({1, 1, 3, 1}, {0, 0, 0});
  Tensor v = f32({1, 1, 3, 1}, {1, 2, 6});
  expectNear(run(q, k, v, "causal, scale = 1.0"), {1.5, 3});
  // An invisible key has no effect, even if it is NaN.
  Tensor w = f32({1, 1, 3, 1}, {1, 2, kNaN});
  expectNear(run(q, k, w, "causal, scale = 1.0"), {1.5, kNaN});
}

TEST_F(Attention, RowsThatSeeNothingAreNaN) {
  Tensor q = f32({1, 1, 2, 1}, {0, 0}), k = f32({1, 1, 1, 1}, {0}), v = f32({1, 1, 1, 1}, {5});
  expectNear(run(q, k, v, "causal, scale = 1.0"), {kNaN, 5}); // query 0 sees j <= -1
  Tensor mask = f32({2, 1}, {-kInf, 0});
  expectNear(run(q, k, v, "scale = 1.0", &mask), {kNaN, 5});
}

TEST_F(Attention, RowsThatSeeNothingAreZeroIfTheOpSaysSo) {
  Tensor q = f32({1, 1, 2, 1}, {0, 0}), k = f32({1, 1, 1, 1}, {0}), v = f32({1, 1, 1, 1}, {5});
  expectNear(run(q, k, v, "causal, masked_zero, scale = 1.0"), {0, 5});
  Tensor mask = f32({2, 1}, {-kInf, 0});
  expectNear(run(q, k, v, "masked_zero, scale = 1.0", &mask), {0, 5});
  // A large negative value is not -infinity, and a NaN key is visible.
  Tensor large = f32({2, 1}, {-1e30, 0});
  expectNear(run(q, k, v, "masked_zero, scale = 1.0", &large), {5, 5});
  Tensor unknown = f32({2, 1}, {kNaN, 0});
  expectNear(run(q, k, v, "masked_zero, scale = 1.0", &unknown), {kNaN, 5});
}

TEST_F(Attention, RowsWithoutWeightsAreZeroIfNaNIs) {
  Tensor q = f32({1, 1, 4, 1}, {0, 0, 0, 0}), k = f32({1, 1, 2, 1}, {0, 0});
  Tensor v = f32({1, 1, 2, 1}, {5, 7});
  Tensor mask = f32({4, 2}, {-kInf, -kInf, 0, kNaN, kInf, 0, 0, -kInf});
  expectNear(run(q, k, v, "nan_zero, scale = 1.0", &mask), {0, 0, 0, 5});
  Tensor w = f32({1, 1, 2, 1}, {5, kNaN}); // 0 times NaN
  expectNear(run(q, k, w, "nan_zero, scale = 1.0", &mask), {kNaN, kNaN, kNaN, kNaN});
  Tensor none = f32({1, 1, 0, 1}, {});
  expectNear(run(q, none, none, "nan_zero, scale = 1.0"), {0, 0, 0, 0});
}

TEST_F(Attention, SoftcapBoundsScoresBeforeTheMask) {
  Tensor q = f32({1, 1, 1, 1}, {2}), k = f32({1, 1, 2, 1}, {0, 3}), v = f32({1, 1, 2, 1}, {0, 1});
  double score = 2 * std::tanh(0.5 * 6 / 2); // scores 0 and 0.5 * 6
  expectNear(run(q, k, v, "scale = 0.5, softcap = 2.0"), {1 / (1 + std::exp(-score))});
  Tensor mask = f32({1, 2}, {0, -kInf});
  expectNear(run(q, k, v, "scale = 0.5, softcap = 2.0", &mask), {0});
}

TEST_F(Attention, LargeNegativeMaskHidesLikeInfinity) {
  Tensor q = f32({1, 1, 1, 1}, {1}), k = f32({1, 1, 2, 1}, {1, 5}), v = f32({1, 1, 2, 1}, {3, 9});
  Tensor mask = f32({1, 1, 1, 2}, {0, -3.4028234663852886e38});
  expectNear(run(q, k, v, "scale = 1.0", &mask), {3});
  // A row with the same finite mask value everywhere has uniform weights.
  Tensor all = f32({1, 2}, {-3.4028234663852886e38, -3.4028234663852886e38});
  expectNear(run(q, f32({1, 1, 2, 1}, {0, 0}), v, "scale = 1.0", &all), {6});
}

TEST_F(Attention, MaskBroadcastsPerBatch) {
  Tensor q = f32({2, 2, 1, 1}, {0, 0, 0, 0}), k = f32({2, 2, 2, 1}, {0, 0, 0, 0, 0, 0, 0, 0});
  Tensor v = f32({2, 2, 2, 1}, {1, 2, 3, 4, 5, 6, 7, 8});
  Tensor mask = f32({2, 1, 1, 2}, {0, -kInf, -kInf, 0});
  expectNear(run(q, k, v, "scale = 1.0", &mask), {1, 3, 6, 8});
}

TEST_F(Attention, LengthsEndTheKeys) {
  Tensor q = f32({2, 1, 2, 1}, {0, 0, 0, 0}), k = f32({2, 1, 3, 1}, {0, 0, 0, 0, 0, 0});
  Tensor v = f32({2, 1, 3, 1}, {1, 2, 6, 1, 2, 6});
  auto attend = [&](const std::string &attributes, std::vector<int64_t> lengths) {
    std::string tq = tensor(q.getShape()), tk = tensor(k.getShape()), tn = "tensor<2xi64>";
    return eval("graph.attention %0, %1, %2 lengths %3 {" + attributes + "} : (" + tq + ", " +
                    tk + ", " + tk + ", " + tn + ") -> " + tq,
                {tq, tk, tk, tn}, tq, {q, k, v, ints("i64", {2}, lengths)});
  };
  expectNear(attend("scale = 1.0", {1, 5}), {1, 1, 3, 3});
  expectNear(attend("scale = 1.0", {-1, 2}), {kNaN, kNaN, 1.5, 1.5});
  // Query i sees j <= i + 1; or its position is i + length - 2.
  expectNear(attend("causal, scale = 1.0", {1, 3}), {1, 1, 1.5, 3});
  expectNear(attend("causal, from_length, scale = 1.0", {2, 3}), {1, 1.5, 1.5, 3});
}

TEST_F(Attention, HeadsShareKeys) {
  Tensor q = f32({1, 4, 1, 1}, {0, 0, 0, 0}), k = f32({1, 2, 1, 1}, {1, 1});
  Tensor v = f32({1, 2, 1, 1}, {10, 20});
  expectNear(run(q, k, v, "scale = 1.0"), {10, 10, 20, 20});
}

TEST_F(Attention, MovesByWhatRoundingOfScoresMay) {
  Tensor q = f32({1, 1, 1, 1}, {0}), k = f32({1, 1, 2, 1}, {0, 0}), v = f32({1, 1, 2, 1}, {0, 1});
  auto movedBy = [&](std::vector<double> added, double result) {
    Tensor mask = f32({1, 1, 1, 2}, added);
    options.moveByScores = true;
    return run(q, k, v, "scale = 1.0", &mask).getDouble(0) - result;
  };
  // Four roundings of values of 10000, each with half the weight.
  EXPECT_NEAR(movedBy({-10000, -10000}, 0.5), 0.5 * 4 * 10000 * 0x1p-24, 1e-5);
  // A key with zero weight has no effect, and small scores are accurate.
  EXPECT_EQ(movedBy({0, -10000}, 0), 0);
  EXPECT_NEAR(movedBy({1, 1}, 0.5), 0, 2e-7);
  // However large the scores are, the result is a weighted mean of values.
  EXPECT_NEAR(movedBy({-1e30, -1e30}, 0.5), 0.5, 1e-12);
}
