//===- BodyMovement.cpp - Pulling through ops that move or make data ------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Body.h"
#include "Scalar.h"

#include <cmath>

using namespace kiln::codegen;
using namespace kiln::graph;
using namespace mlir;

/// Returns a narrow float as the byte (i8) in memory.
Node *Body::pullByte(Attribute value, Type graphType) {
  APInt bits;
  if (auto number = dyn_cast<FloatAttr>(value))
    bits = number.getValue().bitcastToAPInt();
  else if (auto number = dyn_cast<IntegerAttr>(value))
    bits = number.getValue();
  else
    return fail("a constant in the kernel is no number");
  bool isSigned = isa<IntegerType>(graphType) && !graphType.isUnsignedInteger();
  Type byte = storageType(graphType);
  return constant(IntegerAttr::get(byte, isSigned ? bits.sextOrTrunc(8) : bits.zextOrTrunc(8)));
}

Node *Body::pullSplat(Attribute value, Type graphType) {
  Type type = computeType(graphType);
  if (isNarrow(graphType))
    return pullByte(value, graphType);
  if (auto number = dyn_cast<FloatAttr>(value)) {
    bool losesInfo;
    APFloat converted = number.getValue();
    converted.convert(cast<FloatType>(type).getFloatSemantics(),
                      APFloat::rmNearestTiesToEven, &losesInfo);
    return constant(FloatAttr::get(type, converted));
  }
  if (auto number = dyn_cast<IntegerAttr>(value))
    return constant(IntegerAttr::get(type, number.getValue()));
  return fail("a constant in the kernel is no number");
}

Node *Body::pullDims(DimsOp op, ArrayRef<SymbolicExpr> indices) {
  Dims values = getDims(op.getValue());
  Type type = elementTypeOf(op.getResult());
  if (values.empty()) // an empty tensor, which is never read
    return indexValue(type, SymbolicExpr(0));
  if (indices.empty() || values.size() == 1)
    return indexValue(type, values.front());
  SmallVector<SymbolicExpr> bounds;
  SmallVector<Node *> operands;
  for (auto [i, value] : llvm::enumerate(values)) {
    bounds.push_back(int64_t(i));
    operands.push_back(indexValue(type, value));
  }
  return choose(indices[0], bounds, operands);
}

Node *Body::pullIota(IotaOp op, ArrayRef<SymbolicExpr> indices) {
  Node *node = indexValue(elementTypeOf(op.getResult()), indices[op.getAxis()]);
  node->start = op.getStart().convertToDouble();
  node->step = op.getStep().convertToDouble();
  return node;
}

Node *Body::pullConcat(ConcatOp op, ArrayRef<SymbolicExpr> indices) {
  if (op.getInputs().size() == 1)
    return pull(op.getInputs().front(), indices);
  SmallVector<SymbolicExpr> bounds;
  SmallVector<Node *> operands;
  for (const OperandRead &read : readsOf(op, indices)) {
    const auto &[index, first, end] = read.conditions.front();
    operands.push_back(pullInside(index, first, end - first, [&](SymbolicExpr place) {
      Indices source(indices);
      source[op.getAxis()] = place;
      return pull(op->getOperand(read.operand), source);
    }));
    bounds.push_back(first);
    if (!operands.back())
      return nullptr;
  }
  return choose(indices[op.getAxis()], bounds, operands);
}

/// Returns an element of an index tensor as an expression if it is a sum of iotas, such
/// as the positions of windows: i * stride + t * dilation.
static std::optional<SymbolicExpr> affineIndex(Value value,
                                               ArrayRef<SymbolicExpr> indices) {
  Operation *op = value.getDefiningOp();
  if (auto iota = dyn_cast_if_present<IotaOp>(op)) {
    double start = iota.getStart().convertToDouble();
    double step = iota.getStep().convertToDouble();
    if (start != std::floor(start) || step != std::floor(step) ||
        std::abs(start) > INT32_MAX || std::abs(step) > INT32_MAX)
      return std::nullopt;
    return SymbolicExpr(int64_t(start)) +
           SymbolicExpr(int64_t(step)) * indices[iota.getAxis()];
  }
  auto sum = dyn_cast_if_present<BinaryOp>(op);
  if (!sum || sum.getKind() != BinaryKind::add)
    return std::nullopt;
  SymbolicExpr result;
  for (Value operand : sum->getOperands()) {
    auto part = affineIndex(operand, broadcastPlaces(indices, getDims(operand)));
    if (!part)
      return std::nullopt;
    result += *part;
  }
  return result;
}

/// Returns one variable per index element; gathers with equal indices use the same one.
StringAttr Body::dataVariable(Node *index, const SymbolicExpr &extent) {
  for (auto &[known, node] : data)
    if (node == index && vars.extentOf(known) == extent)
      return known;
  StringAttr name = vars.addData(extent);
  data[name] = index;
  return name;
}

Node *Body::pullGather(GatherOp op, ArrayRef<SymbolicExpr> indices) {
  SmallVector<OperandRead, 2> reads = readsOf(op, indices);
  Dims &ofIndex = reads.front().at, &ofData = reads.back().at;
  SymbolicExpr extent = getDims(op.getData())[op.getAxis()];
  // Reads of windows are strided: they need no index tensor, comparison or clamp.
  std::optional<SymbolicExpr> place = affineIndex(op.getIndices(), ofIndex);
  if (!place || !vars.provablyInside(*place, extent)) {
    Node *index = pull(op.getIndices(), ofIndex);
    if (!index)
      return nullptr;
    place = SymbolicExpr::symbol(dataVariable(index, extent));
  }
  ofData[op.getAxis()] = *place;
  return pull(op.getData(), ofData);
}

/// Pulls an element of panels [P, K, width] of a [K, N] matrix; columns past N are zero.
Node *Body::pullPack(PackOp op, ArrayRef<SymbolicExpr> indices) {
  OperandRead read = readsOf(op, indices).front();
  Node *inside = pull(op.getInput(), read.at);
  if (!inside)
    return nullptr;
  const auto &[column, first, end] = read.conditions.front();
  Node *zero =
      constant(cast<TypedAttr>(Builder(op.getContext()).getZeroAttr(inside->type)));
  return choose(column, {first, end}, {inside, zero});
}
