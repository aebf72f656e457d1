//===- OpsTest.cpp - fragments, control flow, numbers ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileText.h"

#include <cmath>

using namespace kiln::interpreter;

namespace {
class TileOps : public TileTest {
protected:
  /// Runs `body`, which computes %r from %f, a fragment of type `in` with all of x, and
  /// stores %r of type `out` to the start of y.
  template <typename T>
  std::vector<T> eval(const std::string &element, const std::string &in, const std::string &out,
                      const std::string &body, std::vector<T> x, size_t results) {
    std::vector<T> y(results);
    auto view = [&](const std::string &shape) { return "!tile.view<" + shape + ">"; };
    // Returns a row-major view type with as many dims as the fragment.
    auto shaped = [&](const std::string &frag) {
      size_t cross = frag.find('x'), second = frag.find('x', cross + 1);
      bool two = second != std::string::npos;
      std::string columns = two ? frag.substr(cross + 1, second - cross - 1) : "";
      return view(frag + (two ? ", [" + columns + ", 1]" : ", [1]"));
    };
    auto index = [&](const std::string &frag) {
      return frag.find('x', frag.find('x') + 1) == std::string::npos ? "[%c0]" : "[%c0, %c0]";
    };
    std::string b = "!tile.buffer<" + element + ">";
    std::string text =
        "%v = tile.view %x offset %c0 sizes() strides() : " + b + " -> " + shaped(in) +
        "\n%w = tile.view %y offset %c0 sizes() strides() : " + b + " -> " + shaped(out) +
        "\n%f = tile.load %v" + index(in) + " : " + shaped(in) + " -> !tile.frag<" + in + ">\n" +
        body + "\ntile.store %r, %w" + index(out) + " : !tile.frag<" + out + ">, " + shaped(out);
    llvm::Expected<Report> report = run(kernel(text, "1", element), {buffer(x), buffer(y)});
    if (!report)
      ADD_FAILURE() << llvm::toString(report.takeError());
    return y;
  }

  std::vector<float> floats(const std::string &in, const std::string &out,
                            const std::string &body, std::vector<float> x, size_t results) {
    return eval<float>("f32", in, out, body, std::move(x), results);
  }

  /// Computes %r with an op on pairs of i32: lhs is the first half of x.
  std::vector<int32_t> pairs(const std::string &op, std::vector<int32_t> lhs,
                             const std::vector<int32_t> &rhs) {
    size_t n = lhs.size();
    lhs.insert(lhs.end(), rhs.begin(), rhs.end());
    std::string m = std::to_string(n), t = "!tile.frag<" + m + "xi32>";
    return eval<int32_t>("i32", "2x" + m + "xi32", m + "xi32",
                         "%a = tile.extract %f [0] : !tile.frag<2x" + m + "xi32> -> " + t +
                             "\n%b = tile.extract %f [1] : !tile.frag<2x" + m + "xi32> -> " + t +
                             "\n%r = tile.map %a, %b : " + t + ", " + t + " -> " + t +
                             " {\n^bb0(%p: i32, %q: i32):\n" + op + "\ntile.yield %s : i32\n}",
                         lhs, n);
  }

  std::vector<float> mapped(const std::string &op, const std::vector<float> &x) {
    std::string n = std::to_string(x.size()), t = "!tile.frag<" + n + "xf32>";
    return floats(n + "xf32", n + "xf32",
                  "%r = tile.map %f : " + t + " -> " + t + " {\n^bb0(%p: f32):\n" + op +
                      "\ntile.yield %s : f32\n}",
                  x, x.size());
  }
};
using Floats = std::vector<float>;
using Ints = std::vector<int32_t>;
} // namespace

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

TEST_F(TileOps, ReduceFollowsTheTree) {
  // Five elements, padded to eight: (x0 + x4), then (that + x2), (x1 + x3).
  Floats x{1e8f, 1, -1e8f, 1, 3};
  float tree = ((1e8f + 3) + -1e8f) + (1.f + 1.f);
  EXPECT_EQ(floats("5xf32", "1xf32",
                   "%s = tile.reduce sum %f axis 0 : !tile.frag<5xf32> -> f32\n"
                   "%r = tile.fill %s : f32 -> !tile.frag<1xf32>",
                   x, 1),
            Floats{tree});
  EXPECT_NE(tree, (((1e8f + 1) + -1e8f) + 1) + 3);
}

TEST_F(TileOps, ReduceAlongBothAxes) {
  Floats x{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(floats("2x3xf32", "2xf32",
                   "%r = tile.reduce sum %f axis 1 : !tile.frag<2x3xf32> -> !tile.frag<2xf32>", x, 2),
            (Floats{6, 15}));
  EXPECT_EQ(floats("2x3xf32", "3xf32",
                   "%r = tile.reduce prod %f axis 0 : !tile.frag<2x3xf32> -> !tile.frag<3xf32>", x,
                   3),
            (Floats{4, 10, 18}));
  Floats max = floats("2x2xf32", "2xf32",
                      "%r = tile.reduce max %f axis 1 : !tile.frag<2x2xf32> -> !tile.frag<2xf32>",
                      {kNaN, 1, -kInf, 2}, 2);
  EXPECT_TRUE(std::isnan(max[0]));
  EXPECT_EQ(max[1], 2);
}

TEST_F(TileOps, ReduceOfIntegers) {
  auto run = [&](const std::string &kind, std::vector<int8_t> x) {
    return eval<int8_t>("i8", "3xi8", "1xi8",
                        "%s = tile.reduce " + kind + " %f axis 0 : !tile.frag<3xi8> -> i8\n"
                        "%r = tile.fill %s : i8 -> !tile.frag<1xi8>",
                        x, 1)[0];
  };
  EXPECT_EQ(run("sum", {100, 100, 1}), -55);
  EXPECT_EQ(run("max", {-1, 3, -128}), 3);
  EXPECT_EQ(run("umax", {-1, 3, -128}), -1);
  EXPECT_EQ(run("umin", {-1, 3, -128}), 3);
  EXPECT_EQ(run("min", {-1, 3, -128}), -128);
  EXPECT_EQ(run("and", {7, 3, 6}), 2);
  EXPECT_EQ(run("or", {1, 2, 8}), 11);
}

TEST_F(TileOps, Rearrangements) {
  Floats x{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(floats("2x3xf32", "3x2xf32",
                   "%r = tile.transpose %f : !tile.frag<2x3xf32> -> !tile.frag<3x2xf32>", x, 6),
            (Floats{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(floats("2xf32", "2x2xf32",
                   "%r = tile.broadcast %f axis 0 : !tile.frag<2xf32> -> !tile.frag<2x2xf32>",
                   {1, 2}, 4),
            (Floats{1, 2, 1, 2}));
  EXPECT_EQ(floats("2xf32", "2x2xf32",
                   "%r = tile.broadcast %f axis 1 : !tile.frag<2xf32> -> !tile.frag<2x2xf32>",
                   {1, 2}, 4),
            (Floats{1, 1, 2, 2}));
  EXPECT_EQ(floats("2x3xf32", "2x3xf32",
                   "%a = tile.extract %f [1] : !tile.frag<2x3xf32> -> !tile.frag<3xf32>\n"
                   "%e = tile.extract %f [0, 2] : !tile.frag<2x3xf32> -> f32\n"
                   "%b = tile.fill %e : f32 -> !tile.frag<3xf32>\n"
                   "%r = tile.stack %a, %b : !tile.frag<3xf32>, !tile.frag<3xf32> -> "
                   "!tile.frag<2x3xf32>",
                   x, 6),
            (Floats{4, 5, 6, 3, 3, 3}));
  EXPECT_EQ(floats("2x3xf32", "2x3xf32",
                   "%c1 = arith.constant 1 : index\n%c2 = arith.constant 2 : index\n"
                   "%z = arith.constant -1.0 : f32\n"
                   "%r = tile.select_range %f in [%c1, %c2) else %z : f32 axis 1 : "
                   "!tile.frag<2x3xf32>",
                   x, 6),
            (Floats{-1, 2, -1, -1, 5, -1}));
}

TEST_F(TileOps, IotaAlongBothAxes) {
  auto run = [&](int axis) {
    return eval<int32_t>("i32", "2x2xi32", "2x2xi32",
                         "%c5 = arith.constant 5 : i32\n%r = tile.iota %c5 axis " +
                             std::to_string(axis) + " : i32 -> !tile.frag<2x2xi32>",
                         Ints(4), 4);
  };
  EXPECT_EQ(run(0), (Ints{5, 5, 6, 6}));
  EXPECT_EQ(run(1), (Ints{5, 6, 5, 6}));
}

TEST_F(TileOps, ConvertRounds) {
  EXPECT_EQ(floats("3xf32", "3xf32",
                   "%h = tile.convert %f : !tile.frag<3xf32> -> !tile.frag<3xf16>\n"
                   "%r = tile.convert %h : !tile.frag<3xf16> -> !tile.frag<3xf32>",
                   {1 + 0x1p-11f, 65520, -0x1p-25f}, 3),
            (Floats{1, kInf, -0.f}));
}

TEST_F(TileOps, MmaIsOneChainOfFusedProducts) {
  // 3 x 3 = 9 is added to -9 + 2^-24 without rounding only if fused.
  std::string body =
      "%c = tile.stage %v[%c0, %c0] : !tile.view<2x2xf32, [2, 1]> -> !tile.staged<2x2xf32>\n"
      "%r = tile.mma %c, %c, %f : !tile.staged<2x2xf32>, !tile.staged<2x2xf32>, "
      "!tile.frag<2x2xf32>";
  Floats x{1 + 0x1p-12f, 0, -1, 1};
  float a = x[0];
  Floats expected{std::fmaf(0, -1, std::fmaf(a, a, a)), 0, std::fmaf(1, -1, std::fmaf(-1, a, -1)),
                  2};
  EXPECT_EQ(floats("2x2xf32", "2x2xf32", body, x, 4), expected);
}

TEST_F(TileOps, PipelineRunsItsStepsInOrder) {
  std::string body =
      "%c3 = arith.constant 3 : index\n%c2 = arith.constant 2 : index\n"
      "%r = tile.pipeline %c0 to %c3 step %c2 init(%f) : !tile.frag<1x1xf32> load {\n"
      "^bb0(%k: index):\n"
      "%left = arith.subi %c3, %k : index\n%len = arith.minsi %left, %c2 : index\n"
      "%u = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> "
      "!tile.view<3x1xf32, [1, 1]>\n"
      "%q = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> "
      "!tile.view<1x3xf32, [3, 1]>\n"
      "tile.prefetch %u[%c3, %c3] : !tile.view<3x1xf32, [1, 1]>\n"
      "%a = tile.stage %q[%c0, %k] sizes(%len) : !tile.view<1x3xf32, [3, 1]> -> "
      "!tile.staged<1x?xf32>\n"
      "%b = tile.stage %u[%k, %c0] sizes(%len) : !tile.view<3x1xf32, [1, 1]> -> "
      "!tile.staged<?x1xf32>\n"
      "tile.yield %a, %b : !tile.staged<1x?xf32>, !tile.staged<?x1xf32>\n} compute {\n"
      "^bb0(%k: index, %a: !tile.staged<1x?xf32>, %b: !tile.staged<?x1xf32>, "
      "%acc: !tile.frag<1x1xf32>):\n"
      "%m = tile.mma %a, %b, %acc : !tile.staged<1x?xf32>, !tile.staged<?x1xf32>, "
      "!tile.frag<1x1xf32>\ntile.yield %m : !tile.frag<1x1xf32>\n}";
  std::vector<float> x{1, 2, 3}, y(1);
  std::string text =
      "%v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> "
      "!tile.view<1x1xf32, [1, 1]>\n"
      "%w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> "
      "!tile.view<1x1xf32, [1, 1]>\n"
      "%f = tile.load %v[%c0, %c0] : !tile.view<1x1xf32, [1, 1]> -> !tile.frag<1x1xf32>\n" +
      body + "\ntile.store %r, %w[%c0, %c0] : !tile.frag<1x1xf32>, !tile.view<1x1xf32, [1, 1]>";
  llvm::cantFail(run(kernel(text), {buffer(x), buffer(y)}));
  EXPECT_EQ(y[0], 15); // 1 + 1 + 4 + 9
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

TEST_F(TileOps, LoopsAndBranches) {
  EXPECT_EQ(floats("1xf32", "1xf32",
                   "%c1 = arith.constant 1 : index\n%c10 = arith.constant 10 : index\n"
                   "%c3 = arith.constant 3 : index\n"
                   "%r = scf.for %i = %c1 to %c10 step %c3 iter_args(%s = %f) -> "
                   "(!tile.frag<1xf32>) {\n"
                   "%is = arith.cmpi eq, %i, %c1 : index\n"
                   "%one = arith.constant 1.0 : f32\n"
                   "%d = scf.if %is -> f32 {\n  %h = arith.constant 100.0 : f32\n"
                   "  scf.yield %h : f32\n} else {\n  scf.yield %one : f32\n}\n"
                   "%n2 = tile.map %s : !tile.frag<1xf32> -> !tile.frag<1xf32> {\n"
                   "^bb0(%p: f32):\n  %q = arith.addf %p, %d : f32\n  tile.yield %q : f32\n}\n"
                   "scf.yield %n2 : !tile.frag<1xf32>\n}",
                   {0.5}, 1),
            Floats{102.5});
}

TEST_F(TileOps, SwitchAndApply) {
  for (int64_t n : {0, 1, 2}) {
    std::vector<float> x(1), y(1);
    llvm::cantFail(run(kernel("%w = tile.view %y offset %c0 sizes() strides() : "
                              "!tile.buffer<f32> -> !tile.view<1xf32, [1]>\n"
                              "%m = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0)>(%t)[%n]\n"
                              "%f = scf.index_switch %m -> f32\ncase 1 {\n"
                              "%a = arith.constant 11.0 : f32\nscf.yield %a : f32\n}\ncase 2 {\n"
                              "%a = arith.constant 22.0 : f32\nscf.yield %a : f32\n}\ndefault {\n"
                              "%a = arith.constant 99.0 : f32\nscf.yield %a : f32\n}\n"
                              "tile.store %f, %w[%c0] : f32, !tile.view<1xf32, [1]>"),
                       {buffer(x), buffer(y)}, {n}));
    EXPECT_EQ(y[0], n == 1 ? 11 : n == 2 ? 22 : 99);
  }
}

TEST_F(TileOps, UndefinedProgramsAreErrors) {
  std::vector<float> x(1), y(1);
  expectError(kernel("%q = arith.divsi %n, %c0 : index"), {buffer(x), buffer(y)}, "KILN-E0273",
              "'arith.divsi' divides by 0");
  expectError(kernel("scf.for %i = %c0 to %n step %c0 {\n}"), {buffer(x), buffer(y)},
              "KILN-E0273", "a loop has the step 0", 4);
  expectError(kernel("%c1 = arith.constant 1 : index\n%a, %b = arith.addui_extended %n, %c1 : "
                     "index, i1"),
              {buffer(x), buffer(y)}, "KILN-E0272", "is not evaluated");
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

TEST_F(TileOps, IntegerOps) {
  auto run = [&](const std::string &op, Ints lhs, Ints rhs) {
    return pairs("%s = arith." + op + " %p, %q : i32", lhs, rhs);
  };
  EXPECT_EQ(run("addi", {INT32_MAX, 2}, {1, 3}), (Ints{INT32_MIN, 5}));
  EXPECT_EQ(run("subi", {INT32_MIN, 2}, {1, 3}), (Ints{INT32_MAX, -1}));
  EXPECT_EQ(run("muli", {1 << 20, -3}, {1 << 20, 5}), (Ints{0, -15}));
  EXPECT_EQ(run("divsi", {-7, 7}, {2, -2}), (Ints{-3, -3}));
  EXPECT_EQ(run("divui", {-1, 7}, {2, 2}), (Ints{INT32_MAX, 3}));
  EXPECT_EQ(run("remsi", {-7, 7}, {3, -3}), (Ints{-1, 1}));
  EXPECT_EQ(run("remui", {-1, 7}, {2, 3}), (Ints{1, 1}));
  EXPECT_EQ(run("floordivsi", {-7, 7}, {2, 2}), (Ints{-4, 3}));
  EXPECT_EQ(run("ceildivsi", {-7, 7}, {2, 2}), (Ints{-3, 4}));
  EXPECT_EQ(run("ceildivui", {-1, 7}, {2, 2}), (Ints{INT32_MIN, 4}));
  EXPECT_EQ(run("maxui", {-1, 1}, {2, 3}), (Ints{-1, 3}));
  EXPECT_EQ(run("minsi", {-1, 1}, {2, 3}), (Ints{-1, 1}));
  EXPECT_EQ(run("shrsi", {-8, 8}, {1, 40}), (Ints{-4, 0}));
  EXPECT_EQ(run("shrui", {-8, 8}, {1, 1}), (Ints{0x7ffffffc, 4}));
  EXPECT_EQ(run("shli", {1, 3}, {31, 1}), (Ints{INT32_MIN, 6}));
  EXPECT_EQ(run("xori", {5, -1}, {3, 0}), (Ints{6, -1}));
}

TEST_F(TileOps, ComparisonsAndSelect) {
  auto run = [&](const std::string &predicate) {
    return pairs("%c = arith.cmpi " + predicate + ", %p, %q : i32\n"
                 "%s = arith.extui %c : i1 to i32", {-1, 2, 2}, {1, 2, 3});
  };
  EXPECT_EQ(run("slt"), (Ints{1, 0, 1}));
  EXPECT_EQ(run("ult"), (Ints{0, 0, 1}));
  EXPECT_EQ(run("uge"), (Ints{1, 1, 0}));
  EXPECT_EQ(run("ne"), (Ints{1, 0, 1}));
  EXPECT_EQ(pairs("%c = arith.cmpi slt, %p, %q : i32\n%s = arith.select %c, %p, %q : i32", {1, 5},
                  {3, 4}),
            (Ints{1, 4}));
  EXPECT_EQ(pairs("%c = arith.cmpi slt, %p, %q : i32\n%s = arith.extsi %c : i1 to i32", {1, 5},
                  {3, 4}),
            (Ints{-1, 0}));
}

TEST_F(TileOps, FloatComparisonsKnowNaN) {
  auto run = [&](const std::string &predicate) {
    return mapped("%z = arith.constant 1.0 : f32\n%o = arith.constant 0.0 : f32\n"
                  "%c = arith.cmpf " + predicate + ", %p, %z : f32\n"
                  "%s = arith.select %c, %z, %o : f32", {0, 1, kNaN});
  };
  EXPECT_EQ(run("olt"), (Floats{1, 0, 0}));
  EXPECT_EQ(run("ult"), (Floats{1, 0, 1}));
  EXPECT_EQ(run("oeq"), (Floats{0, 1, 0}));
  EXPECT_EQ(run("une"), (Floats{1, 0, 1}));
  EXPECT_EQ(run("uno"), (Floats{0, 0, 1}));
  EXPECT_EQ(run("ord"), (Floats{1, 1, 0}));
}

TEST_F(TileOps, FloatOpsRoundToTheirType) {
  EXPECT_EQ(mapped("%c = arith.constant 1.0 : f32\n%s = arith.addf %p, %c : f32", {0x1p-24f, 3})[0],
            1.0f);
  EXPECT_EQ(mapped("%s = math.fma %p, %p, %p : f32", {1 + 0x1p-12f})[0],
            std::fmaf(1 + 0x1p-12f, 1 + 0x1p-12f, 1 + 0x1p-12f));
  EXPECT_EQ(mapped("%s = math.exp %p : f32", {1})[0], static_cast<float>(std::exp(1.0)));
  EXPECT_EQ(mapped("%s = math.roundeven %p : f32", {0.5, 1.5, 2.5}), (Floats{0, 2, 2}));
  Floats max = mapped("%z = arith.constant 0.0 : f32\n%s = arith.maximumf %p, %z : f32",
                      {kNaN, -1, -0.f});
  EXPECT_TRUE(std::isnan(max[0]));
  EXPECT_EQ(max[1], 0);
  EXPECT_FALSE(std::signbit(max[2]));
  EXPECT_EQ(mapped("%z = arith.constant 0.0 : f32\n%s = arith.maxnumf %p, %z : f32", {kNaN, 2}),
            (Floats{0, 2}));
}

TEST_F(TileOps, Conversions) {
  EXPECT_EQ(pairs("%f2 = arith.sitofp %p : i32 to f32\n%s = arith.fptosi %f2 : f32 to i32",
                  {(1 << 24) + 1, -7}, {0, 0}),
            (Ints{1 << 24, -7}));
  EXPECT_EQ(pairs("%h = arith.trunci %p : i32 to i8\n%s = arith.extui %h : i8 to i32", {-1, 257},
                  {0, 0}),
            (Ints{255, 1}));
  EXPECT_EQ(pairs("%f2 = arith.bitcast %p : i32 to f32\n%n2 = arith.negf %f2 : f32\n"
                  "%s = arith.bitcast %n2 : f32 to i32", {0x3f800000, 0}, {0, 0}),
            (Ints{static_cast<int32_t>(0xbf800000), INT32_MIN}));
  EXPECT_EQ(pairs("%i2 = arith.index_cast %p : i32 to index\n"
                  "%s = arith.index_cast %i2 : index to i32", {-5, 5}, {0, 0}),
            (Ints{-5, 5}));
  // A value that does not fit converts to an unspecified one; selecting another value is
  // fine.
  EXPECT_EQ(mapped("%i2 = arith.fptosi %p : f32 to i32\n%s = arith.sitofp %i2 : i32 to f32",
                   {kNaN, 1e20f, -1e20f}),
            (Floats{-0x1p31f, -0x1p31f, -0x1p31f}));
}
