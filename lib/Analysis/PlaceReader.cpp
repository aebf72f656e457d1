//===- PlaceReader.cpp - Elements as functions of their places ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Analysis/PlaceReader.h"
#include "kiln/Analysis/Match.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

PlaceReader::PlaceReader(Value whole) {
  for (auto [i, dim] : llvm::enumerate(getDims(whole))) {
    if (dim.isConstant(1)) {
      places.push_back(0);
      continue;
    }
    // No name of a model begins so.
    auto name = StringAttr::get(whole.getContext(), "%" + std::to_string(i));
    extents[name] = dim;
    places.push_back(SymbolicExpr::symbol(name));
  }
}

/// Places of an operand that broadcasts.
static Dims operandPlaces(ArrayRef<SymbolicExpr> at, Value operand) {
  Dims dims = getDims(operand), result(at.take_back(dims.size()));
  for (auto [place, dim] : llvm::zip(result, dims))
    if (dim.isConstant(1))
      place = 0;
  return result;
}

/// Where dims of one element come or go; nullopt for any other reshape.
static std::optional<Dims> throughReshape(ReshapeOp op, ArrayRef<SymbolicExpr> at) {
  Dims from = getDims(op.getInput()), to = getDims(op.getResult()), result;
  size_t next = 0;
  for (const SymbolicExpr &dim : from) {
    if (dim.isConstant(1)) {
      result.push_back(0);
      continue;
    }
    while (next < to.size() && to[next].isConstant(1))
      ++next;
    if (next == to.size() || to[next] != dim)
      return std::nullopt;
    result.push_back(at[next++]);
  }
  return result;
}

/// Whether expr >= limit wherever it is read: places are at least 0 and less than their
/// extents, and symbols are 0 or more.
bool PlaceReader::isAtLeast(const SymbolicExpr &expr, int64_t limit) {
  SymbolicExpr rest = expr - SymbolicExpr(limit);
  if (rest.dominates(0))
    return true;
  // Counted from the end, a place that is subtracted is added.
  SymbolicExpr turned =
      rest.substitute([&](StringAttr name) -> std::optional<SymbolicExpr> {
        auto it = extents.find(name);
        if (it == extents.end())
          return std::nullopt;
        return it->second - SymbolicExpr(1) - SymbolicExpr::symbol(name);
      });
  return turned.dominates(0);
}

std::optional<SymbolicExpr> PlaceReader::readBinary(BinaryOp op,
                                                    ArrayRef<SymbolicExpr> at) {
  auto lhs = read(op.getLhs(), operandPlaces(at, op.getLhs()));
  auto rhs = lhs ? read(op.getRhs(), operandPlaces(at, op.getRhs())) : std::nullopt;
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
  if (auto iota = dyn_cast<IotaOp>(op)) {
    double start = iota.getStart().convertToDouble(),
           step = iota.getStep().convertToDouble();
    if (start != int64_t(start) || step != int64_t(step))
      return std::nullopt;
    return SymbolicExpr(int64_t(start)) +
           SymbolicExpr(int64_t(step)) * at[iota.getAxis()];
  }
  if (auto dims = dyn_cast<DimsOp>(op)) {
    Dims exprs = getDims(dims.getValue());
    return exprs.size() == 1 ? std::optional(exprs.front()) : std::nullopt;
  }
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    auto inner = throughReshape(reshape, at);
    return inner ? read(reshape.getInput(), *inner) : std::nullopt;
  }
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return read(broadcast.getInput(), operandPlaces(at, broadcast.getInput()));
  if (auto binary = dyn_cast<BinaryOp>(op))
    return readBinary(binary, at);
  if (auto select = dyn_cast<SelectOp>(op)) {
    Value condition = select.getCondition();
    std::optional<bool> holds = decide(condition, operandPlaces(at, condition));
    if (!holds)
      return std::nullopt;
    Value chosen = *holds ? select.getOnTrue() : select.getOnFalse();
    return read(chosen, operandPlaces(at, chosen));
  }
  std::optional<double> number = splatOf(value);
  if (!number || *number != int64_t(*number))
    return std::nullopt;
  return SymbolicExpr(int64_t(*number));
}

std::optional<bool> PlaceReader::decideCompare(CompareOp op, ArrayRef<SymbolicExpr> at) {
  auto lhs = read(op.getLhs(), operandPlaces(at, op.getLhs()));
  auto rhs = lhs ? read(op.getRhs(), operandPlaces(at, op.getRhs())) : std::nullopt;
  if (!rhs)
    return std::nullopt;
  SymbolicExpr below = *lhs - *rhs; // lhs < rhs where it is negative
  CompareKind kind = op.getKind();
  if (kind == CompareKind::greater || kind == CompareKind::less_equal)
    below = *rhs - *lhs; // lhs > rhs where it is negative
  else if (kind != CompareKind::less && kind != CompareKind::greater_equal)
    return std::nullopt;
  bool isStrict = kind == CompareKind::less || kind == CompareKind::greater;
  if (isNegative(below))
    return isStrict;
  if (isAtLeast(below, 0))
    return !isStrict;
  return std::nullopt;
}

std::optional<bool> PlaceReader::decideLogical(BinaryOp op, ArrayRef<SymbolicExpr> at) {
  if (op.getKind() != BinaryKind::logical_and && op.getKind() != BinaryKind::logical_or)
    return std::nullopt;
  bool absorbing = op.getKind() == BinaryKind::logical_or;
  auto lhs = decide(op.getLhs(), operandPlaces(at, op.getLhs()));
  auto rhs = decide(op.getRhs(), operandPlaces(at, op.getRhs()));
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
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    auto inner = throughReshape(reshape, at);
    return inner ? decide(reshape.getInput(), *inner) : std::nullopt;
  }
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return decide(broadcast.getInput(), operandPlaces(at, broadcast.getInput()));
  if (UnaryOp inverse = asUnary(condition, UnaryKind::logical_not)) {
    std::optional<bool> holds = decide(inverse.getInput(), at);
    return holds ? std::optional(!*holds) : std::nullopt;
  }
  return std::nullopt;
}
