//===- GraphReductionOps.cpp - Softmax, norms, reductions -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Inference.h"

using namespace mlir;
using namespace kiln::graph;

LogicalResult SoftmaxOp::inferReturnTypes(MLIRContext *, Loc loc, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  Dims dims = getDims(adaptor.getInput());
  types.push_back(adaptor.getInput().getType());
  return checkAxis(loc, "(C1)", adaptor.getAxis(), dims.size());
}

/// (C2) of the norms: `value` broadcasts to the dims from `axis` on.
static LogicalResult checkNormOperand(Loc loc, Value input, Value value, int64_t axis) {
  if (!value)
    return success();
  if (failed(checkSameElement(loc, "(C2)", input, value)))
    return failure();
  Dims dims = getDims(input), own = getDims(value);
  ArrayRef<SymbolicExpr> normalised = ArrayRef(dims).drop_front(axis);
  if (broadcastsTo(own, normalised))
    return success();
  return emitOptionalError(loc, "(C2) ", printDims(own), " does not broadcast to ",
                           printDims(normalised));
}

LogicalResult LayerNormOp::inferReturnTypes(MLIRContext *, Loc loc, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  Value input = adaptor.getInput();
  int64_t axis = adaptor.getAxis();
  types.push_back(input.getType());
  if (failed(checkAxis(loc, "(C1)", axis, getDims(input).size())) ||
      failed(checkNormOperand(loc, input, adaptor.getScale(), axis)))
    return failure();
  return checkNormOperand(loc, input, adaptor.getBias(), axis);
}

LogicalResult RmsNormOp::inferReturnTypes(MLIRContext *, Loc loc, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  Value input = adaptor.getInput();
  types.push_back(input.getType());
  if (failed(checkAxis(loc, "(C1)", adaptor.getAxis(), getDims(input).size())))
    return failure();
  return checkNormOperand(loc, input, adaptor.getScale(), adaptor.getAxis());
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *, Loc loc, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  Dims dims = getDims(adaptor.getInput());
  ArrayRef<int64_t> axes = adaptor.getAxes();
  int64_t previous = -1;
  for (int64_t axis : axes) {
    if (axis <= previous || axis >= int64_t(dims.size()))
      return emitOptionalError(loc, "(C1) expected sorted, distinct axes in [0, ", dims.size(),
                               "), found ", axis, " after ", previous);
    previous = axis;
  }
  Type element = elementTypeOf(adaptor.getInput());
  ReduceKind kind = adaptor.getKind();
  bool any = kind == ReduceKind::sum || kind == ReduceKind::prod || kind == ReduceKind::max ||
             kind == ReduceKind::min;
  if (isNarrow(element) || (!isa<FloatType>(element) && (!any || element.isInteger(1))))
    return emitOptionalError(loc, "(C2) ", stringifyReduceKind(kind), " is not defined on ",
                             element);
  Dims result;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    bool reduced = llvm::is_contained(axes, int64_t(i));
    if (!reduced)
      result.push_back(dim);
    else if (adaptor.getKeepDims())
      result.push_back(1);
  }
  types.push_back(makeTensorType(result, element));
  return success();
}
