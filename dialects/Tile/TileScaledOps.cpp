//===- TileScaledOps.cpp - Products of quantized operands -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Tile/Tile.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::tile;

static bool is(Value operand, ArrayRef<int64_t> shape, Type element) {
  auto type = cast<StagedType>(operand.getType());
  return type.getShape() == shape && type.getElementType() == element;
}

/// Codes of f4E2M1FN on both sides: 64 steps, each operand with as many scales.
static LogicalResult verifyFloat4(ScaledMmaOp op, FragType acc) {
  constexpr int64_t kSteps = 64;
  Builder b(op.getContext());
  int64_t m = acc.getRows(), n = acc.getColumns();
  auto lhs = cast<StagedType>(op.getLhs().getType());
  std::optional<Type> scale = op.getScaleType();
  if (!scale || !isa<Float8E4M3FNType, Float8E8M0FNUType>(*scale) || op.getBits() != 4 ||
      op.getRhsZeros() || op.getE4m3() || op.getFastAccum())
    return op.emitOpError("(C4) expects codes of f4E2M1FN to have 4 bits, a scale_type "
                          "and no zeros");
  int64_t scales = isa<Float8E4M3FNType>(*scale) ? 4 : 2;
  if (!is(op.getLhs(), {m, kSteps}, b.getI8Type()) ||
      !is(op.getLhsScales(), {m, scales}, b.getI8Type()) ||
      op.getLhsTotals().getType() != lhs)
    return op.emitOpError("(C1) expects 64 codes and ")
           << scales << " scales of " << m << " rows, found " << lhs << ", "
           << op.getLhsScales().getType() << " and " << op.getLhsTotals().getType();
  if (!is(op.getRhs(), {kSteps / 8, 4 * n}, b.getI8Type()) ||
      !is(op.getRhsScales(), {1, scales * n}, b.getI8Type()))
    return op.emitOpError("(C2) expects 64 codes and ")
           << scales << " scales of " << n << " columns, found " << op.getRhs().getType()
           << " and " << op.getRhsScales().getType();
  return success();
}

LogicalResult ScaledMmaOp::verify() {
  Builder b(getContext());
  FragType acc = getAccumulator().getType();
  auto lhs = cast<StagedType>(getLhs().getType());
  if (acc.getShape().size() != 2 || !acc.getElementType().isF32())
    return emitOpError("(C3) expects an accumulator MxN of f32, found ") << acc;
  if (getE2m1() &&
      cast<StagedType>(getLhsScales().getType()).getElementType().isInteger(8) &&
      !getE4m3())
    return verifyFloat4(*this, acc);
  int64_t m = acc.getRows(), n = acc.getColumns(), bits = getBits();
  bool isWidth = bits == 4 || (bits == 8 && !getE2m1());
  if (!isWidth || ((getE2m1() || getE4m3()) && getRhsZeros()) ||
      (getE4m3() && bits != (getE2m1() ? 4 : 8)))
    return emitOpError("(C4) expects 4 or 8 bits, or e2m1 of 4 or e4m3 of 8 without "
                       "zeros, found ")
           << bits;
  if (getFastAccum() && (!getE4m3() || hasScales()))
    return emitOpError("(C5) expects fast_accum with e4m3 and without scales");
  int64_t block = lhs.getShape().size() == 2 ? lhs.getShape()[1] : ShapedType::kDynamic;
  if (ShapedType::isDynamic(block) || block % (32 / bits))
    return emitOpError("(C4) expects a block of a multiple of ")
           << 32 / bits << " steps, found " << lhs;
  bool hasNumbers = getE4m3() ? lhs.getElementType().isInteger(8)
                              : isa<Float16Type, BFloat16Type>(lhs.getElementType());
  bool isLhs = hasNumbers ? is(getLhs(), {m, block}, lhs.getElementType()) &&
                                getLhsScales().getType() == lhs &&
                                getLhsTotals().getType() == lhs
                          : !getE4m3() && is(getLhs(), {m, block}, b.getI8Type()) &&
                                is(getLhsScales(), {m, 1}, b.getF32Type()) &&
                                is(getLhsTotals(), {m, 1}, b.getI32Type());
  if (!isLhs)
    return emitOpError("(C1) expects codes, scales and totals of ")
           << m << " rows, found " << lhs << ", " << getLhsScales().getType() << " and "
           << getLhsTotals().getType();
  Type scale = cast<StagedType>(getRhsScales().getType()).getElementType();
  bool isScale = scale.isF16() || scale.isBF16() || scale.isF32();
  if (std::optional<Type> narrow = getScaleType())
    isScale = scale.isInteger(8) && isa<Float8E4M3FNType, Float8E8M0FNUType>(*narrow);
  bool areScales = hasScales() ? isScale && is(getRhsScales(), {1, n}, scale)
                               : getE4m3() && !getE2m1();
  if (!is(getRhs(), {block * bits / 32, 4 * n}, b.getI8Type()) || !areScales ||
      (getRhsZeros() && !is(getRhsZeros(), {1, n}, b.getI8Type())))
    return emitOpError("(C2) expects codes, scales and zeros of ")
           << n << " columns, found " << getRhs().getType() << " and "
           << getRhsScales().getType();
  return success();
}
