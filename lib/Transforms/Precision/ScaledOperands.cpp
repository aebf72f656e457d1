//===- ScaledOperands.cpp - Operands of graph.scaled_matmul ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScaledOperands.h"
#include "dialects/Types/FloatFormat.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Transforms/Bake/ScaledLayout.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

bool kiln::isHalf(Type type) { return type.isF16() || type.isBF16(); }

std::string kiln::floatName(Type type) { return type.isF16() ? "f16" : "bf16"; }

Type kiln::floatType(StringRef name, MLIRContext *context) {
  if (name == "f16")
    return Float16Type::get(context);
  return name == "bf16" ? BFloat16Type::get(context) : Type();
}

QuantizedActivation kiln::int8Activation(Value codes, Value scales, Value totals,
                                         int64_t block) {
  Builder b(codes.getContext());
  auto format = FormatAttr::get(b.getContext(), b.getI8Type(), block, b.getF32Type());
  return {codes, Value(), scales, totals, format};
}

QuantizedActivation kiln::halfActivation(Value value) {
  auto format = FormatAttr::get(value.getContext(), elementTypeOf(value));
  return {value, Value(), Value(), Value(), format};
}

Value kiln::scaledMatmul(OpBuilder &b, Location loc, const QuantizedActivation &lhs,
                         const QuantizedWeight &rhs, int64_t columns, bool fast) {
  auto accumulation = !lhs.format.isFloat8() ? Accumulation::wide
                      : fast                 ? Accumulation::fast
                                             : Accumulation::two_level;
  return ScaledMatmulOp::create(b, loc, lhs.codes, lhs.rowScales, lhs.scales, lhs.totals,
                                rhs.panels, rhs.scales, rhs.zeros, lhs.format, rhs.format,
                                columns, accumulation);
}

/// Returns the largest finite value of a quantized element's type.
static double largestOf(Type code) { return code.isInteger(8) ? 127 : 448; }

QuantizedBlocks kiln::quantizeBlocks(OpBuilder &b, Value value, int64_t block,
                                     Type code) {
  LayoutWriter w(b, value.getLoc());
  Type f32 = b.getF32Type();
  double max = largestOf(code);
  Dims rows = getDims(value);
  int64_t axis = rows.size();
  rows.back() = *rows.back().exactDiv(SymbolicExpr(block));
  rows.push_back(block);
  Value x = w.reshape(value, rows);
  Value largest = w.reduce(ReduceKind::max, w.unary(UnaryKind::abs, x), axis, true);
  Value scale = w.binary(BinaryKind::mul, largest, w.number(1.0 / max, f32));
  // Smaller magnitudes are quantized as too small, since 127 or 448 divided by them
  // overflows.
  double smallest = code.isInteger(8) ? 1e-36 : 2e-36;
  Value inverse = w.binary(BinaryKind::div, w.number(max, f32),
                           w.binary(BinaryKind::max, largest, w.number(smallest, f32)));
  Value scaled = w.binary(BinaryKind::mul, x, inverse);
  if (code.isInteger(8))
    scaled = w.unary(UnaryKind::round, scaled);
  return {w.cast(scaled, code), scale};
}

static QuantizedActivation quantize(OpBuilder &b, Value value, int64_t block) {
  LayoutWriter w(b, value.getLoc());
  Dims dims = getDims(value), blocks = dims;
  blocks.back() = *dims.back().exactDiv(SymbolicExpr(block));
  auto [codes, scales] = quantizeBlocks(b, value, block, b.getI8Type());
  Value totals = w.sum(w.cast(codes, b.getI32Type()), dims.size());
  return int8Activation(w.reshape(codes, dims), w.reshape(scales, blocks), totals, block);
}

/// Returns the format f8E4M3FN with a scale per row.
static FormatAttr float8Format(OpBuilder &b) {
  return FormatAttr::get(b.getContext(), float8Type(b.getContext()))
      .withPerRow(b.getF32Type());
}

QuantizedActivation ActivationQuantizer::get(Value value, int64_t block) {
  auto [it, isNew] = known.try_emplace({value, block});
  if (!isNew)
    return it->second;
  OpBuilder b(value.getContext());
  b.setInsertionPointAfterValue(value);
  return known[{value, block}] = quantize(b, value, block);
}

/// Quantizes rows to f8E4M3FN. If the largest magnitude of a row is infinite, its finite
/// elements become 0 and its scale NaN, so that kernels need not handle elements that are
/// NaN.
static QuantizedActivation quantizeFloat8(OpBuilder &b, Value value) {
  LayoutWriter w(b, value.getLoc());
  Dims dims = getDims(value), rows = dims;
  rows.back() = 1;
  auto [codes, scales] =
      quantizeBlocks(b, value, *dims.back().getConstant(), float8Type(b.getContext()));
  Value nothing = w.binary(BinaryKind::sub, scales, scales);
  scales = w.reshape(w.binary(BinaryKind::add, scales, nothing), rows);
  codes = w.reshape(codes, dims);
  return {codes, scales, Value(), Value(), float8Format(b)};
}

/// Quantizes element by element, so that the kernel that computes the rows can store the
/// quantized elements.
static Value staticCodes(LayoutWriter &w, Value value, Value scale, Type code) {
  Type f32 = elementTypeOf(value);
  Value inverse = w.binary(BinaryKind::div, w.number(1, f32), scale); // once, by @bake
  Value scaled = w.binary(BinaryKind::mul, value, inverse);
  if (code.isInteger(8))
    return w.cast(w.unary(UnaryKind::round, scaled), code);
  // A cast to i8 converts NaN to 0, but kernels that widen f8E4M3FN do not handle NaN.
  Value isNumber = w.compare(CompareKind::equal, scaled, scaled);
  scaled =
      SelectOp::create(w.builder(), value.getLoc(), isNumber, scaled, w.number(0, f32));
  return w.cast(scaled, code);
}

QuantizedActivation ActivationQuantizer::getStatic(Value value, int64_t block,
                                                   Value scale) {
  auto [it, isNew] = known.try_emplace({scale, block});
  if (!isNew)
    return it->second;
  OpBuilder b(value.getContext());
  b.setInsertionPointAfterValue(scale); // `scale` comes after the value
  LayoutWriter w(b, value.getLoc());
  Dims blocks = getDims(value);
  blocks.back() = *blocks.back().exactDiv(SymbolicExpr(block));
  Dims split = blocks;
  split.push_back(block);
  Value codes = staticCodes(w, value, scale, b.getI8Type());
  Value totals = w.sum(w.reshape(w.cast(codes, b.getI32Type()), split), split.size() - 1);
  return known[{scale, block}] = int8Activation(codes, scale, totals, block);
}

QuantizedActivation ActivationQuantizer::getStaticFloat8(Value value, Value scale) {
  auto [it, isNew] = knownFloat8.try_emplace(scale);
  if (!isNew)
    return it->second;
  OpBuilder b(value.getContext());
  b.setInsertionPointAfterValue(scale); // `scale` comes after the value
  LayoutWriter w(b, value.getLoc());
  Value codes = staticCodes(w, value, scale, float8Type(b.getContext()));
  return knownFloat8[scale] = {codes, scale, Value(), Value(), float8Format(b)};
}

Value kiln::repeatScale(OpBuilder &b, Value codes, int64_t block, Value scale) {
  Dims dims = getDims(codes);
  dims.back() = elementTypeOf(codes).isInteger(8)
                    ? *dims.back().exactDiv(SymbolicExpr(block))
                    : SymbolicExpr(1);
  return LayoutWriter(b, codes.getLoc()).broadcast(scale, dims);
}

QuantizedActivation ActivationQuantizer::getFloat8(Value value) {
  auto [it, isNew] = knownFloat8.try_emplace(value);
  if (!isNew)
    return it->second;
  OpBuilder b(value.getContext());
  b.setInsertionPointAfterValue(value);
  return knownFloat8[value] = quantizeFloat8(b, value);
}

//===----------------------------------------------------------------------===//
// f4E2M1FN
//===----------------------------------------------------------------------===//

static constexpr double kLargestE2m1 = 6, kLargestE4m3 = 448;
/// Rows or blocks with a smaller largest magnitude are quantized as too small, so that
/// reciprocals of scales are finite.
static constexpr double kSmallestRow = 1e-32;

namespace {
/// f4E2M1FN elements and the scales of their blocks.
class Float4Blocks {
public:
  Float4Blocks(OpBuilder &b, Value value, int64_t block, bool hasUnit)
      : w(b, value.getLoc()), f32(b.getF32Type()), block(block), dims(getDims(value)),
        blocks(dims) {
    blocks.back() = *dims.back().exactDiv(SymbolicExpr(block));
    Dims split = blocks;
    split.push_back(block);
    Value x = w.reshape(value, split);
    largest = w.reduce(ReduceKind::max, w.unary(UnaryKind::abs, x), dims.size(), true);
    Value ofRow = w.reduce(ReduceKind::max, largest, dims.size() - 1, true);
    Value scale = hasUnit ? scaleWithUnit(ofRow) : scaleOfPowers(ofRow);
    // If the scale of a block is 0, its elements do not matter.
    Value inverse = w.binary(BinaryKind::div, number(1),
                             w.binary(BinaryKind::max, scale, number(1e-36)));
    numbers = w.cast(
        w.cast(w.binary(BinaryKind::mul, x, inverse), float4Type(b.getContext())), f32);
    product = scale;
  }

  QuantizedActivation asIntegers();
  QuantizedActivation asCodes();

private:
  Value scaleWithUnit(Value ofRow);
  Value scaleOfPowers(Value ofRow);
  Value number(double value) { return w.number(value, f32); }
  Value times(Value x, double factor) {
    return w.binary(BinaryKind::mul, x, number(factor));
  }

  LayoutWriter w;
  Type f32;
  int64_t block;     ///< block size along K
  Dims dims, blocks; ///< dims of the activations, and with one element per block
  Value largest, numbers, stored, unit, product;
};
} // namespace

/// Computes E4M3 scales relative to a unit with which a row's largest scale is 448. An
/// infinite magnitude makes all scales of its row NaN: infinity times 0 in its own block,
/// 0 times infinity in the others.
Value Float4Blocks::scaleWithUnit(Value ofRow) {
  ofRow = w.binary(BinaryKind::max, ofRow, number(kSmallestRow));
  Value inverse = w.binary(BinaryKind::div, number(kLargestE4m3), ofRow);
  unit = times(ofRow, 1 / (kLargestE2m1 * kLargestE4m3));
  stored =
      w.cast(w.binary(BinaryKind::mul, largest, inverse), float8Type(f32.getContext()));
  return w.binary(BinaryKind::mul, w.cast(stored, f32), unit);
}

/// Computes the smallest power of two that scales all elements of a block to at most 6.
/// The cast makes infinity finite; the unit is then NaN, otherwise 1.
Value Float4Blocks::scaleOfPowers(Value ofRow) {
  Value nothing = w.binary(BinaryKind::sub, ofRow, ofRow);
  unit = w.binary(BinaryKind::add, nothing, number(1));
  Value known = w.binary(BinaryKind::max, largest, number(kSmallestRow));
  stored = w.cast(w.binary(BinaryKind::div, known, number(kLargestE2m1)),
                  powerOfTwoType(f32.getContext()));
  return w.binary(BinaryKind::mul, w.cast(stored, f32), unit);
}

QuantizedActivation Float4Blocks::asIntegers() {
  Type i8 = IntegerType::get(f32.getContext(), 8),
       i32 = IntegerType::get(f32.getContext(), 32);
  Value codes = w.cast(times(numbers, 2), i8);
  Value totals = w.sum(w.cast(codes, i32), dims.size());
  return int8Activation(w.reshape(codes, dims), w.reshape(times(product, 0.5), blocks),
                        totals, block);
}

/// The encoding of a magnitude is its index in 0, 0.5, 1, 1.5, 2, 3, 4, 6: twice the
/// magnitude up to 2, from there two steps per power of two.
QuantizedActivation Float4Blocks::asCodes() {
  Value halves = times(w.unary(UnaryKind::abs, numbers), 2);
  auto between = [&](double begin, double end) {
    Value above = w.binary(BinaryKind::max, halves, number(begin));
    return w.binary(BinaryKind::sub, w.binary(BinaryKind::min, above, number(end)),
                    number(begin));
  };
  Value code = w.binary(BinaryKind::add, between(0, 4), times(between(4, 8), 0.5));
  code = w.binary(BinaryKind::add, code, times(between(8, 12), 0.25));
  Value isNegative = w.compare(CompareKind::less, numbers, number(0));
  code = w.binary(BinaryKind::add, code, times(w.cast(isNegative, f32), 8));
  Value codes =
      w.cast(code, IntegerType::get(f32.getContext(), 8, IntegerType::Unsigned));
  Dims rows = dims;
  rows.back() = 1;
  // An infinite unit becomes NaN, so that it also takes effect in blocks with scale 0.
  Value nothing = w.binary(BinaryKind::sub, unit, unit);
  Value ofRow = times(w.binary(BinaryKind::add, unit, nothing), 2);
  auto format = FormatAttr::get(f32.getContext(), float4Type(f32.getContext()), block,
                                elementTypeOf(stored))
                    .withPerRow(f32);
  return {w.reshape(codes, dims), w.reshape(ofRow, rows), w.reshape(stored, blocks),
          Value(), format};
}

QuantizedActivation ActivationQuantizer::getFloat4(Value value, int64_t block,
                                                   bool hasUnit, bool inBytes) {
  auto [it, isNew] = knownFloat4.try_emplace({value, block + inBytes});
  if (!isNew)
    return it->second;
  OpBuilder b(value.getContext());
  b.setInsertionPointAfterValue(value);
  Float4Blocks blocks(b, value, block, hasUnit);
  return knownFloat4[{value, block + inBytes}] =
             inBytes ? blocks.asCodes() : blocks.asIntegers();
}

StringRef kiln::whyNotQuantized(MatmulOp op, bool allowsHalves) {
  Type type = elementTypeOf(op.getLhs());
  if (!type.isF32() && !(allowsHalves && isHalf(type)))
    return "the model has it in another type than f32, which stays";
  if (isCompileTime(op.getLhs()))
    return isCompileTime(op.getRhs()) ? "it is computed once, by the compiler"
                                      : "its left operand is a weight";
  if (!isCompileTime(op.getRhs()))
    return "neither operand is a weight";
  if (op.getTransposeA())
    return "its left operand is transposed";
  if (rankOf(op.getRhs()) != 2)
    return "its weight is no matrix";
  return {};
}
