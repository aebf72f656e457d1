//===- RandomContraction.cpp - Products and attention of random shapes ----===//
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

/// Activations of i8, f16 or f8E4M3FN.
void RandomOp::buildScaledMatmul() {
  constexpr int64_t kWidth = 16;
  int64_t kind = pick(0, 2), bits = kind == 2 || chance(0.5) ? 8 : 4, steps = 32 / bits;
  int64_t blocks = pick(1, 2), k = steps * pick(1, 2) * blocks;
  int64_t columns = pick(1, 2 * kWidth), panels = llvm::divideCeil(columns, kWidth);
  Dims rows = dims(1, 2), perBlock = rows, perRow = rows;
  rows.push_back(k);
  perBlock.push_back(blocks);
  perRow.push_back(1);
  Type byte = b.getIntegerType(8, /*isSigned=*/false),
       f8 = Float8E4M3FNType::get(b.getContext());
  Value input = operand(kind == 0   ? Type(b.getI8Type())
                        : kind == 1 ? b.getF16Type()
                                    : f8,
                        rows);
  // One value in several places is one tensor as often.
  auto again = [&](Value value, size_t number) {
    operands.push_back(operands[number]);
    return value;
  };
  Value scales = kind == 0   ? floats(perBlock)
                 : kind == 1 ? again(input, 0)
                             : floats(perRow);
  Value totals = kind == 0 ? operand(b.getI32Type(), perBlock) : again(input, 0);
  Value weight = operand(kind == 2 ? f8 : byte, {panels, k / steps, kWidth, 4}, 0, 255);
  bool isItsOwn = kind == 2 && chance(0.5);
  Value weightScales = isItsOwn ? again(weight, 3) : floats({panels, blocks, kWidth});
  Value zeros =
      kind != 2 && chance(0.5) ? operand(byte, {panels, blocks, kWidth}, 0, 6) : Value();
  ScaledMatmulOp::create(b, loc, input, scales, totals, weight, weightScales, zeros, bits,
                         columns, false, false);
}

void RandomOp::buildQuantizeWeight() {
  int64_t bits = chance(0.5) ? 8 : 4, block = 32 / bits * pick(1, 2);
  int64_t k = block * pick(1, 2), columns = pick(1, 20);
  auto part = QuantizedPart(pick(0, 2));
  Value weight = floats({k, columns});
  QuantizeWeightOp::create(b, loc, part, weight, Value(), Value(), bits, block,
                           b.getF32Type(), false, chance(0.3), false);
}
