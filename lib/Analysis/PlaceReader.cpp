//===- PlaceReader.cpp - Elements as functions of their indices -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Analysis/PlaceReader.h"
#include "kiln/Analysis/Indexing.h"
#include "kiln/Analysis/Match.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

PlaceReader::PlaceReader(Value whole) : vars(whole.getContext()) {
  places = vars.addPlaces(getDims(whole));
}

std::optional<SymbolicExpr> graph::readIota(IotaOp iota, ArrayRef<SymbolicExpr> at) {
  double start = iota.getStart().convertToDouble(),
         step = iota.getStep().convertToDouble();
  if (start != int64_t(start) || step != int64_t(step))
    return std::nullopt;
  return SymbolicExpr(int64_t(start)) + SymbolicExpr(int64_t(step)) * at[iota.getAxis()];
}

/// Returns the element that a view reads. Slices and concats are simplified before this
/// analysis.
static std::optional<Place> throughView(Operation *op, ArrayRef<SymbolicExpr> at,
                                        IndexVars &vars) {
  return isa<ReshapeOp, BroadcastOp>(op) ? movedFrom(op, at, vars) : std::nullopt;
}

std::optional<SymbolicExpr> PlaceReader::readBinary(BinaryOp op,
                                                    ArrayRef<SymbolicExpr> at) {
  auto lhs = read(op.getLhs(), broadcastPlaces(at, op.getLhs()));
  auto rhs = lhs ? read(op.getRhs(), broadcastPlaces(at, op.getRhs())) : std::nullopt;
  if (!rhs)
    return std::nullopt;
  switch (op.getKind()) {
  case BinaryKind::add:
    return *lhs + *rhs;
  case BinaryKind::sub:
    return *lhs - *rhs;
  case BinaryKind::mul:
    return *lhs * *rhs;
  default:
    return std::nullopt;
  }
}

std::optional<SymbolicExpr> PlaceReader::read(Value value, ArrayRef<SymbolicExpr> at) {
  Operation *op = value.getDefiningOp();
  if (!op || left == 0 || !isa<IntegerType>(elementTypeOf(value)))
    return std::nullopt;
  --left;
  if (auto iota = dyn_cast<IotaOp>(op))
    return readIota(iota, at);
  if (auto dims = dyn_cast<DimsOp>(op)) {
    Dims exprs = getDims(dims.getValue());
    return exprs.size() == 1 ? std::optional(exprs.front()) : std::nullopt;
  }
  if (std::optional<Place> from = throughView(op, at, vars))
    return read(from->value, from->at);
  if (auto binary = dyn_cast<BinaryOp>(op))
    return readBinary(binary, at);
  if (auto select = dyn_cast<SelectOp>(op)) {
    Value condition = select.getCondition();
    std::optional<bool> holds = decide(condition, broadcastPlaces(at, condition));
    if (!holds)
      return std::nullopt;
    Value chosen = *holds ? select.getOnTrue() : select.getOnFalse();
    return read(chosen, broadcastPlaces(at, chosen));
  }
  std::optional<double> number = splatOf(value);
  if (!number || *number != int64_t(*number))
    return std::nullopt;
  return SymbolicExpr(int64_t(*number));
}

std::optional<bool> PlaceReader::decideCompare(CompareOp op, ArrayRef<SymbolicExpr> at) {
  auto lhs = read(op.getLhs(), broadcastPlaces(at, op.getLhs()));
  auto rhs = lhs ? read(op.getRhs(), broadcastPlaces(at, op.getRhs())) : std::nullopt;
  if (!rhs)
    return std::nullopt;
  SymbolicExpr below = *lhs - *rhs; // lhs < rhs if it is negative
  CompareKind kind = op.getKind();
  if (kind == CompareKind::greater || kind == CompareKind::less_equal)
    below = *rhs - *lhs; // lhs > rhs if it is negative
  else if (kind != CompareKind::less && kind != CompareKind::greater_equal)
    return std::nullopt;
  bool isStrict = kind == CompareKind::less || kind == CompareKind::greater;
  if (vars.provablyAtLeast(0, below + 1))
    return isStrict;
  if (vars.provablyAtLeast(below, 0))
    return !isStrict;
  return std::nullopt;
}

std::optional<bool> PlaceReader::decideLogical(BinaryOp op, ArrayRef<SymbolicExpr> at) {
  if (op.getKind() != BinaryKind::logical_and && op.getKind() != BinaryKind::logical_or)
    return std::nullopt;
  bool absorbing = op.getKind() == BinaryKind::logical_or;
  auto lhs = decide(op.getLhs(), broadcastPlaces(at, op.getLhs()));
  auto rhs = decide(op.getRhs(), broadcastPlaces(at, op.getRhs()));
  if (lhs == absorbing || rhs == absorbing)
    return absorbing;
  return lhs && rhs ? std::optional(!absorbing) : std::nullopt;
}

std::optional<bool> PlaceReader::decide(Value condition, ArrayRef<SymbolicExpr> at) {
  if (std::optional<double> number = splatOf(condition))
    return *number != 0;
  Operation *op = condition.getDefiningOp();
  if (!op || left == 0)
    return std::nullopt;
  --left;
  if (auto compare = dyn_cast<CompareOp>(op))
    return decideCompare(compare, at);
  if (auto binary = dyn_cast<BinaryOp>(op))
    return decideLogical(binary, at);
  if (std::optional<Place> from = throughView(op, at, vars))
    return decide(from->value, from->at);
  if (UnaryOp inverse = asUnary(condition, UnaryKind::logical_not)) {
    std::optional<bool> holds = decide(inverse.getInput(), at);
    return holds ? std::optional(!*holds) : std::nullopt;
  }
  return std::nullopt;
}
