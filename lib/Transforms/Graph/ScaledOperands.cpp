//===- ScaledOperands.cpp - Operands of graph.scaled_matmul ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScaledOperands.h"
#include "Match.h"
#include "ScaledLayout.h"

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

/// The largest finite number of a code.
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
  // Blocks below this come out smaller than they are: 127 or 448 over them is no number.
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
  return {w.reshape(codes, dims), w.reshape(scales, blocks), totals};
}

QuantizedActivation ActivationQuantizer::get(Value value, int64_t block) {
  auto [it, isNew] = known.try_emplace({value, block});
  if (!isNew)
    return it->second;
  OpBuilder b(value.getContext());
  b.setInsertionPointAfterValue(value);
  return known[{value, block}] = quantize(b, value, block);
}

/// The row's scale is NaN where its largest magnitude is infinite, as what is finite in
/// it becomes 0: kernels need not know a code that is NaN.
static QuantizedActivation quantizeFloat8(OpBuilder &b, Value value) {
  LayoutWriter w(b, value.getLoc());
  Dims dims = getDims(value), rows = dims;
  rows.back() = 1;
  auto [codes, scales] =
      quantizeBlocks(b, value, *dims.back().getConstant(), b.getType<Float8E4M3FNType>());
  Value nothing = w.binary(BinaryKind::sub, scales, scales);
  scales = w.reshape(w.binary(BinaryKind::add, scales, nothing), rows);
  codes = w.reshape(codes, dims);
  return {codes, scales, codes};
}

QuantizedActivation ActivationQuantizer::getFloat8(Value value) {
  auto [it, isNew] = knownFloat8.try_emplace(value);
  if (!isNew)
    return it->second;
  OpBuilder b(value.getContext());
  b.setInsertionPointAfterValue(value);
  return knownFloat8[value] = quantizeFloat8(b, value);
}

StringRef kiln::whyNotQuantized(MatmulOp op, bool allowsHalves) {
  Type type = elementTypeOf(op.getLhs());
  if (!type.isF32() && !(allowsHalves && isHalf(type)))
    return "the model gives this type";
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
