//===- GraphCollectiveOps.cpp - Collectives ---------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Inference.h"

using namespace mlir;
using namespace kiln::graph;

static LogicalResult checkRanks(Loc loc, int64_t ranks) {
  if (ranks >= 1)
    return success();
  return emitOptionalError(loc, "(C1) expected at least one rank, found ", ranks);
}

LogicalResult AllReduceOp::inferReturnTypes(MLIRContext *, Loc loc, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getInput().getType());
  return checkRanks(loc, adaptor.getRanks());
}

LogicalResult AllReduceOp::verify() {
  switch (getKind()) {
  case ReduceKind::sum:
  case ReduceKind::mean:
  case ReduceKind::max:
  case ReduceKind::min:
  case ReduceKind::prod:
    return success();
  default:
    return emitOpError("(C2) no collective reduces by ")
           << stringifyReduceKind(getKind());
  }
}

LogicalResult AllGatherOp::inferReturnTypes(MLIRContext *, Loc loc, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  Dims dims = getDims(adaptor.getInput());
  int64_t axis = adaptor.getAxis();
  if (failed(checkRanks(loc, adaptor.getRanks())) ||
      failed(checkAxis(loc, "(C2)", axis, dims.size())))
    return failure();
  dims[axis] *= SymbolicExpr(adaptor.getRanks());
  types.push_back(makeTensorType(dims, elementTypeOf(adaptor.getInput())));
  return success();
}

LogicalResult AllToAllOp::inferReturnTypes(MLIRContext *, Loc loc, Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  Dims dims = getDims(adaptor.getInput());
  int64_t axis = adaptor.getAxis(), ranks = adaptor.getRanks();
  types.push_back(adaptor.getInput().getType());
  if (failed(checkRanks(loc, ranks)) || failed(checkAxis(loc, "(C2)", axis, dims.size())))
    return failure();
  if (dims[axis].exactDiv(ranks))
    return success();
  return emitOptionalError(loc, "(C3) ", ranks, " ranks do not divide dim ",
                           dims[axis].str());
}

LogicalResult ReduceScatterOp::inferReturnTypes(MLIRContext *, Loc loc, Adaptor adaptor,
                                                SmallVectorImpl<Type> &types) {
  Dims dims = getDims(adaptor.getInput());
  int64_t axis = adaptor.getAxis(), ranks = adaptor.getRanks();
  if (failed(checkRanks(loc, ranks)) || failed(checkAxis(loc, "(C2)", axis, dims.size())))
    return failure();
  std::optional<SymbolicExpr> part = dims[axis].exactDiv(ranks);
  if (!part)
    return emitOptionalError(loc, "(C3) ", ranks, " ranks do not divide dim ",
                             dims[axis].str());
  dims[axis] = *part;
  types.push_back(makeTensorType(dims, elementTypeOf(adaptor.getInput())));
  return success();
}
