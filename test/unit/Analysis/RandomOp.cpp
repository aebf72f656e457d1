//===- RandomOp.cpp - Ops of random shapes --------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomOp.h"
#include "llvm/ADT/StringSwitch.h"

#include <numeric>

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::test;
using namespace mlir;

ArrayRef<StringRef> RandomOp::names() {
  static constexpr StringRef kNames[] = {
      "elementwise", "reshape", "transpose",     "broadcast",     "slice",
      "concat",      "gather",  "scatter",       "panels",        "generator",
      "reduce",      "row",     "quantization",  "kv_write",      "matmul",
      "attention",   "rope",    "attention_lse", "scaled_matmul", "quantize_weight"};
  return kNames;
}

void RandomOp::build(StringRef name) {
  using Builder = void (RandomOp::*)();
  Builder builder = llvm::StringSwitch<Builder>(name)
                        .Case("elementwise", &RandomOp::buildElementwise)
                        .Case("reshape", &RandomOp::buildReshape)
                        .Case("transpose", &RandomOp::buildTranspose)
                        .Case("broadcast", &RandomOp::buildBroadcast)
                        .Case("slice", &RandomOp::buildSlice)
                        .Case("concat", &RandomOp::buildConcat)
                        .Case("gather", &RandomOp::buildGather)
                        .Case("scatter", &RandomOp::buildScatter)
                        .Case("panels", &RandomOp::buildPanels)
                        .Case("generator", &RandomOp::buildGenerator)
                        .Case("reduce", &RandomOp::buildReduce)
                        .Case("row", &RandomOp::buildRow)
                        .Case("quantization", &RandomOp::buildQuantization)
                        .Case("kv_write", &RandomOp::buildKvWrite)
                        .Case("matmul", &RandomOp::buildMatmul)
                        .Case("attention", &RandomOp::buildAttention)
                        .Case("attention_lse", &RandomOp::buildAttentionLse)
                        .Case("rope", &RandomOp::buildRope)
                        .Case("scaled_matmul", &RandomOp::buildScaledMatmul)
                        .Case("quantize_weight", &RandomOp::buildQuantizeWeight);
  (this->*builder)();
}

//===----------------------------------------------------------------------===//
// Shapes and values
//===----------------------------------------------------------------------===//

SymbolicExpr RandomOp::dim(int64_t low, int64_t high) {
  int64_t value = chance(0.15) ? std::min<int64_t>(low + 1, high) : pick(low, high);
  if (value == 0 && chance(0.7)) // empty tensors test little
    value = high;
  if (chance(0.6))
    return value;
  std::string name = "s" + std::to_string(numSymbols++);
  symbols.set(name, value);
  return SymbolicExpr::symbol(b.getStringAttr(name));
}

Dims RandomOp::dims(int64_t minRank, int64_t maxRank) {
  Dims result;
  for (int64_t rank = pick(minRank, maxRank); rank > 0; --rank)
    result.push_back(dim());
  return result;
}

double RandomOp::randomElement(Type element) {
  if (element.isInteger(1))
    return pick(0, 1);
  if (auto integer = dyn_cast<IntegerType>(element))
    return pick(integer.isUnsigned() ? 0 : -6, 6);
  return std::uniform_real_distribution<double>(-4, 4)(random);
}

Value RandomOp::operand(Type element, ArrayRef<SymbolicExpr> dims, int64_t low,
                        int64_t high) {
  reference::Shape shape;
  for (const SymbolicExpr &extent : dims)
    shape.push_back(valueOf(extent));
  SmallVector<double> values(*reference::countElements(shape));
  for (double &value : values)
    value = isa<IntegerType>(element) ? pick(low, high) : randomElement(element);
  operands.push_back(reference::Tensor::fromDoubles(element, shape, values).rounded());
  return block.addArgument(makeTensorType(dims, element), loc);
}

Dims RandomOp::narrower(ArrayRef<SymbolicExpr> dims, int64_t minRank) {
  Dims result(dims.take_back(pick(minRank, dims.size())));
  for (SymbolicExpr &extent : result)
    if (chance(0.3))
      extent = 1;
  return result;
}

//===----------------------------------------------------------------------===//
// Elementwise and movement
//===----------------------------------------------------------------------===//

void RandomOp::buildElementwise() {
  Dims shape = dims(0, 3);
  if (chance(0.5)) {
    Value whole = floats(shape), part = floats(narrower(shape));
    BinaryOp::create(b, loc, BinaryKind::sub, whole, part);
    return;
  }
  Value condition = operand(b.getI1Type(), narrower(shape), 0, 1);
  Value onTrue = floats(narrower(shape)), onFalse = floats(shape);
  SelectOp::create(b, loc, condition, onTrue, onFalse);
}

/// Merges dims and inserts dims of 1, then either reshapes forward, in reverse, or to a
/// permutation of the same dims.
void RandomOp::buildReshape() {
  Dims from = dims(0, 4), to = from;
  for (int64_t steps = pick(0, 3); steps > 0; --steps) {
    if (chance(0.3) || to.empty()) {
      to.insert(to.begin() + pick(0, to.size()), SymbolicExpr(1));
    } else if (to.size() >= 2) {
      int64_t i = pick(0, to.size() - 2);
      to[i] *= to[i + 1];
      to.erase(to.begin() + i + 1);
    }
  }
  if (chance(0.3) && from.size() >= 2) { // the same dims in another order
    to = from;
    std::shuffle(to.begin(), to.end(), random);
  } else if (chance(0.5)) {
    std::swap(from, to);
  }
  ReshapeOp::create(b, loc, makeTensorType(to, b.getF32Type()), floats(from));
}

void RandomOp::buildTranspose() {
  Dims shape = dims(0, 4);
  SmallVector<int64_t> permutation(shape.size());
  std::iota(permutation.begin(), permutation.end(), 0);
  std::shuffle(permutation.begin(), permutation.end(), random);
  TransposeOp::create(b, loc, floats(shape), permutation);
}

void RandomOp::buildBroadcast() {
  Dims shape = dims(0, 4);
  BroadcastOp::create(b, loc, makeTensorType(shape, b.getF32Type()),
                      floats(narrower(shape)));
}

/// Builds slices whose starts may be symbolic, also from the last element backwards.
void RandomOp::buildSlice() {
  Dims shape = dims(1, 3), starts, sizes;
  SmallVector<int64_t> steps;
  for (const SymbolicExpr &extent : shape) {
    int64_t size = valueOf(extent), step = pick(0, 1) ? pick(1, 3) : -pick(1, 3);
    bool isFromEnd = size > 0 && step < 0 && chance(0.5);
    int64_t start = isFromEnd ? size - 1 : pick(0, std::max<int64_t>(size - 1, 0));
    int64_t max = size == 0  ? 0
                  : step > 0 ? (size - 1 - start) / step + 1
                             : start / -step + 1;
    starts.push_back(isFromEnd ? extent - 1 : SymbolicExpr(start));
    sizes.push_back(chance(0.1) ? 0 : pick(std::min<int64_t>(max, 1), max));
    steps.push_back(step);
  }
  SliceOp::create(b, loc, makeTensorType(sizes, b.getF32Type()), floats(shape),
                  makeShape(b.getContext(), starts), steps);
}

void RandomOp::buildConcat() {
  Dims shape = dims(1, 3);
  int64_t axis = pick(0, shape.size() - 1);
  SmallVector<Value> parts;
  for (int64_t count = pick(1, 3); count > 0; --count) {
    shape[axis] = dim();
    parts.push_back(floats(shape));
  }
  ConcatOp::create(b, loc, parts, axis);
}

/// Some indices are out of bounds.
void RandomOp::buildGather() {
  Dims shape = dims(1, 3);
  int64_t axis = pick(0, shape.size() - 1);
  shape[axis] = dim(1, 4);
  Value data = floats(shape);
  GatherOp::create(b, loc, data, operand(b.getI64Type(), dims(0, 2)), axis);
}

void RandomOp::buildScatter() {
  SymbolicExpr batch = dim(), columns = dim(), updates = dim();
  Value data = floats({batch, dim(), columns});
  Value indices =
      operand(b.getI64Type(), {batch, updates, chance(0.5) ? columns : SymbolicExpr(1)});
  ReduceKindAttr combine;
  if (chance(0.5))
    combine = ReduceKindAttr::get(b.getContext(), ReduceKind::sum);
  ScatterOp::create(b, loc, data, indices, floats({batch, updates, columns}), combine);
}

void RandomOp::buildPanels() {
  SymbolicExpr k = dim(), n = dim(0, 9);
  int64_t width = pick(1, 4);
  if (chance(0.5)) {
    PackOp::create(b, loc, floats({k, n}), width);
    return;
  }
  Value panels = floats({n.ceilDiv(width), k, SymbolicExpr(width)});
  UnpackOp::create(b, loc, makeTensorType({k, n}, b.getF32Type()), panels);
}

void RandomOp::buildGenerator() {
  auto type = makeTensorType(dims(1, 3), b.getF32Type());
  if (chance(0.5))
    FillOp::create(b, loc, type, b.getF32FloatAttr(3));
  else
    IotaOp::create(b, loc, type, pick(0, type.getRank() - 1), APFloat(2.0),
                   APFloat(-1.0));
}

/// The state has at least one row; some starts are out of bounds.
void RandomOp::buildKvWrite() {
  Dims state = dims(2, 4), rows;
  int64_t axis = pick(1, state.size() - 1);
  state[axis] = dim(1, 4);
  rows = state;
  rows[axis] = dim();
  Value cache = floats(state), added = floats(rows);
  bool isRing = chance(0.5);
  int64_t maxCount = valueOf(isRing ? state[axis] : rows[axis]);
  Value starts = operand(b.getI64Type(), {state[0]}, -2, 6);
  Value counts = operand(b.getI64Type(), {state[0]}, 0, maxCount);
  auto write = KvWriteOp::create(b, loc, cache, added, starts, counts, axis);
  write.setRing(isRing);
}

//===----------------------------------------------------------------------===//
// Reductions and quantization
//===----------------------------------------------------------------------===//

void RandomOp::buildReduce() {
  Dims shape = dims(0, 4);
  SmallVector<int64_t> axes;
  for (size_t axis = 0; axis < shape.size(); ++axis)
    if (chance(0.5))
      axes.push_back(axis);
  ReduceKind kind = chance(0.5) ? ReduceKind::sum : ReduceKind::max;
  ReduceOp::create(b, loc, kind, floats(shape), axes, chance(0.5));
}

void RandomOp::buildRow() {
  Dims shape = dims(1, 3);
  int64_t axis = pick(0, shape.size() - 1), kind = pick(0, 2);
  Value input = floats(shape);
  ArrayRef<SymbolicExpr> normed = ArrayRef(shape).drop_front(axis);
  if (kind == 0) {
    SoftmaxOp::create(b, loc, input, axis);
  } else if (kind == 1) {
    RmsNormOp::create(b, loc, input, floats(narrower(normed)), axis, APFloat(0.5));
  } else {
    Value scale = chance(0.7) ? floats(narrower(normed)) : Value();
    Value bias = chance(0.7) ? floats(narrower(normed)) : Value();
    LayerNormOp::create(b, loc, input, scale, bias, axis, APFloat(0.5));
  }
}

/// One scale, one per index along an axis, or one per block.
void RandomOp::buildQuantization() {
  Dims shape = dims(1, 3), scales;
  int64_t axis = pick(0, shape.size() - 1), kind = pick(0, 2), block = pick(1, 3);
  if (kind == 1)
    scales = {shape[axis]};
  if (kind == 2) {
    scales = shape;
    scales[axis] = shape[axis].ceilDiv(block);
  }
  auto axisAttr = kind ? b.getI64IntegerAttr(axis) : IntegerAttr();
  auto blockAttr = kind == 2 ? b.getI64IntegerAttr(block) : IntegerAttr();
  Type narrow = b.getI8Type();
  if (chance(0.5)) {
    Value input = floats(shape), scale = floats(scales);
    QuantizeOp::create(b, loc, makeTensorType(shape, narrow), input, scale,
                       operand(narrow, scales), axisAttr, blockAttr, UnitAttr());
    return;
  }
  Value input = operand(narrow, shape), scale = floats(scales);
  DequantizeOp::create(b, loc, makeTensorType(shape, b.getF32Type()), input, scale,
                       operand(narrow, scales), axisAttr, blockAttr);
}
