//===- NarrowFloatTest.cpp - f16 and bf16 without a library ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Narrow floats are storage types: every op on them is an f32 op, rounded to nearest
// even. The linker refuses an image that calls a function, so compiling is half of the
// test; it needs no machine of the target.
//
//===----------------------------------------------------------------------===//

#include "HostHarness.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"

#include <functional>

using namespace kiln;
using namespace kiln::test;

namespace {

struct Format {
  const char *name;
  const llvm::fltSemantics &(*semantics)();
};

double decode(const Format &format, uint16_t bits) {
  llvm::APFloat value(format.semantics(), llvm::APInt(16, bits));
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

uint16_t encode(const Format &format, double number) {
  llvm::APFloat value(number);
  bool losesInfo;
  value.convert(format.semantics(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return value.bitcastToAPInt().getZExtValue();
}

class NarrowFloat : public testing::TestWithParam<const char *> {
protected:
  /// Computes y = body(a, b) for every element of a and b, in the given types; compiles
  /// always, but returns nullopt if this machine cannot run the code.
  template <typename In, typename Out>
  std::optional<std::vector<Out>> apply(const std::string &in, const std::string &out,
                                        const std::string &body, std::vector<In> a,
                                        std::vector<In> b = {}) {
    size_t count = a.size();
    EXPECT_EQ(count % 16, 0u);
    b.resize(count);
    std::string view = "tile.view %NAME offset %o sizes() strides() : "
                       "!tile.buffer<TYPE> -> !tile.view<16xTYPE, [1]>\n";
    auto of = [](std::string text, const std::string &name, const std::string &type) {
      for (auto [from, to] :
           {std::pair<std::string, std::string>{"NAME", name}, {"TYPE", type}})
        for (size_t at; (at = text.find(from)) != std::string::npos;)
          text.replace(at, from.size(), to);
      return "  %v" + name + " = " + text;
    };
    std::string load =
        "[%c0] : !tile.view<16x" + in + ", [1]> -> !tile.frag<16x" + in + ">\n";
    std::string frag = "!tile.frag<16x" + in + ">";
    std::string text =
        "tile.kernel @k(%x: !tile.buffer<" + in + ">, %z: !tile.buffer<" + in +
        ">) -> (%y: !tile.buffer<" + out +
        ">) symbols(%n) task(%t) attributes {symbols = [\"n\"], hero = \"test\", grid = "
        "affine_map<()[s0] -> (s0)>, scratch = affine_map<()[s0] -> (0)>} {\n"
        "  %c0 = arith.constant 0 : index\n"
        "  %o = affine.apply affine_map<(d0) -> (d0 * 16)>(%t)\n" +
        of(view, "x", in) + of(view, "z", in) + of(view, "y", out) +
        "  %fx = tile.load %vx" + load + "  %fz = tile.load %vz" + load +
        "  %fy = tile.map %fx, %fz : " + frag + ", " + frag + " -> !tile.frag<16x" + out +
        "> {\n  ^bb0(%a: " + in + ", %b: " + in + "):\n    " + body +
        "\n    tile.yield %r : " + out +
        "\n  }\n  tile.store %fy, %vy[%c0] : !tile.frag<16x" + out + ">, !tile.view<16x" +
        out + ", [1]>\n}\n";
    llvm::Expected<TargetInfo> target = TargetInfo::get(GetParam());
    auto image = compile(context, text, llvm::cantFail(std::move(target)));
    if (!image || !targetOrSkip(GetParam()))
      return std::nullopt;
    std::vector<Out> y(count);
    void *buffers[] = {a.data(), b.data(), y.data()};
    int64_t tasks = int64_t(count) / 16;
    image->kernel("k")(buffers, &tasks, 0, tasks, nullptr);
    return y;
  }

  /// Compares an op of two operands with `exact`, rounded once.
  void checkOp(const Format &format, const std::string &op,
               const std::function<double(double, double)> &exact) {
    SCOPED_TRACE(std::string(format.name) + " " + op);
    std::string type = format.name, text = op;
    for (size_t at; (at = text.find("TYPE")) != std::string::npos;)
      text.replace(at, 4, type);
    std::vector<uint16_t> a, b;
    for (uint32_t bits = 0; bits < 1 << 16; bits += 7) {
      a.push_back(bits);
      b.push_back(uint16_t(bits * 40503u + 12345u));
    }
    a.resize(a.size() / 16 * 16);
    b.resize(a.size());
    auto y = apply<uint16_t, uint16_t>(type, type, text, a, b);
    for (size_t i = 0; y && i < a.size(); ++i) {
      double x = decode(format, a[i]), z = decode(format, b[i]), e = exact(x, z);
      if (std::isnan(e))
        ASSERT_TRUE(std::isnan(decode(format, (*y)[i]))) << x << ", " << z;
      else
        ASSERT_EQ((*y)[i], encode(format, e))
            << x << ", " << z << " gives " << decode(format, (*y)[i]) << ", not " << e;
    }
  }

  mlir::MLIRContext context;
};

const Format kFormats[] = {{"f16", llvm::APFloat::IEEEhalf},
                           {"bf16", llvm::APFloat::BFloat}};

float f(double x) { return static_cast<float>(x); }

} // namespace

TEST_P(NarrowFloat, OpsAreThoseOfF32RoundedOnce) {
  for (const Format &format : kFormats) {
    checkOp(format, "%r = arith.addf %a, %b : TYPE",
            [](double a, double b) { return f(a) + f(b); });
    checkOp(format, "%r = arith.mulf %a, %b : TYPE",
            [](double a, double b) { return f(a) * f(b); });
    checkOp(format, "%r = arith.divf %a, %b : TYPE",
            [](double a, double b) { return f(a) / f(b); });
    checkOp(format, "%r = arith.remf %a, %b : TYPE",
            [](double a, double b) { return std::fmod(f(a), f(b)); });
    checkOp(format, "%r = math.sqrt %a : TYPE",
            [](double a, double) { return std::sqrt(f(a)); });
  }
}

/// The tail of a row may be only some lanes: nothing beyond it is written.
TEST_P(NarrowFloat, StoresOfAConstantNumberOfLanesStayInside) {
  for (int64_t count : {1, 2, 3, 15}) {
    std::string text =
        R"(tile.kernel @k(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "test", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %n = arith.constant )" +
        std::to_string(count) + R"( : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16xf32, [1]>
  %w = tile.view %y offset %c0 sizes(%n) strides() : !tile.buffer<bf16> -> !tile.view<?xbf16, [1]>
  %f = tile.load %v[%c0] : !tile.view<16xf32, [1]> -> !tile.frag<16xf32>
  %g = tile.convert %f : !tile.frag<16xf32> -> !tile.frag<16xbf16>
  tile.store %g, %w[%c0] masked [0] : !tile.frag<16xbf16>, !tile.view<?xbf16, [1]>
})";
    llvm::Expected<TargetInfo> target = TargetInfo::get(GetParam());
    auto image = compile(context, text, llvm::cantFail(std::move(target)));
    ASSERT_TRUE(image);
    if (!targetOrSkip(GetParam()))
      return;
    std::vector<float> x(16, 1);
    std::vector<uint16_t> y(16, 7);
    void *buffers[] = {x.data(), y.data()};
    image->kernel("k")(buffers, nullptr, 0, 1, nullptr);
    for (int64_t i = 0; i < 16; ++i)
      EXPECT_EQ(y[i], i < count ? 0x3f80 : 7) << count << " lanes, lane " << i;
  }
}

/// Ops whose exact result is a narrow float: LLVM narrows them if it sees where their
/// operands come from.
TEST_P(NarrowFloat, ExactOpsStayExact) {
  auto maximum = [](double a, double b) {
    return std::isnan(a) || std::isnan(b) ? std::nan("") : std::fmax(a, b);
  };
  for (const Format &format : kFormats) {
    for (auto [op, exact] :
         std::initializer_list<std::pair<const char *, double (*)(double)>>{
             {"floor", [](double a) { return std::floor(a); }},
             {"ceil", [](double a) { return std::ceil(a); }},
             {"roundeven", [](double a) { return std::nearbyint(a); }},
             {"trunc", [](double a) { return std::trunc(a); }},
             {"absf", [](double a) { return std::fabs(a); }}})
      checkOp(format, std::string("%r = math.") + op + " %a : TYPE",
              [exact](double a, double) { return exact(a); });
    checkOp(format, "%r = arith.negf %a : TYPE", [](double a, double) { return -a; });
    checkOp(format,
            "%m = arith.maximumf %a, %b : TYPE\n    %r = arith.addf %m, %m : TYPE",
            [&](double a, double b) { return f(2 * maximum(a, b)); });
    checkOp(format,
            "%c = arith.cmpf olt, %a, %b : TYPE\n    %r = arith.select %c, %a, %b : TYPE",
            [](double a, double b) { return a < b ? a : b; });
    checkOp(format,
            "%k = arith.constant 1.5 : TYPE\n    %c = arith.cmpf ogt, %a, %k : TYPE\n"
            "    %r = arith.select %c, %k, %b : TYPE",
            [](double a, double b) { return a > 1.5 ? 1.5 : b; });
  }
}

TEST_P(NarrowFloat, ConversionsRoundOnce) {
  std::vector<double> wide;
  std::vector<int32_t> integers;
  for (int i = 0; i < 1600; ++i) {
    // Near the ties of both formats, where double rounding is visible.
    double tie = 1 + (2 * (i % 40) + 1) * std::ldexp(1.0, i % 2 ? -9 : -12);
    double scale = std::ldexp(i % 3 ? 1.0 : -1.0, i / 4 - 200);
    wide.push_back(scale * (tie + (i % 5 - 2) * std::ldexp(1.0, -45)));
    integers.push_back(int32_t((1u << 31) - 1 - uint32_t(i) * 2654435u));
  }
  for (double special : {0.0, -0.0, HUGE_VAL, -HUGE_VAL, std::nan(""), 65519.999, 65520.0,
                         3.3961775292304e38, 3.4e38, 5e-324, 4.6e-41, -4.6e-41, 1e-8,
                         2.98e-8, 2.99e-8, 1e300})
    wide.push_back(special);
  for (const Format &format : kFormats) {
    std::string type = format.name;
    auto y = apply<double, uint16_t>("f64", type, "%r = arith.truncf %a : f64 to " + type,
                                     wide);
    for (size_t i = 0; y && i < wide.size(); ++i) {
      if (std::isnan(wide[i]))
        EXPECT_TRUE(std::isnan(decode(format, (*y)[i])));
      else
        EXPECT_EQ((*y)[i], encode(format, wide[i])) << type << " of " << wide[i];
    }
    y = apply<int32_t, uint16_t>("i32", type, "%r = arith.sitofp %a : i32 to " + type,
                                 integers);
    for (size_t i = 0; y && i < integers.size(); ++i)
      EXPECT_EQ((*y)[i], encode(format, integers[i])) << type << " of " << integers[i];
  }
}

TEST_P(NarrowFloat, EveryNumberSurvivesTheWayToF64) {
  std::vector<uint16_t> all(1 << 16);
  for (uint32_t bits = 0; bits < all.size(); ++bits)
    all[bits] = bits;
  for (const Format &format : kFormats) {
    std::string type = format.name;
    auto y = apply<uint16_t, double>(type, "f64",
                                     "%r = arith.extf %a : " + type + " to f64", all);
    for (size_t i = 0; y && i < all.size(); ++i) {
      double exact = decode(format, all[i]);
      ASSERT_TRUE(std::isnan(exact) ? std::isnan((*y)[i]) : exact == (*y)[i])
          << type << " " << std::hex << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, NarrowFloat,
                         testing::Values("x86-64-v3", "x86-64-v4", "native"));
