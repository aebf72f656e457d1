//===- SymbolsTest.cpp - Symbolic dims ------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Symbols.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::import;

static ImportOptions optionsOf(std::vector<DimRange> dims) {
  ImportOptions options;
  options.dims = std::move(dims);
  return options;
}

namespace {
struct SymbolsTest : testing::Test {
  mlir::MLIRContext context;
  Symbols symbols{&context};
  onnx::GraphProto graph;

  onnx::ValueInfoProto &add(const char *name, std::vector<const char *> dims) {
    onnx::ValueInfoProto &input = *graph.add_input();
    input.set_name(name);
    for (const char *dim : dims) {
      auto *to = input.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim();
      if (*dim)
        to->set_dim_param(dim);
    }
    return input;
  }
  bool declare(std::vector<DimRange> given = {}) {
    llvm::Error error = symbols.declare(graph, optionsOf(given), "m.onnx");
    bool ok = !error;
    llvm::consumeError(std::move(error));
    return ok;
  }
  std::string dim(int input, int index) {
    return symbols.dimOf(graph.input(input), index).str();
  }
};
} // namespace

TEST_F(SymbolsTest, DefaultRanges) {
  add("x", {"batch_size", "seq"});
  add("z", {"rows", "batch"});
  ASSERT_TRUE(declare());
  std::vector<ImportedSymbol> all = symbols.remaining();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].hi, 64);
  EXPECT_EQ(all[1].hi, 512);
  EXPECT_EQ(all[2].hi, 512);
  EXPECT_EQ(all[3].hi, 512); // not a leading dim
}

TEST_F(SymbolsTest, NamesBecomeIdentifiers) {
  add("x", {"a.b", "", "2d", "a_b"});
  ASSERT_TRUE(declare());
  std::vector<ImportedSymbol> all = symbols.remaining();
  EXPECT_EQ(all[0].name, "a_b");
  EXPECT_EQ(all[0].source, "a.b");
  EXPECT_EQ(all[1].name, "x_1");
  EXPECT_EQ(all[2].name, "d2d");
  EXPECT_EQ(all[3].name, "a_b_1");
}

TEST_F(SymbolsTest, FormulasOfOtherDims) {
  add("mask", {"past + seq", "2*seq - 1", "other + seq"});
  add("x", {"past", "seq"});
  ASSERT_TRUE(declare());
  EXPECT_EQ(dim(0, 0), "past + seq");
  EXPECT_EQ(dim(0, 1), "2 * seq - 1");
  EXPECT_EQ(dim(0, 2), "other___seq"); // no dim is called other
}

TEST_F(SymbolsTest, GivenRanges) {
  add("x", {"batch", "seq"});
  ASSERT_TRUE(declare({{"batch", 2, 2}, {"seq", 4, 8}}));
  EXPECT_EQ(dim(0, 0), "2");
  ASSERT_EQ(symbols.remaining().size(), 1u);
  EXPECT_TRUE(symbols.remaining()[0].given);
  Symbols other(&context);
  llvm::Error error = other.declare(graph, optionsOf({{"none", 1, 2}}), "m.onnx");
  EXPECT_TRUE(bool(error));
  llvm::consumeError(std::move(error));
}

TEST_F(SymbolsTest, Unification) {
  add("x", {"a", "b", "c", "d"});
  ASSERT_TRUE(declare({{"b", 8, 16}}));
  auto sym = [&](const char *name) {
    return SymbolicExpr::symbol(mlir::StringAttr::get(&context, name));
  };
  EXPECT_TRUE(symbols.unify(sym("b"), sym("a")));
  EXPECT_EQ(dim(0, 1), "a");
  EXPECT_EQ(symbols.remaining()[0].lo, 8); // the user's range takes precedence
  EXPECT_TRUE(symbols.unify(sym("c"), sym("a") * SymbolicExpr(2)));
  EXPECT_EQ(dim(0, 2), "2 * a");
  EXPECT_FALSE(symbols.unify(sym("a"), SymbolicExpr(100))); // outside the user's range
  EXPECT_FALSE(symbols.unify(sym("a"), SymbolicExpr(8)));   // would narrow the user's
                                                            // range
  auto conflict = symbols.takeConflict();
  ASSERT_TRUE(conflict.has_value());
  EXPECT_EQ(conflict->needed, "a=8");
  EXPECT_TRUE(symbols.unify(sym("d"), SymbolicExpr(8)));
  EXPECT_EQ(dim(0, 3), "8");
  EXPECT_FALSE(symbols.unify(SymbolicExpr(3), SymbolicExpr(4)));
}

TEST_F(SymbolsTest, SumsBecomeEqualByTheirLastSymbols) {
  add("x", {"s", "p", "q", "t"});
  ASSERT_TRUE(declare());
  auto dimOf = [&](int index) { return symbols.dimOf(graph.input(0), index); };
  SymbolicExpr s = dimOf(0), p = dimOf(1), q = dimOf(2), t = dimOf(3);
  EXPECT_TRUE(symbols.unify(s + p, s + q));
  EXPECT_EQ(dim(0, 2), "p");
  EXPECT_TRUE(symbols.unify(s + p + 1, t + s));
  EXPECT_EQ(dim(0, 3), "p + 1");
  EXPECT_FALSE(symbols.unify(s * 2, p * 2 + s * p)); // no symbol can be solved for
  EXPECT_TRUE(symbols.warnings().empty());
  EXPECT_TRUE(symbols.unify(s, 7, "here"));
  ASSERT_EQ(symbols.warnings().size(), 1u);
  EXPECT_TRUE(llvm::StringRef(symbols.warnings()[0]).contains("'s' can only be 7"));
}

TEST_F(SymbolsTest, TheSideOfAnExtremumThatCanBeASizeIsIt) {
  add("x", {"s", "past", "total", "other"});
  ASSERT_TRUE(declare());
  auto dimOf = [&](int index) { return symbols.dimOf(graph.input(0), index); };
  SymbolicExpr s = dimOf(0), past = dimOf(1), total = dimOf(2);
  EXPECT_TRUE(symbols.mentionsPast(past + 1));
  EXPECT_FALSE(symbols.mentionsPast(total));
  // A sequence has at least one token, so the max is not 0. The total is replaced by a
  // sum, rather than the sequence by a difference.
  EXPECT_TRUE(symbols.unify(symbols.maxOf(total - past, 0), s));
  EXPECT_EQ(symbols.canonical(total), s + past);
  EXPECT_TRUE(symbols.mentionsPast(total));
  // Either side may be the minimum.
  EXPECT_FALSE(symbols.unify(symbols.minOf(s, 7) * 2, 9));
}

TEST_F(SymbolsTest, DimsBecomeEqualWhereNoRangeSaysWhichIsLess) {
  add("x", {"s", "past", "total"});
  ASSERT_TRUE(declare());
  auto dimOf = [&](int index) { return symbols.dimOf(graph.input(0), index); };
  SymbolicExpr s = dimOf(0), past = dimOf(1), total = dimOf(2);
  // The first past + s columns of a mask: all of its columns.
  EXPECT_TRUE(symbols.narrowToEqual(s + past, symbols.minOf(total, s + past), "here"));
  EXPECT_EQ(symbols.canonical(total), s + past);
}

TEST_F(SymbolsTest, Bounds) {
  add("x", {"a", "b"});
  ASSERT_TRUE(declare({{"a", 2, 5}, {"b", 1, 10}}));
  auto a = symbols.dimOf(graph.input(0), 0), b = symbols.dimOf(graph.input(0), 1);
  EXPECT_EQ(symbols.boundsOf(a * b - 3).lo, -1);
  EXPECT_EQ(symbols.boundsOf(a * b - 3).hi, 47);
  EXPECT_EQ(symbols.boundsOf((a + b).floorDiv(4)).hi, 3);
  EXPECT_EQ(symbols.boundsOf(b.mod(4)).hi, 3);
  EXPECT_EQ(symbols.isAtLeast(SymbolicExpr(10), b), true);
  EXPECT_EQ(symbols.isAtLeast(a, b), std::nullopt);
  EXPECT_EQ(symbols.isEqual(a, SymbolicExpr(-1)), false);
  // More is known about a rounded expression than about its parts.
  EXPECT_EQ(symbols.isAtLeast(b.ceilDiv(4) * 4, b), true);
  EXPECT_EQ(symbols.isAtLeast(b + 3, b.ceilDiv(4) * 4), true);
  EXPECT_EQ(symbols.isAtLeast(b + 2, b.ceilDiv(4) * 4), std::nullopt);
  EXPECT_EQ(symbols.isAtLeast(b, b.floorDiv(4) * 4), true);
  EXPECT_EQ(symbols.isAtLeast(b.floorDiv(4) * 4, b + 1), false);
  // A part is at most the total.
  EXPECT_EQ(symbols.isAtLeast(b, b.floorDiv(2)), true);
  EXPECT_EQ(symbols.isAtLeast(b, (b + 1).floorDiv(2)), true);
  EXPECT_EQ(symbols.isAtLeast(b, b.floorDiv(3) + b.ceilDiv(2)), true);
  EXPECT_EQ(symbols.isAtLeast(b, b.ceilDiv(3) + b.ceilDiv(2)), std::nullopt); // 1 is not
  EXPECT_EQ(symbols.isAtLeast(b, b.floorDiv(3) + b.floorDiv(2)), true);
}

TEST_F(SymbolsTest, ExtremaFollowTheRanges) {
  add("x", {"a", "b"});
  ASSERT_TRUE(declare({{"a", 2, 5}, {"b", 1, 10}}));
  auto a = symbols.dimOf(graph.input(0), 0), b = symbols.dimOf(graph.input(0), 1);
  EXPECT_EQ(symbols.minOf(a, 5), a);
  EXPECT_EQ(symbols.maxOf(a, 6), SymbolicExpr(6));
  EXPECT_EQ(symbols.minOf(b, 7).str(), "min(b, 7)");
  EXPECT_EQ(symbols.minOf(symbols.minOf(b, 7), a + 5).str(), "min(b, 7)");
  EXPECT_EQ(symbols.minOf(b, b.floorDiv(2)), b.floorDiv(2));
  EXPECT_EQ(symbols.boundsOf(symbols.minOf(b, 7) * a).hi, 35);
}

TEST_F(SymbolsTest, RangesAreNarrowedToMakeDimsEqual) {
  add("x", {"a", "b", "c", "d", "e"});
  ASSERT_TRUE(declare({{"b", 1, 100}}));
  auto dimOf = [&](int index) { return symbols.dimOf(graph.input(0), index); };
  SymbolicExpr a = dimOf(0), b = dimOf(1), c = dimOf(2), d = dimOf(3), e = dimOf(4);
  // A table of 77 positions limits a sequence; a slice of 9 requires at least 9.
  EXPECT_TRUE(symbols.narrowToEqual(a, symbols.minOf(a, 77), "here"));
  EXPECT_EQ(symbols.boundsOf(a).hi, 77);
  EXPECT_TRUE(symbols.narrowToEqual(symbols.minOf(c, 9), 9, "here"));
  EXPECT_EQ(symbols.boundsOf(c).lo, 9);
  EXPECT_TRUE(
      symbols.narrowToEqual(symbols.maxOf(symbols.minOf(e, 200) - 100, 0), 100, ""));
  EXPECT_EQ(symbols.boundsOf(e).lo, 200);
  // The sum of two dims stays below a limit.
  EXPECT_TRUE(symbols.narrowToEqual(a + d, symbols.minOf(a + d, 100), "here"));
  EXPECT_LE(symbols.boundsOf(a + d).hi, 100);
  EXPECT_TRUE(symbols.refusals().empty());
  // Neither side of the minimum equals 10.
  EXPECT_FALSE(symbols.narrowToEqual(symbols.minOf(c, 20), 10, "here"));
  // A range given by the user is not narrowed, but refused with the range it should have
  // had.
  EXPECT_TRUE(symbols.narrowToEqual(b, symbols.minOf(b, 77), "here"));
  ASSERT_EQ(symbols.refusals().size(), 1u);
  EXPECT_EQ(symbols.refusals()[0].fix, "--dims b=1..77");
}
