//===- ScaledLayout.cpp - Layouts of graph.scaled_matmul ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Transforms/Bake/ScaledLayout.h"
#include "dialects/Types/FloatFormat.h"
#include "kiln/Analysis/Match.h"

#include <cmath>

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr int64_t kWidth = QuantizeWeightOp::kWidth;

static int64_t extent(Value value, int64_t axis) {
  return *getDims(value)[axis].getConstant();
}

Value LayoutWriter::number(double value, Type type) {
  return makeSplat(b, loc, type, value);
}

Value LayoutWriter::binary(BinaryKind kind, Value x, Value y) {
  return BinaryOp::create(b, loc, kind, x, y);
}

Value LayoutWriter::compare(CompareKind kind, Value x, Value y) {
  return CompareOp::create(b, loc, kind, x, y);
}

Value LayoutWriter::cast(Value x, Type type) {
  if (elementTypeOf(x) == type)
    return x;
  return CastOp::create(b, loc, makeTensorType(getDims(x), type), x);
}

Value LayoutWriter::reshape(Value x, ArrayRef<SymbolicExpr> dims) {
  return reshapeTo(b, loc, x, dims);
}

Value LayoutWriter::transpose(Value x, ArrayRef<int64_t> order) {
  return TransposeOp::create(b, loc, x, order);
}

Value LayoutWriter::broadcast(Value x, ArrayRef<SymbolicExpr> dims) {
  if (ArrayRef(getDims(x)) == dims)
    return x;
  return BroadcastOp::create(b, loc, makeTensorType(dims, elementTypeOf(x)), x);
}

Value LayoutWriter::unary(UnaryKind kind, Value x) {
  return UnaryOp::create(b, loc, kind, x);
}

Value LayoutWriter::reduce(ReduceKind kind, Value x, int64_t axis, bool keepDims) {
  return ReduceOp::create(b, loc, kind, x, ArrayRef<int64_t>{axis}, keepDims);
}

Value LayoutWriter::repeat(Value x, int64_t axis, int64_t times) {
  if (times == 1)
    return x;
  Dims dims = getDims(x), split = dims;
  split.insert(split.begin() + axis + 1, 1);
  Value single = reshape(x, split);
  split[axis + 1] = times;
  dims[axis] = dims[axis] * SymbolicExpr(times);
  return reshape(broadcast(single, split), dims);
}

Value LayoutWriter::takeRows(Value matrix, int64_t rows) {
  Dims dims = getDims(matrix), starts(2, 0);
  if (dims[0].isConstant(rows))
    return matrix;
  dims[0] = rows;
  return SliceOp::create(b, loc, makeTensorType(dims, elementTypeOf(matrix)), matrix,
                         makeShape(b.getContext(), starts), SmallVector<int64_t>{1, 1});
}

Value LayoutWriter::padColumns(Value matrix) {
  int64_t n = extent(matrix, 1), missing = llvm::alignTo(n, kWidth) - n;
  if (missing == 0)
    return matrix;
  Type element = elementTypeOf(matrix);
  double smallest = isPowerOfTwoType(element) ? std::ldexp(1, -127) : 0;
  Value zeros = makeSplat(b, loc, element, smallest, {extent(matrix, 0), missing});
  Value parts[] = {matrix, zeros};
  return ConcatOp::create(b, loc, parts, b.getI64IntegerAttr(1));
}

Value LayoutWriter::pickLast(Value x, int64_t at) {
  Dims dims = getDims(x), starts(dims.size(), 0);
  dims.back() = 1;
  starts.back() = at;
  Value one = SliceOp::create(b, loc, makeTensorType(dims, elementTypeOf(x)), x,
                              makeShape(b.getContext(), starts),
                              SmallVector<int64_t>(dims.size(), 1));
  dims.pop_back();
  return reshape(one, dims);
}

Value LayoutWriter::packBlocks(Value matrix) {
  matrix = padColumns(matrix);
  Value panels = reshape(matrix, {extent(matrix, 0), extent(matrix, 1) / kWidth, kWidth});
  return transpose(panels, {1, 0, 2});
}

Value LayoutWriter::groupScales(Value panels, int64_t perGroup) {
  int64_t groups = extent(panels, 1) / perGroup;
  Value split = reshape(panels, {extent(panels, 0), groups, perGroup, kWidth});
  return transpose(split, {0, 1, 3, 2});
}

Value LayoutWriter::packCodes(Value matrix, int64_t bits) {
  matrix = padColumns(matrix);
  int64_t k = extent(matrix, 0), panels = extent(matrix, 1) / kWidth;
  if (bits == 8)
    return transpose(reshape(matrix, {k / 4, 4, panels, kWidth}), {2, 0, 3, 1});
  Value words = reshape(matrix, {k / 8, 2, 4, panels, kWidth});
  words = transpose(words, {3, 0, 4, 2, 1});
  return binary(
      BinaryKind::add, pickLast(words, 0),
      binary(BinaryKind::mul, pickLast(words, 1), number(16, elementTypeOf(matrix))));
}
