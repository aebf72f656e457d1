//===- SymbolicExprTest.cpp - the arithmetic of dims ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/SymbolicExpr.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"

#include <random>

using namespace kiln::graph;
using mlir::StringAttr;

namespace {
class SymbolicExprTest : public testing::Test {
protected:
  SymbolicExpr symbol(llvm::StringRef name) {
    return SymbolicExpr::symbol(StringAttr::get(&context, name));
  }

  static std::optional<int64_t> at(const SymbolicExpr &expr, int64_t a, int64_t b = 0) {
    return expr.evaluate([&](StringAttr name) { return name.getValue() == "a" ? a : b; });
  }

  llvm::SmallVector<StringAttr> names() {
    return {StringAttr::get(&context, "a"), StringAttr::get(&context, "b")};
  }

  SymbolicExpr throughAffine(const SymbolicExpr &expr) {
    return SymbolicExpr::fromAffine(expr.toAffine(names(), &context), names());
  }

  mlir::MLIRContext context;
  SymbolicExpr a = symbol("a"), b = symbol("b");
};
} // namespace

TEST_F(SymbolicExprTest, EqualPolynomialsAreEqual) {
  EXPECT_EQ(a + b, b + a);
  EXPECT_EQ(a * b, b * a);
  EXPECT_EQ((a + 1) * (a - 1), a * a - 1);
  EXPECT_EQ((a + b) * (a + b), a * a + SymbolicExpr(2) * a * b + b * b);
  EXPECT_EQ(a - a, SymbolicExpr(0));
  EXPECT_EQ(SymbolicExpr(0) * a, SymbolicExpr());
  EXPECT_NE(a, b);
  EXPECT_NE(a, a + 1);
  EXPECT_NE(a * a, a);
}

TEST_F(SymbolicExprTest, OrderIsTotal) {
  llvm::SmallVector<SymbolicExpr> all{
      0, 1, a, b, a + b, a * b, a.floorDiv(2), a.mod(2), a * a + 1};
  for (const SymbolicExpr &x : all)
    for (const SymbolicExpr &y : all) {
      EXPECT_EQ(x.compare(y) == 0, &x == &y) << x.str() << " and " << y.str();
      EXPECT_EQ(x.compare(y) < 0, y.compare(x) > 0);
    }
}

TEST_F(SymbolicExprTest, Constants) {
  EXPECT_EQ(SymbolicExpr(0).getConstant(), 0);
  EXPECT_EQ(SymbolicExpr(-7).getConstant(), -7);
  EXPECT_EQ((a + 3 - a).getConstant(), 3);
  EXPECT_EQ((a + 3).getConstant(), std::nullopt);
  EXPECT_TRUE((a - a).isConstant(0));
  EXPECT_FALSE(a.isConstant());
}

TEST_F(SymbolicExprTest, Symbols) {
  EXPECT_EQ(a.getSymbol().getValue(), "a");
  EXPECT_FALSE((a * 2).getSymbol());
  EXPECT_FALSE((a * b).getSymbol());
  EXPECT_FALSE(a.floorDiv(2).getSymbol());
  EXPECT_FALSE(SymbolicExpr(1).getSymbol());
  llvm::SmallVector<StringAttr> used = (b * 2 + (a + b).floorDiv(3)).getSymbols();
  ASSERT_EQ(used.size(), 2u);
  EXPECT_EQ(used[0].getValue(), "a");
  EXPECT_EQ(used[1].getValue(), "b");
}

TEST_F(SymbolicExprTest, ExactDivision) {
  EXPECT_EQ((a * b * 12).exactDiv(a * 4), b * 3);
  EXPECT_EQ((a * b + a).exactDiv(a), b + 1);
  EXPECT_EQ((a + b).exactDiv(a + b), SymbolicExpr(1));
  EXPECT_EQ(SymbolicExpr(0).exactDiv(a), SymbolicExpr(0));
  EXPECT_EQ((a * b * 4 + a * 20).exactDiv(a * b + a * 5), SymbolicExpr(4));
  EXPECT_EQ(((a + b) * (a + 5) * (b - 2)).exactDiv((a + 5) * (b - 2)), a + b);
  EXPECT_EQ((a * b * 4 + a * 21).exactDiv(a * b + a * 5), std::nullopt);
  EXPECT_EQ((a * a + b).exactDiv(a + b), std::nullopt);
  EXPECT_EQ((a * 12).exactDiv(5), std::nullopt);
  EXPECT_EQ((a + b).exactDiv(a), std::nullopt);
  EXPECT_EQ(a.exactDiv(a + b), std::nullopt);
  EXPECT_EQ(a.exactDiv(0), std::nullopt);
  EXPECT_EQ(SymbolicExpr(0).exactDiv(0), std::nullopt);
  EXPECT_EQ((a.floorDiv(2) * 6).exactDiv(a.floorDiv(2)), SymbolicExpr(6));
}

TEST_F(SymbolicExprTest, Quotients) {
  EXPECT_EQ((a * 6).floorDiv(3), a * 2);
  EXPECT_EQ((a * 6).ceilDiv(3), a * 2);
  EXPECT_EQ((a * 6).mod(3), SymbolicExpr(0));
  EXPECT_EQ(SymbolicExpr(-7).floorDiv(2), SymbolicExpr(-4));
  EXPECT_EQ(SymbolicExpr(-7).ceilDiv(2), SymbolicExpr(-3));
  EXPECT_EQ(SymbolicExpr(-7).mod(2), SymbolicExpr(1));
  EXPECT_EQ(a.floorDiv(2), a.floorDiv(2));
  EXPECT_NE(a.floorDiv(2), a.ceilDiv(2));
  EXPECT_EQ(SymbolicExpr(65).alignTo(64), SymbolicExpr(128));
  EXPECT_EQ((a * 64).alignTo(64), a * 64);
  EXPECT_EQ(at(a.alignTo(64), 65), 128);
}

TEST_F(SymbolicExprTest, Dominates) {
  EXPECT_TRUE((a + 1).dominates(a));
  EXPECT_TRUE(a.dominates(a));
  EXPECT_TRUE((a * b + a).dominates(a * b));
  EXPECT_FALSE(a.dominates(a + 1));
  EXPECT_FALSE(a.dominates(b));
  EXPECT_FALSE((a * b).dominates(a)); // b may be 0
  EXPECT_TRUE((a + a.floorDiv(2)).dominates(a));
  EXPECT_TRUE((a - 3).mod(2).dominates(0));
  EXPECT_FALSE((a - 3).floorDiv(2).dominates(0));
}

TEST_F(SymbolicExprTest, Evaluate) {
  EXPECT_EQ(at(a * b * 2 + 3, 5, 7), 73);
  EXPECT_EQ(at(a.floorDiv(2), 7), 3);
  EXPECT_EQ(at(a.ceilDiv(2), 7), 4);
  EXPECT_EQ(at(a.mod(4), 7), 3);
  EXPECT_EQ(at((a - 9).floorDiv(2), 4), -3);
  EXPECT_EQ(at((a - 9).mod(4), 4), 3);
}

TEST_F(SymbolicExprTest, EvaluateReportsWhatHasNoValue) {
  EXPECT_EQ(at(a.floorDiv(b), 7, 0), std::nullopt);
  EXPECT_EQ(at(a.mod(b), 7, 0), std::nullopt);
  EXPECT_EQ(at(a.ceilDiv(b), 7, -1), std::nullopt);
  EXPECT_EQ(at(a.floorDiv(0), 7), std::nullopt);
  EXPECT_EQ(at(a * a, int64_t(1) << 32), std::nullopt);
  EXPECT_EQ(at(a + b, INT64_MAX, 1), std::nullopt);
  EXPECT_EQ(at(a * 3, INT64_MAX / 2), std::nullopt);
  EXPECT_EQ(at((a * a).floorDiv(b), int64_t(1) << 32, 3), std::nullopt);
  EXPECT_EQ(at(a * 1, INT64_MAX), INT64_MAX);
}

TEST_F(SymbolicExprTest, Substitute) {
  auto replace = [&](const SymbolicExpr &expr, const SymbolicExpr &by) {
    return expr.substitute([&](StringAttr name) -> std::optional<SymbolicExpr> {
      return name.getValue() == "a" ? std::optional(by) : std::nullopt;
    });
  };
  EXPECT_EQ(replace(a * a + b, b + 1), b * b + b * 3 + 1);
  EXPECT_EQ(replace(a.floorDiv(2), b * 4), b * 2);
  EXPECT_EQ(replace(a.mod(2), SymbolicExpr(7)), SymbolicExpr(1));
  EXPECT_EQ(replace(b, SymbolicExpr(7)), b);
}

TEST_F(SymbolicExprTest, Print) {
  EXPECT_EQ(SymbolicExpr(0).str(), "0");
  EXPECT_EQ(SymbolicExpr(-3).str(), "-3");
  EXPECT_EQ((a * b * 12 + 64).str(), "12 * a * b + 64");
  EXPECT_EQ((a - 2).str(), "a - 2");
  EXPECT_EQ((SymbolicExpr(2) - a).str(), "-1 * a + 2");
  EXPECT_EQ((b + 1).floorDiv(2).str(), "((b + 1) floordiv 2)");
  EXPECT_EQ((a.ceilDiv(b) * 2).str(), "2 * (a ceildiv b)");
  EXPECT_EQ(a.mod(4).str(), "(a mod 4)");
}

TEST_F(SymbolicExprTest, ExtremaOfExpressions) {
  SymbolicExpr nine = 9;
  EXPECT_EQ(SymbolicExpr::min(a, nine), SymbolicExpr::min(nine, a));
  EXPECT_EQ(SymbolicExpr::max(a, b), SymbolicExpr::max(b, a));
  EXPECT_EQ(SymbolicExpr::min(a, b) + SymbolicExpr::max(a, b), a + b);
  EXPECT_EQ(SymbolicExpr::min(a * 2, 18), SymbolicExpr::min(a, 9) * 2);
  EXPECT_EQ(SymbolicExpr::min(a * b * 4, b * 36), SymbolicExpr::min(a, 9) * b * 4);
  // One side is the result for all symbol values.
  EXPECT_EQ(SymbolicExpr::max(a, 0), a);
  EXPECT_EQ(SymbolicExpr::min(a + b, b), b);
  EXPECT_EQ(SymbolicExpr::min(SymbolicExpr::min(a, 9), 12), SymbolicExpr::min(a, 9));
  EXPECT_EQ(SymbolicExpr::max(SymbolicExpr::min(a, 9), 9), SymbolicExpr(9));
  EXPECT_EQ(SymbolicExpr::min(3, 4), SymbolicExpr(3));
  EXPECT_EQ(SymbolicExpr::max(INT64_MAX, INT64_MIN + 1), SymbolicExpr(INT64_MAX));
  EXPECT_NE(SymbolicExpr::min(a, 9), SymbolicExpr::min(a, 8));
  for (int64_t value : {0, 8, 9, 10, 400}) {
    EXPECT_EQ(at(SymbolicExpr::min(a, 9), value), std::min<int64_t>(value, 9));
    EXPECT_EQ(at(SymbolicExpr::max(a - 100, 0), value),
              std::max<int64_t>(value - 100, 0));
  }
}

TEST_F(SymbolicExprTest, ExtremaShowTheirSides) {
  EXPECT_EQ(SymbolicExpr::min(a, 9).str(), "min(a, 9)");
  EXPECT_EQ(SymbolicExpr::max(a - 100, 0).str(), "max(0, a - 100)");
  EXPECT_EQ((SymbolicExpr::min(a, 9) * b * 4).str(), "min(4 * a * b, 36 * b)");
  EXPECT_EQ((SymbolicExpr(9) - SymbolicExpr::min(a, 9)).str(), "max(-1 * a + 9, 0)");
  EXPECT_EQ(SymbolicExpr::min(a, 9).floorDiv(2).str(), "((min(a, 9)) floordiv 2)");
  EXPECT_FALSE((a + b).getExtremum());
  // A square, and a factor whose sign is unknown, have no extremum to split.
  SymbolicExpr rest = SymbolicExpr::max(a - 9, 0);
  EXPECT_FALSE((rest * rest).getExtremum());
  EXPECT_FALSE((rest * (b - 3)).getExtremum());
  EXPECT_TRUE(SymbolicExpr(9).dominates(SymbolicExpr::min(a, 9)));
  EXPECT_TRUE(a.dominates(SymbolicExpr::min(a, 9)));
  EXPECT_FALSE(SymbolicExpr(8).dominates(SymbolicExpr::min(a, 9)));
}

TEST_F(SymbolicExprTest, MaximaAreResolved) {
  SymbolicExpr expr = SymbolicExpr::min(a, 9) + SymbolicExpr::max(b - 4, 0).floorDiv(2);
  auto resolve = [&](std::optional<bool> ofA) {
    return expr.resolveMaxima([&](const SymbolicExpr &side) {
      return side == a - 9 ? ofA : std::optional<bool>();
    });
  };
  SymbolicExpr rest = SymbolicExpr::max(b - 4, 0).floorDiv(2);
  EXPECT_EQ(resolve(true), rest + 9);
  EXPECT_EQ(resolve(false), rest + a);
  EXPECT_EQ(resolve(std::nullopt), expr);
}

TEST_F(SymbolicExprTest, AffineRoundTrip) {
  for (const SymbolicExpr &expr :
       {SymbolicExpr::min(a, 9), SymbolicExpr::min(a * b, 9) * b,
        SymbolicExpr::max(SymbolicExpr::min(a, 200) - 100, 0),
        SymbolicExpr::max(a - b, 3).floorDiv(2), SymbolicExpr(0), SymbolicExpr(-5), a,
        a * b * 3 - 7, a.floorDiv(2) + b, (a + 1).ceilDiv(3), (a * b).mod(8),
        a * a * a - b, (a + b.floorDiv(2)).mod(3) * 4})
    EXPECT_EQ(throughAffine(expr), expr) << expr.str();
}

//===----------------------------------------------------------------------===//
// Random expressions against direct evaluation
//===----------------------------------------------------------------------===//

namespace {
/// An expression and its values at the sample points.
struct Sample {
  SymbolicExpr expr;
  std::vector<int64_t> values;
};
constexpr std::pair<int64_t, int64_t> kPoints[] = {
    {0, 0}, {1, 2}, {3, 1}, {7, 5}, {64, 33}};

class RandomExpr {
public:
  RandomExpr(SymbolicExpr a, SymbolicExpr b, unsigned seed) : a(a), b(b), random(seed) {}

  Sample make(int depth) {
    if (depth == 0)
      return leaf();
    Sample x = make(depth - 1);
    unsigned kind = random() % 8;
    if (kind >= 3 && kind < 6)
      return divide(x, kind);
    Sample y = make(depth - 1), result;
    result.expr = kind == 0   ? x.expr + y.expr
                  : kind == 1 ? x.expr - y.expr
                  : kind == 2 ? x.expr * y.expr
                  : kind == 6 ? SymbolicExpr::min(x.expr, y.expr)
                              : SymbolicExpr::max(x.expr, y.expr);
    for (auto [u, v] : llvm::zip(x.values, y.values))
      result.values.push_back(kind == 0   ? u + v
                              : kind == 1 ? u - v
                              : kind == 2 ? u * v
                              : kind == 6 ? std::min(u, v)
                                          : std::max(u, v));
    return result;
  }

private:
  Sample leaf() {
    int64_t constant = static_cast<int64_t>(random() % 9) - 4;
    unsigned kind = random() % 3;
    Sample result{kind == 0 ? SymbolicExpr(constant) : kind == 1 ? a : b, {}};
    for (auto [u, v] : kPoints)
      result.values.push_back(kind == 0 ? constant : kind == 1 ? u : v);
    return result;
  }

  Sample divide(const Sample &x, unsigned kind) {
    int64_t by = random() % 6 + 1;
    Sample result;
    result.expr = kind == 3   ? x.expr.floorDiv(by)
                  : kind == 4 ? x.expr.ceilDiv(by)
                              : x.expr.mod(by);
    for (int64_t u : x.values)
      result.values.push_back(kind == 3   ? llvm::divideFloorSigned(u, by)
                              : kind == 4 ? llvm::divideCeilSigned(u, by)
                                          : llvm::mod(u, by));
    return result;
  }

  SymbolicExpr a, b;
  std::mt19937 random;
};
} // namespace

TEST_F(SymbolicExprTest, RandomExpressionsKeepTheirValue) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    Sample sample = RandomExpr(a, b, seed).make(seed % 4);
    SymbolicExpr again = throughAffine(sample.expr);
    for (auto [point, value] : llvm::zip(kPoints, sample.values)) {
      EXPECT_EQ(at(sample.expr, point.first, point.second), value) << sample.expr.str();
      EXPECT_EQ(at(again, point.first, point.second), value)
          << sample.expr.str() << " became " << again.str();
    }
    // A second round trip through an attribute changes nothing.
    EXPECT_EQ(throughAffine(again), again) << again.str();
  }
}

TEST_F(SymbolicExprTest, RandomDifferencesBoundTheirValues) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    Sample x = RandomExpr(a, b, seed).make(2), y = RandomExpr(a, b, seed + 7000).make(2);
    if (!x.expr.dominates(y.expr))
      continue;
    for (auto [u, v] : llvm::zip(x.values, y.values))
      EXPECT_GE(u, v) << x.expr.str() << " and " << y.expr.str();
  }
}

TEST_F(SymbolicExprTest, RemaindersCountCoefficientsModuloTheDivisor) {
  EXPECT_EQ((SymbolicExpr(0) - a).mod(128), (SymbolicExpr(127) * a).mod(128));
  EXPECT_EQ((SymbolicExpr(130) * a + 257).mod(128), (SymbolicExpr(2) * a + 1).mod(128));
  EXPECT_EQ((SymbolicExpr(128) * a + 5).mod(128), SymbolicExpr(5));
  EXPECT_NE(a.mod(128), (SymbolicExpr(0) - a).mod(128));
  for (int64_t value : {0, 1, 127, 128, 129, 300})
    EXPECT_EQ(at((SymbolicExpr(0) - a).mod(128), value), (128 - value % 128) % 128)
        << value;
}

TEST_F(SymbolicExprTest, PaddingToBlocksIsAQuotientRoundedUp) {
  SymbolicExpr padding = (SymbolicExpr(0) - a).mod(128);
  EXPECT_EQ((a + padding).floorDiv(128), a.ceilDiv(128));
  EXPECT_EQ((a + b + (SymbolicExpr(0) - a - b).mod(4)).floorDiv(4), (a + b).ceilDiv(4));
  // A different remainder or divisor is no rounding up.
  EXPECT_NE((a + a.mod(128)).floorDiv(128), a.ceilDiv(128));
  EXPECT_NE((a + padding).floorDiv(64), a.ceilDiv(64));
  for (int64_t value : {1, 127, 128, 129, 300})
    EXPECT_EQ(at((a + padding).floorDiv(128), value), (value + 127) / 128) << value;
}
