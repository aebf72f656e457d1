//===- ScalarCast.cpp - Conversions between element types -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scalar.h"
#include "ScalarBuilder.h"
#include <cmath>

using namespace kiln::codegen;
using namespace mlir;

static bool isUnsignedType(Type type) { return type.isUnsignedInteger() || type.isInteger(1); }

static Value floatToFloat(OpBuilder &b, Location loc, Value value, Type to) {
  // Floats narrower than f32 are computed in f32 on both sides.
  Type target = to.getIntOrFloatBitWidth() < 32 ? b.getF32Type() : to;
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned width = target.getIntOrFloatBitWidth();
  if (from == width)
    return value;
  if (from < width)
    return arith::ExtFOp::create(b, loc, target, value);
  return arith::TruncFOp::create(b, loc, target, value);
}

/// Truncates and saturates; NaN gives 0. What is out of range never reaches the
/// conversion, which is undefined there.
static Value floatToInteger(OpBuilder &b, Location loc, Value value, Type to) {
  unsigned width = to.getIntOrFloatBitWidth();
  bool isUnsigned = to.isUnsignedInteger();
  ScalarBuilder s(b, loc, value.getType(), /*isUnsigned=*/false);
  Value high = s.number(std::ldexp(1.0, isUnsigned ? width : width - 1));
  Value low = s.number(isUnsigned ? 0.0 : -std::ldexp(1.0, width - 1));
  Value tooHigh = s.lessOrEqual(high, value), tooLow = s.less(value, low);
  Value isNan = s.compareFloats(arith::CmpFPredicate::UNO, value, value);
  Value outside = s.make<arith::OrIOp>(s.make<arith::OrIOp>(tooHigh, tooLow), isNan);
  Value inside = s.select(outside, s.number(0.0), value);

  // The next wider signed type holds every narrower unsigned number.
  unsigned signedWidth = isUnsigned ? std::min(2 * width, 64u) : width;
  Type via = b.getIntegerType(std::max(signedWidth, 32u)), type = b.getIntegerType(width);
  Value result = isUnsigned && width == 64
                     ? arith::FPToUIOp::create(b, loc, via, inside).getResult()
                     : arith::FPToSIOp::create(b, loc, via, inside).getResult();
  if (via != type)
    result = arith::TruncIOp::create(b, loc, type, result);
  ScalarBuilder n(b, loc, type, isUnsigned);
  Value least = n.integer(isUnsigned ? APInt::getMinValue(width)
                                     : APInt::getSignedMinValue(width));
  Value most = n.integer(isUnsigned ? APInt::getMaxValue(width)
                                    : APInt::getSignedMaxValue(width));
  return n.select(tooHigh, most, n.select(tooLow, least, result));
}

static Value integerToFloat(OpBuilder &b, Location loc, Value value, Type from, Type to) {
  Type target = to.getIntOrFloatBitWidth() < 32 ? b.getF32Type() : to;
  if (isUnsignedType(from))
    return arith::UIToFPOp::create(b, loc, target, value);
  return arith::SIToFPOp::create(b, loc, target, value);
}

static Value integerToInteger(OpBuilder &b, Location loc, Value value, Type from, Type to) {
  Type target = b.getIntegerType(to.getIntOrFloatBitWidth());
  unsigned have = value.getType().getIntOrFloatBitWidth();
  unsigned want = target.getIntOrFloatBitWidth();
  if (have == want)
    return value;
  if (have > want)
    return arith::TruncIOp::create(b, loc, target, value);
  if (isUnsignedType(from))
    return arith::ExtUIOp::create(b, loc, target, value);
  return arith::ExtSIOp::create(b, loc, target, value);
}

Value kiln::codegen::scalarCast(OpBuilder &b, Location loc, Value value, Type from, Type to) {
  if (to.isInteger(1)) {
    ScalarBuilder s(b, loc, value.getType(), isUnsignedType(from));
    return from.isInteger(1) ? value : s.different(value, s.number(0.0));
  }
  if (isa<FloatType>(from))
    return isa<FloatType>(to) ? floatToFloat(b, loc, value, to)
                              : floatToInteger(b, loc, value, to);
  return isa<FloatType>(to) ? integerToFloat(b, loc, value, from, to)
                            : integerToInteger(b, loc, value, from, to);
}
