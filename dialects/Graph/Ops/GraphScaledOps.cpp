//===- GraphScaledOps.cpp - Products of quantized operands ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Inference.h"

using namespace mlir;
using namespace kiln::graph;

bool ScaledMatmulOp::isFloat8() {
  return isa<Float8E4M3FNType>(elementTypeOf(getInput()));
}

bool ScaledMatmulOp::hasBlockScales() { return getWeightScales() != getWeight(); }

/// Without scales, as many steps as have about the bits of f32 in any sum of tensor
/// cores: four of their instructions, or what divides K.
static int64_t largestBlock(int64_t k) {
  constexpr int64_t kMax = 128, kInstruction = 16, kWord = 4;
  for (int64_t unit : {kInstruction, kWord})
    for (int64_t block = kMax; block >= unit; block -= unit)
      if (k % block == 0)
        return block;
  return k;
}

int64_t ScaledMatmulOp::getBlock() {
  int64_t k = getDims(getInput()).back().getConstant().value();
  if (!hasBlockScales())
    return largestBlock(k);
  return k / getDims(getWeightScales())[1].getConstant().value();
}

int64_t ScaledMatmulOp::getPanelWidth() {
  return getDims(getWeight())[2].getConstant().value();
}

/// The largest number of f4E2M1FN in halves, with which codes are not negative. Dialects
/// include no library: kiln::kE2m1Zero is the same for those who compute with it.
static constexpr int64_t kLargestE2m1 = 12;

int64_t ScaledMatmulOp::getDefaultZero() {
  return getE2m1() ? kLargestE2m1 : int64_t(1) << (getBits() - 1);
}

/// Codes are of 4 or 8 bits, those of f4E2M1FN of 4.
static bool isCodeWidth(int64_t bits, bool isE2m1) {
  return bits == 4 || (bits == 8 && !isE2m1);
}

static bool isScaleType(Type type) {
  return type.isF16() || type.isBF16() || type.isF32() ||
         isa<Float8E4M3FNType, Float8E8M0FNUType>(type);
}

//===----------------------------------------------------------------------===//
// graph.scaled_matmul
//===----------------------------------------------------------------------===//

/// Numbers, which have no scales.
static bool hasHalves(ScaledMatmulOp::Adaptor op) {
  return isa<Float16Type, BFloat16Type>(elementTypeOf(op.getInput()));
}

static bool isFloat8(ScaledMatmulOp::Adaptor op) {
  return isa<Float8E4M3FNType>(elementTypeOf(op.getInput()));
}

/// (C1) of activations of f8E4M3FN.
static LogicalResult checkFloat8Input(Loc loc, ScaledMatmulOp::Adaptor op) {
  Dims rows = getDims(op.getInput());
  rows.back() = 1;
  if (!elementTypeOf(op.getScales()).isF32() || getDims(op.getScales()) != rows ||
      op.getTotals() != op.getInput())
    return emitOptionalError(loc,
                             "(C1) expected a scale of f32 per row and the input itself "
                             "in place of totals, found ",
                             op.getScales().getType(), " and ", op.getTotals().getType());
  return success();
}

/// Codes of f4E2M1FN, with scales per block as well.
static bool isFloat4(ScaledMatmulOp::Adaptor op) {
  return elementTypeOf(op.getInput()).isUnsignedInteger(8);
}

/// (C1) and (C3) of f4E2M1FN on both sides: scales of one type, in groups of 64 steps.
static LogicalResult checkFloat4(Loc loc, ScaledMatmulOp::Adaptor op) {
  constexpr int64_t kGroup = 64;
  Dims rows = getDims(op.getInput()), ofRows = rows,
       weight = getDims(op.getWeightScales());
  Type element = elementTypeOf(op.getTotals());
  int64_t block = isa<Float8E4M3FNType>(element) ? 16 : 32;
  auto k = rows.back().getConstant();
  rows.back() = 1;
  ofRows.back() = k.value_or(0) / block;
  if (!k || *k % kGroup || !elementTypeOf(op.getScales()).isF32() ||
      getDims(op.getScales()) != rows || getDims(op.getTotals()) != ofRows ||
      !isa<Float8E4M3FNType, Float8E8M0FNUType>(element))
    return emitOptionalError(loc,
                             "(C1) expected K to be a multiple of 64, a scale of f32 per "
                             "row, and per block one of f8E4M3FN (16 steps) or f8E8M0FNU "
                             "(32), found ",
                             op.getInput().getType(), ", ", op.getScales().getType(),
                             " and ", op.getTotals().getType());
  if (!op.getE2m1() || op.getWeightZeros() || weight.size() != 4 ||
      elementTypeOf(op.getWeightScales()) != element ||
      !weight[1].isConstant(*k / kGroup) || !weight[3].isConstant(kGroup / block))
    return emitOptionalError(loc,
                             "(C3) expected e2m1, no zero points and scales "
                             "[P, K / 64, W, 64 / B] of the type of the activations', "
                             "found ",
                             op.getWeightScales().getType());
  return success();
}

/// (C1): the activations.
static LogicalResult checkInput(Loc loc, ScaledMatmulOp::Adaptor op) {
  Dims rows = getDims(op.getInput());
  Type input = elementTypeOf(op.getInput());
  if (rows.size() < 2 ||
      !(input.isSignlessInteger(8) || hasHalves(op) || isFloat8(op) || isFloat4(op)))
    return emitOptionalError(
        loc, "(C1) expected i8, ui8, f16, bf16 or f8E4M3FN and rank 2 at least, found ",
        op.getInput().getType());
  if (isFloat4(op))
    return checkFloat4(loc, op);
  if (isFloat8(op))
    return checkFloat8Input(loc, op);
  if (hasHalves(op)) {
    for (Value none : {op.getScales(), op.getTotals()})
      if (none.getType() != op.getInput().getType())
        return emitOptionalError(
            loc, "(C1) expected the input itself in place of scales and totals, found ",
            none.getType());
    return success();
  }
  for (auto [value, isFloat] :
       {std::pair(op.getScales(), true), {op.getTotals(), false}}) {
    Type element = elementTypeOf(value);
    if (isFloat ? !element.isF32() : !element.isSignlessInteger(32))
      return emitOptionalError(
          loc, "(C1) expected scales of f32 and totals of i32, found ", value.getType());
    Dims dims = getDims(value);
    if (ArrayRef(dims).drop_back() != ArrayRef(rows).drop_back() ||
        dims.back() != getDims(op.getScales()).back())
      return emitOptionalError(loc,
                               "(C1) expected a scale and a sum per row and block of ",
                               op.getInput().getType(), ", found ", value.getType());
  }
  return success();
}

/// (C2) to (C4): the weight; (C5): how both are cut into blocks.
static LogicalResult checkWeight(Loc loc, ScaledMatmulOp::Adaptor op) {
  Dims weight = getDims(op.getWeight());
  int64_t bits = op.getBits();
  Type stored = elementTypeOf(op.getWeight());
  bool hasNumbers = isFloat8(op) && !op.getE2m1();
  bool isStored = hasNumbers ? stored == elementTypeOf(op.getInput()) && bits == 8
                             : stored.isUnsignedInteger(8);
  if (!isCodeWidth(bits, op.getE2m1()) || weight.size() != 4 ||
      !weight[3].isConstant(4) || !isStored)
    return emitOptionalError(
        loc,
        "(C2) expected 4 or 8 bits (e2m1: 4) in panels "
        "[P, K / c, W, 4] of ui8, or as the input of f8E4M3FN (e2m1: ui8), found ",
        bits, " bits in ", op.getWeight().getType());
  bool isScale = op.getWeightScales() == op.getWeight();
  if ((isScale && !hasNumbers) || (op.getFastAccum() && !isScale) ||
      (isFloat8(op) && op.getWeightZeros()))
    return emitOptionalError(loc,
                             "(C3) expected a weight of f8E4M3FN to have neither zero "
                             "points nor, with fast_accum, scales, and others to have "
                             "them");
  Dims scales = getDims(op.getWeightScales());
  if (isScale) // as if all of K had one
    scales = {weight[0], 1, weight[2]};
  if (isFloat4(op)) // a group of scales
    scales.pop_back();
  Type element = elementTypeOf(op.getWeightScales());
  if (scales.size() != 3 || !isScaleType(element))
    return emitOptionalError(loc, "(C3) expected scales [P, K / B, W] of floats, found ",
                             op.getWeightScales().getType());
  if (Value zeros = op.getWeightZeros();
      zeros && (getDims(zeros) != scales || !elementTypeOf(zeros).isUnsignedInteger(8) ||
                op.getE2m1()))
    return emitOptionalError(loc,
                             "(C3) expected zero points of ui8 as many as scales, and "
                             "none for e2m1, found ",
                             zeros.getType());
  auto k = getDims(op.getInput()).back().getConstant();
  auto panels = weight[0].getConstant(), words = weight[1].getConstant(),
       width = weight[2].getConstant(), blocks = scales[1].getConstant();
  if (!k || !panels || !words || !width || !blocks)
    return emitOptionalError(loc, "(C5) expected a known K and static weights");
  int64_t steps = 32 / bits, columns = op.getColumns();
  if (scales[0] != weight[0] || scales[2] != weight[2] ||
      columns <= *width * (*panels - 1) || columns > *width * *panels)
    return emitOptionalError(loc, "(C4) expected scales in the panels of the weight and ",
                             *width * (*panels - 1) + 1, " to ", *width * *panels,
                             " columns, found ", op.getWeightScales().getType(), " and ",
                             columns);
  bool divides = *blocks > 0 && *k > 0 && *k % *blocks == 0 && *k / *blocks % steps == 0;
  if (*words * steps != *k || !divides ||
      (elementTypeOf(op.getInput()).isSignlessInteger(8) &&
       getDims(op.getScales()).back() != scales[1]))
    return emitOptionalError(
        loc, "(C5) expected K = ", *k, " in blocks of a multiple of ", steps,
        " and as many scales of both operands, found ", op.getScales().getType(), ", ",
        op.getWeight().getType(), " and ", op.getWeightScales().getType());
  return success();
}

LogicalResult ScaledMatmulOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  if (failed(checkInput(loc, adaptor)) || failed(checkWeight(loc, adaptor)))
    return failure();
  Dims dims = getDims(adaptor.getInput());
  dims.back() = adaptor.getColumns();
  types.push_back(makeTensorType(dims, Float32Type::get(context)));
  return success();
}

//===----------------------------------------------------------------------===//
// graph.quantize_weight
//===----------------------------------------------------------------------===//

int64_t QuantizeWeightOp::getK() { return *getDims(getWeight())[0].getConstant(); }
int64_t QuantizeWeightOp::getColumns() { return *getDims(getWeight())[1].getConstant(); }

/// (C1) and (C2): the operands.
static LogicalResult checkOperands(Loc loc, QuantizeWeightOp::Adaptor op) {
  auto weight = cast<RankedTensorType>(op.getWeight().getType());
  if (weight.getRank() != 2 || !weight.hasStaticShape() || weight.getNumElements() == 0)
    return emitOptionalError(loc, "(C1) expected a static matrix, found ", weight);
  if (Value unit = op.getUnit(); unit && !getDims(unit).empty())
    return emitOptionalError(loc, "(C1) expected a scalar unit, found ", unit.getType());
  Dims square(2, weight.getShape()[0]);
  if (Value factor = op.getFactor(); factor && getDims(factor) != square)
    return emitOptionalError(loc, "(C2) expected a factor of ", weight.getShape()[0],
                             " rows and columns, found ", factor.getType());
  return success();
}

LogicalResult QuantizeWeightOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                                 Adaptor op,
                                                 SmallVectorImpl<Type> &types) {
  if (failed(checkOperands(loc, op)))
    return failure();
  int64_t bits = op.getBits(), block = op.getBlock();
  QuantizedPart part = op.getPart();
  bool isFloat = op.getE2m1() || op.getE2m3();
  if (!isCodeWidth(bits, op.getE2m1()) || (isFloat && part == QuantizedPart::zeros))
    return emitOptionalError(
        loc, "(C3) expected 4 or 8 bits, or e2m1 of 4 without zeros, found ", bits,
        " bits");
  if (op.getE2m3() && (bits != 8 || op.getE2m1()))
    return emitOptionalError(loc, "(C3) expected e2m3 alone and of 8 bits, found ", bits,
                             " bits", op.getE2m1() ? " and e2m1" : "");
  Dims weight = getDims(op.getWeight());
  int64_t k = *weight[0].getConstant(), n = *weight[1].getConstant();
  bool isCut = part != QuantizedPart::unit; // which is one for all blocks
  if (block <= 0 || block % (32 / bits) || (isCut && k % block))
    return emitOptionalError(loc, "(C4) expected a block of a multiple of ", 32 / bits,
                             " that divides ", k, ", found ", block);
  if (!isScaleType(op.getScaleType()) ||
      (part == QuantizedPart::unit && !isa<Float8E4M3FNType>(op.getScaleType())))
    return emitOptionalError(loc, "(C5) expected a type of scales, found ",
                             op.getScaleType());
  bool searches = part == QuantizedPart::multipliers;
  if (((searches || part == QuantizedPart::unit) && op.getUnit()) ||
      (searches && !op.getFactor()) || (part == QuantizedPart::unit && op.getFactor()))
    return emitOptionalError(
        loc, "(C6) expected a factor of multipliers, a unit of neither and of no unit");
  int64_t panels = llvm::divideCeil(n, QuantizeWeightOp::kWidth);
  Type byte = IntegerType::get(context, 8, IntegerType::Unsigned);
  Dims perBlock{panels, k / block, QuantizeWeightOp::kWidth};
  switch (part) {
  case QuantizedPart::codes:
    types.push_back(
        makeTensorType({panels, k * bits / 32, QuantizeWeightOp::kWidth, 4}, byte));
    break;
  case QuantizedPart::scales:
    types.push_back(makeTensorType(perBlock, op.getScaleType()));
    break;
  case QuantizedPart::zeros:
    types.push_back(makeTensorType(perBlock, byte));
    break;
  case QuantizedPart::unit:
    types.push_back(makeTensorType({}, Float32Type::get(context)));
    break;
  case QuantizedPart::multipliers:
    types.push_back(makeTensorType({k}, Float32Type::get(context)));
    break;
  }
  return success();
}
