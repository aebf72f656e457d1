//===- Rows.cpp - How many rows a product has -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rows.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// What an unknown number of rows counts as for a tile of tensor cores.
static constexpr int64_t kTypicalRows = 512;

namespace {
struct Range {
  int64_t least, most;
};
} // namespace

/// A product of symbols with constants; what is more is not worth the effort.
static std::optional<Range> rangeOf(const SymbolicExpr::Term &term, ModuleOp module) {
  Range range{term.coefficient, term.coefficient};
  for (const SymbolicExpr::Atom &factor : term.factors) {
    auto symbol = factor.kind == SymbolicExpr::AtomKind::Symbol
                      ? module.lookupSymbol<graph::SymbolOp>(factor.symbol)
                      : graph::SymbolOp();
    // Before a product of large numbers leaves 64 bits.
    if (!symbol || range.most > kTypicalRows ||
        symbol.getMax() > uint64_t(kTypicalRows))
      return std::nullopt;
    range.least *= symbol.getMin();
    range.most *= symbol.getMax();
  }
  return range;
}

std::optional<int64_t> kiln::codegen::knownRows(const GemmProgram &program) {
  const SymbolicExpr &rows = program.row.extent;
  if (auto constant = rows.getConstant())
    return constant;
  graph::MatmulOp matmul = program.matmul;
  auto module = matmul->getParentOfType<ModuleOp>();
  Range all{0, 0};
  for (const SymbolicExpr::Term &term : rows.getTerms()) {
    std::optional<Range> range = module ? rangeOf(term, module) : std::nullopt;
    if (!range || term.coefficient < 0)
      return std::nullopt;
    all = {all.least + range->least, all.most + range->most};
  }
  if (all.least < 1 || all.most >= kTypicalRows)
    return std::nullopt;
  return all.most;
}
