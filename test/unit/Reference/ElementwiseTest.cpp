//===- ElementwiseTest.cpp - unary, binary, compare, select, cast ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphText.h"

#include <cmath>

using namespace kiln::reference;

namespace {
class Elementwise : public GraphTest {
protected:
  Tensor unary(const std::string &kind, const std::string &element,
               const Tensor &input, const std::string &result = "") {
    std::string n = std::to_string(input.getNumElements()) + "x";
    std::string in = "tensor<" + n + element + ">";
    std::string out = "tensor<" + n + (result.empty() ? element : result) + ">";
    return eval("graph.unary " + kind + " %0 : (" + in + ") -> " + out, {in}, out, {input});
  }

  void unaryIs(const std::string &kind, llvm::ArrayRef<double> inputs,
               llvm::ArrayRef<double> expected) {
    SCOPED_TRACE(kind);
    Tensor in = floats("f64", {static_cast<int64_t>(inputs.size())}, inputs);
    expectNear(unary(kind, "f64", in), expected);
  }

  Tensor binary(const std::string &kind, const std::string &element, const Tensor &lhs,
                const Tensor &rhs) {
    std::string t = "tensor<" + std::to_string(lhs.getNumElements()) + "x" + element + ">";
    return eval("graph.binary " + kind + " %0, %1 : (" + t + ", " + t + ") -> " + t, {t, t}, t,
                {lhs, rhs});
  }

  void binaryIs(const std::string &kind, llvm::ArrayRef<double> lhs, llvm::ArrayRef<double> rhs,
                llvm::ArrayRef<double> expected) {
    SCOPED_TRACE(kind);
    int64_t n = lhs.size();
    expectNear(binary(kind, "f64", floats("f64", {n}, lhs), floats("f64", {n}, rhs)), expected);
  }

  void integersAre(const std::string &kind, const std::string &element,
                   llvm::ArrayRef<int64_t> lhs, llvm::ArrayRef<int64_t> rhs,
                   llvm::ArrayRef<int64_t> expected) {
    SCOPED_TRACE(kind + " " + element);
    int64_t n = lhs.size();
    expectInts(binary(kind, element, ints(element, {n}, lhs), ints(element, {n}, rhs)), expected);
  }

  Tensor cast(const std::string &from, const std::string &to, const Tensor &input) {
    std::string n = std::to_string(input.getNumElements()) + "x";
    std::string in = "tensor<" + n + from + ">", out = "tensor<" + n + to + ">";
    return eval("graph.cast %0 : (" + in + ") -> " + out, {in}, out, {input});
  }
};
} // namespace

TEST_F(Elementwise, UnaryExactFunctions) {
  unaryIs("abs", {-1.5, -0.0, kInf, kNaN}, {1.5, 0, kInf, kNaN});
  unaryIs("neg", {-1.5, 0, kInf, kNaN}, {1.5, 0, -kInf, kNaN});
  unaryIs("floor", {-1.5, 1.5, kInf, kNaN}, {-2, 1, kInf, kNaN});
  unaryIs("ceil", {-1.5, 1.5, -kInf, kNaN}, {-1, 2, -kInf, kNaN});
  unaryIs("round", {0.5, 1.5, 2.5, -0.5, -1.5, 2.4999}, {0, 2, 2, 0, -2, 2});
  unaryIs("sign", {-3, 0, 7, kInf, kNaN}, {-1, 0, 1, 1, kNaN});
  unaryIs("relu", {-3, 0, 7, -kInf, kInf, kNaN}, {0, 0, 7, 0, kInf, kNaN});
  unaryIs("sqrt", {0, 4, -1, kInf, kNaN}, {0, 2, kNaN, kInf, kNaN});
  unaryIs("rsqrt", {0, 4, -1, kInf, kNaN}, {kInf, 0.5, kNaN, 0, kNaN});
  unaryIs("reciprocal", {0, -0.0, 4, kInf, kNaN}, {kInf, -kInf, 0.25, 0, kNaN});
}

TEST_F(Elementwise, UnaryTranscendentalFunctions) {
  unaryIs("exp", {0, 1, -kInf, kInf, kNaN, 1000}, {1, M_E, 0, kInf, kNaN, kInf});
  unaryIs("log", {1, M_E, 0, -1, kInf, kNaN}, {0, 1, -kInf, kNaN, kInf, kNaN});
  unaryIs("sin", {0, M_PI_2, kInf}, {0, 1, kNaN});
  unaryIs("cos", {0, M_PI, kInf}, {1, -1, kNaN});
  unaryIs("tanh", {0, 0.5, -kInf, kInf, kNaN}, {0, 0.46211715726000979, -1, 1, kNaN});
  unaryIs("erf", {0, 0.5, -kInf, kInf, kNaN}, {0, 0.52049987781304654, -1, 1, kNaN});
  unaryIs("sigmoid", {0, 2, -2, -kInf, kInf, kNaN},
          {0.5, 0.88079707797788243, 0.11920292202211757, 0, 1, kNaN});
  unaryIs("softplus", {0, 100, -100, -kInf, kInf, kNaN},
          {M_LN2, 100, 3.7200759760208361e-44, 0, kInf, kNaN});
  unaryIs("silu", {0, 2, -2, kInf, kNaN}, {0, 1.7615941559557649, -0.23840584404423515, kInf, kNaN});
  unaryIs("gelu", {0, 1, -1, kInf, kNaN}, {0, 0.84134474606854293, -0.15865525393145707, kInf, kNaN});
  unaryIs("gelu_tanh", {0, 1, -1, kInf, kNaN},
          {0, 0.84119199060827556, -0.15880800939172444, kInf, kNaN});
  // In this tail 1 + erf would cancel to 0.
  Tensor tail = unary("gelu", "f64", floats("f64", {1}, {-10}));
  EXPECT_NEAR(tail.getDouble(0) / -7.6198530241605945e-23, 1, 1e-12);
}

TEST_F(Elementwise, UnaryOfOtherTypes) {
  expectInts(unary("abs", "i8", ints("i8", {3}, {-128, -5, 5})), {-128, 5, 5});
  expectInts(unary("neg", "i32", ints("i32", {3}, {INT32_MIN, -5, 5})), {INT32_MIN, 5, -5});
  expectInts(unary("neg", "ui8", ints("ui8", {2}, {1, 0})), {255, 0});
  expectInts(unary("sign", "ui64", ints("ui64", {3}, {-1, 0, 7})), {1, 0, 1});
  expectInts(unary("relu", "i64", ints("i64", {2}, {-7, 7})), {0, 7});
  expectInts(unary("logical_not", "i1", ints("i1", {2}, {0, 1})), {1, 0});
  expectInts(unary("is_nan", "f32", f32({3}, {kNaN, kInf, 0}), "i1"), {1, 0, 0});
  // f16 and bf16 are computed from their values, without their own precision.
  expectNear(unary("exp", "f16", floats("f16", {1}, {1})), {M_E});
}

TEST_F(Elementwise, EmptyTensors) {
  EXPECT_EQ(unary("exp", "f32", f32({0}, {})).getNumElements(), 0);
  EXPECT_EQ(binary("add", "i64", ints("i64", {0}, {}), ints("i64", {0}, {})).getNumElements(), 0);
}

TEST_F(Elementwise, BinaryOfFloats) {
  binaryIs("add", {1, kInf, kNaN}, {2, -kInf, 1}, {3, kNaN, kNaN});
  binaryIs("sub", {1, kInf}, {2, kInf}, {-1, kNaN});
  binaryIs("mul", {3, kInf}, {2, 0}, {6, kNaN});
  binaryIs("div", {3, 1, -1, 0}, {2, 0, 0, 0}, {1.5, kInf, -kInf, kNaN});
  binaryIs("mod", {5.5, -5.5, 5.5, -5.5, 4}, {2, 2, -2, -2, 2}, {1.5, 0.5, -0.5, -1.5, 0});
  binaryIs("fmod", {5.5, -5.5, 5.5, 1}, {2, 2, -2, 0}, {1.5, -1.5, 1.5, kNaN});
  binaryIs("pow", {2, 2, -8, 0}, {10, -1, 1.0 / 3, 0}, {1024, 0.5, kNaN, 1});
  binaryIs("min", {1, kNaN, 1, -kInf}, {2, 1, kNaN, 3}, {1, kNaN, kNaN, -kInf});
  binaryIs("max", {1, kNaN, 1, -kInf}, {2, 1, kNaN, 3}, {2, kNaN, kNaN, 3});
}

TEST_F(Elementwise, BinaryOfIntegers) {
  integersAre("add", "i8", {127, 1}, {1, 2}, {-128, 3});
  integersAre("sub", "ui8", {0, 3}, {1, 2}, {255, 1});
  integersAre("mul", "i64", {INT64_MAX, -3}, {2, 5}, {-2, -15});
  integersAre("div", "i32", {7, -7, 7, -7, 1, INT32_MIN}, {2, 2, -2, -2, 0, -1},
              {3, -3, -3, 3, 0, INT32_MIN});
  integersAre("div", "ui64", {-1}, {2}, {INT64_MAX});
  integersAre("mod", "i64", {7, -7, 7, -7, 7, INT64_MIN}, {3, 3, -3, -3, 0, -1},
              {1, 2, -2, -1, 0, 0});
  integersAre("fmod", "i64", {7, -7, 7, -7}, {3, 3, -3, -3}, {1, -1, 1, -1});
  integersAre("mod", "ui8", {250}, {7}, {5});
  integersAre("pow", "i32", {2, -2, 3, -1, 1, 0}, {10, 3, -1, -3, -5, 0}, {1024, -8, 0, -1, 1, 1});
  integersAre("min", "i16", {-1, 3}, {1, 2}, {-1, 2});
  integersAre("max", "ui16", {65535, 3}, {1, 4}, {65535, 4});
}

TEST_F(Elementwise, BinaryOfBooleans) {
  integersAre("logical_and", "i1", {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 0, 0, 1});
  integersAre("logical_or", "i1", {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 1});
  integersAre("logical_xor", "i1", {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 0});
}

TEST_F(Elementwise, PowOfMixedTypes) {
  Tensor r = eval("graph.binary pow %0, %1 : (tensor<2xf32>, tensor<i64>) -> tensor<2xf32>",
                  {"tensor<2xf32>", "tensor<i64>"}, "tensor<2xf32>",
                  {f32({2}, {3, -2}), ints("i64", {}, {3})});
  expectNear(r, {27, -8});
  r = eval("graph.binary pow %0, %1 : (tensor<3xi32>, tensor<f32>) -> tensor<3xi32>",
           {"tensor<3xi32>", "tensor<f32>"}, "tensor<3xi32>",
           {ints("i32", {3}, {9, 2, 1 << 20}), f32({}, {2})});
  expectInts(r, {81, 4, INT32_MAX});
}

TEST_F(Elementwise, Broadcast) {
  std::string op = "graph.binary sub %0, %1 : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>";
  Tensor r = eval(op, {"tensor<2x1xf32>", "tensor<3xf32>"}, "tensor<2x3xf32>",
                  {f32({2, 1}, {10, 20}), f32({3}, {1, 2, 3})});
  expectNear(r, {9, 8, 7, 19, 18, 17});
  // A symbolic dim that happens to be 1 does not broadcast, and an empty one stays empty.
  std::string t = "tensor<?x2xf32, #graph.shape<[n] -> [n, 2]>>";
  for (int64_t n : {0, 1, 2}) {
    Tensor x = f32({n, 2}, std::vector<double>(2 * n, 3));
    Tensor y = eval("graph.binary mul %0, %1 : (" + t + ", tensor<2xf32>) -> " + t,
                    {t, "tensor<2xf32>"}, t, {x, f32({2}, {1, 2})}, {{"n", n}});
    EXPECT_EQ(y.getNumElements(), 2 * n);
  }
}

TEST_F(Elementwise, Compare) {
  auto run = [&](const std::string &kind, const std::string &element, Tensor a, Tensor b) {
    std::string t = "tensor<3x" + element + ">";
    return eval("graph.compare " + kind + " %0, %1 : (" + t + ", " + t + ") -> tensor<3xi1>",
                {t, t}, "tensor<3xi1>", {a, b});
  };
  Tensor a = f32({3}, {1, 2, kNaN}), b = f32({3}, {2, 2, kNaN});
  expectInts(run("equal", "f32", a, b), {0, 1, 0});
  expectInts(run("not_equal", "f32", a, b), {1, 0, 1});
  expectInts(run("less", "f32", a, b), {1, 0, 0});
  expectInts(run("less_equal", "f32", a, b), {1, 1, 0});
  expectInts(run("greater", "f32", b, a), {1, 0, 0});
  expectInts(run("greater_equal", "f32", b, a), {1, 1, 0});
  Tensor c = ints("i64", {3}, {-1, 0, INT64_MAX}), d = ints("i64", {3}, {1, 0, INT64_MAX - 1});
  expectInts(run("less", "i64", c, d), {1, 0, 0});
  expectInts(run("greater", "ui64", ints("ui64", {3}, {-1, 0, 5}), ints("ui64", {3}, {1, 0, 6})),
             {1, 0, 0});
  expectInts(run("equal", "i1", ints("i1", {3}, {0, 1, 1}), ints("i1", {3}, {0, 0, 1})), {1, 0, 1});
}

TEST_F(Elementwise, Select) {
  std::string op = "graph.select %0, %1, %2 : (tensor<2x1xi1>, tensor<f32>, tensor<2xf32>) -> "
                   "tensor<2x2xf32>";
  Tensor r = eval(op, {"tensor<2x1xi1>", "tensor<f32>", "tensor<2xf32>"}, "tensor<2x2xf32>",
                  {ints("i1", {2, 1}, {1, 0}), f32({}, {kNaN}), f32({2}, {1, -0.0})});
  expectNear(r, {kNaN, kNaN, 1, 0});
  EXPECT_TRUE(std::signbit(r.getDouble(3)));
}

TEST_F(Elementwise, CastFloatToInteger) {
  Tensor x = f32({7}, {1.9, -1.9, 300, -300, kNaN, kInf, -kInf});
  expectInts(cast("f32", "i8", x), {1, -1, 127, -128, 0, 127, -128});
  expectInts(cast("f32", "ui8", x), {1, 0, 255, 0, 0, 255, 0});
  expectInts(cast("f32", "i64", x), {1, -1, 300, -300, 0, INT64_MAX, INT64_MIN});
  expectInts(cast("f32", "ui64", x), {1, 0, 300, 0, 0, -1, 0});
  expectInts(cast("f32", "i1", f32({4}, {0, -0.0, 0.5, kNaN})), {0, 0, 1, 1});
}

TEST_F(Elementwise, CastIntegers) {
  expectInts(cast("i64", "i8", ints("i64", {3}, {255, 128, -129})), {-1, -128, 127});
  expectInts(cast("i8", "ui32", ints("i8", {1}, {-1})), {0xffffffff});
  expectInts(cast("ui8", "i32", ints("ui8", {1}, {255})), {255});
  expectInts(cast("i32", "i1", ints("i32", {3}, {0, 2, -1})), {0, 1, 1});
  expectInts(cast("i1", "i64", ints("i1", {2}, {0, 1})), {0, 1});
  expectNear(cast("ui64", "f64", ints("ui64", {1}, {-1})), {18446744073709551616.0});
  // 2^24 + 1 is between two f32 values; 2^60 + 2^52 + 1 rounds up in bf16 although its
  // nearest double is a tie.
  expectNear(cast("i32", "f32", ints("i32", {1}, {(1 << 24) + 1})), {16777216.0});
  expectNear(cast("i64", "bf16", ints("i64", {1}, {(1ll << 60) + (1ll << 52) + 1})),
             {std::ldexp(1.0, 60) + std::ldexp(1.0, 53)});
}

TEST_F(Elementwise, CastFloats) {
  Tensor x = f32({6}, {1 + std::ldexp(1, -11), 65519, 65520, std::ldexp(1, -25), kNaN, -kInf});
  expectNear(cast("f32", "f16", x), {1, 65504, kInf, 0, kNaN, -kInf});
  expectNear(cast("f32", "bf16", f32({2}, {1 + std::ldexp(3, -8), 3e38})),
             {1 + std::ldexp(1, -6), std::ldexp(226, 120)}, 0);
  expectNear(cast("f16", "f32", floats("f16", {2}, {0.1, std::ldexp(1, -24)})),
             {0.0999755859375, std::ldexp(1, -24)}, 0);
}
