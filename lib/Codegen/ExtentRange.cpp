//===- ExtentRange.cpp - Ranges of extents --------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExtentRange.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;
using graph::SymbolicExpr;

/// Returns the range of a product of symbols with a positive constant.
static std::optional<ExtentRange> termRange(const SymbolicExpr::Term &term,
                                            ModuleOp module) {
  if (term.coefficient < 0)
    return std::nullopt;
  uint64_t min = term.coefficient, max = term.coefficient;
  for (const SymbolicExpr::Atom &factor : term.factors) {
    auto symbol = factor.kind == SymbolicExpr::AtomKind::Symbol
                      ? module.lookupSymbol<graph::SymbolOp>(factor.symbol)
                      : graph::SymbolOp();
    if (!symbol)
      return std::nullopt;
    min = llvm::SaturatingMultiply(min, uint64_t(symbol.getMin()));
    max = llvm::SaturatingMultiply(max, uint64_t(symbol.getMax()));
  }
  constexpr uint64_t kLargest = std::numeric_limits<int64_t>::max();
  return ExtentRange{int64_t(std::min(min, kLargest)), int64_t(std::min(max, kLargest))};
}

std::optional<ExtentRange> kiln::codegen::rangeOf(const graph::SymbolicExpr &extent,
                                                  ModuleOp module) {
  ExtentRange all{0, 0};
  for (const SymbolicExpr::Term &term : extent.getTerms()) {
    std::optional<ExtentRange> range = module ? termRange(term, module) : std::nullopt;
    if (!range)
      return std::nullopt;
    all.min = int64_t(llvm::SaturatingAdd(uint64_t(all.min), uint64_t(range->min)));
    all.max = int64_t(llvm::SaturatingAdd(uint64_t(all.max), uint64_t(range->max)));
    if (all.min < 0 || all.max < 0)
      return std::nullopt;
  }
  return all;
}
