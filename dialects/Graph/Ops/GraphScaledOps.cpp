//===- GraphScaledOps.cpp - Matmuls of quantized operands -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Inference.h"
#include "dialects/Types/FloatFormat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace kiln::graph;

/// Steps of K that are accumulated separately for a weight without scales, so that sums
/// of low-precision tensor cores keep about the accuracy of f32: up to 128 (four MMA
/// instructions) and a divisor of K.
static int64_t largestBlock(int64_t k) {
  constexpr int64_t kMax = 128, kInstruction = 16, kWord = 4;
  for (int64_t unit : {kInstruction, kWord})
    for (int64_t block = kMax; block >= unit; block -= unit)
      if (k % block == 0)
        return block;
  return k;
}

int64_t ScaledMatmulOp::getAccumulatedSteps() {
  if (getWeightFormat().hasBlocks())
    return isFourByFour() ? kGroup : getWeightFormat().getBlock();
  return largestBlock(getDims(getInput()).back().getConstant().value());
}

int64_t ScaledMatmulOp::getPanelWidth() {
  return getDims(getWeight())[2].getConstant().value();
}

//===----------------------------------------------------------------------===//
// Pairs of formats
//===----------------------------------------------------------------------===//

/// Returns the element types of weights that can be multiplied with an input of this
/// format.
static ArrayRef<StringLiteral> multipliedWith(FormatAttr input) {
  static constexpr StringLiteral kCodes[] = {"ui4", "ui8", "f4E2M1FN", "f6E2M3FN"},
                                 kFloat8[] = {"f8E4M3FN", "f4E2M1FN"},
                                 kFloat4[] = {"f4E2M1FN"};
  if (input.getElement().isSignlessInteger(8) || input.is<Float16Type, BFloat16Type>())
    return kCodes;
  if (input.isFloat8())
    return kFloat8;
  return input.isFloat4() ? ArrayRef(kFloat4) : ArrayRef<StringLiteral>();
}

/// Returns the accumulation formats that matmuls with this input format may have.
static ArrayRef<Accumulation> accumulationsOf(FormatAttr input) {
  static constexpr Accumulation kWide[] = {Accumulation::wide},
                                kOfFloat8[] = {Accumulation::two_level,
                                               Accumulation::fast};
  return input.isFloat8() ? ArrayRef(kOfFloat8) : ArrayRef(kWide);
}

/// (C1)
static LogicalResult checkPair(Loc loc, ScaledMatmulOp::Adaptor op) {
  FormatAttr input = op.getInputFormat(), weight = op.getWeightFormat();
  std::string name = llvm::to_string(weight.getElement());
  ArrayRef<StringLiteral> known = multipliedWith(input);
  if (known.empty())
    return emitOptionalError(loc,
                             "(C1) expected an input of i8, f16, bf16, f8E4M3FN or "
                             "f4E2M1FN, found ",
                             input.getElement());
  if (!llvm::is_contained(known, name))
    return emitOptionalError(loc, "(C1) no kernel multiplies ", input.getElement(),
                             " by ", name, ": expected a weight of ",
                             llvm::join(known, ", "));
  if (!llvm::is_contained(accumulationsOf(input), op.getAccumulation()) ||
      (op.getAccumulation() == Accumulation::fast && weight.hasBlocks()))
    return emitOptionalError(
        loc,
        "(C1) expected wide accumulation, of f8E4M3FN two_level or, of a weight "
        "without scales, fast, found ",
        stringifyAccumulation(op.getAccumulation()));
  return success();
}

//===----------------------------------------------------------------------===//
// graph.scaled_matmul
//===----------------------------------------------------------------------===//

/// Reports (C2) unless `value` is null exactly if `element` is, and otherwise has this
/// element type and these dims.
static LogicalResult checkOperand(Loc loc, StringRef name, Value value, Type element,
                                  const Dims &dims) {
  if (!value && !element)
    return success();
  if (value && element && elementTypeOf(value) == element && getDims(value) == dims)
    return success();
  std::string expected =
      element ? printDims(dims) + " of " + llvm::to_string(element) : std::string("none");
  std::string found = value ? llvm::to_string(value.getType()) : std::string("none");
  return emitOptionalError(loc, "(C2) the format says that the input's ", name, " are ",
                           expected, ", found ", found);
}

/// Type in which elements of an input are stored.
static Type storedInput(FormatAttr format) {
  if (format.isFloat4())
    return IntegerType::get(format.getContext(), 8, IntegerType::Unsigned);
  return format.getElement();
}

/// (C2): the activations.
static LogicalResult checkInput(Loc loc, ScaledMatmulOp::Adaptor op) {
  FormatAttr format = op.getInputFormat();
  Type stored = storedInput(format);
  Dims rows = getDims(op.getInput());
  if (rows.size() < 2 || elementTypeOf(op.getInput()) != stored)
    return emitOptionalError(loc, "(C2) expected an input [..., M, K] of ", stored,
                             ", found ", op.getInput().getType());
  std::optional<int64_t> k = rows.back().getConstant();
  if (!k || *k == 0 || (format.hasBlocks() && *k % format.getBlock()))
    return emitOptionalError(loc, "(C5) expected a known K in blocks of ",
                             format.getBlock(), ", found ", op.getInput().getType());
  Dims ofRow = rows, ofBlock = rows;
  ofRow.back() = 1;
  if (format.hasBlocks())
    ofBlock.back() = *k / format.getBlock();
  Type total = format.isInteger() ? IntegerType::get(format.getContext(), 32) : Type();
  return success(succeeded(checkOperand(loc, "row_scales", op.getRowScales(),
                                        format.getPerRow(), ofRow)) &&
                 succeeded(checkOperand(loc, "scales", op.getScales(), format.getScale(),
                                        ofBlock)) &&
                 succeeded(checkOperand(loc, "totals", op.getTotals(), total, ofBlock)));
}

/// (C5): blocks of both operands.
static LogicalResult checkBlocks(Loc loc, ScaledMatmulOp::Adaptor op, int64_t k) {
  FormatAttr input = op.getInputFormat(), weight = op.getWeightFormat();
  int64_t steps = 32 / weight.getBits(), block = weight.getBlock();
  if (k % steps || (weight.hasBlocks() && (k % block || block % steps)) ||
      (input.hasBlocks() && input.getBlock() != block))
    return emitOptionalError(loc, "(C5) expected K = ", k, " in blocks of a multiple of ",
                             steps, ", the same of both operands, found ",
                             input.getBlock(), " and ", block);
  if (!input.isFloat4())
    return success();
  int64_t own = input.getScale() && kiln::isFloat8(input.getScale()) ? 16 : 32;
  if (k % ScaledMatmulOp::kGroup || block != own || input.getScale() != weight.getScale())
    return emitOptionalError(loc,
                             "(C5) expected K to be a multiple of 64, and scales of both "
                             "operands of f8E4M3FN per 16 or of f8E8M0FNU per 32 steps, "
                             "found ",
                             input, " and ", weight);
  return success();
}

/// Dims of the scales of a weight whose elements have the dims `panels`.
static Dims scaleDims(FormatAttr input, FormatAttr format, const Dims &panels,
                      int64_t k) {
  constexpr int64_t kGroup = ScaledMatmulOp::kGroup;
  if (input.isFloat4())
    return {panels[0], k / kGroup, panels[2], kGroup / format.getBlock()};
  return {panels[0], k / format.getBlock(), panels[2]};
}

/// (C3) to (C5): the weight.
static LogicalResult checkWeight(Loc loc, ScaledMatmulOp::Adaptor op) {
  FormatAttr format = op.getWeightFormat();
  auto byte = IntegerType::get(format.getContext(), 8, IntegerType::Unsigned);
  Type stored = format.isFloat8() ? format.getElement() : Type(byte);
  Dims weight = getDims(op.getWeight());
  bool isStatic = cast<RankedTensorType>(op.getWeight().getType()).hasStaticShape();
  int64_t k = *getDims(op.getInput()).back().getConstant();
  if (weight.size() != 4 || !isStatic || elementTypeOf(op.getWeight()) != stored ||
      !weight[1].isConstant(k * format.getBits() / 32) || !weight[3].isConstant(4))
    return emitOptionalError(loc, "(C3) expected panels [P, ", k * format.getBits() / 32,
                             ", W, 4] of ", stored, ", found ", op.getWeight().getType());
  if (failed(checkBlocks(loc, op, k)))
    return failure();
  Value scales = op.getWeightScales(), zeros = op.getWeightZeros();
  if (bool(scales) != format.hasBlocks() || bool(zeros) != format.getZeroPoint())
    return emitOptionalError(loc,
                             "(C3) expected scales of a weight whose format has "
                             "blocks, and zeros of one with zero points, found ",
                             format);
  if (scales) {
    Dims dims = scaleDims(op.getInputFormat(), format, weight, k);
    if (getDims(scales) != dims || elementTypeOf(scales) != format.getScale())
      return emitOptionalError(loc, "(C3) expected scales ", printDims(dims), " of ",
                               format.getScale(), ", found ", scales.getType());
    if (zeros && (getDims(zeros) != dims || elementTypeOf(zeros) != byte))
      return emitOptionalError(loc, "(C3) expected zeros ", printDims(dims),
                               " of ui8, found ", zeros.getType());
  }
  int64_t width = *weight[2].getConstant(), panels = *weight[0].getConstant(),
          columns = op.getColumns();
  if (columns <= width * (panels - 1) || columns > width * panels)
    return emitOptionalError(loc, "(C4) expected ", width * (panels - 1) + 1, " to ",
                             width * panels, " columns, found ", columns);
  return success();
}

LogicalResult ScaledMatmulOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  if (failed(checkPair(loc, adaptor)) || failed(checkInput(loc, adaptor)) ||
      failed(checkWeight(loc, adaptor)))
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
  FormatAttr format = op.getFormat();
  int64_t bits = format.getBits(), block = format.getBlock();
  QuantizedPart part = op.getPart();
  bool isFloat = format.hasFloatCodes();
  if (block == 0 || !(isFloat || format.getZeroPoint()) ||
      (part == QuantizedPart::zeros && isFloat))
    return emitOptionalError(loc,
                             "(C3) expected blocks of f4E2M1FN, f6E2M3FN, or ui4 or ui8 "
                             "with zero points, and zeros of the latter, found ",
                             stringifyQuantizedPart(part), " of ", format);
  Dims weight = getDims(op.getWeight());
  int64_t k = *weight[0].getConstant(), n = *weight[1].getConstant();
  bool isCut = part != QuantizedPart::unit; // `unit` is one scalar for all blocks
  if (block % (32 / bits) || (isCut && k % block))
    return emitOptionalError(loc, "(C4) expected a block of a multiple of ", 32 / bits,
                             " that divides ", k, ", found ", block);
  if ((part == QuantizedPart::unit && !kiln::isFloat8(format.getScale())) ||
      (op.getUnit() && !format.getPerTensor()))
    return emitOptionalError(loc,
                             "(C5) expected a unit of scales of f8E4M3FN with one "
                             "per tensor, found ",
                             format);
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
    types.push_back(makeTensorType(perBlock, format.getScale()));
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
