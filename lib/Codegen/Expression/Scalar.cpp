//===- Scalar.cpp - Scalar code of graph ops ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No op gets a fast-math flag: LLVM must not change results.
//
//===----------------------------------------------------------------------===//

#include "Scalar.h"
#include "ScalarBuilder.h"
#include "dialects/Graph/Graph.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace kiln::codegen;
using namespace kiln::graph;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Unary
//===----------------------------------------------------------------------===//

/// Returns x * Phi(x), with Phi by erf or by its tanh approximation.
static Value gelu(ScalarBuilder s, Value x, bool byTanh) {
  Value inner;
  if (byTanh) {
    Value cube = s.mul(s.mul(x, x), x);
    Value sum = s.add(x, s.mul(s.number(0.044715), cube));
    inner = s.make<math::TanhOp>(s.mul(s.number(0.79788456080286536), sum));
  } else {
    inner = s.make<math::ErfOp>(s.mul(x, s.number(0.70710678118654752)));
  }
  return s.mul(s.mul(s.number(0.5), x), s.add(inner, s.number(1.0)));
}

/// Uses exp(-|x|), which cannot overflow and keeps the precision of the negative tail.
static Value sigmoid(ScalarBuilder s, Value x) {
  Value e = s.make<math::ExpOp>(s.neg(s.make<math::AbsFOp>(x)));
  Value above = s.select(s.less(x, s.number(0.0)), e, s.number(1.0));
  return s.div(above, s.add(s.number(1.0), e));
}

/// Returns max(x, 0) + log(1 + exp(-|x|)), in which exp cannot overflow.
static Value softplus(ScalarBuilder s, Value x) {
  Value tail = s.make<math::ExpOp>(s.neg(s.make<math::AbsFOp>(x)));
  Value positive = s.make<arith::MaximumFOp>(x, s.number(0.0));
  return s.add(positive, s.make<math::Log1pOp>(tail));
}

static Value unaryFloat(ScalarBuilder s, UnaryKind kind, Value x) {
  switch (kind) {
  case UnaryKind::abs:
    return s.make<math::AbsFOp>(x);
  case UnaryKind::neg:
    return s.neg(x);
  case UnaryKind::exp:
    return s.make<math::ExpOp>(x);
  case UnaryKind::log:
    return s.make<math::LogOp>(x);
  case UnaryKind::sqrt:
    return s.make<math::SqrtOp>(x);
  case UnaryKind::rsqrt:
    return s.div(s.number(1.0), s.make<math::SqrtOp>(x));
  case UnaryKind::reciprocal:
    return s.div(s.number(1.0), x);
  case UnaryKind::floor:
    return s.make<math::FloorOp>(x);
  case UnaryKind::ceil:
    return s.make<math::CeilOp>(x);
  case UnaryKind::round:
    return s.make<math::RoundEvenOp>(x);
  case UnaryKind::erf:
    return s.make<math::ErfOp>(x);
  case UnaryKind::tanh:
    return s.make<math::TanhOp>(x);
  case UnaryKind::sigmoid:
    return sigmoid(s, x);
  case UnaryKind::relu: // propagates NaN
    return s.select(s.less(x, s.number(0.0)), s.number(0.0), x);
  case UnaryKind::sin:
    return s.make<math::SinOp>(x);
  case UnaryKind::cos:
    return s.make<math::CosOp>(x);
  case UnaryKind::sign: { // zeros and NaN return themselves
    Value low = s.select(s.less(x, s.number(0.0)), s.number(-1.0), x);
    return s.select(s.less(s.number(0.0), x), s.number(1.0), low);
  }
  case UnaryKind::gelu:
    return gelu(s, x, /*byTanh=*/false);
  case UnaryKind::gelu_tanh:
    return gelu(s, x, /*byTanh=*/true);
  case UnaryKind::silu:
    return s.mul(x, sigmoid(s, x));
  case UnaryKind::is_nan:
    return s.compareFloats(arith::CmpFPredicate::UNO, x, x);
  case UnaryKind::softplus:
    return softplus(s, x);
  case UnaryKind::logical_not:
    break;
  }
  llvm_unreachable("not defined on floats");
}

static Value unaryInteger(ScalarBuilder s, UnaryKind kind, Value x) {
  Value zero = s.integer(0);
  switch (kind) {
  case UnaryKind::logical_not:
    return s.make<arith::XOrIOp>(x, s.integer(1));
  case UnaryKind::neg:
    return s.sub(zero, x);
  case UnaryKind::abs:
    return s.isUnsigned ? x : s.select(s.less(x, zero), s.sub(zero, x), x);
  case UnaryKind::relu:
    return s.isUnsigned ? x : s.select(s.less(x, zero), zero, x);
  case UnaryKind::sign: {
    Value low = s.isUnsigned ? zero : s.select(s.less(x, zero), s.integer(-1), zero);
    return s.select(s.less(zero, x), s.integer(1), low);
  }
  default:
    llvm_unreachable("not defined on integers");
  }
}

//===----------------------------------------------------------------------===//
// Binary
//===----------------------------------------------------------------------===//

/// Converts a remainder with the dividend's sign to one with the divisor's sign.
static Value towardsDivisor(ScalarBuilder s, Value remainder, Value divisor) {
  Value zero = s.number(0.0);
  Value differ = s.make<arith::XOrIOp>(s.less(remainder, zero), s.less(divisor, zero));
  Value wrong = s.make<arith::AndIOp>(s.different(remainder, zero), differ);
  return s.select(wrong, s.add(remainder, divisor), remainder);
}

/// Emits x^2 and x^3 as multiplications and x^0.5 as a square root, the powers common in
/// models.
static Value power(ScalarBuilder s, Value x, Value y) {
  FloatAttr constant;
  if (auto op = y.getDefiningOp<arith::ConstantOp>())
    constant = dyn_cast<FloatAttr>(op.getValue());
  double exponent = constant ? constant.getValueAsDouble() : 0.0;
  if (exponent == 2.0)
    return s.mul(x, x);
  if (exponent == 3.0)
    return s.mul(s.mul(x, x), x);
  if (exponent == 0.5)
    return s.make<math::SqrtOp>(x);
  return s.make<math::PowFOp>(x, y);
}

static Value binaryFloat(ScalarBuilder s, BinaryKind kind, Value x, Value y) {
  switch (kind) {
  case BinaryKind::add:
    return s.add(x, y);
  case BinaryKind::sub:
    return s.sub(x, y);
  case BinaryKind::mul:
    return s.mul(x, y);
  case BinaryKind::div:
    return s.div(x, y);
  case BinaryKind::mod:
    return towardsDivisor(s, s.make<arith::RemFOp>(x, y), y);
  case BinaryKind::fmod:
    return s.make<arith::RemFOp>(x, y);
  case BinaryKind::pow:
    return power(s, x, y);
  case BinaryKind::min:
    return s.make<arith::MinimumFOp>(x, y);
  case BinaryKind::max:
    return s.make<arith::MaximumFOp>(x, y);
  default:
    llvm_unreachable("not defined on floats");
  }
}

/// Returns `y`, or 1 where the division would trap: y is 0, or x is the minimum integer
/// and y is -1, whose quotient wraps to x.
static Value safeDivisor(ScalarBuilder s, Value x, Value y) {
  Value unsafe = s.equal(y, s.integer(0));
  if (!s.isUnsigned) {
    auto least = APInt::getSignedMinValue(s.type.getIntOrFloatBitWidth());
    Value overflows = s.make<arith::AndIOp>(s.equal(x, s.integer(least)),
                                            s.equal(y, s.integer(-1)));
    unsafe = s.make<arith::OrIOp>(unsafe, overflows);
  }
  return s.select(unsafe, s.integer(1), y);
}

/// Returns x / y, or 0 if y is 0.
static Value quotient(ScalarBuilder s, Value x, Value y) {
  Value divisor = safeDivisor(s, x, y);
  Value result = s.isUnsigned ? s.make<arith::DivUIOp>(x, divisor)
                              : s.make<arith::DivSIOp>(x, divisor);
  return s.select(s.equal(y, s.integer(0)), s.integer(0), result);
}

/// Returns 0 for a shift by the width or more, which is undefined in LLVM.
static Value shift(ScalarBuilder s, bool left, Value x, Value y) {
  Value width = s.integer(int64_t(s.type.getIntOrFloatBitWidth()));
  Value inside = s.compareIntegers(arith::CmpIPredicate::ult, y, width);
  Value by = s.select(inside, y, s.integer(0));
  Value result = left ? s.make<arith::ShLIOp>(x, by) : s.make<arith::ShRUIOp>(x, by);
  return s.select(inside, result, s.integer(0));
}

static Value binaryInteger(ScalarBuilder s, BinaryKind kind, Value x, Value y) {
  switch (kind) {
  case BinaryKind::add:
    return s.add(x, y);
  case BinaryKind::sub:
    return s.sub(x, y);
  case BinaryKind::mul:
    return s.mul(x, y);
  case BinaryKind::div:
    return quotient(s, x, y);
  case BinaryKind::mod:
  case BinaryKind::fmod: {
    Value divisor = safeDivisor(s, x, y);
    if (s.isUnsigned)
      return s.make<arith::RemUIOp>(x, divisor);
    Value remainder = s.make<arith::RemSIOp>(x, divisor);
    return kind == BinaryKind::mod ? towardsDivisor(s, remainder, y) : remainder;
  }
  case BinaryKind::min:
    return s.isUnsigned ? s.make<arith::MinUIOp>(x, y) : s.make<arith::MinSIOp>(x, y);
  case BinaryKind::max:
    return s.isUnsigned ? s.make<arith::MaxUIOp>(x, y) : s.make<arith::MaxSIOp>(x, y);
  case BinaryKind::logical_and:
  case BinaryKind::bit_and:
    return s.make<arith::AndIOp>(x, y);
  case BinaryKind::logical_or:
  case BinaryKind::bit_or:
    return s.make<arith::OrIOp>(x, y);
  case BinaryKind::logical_xor:
  case BinaryKind::bit_xor:
    return s.make<arith::XOrIOp>(x, y);
  case BinaryKind::shift_left:
  case BinaryKind::shift_right:
    return shift(s, kind == BinaryKind::shift_left, x, y);
  case BinaryKind::pow:
    llvm_unreachable("has code of its own");
  }
  llvm_unreachable("all kinds handled");
}

/// Returns x to the power y by squaring, with wrap-around; y < 0 rounds the reciprocal
/// towards zero. `s` has the base's type, `e` the exponent's.
static Value integerPower(ScalarBuilder s, ScalarBuilder e, Value x, Value y) {
  unsigned bits = e.type.getIntOrFloatBitWidth();
  Value one = s.integer(1), zero = s.integer(0), result = one, square = x;
  for (unsigned bit = 0; bit < bits; ++bit) {
    Value mask = e.integer(APInt::getOneBitSet(bits, bit));
    Value isSet = e.different(e.make<arith::AndIOp>(y, mask), e.integer(0));
    result = s.select(isSet, s.mul(result, square), result);
    square = s.mul(square, square);
  }
  if (e.isUnsigned)
    return result;
  // The loop of squares is right for bases 1 and -1 with negative exponents too.
  Value isUnit = s.equal(x, one);
  if (!s.isUnsigned)
    isUnit = s.make<arith::OrIOp>(isUnit, s.equal(x, s.integer(-1)));
  return s.select(e.less(y, e.integer(0)), s.select(isUnit, result, zero), result);
}

/// Computes in the base's type; the exponent is converted to it if either is a float.
static Value binaryPower(OpBuilder &b, Location loc, BinaryOp op, ValueRange values) {
  Type base = elementTypeOf(op.getLhs()), exponent = elementTypeOf(op.getRhs());
  if (!isa<FloatType>(base) && !isa<FloatType>(exponent))
    return integerPower(
        ScalarBuilder(b, loc, values[0].getType(), base.isUnsignedInteger()),
        ScalarBuilder(b, loc, values[1].getType(), exponent.isUnsignedInteger()), values[0],
        values[1]);
  Type wide = isa<FloatType>(base) ? values[0].getType() : Type(b.getF64Type());
  Value x = scalarCast(b, loc, values[0], base, wide);
  Value y = scalarCast(b, loc, values[1], exponent, wide);
  // A constant exponent of that type is passed unconverted, so that power() recognises
  // it.
  if (isa<FloatType>(exponent) && values[1].getType() == wide)
    y = values[1];
  Value result = power(ScalarBuilder(b, loc, wide, /*isUnsigned=*/false), x, y);
  return isa<FloatType>(base) ? result : scalarCast(b, loc, result, wide, base);
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

static Value compare(ScalarBuilder s, CompareKind kind, Value x, Value y) {
  switch (kind) {
  case CompareKind::equal:
    return s.equal(x, y);
  case CompareKind::not_equal:
    return s.different(x, y);
  case CompareKind::less:
    return s.less(x, y);
  case CompareKind::less_equal:
    return s.lessOrEqual(x, y);
  case CompareKind::greater:
    return s.less(y, x);
  case CompareKind::greater_equal:
    return s.lessOrEqual(y, x);
  }
  llvm_unreachable("all kinds handled");
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

Value kiln::codegen::scalarOp(OpBuilder &b, Location loc, Operation *op, ValueRange values) {
  Type graphType = elementTypeOf(op->getOperand(0));
  bool isUnsigned = graphType.isUnsignedInteger() || graphType.isInteger(1);
  ScalarBuilder s(b, loc, values[0].getType(), isUnsigned);
  bool isFloat = isa<FloatType>(s.type);
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](UnaryOp op) {
        return isFloat ? unaryFloat(s, op.getKind(), values[0])
                       : unaryInteger(s, op.getKind(), values[0]);
      })
      .Case([&](BinaryOp op) {
        if (op.getKind() == BinaryKind::pow)
          return binaryPower(b, loc, op, values);
        return isFloat ? binaryFloat(s, op.getKind(), values[0], values[1])
                       : binaryInteger(s, op.getKind(), values[0], values[1]);
      })
      .Case([&](CompareOp op) { return compare(s, op.getKind(), values[0], values[1]); })
      .Case([&](SelectOp) { return s.select(values[0], values[1], values[2]); });
}

int kiln::codegen::scalarCost(Operation *op) {
  if (auto unary = dyn_cast<UnaryOp>(op))
    switch (unary.getKind()) {
    case UnaryKind::erf:
    case UnaryKind::gelu:
    case UnaryKind::gelu_tanh:
    case UnaryKind::tanh:
    case UnaryKind::sigmoid:
    case UnaryKind::silu:
    case UnaryKind::softplus:
      return 28;
    case UnaryKind::exp:
    case UnaryKind::log:
    case UnaryKind::sin:
    case UnaryKind::cos:
      return 14;
    case UnaryKind::sqrt:
    case UnaryKind::rsqrt:
    case UnaryKind::reciprocal:
      return 5;
    default:
      return 2;
    }
  auto binary = dyn_cast<BinaryOp>(op);
  if (!binary)
    return 1;
  switch (binary.getKind()) {
  case BinaryKind::div:
    return 5;
  case BinaryKind::mod:
  case BinaryKind::fmod:
    return 20;
  case BinaryKind::pow:
    return 40;
  default:
    return 1;
  }
}
