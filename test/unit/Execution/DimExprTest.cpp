//===- DimExprTest.cpp - Values of printed dims ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Execution/DimExpr.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::execution;

namespace {
const SymbolValues kDims = {{"batch", 3}, {"seq", 10}, {"a.b-c", 7}, {"maximum", 5}};

std::optional<int64_t> dimOf(llvm::StringRef text) { return evaluateDim(text, kDims); }

TEST(DimExpr, NumbersAndSymbols) {
  EXPECT_EQ(dimOf("384"), 384);
  EXPECT_EQ(dimOf("seq"), 10);
  EXPECT_EQ(dimOf("  seq  "), 10);
  EXPECT_EQ(dimOf("a.b-c"), 7); // names of ONNX dims may contain any character
  EXPECT_EQ(dimOf("maximum"), 5) << "a name that begins like a function";
}

TEST(DimExpr, ProductsBindMoreTightlyThanSums) {
  EXPECT_EQ(dimOf("2*batch + seq"), 16);
  EXPECT_EQ(dimOf("seq + 2*batch"), 16);
  EXPECT_EQ(dimOf("(seq + 2)*batch"), 36);
  EXPECT_EQ(dimOf("seq - batch - 2"), 5) << "from left to right";
  EXPECT_EQ(dimOf("batch*seq*2"), 60);
}

TEST(DimExpr, NegativeNumbers) {
  EXPECT_EQ(dimOf("-2"), -2);
  EXPECT_EQ(dimOf("seq + -batch"), 7);
  EXPECT_EQ(dimOf("-(seq - batch)"), -7);
  EXPECT_EQ(dimOf("seq*-1"), -10);
  EXPECT_EQ(dimOf("--seq"), 10);
}

TEST(DimExpr, DivisionsRoundAsTheGraphDoes) {
  EXPECT_EQ(dimOf("seq floordiv 3"), 3);
  EXPECT_EQ(dimOf("seq ceildiv 3"), 4);
  EXPECT_EQ(dimOf("seq mod 3"), 1);
  EXPECT_EQ(dimOf("-seq floordiv 3"), -4) << "towards minus infinity";
  EXPECT_EQ(dimOf("-seq ceildiv 3"), -3);
  EXPECT_EQ(dimOf("-seq mod 3"), 2) << "never negative";
  EXPECT_EQ(dimOf("seq floordiv batch"), 3) << "by a symbol";
  EXPECT_EQ(dimOf("(seq + 5) floordiv 4 * 4"), 12);
}

TEST(DimExpr, DivisorsMustBePositive) {
  for (const char *text : {"seq floordiv 0", "seq ceildiv 0", "seq mod 0",
                           "seq floordiv -2", "seq mod (batch - 3)"})
    EXPECT_EQ(dimOf(text), std::nullopt) << text;
}

TEST(DimExpr, MinimumAndMaximum) {
  EXPECT_EQ(dimOf("max(batch, seq)"), 10);
  EXPECT_EQ(dimOf("min(batch, seq)"), 3);
  EXPECT_EQ(dimOf("max(seq, batch)"), 10);
  EXPECT_EQ(dimOf("min(seq, batch)"), 3);
  EXPECT_EQ(dimOf("max(seq, seq)"), 10);
  EXPECT_EQ(dimOf("2*max(batch, min(seq, 8)) + 1"), 17);
}

TEST(DimExpr, SymbolsWithoutValueHaveNone) {
  for (const char *text : {"heads", "heads + 1", "seq*heads", "max(seq, heads)",
                           "min(heads, 1)", "-heads", "(heads)"})
    EXPECT_EQ(dimOf(text), std::nullopt) << text;
}

/// A printed expression may be longer than its buffer.
TEST(DimExpr, TextThatIsCutOffHasNoValue) {
  llvm::StringRef whole = "max(2*batch + seq, (seq + 5) floordiv 4 * 4)";
  ASSERT_EQ(dimOf(whole), 16);
  for (const char *text : {"", " ", "2*", "seq +", "(seq", "max(seq", "max(seq,", "max(",
                           "max(seq, batch", "seq floordiv ", "seq )", "seq seq", "2 3",
                           "seq floordiv", "max(seq)", "seq ...", "*seq", "+seq"})
    EXPECT_EQ(dimOf(text), std::nullopt) << "'" << text << "'";
}
} // namespace
