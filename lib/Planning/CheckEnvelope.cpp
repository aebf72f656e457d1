//===- CheckEnvelope.cpp - Memory bounds for all dims ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A package states its memory before it runs, and it loads only if its plan is valid at
// both ends of the ranges of dims (the envelope). Ranges for which no bound can be given
// are rejected here.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/Support/Error.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

namespace {
class EnvelopeCheck {
public:
  explicit EnvelopeCheck(ModuleOp module) : ranges(module) {
    for (auto symbol : module.getOps<SymbolOp>())
      symbols.push_back(symbol);
  }
  LogicalResult run(func::FuncOp main, const Program &program);

private:
  std::optional<Diagnosis> check(const Buffer &buffer) const;
  std::optional<Diagnosis> checkAtEnds(const SymbolicExpr &expr) const;
  std::string at(bool upper, const SymbolicExpr &expr) const;

  SymbolRanges ranges;
  SmallVector<SymbolOp> symbols;
};
} // namespace

/// Returns text like "s=2000" for the symbols of an expression.
std::string EnvelopeCheck::at(bool upper, const SymbolicExpr &expr) const {
  std::string text;
  auto used = expr.getSymbols();
  for (SymbolOp symbol : symbols)
    if (llvm::is_contained(used, symbol.getSymNameAttr()))
      text += (text.empty() ? "" : ", ") + symbol.getSymName().str() + "=" +
              std::to_string(upper ? symbol.getMax() : symbol.getMin());
  return text;
}

std::optional<Diagnosis> EnvelopeCheck::checkAtEnds(const SymbolicExpr &expr) const {
  Diagnosis diagnosis;
  diagnosis.what = expr.str() + " is negative within the ranges of the dims";
  diagnosis.expected = "0 or more";
  for (bool upper : {false, true}) {
    auto value = expr.evaluate([&](StringAttr name) {
      const SymbolOp *symbol =
          llvm::find_if(symbols, [&](SymbolOp s) { return s.getSymNameAttr() == name; });
      return upper ? SymbolOp(*symbol).getMax() : SymbolOp(*symbol).getMin();
    });
    if (value && *value >= 0)
      continue;
    if (!value)
      diagnosis.what = expr.str() + " has no value within the ranges of the dims";
    diagnosis.found =
        (value ? std::to_string(*value) : std::string("an overflow or a division by 0")) +
        " at " + at(upper, expr);
    return diagnosis;
  }
  return std::nullopt;
}

std::optional<Diagnosis> EnvelopeCheck::check(const Buffer &buffer) const {
  if (auto type = dyn_cast_or_null<RankedTensorType>(buffer.type))
    for (const SymbolicExpr &dim : getDims(type))
      if (auto diagnosis = checkAtEnds(dim))
        return diagnosis;
  if (auto diagnosis = checkAtEnds(buffer.size))
    return diagnosis;
  if (ranges.maxOf(buffer.size))
    return std::nullopt;
  Diagnosis diagnosis;
  diagnosis.what =
      "its size has no bound within the ranges of the dims: " + buffer.size.str() +
      " bytes";
  diagnosis.expected = "a bound below 2^63";
  diagnosis.found = "an overflow, or a divisor that may be 0";
  return diagnosis;
}

LogicalResult EnvelopeCheck::run(func::FuncOp main, const Program &program) {
  for (const Buffer &buffer : program.buffers) {
    std::optional<Diagnosis> diagnosis = check(buffer);
    if (!diagnosis)
      continue;
    diagnosis->code = ErrorCode::DimsInvalid;
    diagnosis->where =
        stringifyArenaKind(buffer.arena).str() + " '" + buffer.source + "'";
    diagnosis->fix = "narrow the ranges with --dims";
    return emitError(main.getLoc(), *diagnosis);
  }
  return success();
}

LogicalResult kiln::checkEnvelope(func::FuncOp main, const Program &program) {
  return EnvelopeCheck(main->getParentOfType<ModuleOp>()).run(main, program);
}
