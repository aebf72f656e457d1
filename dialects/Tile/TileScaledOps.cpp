//===- TileScaledOps.cpp - Matmuls of quantized operands ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Tile/Tile.h"
#include "dialects/Types/FloatFormat.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::tile;

using Multiplier = ScaledMmaOp::Multiplier;

Multiplier ScaledMmaOp::getMultiplier() {
  if (getLhsType().isInteger())
    return Multiplier::Integers;
  if (isFloat8(getLhsType()))
    return Multiplier::Float8;
  return isFloat4(getLhsType()) ? Multiplier::Float4 : Multiplier::Halves;
}

bool ScaledMmaOp::looksUpCodes() { return isFloat4(getRhsType()); }

bool ScaledMmaOp::multipliesBytes() { return isFloat8(getRhsType()); }

int64_t ScaledMmaOp::getDefaultZero() {
  return looksUpCodes() ? kE2m1Zero : int64_t(1) << (getBits() - 1);
}

/// Whether `operand` has this shape and element type; with a null type, whether it is
/// null.
static bool is(Value operand, ArrayRef<int64_t> shape, Type element) {
  if (!operand || !element)
    return !operand && !element;
  auto type = cast<StagedType>(operand.getType());
  return type.getShape() == shape && type.getElementType() == element;
}

static bool isScaleByte(std::optional<Type> type) {
  return type && (isFloat8(*type) || isPowerOfTwoType(*type));
}

static std::string describe(Value operand) {
  return operand ? llvm::to_string(operand.getType()) : "none";
}

/// (C4): whether a kernel exists for this pair of element types.
static bool isPair(ScaledMmaOp op) {
  Type lhs = op.getLhsType(), rhs = op.getRhsType();
  switch (op.getMultiplier()) {
  case Multiplier::Integers:
  case Multiplier::Halves:
    return (lhs.isSignlessInteger(8) || lhs.isF16() || lhs.isBF16()) &&
           (rhs.isUnsignedInteger(4) || rhs.isUnsignedInteger(8) || op.looksUpCodes());
  case Multiplier::Float8:
    return op.multipliesBytes() || op.looksUpCodes();
  case Multiplier::Float4:
    return op.looksUpCodes();
  }
  llvm_unreachable("every type has a multiplier");
}

/// Number of scales per row or column of the tile.
static int64_t scalesOf(ScaledMmaOp op) {
  constexpr int64_t kSteps = 64, kOfE4m3 = 16, kOfE8m0 = 32;
  if (op.getMultiplier() != Multiplier::Float4 || !isScaleByte(op.getScaleType()))
    return 1;
  return kSteps / (isFloat8(*op.getScaleType()) ? kOfE4m3 : kOfE8m0);
}

/// (C1)
static LogicalResult verifyLhs(ScaledMmaOp op, int64_t m, int64_t block) {
  Builder b(op.getContext());
  Multiplier multiplier = op.getMultiplier();
  Type element = multiplier == Multiplier::Halves ? op.getLhsType() : Type(b.getI8Type());
  Type scale, total;
  if (multiplier == Multiplier::Integers) {
    scale = b.getF32Type();
    total = b.getI32Type();
  } else if (multiplier == Multiplier::Float4) {
    scale = b.getI8Type();
  }
  if (is(op.getLhs(), {m, block}, element) &&
      is(op.getLhsScales(), {m, scalesOf(op)}, scale) &&
      is(op.getLhsTotals(), {m, 1}, total))
    return success();
  return op.emitOpError("(C1) expects ")
         << m << " rows of " << op.getLhsType() << " with the scales and totals of that "
         << "type, found " << describe(op.getLhs()) << ", " << describe(op.getLhsScales())
         << " and " << describe(op.getLhsTotals());
}

/// (C2)
static LogicalResult verifyRhs(ScaledMmaOp op, int64_t n, int64_t block) {
  Builder b(op.getContext());
  Type byte = b.getI8Type(), scale, zero;
  if (Value scales = op.getRhsScales())
    scale = cast<StagedType>(scales.getType()).getElementType();
  if (op.getRhsZeros() && isa<IntegerType>(op.getRhsType()))
    zero = byte;
  bool isScale = op.getScaleType()
                     ? scale == byte && isScaleByte(op.getScaleType())
                     : scale && (scale.isF16() || scale.isBF16() || scale.isF32());
  bool needsScales = !op.multipliesBytes();
  if (is(op.getRhs(), {block * op.getBits() / 32, 4 * n}, byte) &&
      (scale ? isScale : !needsScales) &&
      is(op.getRhsScales(), {1, n * scalesOf(op)}, scale) &&
      is(op.getRhsZeros(), {1, n}, zero))
    return success();
  return op.emitOpError("(C2) expects ")
         << n << " columns of " << op.getRhsType()
         << " with the scales and zeros of that "
         << "type, found " << describe(op.getRhs()) << ", " << describe(op.getRhsScales())
         << " and " << describe(op.getRhsZeros());
}

LogicalResult ScaledMmaOp::verify() {
  FragType acc = getAccumulator().getType();
  if (acc.getShape().size() != 2 || !acc.getElementType().isF32())
    return emitOpError("(C3) expects an accumulator MxN of f32, found ") << acc;
  if (!isPair(*this))
    return emitOpError(
               "(C4) expects i8, f16 or bf16 by ui4, ui8 or f4E2M1FN, f8E4M3FN by "
               "itself or f4E2M1FN, or f4E2M1FN by itself, found ")
           << getLhsType() << " by " << getRhsType();
  auto lhs = cast<StagedType>(getLhs().getType());
  constexpr int64_t kFourByFour = 64;
  int64_t block = lhs.getShape().size() == 2 ? lhs.getShape()[1] : ShapedType::kDynamic;
  if (ShapedType::isDynamic(block) || block % (32 / getBits()) ||
      (getMultiplier() == Multiplier::Float4 && block != kFourByFour))
    return emitOpError("(C4) expects a block of a multiple of ")
           << 32 / getBits() << " steps, of f4E2M1FN by itself 64, found " << lhs;
  if (getFastAccum() && (!multipliesBytes() || getRhsScales()))
    return emitOpError(
        "(C5) expects fast_accum of f8E4M3FN by itself and without scales");
  if (failed(verifyLhs(*this, acc.getRows(), block)))
    return failure();
  return verifyRhs(*this, acc.getColumns(), block);
}
