//===- SymbolBoundsTest.cpp - bounds of dims ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/SymbolBounds.h"
#include "dialects/Graph/Graph.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <random>

using namespace kiln::graph;
using mlir::StringAttr;

namespace {
class SymbolBoundsTest : public testing::Test {
protected:
  SymbolicExpr symbol(llvm::StringRef name) {
    return SymbolicExpr::symbol(StringAttr::get(&context, name));
  }
  StringAttr name(llvm::StringRef text) { return StringAttr::get(&context, text); }

  /// a in [lowA, highA], b in [lowB, highB].
  SymbolRanges ranges(int64_t lowA, int64_t highA, int64_t lowB = 0, int64_t highB = 0) {
    SymbolRanges result;
    result.set(name("a"), {lowA, highA});
    result.set(name("b"), {lowB, highB});
    return result;
  }

  SymbolicExpr random(std::mt19937 &generator, int depth) {
    if (!depth) {
      unsigned kind = generator() % 3;
      return kind == 0 ? SymbolicExpr(int64_t(generator() % 9) - 4) : kind == 1 ? a : b;
    }
    SymbolicExpr x = random(generator, depth - 1), y = random(generator, depth - 1);
    switch (generator() % 9) {
    case 0:
      return x + y;
    case 1:
      return x - y;
    case 2:
      return x * y;
    case 3:
      return x.floorDiv(y);
    case 4:
      return x.ceilDiv(int64_t(generator() % 6) + 1);
    case 5:
      return x.mod(y);
    case 6:
      return SymbolicExpr::min(x, y);
    case 7:
      return SymbolicExpr::max(x, y);
    default:
      return x.alignTo(4);
    }
  }

  mlir::MLIRContext context;
  SymbolicExpr a = symbol("a"), b = symbol("b");
};
} // namespace

static void expectBounds(std::optional<Bounds> bounds, int64_t min, int64_t max) {
  ASSERT_TRUE(bounds);
  EXPECT_EQ(bounds->min, min);
  EXPECT_EQ(bounds->max, max);
}

TEST_F(SymbolBoundsTest, SumsAndProducts) {
  SymbolRanges r = ranges(1, 1000, 2, 3);
  expectBounds(r.boundsOf(7), 7, 7);
  expectBounds(r.boundsOf(a * b * 4 + 1), 9, 12001);
  expectBounds(r.boundsOf(SymbolicExpr(1000) - a), 0, 999);
  expectBounds(r.boundsOf(b - a), -998, 2);
  expectBounds(r.boundsOf((SymbolicExpr(500) - a) * b), -2000, 1498);
}

TEST_F(SymbolBoundsTest, Quotients) {
  SymbolRanges r = ranges(1, 10, 2, 5);
  expectBounds(r.boundsOf(a.floorDiv(b)), 0, 5);
  expectBounds(r.boundsOf((SymbolicExpr(3) - a).ceilDiv(b)), -3, 1);
  expectBounds(r.boundsOf(SymbolicExpr(100).floorDiv(SymbolicExpr(11) - a)), 10, 100);
}

TEST_F(SymbolBoundsTest, Remainders) {
  SymbolRanges r = ranges(5, 7, 2, 6);
  expectBounds(r.boundsOf(a.mod(4)), 1, 3);
  expectBounds(r.boundsOf((a + 1).mod(8)), 0, 7);
  expectBounds(r.boundsOf(a.mod(100)), 5, 7);
  expectBounds(r.boundsOf(a.mod(b)), 0, 5);
  expectBounds(r.boundsOf((a - 9).mod(4)), 0, 2);
}

TEST_F(SymbolBoundsTest, Extrema) {
  SymbolRanges r = ranges(1, 512, 3, 7);
  expectBounds(r.boundsOf(SymbolicExpr::min(a, 9)), 1, 9);
  expectBounds(r.boundsOf(SymbolicExpr(9) - SymbolicExpr::min(a, 9)), 0, 8);
  expectBounds(r.boundsOf(SymbolicExpr::min(a, b)), 1, 7);
  expectBounds(r.boundsOf(SymbolicExpr::min(a, 9) * b * 4), 12, 252);
  expectBounds(r.boundsOf(SymbolicExpr::max(SymbolicExpr::min(a, 200) - 100, 0)), 0, 100);
  SymbolicExpr rest = SymbolicExpr::max(b - a, 0);
  EXPECT_EQ(r.boundsOf(SymbolicExpr::max(rest - SymbolicExpr::max(a, 2), 0))->min, 0);
}

TEST_F(SymbolBoundsTest, WhatMayHaveNoValueHasNoBounds) {
  SymbolRanges r = ranges(0, 4, 1, int64_t(1) << 40);
  EXPECT_FALSE(r.boundsOf(b.floorDiv(a)));
  EXPECT_FALSE(r.boundsOf(b.mod(a)));
  EXPECT_FALSE(r.boundsOf(b * b));
  EXPECT_FALSE(r.boundsOf(symbol("unknown")));
  EXPECT_FALSE(r.maxOf({a, b * b}));
}

TEST_F(SymbolBoundsTest, TheMostOfSizes) {
  SymbolRanges r = ranges(1, 8, 1, 8);
  EXPECT_EQ(r.maxOf(SymbolicExpr(8) - a), 7);
  EXPECT_EQ(r.maxOf(SymbolicExpr(0) - a), 0);
  EXPECT_EQ(r.maxOf({a, b * 2, SymbolicExpr(20) - a}), 19);
  EXPECT_EQ(r.maxOf(llvm::ArrayRef<SymbolicExpr>()), 0);
}

TEST_F(SymbolBoundsTest, RangesOfAModule) {
  context.loadDialect<GraphDialect>();
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>("graph.symbol @a in [3, 9]", &context);
  ASSERT_TRUE(module);
  expectBounds(SymbolRanges(*module).boundsOf(SymbolicExpr(20) - a * 2), 2, 14);
}

TEST_F(SymbolBoundsTest, RandomExpressionsStayWithin) {
  std::mt19937 generator(7);
  unsigned bounded = 0, points = 0;
  for (unsigned i = 0; i < 4000; ++i) {
    int64_t lowA = generator() % 5, highA = lowA + generator() % 9;
    int64_t lowB = generator() % 4, highB = lowB + generator() % 7;
    SymbolRanges r = ranges(lowA, highA, lowB, highB);
    SymbolicExpr expr = random(generator, 1 + i % 3);
    std::optional<Bounds> bounds = r.boundsOf(expr);
    bounded += bounds.has_value();
    for (int64_t x = lowA; x <= highA; ++x)
      for (int64_t y = lowB; y <= highB; ++y) {
        auto value =
            expr.evaluate([&](StringAttr s) { return s.getValue() == "a" ? x : y; });
        if (!bounds)
          continue;
        ASSERT_TRUE(value) << expr.str() << " at " << x << ", " << y;
        EXPECT_LE(bounds->min, *value) << expr.str() << " at " << x << ", " << y;
        EXPECT_GE(bounds->max, *value) << expr.str() << " at " << x << ", " << y;
        expectBounds(ranges(x, x, y, y).boundsOf(expr), *value, *value);
        ++points;
      }
  }
  EXPECT_GT(bounded, 2000u);
  EXPECT_GT(points, 20000u);
}
