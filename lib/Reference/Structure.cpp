//===- Structure.cpp - Constants, weights, generators, collectives --------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ops.h"
#include "Storage.h"
#include "kiln/ErrorCodes/Graph.h"

#include <cmath>

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

//===----------------------------------------------------------------------===//
// constant, get_weight, dims
//===----------------------------------------------------------------------===//

Result reference::evaluate(ConstantOp op, const Call &) {
  if (std::optional<Tensor> value = Tensor::fromAttr(op.getValue()))
    return *value;
  return errorAt(op, ErrorCode::EvaluationUnsupported, "a constant is not dense",
                 "dense<...>");
}

Result reference::evaluate(GetWeightOp op, const Call &call) {
  auto weight = SymbolTable::lookupNearestSymbolFrom<WeightOp>(op, op.getWeightAttr());
  if (!weight)
    return errorAt(op, ErrorCode::WeightUnavailable,
                   "there is no graph.weight @" + op.getWeight().str());
  return call.weights.get(weight);
}

Result reference::evaluate(DimsOp op, const Call &call) {
  std::vector<int64_t> values;
  for (const SymbolicExpr &expr : getDims(op.getValue())) {
    std::optional<int64_t> value = call.symbols.evaluate(expr);
    if (!value)
      return errorAt(op, ErrorCode::EvaluationShape,
                     "the dim " + expr.str() + " has no value", {}, call.symbols.str());
    values.push_back(*value);
  }
  return Tensor::fromInts(op.getType().getElementType(), call.shape, values);
}

//===----------------------------------------------------------------------===//
// fill, iota
//===----------------------------------------------------------------------===//

Result reference::evaluate(FillOp op, const Call &call) {
  Type type = op.getType().getElementType();
  int64_t count = countElements(call.shape).value();
  if (auto value = dyn_cast<FloatAttr>(op.getValue()))
    return Tensor::fromDoubles(type, call.shape,
                               std::vector<double>(count, value.getValueAsDouble()));
  if (auto value = dyn_cast<IntegerAttr>(op.getValue())) {
    // A boolean must be zero-extended: sign extension would give -1.
    int64_t bits = isUnsigned(type)
                       ? static_cast<int64_t>(value.getValue().getZExtValue())
                       : value.getValue().getSExtValue();
    return Tensor::fromInts(type, call.shape, std::vector<int64_t>(count, bits));
  }
  return errorAt(op, ErrorCode::EvaluationUnsupported, "a fill value is no number");
}

Result reference::evaluate(IotaOp op, const Call &call) {
  Type type = op.getType().getElementType();
  double start = op.getStart().convertToDouble(), step = op.getStep().convertToDouble();
  int64_t extent = call.shape[op.getAxis()], stride = stridesOf(call.shape)[op.getAxis()];
  std::vector<double> values(countElements(call.shape).value());
  for (auto [i, value] : llvm::enumerate(values))
    value = start + step * static_cast<double>(static_cast<int64_t>(i) / stride % extent);
  return Tensor::fromDoubles(type, call.shape, values);
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// Evaluates a collective of one rank: its result is the operand. evaluateRanks handles
/// several ranks.
static Result alone(Operation *op, int64_t ranks, const Call &call) {
  if (ranks == 1)
    return call.operands[0];
  return errorAt(op, ErrorCode::EvaluationUnsupported,
                 "a collective of several ranks is evaluated for one of them", "1 rank",
                 std::to_string(ranks));
}

Result reference::evaluate(AllReduceOp op, const Call &call) {
  return alone(op, op.getRanks(), call);
}

Result reference::evaluate(AllGatherOp op, const Call &call) {
  return alone(op, op.getRanks(), call);
}

Result reference::evaluate(ReduceScatterOp op, const Call &call) {
  return alone(op, op.getRanks(), call);
}

Result reference::evaluate(AllToAllOp op, const Call &call) {
  return alone(op, op.getRanks(), call);
}
