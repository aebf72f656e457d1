//===- Indexing.cpp - Queries of index maps -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Analysis/Indexing.h"
#include "kiln/Analysis/Match.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Along one axis
//===----------------------------------------------------------------------===//

/// Matches a read whose index along one axis is the variable plus a shift; an inner
/// nullopt if the read does not depend on the variable. nullopt for other reads.
static std::optional<std::optional<AxisRead>> readAlong(const OperandRead &read,
                                                        StringAttr name) {
  std::optional<AxisRead> found;
  for (auto [axis, place] : llvm::enumerate(read.at)) {
    if (!mentions(place, name))
      continue;
    SymbolicExpr shift = place - SymbolicExpr::symbol(name);
    if (found || llvm::any_of(shift.getSymbols(), isVariable))
      return std::nullopt;
    found = AxisRead{int64_t(axis), shift};
  }
  return found;
}

static bool isConditional(const IndexingMaps &maps, StringAttr name) {
  return llvm::any_of(maps.reads(), [&](const OperandRead &read) {
    return llvm::any_of(read.conditions, [&](const ReadCondition &condition) {
      return mentions(condition.index, name) || mentions(condition.first, name) ||
             mentions(condition.end, name);
    });
  });
}

static bool dependsOn(const IndexingMaps &maps, StringAttr name) {
  return llvm::any_of(maps.dependsOn(),
                      [&](const SymbolicExpr &expr) { return mentions(expr, name); });
}

std::optional<AxisReads> graph::readsAlong(Operation *op, const OpIndexing &indexing,
                                           int64_t axis, ReadConditions conditions) {
  if (!indexing || getDims(op->getResult(0))[axis].isConstant(1))
    return std::nullopt;
  StringAttr name = indexing->places()[axis].getSymbol();
  if (dependsOn(*indexing, name) ||
      (conditions == ReadConditions::Independent && isConditional(*indexing, name)))
    return std::nullopt;
  AxisReads result(op->getNumOperands());
  SmallVector<bool> isRead(op->getNumOperands(), false);
  for (const OperandRead &read : indexing->reads()) {
    std::optional<std::optional<AxisRead>> along = readAlong(read, name);
    // The op reads the operand both at the index and as a whole, as a softmax along the
    // axis does.
    if (!along || (isRead[read.operand] && result[read.operand] != *along))
      return std::nullopt;
    isRead[read.operand] = true;
    result[read.operand] = *along;
  }
  return result;
}

std::optional<AxisReads> graph::readsAlong(Operation *op, int64_t axis,
                                           ReadConditions conditions) {
  OpIndexing indexing(op);
  return readsAlong(op, indexing, axis, conditions);
}

bool graph::variesAlong(Value value, int64_t axis) {
  if (getDims(value)[axis].isConstant(1) || splatOf(value))
    return false;
  Operation *op = value.getDefiningOp();
  std::optional<AxisReads> reads = op ? readsAlong(op, axis) : std::nullopt;
  if (!reads)
    return true;
  return llvm::any_of(llvm::zip(op->getOperands(), *reads), [](const auto &each) {
    const auto &[operand, read] = each;
    return read && variesAlong(operand, read->axis);
  });
}

//===----------------------------------------------------------------------===//
// Images of boxes
//===----------------------------------------------------------------------===//

namespace {
/// factor * v for all v in the range.
struct RangeTerm {
  SymbolicExpr factor;
  DimRange range;
};

/// Computes the image of one expression.
class Image {
public:
  explicit Image(function_ref<DimRange(StringAttr)> rangeOf) : rangeOf(rangeOf) {}
  std::optional<DimRange> of(const SymbolicExpr &expr);

private:
  std::optional<DimRange> of(const SymbolicExpr::Atom &atom);
  std::optional<RangeTerm> of(const SymbolicExpr::Term &term);
  function_ref<DimRange(StringAttr)> rangeOf;
};
} // namespace

/// Returns the range of quotients or remainders. The range must start and end at
/// multiples of the divisor, or have only one quotient.
static std::optional<DimRange> divide(const DimRange &range, const SymbolicExpr &divisor,
                                      bool isMod) {
  auto begin = range.begin.exactDiv(divisor), size = range.size.exactDiv(divisor);
  if (begin && size)
    return isMod ? DimRange{0, divisor} : DimRange{*begin, *size};
  SymbolicExpr quotient = range.begin.floorDiv(divisor),
               first = range.begin - quotient * divisor;
  if (!first.dominates(0) || !divisor.dominates(first + range.size))
    return std::nullopt;
  return isMod ? DimRange{first, range.size} : DimRange{quotient, 1};
}

std::optional<DimRange> Image::of(const SymbolicExpr::Atom &atom) {
  using Kind = SymbolicExpr::AtomKind;
  if (atom.kind == Kind::Symbol)
    return rangeOf(atom.symbol);
  if ((atom.kind != Kind::FloorDiv && atom.kind != Kind::Mod) ||
      llvm::any_of(atom.rhs->getSymbols(), isVariable))
    return std::nullopt;
  std::optional<DimRange> inner = of(*atom.lhs);
  return inner ? divide(*inner, *atom.rhs, atom.kind == Kind::Mod) : std::nullopt;
}

std::optional<RangeTerm> Image::of(const SymbolicExpr::Term &term) {
  RangeTerm result{term.coefficient, {0, 1}};
  bool varies = false;
  for (const SymbolicExpr::Atom &atom : term.factors) {
    SymbolicExpr factor = SymbolicExpr::fromAtom(atom);
    if (llvm::none_of(factor.getSymbols(), isVariable)) {
      result.factor *= factor;
      continue;
    }
    std::optional<DimRange> range = varies ? std::nullopt : of(atom);
    if (!range)
      return std::nullopt;
    varies = true;
    result.range = *range;
  }
  if (!varies) // term is constant
    result = {1, {result.factor, 1}};
  return result;
}

/// Combines terms to a range, each time one whose factor is the size so far: with d in
/// [0, 64), d + 64 * h takes all values of a range.
std::optional<DimRange> Image::of(const SymbolicExpr &expr) {
  DimRange sum{0, 1};
  std::vector<RangeTerm> rest;
  for (const SymbolicExpr::Term &term : expr.getTerms()) {
    std::optional<RangeTerm> next = of(term);
    if (!next)
      return std::nullopt;
    sum.begin += next->factor * next->range.begin;
    if (next->range.size.isConstant(1))
      continue;
    if (term.coefficient < 0) { // a negative factor reverses the range
      sum.begin += next->factor * (next->range.size - 1);
      next->factor *= -1;
    }
    rest.push_back(*next);
  }
  while (!rest.empty()) {
    auto next = llvm::find_if(
        rest, [&](const RangeTerm &term) { return term.factor == sum.size; });
    if (next == rest.end())
      return std::nullopt;
    sum.size *= next->range.size;
    rest.erase(next);
  }
  return sum;
}

std::optional<DimRange> graph::imageOf(const SymbolicExpr &expr,
                                       llvm::function_ref<DimRange(StringAttr)> rangeOf) {
  return Image(rangeOf).of(expr);
}
