//===- Reduction.cpp - Scalar code of reductions --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

static Value combineFloats(OpBuilder &b, Location loc, const Reduction &reduction,
                           ValueRange values) {
  switch (reduction.kind) {
  case tile::ReduceKind::sum:
    if (reduction.squares)
      return math::FmaOp::create(b, loc, values[1], values[1], values[0]);
    return arith::AddFOp::create(b, loc, values[0], values[1]);
  case tile::ReduceKind::prod:
    return arith::MulFOp::create(b, loc, values[0], values[1]);
  case tile::ReduceKind::max: {
    if (!reduction.ignoresNan)
      return arith::MaximumFOp::create(b, loc, values[0], values[1]);
    // Ordered compare and select are one maximum instruction on x86; it ignores a NaN.
    Value more =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, values[1], values[0]);
    return arith::SelectOp::create(b, loc, more, values[1], values[0]);
  }
  default:
    return arith::MinimumFOp::create(b, loc, values[0], values[1]);
  }
}

static Value combineIntegers(OpBuilder &b, Location loc, const Reduction &reduction,
                             ValueRange values) {
  bool isUnsigned = reduction.isUnsigned;
  switch (reduction.kind) {
  case tile::ReduceKind::sum:
    return arith::AddIOp::create(b, loc, values[0], values[1]);
  case tile::ReduceKind::prod:
    return arith::MulIOp::create(b, loc, values[0], values[1]);
  case tile::ReduceKind::max:
    if (isUnsigned)
      return arith::MaxUIOp::create(b, loc, values[0], values[1]);
    return arith::MaxSIOp::create(b, loc, values[0], values[1]);
  default:
    if (isUnsigned)
      return arith::MinUIOp::create(b, loc, values[0], values[1]);
    return arith::MinSIOp::create(b, loc, values[0], values[1]);
  }
}

Value kiln::codegen::combine(OpBuilder &b, Location loc, const Reduction &reduction,
                             ValueRange values) {
  return isa<FloatType>(values[0].getType()) ? combineFloats(b, loc, reduction, values)
                                             : combineIntegers(b, loc, reduction, values);
}

Node *kiln::codegen::accumulate(Body &body, const Reduction &reduction, Node *accumulator,
                                bool fuses) {
  Node *term = reduction.term;
  fuses &= reduction.kind == tile::ReduceKind::sum && !reduction.squares;
  if (fuses && term->isProduct)
    return body.compute(
        term->type, {accumulator, term->operands[0], term->operands[1]},
        [](OpBuilder &b, Location loc, ValueRange values) -> Value {
          return math::FmaOp::create(b, loc, values[1], values[2], values[0]);
        },
        /*cost=*/1);
  return body.compute(
      term->type, {accumulator, term},
      [reduction](OpBuilder &b, Location loc, ValueRange values) {
        return combine(b, loc, reduction, values);
      },
      /*cost=*/1);
}

tile::ReduceKind kiln::codegen::kindOfParts(const Reduction &reduction) {
  if (!reduction.isUnsigned)
    return reduction.kind;
  if (reduction.kind == tile::ReduceKind::max)
    return tile::ReduceKind::umax;
  return reduction.kind == tile::ReduceKind::min ? tile::ReduceKind::umin
                                                 : reduction.kind;
}

TypedAttr kiln::codegen::neutralOf(const Reduction &reduction) {
  Type type = reduction.term->type;
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    switch (reduction.kind) {
    case tile::ReduceKind::max:
    case tile::ReduceKind::min:
      return FloatAttr::get(
          type, APFloat::getInf(semantics, reduction.kind == tile::ReduceKind::max));
    default:
      return FloatAttr::get(type, reduction.kind == tile::ReduceKind::prod ? 1.0 : 0.0);
    }
  }
  unsigned width = type.getIntOrFloatBitWidth();
  bool isUnsigned = reduction.isUnsigned;
  switch (reduction.kind) {
  case tile::ReduceKind::max:
    return IntegerAttr::get(type, isUnsigned ? APInt::getMinValue(width)
                                             : APInt::getSignedMinValue(width));
  case tile::ReduceKind::min:
    return IntegerAttr::get(type, isUnsigned ? APInt::getMaxValue(width)
                                             : APInt::getSignedMaxValue(width));
  default:
    return IntegerAttr::get(type, APInt(width, reduction.kind == tile::ReduceKind::prod));
  }
}
