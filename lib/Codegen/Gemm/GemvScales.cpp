//===- GemvScales.cpp - GEMV with block scales ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each lane processes entire blocks of K of its columns: it reads each scale once and
// multiplies elements of the right operand by it. There are no more of these than
// accumulators, fewer if there are several rows.
//
//===----------------------------------------------------------------------===//

#include "../Expression/Scalar.h"
#include "Gemv.h"
#include "dialects/Types/FloatFormat.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Opens the view of the right operand's scales, blocks x columns, for the bound columns.
/// Packed weights have full panels of scales.
Value GemvEmitter::openScales() {
  const GemmProgram::BlockScales &own = *program.rhsScales;
  emitter.bind(own.step.var, index(0));
  const SymbolicExpr &address = own.scales->index;
  return tile::ViewOp::create(
      b, loc, emitter.memories[own.scales->argument].buffer, emitter.index(address),
      ArrayRef<OpFoldResult>{fold(own.step.extent), b.getIndexAttr(config.getColumns())},
      ArrayRef<OpFoldResult>{fold(*coefficientOf(address, own.step.var)),
                             b.getIndexAttr(1)});
}

/// Multiplies narrow floats by power-of-two scales, which is exact.
Value GemvEmitter::times(Value numbers, Value scales) {
  return tile::MapOp::create(
             b, loc, TypeRange{numbers.getType()}, ValueRange{numbers, scales},
             [&](OpBuilder &inner, Location where, ValueRange x) -> Values {
               return {arith::MulFOp::create(inner, where, x[0], x[1])};
             })
      .getResult(0);
}

/// Loads scales and converts them to the accumulators' type. Masked elements are
/// arbitrary but not NaN.
Value GemvEmitter::loadScales(Value view, Value at, ArrayRef<int64_t> masked) {
  Type byte = cast<tile::ViewType>(view.getType()).getElementType();
  Value pad;
  if (!masked.empty())
    pad = arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(byte)));
  Value bytes =
      tile::LoadOp::create(b, loc, tileType(byte), view, place(at), pad, masked);
  return fragmentCast(b, loc, bytes, powerOfTwoType(b.getContext()), program.accumulator);
}

/// Multiplies one block of K per lane: loads its scales once, then processes `phases`
/// steps at a time.
GemvEmitter::Values GemvEmitter::multiplyBlocks(const Views &views, Value at,
                                                const Masks &masks,
                                                ValueRange accumulators) {
  NodeEmitter::Scope scope(emitter);
  blockScales = loadScales(views.scales, at, masks.right);
  Values next = forSteps(index(0), index(rowSteps() / phases), index(1), accumulators,
                         [&](Value part, ValueRange carried) {
                           blockPart = part;
                           return multiply(views, at, 1, masks, carried);
                         });
  blockPart = blockScales = Value();
  return next;
}
