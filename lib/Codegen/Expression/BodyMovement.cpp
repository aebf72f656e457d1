//===- BodyMovement.cpp - Pulling through ops that move or make elements --===//
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

/// A narrow number is the byte that memory has.
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
  if (values.empty()) // a tensor without elements; nobody reads this one
    return indexValue(type, SymbolicExpr(0));
  if (indices.empty() || values.size() == 1)
    return indexValue(type, values.front());
  Node choose;
  choose.kind = Node::Kind::Choose;
  choose.type = computeType(type);
  choose.index = indices[0];
  for (auto [i, value] : llvm::enumerate(values)) {
    choose.bounds.push_back(int64_t(i));
    choose.operands.push_back(indexValue(type, value));
  }
  return make(std::move(choose));
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
  Node choose;
  choose.kind = Node::Kind::Choose;
  choose.type = computeType(elementTypeOf(op.getResult()));
  choose.index = indices[op.getAxis()];
  SymbolicExpr first;
  for (Value input : op.getInputs()) {
    // Where the operand is chosen its index is inside, and below a reshape quotients
    // are simpler by that.
    StringAttr own = vars.addLoop(getDims(input)[op.getAxis()]);
    Indices source(indices);
    source[op.getAxis()] = SymbolicExpr::symbol(own);
    Node *node = pull(input, source);
    if (!node)
      return nullptr;
    replaceInNodes(own, choose.index - first);
    choose.operands.push_back(node);
    choose.bounds.push_back(first);
    first += getDims(input)[op.getAxis()];
  }
  return make(std::move(choose));
}

/// The element of an index tensor as an expression, if it is a sum of iotas, as the
/// positions of windows are: i * stride + t * dilation.
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

/// One variable per index element: two gathers with the same indices have it in common.
StringAttr Body::dataVariable(Node *index, const SymbolicExpr &extent) {
  for (auto &[known, node] : data)
    if (node == index && vars.extentOf(known) == extent)
      return known;
  StringAttr name = vars.addData(extent);
  data[name] = index;
  return name;
}

Node *Body::pullGather(GatherOp op, ArrayRef<SymbolicExpr> indices) {
  Dims dataDims = getDims(op.getData()), indexDims = getDims(op.getIndices());
  int64_t axis = op.getAxis(), indexRank = indexDims.size();
  // Windows are strided reads: nothing to load, to compare or to clamp.
  auto place = affineIndex(op.getIndices(), indices.slice(axis, indexRank));
  if (place && vars.provablyInside(*place, dataDims[axis])) {
    Indices source(indices.take_front(axis));
    source.push_back(*place);
    source.append(indices.begin() + axis + indexRank, indices.end());
    return pull(op.getData(), source);
  }
  Node *index = pull(op.getIndices(), indices.slice(axis, indexRank));
  if (!index)
    return nullptr;
  Indices source(indices.take_front(axis));
  source.push_back(SymbolicExpr::symbol(dataVariable(index, dataDims[axis])));
  source.append(indices.begin() + axis + indexRank, indices.end());
  return pull(op.getData(), source);
}

/// Panels [P, K, width] of a [K, N] matrix, zero where a column is past N.
Node *Body::pullPack(PackOp op, ArrayRef<SymbolicExpr> indices) {
  OperandRead read = readsOf(op, indices).front();
  Node *inside = pull(op.getInput(), read.at);
  if (!inside)
    return nullptr;
  const auto &[column, first, end] = read.conditions.front();
  Node choose;
  choose.kind = Node::Kind::Choose;
  choose.type = inside->type;
  choose.index = column;
  choose.bounds = {first, end};
  choose.operands = {inside, constant(cast<TypedAttr>(
                                 Builder(op.getContext()).getZeroAttr(inside->type)))};
  return make(std::move(choose));
}
