//===- ScalarOps.cpp - arith and math on scalars --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One small function per op, in a table by name. Results are exact or rounded once to the
// op's type. Where LLVM's result would be poison but not undefined behaviour (a shift
// amount too large, a float out of the integer's range) a fixed value is returned,
// because programs may compute it and then select another value.
//
//===----------------------------------------------------------------------===//

#include "Scalar.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace kiln;
using namespace kiln::interpreter;
using namespace mlir;

namespace {
/// Arguments of a function that evaluates an op: its operands and their type (that of the
/// first).
struct Call {
  Operation *op;
  ArrayRef<Scalar> operands;
  Type type, resultType;

  double f(unsigned i) const { return operands[i].f; }
  int64_t s(unsigned i) const { return asSigned(type, operands[i]); }
  uint64_t u(unsigned i) const { return asUnsigned(type, operands[i]); }
  Scalar real(double value) const { return roundTo(resultType, value); }
  Scalar integer(int64_t value) const { return wrapTo(resultType, value); }
};
using Function = std::optional<Scalar> (*)(const Call &);
} // namespace

#define INTEGER(name, expression)                                                          \
  {name, [](const Call &c) -> std::optional<Scalar> { return c.integer(expression); }}
#define FLOAT(name, expression)                                                            \
  {name, [](const Call &c) -> std::optional<Scalar> { return c.real(expression); }}
/// Entry of an integer op that is undefined unless `valid` holds.
#define CHECKED(name, valid, expression)                                                   \
  {name, [](const Call &c) -> std::optional<Scalar> {                                      \
     if (!(valid))                                                                         \
       return std::nullopt;                                                                \
     return c.integer(expression);                                                         \
   }}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static int64_t wrapping(uint64_t value) { return static_cast<int64_t>(value); }

/// Returns false for division by 0 and for a quotient that overflows, which are
/// undefined.
static bool divides(const Call &c) {
  int64_t minimum = c.type.isInteger(1) ? -1 : llvm::minIntN(widthOf(c.type));
  return c.s(1) != 0 && !(c.s(0) == minimum && c.s(1) == -1);
}

static int64_t shift(const Call &c, bool left, bool arithmetic) {
  uint64_t by = c.u(1);
  if (by >= widthOf(c.type))
    return 0;
  if (left)
    return wrapping(c.u(0) << by);
  return arithmetic ? c.s(0) >> by : wrapping(c.u(0) >> by);
}

static const std::pair<StringRef, Function> kIntegerOps[] = {
    INTEGER("arith.addi", wrapping(c.u(0) + c.u(1))),
    INTEGER("arith.subi", wrapping(c.u(0) - c.u(1))),
    INTEGER("arith.muli", wrapping(c.u(0) * c.u(1))),
    INTEGER("arith.andi", c.s(0) & c.s(1)),
    INTEGER("arith.ori", c.s(0) | c.s(1)),
    INTEGER("arith.xori", c.s(0) ^ c.s(1)),
    INTEGER("arith.shli", shift(c, true, false)),
    INTEGER("arith.shrsi", shift(c, false, true)),
    INTEGER("arith.shrui", shift(c, false, false)),
    INTEGER("arith.maxsi", std::max(c.s(0), c.s(1))),
    INTEGER("arith.minsi", std::min(c.s(0), c.s(1))),
    INTEGER("arith.maxui", wrapping(std::max(c.u(0), c.u(1)))),
    INTEGER("arith.minui", wrapping(std::min(c.u(0), c.u(1)))),
    CHECKED("arith.divsi", divides(c), c.s(0) / c.s(1)),
    CHECKED("arith.remsi", divides(c), c.s(0) % c.s(1)),
    CHECKED("arith.floordivsi", divides(c), llvm::divideFloorSigned(c.s(0), c.s(1))),
    CHECKED("arith.ceildivsi", divides(c), llvm::divideCeilSigned(c.s(0), c.s(1))),
    CHECKED("arith.divui", c.u(1) != 0, wrapping(c.u(0) / c.u(1))),
    CHECKED("arith.remui", c.u(1) != 0, wrapping(c.u(0) % c.u(1))),
    CHECKED("arith.ceildivui", c.u(1) != 0, wrapping(c.u(0) / c.u(1) + (c.u(0) % c.u(1) != 0))),
    INTEGER("math.absi", c.s(0) < 0 ? wrapping(-static_cast<uint64_t>(c.s(0))) : c.s(0)),
    INTEGER("math.ctpop", llvm::popcount(c.u(0))),
    INTEGER("math.ctlz", llvm::countl_zero(c.u(0)) - 64 + static_cast<int64_t>(widthOf(c.type))),
    INTEGER("math.cttz", c.u(0) ? llvm::countr_zero(c.u(0)) : widthOf(c.type)),
    INTEGER("arith.extsi", c.s(0)),
    INTEGER("arith.extui", wrapping(c.u(0))),
    INTEGER("arith.trunci", c.s(0)),
    INTEGER("arith.index_cast", c.s(0)),
    INTEGER("arith.index_castui", wrapping(c.u(0))),
};

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

static double maximum(double x, double y) {
  if (std::isnan(x) || std::isnan(y))
    return std::nan("");
  return x == y ? (std::signbit(x) ? y : x) : std::fmax(x, y);
}
static double minimum(double x, double y) {
  if (std::isnan(x) || std::isnan(y))
    return std::nan("");
  return x == y ? (std::signbit(x) ? x : y) : std::fmin(x, y);
}

/// Returns the fma rounded in the type itself: rounding an f64 fma again would round
/// twice.
static double fused(const Call &c) {
  if (c.type.isF32())
    return std::fmaf(static_cast<float>(c.f(0)), static_cast<float>(c.f(1)),
                     static_cast<float>(c.f(2)));
  return std::fma(c.f(0), c.f(1), c.f(2));
}

/// Converts to an integer; out of range gives the minimum integer, as on x86.
static int64_t truncated(const Call &c, bool noSign) {
  unsigned width = widthOf(c.resultType);
  double value = std::trunc(c.f(0)), limit = std::ldexp(1.0, noSign ? width : width - 1);
  if (noSign)
    return value >= 0 && value < limit ? wrapping(static_cast<uint64_t>(value)) : -1;
  return value >= -limit && value < limit ? static_cast<int64_t>(value) : llvm::minIntN(width);
}

/// Converts with one rounding: f32 directly from the integer, smaller types through f64,
/// which represents exactly all integers in their range.
template <typename T> static double toFloat(const Call &c, T value) {
  return c.resultType.isF32() ? static_cast<double>(static_cast<float>(value))
                              : static_cast<double>(value);
}

static const std::pair<StringRef, Function> kFloatOps[] = {
    FLOAT("arith.addf", c.f(0) + c.f(1)),
    FLOAT("arith.subf", c.f(0) - c.f(1)),
    FLOAT("arith.mulf", c.f(0) * c.f(1)),
    FLOAT("arith.divf", c.f(0) / c.f(1)),
    FLOAT("arith.remf", std::fmod(c.f(0), c.f(1))),
    FLOAT("arith.negf", -c.f(0)),
    FLOAT("arith.maximumf", maximum(c.f(0), c.f(1))),
    FLOAT("arith.minimumf", minimum(c.f(0), c.f(1))),
    FLOAT("arith.maxnumf", std::fmax(c.f(0), c.f(1))),
    FLOAT("arith.minnumf", std::fmin(c.f(0), c.f(1))),
    FLOAT("arith.extf", c.f(0)),
    FLOAT("arith.truncf", c.f(0)),
    FLOAT("arith.sitofp", toFloat(c, c.s(0))),
    FLOAT("arith.uitofp", toFloat(c, c.u(0))),
    INTEGER("arith.fptosi", truncated(c, false)),
    INTEGER("arith.fptoui", truncated(c, true)),
    FLOAT("math.absf", std::fabs(c.f(0))),
    FLOAT("math.ceil", std::ceil(c.f(0))),
    FLOAT("math.floor", std::floor(c.f(0))),
    FLOAT("math.trunc", std::trunc(c.f(0))),
    FLOAT("math.round", std::round(c.f(0))),
    FLOAT("math.roundeven", std::nearbyint(c.f(0))),
    FLOAT("math.copysign", std::copysign(c.f(0), c.f(1))),
    FLOAT("math.sqrt", std::sqrt(c.f(0))),
    FLOAT("math.rsqrt", 1 / std::sqrt(c.f(0))),
    FLOAT("math.fma", fused(c)),
    FLOAT("math.exp", std::exp(c.f(0))),
    FLOAT("math.exp2", std::exp2(c.f(0))),
    FLOAT("math.expm1", std::expm1(c.f(0))),
    FLOAT("math.log", std::log(c.f(0))),
    FLOAT("math.log2", std::log2(c.f(0))),
    FLOAT("math.log10", std::log10(c.f(0))),
    FLOAT("math.log1p", std::log1p(c.f(0))),
    FLOAT("math.powf", std::pow(c.f(0), c.f(1))),
    FLOAT("math.sin", std::sin(c.f(0))),
    FLOAT("math.cos", std::cos(c.f(0))),
    FLOAT("math.tanh", std::tanh(c.f(0))),
    FLOAT("math.erf", std::erf(c.f(0))),
    FLOAT("math.erfc", std::erfc(c.f(0))),
};

//===----------------------------------------------------------------------===//
// Comparisons, constants, bits
//===----------------------------------------------------------------------===//

static bool compareIntegers(const Call &c, arith::CmpIPredicate predicate) {
  return arith::applyCmpPredicate(predicate, llvm::APInt(64, c.s(0), /*isSigned=*/true),
                                  llvm::APInt(64, c.s(1), /*isSigned=*/true));
}

static std::optional<Scalar> evaluateOther(const Call &c, bool &known) {
  known = true;
  if (auto op = dyn_cast<arith::ConstantOp>(c.op)) {
    if (auto value = dyn_cast<FloatAttr>(op.getValue()))
      return Scalar::ofFloat(value.getValueAsDouble());
    if (auto value = dyn_cast<IntegerAttr>(op.getValue()))
      return c.integer(value.getValue().getSExtValue());
  }
  // Sign-extended values also compare correctly as unsigned.
  if (auto op = dyn_cast<arith::CmpIOp>(c.op))
    return c.integer(compareIntegers(c, op.getPredicate()));
  if (auto op = dyn_cast<arith::CmpFOp>(c.op))
    return c.integer(arith::applyCmpPredicate(op.getPredicate(), llvm::APFloat(c.f(0)),
                                              llvm::APFloat(c.f(1))));
  if (isa<arith::SelectOp>(c.op))
    return c.operands[0].i & 1 ? c.operands[1] : c.operands[2];
  if (isa<arith::BitcastOp>(c.op))
    return fromBits(c.resultType, toBits(c.type, c.operands[0]));
  known = false;
  return std::nullopt;
}

static Function lookup(OperationName name) {
  static const llvm::StringMap<Function> table = [] {
    llvm::StringMap<Function> result;
    for (auto [text, function] : kIntegerOps)
      result[text] = function;
    for (auto [text, function] : kFloatOps)
      result[text] = function;
    return result;
  }();
  return table.lookup(name.getStringRef());
}

ScalarStatus interpreter::evaluateScalarOp(Operation *op, ArrayRef<Scalar> operands,
                                           Scalar &result) {
  if (op->getNumResults() != 1)
    return ScalarStatus::Unknown;
  Type resultType = op->getResult(0).getType();
  Type type = op->getNumOperands() ? op->getOperand(0).getType() : resultType;
  Call call{op, operands, type, resultType};
  std::optional<Scalar> value;
  if (Function function = lookup(op->getName())) {
    value = function(call);
  } else {
    bool known;
    value = evaluateOther(call, known);
    if (!known)
      return ScalarStatus::Unknown;
  }
  result = value.value_or(Scalar());
  return value ? ScalarStatus::Ok : ScalarStatus::Undefined;
}
