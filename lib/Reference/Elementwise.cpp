//===- Elementwise.cpp - Elementwise ops ----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ops.h"
#include "Rounding.h"
#include "Storage.h"

#include <cmath>

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

//===----------------------------------------------------------------------===//
// unary
//===----------------------------------------------------------------------===//

static double sigmoid(double x) {
  // Two forms, so that exp does not overflow.
  double e = std::exp(-std::fabs(x));
  return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}

static double softplus(double x) {
  return std::isnan(x) ? x : std::fmax(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
}

static double geluTanh(double x) {
  constexpr double kScale = 0.79788456080286535588; // sqrt(2 / pi)
  return 0.5 * x * (1 + std::tanh(kScale * (x + 0.044715 * x * x * x)));
}

static double signOf(double x) {
  return x > 0 ? 1 : x < 0 ? -1 : x == 0 ? 0 : x;
}

static double unaryFloat(UnaryKind kind, double x) {
  switch (kind) {
  case UnaryKind::abs: return std::fabs(x);
  case UnaryKind::neg: return -x;
  case UnaryKind::exp: return std::exp(x);
  case UnaryKind::log: return std::log(x);
  case UnaryKind::sqrt: return std::sqrt(x);
  case UnaryKind::rsqrt: return 1 / std::sqrt(x);
  case UnaryKind::reciprocal: return 1 / x;
  case UnaryKind::floor: return std::floor(x);
  case UnaryKind::ceil: return std::ceil(x);
  case UnaryKind::round: return std::nearbyint(x);
  case UnaryKind::erf: return std::erf(x);
  case UnaryKind::tanh: return std::tanh(x);
  case UnaryKind::sigmoid: return sigmoid(x);
  case UnaryKind::relu: return x < 0 ? 0 : x; // NaN stays NaN
  case UnaryKind::sin: return std::sin(x);
  case UnaryKind::cos: return std::cos(x);
  case UnaryKind::sign: return signOf(x);
  // erfc is accurate for large negative x, where 1 + erf would cancel.
  case UnaryKind::gelu: return 0.5 * x * std::erfc(-x * M_SQRT1_2);
  case UnaryKind::gelu_tanh: return geluTanh(x);
  case UnaryKind::silu: return x * sigmoid(x);
  case UnaryKind::is_nan: return std::isnan(x);
  case UnaryKind::softplus: return softplus(x);
  case UnaryKind::logical_not: break;
  }
  llvm_unreachable("not a function of floats");
}

static int64_t unaryInteger(UnaryKind kind, int64_t x, bool noSign) {
  auto negated = static_cast<int64_t>(-static_cast<uint64_t>(x));
  switch (kind) {
  case UnaryKind::logical_not: return !x;
  case UnaryKind::neg: return negated;
  case UnaryKind::abs: return !noSign && x < 0 ? negated : x;
  case UnaryKind::relu: return !noSign && x < 0 ? 0 : x;
  case UnaryKind::sign: return !noSign && x < 0 ? -1 : x != 0;
  default: llvm_unreachable("not a function of integers");
  }
}

Result reference::evaluate(UnaryOp op, const Call &call) {
  const Tensor &input = call.operands[0];
  UnaryKind kind = op.getKind();
  if (!input.isFloat()) {
    bool noSign = isUnsigned(input.getElementType());
    std::vector<int64_t> values = input.ints();
    for (int64_t &value : values)
      value = unaryInteger(kind, value, noSign);
    return Tensor::fromInts(input.getElementType(), call.shape, values);
  }
  std::vector<double> values(input.getNumElements());
  Tensor wide = input.widen();
  for (auto [i, value] : llvm::enumerate(wide.doubles()))
    values[i] = unaryFloat(kind, value);
  return Tensor::fromDoubles(op.getType().getElementType(), call.shape, values);
}

//===----------------------------------------------------------------------===//
// binary
//===----------------------------------------------------------------------===//

/// Returns the remainder with the sign of the divisor.
static double floorMod(double x, double y) {
  double r = std::fmod(x, y);
  return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}

static double binaryFloat(BinaryKind kind, double x, double y) {
  switch (kind) {
  case BinaryKind::add: return x + y;
  case BinaryKind::sub: return x - y;
  case BinaryKind::mul: return x * y;
  case BinaryKind::div: return x / y;
  case BinaryKind::mod: return floorMod(x, y);
  case BinaryKind::fmod: return std::fmod(x, y);
  case BinaryKind::pow: return std::pow(x, y);
  case BinaryKind::min: return std::isnan(x) || x < y ? x : y;
  case BinaryKind::max: return std::isnan(x) || x > y ? x : y;
  default: llvm_unreachable("not a function of floats");
  }
}

/// Returns x to the power y, wrapping; y < 0 rounds the reciprocal towards zero.
static int64_t powInteger(int64_t x, int64_t y, bool noSign) {
  if (!noSign && y < 0)
    return x == 1 ? 1 : x == -1 ? (y % 2 ? -1 : 1) : 0;
  uint64_t result = 1, base = x;
  for (auto rest = static_cast<uint64_t>(y); rest; rest >>= 1, base *= base)
    if (rest & 1)
      result *= base;
  return static_cast<int64_t>(result);
}

/// Returns the quotient or one of both remainders in a type of at most 64 bits.
template <typename T> static T divideInteger(BinaryKind kind, T x, T y) {
  if (y == 0)
    return 0;
  // The only quotient that overflows, minimum / -1, wraps.
  if (std::is_signed_v<T> && y == T(-1))
    return kind == BinaryKind::div ? static_cast<T>(-static_cast<uint64_t>(x)) : 0;
  if (kind == BinaryKind::div)
    return x / y;
  T r = x % y;
  return kind == BinaryKind::mod && r != 0 && (r < 0) != (y < 0) ? r + y : r;
}

/// Shifts logically. `x` is zero-extended from `width` bits.
static int64_t shiftInteger(BinaryKind kind, uint64_t x, uint64_t y, unsigned width) {
  if (y >= width)
    return 0;
  return static_cast<int64_t>(kind == BinaryKind::shift_left ? x << y : x >> y);
}

template <typename T> static int64_t binaryInteger(BinaryKind kind, T x, T y) {
  auto a = static_cast<uint64_t>(x), b = static_cast<uint64_t>(y);
  switch (kind) {
  case BinaryKind::add: return static_cast<int64_t>(a + b);
  case BinaryKind::sub: return static_cast<int64_t>(a - b);
  case BinaryKind::mul: return static_cast<int64_t>(a * b);
  case BinaryKind::div:
  case BinaryKind::mod:
  case BinaryKind::fmod: return static_cast<int64_t>(divideInteger(kind, x, y));
  case BinaryKind::pow: return powInteger(a, b, std::is_unsigned_v<T>);
  case BinaryKind::min: return static_cast<int64_t>(std::min(x, y));
  case BinaryKind::max: return static_cast<int64_t>(std::max(x, y));
  case BinaryKind::logical_and:
  case BinaryKind::bit_and: return a & b;
  case BinaryKind::logical_or:
  case BinaryKind::bit_or: return a | b;
  case BinaryKind::logical_xor:
  case BinaryKind::bit_xor: return a ^ b;
  case BinaryKind::shift_left:
  case BinaryKind::shift_right: break; // shifts depend on the width
  }
  llvm_unreachable("covered switch");
}

/// Applies `fn` to the elements at the two operands' broadcast offsets, in order.
template <typename T, typename Fn>
static std::vector<T> zipBroadcast(const Call &call, Fn fn) {
  const Tensor &lhs = call.operands[0], &rhs = call.operands[1];
  std::vector<T> values(countElements(call.shape).value());
  std::array<Shape, 2> strides{broadcastStrides(lhs.getShape(), call.shape),
                               broadcastStrides(rhs.getShape(), call.shape)};
  forEachElement(call.shape, strides, [&](int64_t i, const std::array<int64_t, 2> &at) {
    values[i] = fn(at[0], at[1]);
  });
  return values;
}

static Tensor asFloat(const Tensor &tensor) {
  return tensor.convert(Float64Type::get(tensor.getElementType().getContext())).widen();
}

static Result evaluateFloats(BinaryOp op, const Call &call) {
  // Base and exponent of pow may have different types.
  Tensor lhs = asFloat(call.operands[0]), rhs = asFloat(call.operands[1]);
  BinaryKind kind = op.getKind();
  auto values = zipBroadcast<double>(call, [&](int64_t a, int64_t b) {
    return binaryFloat(kind, lhs.doubles()[a], rhs.doubles()[b]);
  });
  return Tensor::fromDoubles(op.getType().getElementType(), call.shape, values);
}

Result reference::evaluate(BinaryOp op, const Call &call) {
  const Tensor &lhs = call.operands[0], &rhs = call.operands[1];
  if (lhs.isFloat() || rhs.isFloat())
    return evaluateFloats(op, call);
  BinaryKind kind = op.getKind();
  bool noSign = isUnsigned(lhs.getElementType());
  unsigned width = lhs.getElementType().getIntOrFloatBitWidth();
  uint64_t mask = llvm::maskTrailingOnes<uint64_t>(width);
  auto values = zipBroadcast<int64_t>(call, [&](int64_t a, int64_t b) {
    int64_t x = lhs.getInt(a), y = rhs.getInt(b);
    if (kind == BinaryKind::pow)
      return powInteger(x, y, isUnsigned(rhs.getElementType()));
    if (kind == BinaryKind::shift_left || kind == BinaryKind::shift_right)
      return shiftInteger(kind, x & mask, y & mask, width);
    return noSign ? binaryInteger<uint64_t>(kind, x, y) : binaryInteger<int64_t>(kind, x, y);
  });
  return Tensor::fromInts(lhs.getElementType(), call.shape, values);
}

//===----------------------------------------------------------------------===//
// compare, select, cast
//===----------------------------------------------------------------------===//

template <typename T> static bool holds(CompareKind kind, T x, T y) {
  switch (kind) {
  case CompareKind::equal: return x == y;
  case CompareKind::not_equal: return x != y;
  case CompareKind::less: return x < y;
  case CompareKind::less_equal: return x <= y;
  case CompareKind::greater: return x > y;
  case CompareKind::greater_equal: return x >= y;
  }
  llvm_unreachable("covered switch");
}

Result reference::evaluate(CompareOp op, const Call &call) {
  const Tensor &lhs = call.operands[0], &rhs = call.operands[1];
  CompareKind kind = op.getKind();
  bool noSign = isUnsigned(lhs.getElementType());
  auto values = zipBroadcast<int64_t>(call, [&](int64_t a, int64_t b) {
    if (lhs.isFloat())
      return holds(kind, lhs.getDouble(a), rhs.getDouble(b));
    int64_t x = lhs.getInt(a), y = rhs.getInt(b);
    return noSign ? holds<uint64_t>(kind, x, y) : holds(kind, x, y);
  });
  return Tensor::fromInts(op.getType().getElementType(), call.shape, values);
}

Result reference::evaluate(SelectOp op, const Call &call) {
  Tensor onTrue = call.operands[1], onFalse = call.operands[2];
  if (onTrue.isWide() != onFalse.isWide())
    onTrue = onTrue.widen(), onFalse = onFalse.widen();
  Tensor result = Tensor::allocate(onTrue.getElementType(), call.shape, onTrue.isWide());
  std::array<Shape, 3> strides;
  for (size_t i = 0; i < strides.size(); ++i)
    strides[i] = broadcastStrides(call.operands[i].getShape(), call.shape);
  withBytes(result.getElementBytes(), [&](auto zero) {
    using T = decltype(zero);
    T *out = result.mutableDataAs<T>();
    forEachElement(call.shape, strides, [&](int64_t i, const std::array<int64_t, 3> &at) {
      bool chosen = load<uint8_t>(call.operands[0].data(), at[0]);
      out[i] = chosen ? load<T>(onTrue.data(), at[1]) : load<T>(onFalse.data(), at[2]);
    });
  });
  return result;
}

Result reference::evaluate(CastOp op, const Call &call) {
  return call.operands[0].convert(op.getType().getElementType(), castRulesOf(op));
}
