//===- TileMemoryOps.cpp - Views, loads, stores --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Tile/Tile.h"
#include "dialects/Types/FloatFormat.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace kiln::tile;

//===----------------------------------------------------------------------===//
// ViewOp
//===----------------------------------------------------------------------===//

void ViewOp::build(OpBuilder &builder, OperationState &state, Value buffer, Value offset,
                   ArrayRef<OpFoldResult> sizes, ArrayRef<OpFoldResult> strides) {
  SmallVector<int64_t> staticSizes, staticStrides;
  SmallVector<Value> dynamicSizes, dynamicStrides;
  // Constants that are passed as values go into the type, too.
  auto dispatch = [](ArrayRef<OpFoldResult> mixed, SmallVector<int64_t> &fixed,
                     SmallVector<Value> &dynamic) {
    for (OpFoldResult value : mixed) {
      std::optional<int64_t> constant = getConstantIntValue(value);
      fixed.push_back(constant.value_or(ShapedType::kDynamic));
      if (!constant)
        dynamic.push_back(cast<Value>(value));
    }
  };
  dispatch(sizes, staticSizes, dynamicSizes);
  dispatch(strides, staticStrides, dynamicStrides);
  Type element = cast<BufferType>(buffer.getType()).getElementType();
  build(builder, state,
        ViewType::get(builder.getContext(), staticSizes, element, staticStrides), buffer,
        offset, dynamicSizes, dynamicStrides);
}

static SmallVector<OpFoldResult> mix(MLIRContext *context, ArrayRef<int64_t> fixed,
                                     ValueRange dynamic) {
  Builder builder(context);
  return getMixedValues(fixed, dynamic, builder);
}

SmallVector<OpFoldResult> ViewOp::getMixedSizes() {
  return mix(getContext(), getType().getShape(), getSizes());
}
SmallVector<OpFoldResult> ViewOp::getMixedStrides() {
  return mix(getContext(), getType().getStrides(), getStrides());
}

LogicalResult ViewOp::verify() {
  ViewType type = getType();
  if (getSizes().size() != type.getNumDynamicSizes() ||
      getStrides().size() != type.getNumDynamicStrides())
    return emitOpError() << "(C1) expects " << type.getNumDynamicSizes() << " sizes and "
                         << type.getNumDynamicStrides() << " strides, found "
                         << getSizes().size() << " and " << getStrides().size();
  if (getBuffer().getType().getElementType() != type.getElementType())
    return emitOpError() << "(C2) views " << getBuffer().getType().getElementType()
                         << " as " << type.getElementType();
  return success();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static LogicalResult verifyIndices(Operation *op, ViewType view, size_t indices,
                                   int64_t missing = 0) {
  if (view.getRank() >= missing &&
      indices == static_cast<size_t>(view.getRank() - missing))
    return success();
  return op->emitOpError() << "(C1) expects " << view.getRank() - missing
                           << " indices for " << view << ", found " << indices;
}

static LogicalResult verifyElement(Operation *op, Type found, Type expected,
                                   StringRef tag) {
  if (found == expected)
    return success();
  return op->emitOpError() << "(" << tag << ") expects element type " << expected
                           << ", found " << found;
}

/// Whether a view of bytes is read as f8E4M3FN, as an op's result type says.
static bool areFloat8(ViewType view, Type element) {
  return kiln::isFloat8(element) && view.getElementType().isInteger(8);
}

static LogicalResult verifyTransfer(Operation *op, ViewType view, Type value,
                                    size_t indices, ArrayRef<int64_t> masked) {
  auto frag = dyn_cast<FragType>(value);
  int64_t rank = frag ? frag.getRank() : 0;
  if (failed(verifyIndices(op, view, indices)))
    return failure();
  if (rank > view.getRank())
    return op->emitOpError() << "(C1) expects a fragment of at most rank "
                             << view.getRank() << ", found " << value;
  bool isWidened = frag && isa<LoadOp>(op) && areFloat8(view, frag.getElementType());
  if (!isWidened && failed(verifyElement(op, frag ? frag.getElementType() : value,
                                         view.getElementType(), "C2")))
    return failure();
  for (auto [i, dim] : llvm::enumerate(masked))
    if (dim < 0 || dim >= rank || (i > 0 && masked[i - 1] >= dim))
      return op->emitOpError(
          "(C3) expects masked to list dims of the fragment, increasing");
  return success();
}

LogicalResult LoadOp::verify() {
  ViewType view = getView().getType();
  if (failed(verifyTransfer(*this, view, getType(), getIndices().size(), getMasked())))
    return failure();
  if (static_cast<bool>(getPad()) == getMasked().empty())
    return emitOpError("(C3) expects pad exactly when masked is not empty");
  auto frag = dyn_cast<FragType>(getType());
  if (getBefore() && (!frag || !llvm::is_contained(getMasked(), frag.getRank() - 1)))
    return emitOpError("(C4) expects masked to list the last dim beside before");
  if (getPad())
    return verifyElement(*this, getPad().getType(), view.getElementType(), "C3");
  return success();
}

LogicalResult StoreOp::verify() {
  return verifyTransfer(*this, getView().getType(), getValue().getType(),
                        getIndices().size(), getMasked());
}

/// Verifies what tile.gather and tile.scatter have in common: `value` is the fragment
/// that is loaded or stored, `where` its positions along one dim of the view, and
/// `indices` the number of indices for the other dims.
static LogicalResult verifyIndexed(Operation *op, ViewType view, size_t indices,
                                   FragType where, FragType value) {
  if (view.getRank() < 1)
    return op->emitOpError("(C1) expects a view of rank 1 at least");
  if (failed(verifyIndices(op, view, indices, /*missing=*/1)))
    return failure();
  if (!where.getElementType().isIntOrIndex() || where.getShape() != value.getShape())
    return op->emitOpError() << "(C2) expects integer indices of the shape of " << value
                             << ", found " << where;
  return verifyElement(op, value.getElementType(), view.getElementType(), "C3");
}

LogicalResult GatherOp::verify() {
  ViewType view = getView().getType();
  if (failed(verifyIndexed(*this, view, getIndices().size(), getWhere().getType(),
                           getType())))
    return failure();
  if (getPad())
    return verifyElement(*this, getPad().getType(), view.getElementType(), "C3");
  return success();
}

LogicalResult ScatterOp::verify() {
  return verifyIndexed(*this, getView().getType(), getIndices().size(),
                       getWhere().getType(), getValue().getType());
}

LogicalResult StageOp::verify() {
  ViewType view = getView().getType();
  if (view.getRank() < 2)
    return emitOpError("(C1) expects a view of rank 2 at least");
  if (failed(verifyIndices(*this, view, getIndices().size())))
    return failure();
  auto dynamic = llvm::count_if(getType().getShape(), ShapedType::isDynamic);
  if (static_cast<size_t>(dynamic) != getSizes().size())
    return emitOpError() << "(C2) expects " << dynamic << " sizes, found "
                         << getSizes().size();
  ArrayRef<int64_t> masked = getMasked();
  for (auto [i, dim] : llvm::enumerate(masked))
    if (dim < 0 || dim > 1 || (i > 0 && masked[i - 1] >= dim))
      return emitOpError("(C4) expects masked to list dims of the tile, increasing");
  if (areFloat8(view, getType().getElementType()))
    return success();
  return verifyElement(*this, getType().getElementType(), view.getElementType(), "C3");
}

LogicalResult PrefetchOp::verify() {
  if (failed(verifyIndices(*this, getView().getType(), getIndices().size())))
    return failure();
  auto locality = static_cast<int64_t>(getLocality());
  if (locality < 0 || locality > 3)
    return emitOpError() << "(C2) expects a locality of 0, 1, 2 or 3, found " << locality;
  return success();
}
