//===- HostProgram.cpp - State of lowering a tile.kernel ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostProgram.h"
#include "../LoweringMath.h"
#include "dialects/Types/FloatFormat.h"
#include "kiln/ErrorCodes/Target.h"
#include "kiln/Support/Error.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::host;

Type host::memoryType(Type element) {
  if (element.isInteger(1) || isFloat8(element))
    return IntegerType::get(element.getContext(), 8);
  return element.isBF16() ? IntegerType::get(element.getContext(), 16) : element;
}

Value HostProgram::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

static std::optional<int64_t> constant(Value value) { return getConstantIntValue(value); }

Value HostProgram::add(Value lhs, Value rhs) { return addIndices(b, lhs, rhs); }
Value HostProgram::mul(Value lhs, Value rhs) { return multiplyIndices(b, lhs, rhs); }
Value HostProgram::toI64(Value value) { return indexToI64(b, value); }

Value HostProgram::gep(Value pointer, Type element, Value offset) {
  if (constant(offset) == 0)
    return pointer;
  return LLVM::GEPOp::create(b, pointer.getType(), memoryType(element), pointer,
                             LLVM::GEPArg(toI64(offset)));
}

Value HostProgram::splat(Value scalar, int64_t columns) {
  return vector::BroadcastOp::create(b, VectorType::get(columns, scalar.getType()),
                                     scalar);
}

Value HostProgram::iotaVector(int64_t columns, Type element) {
  auto type = VectorType::get(columns, element);
  SmallVector<Attribute> values;
  for (int64_t i = 0; i < columns; ++i)
    values.push_back(b.getIntegerAttr(element, i));
  return arith::ConstantOp::create(b, DenseElementsAttr::get(type, values));
}

SmallVector<Value> HostProgram::scalarsOf(ValueRange values) {
  return llvm::map_to_vector(values, [&](Value value) { return scalar(value); });
}

SmallVector<Value> HostProgram::flatten(ValueRange values) {
  SmallVector<Value> lowered;
  for (Value value : values) {
    if (isa<tile::FragType>(value.getType()))
      llvm::append_range(lowered, frags.find(value)->second);
    else
      lowered.push_back(scalar(value));
  }
  return lowered;
}

void HostProgram::bind(ValueRange values, ValueRange lowered) {
  for (Value value : values) {
    auto frag = dyn_cast<tile::FragType>(value.getType());
    if (frag)
      frags[value] = Rows(lowered.take_front(frag.getRows()));
    else
      scalars.map(value, lowered.front());
    lowered = lowered.drop_front(frag ? frag.getRows() : 1);
  }
}

static Type like(Value value, Type element) {
  auto vector = dyn_cast<VectorType>(value.getType());
  return vector ? Type(vector.clone(element)) : element;
}

Value host::fromMemory(ImplicitLocOpBuilder &b, Value value, Type element) {
  if (isFloat8(element))
    return decodeE4m3(b, value);
  if (element.isBF16())
    return arith::BitcastOp::create(b, like(value, element), value);
  if (!element.isInteger(1))
    return value;
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(value.getType()));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, value, zero);
}

Value host::toMemory(ImplicitLocOpBuilder &b, Value value, Type element) {
  Type type = like(value, memoryType(element));
  if (element.isBF16())
    return arith::BitcastOp::create(b, type, value);
  return element.isInteger(1) ? arith::ExtUIOp::create(b, type, value).getResult()
                              : value;
}

Value HostProgram::extractLane(Value row, int64_t lane) {
  return vector::ExtractOp::create(b, row, ArrayRef<int64_t>{lane});
}

Value HostProgram::packLanes(ValueRange values) {
  auto type = VectorType::get(values.size(), values.front().getType());
  return vector::FromElementsOp::create(b, type, values);
}

Value HostProgram::lanesBelow(Value count, int64_t columns) {
  // After clamping, 32-bit lanes suffice and take half the registers.
  Value clamped = arith::MinSIOp::create(b, count, index(columns));
  clamped = arith::MaxSIOp::create(b, clamped, index(0));
  Value narrow = arith::IndexCastOp::create(b, b.getI32Type(), clamped);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                               iotaVector(columns, b.getI32Type()),
                               splat(narrow, columns));
}

void HostProgram::fail(Operation *op, StringRef what) {
  if (!failed)
    kiln::emitError(op->getLoc(),
                    {ErrorCode::NotLowerable,
                     "kernel '" + kernel.getSymName().str() + "'", what.str(), "",
                     op->getName().getStringRef().str(), ""});
  failed = true;
}
