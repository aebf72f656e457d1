//===- ExprTest.cpp -------------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/base/expr.h"
#include <array>
#include <gtest/gtest.h>

using namespace kiln::rt;

static Expr constant(int64_t value) { return {ExprKind::Const, 0, 0, value}; }

/// Computes `a op b`, or -999 if it has no value.
static int64_t apply(ExprKind kind, int64_t a, int64_t b) {
  Expr pool[] = {constant(a), constant(b), {kind, 0, 1}};
  int64_t values[3];
  return evaluate(pool, {}, values) < 0 ? values[2] : -999;
}

TEST(Expr, Arithmetic) {
  EXPECT_EQ(apply(ExprKind::Add, 2, 3), 5);
  EXPECT_EQ(apply(ExprKind::Mul, -2, 3), -6);
  EXPECT_EQ(apply(ExprKind::Max, -2, 3), 3);
  EXPECT_EQ(apply(ExprKind::Min, -2, 3), -2);
}

TEST(Expr, DivisionRoundsAsNamed) {
  for (int64_t a = -7; a <= 7; ++a)
    for (int64_t b = 1; b <= 4; ++b) {
      int64_t floor = apply(ExprKind::FloorDiv, a, b);
      int64_t ceil = apply(ExprKind::CeilDiv, a, b);
      EXPECT_LE(floor * b, a);
      EXPECT_GT((floor + 1) * b, a);
      EXPECT_GE(ceil * b, a);
      EXPECT_LT((ceil - 1) * b, a);
      EXPECT_EQ(apply(ExprKind::Mod, a, b), a - floor * b);
    }
  EXPECT_EQ(apply(ExprKind::CeilDiv, INT64_MAX, 2), INT64_MAX / 2 + 1);
  EXPECT_EQ(apply(ExprKind::FloorDiv, INT64_MIN, 1), INT64_MIN);
}

TEST(Expr, ReportsTheNodeWithoutAValue) {
  EXPECT_EQ(apply(ExprKind::Add, INT64_MAX, 1), -999);
  EXPECT_EQ(apply(ExprKind::Mul, INT64_MIN, -1), -999);
  EXPECT_EQ(apply(ExprKind::FloorDiv, 1, 0), -999);
  EXPECT_EQ(apply(ExprKind::CeilDiv, 1, -1), -999);
  EXPECT_EQ(apply(ExprKind::Mod, 1, 0), -999);
  Expr pool[] = {constant(1), constant(0), {ExprKind::Mod, 0, 1}, constant(2)};
  int64_t values[4];
  EXPECT_EQ(evaluate(pool, {}, values), 2);
}

TEST(Expr, SymbolsAndSharing) {
  Expr pool[] = {{ExprKind::Symbol, 1}, {ExprKind::Mul, 0, 0}, {ExprKind::Add, 1, 0}};
  int64_t symbols[] = {100, 7}, values[3];
  EXPECT_EQ(evaluate(pool, symbols, values), -1);
  EXPECT_EQ(values[2], 56);
}

TEST(Expr, BoundsHoldEverywhere) {
  using enum ExprKind;
  const Bounds symbols[] = {{-3, 5}, {1, 4}};
  std::vector<Expr> pool = {{Symbol, 0}, {Symbol, 1}, constant(3), constant(-2)};
  for (ExprKind kind : {Add, Mul, FloorDiv, CeilDiv, Mod, Max, Min})
    for (uint32_t a = 0; a < 4; ++a)
      for (uint32_t b : {1u, 2u})
        pool.push_back({kind, a, b});
  std::vector<Bounds> bounds = boundsOf(pool, symbols);
  ASSERT_EQ(bounds.size(), pool.size());
  std::vector<Bounds> seen(pool.size(), {INT64_MAX, INT64_MIN});
  std::vector<int64_t> values(pool.size());
  for (int64_t x = -3; x <= 5; ++x)
    for (int64_t y = 1; y <= 4; ++y) {
      ASSERT_EQ(evaluate(pool, std::array{x, y}, values), -1);
      for (size_t i = 0; i < pool.size(); ++i)
        seen[i] = {std::min(seen[i].min, values[i]), std::max(seen[i].max, values[i])};
    }
  for (size_t i = 0; i < pool.size(); ++i) {
    EXPECT_LE(bounds[i].min, seen[i].min) << i;
    EXPECT_GE(bounds[i].max, seen[i].max) << i;
    bool exact = i < 4 || (pool[i].kind != Mod && pool[i].lhs != pool[i].rhs);
    if (exact) {
      EXPECT_EQ(bounds[i].min, seen[i].min) << i;
      EXPECT_EQ(bounds[i].max, seen[i].max) << i;
    }
  }
}

TEST(Expr, BoundsOfRemainders) {
  Expr pool[] = {{ExprKind::Symbol, 0},
                 constant(4),
                 constant(100),
                 {ExprKind::Mod, 0, 1},
                 {ExprKind::Mod, 0, 2}};
  std::vector<Bounds> one = boundsOf(pool, std::array{Bounds{6, 6}});
  EXPECT_EQ(one[3].min, 2); // exact for a single value
  EXPECT_EQ(one[3].max, 2);
  std::vector<Bounds> within = boundsOf(pool, std::array{Bounds{5, 7}});
  EXPECT_EQ(within[3].min, 1);
  EXPECT_EQ(within[3].max, 3);
  std::vector<Bounds> across = boundsOf(pool, std::array{Bounds{-3, 5}});
  EXPECT_EQ(across[3].min, 0);
  EXPECT_EQ(across[3].max, 3);
  EXPECT_EQ(across[4].max, 99);
}

TEST(Expr, BoundsOfWhatMayHaveNoValueAreOpen) {
  const Bounds symbols[] = {{0, 4}, {1, INT64_MAX}};
  Expr pool[] = {{ExprKind::Symbol, 0},
                 {ExprKind::Symbol, 1},
                 {ExprKind::FloorDiv, 1, 0},
                 {ExprKind::Mod, 1, 0},
                 {ExprKind::Mul, 1, 1}};
  std::vector<Bounds> bounds = boundsOf(pool, symbols);
  for (size_t i : {2, 3, 4})
    EXPECT_EQ(bounds[i].min, INT64_MIN) << i;
}

TEST(Expr, Text) {
  std::string names[] = {"batch", "seq"};
  Expr pool[] = {
      {ExprKind::Symbol, 0},      // 0
      {ExprKind::Symbol, 1},      // 1
      constant(64),               // 2
      {ExprKind::Mul, 0, 1},      // 3
      {ExprKind::Add, 3, 2},      // 4
      {ExprKind::Mul, 4, 2},      // 5
      {ExprKind::CeilDiv, 3, 2},  // 6
      {ExprKind::Mul, 6, 2},      // 7
      {ExprKind::Max, 5, 7},      // 8
      {ExprKind::FloorDiv, 4, 2}, // 9
      {ExprKind::Add, 4, 1},      // 10
  };
  EXPECT_EQ(toText(pool, 4, names), "batch*seq + 64");
  EXPECT_EQ(toText(pool, 5, names), "(batch*seq + 64)*64");
  EXPECT_EQ(toText(pool, 7, names), "((batch*seq) ceildiv 64)*64");
  EXPECT_EQ(toText(pool, 8, names),
            "max((batch*seq + 64)*64, ((batch*seq) ceildiv 64)*64)");
  EXPECT_EQ(toText(pool, 9, names), "(batch*seq + 64) floordiv 64");
  EXPECT_EQ(toText(pool, 10, names), "batch*seq + 64 + seq");
}

TEST(Expr, TextOfSharedTreesIsBounded) {
  // Doubles at each node: 2^200 terms if expanded.
  std::vector<Expr> pool = {constant(1)};
  for (uint32_t i = 0; i < 200; ++i)
    pool.push_back({ExprKind::Mul, i, i});
  std::string text = toText(pool, 200, {});
  EXPECT_LT(text.size(), 10000u);
  EXPECT_NE(text.find("..."), std::string::npos);
}
