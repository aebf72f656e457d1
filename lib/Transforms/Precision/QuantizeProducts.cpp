//===- QuantizeProducts.cpp - Quantizes matmuls ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/rationale/quantization.md explains the choice of blocks, scales and layouts.
//
//===----------------------------------------------------------------------===//

#include "PrecisionLog.h"
#include "ScaledOperands.h"
#include "dialects/Graph/Reports.h"
#include "dialects/Types/FloatFormat.h"
#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Reference/ResultChange.h"
#include "kiln/Transforms/Bake/DividedWeight.h"
#include "kiln/Transforms/Bake/ScaledLayout.h"
#include "kiln/Transforms/Graph/Passes.h"

#include <cmath>

namespace kiln {
#define GEN_PASS_DEF_QUANTIZEPRODUCTSPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kQuantizeProductsPass = "kiln-quantize-products";
/// Steps of K per kernel step if both operands are f8E4M3FN.
static constexpr int64_t kFloat8Steps = 16;
/// Steps of K per kernel step if both operands are f4E2M1FN and MMA takes their scales.
static constexpr int64_t kGroupSteps = 64;

namespace {
class ProductQuantizer {
public:
  ProductQuantizer(func::FuncOp main, const PrecisionPolicy &options,
                   PolicyReader &policy, bool float8InTf32, bool takesScales)
      : main(main), options(options), policy(policy), float8InTf32(float8InTf32),
        takesScales(takesScales), builder(main.getContext()),
        divided(main->getParentOfType<ModuleOp>()) {}
  PrecisionReport run();

private:
  void quantize(MatmulOp op);
  /// Quantize a weight to f8E4M3FN with activations of f32, and of f8E4M3FN.
  void toFloat8(MatmulOp op, const WeightFormat &format);
  void toFloat8Both(MatmulOp op, const WeightFormat &format);
  Value unitOf(Value weight);
  /// f8E4M3FN elements, with one f32 scale per weight or one scale per block.
  struct Float8Weight {
    Value numbers, scale, blockScales;
    uint64_t bytes() const;
  };
  Float8Weight float8Weight(Value matrix, const WeightFormat &format, LayoutWriter &w);
  Float8Weight blockScaledWeight(Value matrix, const WeightFormat &format,
                                 LayoutWriter &w);
  Value roundToE3m2(Value x, LayoutWriter &w);
  Value widen(Value bytes, LayoutWriter &w);
  void report(Operation *op, const WeightFormat &format, const std::string &activations,
              const std::string &text, Value before, uint64_t bytes, int64_t block,
              const ActivationRange *range = nullptr);
  /// Returns the 16-bit type of the activations that quantized weights are multiplied
  /// with; null if activations are quantized, too.
  Type halfOf(MatmulOp op);
  /// Matrix that a weight's quantized elements, scales and zero points are computed from;
  /// `factor` and `unit` may be null.
  struct Source {
    Value matrix, factor, unit;
    const WeightFormat &format;
    int64_t block;
    MeshAxis ranks; ///< if `matrix` is an entire weight: ranks that divide K of the
                    ///< results
  };
  /// Returns a rank's part, along the axis that is K, of a value computed from a source.
  Value ownPart(const Source &source, Value value, int64_t axis);
  /// Whether samples of a matmul's activations exist. If ranks divide K but the samples
  /// are those of one rank, sets `source` to the entire weight.
  bool hasSamples(const CalibratedInput *input, int64_t k, Source &source);
  QuantizedWeight weight(const Source &source, Location product);
  /// Quantized activations of a matmul, with their name and a description for reports.
  struct Left {
    QuantizedActivation operand;
    std::string name, how;
  };
  Left leftOf(Value left, const WeightFormat &format, int64_t block,
              const ActivationRange *range);
  Left float8LeftOf(Value left, const ActivationRange *range);
  /// Returns the range of the static scale of a matmul's activations; null if there is
  /// none.
  const ActivationRange *rangeOf(Location loc) const;
  std::string describe(const ActivationRange &range) const;
  /// Whether MMA instructions take the scales of activations and of the weight.
  bool inGroups(Value left);
  Value part(QuantizedPart part, const Source &source);
  /// AWQ: multiplies the rows of the weight by factors; returns their inverses [K], with
  /// which the activations must be multiplied.
  Value balance(Source &source, Value hessian);
  /// SmoothQuant: the same, with factors from the largest magnitude of each channel, [K].
  Value smooth(Source &source, Value largest);
  Value takeMultipliers(Source &source, Value multipliers);
  /// Returns the calibration data of a matmul's activations; null if there is none.
  const CalibratedInput *calibrated(Location loc) const;
  Value matrix(const CalibratedInput &input);
  Value calibratedWeight(const CalibratedInput &input, ArrayRef<int64_t> shape);
  /// Returns the calibrated scale of `value`, created once, directly after it.
  Value staticScale(const ActivationRange &range, Value value);

  func::FuncOp main;
  const PrecisionPolicy &options;
  PolicyReader &policy;
  bool float8InTf32, takesScales;
  OpBuilder builder;
  DividedWeights divided;
  ActivationQuantizer activations;
  llvm::DenseMap<const CalibratedInput *, WeightOp> matrices;
  llvm::DenseMap<Value, Value> staticScales;
  /// The first matmul that reads each weight; equal quantized weights are computed once,
  /// for it.
  llvm::DenseMap<Value, std::string> firstOf;
  PrecisionLog log{kQuantizeProductsPass, "quantize"};
};
} // namespace

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

Value ProductQuantizer::part(QuantizedPart part, const Source &source) {
  return QuantizeWeightOp::create(
      builder, source.matrix.getLoc(), part, source.matrix, source.factor, source.unit,
      source.format.get(builder.getContext(), source.block),
      /*clip=*/part != QuantizedPart::multipliers && options.algorithm != "rtn");
}

QuantizedWeight ProductQuantizer::weight(const Source &source, Location product) {
  QuantizedWeight result;
  result.format =
      source.format.get(builder.getContext(), source.block).withoutPerTensor();
  result.panels = part(QuantizedPart::codes, source);
  // The location is that of the matmul, whose name identifies the measured error.
  result.panels.getDefiningOp()->setLoc(product);
  result.panels = ownPart(source, result.panels, /*axis=*/1);
  result.scales = ownPart(source, part(QuantizedPart::scales, source), /*axis=*/1);
  if (source.format.hasZeros())
    result.zeros = ownPart(source, part(QuantizedPart::zeros, source), /*axis=*/1);
  return result;
}

const CalibratedInput *ProductQuantizer::calibrated(Location loc) const {
  if (!options.calibrates() || !options.calibration)
    return nullptr;
  for (const std::string &node : nodeNames(loc))
    if (auto found = options.calibration->find(node); found != options.calibration->end())
      return found->second.get();
  return nullptr;
}

const ActivationRange *ProductQuantizer::rangeOf(Location loc) const {
  if (!options.ranges)
    return nullptr;
  for (const std::string &node : nodeNames(loc))
    if (auto found = options.ranges->find(node); found != options.ranges->end())
      return &found->second;
  return nullptr;
}

/// Returns " with a static scale (mse) up to 3.25, which 0.0120 % of the samples exceed".
std::string ProductQuantizer::describe(const ActivationRange &range) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  double share = range.values ? 100.0 * range.saturated / range.values : 0;
  os << " with a static scale";
  if (!options.range.empty())
    os << " (" << options.range << ")";
  os << " up to " << llvm::format("%.4g", range.limit);
  if (range.values)
    os << ", which " << llvm::format("%.4f", share) << " % of the samples exceed";
  return text;
}

Value ProductQuantizer::staticScale(const ActivationRange &range, Value value) {
  Value &scale = staticScales[value];
  if (!scale) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(value);
    scale = calibratedWeight(*range.scale, {});
  }
  return scale;
}

Value ProductQuantizer::matrix(const CalibratedInput &input) {
  SmallVector<int64_t> shape(options.algorithm == "smoothquant" ? 1 : 2, input.k);
  return calibratedWeight(input, shape);
}

/// Creates a weight with calibration data.
Value ProductQuantizer::calibratedWeight(const CalibratedInput &input,
                                         ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, builder.getF32Type());
  WeightOp &weight = matrices[&input];
  if (!weight) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(main);
    std::string name = "calibration." + std::to_string(matrices.size());
    weight = WeightOp::create(
        builder, main.getLoc(), name, type, builder.getStringAttr(kCalibrationFile),
        builder.getI64IntegerAttr(0),
        builder.getI64IntegerAttr(type.getNumElements() * sizeof(float)),
        builder.getStringAttr(input.hash));
  }
  return GetWeightOp::create(builder, main.getLoc(), type, weight.getSymName());
}

Value ProductQuantizer::balance(Source &source, Value hessian) {
  source.factor = hessian;
  Value multipliers = part(QuantizedPart::multipliers, source);
  source.factor = Value();
  return takeMultipliers(source, multipliers);
}

/// Computes sqrt(max |x[k]| / max |w[k]|). Both maxima are limited from below to 2^-20 of
/// the largest channel, to avoid division by zero for channels that are always zero.
Value ProductQuantizer::smooth(Source &source, Value largest) {
  LayoutWriter w(builder, source.matrix.getLoc());
  Type f32 = builder.getF32Type();
  auto atLeast = [&](Value magnitudes) {
    Value floor = w.binary(BinaryKind::mul,
                           w.reduce(ReduceKind::max, magnitudes, 0, /*keepDims=*/true),
                           w.number(std::ldexp(1, -20), f32));
    floor = w.binary(BinaryKind::max, floor, w.number(std::ldexp(1, -100), f32));
    return w.binary(BinaryKind::max, magnitudes, floor);
  };
  Value weights = w.reduce(ReduceKind::max, w.unary(UnaryKind::abs, source.matrix),
                           /*axis=*/1, /*keepDims=*/false);
  Value quotient = w.binary(BinaryKind::div, atLeast(largest), atLeast(weights));
  return takeMultipliers(source, w.unary(UnaryKind::sqrt, quotient));
}

/// Multiplies rows of the weight by the multipliers; returns their inverses.
Value ProductQuantizer::takeMultipliers(Source &source, Value multipliers) {
  Location loc = source.matrix.getLoc();
  Value column = reshapeTo(builder, loc, multipliers, {getDims(multipliers)[0], 1});
  source.matrix = BinaryOp::create(builder, loc, BinaryKind::mul, source.matrix, column);
  Value one = makeSplat(builder, loc, builder.getF32Type(), 1);
  return ownPart(source,
                 BinaryOp::create(builder, loc, BinaryKind::div, one, multipliers),
                 /*axis=*/0);
}

Value ProductQuantizer::ownPart(const Source &source, Value value, int64_t axis) {
  return source.ranks.size == 1 ? value
                                : divided.divide(builder, value, axis, source.ranks);
}

/// GPTQ also compensates errors of other ranks' rows, so the entire weight is quantized
/// as on one rank.
bool ProductQuantizer::hasSamples(const CalibratedInput *input, int64_t k,
                                  Source &source) {
  if (!input || input->k == k)
    return input;
  auto [whole, ranks] = divided.wholeOf(builder, source.matrix);
  if (!whole || input->k != k * ranks.size)
    return false;
  source.matrix = whole;
  source.ranks = ranks;
  return true;
}

static uint64_t weightBytes(Value weight) {
  auto type = cast<RankedTensorType>(weight.getType());
  return type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

//===----------------------------------------------------------------------===//
// Matmuls
//===----------------------------------------------------------------------===//

/// Name of the element type, and of the scales, in reports.
static StringRef numberName(const WeightFormat &format) {
  constexpr size_t kBegin = 2, kLength = 4; // E4M3 of f8E4M3FN
  return format.number ? floatFormatName(*format.number).substr(kBegin, kLength)
                       : StringRef(format.name);
}

static StringRef scaleName(WeightScales scales) {
  switch (scales) {
  case WeightScales::BF16:
    return "bf16";
  case WeightScales::E4M3:
    return "E4M3";
  case WeightScales::E8M0:
    return "E8M0";
  case WeightScales::PerTensor:
    return "f32";
  }
  llvm_unreachable("scales have a type");
}

void ProductQuantizer::report(Operation *op, const WeightFormat &format,
                              const std::string &activations, const std::string &text,
                              Value before, uint64_t bytes, int64_t block,
                              const ActivationRange *range) {
  log.lowered(op, format.name, text, "weight: " + text);
  PrecisionEntry &entry = log.report.back();
  CastOp widened = asWidenedWeight(before);
  entry.bytesBefore = weightBytes(widened ? widened.getInput() : before);
  entry.bytesAfter = bytes;
  entry.stored = {numberName(format).str(),
                  activations,
                  scaleName(format.scales).str(),
                  format.bits,
                  block,
                  format.hasZeros()};
  if (range)
    entry.range = *range;
  entry.measuredAs = firstOf.try_emplace(before, entry.node).first->second;
}

/// Returns NVFP4's f32 scale per weight, with which 1/12 of the largest magnitude is 448.
/// A NaN or infinite element makes it NaN, which is an error.
Value ProductQuantizer::unitOf(Value weight) {
  FormatAttr nvfp4 = findWeightFormat("nvfp4")->get(builder.getContext(), /*block=*/16);
  return QuantizeWeightOp::create(builder, weight.getLoc(), QuantizedPart::unit, weight,
                                  /*factor=*/Value(), /*unit=*/Value(), nvfp4,
                                  /*clip=*/false);
}

/// Casts bytes to f32; the kernel that reads them does so in registers.
Value ProductQuantizer::widen(Value bytes, LayoutWriter &w) {
  auto widened = cast<CastOp>(w.cast(bytes, builder.getF32Type()).getDefiningOp());
  widened->setAttr(kInKernelAttr, builder.getUnitAttr());
  return widened;
}

uint64_t ProductQuantizer::Float8Weight::bytes() const {
  return weightBytes(numbers) + (blockScales ? weightBytes(blockScales) : 0);
}

ProductQuantizer::Float8Weight ProductQuantizer::float8Weight(Value matrix,
                                                              const WeightFormat &format,
                                                              LayoutWriter &w) {
  if (format.block > 0)
    return blockScaledWeight(matrix, format, w);
  Value scale =
      w.binary(BinaryKind::mul, unitOf(matrix), w.number(12, builder.getF32Type()));
  Value numbers =
      w.cast(w.binary(BinaryKind::div, matrix, scale), float8Type(builder.getContext()));
  return {numbers, scale, Value()};
}

/// Rounds values of at most 28 to E3M2. Values >= 1/4 have two bits of mantissa, like
/// f8E5M2; smaller ones are multiples of 1/16.
Value ProductQuantizer::roundToE3m2(Value x, LayoutWriter &w) {
  Type f32 = builder.getF32Type();
  Location loc = x.getLoc();
  Value fine =
      w.binary(BinaryKind::div,
               w.unary(UnaryKind::round, w.binary(BinaryKind::mul, x, w.number(16, f32))),
               w.number(16, f32));
  Value coarse = w.cast(w.cast(x, builder.getType<Float8E5M2Type>()), f32);
  Value isSmall = CompareOp::create(builder, loc, CompareKind::less,
                                    w.unary(UnaryKind::abs, x), w.number(0.25, f32));
  return SelectOp::create(builder, loc, isSmall, fine, coarse);
}

/// Returns the largest finite value of a format.
static double largestNumber(const FloatFormat &format) {
  return decode(format.maxFinite(), format);
}

/// Quantizes with power-of-two scales that are rounded up, so that the largest magnitude
/// of a block is at most that of the format (448; 28 for E3M2) and nothing is clamped.
/// Magnitudes are limited from below to 2^-40 of the weight's largest, so that a block of
/// zeros has no scale of zero.
ProductQuantizer::Float8Weight
ProductQuantizer::blockScaledWeight(Value matrix, const WeightFormat &format,
                                    LayoutWriter &w) {
  Type f32 = builder.getF32Type();
  int64_t block = format.block;
  Dims dims = getDims(matrix);
  SymbolicExpr count = *dims[0].exactDiv(SymbolicExpr(block));
  Value magnitudes = w.reshape(w.unary(UnaryKind::abs, matrix), {count, block, dims[1]});
  Value largest = w.reduce(ReduceKind::max, magnitudes, 1, /*keepDims=*/false);
  Value smallest =
      w.binary(BinaryKind::mul, unitOf(matrix), w.number(std::ldexp(448, -40), f32));
  largest = w.binary(BinaryKind::max, largest, smallest);
  Value scales = w.cast(
      w.binary(BinaryKind::div, largest, w.number(largestNumber(*format.number), f32)),
      powerOfTwoType(builder.getContext()));
  Value divisors = w.repeat(w.cast(scales, f32), 0, block);
  Value scaled = w.binary(BinaryKind::div, matrix, divisors);
  if (format.number == &kF6E3M2FN)
    scaled = roundToE3m2(scaled, w);
  return {w.cast(scaled, float8Type(builder.getContext())), Value(), scales};
}

/// Multiplies the activations, not the result, by the scale per weight, so that users of
/// the result (halves of gates, epilogues) are as for all other formats.
void ProductQuantizer::toFloat8(MatmulOp op, const WeightFormat &format) {
  builder.setInsertionPoint(op);
  LayoutWriter w(builder, op.getLoc());
  Value before = op.getRhs(), matrix = before;
  if (format.block > 0 && op.getTransposeB()) {
    matrix = swapLastTwo(builder, op.getLoc(), matrix);
    op.setTransposeB(false);
  }
  Float8Weight stored = float8Weight(matrix, format, w);
  if (stored.scale)
    op.getLhsMutable().assign(w.binary(BinaryKind::mul, op.getLhs(), stored.scale));
  Value weight = widen(stored.numbers, w);
  if (stored.blockScales)
    weight = w.binary(BinaryKind::mul, weight,
                      w.repeat(widen(stored.blockScales, w), 0, format.block));
  // The weight's 3-bit mantissa dominates the error: 10 bits of the activations suffice.
  op.setTf32(float8InTf32);
  std::string text = format.text.str() + ", activations in f32";
  if (float8InTf32)
    text += ", tf32 on tensor cores";
  if (options.hasFloat8Activations())
    text += ": its K is no multiple of " + std::to_string(kFloat8Steps);
  report(op, format, float8InTf32 ? "tf32" : "f32", text, before, stored.bytes(),
         format.block);
  op.getRhsMutable().assign(weight);
}

/// Returns the format of a weight stored as f8E4M3FN, without the scale per weight, which
/// other operands are multiplied by.
static FormatAttr storedFormat(const WeightFormat &format, MLIRContext *context) {
  Type element = float8Type(context);
  if (format.block == 0)
    return FormatAttr::get(context, element);
  return FormatAttr::get(context, element, format.block, powerOfTwoType(context));
}

/// Multiplies the activations' scales, which are few, by the scale per weight.
void ProductQuantizer::toFloat8Both(MatmulOp op, const WeightFormat &format) {
  builder.setInsertionPoint(op);
  LayoutWriter w(builder, op.getLoc());
  Value before = op.getRhs(), matrix = w.cast(before, builder.getF32Type());
  if (op.getTransposeB())
    matrix = swapLastTwo(builder, op.getLoc(), matrix);
  Float8Weight stored = float8Weight(matrix, format, w);
  QuantizedWeight rhs{w.packCodes(stored.numbers, format.bits), Value(), Value(), {}};
  const ActivationRange *range = rangeOf(op.getLoc());
  auto [lhs, name, how] = float8LeftOf(op.getLhs(), range);
  if (stored.scale)
    lhs.rowScales = w.binary(BinaryKind::mul, lhs.rowScales, stored.scale);
  else
    rhs.scales = w.packBlocks(stored.blockScales);
  rhs.format = storedFormat(format, builder.getContext());
  if (range)
    lhs.rowScales = repeatScale(builder, lhs.codes, format.block, lhs.rowScales);
  bool isFast = options.hasFastSums() && stored.scale;
  Value product = scaledMatmul(builder, op.getLoc(), lhs, rhs,
                               *getDims(matrix)[1].getConstant(), isFast);
  std::string text = format.text.str() + ", activations in " + how;
  if (isFast)
    text += ", sums in tensor cores";
  report(op, format, name, text, before, stored.bytes(), format.block, range);
  op.getResult().replaceAllUsesWith(product);
  op.erase();
}

Type ProductQuantizer::halfOf(MatmulOp op) {
  Type own = elementTypeOf(op.getLhs());
  return isHalf(own) ? own : floatType(options.activations, builder.getContext());
}

bool ProductQuantizer::inGroups(Value left) {
  return takesScales && options.hasFloat4Activations() && elementTypeOf(left).isF32() &&
         *getDims(left).back().getConstant() % kGroupSteps == 0;
}

ProductQuantizer::Left ProductQuantizer::float8LeftOf(Value left,
                                                      const ActivationRange *range) {
  if (range)
    return {activations.getStaticFloat8(left, staticScale(*range, left)), "fp8",
            "E4M3" + describe(*range)};
  return {activations.getFloat8(left), "fp8", "E4M3 with a scale per row"};
}

/// Whether block scales are relative to one scale per weight.
static bool hasUnit(const WeightFormat &format) {
  return format.scales == WeightScales::E4M3;
}

ProductQuantizer::Left ProductQuantizer::leftOf(Value left, const WeightFormat &format,
                                                int64_t block,
                                                const ActivationRange *range) {
  if (Type type = elementTypeOf(left); isHalf(type))
    return {halfActivation(left), floatName(type), floatName(type)};
  if (options.hasFloat8Activations())
    return float8LeftOf(left, range);
  if (options.hasFloat4Activations())
    return {activations.getFloat4(left, block, hasUnit(format), inGroups(left)),
            options.activations,
            "the same" +
                std::string(hasUnit(format) ? ", times one of f32 per row" : "")};
  if (range)
    return {activations.getStatic(left, block, staticScale(*range, left)), "int8",
            "8 bits" + describe(*range)};
  return {activations.get(left, block), "int8", "8 bits"};
}

void ProductQuantizer::quantize(MatmulOp op) {
  const WeightFormat *format = findWeightFormat(policy.precisionOf(op.getLoc()));
  bool allowsHalves = format && !format->isStoredAsFloat8();
  if (StringRef why = whyNotQuantized(op, allowsHalves); !why.empty())
    return log.kept(op, why);
  if (!format)
    return log.kept(op, PrecisionLog::kPolicy);
  auto k = getDims(op.getLhs()).back().getConstant();
  int64_t block = format->blockFor(k.value_or(0));
  if (block == 0 && format->block > 0) {
    int64_t smallest = format->minBlock > 0 ? format->minBlock : format->block;
    return log.kept(op, "its K is no multiple of " + std::to_string(smallest) +
                            ", the smallest block with a scale");
  }
  if (format->isStoredAsFloat8())
    return options.hasFloat8Activations() && k && *k % kFloat8Steps == 0
               ? toFloat8Both(op, *format)
               : toFloat8(op, *format);
  builder.setInsertionPoint(op);
  LayoutWriter w(builder, op.getLoc());
  Source source{w.cast(op.getRhs(), builder.getF32Type()),
                Value(),
                Value(),
                *format,
                block,
                MeshAxis()};
  if (op.getTransposeB())
    source.matrix = swapLastTwo(builder, op.getLoc(), source.matrix);
  const CalibratedInput *input = calibrated(op.getLoc());
  bool calibrates = hasSamples(input, *k, source);
  Value left = op.getLhs();
  if (calibrates && options.algorithm != "gptq") {
    Value known = matrix(*input);
    Value inverses =
        options.algorithm == "awq" ? balance(source, known) : smooth(source, known);
    left = BinaryOp::create(builder, op.getLoc(), BinaryKind::mul, left, inverses);
  }
  Type half = halfOf(op);
  if (half)
    left = w.cast(left, half);
  const ActivationRange *range = half ? nullptr : rangeOf(op.getLoc());
  auto [lhs, name, how] = leftOf(left, *format, block, range);
  if (hasUnit(*format)) {
    source.unit = part(QuantizedPart::unit, source);
    // The activations' scales are f32, so they absorb the weight's f32 scale.
    if (!half)
      lhs.floatScales() = w.binary(BinaryKind::mul, lhs.floatScales(), source.unit);
  }
  if (range)
    lhs.floatScales() = repeatScale(builder, lhs.codes, block, lhs.floatScales());
  if (calibrates && options.algorithm == "gptq")
    source.factor = matrix(*input);
  QuantizedWeight rhs = weight(source, op.getLoc());
  if (inGroups(left))
    rhs.scales = w.groupScales(rhs.scales, kGroupSteps / block);
  Value product = scaledMatmul(builder, op.getLoc(), lhs, rhs,
                               *getDims(source.matrix)[1].getConstant());
  if (half && hasUnit(*format))
    product = w.binary(BinaryKind::mul, product, source.unit);
  std::string text = format->text.str() + ", activations in " + how;
  if (options.algorithm != "rtn")
    text += options.calibrates() && !calibrates ? ", not calibrated"
                                                : ", by " + options.algorithm;
  report(op, *format, name, text, op.getRhs(),
         weightBytes(rhs.panels) + weightBytes(rhs.scales) +
             (rhs.zeros ? weightBytes(rhs.zeros) : 0),
         block, range);
  op.getResult().replaceAllUsesWith(w.cast(product, elementTypeOf(op.getResult())));
  op.erase();
}

PrecisionReport ProductQuantizer::run() {
  SmallVector<Operation *> ops;
  main.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    if (auto matmul = dyn_cast<MatmulOp>(op))
      quantize(matmul);
    else if (isa<ScaledMatmulOp>(op))
      (void)policy.precisionOf(op->getLoc()); // is quantized and reported already
    else if (isa<AttentionOp>(op))
      log.kept(op, "attention is computed in f32");
    else
      log.keepReduction(op);
  return std::move(log.report);
}

FailureOr<PrecisionReport> kiln::quantizeProducts(func::FuncOp main,
                                                  const PrecisionPolicy &policy,
                                                  bool float8InTf32, bool takesScales) {
  PolicyReader reader(policy);
  PrecisionReport report =
      ProductQuantizer(main, policy, reader, float8InTf32, takesScales).run();
  if (failed(reader.checkUsed(main.getLoc())))
    return failure();
  return report;
}

namespace {
class QuantizeProductsPass
    : public kiln::impl::QuantizeProductsPassBase<QuantizeProductsPass>,
      public reference::ChangesResults {
public:
  using QuantizeProductsPassBase::QuantizeProductsPassBase;

  void runOnGraph() override {
    ModuleOp module = getOperation();
    auto policy = PrecisionPolicy::fromOptions(precision, *rules);
    policy.algorithm = algorithm;
    policy.activations = activations;
    policy.range = range;
    readSamples(module, policy);
    if (!policy.ranges)
      policy.ranges = rangesOfOptions();
    if (!policy.ranges)
      return signalPassFailure();
    if (reportedInvalid(module.getLoc(), policy))
      return signalPassFailure();
    auto main = mainOf(module);
    if (!main)
      return;
    FailureOr<PrecisionReport> entries =
        quantizeProducts(main, policy, float8InTf32, takesScales);
    if (failed(entries))
      return signalPassFailure();
    numQuantized += countLowered(*entries);
    addToReport(module, kPrecisionReportAttr, *entries);
  }
  reference::ResultChange resultChange(ModuleOp) override {
    auto policy = PrecisionPolicy::fromOptions(precision, *rules);
    return {.tolerance = policy.hasFourBits() ? 5e-1 : 1e-1};
  }

private:
  /// Returns null after it reported an error.
  std::shared_ptr<const ActivationRanges> rangesOfOptions();
};
} // namespace

std::shared_ptr<const ActivationRanges> QuantizeProductsPass::rangesOfOptions() {
  auto result = std::make_shared<ActivationRanges>();
  for (StringRef text : *ranges) {
    auto [node, limit] = text.rsplit('=');
    auto scale = std::make_shared<CalibratedInput>();
    scale->hash = text.str();
    ActivationRange &range = (*result)[node.str()];
    range.scale = std::move(scale);
    if (!limit.getAsDouble(range.limit) && range.limit > 0)
      continue;
    getOperation().emitError() << "a limit is no number above 0: " << limit;
    return nullptr;
  }
  return result;
}

std::unique_ptr<Pass> kiln::createQuantizeProductsPass(const PrecisionPolicy &policy,
                                                       bool float8InTf32,
                                                       bool takesScales) {
  QuantizeProductsPassOptions options;
  options.float8InTf32 = float8InTf32;
  options.takesScales = takesScales;
  options.precision = policy.precision;
  options.activations = policy.activations;
  llvm::append_range(options.rules, policy.ruleOptions());
  options.algorithm = policy.algorithm;
  options.range = policy.range;
  return std::make_unique<QuantizeProductsPass>(options);
}
