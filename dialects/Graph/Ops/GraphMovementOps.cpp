//===- GraphMovementOps.cpp - Data movement and creation ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Inference.h"

using namespace mlir;
using namespace kiln::graph;

//===----------------------------------------------------------------------===//
// reshape, transpose, broadcast
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::verify() {
  if (elementTypeOf(getInput()) != elementTypeOf(getResult()))
    return emitOpError("(C1) expected element type ")
           << elementTypeOf(getInput()) << ", found " << elementTypeOf(getResult());
  SymbolicExpr from = numElements(getDims(getInput()));
  SymbolicExpr to = numElements(getDims(getResult()));
  if (from.isConstant() && to.isConstant() && from != to)
    return emitOpError("(C2) expected ") << from.str() << " elements, found " << to.str();
  return success();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  if (getInput().getType() == getType())
    return getInput();
  if (auto producer = getInput().getDefiningOp<ReshapeOp>()) {
    getInputMutable().assign(producer.getInput());
    return getResult();
  }
  return {};
}

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *, Loc loc, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  Dims dims = getDims(adaptor.getInput()), result;
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  SmallVector<bool> seen(dims.size(), false);
  for (int64_t source : permutation) {
    if (source < 0 || source >= int64_t(dims.size()) || seen[source])
      break;
    seen[source] = true;
    result.push_back(dims[source]);
  }
  if (result.size() != dims.size() || permutation.size() != dims.size())
    return emitOptionalError(loc, "(C1) expected a permutation of [0, ", dims.size(), ")");
  types.push_back(makeTensorType(result, elementTypeOf(adaptor.getInput())));
  return success();
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  bool identity = true;
  for (auto [i, source] : llvm::enumerate(getPermutation()))
    identity &= source == int64_t(i);
  if (identity)
    return getInput();
  auto producer = getInput().getDefiningOp<TransposeOp>();
  if (!producer)
    return {};
  SmallVector<int64_t> composed;
  for (int64_t source : getPermutation())
    composed.push_back(producer.getPermutation()[source]);
  setPermutation(composed);
  getInputMutable().assign(producer.getInput());
  return getResult();
}

LogicalResult BroadcastOp::verify() {
  if (elementTypeOf(getInput()) != elementTypeOf(getResult()))
    return emitOpError("(C1) expected element type ")
           << elementTypeOf(getInput()) << ", found " << elementTypeOf(getResult());
  if (!broadcastsTo(getDims(getInput()), getDims(getResult())))
    return emitOpError("(C2) ") << printDims(getDims(getInput())) << " does not broadcast to "
                                << printDims(getDims(getResult()));
  return success();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  return getInput().getType() == getType() ? OpFoldResult(getInput()) : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// slice, concat, gather, scatter
//===----------------------------------------------------------------------===//

/// (C3): slices with constant starts stay inside of constant dims.
static LogicalResult checkSliceBounds(SliceOp op, ArrayRef<SymbolicExpr> from,
                                      ArrayRef<SymbolicExpr> starts,
                                      ArrayRef<SymbolicExpr> sizes) {
  for (size_t i = 0; i < from.size(); ++i) {
    auto extent = from[i].getConstant(), start = starts[i].getConstant();
    auto size = sizes[i].getConstant();
    if (!extent || !start || !size || *size == 0)
      continue;
    int64_t last = *start + (*size - 1) * op.getSteps()[i];
    if (*start < 0 || *start >= *extent || last < 0 || last >= *extent)
      return op.emitOpError("(C3) dim ")
             << i << ": elements " << *start << " to " << last << " of " << *extent;
  }
  return success();
}

LogicalResult SliceOp::verify() {
  Dims from = getDims(getInput()), to = getDims(getResult()), starts = getDims(getStarts());
  if (from.size() != to.size() || elementTypeOf(getInput()) != elementTypeOf(getResult()))
    return emitOpError("(C4) expected equal rank and element type");
  if (starts.size() != from.size() || getSteps().size() != from.size())
    return emitOpError("(C1) expected ")
           << from.size() << " starts and steps, found " << starts.size() << " and "
           << getSteps().size();
  if (llvm::is_contained(getSteps(), 0))
    return emitOpError("(C2) a step is 0");
  return checkSliceBounds(*this, from, starts, to);
}

OpFoldResult SliceOp::fold(FoldAdaptor) {
  bool whole = getInput().getType() == getType();
  for (int64_t step : getSteps())
    whole &= step == 1;
  for (const SymbolicExpr &start : getDims(getStarts()))
    whole &= start.isConstant(0);
  return whole ? OpFoldResult(getInput()) : OpFoldResult();
}

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *, Loc loc, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  if (adaptor.getInputs().empty())
    return emitOptionalError(loc, "(C1) expected at least one input");
  Value first = adaptor.getInputs().front();
  Dims result = getDims(first);
  int64_t axis = adaptor.getAxis();
  if (failed(checkAxis(loc, "(C2)", axis, result.size())))
    return failure();
  for (Value input : adaptor.getInputs().drop_front()) {
    Dims dims = getDims(input);
    bool ok = dims.size() == result.size() && elementTypeOf(input) == elementTypeOf(first);
    for (size_t i = 0; ok && i < dims.size(); ++i)
      ok = int64_t(i) == axis || dims[i] == result[i];
    if (!ok)
      return emitOptionalError(loc, "(C3) cannot join ", input.getType(), " to ",
                               first.getType(), " along axis ", axis);
    result[axis] += dims[axis];
  }
  types.push_back(makeTensorType(result, elementTypeOf(first)));
  return success();
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext *, Loc loc, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  Dims data = getDims(adaptor.getData()), indices = getDims(adaptor.getIndices());
  int64_t axis = adaptor.getAxis();
  if (failed(checkAxis(loc, "(C1)", axis, data.size())))
    return failure();
  Dims result(data.begin(), data.begin() + axis);
  llvm::append_range(result, indices);
  result.append(data.begin() + axis + 1, data.end());
  types.push_back(makeTensorType(result, elementTypeOf(adaptor.getData())));
  return success();
}

/// (C1) to (C3).
static LogicalResult checkScatterTypes(Loc loc, ScatterOp::Adaptor adaptor) {
  Dims data = getDims(adaptor.getData()), indices = getDims(adaptor.getIndices());
  Dims updates = getDims(adaptor.getUpdates());
  if (data.size() != 3 || indices.size() != 3 || updates.size() != 3)
    return emitOptionalError(loc, "(C1) expected rank 3, found ", data.size(), ", ",
                             indices.size(), " and ", updates.size());
  bool agree = data[0] == indices[0] && updates[0] == indices[0] && updates[1] == indices[1] &&
               updates[2] == data[2] && (indices[2] == data[2] || indices[2].isConstant(1));
  if (!agree)
    return emitOptionalError(loc, "(C2) data ", adaptor.getData().getType(), ", indices ",
                             adaptor.getIndices().getType(), " and updates ",
                             adaptor.getUpdates().getType(), " do not agree");
  if (elementTypeOf(adaptor.getData()) != elementTypeOf(adaptor.getUpdates()))
    return emitOptionalError(loc, "(C3) expected updates of type ",
                             elementTypeOf(adaptor.getData()), ", found ",
                             elementTypeOf(adaptor.getUpdates()));
  return success();
}

LogicalResult ScatterOp::inferReturnTypes(MLIRContext *, Loc loc, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  if (failed(checkScatterTypes(loc, adaptor)))
    return failure();
  if (std::optional<ReduceKind> kind = adaptor.getCombine()) {
    bool known = llvm::is_contained(
        {ReduceKind::sum, ReduceKind::prod, ReduceKind::max, ReduceKind::min}, *kind);
    if (!known || elementTypeOf(adaptor.getData()).isInteger(1))
      return emitOptionalError(loc, "(C4) expected sum, prod, max or min of numbers, found ",
                               stringifyReduceKind(*kind), " of ",
                               elementTypeOf(adaptor.getData()));
  }
  types.push_back(adaptor.getData().getType());
  return success();
}

//===----------------------------------------------------------------------===//
// fill, iota, pack, unpack
//===----------------------------------------------------------------------===//

LogicalResult FillOp::verify() {
  Type element = elementTypeOf(getResult());
  if (getValue().getType() == element)
    return success();
  return emitOpError("(C1) expected a value of type ") << element << ", found "
                                                       << getValue().getType();
}

LogicalResult IotaOp::verify() {
  int64_t rank = getDims(getResult()).size(), axis = getAxis();
  if (axis >= 0 && axis < rank)
    return success();
  return emitOpError("(C1) expected an axis in [0, ") << rank << "), found " << axis;
}

LogicalResult PackOp::inferReturnTypes(MLIRContext *, Loc loc, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  Dims dims = getDims(adaptor.getInput());
  int64_t width = adaptor.getWidth();
  if (dims.size() != 2)
    return emitOptionalError(loc, "(C1) expected rank 2, found ", dims.size());
  if (width <= 0)
    return emitOptionalError(loc, "(C2) expected a positive width, found ", width);
  types.push_back(
      makeTensorType({dims[1].ceilDiv(width), dims[0], width}, elementTypeOf(adaptor.getInput())));
  return success();
}

LogicalResult UnpackOp::verify() {
  Dims panels = getDims(getInput()), matrix = getDims(getResult());
  if (panels.size() != 3 || matrix.size() != 2 ||
      elementTypeOf(getInput()) != elementTypeOf(getResult()))
    return emitOpError("(C1) expected ranks 3 and 2 of one element type, found ")
           << getInput().getType() << " and " << getType();
  if (panels[1] != matrix[0] || !panels[2].isConstant() ||
      panels[0] != matrix[1].ceilDiv(panels[2]))
    return emitOpError("(C2) panels ") << printDims(panels) << " do not hold a matrix "
                                       << printDims(matrix);
  return success();
}
