//===- TileFragOps.cpp - Ops on fragments --------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Tile/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace kiln::tile;

static LogicalResult verifyAxis(Operation *op, int64_t axis, int64_t rank) {
  if (axis >= 0 && axis < rank)
    return success();
  return op->emitOpError() << "(C1) expects 0 <= axis < " << rank << ", found " << axis;
}

LogicalResult FillOp::verify() {
  if (getValue().getType() == getType().getElementType())
    return success();
  return emitOpError() << "(C1) fills " << getType() << " with " << getValue().getType();
}

//===----------------------------------------------------------------------===//
// MapOp
//===----------------------------------------------------------------------===//

void MapOp::build(OpBuilder &builder, OperationState &state, TypeRange results,
                  ValueRange inputs,
                  function_ref<SmallVector<Value>(OpBuilder &, Location, ValueRange)> body) {
  state.addOperands(inputs);
  state.addTypes(results);
  SmallVector<Type> elements;
  for (Type type : inputs.getTypes())
    elements.push_back(cast<FragType>(type).getElementType());
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(state.addRegion(), {}, elements,
                                     SmallVector<Location>(elements.size(), state.location));
  SmallVector<Value> yielded = body(builder, state.location, block->getArguments());
  YieldOp::create(builder, state.location, yielded);
}

/// Constraint C3 for one op of the region.
static LogicalResult verifyScalarOp(Operation &op) {
  bool known = isa<arith::ArithDialect, math::MathDialect>(op.getDialect());
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  if (known && op.getNumRegions() == 0 && llvm::all_of(op.getResultTypes(), isScalar) &&
      llvm::all_of(op.getOperandTypes(), isScalar))
    return success();
  return op.emitOpError("(C3) is no scalar arith or math op and cannot stand in tile.map");
}

LogicalResult MapOp::verify() {
  if (getNumResults() == 0)
    return emitOpError("(C1) expects a result");
  ArrayRef<int64_t> shape = cast<FragType>(getResultTypes().front()).getShape();
  SmallVector<Type> inputs, results;
  for (auto [types, elements] : {std::pair<TypeRange, SmallVector<Type> *>(getOperandTypes(), &inputs),
                                 std::pair<TypeRange, SmallVector<Type> *>(getResultTypes(), &results)})
    for (Type type : types) {
      if (cast<FragType>(type).getShape() != shape)
        return emitOpError() << "(C1) expects one shape, found " << type << " beside "
                             << getResultTypes().front();
      elements->push_back(cast<FragType>(type).getElementType());
    }
  auto yield = dyn_cast<YieldOp>(getBlock().back());
  if (!yield || !llvm::equal(getBlock().getArgumentTypes(), inputs) ||
      !llvm::equal(yield.getOperandTypes(), results))
    return emitOpError("(C2) expects the region to take the inputs' element types and to "
                       "yield the results'");
  for (Operation &op : getBlock().without_terminator())
    if (failed(verifyScalarOp(op)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Ops with an axis
//===----------------------------------------------------------------------===//

static Type withoutLayout(Type type) {
  auto frag = dyn_cast<FragType>(type);
  return frag ? frag.withoutLayout() : type;
}

LogicalResult ReduceOp::verify() {
  FragType input = getInput().getType();
  if (failed(verifyAxis(*this, getAxis(), input.getRank())))
    return failure();
  Type expected = input.getElementType();
  if (input.getRank() == 2)
    expected = FragType::get(getContext(), input.getShape()[1 - getAxis()], expected);
  if (withoutLayout(getType()) != expected)
    return emitOpError() << "(C2) expects the result " << expected << ", found " << getType();
  bool integersOnly = getKind() >= ReduceKind::umax;
  if (integersOnly && !input.getElementType().isIntOrIndex())
    return emitOpError() << "(C3) " << stringifyReduceKind(getKind())
                         << " expects integers, found " << input.getElementType();
  return success();
}

LogicalResult BroadcastOp::verify() {
  FragType input = getInput().getType(), result = getType();
  if (input.getRank() != 1 || result.getRank() != 2 ||
      input.getElementType() != result.getElementType())
    return emitOpError() << "(C1) expects rank 1 to rank 2 of one element type, found "
                         << input << " to " << result;
  if (getAxis() > 1 ||
      result.getShape()[1 - getAxis()] != input.getShape()[0])
    return emitOpError() << "(C2) cannot repeat " << input << " along axis " << getAxis()
                         << " of " << result;
  return success();
}

LogicalResult IotaOp::verify() {
  if (failed(verifyAxis(*this, getAxis(), getType().getRank())))
    return failure();
  Type element = getType().getElementType();
  if (getStart().getType() != element || !element.isIntOrIndex())
    return emitOpError() << "(C2) expects start and elements of one integer type, found "
                         << getStart().getType() << " and " << element;
  return success();
}

LogicalResult SelectRangeOp::verify() {
  FragType type = getType();
  if (failed(verifyAxis(*this, getAxis(), type.getRank())))
    return failure();
  if (getOtherwise().getType() != type.getElementType())
    return emitOpError() << "(C2) expects otherwise of type " << type.getElementType()
                         << ", found " << getOtherwise().getType();
  return success();
}

//===----------------------------------------------------------------------===//
// Conversions and rearrangements
//===----------------------------------------------------------------------===//

LogicalResult ConvertOp::verify() {
  FragType input = getInput().getType(), result = getType();
  if (input.getShape() != result.getShape())
    return emitOpError() << "(C1) expects one shape, found " << input << " and " << result;
  if (!isa<FloatType>(input.getElementType()) || !isa<FloatType>(result.getElementType()))
    return emitOpError() << "(C2) expects floats, found " << input << " and " << result;
  return success();
}

LogicalResult ConvertLayoutOp::verify() {
  FragType input = getInput().getType(), result = getType();
  if (input.withoutLayout() != result.withoutLayout())
    return emitOpError() << "(C1) expects one shape and element, found " << input << " and "
                         << result;
  if (input.getLayout() && result.getLayout())
    return success();
  return emitOpError() << "(C2) expects fragments that say their layouts, found " << input
                       << " and " << result;
}

LogicalResult TransposeOp::verify() {
  FragType input = getInput().getType(), result = getType();
  if (input.getRank() == 2 && result.getRank() == 2 &&
      input.getElementType() == result.getElementType() &&
      input.getShape()[0] == result.getShape()[1] && input.getShape()[1] == result.getShape()[0])
    return success();
  return emitOpError() << "(C1) cannot transpose " << input << " to " << result;
}

LogicalResult ExtractOp::verify() {
  FragType input = getInput().getType();
  ArrayRef<int64_t> position = getPosition(), shape = input.getShape();
  if (position.empty() || position.size() > shape.size())
    return emitOpError() << "(C1) expects 1 to " << shape.size() << " coordinates, found "
                         << position.size();
  for (auto [coordinate, extent] : llvm::zip(position, shape))
    if (coordinate < 0 || coordinate >= extent)
      return emitOpError() << "(C1) coordinate " << coordinate << " is outside of " << input;
  Type expected = input.getElementType();
  if (position.size() < shape.size())
    expected = FragType::get(getContext(), shape.drop_front(position.size()), expected);
  if (withoutLayout(getType()) != expected)
    return emitOpError() << "(C2) expects the result " << expected << ", found " << getType();
  return success();
}

LogicalResult StackOp::verify() {
  FragType result = getType();
  bool fits = result.getRank() == 2 &&
              static_cast<int64_t>(getRows().size()) == result.getShape()[0];
  for (Value row : getRows())
    fits &= withoutLayout(row.getType()) == FragType::get(getContext(), result.getShape().back(),
                                           result.getElementType());
  if (fits)
    return success();
  return emitOpError() << "(C1) expects the rows of " << result;
}
