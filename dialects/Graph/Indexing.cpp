//===- Indexing.cpp - How results read their operands ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Indexing.h"

using namespace kiln::graph;
using namespace mlir;

OperandRead &IndexingMaps::read(unsigned operand, Dims at) {
  operandReads.push_back({operand, std::move(at), {}, false});
  return operandReads.back();
}

OperandRead &IndexingMaps::readBroadcast(unsigned operand, Value value) {
  return read(operand, broadcastPlaces(resultPlaces, getDims(value)));
}

SymbolicExpr IndexingMaps::reduce(const SymbolicExpr &extent) {
  if (extent.isConstant(1))
    return 0;
  reductionNames.push_back(variables.addNumbered("%r", extent));
  return SymbolicExpr::symbol(reductionNames.back());
}

SymbolicExpr IndexingMaps::readIndex(unsigned operand, Dims at, DataVariable::Rule rule,
                                     const SymbolicExpr &extent) {
  read(operand, std::move(at)).isIndex = true;
  bool isClamped = rule == DataVariable::Rule::Clamped;
  if (isClamped && extent.isConstant(1))
    return 0;
  StringAttr name = variables.addNumbered(isClamped ? "$v" : "?v", extent);
  dataVariables.push_back({name, operandReads.size() - 1, rule, extent});
  return SymbolicExpr::symbol(name);
}

void kiln::graph::readBroadcast(Operation *op, IndexingMaps &maps) {
  for (OpOperand &operand : op->getOpOperands())
    maps.readBroadcast(operand.getOperandNumber(), operand.get());
}

Dims OpIndexing::placesOf(Operation *op, IndexVars &vars) {
  Dims places;
  if (!isa<IndexingOpInterface>(op))
    return places;
  // A reshape linearizes its indices; variables of unit dims would hide that the other
  // dims are kept.
  bool needsPosition = isa<ReshapeOp>(op);
  for (const SymbolicExpr &dim : getDims(op->getResult(0))) {
    StringAttr name = vars.addNumbered("%d", dim);
    bool isNone = needsPosition && dim.isConstant(1);
    places.push_back(isNone ? SymbolicExpr(0) : SymbolicExpr::symbol(name));
  }
  return places;
}

OpIndexing::OpIndexing(Operation *op)
    : variables(op->getContext()), maps(variables, placesOf(op, variables)) {
  auto indexing = dyn_cast<IndexingOpInterface>(op);
  if (!indexing)
    return;
  isKnown = true;
  indexing.getIndexingMaps(maps);
}

SmallVector<OpOperand *> kiln::graph::movedOperands(Operation *op) {
  SmallVector<OpOperand *> operands;
  OpIndexing indexing(op);
  if (indexing && indexing->moves())
    for (const OperandRead &read : indexing->reads())
      if (!read.isIndex)
        operands.push_back(&op->getOpOperand(read.operand));
  return operands;
}

//===----------------------------------------------------------------------===//
// Chains of ops
//===----------------------------------------------------------------------===//

std::optional<bool> kiln::graph::takesPlace(const OperandRead &read,
                                            const IndexVars &vars) {
  bool isAlways = true;
  for (const auto &[index, first, end] : read.conditions) {
    if (vars.provablyAtLeast(first, index + 1) || vars.provablyAtLeast(index, end))
      return false;
    isAlways &=
        vars.provablyAtLeast(index, first) && vars.provablyAtLeast(end, index + 1);
  }
  return isAlways ? std::optional(true) : std::nullopt;
}

std::optional<Place> kiln::graph::movedFrom(Operation *op, ArrayRef<SymbolicExpr> at,
                                            IndexVars &vars) {
  auto indexing = dyn_cast<IndexingOpInterface>(op);
  if (!indexing)
    return std::nullopt;
  IndexingMaps maps(vars, at);
  indexing.getIndexingMaps(maps);
  if (!maps.moves() || !maps.data().empty())
    return std::nullopt;
  // The element comes from the only read whose conditions can hold; two candidates are
  // ambiguous.
  std::optional<Place> found;
  for (const OperandRead &read : maps.reads()) {
    if (takesPlace(read, vars) == false)
      continue;
    if (found)
      return std::nullopt;
    found = Place{op->getOperand(read.operand), read.at};
  }
  return found;
}

/// Whether the indices of the result and the indices that are read have the same
/// row-major order.
static bool keepsOrder(const OpIndexing &indexing, const OperandRead &read,
                       ArrayRef<SymbolicExpr> before, ArrayRef<SymbolicExpr> after) {
  auto position = [&](Dims places, ArrayRef<SymbolicExpr> dims) {
    for (SymbolicExpr &place : places)
      if (indexing.vars().isSingle(place))
        place = 0;
    return IndexVars::linearize(places, dims);
  };
  return numElements(before) == numElements(after) &&
         position(read.at, before) == position(Dims(indexing->places()), after);
}

bool kiln::graph::keepsOrder(Operation *op) {
  OpIndexing indexing(op);
  return indexing && indexing->moves() && op->getNumOperands() == 1 &&
         ::keepsOrder(indexing, indexing->reads().front(), getDims(op->getOperand(0)),
                      getDims(op->getResult(0)));
}

bool kiln::graph::movesAll(Operation *op) {
  if (keepsOrder(op))
    return true;
  OpIndexing indexing(op);
  if (!indexing || !indexing->moves() || op->getNumOperands() != 1)
    return false;
  // Each index must be a distinct variable of the result that runs over the operand's
  // entire dim.
  const Dims &at = indexing->reads().front().at;
  for (auto [place, dim] : llvm::zip(at, getDims(op->getOperand(0))))
    if (!dim.isConstant(1) &&
        (!llvm::is_contained(indexing->places(), place) || llvm::count(at, place) != 1 ||
         indexing.vars().extentOf(place.getSymbol()) != dim))
      return false;
  return true;
}

/// Inverts a map whose operand indices are a permutation of the result's indices.
static std::optional<Dims> invertPermutation(Operation *op, const IndexingMaps &maps,
                                             const OperandRead &read,
                                             ArrayRef<SymbolicExpr> at) {
  if (numElements(getDims(op->getOperand(read.operand))) !=
      numElements(getDims(op->getResult(0))))
    return std::nullopt;
  Dims result(maps.places().size());
  for (auto [i, place] : llvm::enumerate(maps.places())) {
    if (getDims(op->getResult(0))[i].isConstant(1))
      continue;
    const auto *axis = llvm::find(read.at, place);
    if (axis == read.at.end())
      return std::nullopt;
    result[i] = at[axis - read.at.begin()];
  }
  return result;
}

std::optional<Dims> kiln::graph::movedTo(OpOperand &operand, ArrayRef<SymbolicExpr> at,
                                         IndexVars &vars) {
  Operation *op = operand.getOwner();
  OpIndexing indexing(op);
  if (!indexing->moves() && !op->hasTrait<kiln::graph::Elementwise>())
    return std::nullopt;
  const OperandRead *read = nullptr;
  for (const OperandRead &each : indexing->reads())
    if (each.operand == operand.getOperandNumber()) {
      if (read || each.isIndex || !each.conditions.empty())
        return std::nullopt;
      read = &each;
    }
  if (!read)
    return std::nullopt;
  if (std::optional<Dims> permuted = invertPermutation(op, *indexing, *read, at))
    return permuted;
  Dims before = getDims(operand.get()), after = getDims(op->getResult(0));
  if (!::keepsOrder(indexing, *read, before, after))
    return std::nullopt;
  return vars.delinearize(IndexVars::linearize(at, before), after);
}
