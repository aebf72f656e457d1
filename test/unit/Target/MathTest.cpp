//===- MathTest.cpp - Errors of math functions without a library ----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostHarness.h"

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

using namespace kiln;
using namespace kiln::test;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class Math : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    target = targetOrSkip(GetParam());
    if (!target)
      GTEST_SKIP() << "this machine cannot run " << GetParam();
  }
  /// Computes y = body(x, z) for each element.
  template <typename In, typename Out>
  std::vector<Out> apply(const std::string &in, const std::string &out, const std::string &body,
                         std::vector<In> x, std::vector<In> z = {}) {
    size_t count = x.size();
    x.resize((count + 7) / 8 * 8, In(1));
    z.resize(x.size(), In(1));
    auto view = [](const std::string &name, const std::string &type) {
      return "  %v" + name + " = tile.view %" + name + " offset %o sizes() strides() : !tile.buffer<" +
             type + "> -> !tile.view<8x" + type + ", [1]>\n";
    };
    std::string text =
        "tile.kernel @k(%x: !tile.buffer<" + in + ">, %z: !tile.buffer<" + in +
        ">) -> (%y: !tile.buffer<" + out +
        ">) symbols(%n) task(%t) attributes {symbols = [\"n\"], hero = \"test\", grid = "
        "affine_map<()[s0] -> (s0)>, scratch = affine_map<()[s0] -> (0)>} {\n"
        "  %c0 = arith.constant 0 : index\n  %o = affine.apply affine_map<(d0) -> (d0 * 8)>(%t)\n" +
        view("x", in) + view("z", in) + view("y", out) +
        "  %fx = tile.load %vx[%c0] : !tile.view<8x" + in + ", [1]> -> !tile.frag<8x" + in + ">\n" +
        "  %fz = tile.load %vz[%c0] : !tile.view<8x" + in + ", [1]> -> !tile.frag<8x" + in + ">\n" +
        "  %fy = tile.map %fx, %fz : !tile.frag<8x" + in + ">, !tile.frag<8x" + in +
        "> -> !tile.frag<8x" + out + "> {\n  ^bb0(%a: " + in + ", %b: " + in + "):\n" + body +
        "    tile.yield %r : " + out + "\n  }\n  tile.store %fy, %vy[%c0] : !tile.frag<8x" + out +
        ">, !tile.view<8x" + out + ", [1]>\n}\n";
    auto image = compile(context, text, *target);
    std::vector<Out> y(x.size());
    if (!image)
      return y;
    void *buffers[] = {x.data(), z.data(), y.data()};
    int64_t tasks = int64_t(x.size()) / 8;
    image->kernel("k")(buffers, &tasks, 0, tasks, nullptr);
    y.resize(count);
    return y;
  }

  struct Bound {
    double low, high, absolute, relative;
  };
  /// Checks the function on a grid and at the ends of the type's range.
  template <typename T>
  void check(const std::string &op, const std::function<double(double)> &exact, Bound bound) {
    std::string type = sizeof(T) == 4 ? "f32" : "f64";
    std::vector<T> x;
    for (int i = 0; i <= 100000; ++i)
      x.push_back(T(bound.low + (bound.high - bound.low) * i / 100000));
    for (double special : {0.0, -0.0, kInf, -kInf, kNan})
      x.push_back(T(special));
    std::vector<T> y = apply<T, T>(type, type, "    %r = math." + op + " %a : " + type + "\n", x);
    for (size_t i = 0; i < x.size(); ++i) {
      double expected = exact(double(x[i])), error = std::fabs(double(y[i]) - expected);
      if (std::isnan(expected))
        ASSERT_TRUE(std::isnan(y[i])) << op << "(" << x[i] << ") = " << y[i];
      else if (std::isinf(T(expected)))
        ASSERT_EQ(y[i], T(expected)) << op << "(" << x[i] << ")";
      else
        ASSERT_LE(error, bound.absolute + bound.relative * std::fabs(expected))
            << op << "(" << x[i] << ") = " << y[i] << ", not " << expected;
    }
  }

  mlir::MLIRContext context;
  std::optional<TargetInfo> target;
};

TEST_P(Math, SinglePrecision) {
  double tiny = 1.5e-45; // a denormal
  check<float>("exp", [](double x) { return std::exp(x); }, {-104, 89, tiny, 1.2e-7});
  check<float>("erf", [](double x) { return std::erf(x); }, {-6, 6, 5e-7, 0});
  check<float>("tanh", [](double x) { return std::tanh(x); }, {-12, 12, 0, 4e-7});
  check<float>("log", [](double x) { return std::log(x); }, {1e-6, 1000, 0, 1.2e-7});
  check<float>("log1p", [](double x) { return std::log1p(x); }, {-0.999, 50, 0, 1.2e-7});
  check<float>("sin", [](double x) { return std::sin(x); }, {-1000, 1000, 1e-9, 1.2e-7});
  check<float>("cos", [](double x) { return std::cos(x); }, {-1000, 1000, 1e-9, 1.2e-7});
  for (double range : {1e5, 1e10, 1e20, 1e30, 3.4e38}) {
    check<float>("sin", [](double x) { return std::sin(x); }, {-range, range, 0, 1.2e-7});
    check<float>("cos", [](double x) { return std::cos(x); }, {-range, range, 0, 1.2e-7});
  }
  check<float>("rsqrt", [](double x) { return 1 / std::sqrt(x); }, {0.001, 1000, 0, 2e-7});
}

TEST_P(Math, DoublePrecision) {
  check<double>("exp", [](double x) { return std::exp(x); }, {-700, 700, 0, 1e-15});
  check<double>("log", [](double x) { return std::log(x); }, {1e-6, 1000, 1e-16, 5e-16});
  check<double>("tanh", [](double x) { return std::tanh(x); }, {-25, 25, 0, 1e-14});
  check<double>("sin", [](double x) { return std::sin(x); }, {-1000, 1000, 3e-16, 3e-16});
  check<double>("cos", [](double x) { return std::cos(x); }, {-1000, 1000, 3e-16, 3e-16});
  for (double range : {1e5, 1e8, 1e10, 1e30, 1e150, 1e200, 8.9e307}) {
    check<double>("sin", [](double x) { return std::sin(x); }, {-range, range, 0, 6e-16});
    check<double>("cos", [](double x) { return std::cos(x); }, {-range, range, 0, 6e-16});
  }
  check<double>("erf", [](double x) { return std::erf(x); }, {-7, 7, 0, 5e-16});
  check<double>("erf", [](double x) { return std::erf(x); }, {-1e-3, 1e-3, 0, 5e-16});
  for (double range : {1e-12, 1e-3, 0.9, 1e3, 1e300})
    check<double>("log1p", [](double x) { return std::log1p(x); },
                  {std::max(-range, -0.9999), range, 0, 8e-16});
}

/// Pairs of random bit patterns: exponents far apart, denormals, special values.
TEST_P(Math, RemainderOfDoublesIsExact) {
  std::vector<double> x, y;
  std::mt19937_64 random(11);
  auto any = [&] {
    uint64_t bits = random();
    if (random() % 8 == 0)
      bits &= (uint64_t(1) << 63) | (uint64_t(1) << (random() % 52)) - 1; // denormals
    double value;
    std::memcpy(&value, &bits, 8);
    return value;
  };
  for (int i = 0; i < 40000; ++i) {
    x.push_back(any());
    y.push_back(i % 2 ? any() : x.back() / std::ldexp(1.5, random() % 120));
  }
  for (double a :
       {0.0, -0.0, 1.0, -6.0, 5e-324, 1.7976931348623157e308, kInf, -kInf, kNan})
    for (double b :
         {0.0, -0.0, 3.0, -2.0, 5e-324, 1.7976931348623157e308, kInf, -kInf, kNan}) {
      x.push_back(a);
      y.push_back(b);
    }
  std::vector<double> rest =
      apply<double, double>("f64", "f64", "    %r = arith.remf %a, %b : f64\n", x, y);
  for (size_t i = 0; i < x.size(); ++i) {
    double expected = std::fmod(x[i], y[i]);
    if (std::isnan(expected))
      ASSERT_TRUE(std::isnan(rest[i])) << x[i] << " mod " << y[i] << " = " << rest[i];
    else
      ASSERT_TRUE(rest[i] == expected && std::signbit(rest[i]) == std::signbit(expected))
          << x[i] << " mod " << y[i] << " = " << rest[i] << ", not " << expected;
  }
}

TEST_P(Math, PowerAndRemainder) {
  std::vector<float> x, z;
  for (float base : {-3.5f, -2.f, -1.f, -0.f, 0.f, 0.3f, 1.f, 2.f, 10.f, INFINITY, -INFINITY, NAN})
    for (float exponent : {-3.f, -2.5f, -1.f, 0.f, 0.5f, 1.f, 2.f, 3.f, 7.25f, INFINITY, -INFINITY, NAN}) {
      x.push_back(base);
      z.push_back(exponent);
    }
  std::vector<float> power = apply<float, float>("f32", "f32", "    %r = math.powf %a, %b : f32\n", x, z);
  std::vector<float> rest = apply<float, float>("f32", "f32", "    %r = arith.remf %a, %b : f32\n", x, z);
  for (size_t i = 0; i < x.size(); ++i) {
    double p = std::pow(double(x[i]), double(z[i])), m = std::fmod(double(x[i]), double(z[i]));
    if (std::isnan(p))
      EXPECT_TRUE(std::isnan(power[i])) << x[i] << " ^ " << z[i] << " = " << power[i];
    else if (std::isinf(p) || p == 0)
      EXPECT_EQ(power[i], float(p)) << x[i] << " ^ " << z[i];
    else
      EXPECT_NEAR(power[i] / p, 1, 2e-7) << x[i] << " ^ " << z[i];
    if (std::isnan(m))
      EXPECT_TRUE(std::isnan(rest[i])) << x[i] << " mod " << z[i] << " = " << rest[i];
    else
      EXPECT_EQ(rest[i], float(m)) << x[i] << " mod " << z[i];
  }
  std::vector<float> large = {3e38f, 1e30f, -7e20f, 12345.678f}, small = {1e-38f, 3.f, 0.1f, 1e-3f};
  rest = apply<float, float>("f32", "f32", "    %r = arith.remf %a, %b : f32\n", large, small);
  for (size_t i = 0; i < large.size(); ++i)
    EXPECT_EQ(rest[i], std::fmod(large[i], small[i]));
}

/// Every f32 near the ties of bf16 rounds to nearest even.
TEST_P(Math, RoundsToBF16) {
  std::vector<float> x;
  for (uint32_t high : {0u, 0x3f80u, 0x7f7fu, 0x0001u, 0xc2a5u, 0x7f80u})
    for (uint32_t low : {0u, 1u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) {
      uint32_t bits = high << 16 | low;
      float value;
      std::memcpy(&value, &bits, 4);
      x.push_back(value);
    }
  auto y = apply<float, uint16_t>("f32", "i16", R"(
    %h = arith.truncf %a : f32 to bf16
    %r = arith.bitcast %h : bf16 to i16
)", x);
  for (size_t i = 0; i < x.size(); ++i) {
    uint32_t bits;
    std::memcpy(&bits, &x[i], 4);
    if (std::isnan(x[i])) {
      EXPECT_GT(y[i] & 0x7fff, 0x7f80);
      continue;
    }
    uint32_t expected = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    EXPECT_EQ(y[i], expected) << std::hex << bits;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Math, testing::Values("x86-64-v3", "x86-64-v4"));

} // namespace
