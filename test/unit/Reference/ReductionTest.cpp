//===- ReductionTest.cpp - softmax, norms, reductions ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphText.h"

#include <cmath>

using namespace kiln::reference;

namespace {
class Reduction : public GraphTest {
protected:
  /// Applies `kind` over axis 1 of [2, n] floats.
  Tensor rows(const std::string &kind, llvm::ArrayRef<double> values) {
    int64_t n = values.size() / 2;
    std::string t = "tensor<2x" + std::to_string(n) + "xf64>";
    return eval("graph.reduce " + kind + " %0 axes [1] : (" + t + ") -> tensor<2xf64>", {t},
                "tensor<2xf64>", {floats("f64", {2, n}, values)});
  }

  /// Applies `kind` over zero elements.
  Tensor nothing(const std::string &kind, const std::string &element) {
    std::string in = "tensor<2x0x" + element + ">", out = "tensor<2x" + element + ">";
    return eval("graph.reduce " + kind + " %0 axes [1] : (" + in + ") -> " + out, {in}, out,
                {Tensor::allocate(type(element), {2, 0})});
  }
};
} // namespace

TEST_F(Reduction, Softmax) {
  std::string t = "tensor<2x2xf32>";
  auto run = [&](int axis, llvm::ArrayRef<double> values) {
    return eval("graph.softmax %0 axis " + std::to_string(axis) + " : (" + t + ") -> " + t, {t}, t,
                {f32({2, 2}, values)});
  };
  double p = 1 / (1 + std::exp(1.0));
  expectNear(run(1, {0, 1, 1000, 1001}), {p, 1 - p, p, 1 - p});
  expectNear(run(0, {0, 5, 1, 5}), {p, 0.5, 1 - p, 0.5});
  expectNear(run(1, {-kInf, 1, -kInf, -kInf}), {0, 1, kNaN, kNaN});
  expectNear(run(1, {kNaN, 1, kInf, 1}), {kNaN, kNaN, kNaN, kNaN});
}

TEST_F(Reduction, LayerNorm) {
  std::string t = "tensor<2x2xf32>", s = "tensor<2xf32>", one = "tensor<1xf32>";
  Tensor x = f32({2, 2}, {1, 3, 5, 5});
  std::string tail = "axis 1 {epsilon = 3.0 : f64} : (";
  // Variances 1 and 0, whose roots with epsilon are 2 and sqrt(3).
  expectNear(eval("graph.layer_norm %0 " + tail + t + ") -> " + t, {t}, t, {x}),
             {-0.5, 0.5, 0, 0});
  Tensor scale = f32({2}, {2, 4}), bias = f32({1}, {10});
  expectNear(eval("graph.layer_norm %0 scale %1 bias %2 " + tail + t + ", " + s + ", " + one +
                      ") -> " + t,
                  {t, s, one}, t, {x, scale, bias}),
             {9, 12, 10, 10});
  expectNear(eval("graph.layer_norm %0 bias %1 " + tail + t + ", " + one + ") -> " + t, {t, one},
                  t, {x, bias}),
             {9.5, 10.5, 10, 10});
  // Normalizes over all dims from axis 0 on: mean 3.5, variance 2.75.
  double root = std::sqrt(2.75 + 3);
  expectNear(eval("graph.layer_norm %0 axis 0 {epsilon = 3.0 : f64} : (" + t + ") -> " + t, {t}, t,
                  {x}),
             {-2.5 / root, -0.5 / root, 1.5 / root, 1.5 / root});
}

TEST_F(Reduction, RmsNorm) {
  std::string t = "tensor<1x2xf32>", s = "tensor<2xf32>";
  expectNear(eval("graph.rms_norm %0 scale %1 axis 1 {epsilon = 0.0 : f64} : (" + t + ", " + s +
                      ") -> " + t,
                  {t, s}, t, {f32({1, 2}, {1, 7}), f32({2}, {5, 10})}),
             {1, 14}); // root mean square 5
}

TEST_F(Reduction, ReduceOfFloats) {
  expectNear(rows("sum", {1, 2, 3, 4}), {3, 7});
  expectNear(rows("mean", {1, 2, 3, 4}), {1.5, 3.5});
  expectNear(rows("prod", {1, 2, 3, 4}), {2, 12});
  expectNear(rows("max", {1, -kInf, kNaN, 4}), {1, kNaN});
  expectNear(rows("min", {1, -kInf, 4, kNaN}), {-kInf, kNaN});
  expectNear(rows("l1", {-1, 2, 3, -4}), {3, 7});
  expectNear(rows("l2", {3, -4, 0, 0}), {5, 0});
  expectNear(rows("sum_square", {3, -4, 1, 2}), {25, 5});
  expectNear(rows("log_sum", {1, 2, -1, 0}), {std::log(3), kNaN});
  expectNear(rows("log_sum_exp", {0, 0, 1000, 1000}), {M_LN2, 1000 + M_LN2});
  expectNear(rows("log_sum_exp", {-kInf, -kInf, kInf, 0}), {-kInf, kInf});
  expectNear(rows("log_sum_exp", {kNaN, 0, -kInf, 3}), {kNaN, 3});
}

TEST_F(Reduction, EmptyReductionsGiveTheNeutralElement) {
  expectNear(nothing("sum", "f32"), {0, 0});
  expectNear(nothing("prod", "f32"), {1, 1});
  expectNear(nothing("max", "f32"), {-kInf, -kInf});
  expectNear(nothing("min", "f32"), {kInf, kInf});
  expectNear(nothing("mean", "f32"), {kNaN, kNaN});
  expectNear(nothing("log_sum_exp", "f32"), {-kInf, -kInf});
  expectInts(nothing("max", "i8"), {-128, -128});
  expectInts(nothing("min", "ui8"), {255, 255});
  expectInts(nothing("prod", "i64"), {1, 1});
}

TEST_F(Reduction, ReduceOfIntegers) {
  auto run = [&](const std::string &kind, const std::string &element,
                 llvm::ArrayRef<int64_t> values) {
    std::string in = "tensor<3x" + element + ">", out = "tensor<" + element + ">";
    return eval("graph.reduce " + kind + " %0 axes [0] : (" + in + ") -> " + out, {in}, out,
                {ints(element, {3}, values)});
  };
  expectInts(run("sum", "i8", {100, 100, 1}), {-55});
  expectInts(run("prod", "i32", {-2, 3, 4}), {-24});
  expectInts(run("max", "i64", {-1, -5, -3}), {-1});
  expectInts(run("min", "i64", {-1, -5, -3}), {-5});
  expectInts(run("max", "ui8", {255, 1, 2}), {255});
  expectInts(run("prod", "i64", {INT64_MAX, 2, 1}), {-2});
}

TEST_F(Reduction, AxesAndKeptDims) {
  std::string in = "tensor<2x3x2xf32>";
  Tensor x = f32({2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  expectNear(eval("graph.reduce sum %0 axes [0, 2] : (" + in + ") -> tensor<3xf32>", {in},
                  "tensor<3xf32>", {x}),
             {18, 26, 34});
  Tensor kept = eval("graph.reduce max %0 axes [1] {keep_dims} : (" + in + ") -> tensor<2x1x2xf32>",
                     {in}, "tensor<2x1x2xf32>", {x});
  EXPECT_EQ(kept.getShape(), llvm::ArrayRef<int64_t>({2, 1, 2}));
  expectNear(kept, {5, 6, 11, 12});
  // Without axes each element is reduced by itself.
  expectNear(eval("graph.reduce sum_square %0 axes [] : (tensor<2xf32>) -> tensor<2xf32>",
                  {"tensor<2xf32>"}, "tensor<2xf32>", {f32({2}, {3, -4})}),
             {9, 16});
}
