//===- MathBuilder.h - Formulas on scalars and vectors ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes an expansion read like its formula. Every value of a formula has the shape of its
// operand. Nothing here relies on reassociation or permits it. Private to
// lib/Target/Host.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_HOST_MATHBUILDER_H
#define KILN_LIB_TARGET_HOST_MATHBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

namespace kiln::host {

class MathBuilder {
public:
  using Value = mlir::Value;
  /// `hasScalef`: the target has AVX-512 VL.
  MathBuilder(mlir::ImplicitLocOpBuilder &b, mlir::Type like, bool hasScalef = false)
      : b(b), like(like), hasScalef(hasScalef) {}

  /// Returns the element type in the operand's shape.
  mlir::Type type(mlir::Type element) const {
    auto shaped = mlir::dyn_cast<mlir::ShapedType>(like);
    return shaped ? shaped.clone(element) : element;
  }
  Value constant(mlir::Type element, mlir::Attribute value) {
    if (auto shaped = mlir::dyn_cast<mlir::ShapedType>(type(element)))
      value = mlir::DenseElementsAttr::get(shaped, value);
    return mlir::arith::ConstantOp::create(b, mlir::cast<mlir::TypedAttr>(value));
  }
  Value f32(double value) { return constant(b.getF32Type(), b.getF32FloatAttr(value)); }
  Value f64(double value) { return constant(b.getF64Type(), b.getF64FloatAttr(value)); }
  Value integer(unsigned width, int64_t value) {
    mlir::Type element = b.getIntegerType(width);
    return constant(element, b.getIntegerAttr(element, value));
  }
  Value i32(int64_t value) { return integer(32, value); }
  Value i64(int64_t value) { return integer(64, value); }

  Value add(Value x, Value y) { return mlir::arith::AddFOp::create(b, x, y); }
  Value sub(Value x, Value y) { return mlir::arith::SubFOp::create(b, x, y); }
  Value mul(Value x, Value y) { return mlir::arith::MulFOp::create(b, x, y); }
  Value div(Value x, Value y) { return mlir::arith::DivFOp::create(b, x, y); }
  Value neg(Value x) { return mlir::arith::NegFOp::create(b, x); }
  Value fma(Value x, Value y, Value z) { return mlir::math::FmaOp::create(b, x, y, z); }
  Value abs(Value x) { return mlir::math::AbsFOp::create(b, x); }
  Value select(Value c, Value x, Value y) { return mlir::arith::SelectOp::create(b, c, x, y); }
  /// Ordered comparisons: false if one side is NaN.
  Value less(Value x, Value y) { return compare(mlir::arith::CmpFPredicate::OLT, x, y); }
  Value greater(Value x, Value y) { return compare(mlir::arith::CmpFPredicate::OGT, x, y); }
  Value equal(Value x, Value y) { return compare(mlir::arith::CmpFPredicate::OEQ, x, y); }
  Value isNan(Value x) { return compare(mlir::arith::CmpFPredicate::UNO, x, x); }
  Value compare(mlir::arith::CmpFPredicate predicate, Value x, Value y) {
    return mlir::arith::CmpFOp::create(b, predicate, x, y);
  }
  /// Returns x limited to low..high; NaN stays NaN.
  Value clamp(Value x, Value low, Value high) {
    x = select(less(x, low), low, x);
    return select(greater(x, high), high, x);
  }
  /// Returns c[0] + c[1] x + c[2] x^2 ... by Horner's rule.
  Value polynomial(Value x, llvm::ArrayRef<Value> c) {
    Value sum = c.back();
    for (Value next : llvm::reverse(c.drop_back()))
      sum = fma(sum, x, next);
    return sum;
  }
  Value poly32(Value x, llvm::ArrayRef<double> c) {
    return polynomial(x, llvm::map_to_vector(c, [&](double v) { return f32(v); }));
  }
  Value poly64(Value x, llvm::ArrayRef<double> c) {
    return polynomial(x, llvm::map_to_vector(c, [&](double v) { return f64(v); }));
  }

  Value iadd(Value x, Value y) { return mlir::arith::AddIOp::create(b, x, y); }
  Value isub(Value x, Value y) { return mlir::arith::SubIOp::create(b, x, y); }
  Value band(Value x, Value y) { return mlir::arith::AndIOp::create(b, x, y); }
  Value bor(Value x, Value y) { return mlir::arith::OrIOp::create(b, x, y); }
  Value bxor(Value x, Value y) { return mlir::arith::XOrIOp::create(b, x, y); }
  Value shl(Value x, Value y) { return mlir::arith::ShLIOp::create(b, x, y); }
  Value shr(Value x, Value y) { return mlir::arith::ShRUIOp::create(b, x, y); }
  Value sar(Value x, Value y) { return mlir::arith::ShRSIOp::create(b, x, y); }
  Value iequal(Value x, Value y) {
    return mlir::arith::CmpIOp::create(b, mlir::arith::CmpIPredicate::eq, x, y);
  }

  Value bits(Value x) { // as integers of the same width
    unsigned width = mlir::getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth();
    return mlir::arith::BitcastOp::create(b, type(b.getIntegerType(width)), x);
  }
  Value asF32(Value x) { return mlir::arith::BitcastOp::create(b, type(b.getF32Type()), x); }
  Value asF64(Value x) { return mlir::arith::BitcastOp::create(b, type(b.getF64Type()), x); }
  Value toF64(Value x) { return mlir::arith::ExtFOp::create(b, type(b.getF64Type()), x); }
  Value toF32(Value x) { return mlir::arith::TruncFOp::create(b, type(b.getF32Type()), x); }

  /// Returns true if scaleByPower() takes this vector of f32: by its size, on a target
  /// with vscalefps.
  bool canScaleByPower(Value x) const;
  /// Returns x * 2^n, rounded once, with integers n, by vscalefps (Intel SDM volume 2);
  /// zeros where `isZero`.
  Value scaleByPower(Value x, Value n, Value isZero);

  mlir::ImplicitLocOpBuilder &b;

private:
  mlir::Type like;
  bool hasScalef;
};

/// Formulas on f32, in MathF32.cpp.
mlir::Value exp32(MathBuilder m, mlir::Value x);
mlir::Value erf32(MathBuilder m, mlir::Value x);
mlir::Value tanh32(MathBuilder m, mlir::Value x);
mlir::Value log32(MathBuilder m, mlir::Value x);
mlir::Value log1p32(MathBuilder m, mlir::Value x);
mlir::Value pow32(MathBuilder m, mlir::Value x, mlir::Value y);
mlir::Value fmod32(MathBuilder m, mlir::Value x, mlir::Value y);

/// Formulas on f64, in MathF64.cpp.
mlir::Value exp64(MathBuilder m, mlir::Value x);
mlir::Value log64(MathBuilder m, mlir::Value x);
mlir::Value log1p64(MathBuilder m, mlir::Value x);
mlir::Value erf64(MathBuilder m, mlir::Value x);
mlir::Value tanh64(MathBuilder m, mlir::Value x);
mlir::Value pow64(MathBuilder m, mlir::Value x, mlir::Value y);
mlir::Value fmod64(MathBuilder m, mlir::Value x, mlir::Value y);

/// Returns, for f64, sin(x) if `quadrant` is 0 and cos(x) if it is 1 (Trigonometry.cpp).
/// `fromF32`: x is exactly representable in f32.
mlir::Value sine64(MathBuilder m, mlir::Value x, int64_t quadrant, bool fromF32);

} // namespace kiln::host

#endif // KILN_LIB_TARGET_HOST_MATHBUILDER_H
