//===- ScalarCast.cpp - Conversions between element types -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NarrowCast.h"
#include "Scalar.h"
#include "ScalarBuilder.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Tile/Tile.h"
#include "dialects/Types/FloatFormat.h"
#include <cmath>

using namespace kiln::codegen;
using namespace mlir;

static bool isUnsignedType(Type type) { return type.isUnsignedInteger() || type.isInteger(1); }

static Value floatToFloat(OpBuilder &b, Location loc, Value value, Type to) {
  // Floats narrower than f32 are computed in f32.
  Type target = to.getIntOrFloatBitWidth() < 32 ? b.getF32Type() : to;
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned width = target.getIntOrFloatBitWidth();
  if (from == width)
    return value;
  if (from < width)
    return arith::ExtFOp::create(b, loc, target, value);
  return arith::TruncFOp::create(b, loc, target, value);
}

/// Truncates and saturates; NaN gives 0. Clamps first, because out-of-range conversions
/// are undefined in LLVM.
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

  // An unsigned integer fits the next wider signed type.
  unsigned signedWidth = isUnsigned ? std::min(2 * width, 64u) : width;
  // Integers of fewer than 8 bits are stored as bytes.
  unsigned stored = std::max(width, 8u);
  Type via = b.getIntegerType(std::max(signedWidth, 32u)), type = b.getIntegerType(stored);
  Value result = isUnsigned && width == 64
                     ? arith::FPToUIOp::create(b, loc, via, inside).getResult()
                     : arith::FPToSIOp::create(b, loc, via, inside).getResult();
  if (via != type)
    result = arith::TruncIOp::create(b, loc, type, result);
  ScalarBuilder n(b, loc, type, isUnsigned);
  Value least = n.integer(isUnsigned ? APInt::getMinValue(stored)
                                     : APInt::getSignedMinValue(width).sext(stored));
  Value most = n.integer(isUnsigned ? APInt::getMaxValue(width).zext(stored)
                                    : APInt::getSignedMaxValue(width).sext(stored));
  return n.select(tooHigh, most, n.select(tooLow, least, result));
}

static Value integerToFloat(OpBuilder &b, Location loc, Value value, Type from, Type to) {
  Type target = to.getIntOrFloatBitWidth() < 32 ? b.getF32Type() : to;
  if (isUnsignedType(from))
    return arith::UIToFPOp::create(b, loc, target, value);
  return arith::SIToFPOp::create(b, loc, target, value);
}

/// Extends the low bits of a byte to a full byte, by the signedness of the type.
static Value lowBits(OpBuilder &b, Location loc, Value byte, Type type) {
  ScalarBuilder s(b, loc, byte.getType(), isUnsignedType(type));
  unsigned width = type.getIntOrFloatBitWidth();
  if (s.isUnsigned)
    return s.make<arith::AndIOp>(byte, s.integer((int64_t(1) << width) - 1));
  Value above = s.integer(8 - int64_t(width));
  return s.make<arith::ShRSIOp>(s.make<arith::ShLIOp>(byte, above), above);
}

static Value integerToInteger(OpBuilder &b, Location loc, Value value, Type from, Type to) {
  if (kiln::graph::isNarrow(to)) {
    Type byte = b.getI8Type();
    return lowBits(b, loc, integerToInteger(b, loc, value, from, byte), to);
  }
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

static Value toNarrowFloat(OpBuilder &b, Location loc, Value value, Type from, Type to,
                           const kiln::CastRules &rules) {
  // f32, in which f16 and bf16 are computed, represents every integer of up to 16 bits.
  constexpr unsigned kExactBits = 16;
  bool isFloat = isa<FloatType>(from);
  unsigned width = value.getType().getIntOrFloatBitWidth();
  if (isFloat ? width > 32 : width > kExactBits)
    value = roundToOdd(b, loc, value, isUnsignedType(from));
  else if (!isFloat)
    value = integerToFloat(b, loc, value, from, b.getF32Type());
  return encodeNarrow(b, loc, value, to, rules);
}

Value kiln::codegen::scalarCast(OpBuilder &b, Location loc, Value value, Type from, Type to,
                                const CastRules &rules) {
  if (from == to)
    return value;
  if (isNarrowFloat(from)) {
    value = decodeNarrow(b, loc, value, from);
    from = value.getType();
  } else if (kiln::graph::isNarrow(from)) {
    value = lowBits(b, loc, value, from); // ml_dtypes leaves the high bits undefined
  }
  if (isNarrowFloat(to))
    return toNarrowFloat(b, loc, value, from, to, rules);
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

Value kiln::codegen::fragmentCast(OpBuilder &b, Location loc, Value fragment, Type from,
                                  Type to) {
  auto type = cast<tile::FragType>(fragment.getType());
  return tile::MapOp::create(
             b, loc, TypeRange{type.cloneWith(to)}, fragment,
             [&](OpBuilder &inner, Location, ValueRange x) -> SmallVector<Value> {
               return {scalarCast(inner, loc, x[0], from, to)};
             })
      .getResult(0);
}
