//===- NarrowCast.cpp - Floats of 8 bits and fewer ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f32 has 23 bits of mantissa and a bias of 127. Intermediate values are never subnormal
// f32, which are slow on CPUs, except for 2^-127 of f8E8M0FNU.
//
//===----------------------------------------------------------------------===//

#include "NarrowCast.h"
#include "ScalarBuilder.h"

using namespace kiln;
using namespace kiln::codegen;
using namespace mlir;

static constexpr int kMantissa = 23, kBias = 127, kWidth = 32;
static constexpr int64_t kMagnitude = 0x7fffffff, kInfinity = 0x7f800000,
                         kQuietNaN = 0x7fc00000;

namespace {
/// Arithmetic on the bits of f32.
struct Bits : ScalarBuilder {
  Bits(OpBuilder &b, Location loc)
      : ScalarBuilder(b, loc, b.getI32Type(), /*isUnsigned=*/true) {}

  Value left(Value x, int64_t by) { return by ? make<arith::ShLIOp>(x, integer(by)) : x; }
  Value right(Value x, int64_t by) {
    return by ? make<arith::ShRUIOp>(x, integer(by)) : x;
  }
  Value mask(Value x, int64_t bits) { return make<arith::AndIOp>(x, integer(bits)); }
  Value join(Value x, Value y) { return make<arith::OrIOp>(x, y); }
  Value plus(Value x, int64_t y) { return add(x, integer(y)); }
  Value above(Value x, int64_t limit) { return less(integer(limit), x); }
  Value of(Value number) { return arith::BitcastOp::create(b, loc, type, number); }
  Value number(Value bits) {
    return arith::BitcastOp::create(b, loc, b.getF32Type(), bits);
  }
  Value constant(double value) {
    return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value));
  }
  Value ofByte(Value byte) { return arith::ExtUIOp::create(b, loc, type, byte); }
  Value toByte(Value x) { return arith::TruncIOp::create(b, loc, b.getI8Type(), x); }
};
} // namespace

//===----------------------------------------------------------------------===//
// Decoding to f32
//===----------------------------------------------------------------------===//

/// Converts exponent and mantissa of a narrow float to the bits of an f32.
static Value decodeMagnitude(Bits s, Value magnitude, const FloatFormat &format) {
  int shift = kMantissa - format.mantissaBits, rebias = kBias - format.bias;
  Value moved = s.left(magnitude, shift);
  Value normal = s.plus(moved, int64_t(rebias) << kMantissa);
  // A subnormal with mantissa m is (1.m - 1) * 2^(1 - bias).
  int64_t smallest = int64_t(rebias + 1) << kMantissa;
  Value one = s.constant(std::ldexp(1.0, 1 - format.bias));
  Value difference =
      arith::SubFOp::create(s.b, s.loc, s.number(s.plus(moved, smallest)), one);
  Value isSubnormal = s.less(magnitude, s.integer(int64_t(1) << format.mantissaBits));
  Value result = s.select(isSubnormal, s.of(difference), normal);
  if (format.specials == FloatSpecials::InfinityAndNaN) {
    int64_t largest = (int64_t(1) << format.exponentBits) - 1;
    Value special = s.plus(moved, (255 - largest) << kMantissa);
    return s.select(s.above(magnitude, format.maxFinite()), special, result);
  }
  if (format.specials == FloatSpecials::LastIsNaN)
    return s.select(s.above(magnitude, format.maxFinite()), s.integer(kQuietNaN), result);
  return result;
}

static Value decodeScale(Bits s, Value byte) {
  Value value = s.left(byte, kMantissa);
  Value smallest = s.integer(int64_t(1) << (kMantissa - 1)); // 2^-127
  value = s.select(s.equal(byte, s.integer(0)), smallest, value);
  return s.number(s.select(s.equal(byte, s.integer(255)), s.integer(kQuietNaN), value));
}

Value codegen::decodeNarrow(OpBuilder &b, Location loc, Value byte, Type type) {
  Bits s(b, loc);
  Value bits = s.ofByte(byte);
  const FloatFormat *format = floatFormatOf(type);
  if (!format)
    return ::decodeScale(s, bits);
  Value result = decodeMagnitude(s, s.mask(bits, format->signBit() - 1), *format);
  Value sign = s.left(s.mask(bits, format->signBit()), kWidth - format->width());
  result = s.join(result, sign);
  if (format->specials == FloatSpecials::MinusZeroIsNaN)
    result = s.select(s.equal(bits, s.integer(format->signBit())), s.integer(kQuietNaN),
                      result);
  return s.number(result);
}

//===----------------------------------------------------------------------===//
// Encoding from f32
//===----------------------------------------------------------------------===//

/// Rounds to exponent and mantissa of the narrow float, which may exceed its maximum.
static Value roundMagnitude(Bits s, Value magnitude, const FloatFormat &format) {
  int shift = kMantissa - format.mantissaBits, rebias = kBias - format.bias;
  // Round to nearest even: adds half a unit in the last place, or one less if that place
  // is even.
  Value odd = s.mask(s.right(magnitude, shift), 1);
  Value carried = s.add(s.plus(magnitude, (int64_t(1) << (shift - 1)) - 1), odd);
  Value normal =
      s.plus(s.right(carried, shift), -(int64_t(rebias) << format.mantissaBits));
  // Adding this constant rounds to a multiple of the subnormals' spacing, because f32 has
  // that spacing there.
  double large = std::ldexp(1.0, kMantissa + 1 - format.bias - format.mantissaBits);
  Value sum = arith::AddFOp::create(s.b, s.loc, s.number(magnitude), s.constant(large));
  Value subnormal = s.sub(s.of(sum), s.of(s.constant(large)));
  Value isSubnormal = s.less(magnitude, s.integer(int64_t(rebias + 1) << kMantissa));
  return s.select(isSubnormal, subnormal, normal);
}

static Value encode(Bits s, Value bits, const FloatFormat &format, bool saturates) {
  Value magnitude = s.mask(bits, kMagnitude);
  Value sign = s.mask(s.right(bits, kWidth - format.width()), format.signBit());
  Value rounded = roundMagnitude(s, magnitude, format);
  int64_t largest = format.maxFinite();
  Value beyond = s.integer(saturates ? largest : format.overflow());
  Value result = s.select(s.above(rounded, largest), beyond, rounded);
  if (format.specials == FloatSpecials::MinusZeroIsNaN)
    sign = s.select(s.equal(result, s.integer(0)), s.integer(0), sign);
  result = s.join(result, sign);
  Value isNegative = s.different(s.right(bits, kWidth - 1), s.integer(0));
  Value nan = s.select(isNegative, s.integer(int64_t(format.nan(true))),
                       s.integer(int64_t(format.nan(false))));
  return s.select(s.above(magnitude, kInfinity), nan, result);
}

/// Returns the value to add to the bits of an f32 so that truncating them to the exponent
/// rounds as requested.
static int64_t carryOf(kiln::ScaleRounding rounding) {
  switch (rounding) {
  case kiln::ScaleRounding::Up:
    return (int64_t(1) << kMantissa) - 1;
  case kiln::ScaleRounding::Nearest:
    return int64_t(1) << (kMantissa - 1);
  case kiln::ScaleRounding::Down:
    break;
  }
  return 0;
}

namespace {
/// Bits of the smallest subnormal f32 that rounds to a scale of 2^-126 (`second`) and of
/// 2^-127 (`first`).
struct ScaleLimits {
  int64_t second, first;
};
} // namespace

static ScaleLimits limitsOf(kiln::ScaleRounding rounding) {
  switch (rounding) {
  case kiln::ScaleRounding::Up:
    return {0x400001, 0x200001};
  case kiln::ScaleRounding::Nearest:
    return {0x600000, 0x300000};
  case kiln::ScaleRounding::Down:
    break;
  }
  return {0x800000, 0x400000};
}

static Value encodeScale(Bits s, Value bits, const CastRules &rules) {
  constexpr int64_t kMaxScale = 254, kNaN = 255;
  Value magnitude = s.mask(bits, kMagnitude);
  Value exponent = s.right(s.plus(magnitude, carryOf(rules.rounding)), kMantissa);
  ScaleLimits limits = limitsOf(rules.rounding);
  Value isSecond = s.lessOrEqual(s.integer(limits.second), magnitude);
  Value isSubnormal = s.less(magnitude, s.integer(int64_t(1) << kMantissa));
  Value small = s.select(isSecond, s.integer(1), s.integer(0));
  Value result = s.select(isSubnormal, small, exponent);
  Value outside = s.integer(rules.saturates ? kMaxScale : kNaN);
  result = s.select(s.above(result, kMaxScale), outside, result);
  if (!rules.saturates)
    result =
        s.select(s.less(magnitude, s.integer(limits.first)), s.integer(kNaN), result);
  return s.select(s.above(magnitude, kInfinity), s.integer(kNaN), result);
}

Value codegen::encodeNarrow(OpBuilder &b, Location loc, Value value, Type type,
                            const CastRules &rules) {
  Bits s(b, loc);
  const FloatFormat *format = floatFormatOf(type);
  Value bits = s.of(value);
  return s.toByte(format ? ::encode(s, bits, *format, rules.saturates)
                         : ::encodeScale(s, bits, rules));
}

//===----------------------------------------------------------------------===//
// Round to odd
//===----------------------------------------------------------------------===//

/// Converts an integer to f64, rounding to odd: its last bit is set if the conversion is
/// inexact.
static Value integerToF64(OpBuilder &b, Location loc, Value value, bool isUnsigned) {
  Type f64 = b.getF64Type();
  auto convert = [&](Value x) -> Value {
    if (isUnsigned)
      return arith::UIToFPOp::create(b, loc, f64, x);
    return arith::SIToFPOp::create(b, loc, f64, x);
  };
  if (value.getType().getIntOrFloatBitWidth() < 64)
    return convert(value);
  // Integers of more than 53 bits lose the low 11, which are combined into one sticky
  // bit. This is right for negative integers in two's complement too, because the sticky
  // bit is above the bits that are cut off.
  constexpr int64_t kLow = (1 << 11) - 1, kSticky = 1 << 11;
  ScalarBuilder s(b, loc, value.getType(), isUnsigned);
  Value low = s.make<arith::AndIOp>(value, s.integer(kLow));
  Value sticky = s.select(s.equal(low, s.integer(0)), s.integer(0), s.integer(kSticky));
  Value high = s.make<arith::AndIOp>(value, s.integer(~kLow));
  Value kept = s.make<arith::OrIOp>(high, sticky);
  Value limit = s.integer(int64_t(1) << 53);
  Value isLarge = s.lessOrEqual(limit, value);
  if (!isUnsigned)
    isLarge = s.make<arith::OrIOp>(isLarge,
                                   s.lessOrEqual(value, s.integer(-(int64_t(1) << 53))));
  return convert(s.select(isLarge, kept, value));
}

Value codegen::roundToOdd(OpBuilder &b, Location loc, Value value, bool isUnsigned) {
  if (!isa<FloatType>(value.getType()))
    value = integerToF64(b, loc, value, isUnsigned);
  Bits s(b, loc);
  ScalarBuilder wide(b, loc, b.getF64Type(), /*isUnsigned=*/false);
  Value near = arith::TruncFOp::create(b, loc, b.getF32Type(), value);
  Value back = arith::ExtFOp::create(b, loc, b.getF64Type(), near);
  // If truncf rounded away from zero, step back by one ulp; then set the last bit.
  Value magnitude = wide.make<math::AbsFOp>(value);
  Value isAway = wide.less(magnitude, wide.make<math::AbsFOp>(back));
  Value bits = s.of(near);
  Value odd = s.join(s.select(isAway, s.plus(bits, -1), bits), s.integer(1));
  // Values of 2^128 and more stay infinite: odd rounding would give the largest finite
  // f32, which f8E8M0FNU rounds to a finite scale.
  Value isInside = wide.less(magnitude, wide.number(0x1p128));
  Value isInexact = s.compareFloats(arith::CmpFPredicate::ONE, value, back);
  return s.number(s.select(s.make<arith::AndIOp>(isInexact, isInside), odd, bits));
}
