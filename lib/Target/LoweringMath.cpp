//===- LoweringMath.cpp - Arithmetic that every target emits --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoweringMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace kiln;
using kiln::tile::ReduceKind;

static std::optional<int64_t> constant(Value value) { return getConstantIntValue(value); }

Value kiln::addIndices(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  if (constant(lhs) == 0)
    return rhs;
  if (constant(rhs) == 0)
    return lhs;
  if (constant(lhs) && constant(rhs))
    return arith::ConstantIndexOp::create(b, *constant(lhs) + *constant(rhs));
  return arith::AddIOp::create(b, lhs, rhs);
}

Value kiln::multiplyIndices(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  if (constant(lhs) == 1 || constant(rhs) == 0)
    return rhs;
  if (constant(rhs) == 1 || constant(lhs) == 0)
    return lhs;
  if (constant(lhs) && constant(rhs))
    return arith::ConstantIndexOp::create(b, *constant(lhs) * *constant(rhs));
  return arith::MulIOp::create(b, lhs, rhs);
}

Value kiln::indexToI64(ImplicitLocOpBuilder &b, Value value) {
  if (std::optional<int64_t> fixed = constant(value))
    return arith::ConstantIntOp::create(b, *fixed, 64);
  return arith::IndexCastOp::create(b, b.getI64Type(), value);
}

Value kiln::combineReduced(ImplicitLocOpBuilder &b, ReduceKind kind, Value lhs,
                           Value rhs) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(lhs.getType()));
  switch (kind) {
  case ReduceKind::sum:
    return isFloat ? arith::AddFOp::create(b, lhs, rhs).getResult()
                   : arith::AddIOp::create(b, lhs, rhs).getResult();
  case ReduceKind::prod:
    return isFloat ? arith::MulFOp::create(b, lhs, rhs).getResult()
                   : arith::MulIOp::create(b, lhs, rhs).getResult();
  case ReduceKind::max:
    return isFloat ? arith::MaximumFOp::create(b, lhs, rhs).getResult()
                   : arith::MaxSIOp::create(b, lhs, rhs).getResult();
  case ReduceKind::min:
    return isFloat ? arith::MinimumFOp::create(b, lhs, rhs).getResult()
                   : arith::MinSIOp::create(b, lhs, rhs).getResult();
  case ReduceKind::umax:
    return arith::MaxUIOp::create(b, lhs, rhs);
  case ReduceKind::umin:
    return arith::MinUIOp::create(b, lhs, rhs);
  case ReduceKind::bit_and:
    return arith::AndIOp::create(b, lhs, rhs);
  case ReduceKind::bit_or:
    return arith::OrIOp::create(b, lhs, rhs);
  }
  llvm_unreachable("every kind is handled");
}
