//===- HeadExchange.cpp - Exchanges rows for heads ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeadExchange.h"
#include "ContextPlan.h"
#include "kiln/Analysis/Match.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr int64_t kHeads = 1;

/// Returns the bytes of all heads of one row; nullopt if not constant.
static std::optional<int64_t> bytesOfRow(Value value) {
  Dims dims = getDims(value);
  std::optional<int64_t> heads = dims[kHeads].getConstant();
  std::optional<int64_t> elements = dims.back().getConstant();
  if (!heads || !elements)
    return std::nullopt;
  return *heads * *elements * elementBytes(elementTypeOf(value));
}

bool kiln::gainsByHeads(AttentionOp op, int64_t ranks, bool canGather) {
  if (op.getKeyScales())
    return false; // caches are not divided
  int64_t exchanged = 0, gathered = 0;
  for (Value value : {op.getQuery(), op.getKey(), op.getValue(), op.getResult()}) {
    std::optional<int64_t> bytes = bytesOfRow(value);
    if (!bytes || *getDims(value)[kHeads].getConstant() % ranks != 0)
      return false;
    exchanged += *bytes;
    if (value == op.getKey() || value == op.getValue())
      gathered += *bytes * ranks;
  }
  // Both sums are relative: a rank sends (ranks - 1) / ranks^2 times as many bytes per
  // row.
  return !canGather || exchanged < gathered || (exchanged == gathered && op.getCausal());
}

static Value transposed(OpBuilder &builder, Value value, ArrayRef<int64_t> permutation) {
  return TransposeOp::create(builder, value.getLoc(), value,
                             builder.getDenseI64ArrayAttr(permutation));
}

static Value reshaped(OpBuilder &builder, Value value, ArrayRef<SymbolicExpr> dims) {
  RankedTensorType type = makeTensorType(dims, elementTypeOf(value));
  return ReshapeOp::create(builder, value.getLoc(), type, value);
}

/// Parts are along the first dim, so that each is contiguous in memory.
static Value exchange(OpBuilder &builder, Value value, MeshAxis axis) {
  auto op = AllToAllOp::create(builder, value.getLoc(), value, 0, uint64_t(axis.size));
  setStride(op, axis.stride);
  return op;
}

/// Sends data in the layout of a matmul's result and receives it in such a layout: with
/// one sequence, all transposes but one next to the exchange move no data.
Value kiln::rowsToHeads(OpBuilder &builder, Value value, const SymbolicExpr &rows,
                        MeshAxis axis) {
  Dims dims = getDims(value);
  SymbolicExpr ranks(axis.size), part = dims[kQueryRows];
  SymbolicExpr heads = *dims[kHeads].exactDiv(axis.size);
  value = reshaped(builder, value, {dims[0], ranks, heads, part, dims[3]});
  value = exchange(builder, transposed(builder, value, {1, 0, 3, 2, 4}), axis);
  value = transposed(builder, value, {1, 0, 2, 3, 4});
  value = reshaped(builder, value, {dims[0], ranks * part, heads, dims[3]});
  Type type = makeTensorType({dims[0], rows, heads, dims[3]}, elementTypeOf(value));
  value = firstOf(builder, value.getLoc(), value, type);
  return transposed(builder, value, {0, 2, 1, 3});
}

Value kiln::headsToRows(OpBuilder &builder, Value value, MeshAxis axis) {
  Dims dims = getDims(value);
  SymbolicExpr ranks(axis.size), part = dims[kQueryRows].ceilDiv(axis.size);
  value = transposed(builder, value, {0, 2, 1, 3});
  value = padded(builder, value, 1, ranks * part);
  value = reshaped(builder, value, {dims[0], ranks, part, dims[kHeads], dims[3]});
  value = exchange(builder, transposed(builder, value, {1, 0, 2, 3, 4}), axis);
  value = transposed(builder, value, {1, 0, 3, 2, 4});
  return reshaped(builder, value, {dims[0], ranks * dims[kHeads], part, dims[3]});
}
