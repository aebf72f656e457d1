//===- GraphElementwiseOps.cpp - Elementwise ops ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Inference.h"
#include "dialects/Types/FloatFormat.h"

using namespace mlir;
using namespace kiln::graph;

/// Whether arithmetic is defined on the type: not on booleans and narrow types (isNarrow).
static bool isNumber(Type type) { return !type.isInteger(1) && !isNarrow(type); }

LogicalResult UnaryOp::inferReturnTypes(MLIRContext *context, Loc loc, Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  Type element = elementTypeOf(adaptor.getInput());
  bool ok = isa<FloatType>(element) && isNumber(element);
  switch (adaptor.getKind()) {
  case UnaryKind::logical_not:
    ok = element.isInteger(1);
    break;
  case UnaryKind::abs:
  case UnaryKind::neg:
  case UnaryKind::sign:
  case UnaryKind::relu:
    ok = isNumber(element);
    break;
  default:
    break;
  }
  if (!ok)
    return emitOptionalError(loc, "(C1) ", stringifyUnaryKind(adaptor.getKind()),
                             " is not defined on ", element);
  if (adaptor.getKind() == UnaryKind::is_nan)
    element = IntegerType::get(context, 1);
  types.push_back(makeTensorType(getDims(adaptor.getInput()), element));
  return success();
}

LogicalResult BinaryOp::inferReturnTypes(MLIRContext *, Loc loc, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  Type element = elementTypeOf(adaptor.getLhs());
  BinaryKind kind = adaptor.getKind();
  if (kind != BinaryKind::pow &&
      failed(checkSameElement(loc, "(C1)", adaptor.getLhs(), adaptor.getRhs())))
    return failure();
  bool logical = kind == BinaryKind::logical_and || kind == BinaryKind::logical_or ||
                 kind == BinaryKind::logical_xor;
  bool onBits = kind == BinaryKind::bit_and || kind == BinaryKind::bit_or ||
                kind == BinaryKind::bit_xor || kind == BinaryKind::shift_left ||
                kind == BinaryKind::shift_right;
  for (Type type : {element, elementTypeOf(adaptor.getRhs())})
    if (logical != type.isInteger(1) || isNarrow(type) || (onBits && isa<FloatType>(type)))
      return emitOptionalError(loc, "(C3) ", stringifyBinaryKind(kind), " is not defined on ",
                               type);
  FailureOr<Dims> dims = inferBroadcast(loc, "(C2)", adaptor.getOperands());
  if (failed(dims))
    return failure();
  types.push_back(makeTensorType(*dims, element));
  return success();
}

LogicalResult CompareOp::inferReturnTypes(MLIRContext *context, Loc loc, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  FailureOr<Dims> dims = failure();
  Type element = elementTypeOf(adaptor.getLhs());
  if (isNarrow(element))
    return emitOptionalError(loc, "(C1) comparisons are not defined on ", element);
  if (failed(checkSameElement(loc, "(C1)", adaptor.getLhs(), adaptor.getRhs())) ||
      failed(dims = inferBroadcast(loc, "(C2)", adaptor.getOperands())))
    return failure();
  types.push_back(makeTensorType(*dims, IntegerType::get(context, 1)));
  return success();
}

LogicalResult SelectOp::inferReturnTypes(MLIRContext *, Loc loc, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  FailureOr<Dims> dims = failure();
  if (failed(checkSameElement(loc, "(C1)", adaptor.getOnTrue(), adaptor.getOnFalse())) ||
      failed(dims = inferBroadcast(loc, "(C2)", adaptor.getOperands())))
    return failure();
  types.push_back(makeTensorType(*dims, elementTypeOf(adaptor.getOnTrue())));
  return success();
}

LogicalResult CastOp::verify() {
  if (getDims(getInput()) != getDims(getResult()))
    return emitOpError("(C1) expected the input's shape ")
           << printDims(getDims(getInput())) << ", found "
           << printDims(getDims(getResult()));
  Type to = elementTypeOf(getResult());
  if (getOverflows() && !(isNarrow(to) && isa<FloatType>(to)))
    return emitOpError("(C2) overflows is of casts to a float of 8 bits and fewer, found ")
           << to;
  if (getRounding() && !kiln::isPowerOfTwoType(to))
    return emitOpError("(C2) rounding is of casts to f8E8M0FNU, found ") << to;
  return success();
}
