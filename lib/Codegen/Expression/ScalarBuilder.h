//===- ScalarBuilder.h - Arithmetic on one element --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes scalar code read like its formula. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_EXPRESSION_SCALARBUILDER_H
#define KILN_CODEGEN_EXPRESSION_SCALARBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace kiln::codegen {

struct ScalarBuilder {
  using Value = mlir::Value;

  ScalarBuilder(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type, bool isUnsigned)
      : b(b), loc(loc), type(type), isFloat(mlir::isa<mlir::FloatType>(type)),
        isUnsigned(isUnsigned) {}

  template <typename OpTy, typename... Values> Value make(Values... values) {
    return OpTy::create(b, loc, values...);
  }
  /// Returns a constant of the builder's type.
  Value number(double value) {
    if (isFloat)
      return mlir::arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
    return integer(static_cast<int64_t>(value));
  }
  Value integer(int64_t value) {
    return mlir::arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
  }
  Value integer(const llvm::APInt &value) {
    return mlir::arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
  }

  Value add(Value x, Value y) {
    return isFloat ? make<mlir::arith::AddFOp>(x, y) : make<mlir::arith::AddIOp>(x, y);
  }
  Value sub(Value x, Value y) {
    return isFloat ? make<mlir::arith::SubFOp>(x, y) : make<mlir::arith::SubIOp>(x, y);
  }
  Value mul(Value x, Value y) {
    return isFloat ? make<mlir::arith::MulFOp>(x, y) : make<mlir::arith::MulIOp>(x, y);
  }
  Value div(Value x, Value y) { return make<mlir::arith::DivFOp>(x, y); }
  Value neg(Value x) { return make<mlir::arith::NegFOp>(x); }
  Value select(Value condition, Value x, Value y) {
    return make<mlir::arith::SelectOp>(condition, x, y);
  }

  /// Comparisons with a NaN are false, except `different`.
  Value less(Value x, Value y) {
    using Integer = mlir::arith::CmpIPredicate;
    return isFloat ? compareFloats(mlir::arith::CmpFPredicate::OLT, x, y)
                   : compareIntegers(isUnsigned ? Integer::ult : Integer::slt, x, y);
  }
  Value lessOrEqual(Value x, Value y) {
    using Integer = mlir::arith::CmpIPredicate;
    return isFloat ? compareFloats(mlir::arith::CmpFPredicate::OLE, x, y)
                   : compareIntegers(isUnsigned ? Integer::ule : Integer::sle, x, y);
  }
  Value equal(Value x, Value y) {
    return isFloat ? compareFloats(mlir::arith::CmpFPredicate::OEQ, x, y)
                   : compareIntegers(mlir::arith::CmpIPredicate::eq, x, y);
  }
  Value different(Value x, Value y) {
    return isFloat ? compareFloats(mlir::arith::CmpFPredicate::UNE, x, y)
                   : compareIntegers(mlir::arith::CmpIPredicate::ne, x, y);
  }
  Value compareFloats(mlir::arith::CmpFPredicate predicate, Value x, Value y) {
    return make<mlir::arith::CmpFOp>(predicate, x, y);
  }
  Value compareIntegers(mlir::arith::CmpIPredicate predicate, Value x, Value y) {
    return make<mlir::arith::CmpIOp>(predicate, x, y);
  }

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Type type;
  bool isFloat, isUnsigned;
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_EXPRESSION_SCALARBUILDER_H
