//===- Rows.cpp - How many rows a product has -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rows.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// What an unknown number of rows counts as for a tile of tensor cores.
static constexpr int64_t kTypicalRows = 512;

/// Rows up to which products have code of their own where their number is known at run
/// time only: those of GemvConfig.cpp, and one step of tiles that share K.
static constexpr int64_t kRowBounds[] = {8, 64};

namespace {
struct RowRange {
  int64_t least, most; ///< or the largest number
};
} // namespace

/// A product of symbols with a positive constant; what is more is not worth the effort.
static std::optional<RowRange> rangeOf(const SymbolicExpr::Term &term, ModuleOp module) {
  if (term.coefficient < 0)
    return std::nullopt;
  uint64_t least = term.coefficient, most = term.coefficient;
  for (const SymbolicExpr::Atom &factor : term.factors) {
    auto symbol = factor.kind == SymbolicExpr::AtomKind::Symbol
                      ? module.lookupSymbol<graph::SymbolOp>(factor.symbol)
                      : graph::SymbolOp();
    if (!symbol)
      return std::nullopt;
    least = llvm::SaturatingMultiply(least, uint64_t(symbol.getMin()));
    most = llvm::SaturatingMultiply(most, uint64_t(symbol.getMax()));
  }
  constexpr uint64_t kLargest = std::numeric_limits<int64_t>::max();
  return RowRange{int64_t(std::min(least, kLargest)), int64_t(std::min(most, kLargest))};
}

/// From the ranges of the module's symbols.
static std::optional<RowRange> rowRange(const GemmProgram &program) {
  graph::MatmulOp matmul = program.matmul;
  auto module = matmul->getParentOfType<ModuleOp>();
  RowRange all{0, 0};
  for (const SymbolicExpr::Term &term : program.row.extent.getTerms()) {
    std::optional<RowRange> range = module ? rangeOf(term, module) : std::nullopt;
    if (!range)
      return std::nullopt;
    all.least = int64_t(llvm::SaturatingAdd(uint64_t(all.least), uint64_t(range->least)));
    all.most = int64_t(llvm::SaturatingAdd(uint64_t(all.most), uint64_t(range->most)));
    if (all.least < 0 || all.most < 0)
      return std::nullopt;
  }
  return all;
}

std::optional<int64_t> kiln::codegen::knownRows(const GemmProgram &program) {
  if (program.maxRows)
    return program.maxRows;
  if (auto constant = program.row.extent.getConstant())
    return constant;
  std::optional<RowRange> rows = rowRange(program);
  if (!rows || rows->least < 1 || rows->most >= kTypicalRows)
    return std::nullopt;
  return rows->most;
}

SmallVector<int64_t> kiln::codegen::rowBounds(const GemmProgram &program) {
  SmallVector<int64_t> bounds;
  std::optional<RowRange> rows = rowRange(program);
  if (!rows || rows->least < 1)
    return bounds;
  for (int64_t bound : kRowBounds)
    if (rows->least <= bound && bound < rows->most)
      bounds.push_back(bound);
  return bounds;
}
