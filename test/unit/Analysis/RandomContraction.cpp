//===- RandomContraction.cpp - Matmuls and attention of random shapes -----===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomOp.h"
#include "dialects/Graph/PartialAttention.h"

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::test;
using namespace mlir;

void RandomOp::buildMatmul() {
  Dims lead = dims(0, 2);
  SymbolicExpr m = dim(), n = dim(), k = dim();
  bool transposeA = chance(0.5), transposeB = chance(0.5);
  auto matrix = [&](const Dims &front, const SymbolicExpr &rows,
                    const SymbolicExpr &columns, bool isTransposed) {
    Dims shape = front;
    shape.push_back(isTransposed ? columns : rows);
    shape.push_back(isTransposed ? rows : columns);
    return floats(shape);
  };
  Value lhs = matrix(lead, m, k, transposeA);
  MatmulOp::create(b, loc, lhs, matrix(narrower(lead), k, n, transposeB), transposeA,
                   transposeB);
}

Value RandomOp::maybeLengths(const SymbolicExpr &batch) {
  return chance(0.5) ? operand(b.getI64Type(), {batch}, -1, 6) : Value();
}

void RandomOp::buildAttention() {
  SymbolicExpr batch = dim(), queries = dim(), keys = dim(), d = dim(1, 4), dv = dim();
  int64_t keyHeads = pick(1, 2), heads = keyHeads * pick(1, 3);
  Value query = floats({batch, heads, queries, d});
  bool isCoded = chance(0.3);
  Type element = isCoded ? Type(b.getI8Type()) : b.getF32Type();
  Value key = operand(element, {batch, keyHeads, keys, d});
  Value value = operand(element, {batch, keyHeads, keys, dv});
  Dims scores{batch, heads, queries, keys};
  Value mask = chance(0.5) ? floats(narrower(scores)) : Value();
  Value lengths = maybeLengths(batch);
  Value sinks = chance(0.3) ? floats({SymbolicExpr(heads)}) : Value();
  Value keyScales = isCoded ? floats({batch, keyHeads, keys}) : Value();
  Value valueScales = isCoded ? floats({batch, keyHeads, keys}) : Value();
  Value keep =
      mask && chance(0.3) ? operand(b.getI1Type(), narrower(scores), 0, 1) : Value();
  auto unit = [&](bool isSet) { return isSet ? b.getUnitAttr() : UnitAttr(); };
  bool isCausal = chance(0.5);
  IntegerAttr window =
      isCausal && chance(0.5) ? b.getI64IntegerAttr(pick(1, 3)) : IntegerAttr();
  AttentionOp::create(b, loc, query, key, value, mask, lengths, sinks, keyScales,
                      valueScales, keep, b.getF64FloatAttr(0.5), unit(isCausal),
                      unit(isCausal && lengths && chance(0.5)), unit(chance(0.5)),
                      UnitAttr(), FloatAttr(), window, UnitAttr());
}

void RandomOp::buildAttentionLse() {
  SymbolicExpr batch = dim(), queries = dim(), keys = dim(), d = dim(1, 4);
  int64_t keyHeads = pick(1, 2), heads = keyHeads * pick(1, 3);
  Value query = floats({batch, heads, queries, d});
  Value key = floats({batch, keyHeads, keys, d});
  Value lengths = maybeLengths(batch);
  UnitAttr causal = chance(0.5) ? b.getUnitAttr() : UnitAttr();
  UnitAttr fromLength = causal && lengths && chance(0.5) ? causal : UnitAttr();
  AttentionLseOp::create(b, loc, query, key, lengths, Value(), b.getF64FloatAttr(0.5),
                         causal, fromLength, FloatAttr(), IntegerAttr());
}

void RandomOp::buildRope() {
  int64_t pairs = pick(1, 3);
  Dims shape = dims(0, 3);
  shape.push_back(2 * pairs + pick(0, 2));
  Dims tables[2];
  for (Dims &table : tables) {
    table = narrower(ArrayRef(shape).drop_back());
    table.push_back(pairs);
  }
  Value input = floats(shape), cosine = floats(tables[0]);
  RopeOp::create(b, loc, input, cosine, floats(tables[1]), chance(0.5));
}

/// Builds a matmul with activations of i8, f16, f8E4M3FN or f4E2M1FN.
void RandomOp::buildScaledMatmul() {
  constexpr int64_t kWidth = 16, kGroup = ScaledMatmulOp::kGroup;
  MLIRContext *context = b.getContext();
  Type byte = b.getIntegerType(8, /*isSigned=*/false), f32 = b.getF32Type(),
       f8 = Float8E4M3FNType::get(context), f4 = Float4E2M1FNType::get(context);
  enum { Integers, Halves, Float8, Float4 };
  int64_t kind = pick(Integers, Float4);
  int64_t bits = kind == Float4 || (kind != Float8 && chance(0.5)) ? 4 : 8,
          steps = 32 / bits;
  int64_t block = kind == Float4 ? 16 : steps * pick(1, 2), blocks = pick(1, 2);
  if (kind == Float4)
    blocks *= kGroup / block;
  int64_t k = block * blocks, columns = pick(1, 2 * kWidth),
          panels = llvm::divideCeil(columns, kWidth);
  Dims rows = dims(1, 2), perBlock = rows, perRow = rows;
  rows.push_back(k);
  perBlock.push_back(blocks);
  perRow.push_back(1);

  FormatAttr inputs[] = {FormatAttr::get(context, b.getI8Type(), block, f32),
                         FormatAttr::get(context, b.getF16Type()),
                         FormatAttr::get(context, f8).withPerRow(f32),
                         FormatAttr::get(context, f4, block, f8).withPerRow(f32)};
  FormatAttr own = inputs[kind];
  Value input =
      kind == Float4 ? operand(byte, rows, 0, 15) : operand(own.getElement(), rows);
  Value rowScales = own.getPerRow() ? floats(perRow) : Value();
  Value scales = own.hasBlocks() ? operand(own.getScale(), perBlock) : Value();
  Value totals = kind == Integers ? operand(b.getI32Type(), perBlock) : Value();

  Type element = kind == Float8   ? f8
                 : kind == Float4 ? f4
                                  : b.getIntegerType(bits, /*isSigned=*/false);
  bool hasZeros = kind < Float8 && chance(0.5), isBare = kind == Float8 && chance(0.5);
  FormatAttr format = FormatAttr::get(context, element);
  if (!isBare)
    format =
        FormatAttr::get(context, element, block, kind == Float4 ? f8 : f32, hasZeros);
  Value weight =
      operand(kind == Float8 ? f8 : byte, {panels, k / steps, kWidth, 4}, 0, 255);
  Dims ofScales{panels, blocks, kWidth};
  if (kind == Float4)
    ofScales = {panels, k / kGroup, kWidth, kGroup / block};
  Value weightScales = isBare ? Value() : operand(format.getScale(), ofScales);
  Value zeros = hasZeros ? operand(byte, ofScales, 0, 6) : Value();
  auto accumulation = kind != Float8 ? Accumulation::wide
                      : isBare       ? Accumulation::fast
                                     : Accumulation::two_level;
  ScaledMatmulOp::create(b, loc, input, rowScales, scales, totals, weight, weightScales,
                         zeros, own, format, columns, accumulation);
}

void RandomOp::buildQuantizeWeight() {
  int64_t bits = chance(0.5) ? 8 : 4, block = 32 / bits * pick(1, 2);
  int64_t k = block * pick(1, 2), columns = pick(1, 20);
  auto part = QuantizedPart(pick(0, 2));
  Value weight = floats({k, columns});
  auto format =
      FormatAttr::get(b.getContext(), b.getIntegerType(bits, /*isSigned=*/false), block,
                      b.getF32Type(), /*zeroPoint=*/true);
  QuantizeWeightOp::create(b, loc, part, weight, Value(), Value(), format, chance(0.3));
}
