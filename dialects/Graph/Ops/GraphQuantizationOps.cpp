//===- GraphQuantizationOps.cpp - Quantized tensors and their scales ------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Inference.h"
#include "dialects/Types/FloatFormat.h"

using namespace mlir;
using namespace kiln::graph;

/// Dims of a scale tensor with this axis and block; nullopt if the attributes are invalid
/// for `dims`.
static std::optional<Dims> scaleDims(ArrayRef<SymbolicExpr> dims,
                                     std::optional<int64_t> axis,
                                     std::optional<int64_t> block) {
  if (!axis)
    return block ? std::nullopt : std::optional(Dims());
  if (*axis < 0 || *axis >= int64_t(dims.size()) || (block && *block < 1))
    return std::nullopt;
  if (!block)
    return Dims{dims[*axis]};
  Dims result(dims);
  result[*axis] = dims[*axis].ceilDiv(*block);
  return result;
}

template <typename OpT> static LogicalResult checkScale(OpT op, StringRef tag) {
  Dims dims = getDims(op.getInput()), found = getDims(op.getScale());
  std::optional<Dims> expected = scaleDims(dims, op.getAxis(), op.getBlock());
  if (!expected)
    return op.emitOpError() << tag << " expected an axis in [0, " << dims.size()
                            << ") and a block of at least 1 along it";
  if (*expected == found)
    return success();
  return op.emitOpError() << tag << " expected a scale of " << printDims(*expected)
                          << ", found " << printDims(found);
}

template <typename OpT>
static LogicalResult checkZeroPoint(OpT op, StringRef tag, Type element) {
  Value zero = op.getZeroPoint();
  if (!zero ||
      (getDims(zero) == getDims(op.getScale()) && elementTypeOf(zero) == element))
    return success();
  return op.emitOpError() << tag << " expected a zero point of "
                          << printDims(getDims(op.getScale())) << " and " << element
                          << ", found " << zero.getType();
}

template <typename OpT> static LogicalResult checkShape(OpT op, StringRef tag) {
  if (getDims(op.getInput()) == getDims(op.getResult()))
    return success();
  return op.emitOpError() << tag << " expected the input's shape "
                          << printDims(getDims(op.getInput())) << ", found "
                          << printDims(getDims(op.getResult()));
}

static bool isQuantized(Type type) {
  if (type.isInteger(8) || type.isInteger(16))
    return true;
  return isNarrow(type) && !kiln::isPowerOfTwoType(type);
}

LogicalResult QuantizeOp::verify() {
  Type from = elementTypeOf(getInput()), to = elementTypeOf(getResult());
  if (from != elementTypeOf(getScale()))
    return emitOpError("(C1) expected a scale of ")
           << from << ", found " << elementTypeOf(getScale());
  if (failed(checkScale(*this, "(C2)")) || failed(checkZeroPoint(*this, "(C3)", to)))
    return failure();
  if (!isQuantized(to))
    return emitOpError("(C4) is not defined to ") << to;
  if (getOverflows() && !isa<FloatType>(to))
    return emitOpError("(C6) overflows is of floats, found ") << to;
  return checkShape(*this, "(C5)");
}

LogicalResult DequantizeOp::verify() {
  Type from = elementTypeOf(getInput());
  if (failed(checkScale(*this, "(C1)")) || failed(checkZeroPoint(*this, "(C2)", from)))
    return failure();
  if (!isQuantized(from) && !from.isSignlessInteger(32))
    return emitOpError("(C3) is not defined on ") << from;
  return checkShape(*this, "(C4)");
}
