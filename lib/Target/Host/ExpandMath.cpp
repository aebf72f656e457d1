//===- ExpandMath.cpp - Math functions to arithmetic ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An image may not call functions, so math ops that LLVM would lower to calls are
// expanded here. f16 and bf16 are computed in f32, and bf16 is converted from and to f32
// by integer ops: after an LLVM conversion from bf16, LLVM may narrow arithmetic to bf16,
// which ends in a call. Upstream's approximations are not used because they flush
// denormals and have no stated error bound for pow.
//
//===----------------------------------------------------------------------===//

#include "MathBuilder.h"
#include "kiln/ErrorCodes/Target.h"
#include "kiln/Support/Error.h"
#include "kiln/Target/CheckTargets.h"
#include "kiln/Target/Passes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::host;

namespace kiln {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "kiln/Target/Passes.h.inc"
} // namespace kiln

static Type elementOf(Value value) { return getElementTypeOrSelf(value.getType()); }

//===----------------------------------------------------------------------===//
// Conversions of narrow floats
//===----------------------------------------------------------------------===//

/// Converts f32 to bf16 by integer ops: LLVM would call a function on CPUs without the
/// instruction, and the instruction flushes denormals.
static Value truncateToBF16(MathBuilder m, Value x) {
  Value bits = m.bits(x);
  Value lowest = m.band(m.shr(bits, m.i32(16)), m.i32(1));
  Value rounded = m.shr(m.iadd(bits, m.iadd(lowest, m.i32(0x7FFF))), m.i32(16));
  Value quiet = m.bor(m.shr(bits, m.i32(16)), m.i32(0x40));
  Value result = m.select(m.isNan(x), quiet, rounded);
  result = arith::TruncIOp::create(m.b, m.type(m.b.getI16Type()), result);
  return arith::BitcastOp::create(m.b, m.type(m.b.getBF16Type()), result);
}

/// Converts f64 to f32 with rounding to odd, after which rounding to a narrower type is
/// as if done once.
static Value truncateToOdd(MathBuilder m, Value x) {
  Value narrow = m.toF32(x), back = m.toF64(narrow);
  Value bits = m.bits(narrow);
  // Moves one ulp toward zero if rounding went away from it, then sets the last bit.
  Value away = arith::ExtUIOp::create(m.b, m.type(m.b.getI32Type()),
                                      m.greater(m.abs(back), m.abs(x)));
  Value odd = m.asF32(m.bor(m.isub(bits, away), m.i32(1)));
  Value inexact = m.compare(arith::CmpFPredicate::ONE, back, x);
  return m.select(inexact, odd, narrow);
}

/// Converts bf16 to f32: its bits are the upper half of the f32's.
static Value expandExtend(arith::ExtFOp op, MathBuilder m) {
  if (!elementOf(op.getIn()).isBF16())
    return {};
  Value bits = arith::ExtUIOp::create(m.b, m.type(m.b.getI32Type()), m.bits(op.getIn()));
  Value wide = m.asF32(m.shl(bits, m.i32(16)));
  return elementOf(op.getOut()).isF64() ? m.toF64(wide) : wide;
}

static Value expandTruncate(arith::TruncFOp op, MathBuilder m) {
  Type from = elementOf(op.getIn()), to = elementOf(op.getOut());
  Value x = op.getIn();
  if (to.isBF16())
    return truncateToBF16(m, from.isF64() ? truncateToOdd(m, x) : x);
  if (to.isF16() && from.isF64())
    return arith::TruncFOp::create(m.b, op.getType(), truncateToOdd(m, x));
  return {};
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static Value expandF32(Operation *op, MathBuilder m) {
  Value x = op->getOperand(0);
  auto sine = [&](int64_t quadrant) { return m.toF32(sine64(m, m.toF64(x), quadrant, true)); };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp) { return exp32(m, x); })
      .Case([&](math::ErfOp) { return erf32(m, x); })
      .Case([&](math::TanhOp) { return tanh32(m, x); })
      .Case([&](math::LogOp) { return log32(m, x); })
      .Case([&](math::Log1pOp) { return log1p32(m, x); })
      .Case(
          [&](math::RsqrtOp) { return m.div(m.f32(1.0), math::SqrtOp::create(m.b, x)); })
      .Case([&](math::SinOp) { return sine(0); })
      .Case([&](math::CosOp) { return sine(1); })
      .Case([&](math::PowFOp) { return pow32(m, x, op->getOperand(1)); })
      .Case([&](arith::RemFOp) { return fmod32(m, x, op->getOperand(1)); })
      .Default([](Operation *) { return Value(); });
}

static Value expandF64(Operation *op, MathBuilder m) {
  Value x = op->getOperand(0);
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp) { return exp64(m, x); })
      .Case([&](math::ErfOp) { return erf64(m, x); })
      .Case([&](math::TanhOp) { return tanh64(m, x); })
      .Case([&](math::LogOp) { return log64(m, x); })
      .Case([&](math::Log1pOp) { return log1p64(m, x); })
      .Case(
          [&](math::RsqrtOp) { return m.div(m.f64(1.0), math::SqrtOp::create(m.b, x)); })
      .Case([&](math::SinOp) { return sine64(m, x, 0, false); })
      .Case([&](math::CosOp) { return sine64(m, x, 1, false); })
      .Case([&](math::PowFOp) { return pow64(m, x, op->getOperand(1)); })
      .Case([&](arith::RemFOp) { return fmod64(m, x, op->getOperand(1)); })
      .Default([](Operation *) { return Value(); });
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Returns true for ops that move or select narrow floats without arithmetic.
static bool keepsNarrow(Operation *op) {
  return isa<arith::ExtFOp, arith::TruncFOp, arith::BitcastOp, arith::ConstantOp,
             arith::SelectOp>(op);
}

static bool isNarrow(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isBF16() || element.isF16();
}

static bool computesNarrow(Operation *op) {
  return !keepsNarrow(op) && (llvm::any_of(op->getOperandTypes(), isNarrow) ||
                              llvm::any_of(op->getResultTypes(), isNarrow));
}

/// Replaces an op on f16 or bf16 by one on f32. A conversion from an integer is replaced
/// by one to f64, so that rounding to the narrow type happens once.
static Operation *promote(Operation *op, ImplicitLocOpBuilder &b) {
  bool fromInteger = isa<arith::SIToFPOp, arith::UIToFPOp>(op);
  Type element = fromInteger ? b.getF64Type() : b.getF32Type();
  auto wide = [&](Type type) -> Type {
    if (!isNarrow(type))
      return type;
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped ? Type(shaped.clone(element)) : element;
  };
  OperationState state(op->getLoc(), op->getName().getStringRef());
  for (Value operand : op->getOperands())
    state.operands.push_back(
        isNarrow(operand.getType())
            ? arith::ExtFOp::create(b, wide(operand.getType()), operand)
            : operand);
  for (Type type : op->getResultTypes())
    state.addTypes(wide(type));
  state.addAttributes(op->getAttrs());
  Operation *promoted = b.create(state);
  for (auto [from, to] : llvm::zip(op->getResults(), promoted->getResults())) {
    Value result = to;
    if (isNarrow(from.getType()))
      result = arith::TruncFOp::create(b, from.getType(), to);
    from.replaceAllUsesWith(result);
  }
  op->erase();
  return promoted;
}

static bool isScalarOp(Operation *op) {
  return isa<arith::ArithDialect, math::MathDialect>(op->getDialect());
}

/// Returns true for functions that have no formula here for their type, which LLVM would
/// call.
static bool needsFormula(Operation *op) {
  return isa<arith::RemFOp>(op) ||
         (isa<math::MathDialect>(op->getDialect()) &&
          !isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp, math::FloorOp,
               math::FmaOp, math::RoundEvenOp, math::SqrtOp, math::TruncOp,
               math::CountLeadingZerosOp, math::CountTrailingZerosOp, math::CtPopOp>(op));
}

static LogicalResult expand(Operation *op, bool hasScalef) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  if (computesNarrow(op))
    op = promote(op, b);
  b.setInsertionPoint(op);
  Value replacement;
  if (auto truncate = dyn_cast<arith::TruncFOp>(op))
    replacement = expandTruncate(truncate, MathBuilder(b, op->getOperand(0).getType()));
  else if (auto extend = dyn_cast<arith::ExtFOp>(op))
    replacement = expandExtend(extend, MathBuilder(b, op->getOperand(0).getType()));
  else if (needsFormula(op)) {
    Type element = elementOf(op->getOperand(0));
    MathBuilder m(b, op->getOperand(0).getType(), hasScalef);
    if (element.isF32())
      replacement = expandF32(op, m);
    else if (element.isF64())
      replacement = expandF64(op, m);
    if (!replacement) {
      std::string type = llvm::formatv("{0}", element).str();
      return kiln::emitError(
          op->getLoc(), {ErrorCode::NotLowerable, "", "a function without a formula", "",
                         op->getName().getStringRef().str() + " of " + type, ""});
    }
  }
  if (replacement) {
    op->getResult(0).replaceAllUsesWith(replacement);
    op->erase();
  }
  return success();
}

/// Returns true for conversions that LLVM would lower to a call, or that lead to one.
static bool isHardConversion(Operation *op) {
  if (!isa<arith::ExtFOp, arith::TruncFOp>(op))
    return false;
  Type from = elementOf(op->getOperand(0)), to = elementOf(op->getResult(0));
  return from.isBF16() || to.isBF16() || (from.isF64() && to.isF16());
}

namespace {
struct ExpandMathPass : public kiln::impl::ExpandMathPassBase<ExpandMathPass> {
  using ExpandMathPassBase::ExpandMathPassBase;
  LogicalResult initialize(MLIRContext *context) override {
    return checkHostFeatures(*this, features, context);
  }
  void runOnOperation() override {
    bool hasScalef = llvm::is_contained(features, "avx512vl");
    // Repeats because expansions may contain ops that need expansion (a promoted op ends
    // in a truncation).
    for (bool changed = true; changed;) {
      SmallVector<Operation *> work;
      getOperation()->walk([&](Operation *op) {
        if (isScalarOp(op) &&
            (computesNarrow(op) || isHardConversion(op) || needsFormula(op)))
          work.push_back(op);
      });
      changed = !work.empty();
      for (Operation *op : work)
        if (failed(expand(op, hasScalef)))
          return signalPassFailure();
    }
  }
};
} // namespace
