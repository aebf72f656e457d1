//===- IndexMathTest.cpp - floordiv and mod of indices --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Codegen/Expression/IndexMath.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <random>

using namespace kiln::codegen;
using namespace mlir;

namespace {

using Values = llvm::SmallDenseMap<StringAttr, int64_t>;

/// Evaluates as generated code does, whose floordiv and mod need non-negative operands:
/// nullopt if one is negative.
std::optional<int64_t> evaluate(const SymbolicExpr &expr, const Values &values);

std::optional<int64_t> evaluate(const SymbolicExpr::Atom &atom, const Values &values) {
  if (atom.kind == SymbolicExpr::AtomKind::Symbol)
    return values.lookup(atom.symbol);
  auto lhs = evaluate(*atom.lhs, values), rhs = evaluate(*atom.rhs, values);
  if (!lhs || !rhs || *lhs < 0 || *rhs <= 0)
    return std::nullopt;
  return atom.kind == SymbolicExpr::AtomKind::Mod ? *lhs % *rhs : *lhs / *rhs;
}

std::optional<int64_t> evaluate(const SymbolicExpr &expr, const Values &values) {
  int64_t sum = 0;
  for (const SymbolicExpr::Term &term : expr.getTerms()) {
    int64_t product = term.coefficient;
    for (const SymbolicExpr::Atom &atom : term.factors) {
      auto factor = evaluate(atom, values);
      if (!factor)
        return std::nullopt;
      product *= *factor;
    }
    sum += product;
  }
  return sum;
}

class IndexMath : public testing::Test {
protected:
  int64_t pick(int64_t from, int64_t to) {
    return std::uniform_int_distribution<int64_t>(from, to)(random);
  }

  /// Makes loops with extents; the last extent is a symbol of the model.
  void makeLoops() {
    size = StringAttr::get(&context, "s");
    extents = {pick(1, 4), pick(1, 5), pick(1, 6)};
    loops.clear();
    for (size_t i = 0; i < extents.size(); ++i)
      loops.push_back(
          vars.addLoop(i == 2 ? SymbolicExpr::symbol(size) : SymbolicExpr(extents[i])));
  }

  /// Calls `visit` for all loop indices.
  void forAll(llvm::function_ref<void(const Values &)> visit) {
    for (int64_t i = 0; i < extents[0]; ++i)
      for (int64_t j = 0; j < extents[1]; ++j)
        for (int64_t k = 0; k < extents[2]; ++k)
          visit({{loops[0], i}, {loops[1], j}, {loops[2], k}, {size, extents[2]}});
  }

  MLIRContext context;
  IndexVars vars{&context};
  std::mt19937 random{5};
  StringAttr size;
  SmallVector<int64_t> extents;
  SmallVector<StringAttr> loops;
};

} // namespace

TEST_F(IndexMath, QuotientsOfAnyIndex) {
  int64_t checked = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    makeLoops();
    SymbolicExpr index = pick(-20, 20);
    for (StringAttr loop : loops)
      index += SymbolicExpr::symbol(loop) * SymbolicExpr(pick(-9, 9));
    if (pick(0, 3) == 0)
      index += SymbolicExpr::symbol(size) * SymbolicExpr(pick(-3, 3));
    int64_t divisor = pick(1, 7);
    bool isSymbol = pick(0, 4) == 0; // divide by the symbol s, whatever its value
    auto [quotient, rest] =
        vars.divMod(index, isSymbol ? SymbolicExpr::symbol(size) : SymbolicExpr(divisor));
    forAll([&, quotient = quotient, rest = rest](const Values &values) {
      int64_t value = *evaluate(index, values), by = isSymbol ? extents[2] : divisor;
      if (value < 0)
        return; // out of bounds: never read
      ++checked;
      EXPECT_EQ(evaluate(quotient, values), value / by) << index.str() << " by " << by;
      EXPECT_EQ(evaluate(rest, values), value % by) << index.str() << " by " << by;
    });
  }
  EXPECT_GT(checked, 10000);
}

TEST_F(IndexMath, PositionsInOtherDims) {
  for (int trial = 0; trial < 1000; ++trial) {
    makeLoops();
    // A window of a tensor, as pad and slice make it, reshaped to other dims.
    int64_t rows = pick(1, 6), columns = pick(1, 6), inner = pick(1, 4);
    Indices indices{SymbolicExpr::symbol(loops[0]) - SymbolicExpr(pick(0, 3)),
                    SymbolicExpr::symbol(loops[1]) - SymbolicExpr(pick(0, 3))};
    Dims before{rows * inner, columns}, after{rows, inner * columns};
    Indices found = vars.delinearize(IndexVars::linearize(indices, before), after);
    forAll([&](const Values &values) {
      auto i = evaluate(indices[0], values), j = evaluate(indices[1], values);
      if (*i < 0 || *i >= rows * inner || *j < 0 || *j >= columns)
        return;
      int64_t position = *i * columns + *j;
      EXPECT_EQ(evaluate(found[0], values), position / (inner * columns));
      EXPECT_EQ(evaluate(found[1], values), position % (inner * columns));
    });
  }
}

TEST_F(IndexMath, WhatWasTakenApartIsJoined) {
  SymbolicExpr loop = SymbolicExpr::symbol(vars.addLoop(512)),
               column = SymbolicExpr::symbol(vars.addLoop(80));
  SymbolicExpr position = IndexVars::linearize({loop, column}, {512, 80});
  for (const Dims &dims :
       {Dims{4, 128, 80}, Dims{2, 2, 128, 80}, Dims{64, 8, 5, 16}, Dims{512, 80}})
    EXPECT_EQ(IndexVars::linearize(vars.delinearize(position, dims), dims), position);
  // The same factors, but as dims in another order.
  Indices parts = vars.delinearize(loop, {4, 128});
  EXPECT_EQ(IndexVars::linearize(parts, {4, 128}), loop);
  EXPECT_EQ(
      IndexVars::linearize({parts[0], column, parts[1]}, {4, 80, 128}).getTerms().size(),
      3u);
}
