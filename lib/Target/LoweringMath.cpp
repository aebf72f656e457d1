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

Value kiln::decodeE4m3(ImplicitLocOpBuilder &b, Value byte) {
  auto like = [&](Type element) {
    auto vector = dyn_cast<VectorType>(byte.getType());
    return vector ? Type(vector.clone(element)) : element;
  };
  Type bits = like(b.getI32Type()), number = like(b.getF32Type());
  auto integer = [&](int64_t value) -> Value {
    auto attr = b.getIntegerAttr(b.getI32Type(), int32_t(value));
    if (auto vector = dyn_cast<VectorType>(bits))
      return arith::ConstantOp::create(b, SplatElementsAttr::get(vector, attr));
    return arith::ConstantOp::create(b, attr);
  };
  constexpr int64_t kSignAndFields = 0x87f00000, kFields = 0x07f00000, kNaN = 0x7fc00000;
  constexpr int64_t kScale = 0x7b800000; // 2^120
  Value wide = arith::ExtSIOp::create(b, bits, byte);
  Value placed = arith::AndIOp::create(b, arith::ShLIOp::create(b, wide, integer(20)),
                                       integer(kSignAndFields));
  Value scaled =
      arith::MulFOp::create(b, arith::BitcastOp::create(b, number, placed),
                            arith::BitcastOp::create(b, number, integer(kScale)));
  Value isNaN = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                      arith::AndIOp::create(b, placed, integer(kFields)),
                                      integer(kFields));
  return arith::SelectOp::create(
      b, isNaN, arith::BitcastOp::create(b, number, integer(kNaN)), scaled);
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
