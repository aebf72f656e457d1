//===- Inference.cpp - Helpers of result type inference ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Inference.h"

using namespace mlir;
using namespace kiln::graph;

FailureOr<Dims> kiln::graph::inferBroadcast(Loc loc, StringRef tag, ValueRange operands) {
  Dims result = getDims(operands.front());
  for (Value operand : operands.drop_front()) {
    Dims dims = getDims(operand);
    std::optional<Dims> both = broadcastDims(result, dims);
    if (!both)
      return emitOptionalError(loc, tag, " shapes do not broadcast: ", printDims(result),
                               " and ", printDims(dims));
    result = *both;
  }
  return result;
}

LogicalResult kiln::graph::checkAxis(Loc loc, StringRef tag, int64_t axis, int64_t rank) {
  if (axis >= 0 && axis < rank)
    return success();
  return emitOptionalError(loc, tag, " expected an axis in [0, ", rank, "), found ", axis);
}

LogicalResult kiln::graph::checkSameElement(Loc loc, StringRef tag, Value lhs, Value rhs) {
  if (elementTypeOf(lhs) == elementTypeOf(rhs))
    return success();
  return emitOptionalError(loc, tag, " expected equal element types, found ",
                           elementTypeOf(lhs), " and ", elementTypeOf(rhs));
}
