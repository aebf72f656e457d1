//===- AffineToArith.cpp - Affine expressions to arith --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AffineToArith.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

Value kiln::expandAffine(ImplicitLocOpBuilder &b, AffineExpr expr, ValueRange operands,
                         unsigned dims) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[dims + symbol.getPosition()];
  if (auto fixed = dyn_cast<AffineConstantExpr>(expr))
    return arith::ConstantIndexOp::create(b, fixed.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs = expandAffine(b, binary.getLHS(), operands, dims);
  Value rhs = expandAffine(b, binary.getRHS(), operands, dims);
  if (expr.getKind() == AffineExprKind::Add)
    return arith::AddIOp::create(b, lhs, rhs);
  if (expr.getKind() == AffineExprKind::Mul)
    return arith::MulIOp::create(b, lhs, rhs);
  if (expr.getKind() == AffineExprKind::CeilDiv) {
    Value one = arith::ConstantIndexOp::create(b, 1);
    lhs = arith::AddIOp::create(b, lhs, arith::SubIOp::create(b, rhs, one));
  }
  // floor(lhs / rhs) for rhs > 0 is the truncated quotient, minus one if the remainder is
  // negative.
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value remainder = arith::RemSIOp::create(b, lhs, rhs);
  Value negative = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, remainder, zero);
  if (expr.getKind() == AffineExprKind::Mod)
    return arith::AddIOp::create(b, remainder,
                                 arith::SelectOp::create(b, negative, rhs, zero));
  Value one = arith::ConstantIndexOp::create(b, 1);
  return arith::SubIOp::create(b, arith::DivSIOp::create(b, lhs, rhs),
                               arith::SelectOp::create(b, negative, one, zero));
}
