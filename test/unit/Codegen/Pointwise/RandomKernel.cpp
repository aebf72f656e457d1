//===- RandomKernel.cpp - Random row and pointwise kernels ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomKernel.h"

#include <numeric>

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::test;
using namespace mlir;

/// Enough for several fragments and tasks, little enough for the reference.
static constexpr int64_t kMostElements = 6000;

static Type elementOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

//===----------------------------------------------------------------------===//
// Types and operands
//===----------------------------------------------------------------------===//

Type RandomKernel::randomElement() {
  MLIRContext *context = b.getContext();
  auto unsignedType = [&](unsigned width) {
    return IntegerType::get(context, width, IntegerType::Unsigned);
  };
  if (chance(0.65))
    return b.getF32Type();
  return oneOf<Type>({b.getF16Type(), b.getBF16Type(), b.getF64Type(), b.getI64Type(),
                      b.getI32Type(), b.getI16Type(), b.getI8Type(), b.getI1Type(),
                      unsignedType(8), unsignedType(16), unsignedType(32), unsignedType(64)});
}

int64_t RandomKernel::valueOf(const SymbolicExpr &expr) { return *result.symbols.evaluate(expr); }

int64_t RandomKernel::countOf(ArrayRef<SymbolicExpr> dims) {
  int64_t count = 1;
  for (const SymbolicExpr &dim : dims)
    count *= valueOf(dim);
  return count;
}

SymbolicExpr RandomKernel::randomDim() {
  int64_t extent = chance(0.02)  ? 0
                   : chance(0.2) ? 1
                   : chance(0.6) ? pick(2, 9)
                   : chance(0.9) ? pick(10, 70)
                                 : pick(71, 300);
  if (chance(0.65))
    return extent;
  std::string name = "s" + std::to_string(numSymbols++);
  result.symbols.set(name, extent);
  return SymbolicExpr::symbol(b.getStringAttr(name));
}

graph::Dims RandomKernel::randomDims() {
  while (true) {
    Dims dims;
    for (int64_t rank = chance(0.05) ? 0 : pick(1, 4); rank > 0; --rank)
      dims.push_back(randomDim());
    if (countOf(dims) <= kMostElements)
      return dims;
  }
}

Value RandomKernel::operand(Type element, ArrayRef<SymbolicExpr> dims, int64_t low,
                            int64_t high) {
  reference::Shape shape;
  for (const SymbolicExpr &dim : dims)
    shape.push_back(valueOf(dim));
  result.inputs.push_back(randomTensor(random, element, shape, low, high));
  return block->addArgument(makeTensorType(dims, element), b.getUnknownLoc());
}

Value RandomKernel::partner(Type element, const Dims &dims) {
  Dims own(dims);
  for (SymbolicExpr &dim : own)
    if (chance(0.25))
      dim = SymbolicExpr(1);
  if (chance(0.3) && !own.empty())
    own.erase(own.begin(), own.begin() + pick(1, own.size()));
  return operand(element, own);
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

Value RandomKernel::unary(Value value) {
  Type element = elementOf(value);
  UnaryKind kind;
  if (element.isInteger(1)) {
    kind = UnaryKind::logical_not;
  } else if (!isa<FloatType>(element)) {
    kind = oneOf({UnaryKind::abs, UnaryKind::neg, UnaryKind::relu, UnaryKind::sign});
    // -1 of 64 bits without a sign has a square that no f32 holds.
    if (kind == UnaryKind::neg && element.isUnsignedInteger())
      kind = UnaryKind::sign;
  } else {
    kind = static_cast<UnaryKind>(pick(0, 22));
    // f64 has no code for erf.
    while (kind == UnaryKind::logical_not ||
           (element.isF64() && (kind == UnaryKind::erf || kind == UnaryKind::gelu ||
                                kind == UnaryKind::softplus)))
      kind = static_cast<UnaryKind>(pick(0, 22));
    decides |= kind == UnaryKind::floor || kind == UnaryKind::ceil || kind == UnaryKind::round ||
               kind == UnaryKind::sign || kind == UnaryKind::is_nan;
  }
  return UnaryOp::create(b, b.getUnknownLoc(), kind, value);
}

Value RandomKernel::binary(Value value) {
  Type element = elementOf(value);
  BinaryKind kind;
  if (element.isInteger(1))
    kind = static_cast<BinaryKind>(pick(9, 11));
  else
    kind = static_cast<BinaryKind>(pick(0, 8));
  bool remainder = kind == BinaryKind::mod || kind == BinaryKind::fmod;
  if (isa<FloatType>(element)) {
    decides |= remainder;
    if (element.isF64() && remainder)
      kind = BinaryKind::add;
  }
  Value other = chance(0.2) ? value : partner(element, getDims(value));
  if (kind != BinaryKind::sub && kind != BinaryKind::div && chance(0.5) &&
      kind != BinaryKind::pow)
    std::swap(value, other);
  return BinaryOp::create(b, b.getUnknownLoc(), kind, value, other);
}

Value RandomKernel::select(Value value) {
  Value condition;
  if (chance(0.5)) {
    condition = partner(b.getI1Type(), getDims(value));
  } else {
    decides |= isa<FloatType>(elementOf(value));
    condition = CompareOp::create(b, b.getUnknownLoc(), static_cast<CompareKind>(pick(0, 5)),
                                  value, partner(elementOf(value), getDims(value)));
  }
  Value other = partner(elementOf(value), getDims(value));
  if (chance(0.5))
    std::swap(value, other);
  return SelectOp::create(b, b.getUnknownLoc(), condition, value, other);
}

Value RandomKernel::cast(Value value) {
  Type element = randomElement();
  decides |= isa<FloatType>(elementOf(value)) && !isa<FloatType>(element);
  return CastOp::create(b, b.getUnknownLoc(), makeTensorType(getDims(value), element), value);
}

Value RandomKernel::elementwise(Value value) {
  double choice = std::uniform_real_distribution<double>(0, 1)(random);
  if (choice < 0.35)
    return unary(value);
  if (choice < 0.75)
    return binary(value);
  return choice < 0.88 ? select(value) : cast(value);
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

Value RandomKernel::reshape(Value value) {
  Dims dims = getDims(value);
  for (int64_t steps = pick(1, 3); steps > 0; --steps) {
    int64_t rank = dims.size();
    if (chance(0.5) && rank >= 2) { // two neighbours become one
      int64_t i = pick(0, rank - 2);
      dims[i] *= dims[i + 1];
      dims.erase(dims.begin() + i + 1);
    } else if (chance(0.3) || rank == 0) {
      dims.insert(dims.begin() + pick(0, rank), SymbolicExpr(1));
    } else { // a constant dim becomes two
      int64_t i = pick(0, rank - 1);
      auto constant = dims[i].getConstant();
      int64_t factor = pick(2, 8);
      if (!constant || *constant % factor != 0)
        continue;
      dims[i] = *constant / factor;
      dims.insert(dims.begin() + i + pick(0, 1), SymbolicExpr(factor));
    }
  }
  return ReshapeOp::create(b, b.getUnknownLoc(), makeTensorType(dims, elementOf(value)), value);
}

Value RandomKernel::slice(Value value) {
  Dims dims = getDims(value), starts, sizes;
  SmallVector<int64_t> steps;
  for (const SymbolicExpr &dim : dims) {
    int64_t extent = valueOf(dim);
    if (extent == 0 || chance(0.4) || !dim.isConstant()) {
      starts.push_back(0);
      sizes.push_back(dim);
      steps.push_back(1);
      continue;
    }
    int64_t step = oneOf<int64_t>({1, 1, 2, 3, -1, -2});
    int64_t start = pick(0, extent - 1);
    int64_t most = step > 0 ? (extent - 1 - start) / step + 1 : start / -step + 1;
    starts.push_back(start);
    sizes.push_back(pick(1, most));
    steps.push_back(step);
  }
  return SliceOp::create(b, b.getUnknownLoc(), makeTensorType(sizes, elementOf(value)), value,
                         makeShape(b.getContext(), starts), steps);
}

Value RandomKernel::concat(Value value) {
  Dims dims = getDims(value);
  if (dims.empty())
    return value;
  int64_t axis = pick(0, dims.size() - 1);
  SmallVector<Value> parts{value};
  for (int64_t others = pick(1, 2); others > 0; --others) {
    Dims own(dims);
    own[axis] = chance(0.7) ? SymbolicExpr(pick(0, 20)) : dims[axis];
    Value part = operand(elementOf(value), own);
    parts.insert(parts.begin() + pick(0, parts.size()), part);
  }
  return ConcatOp::create(b, b.getUnknownLoc(), parts, axis);
}

Value RandomKernel::gather(Value value) {
  Dims dims = getDims(value);
  if (dims.empty())
    return value;
  int64_t axis = pick(0, dims.size() - 1), extent = valueOf(dims[axis]);
  if (extent == 0)
    return value;
  Dims indexDims;
  for (int64_t rank = pick(0, 2); rank > 0; --rank)
    indexDims.push_back(chance(0.7) ? SymbolicExpr(pick(1, 12)) : randomDim());
  Type element = chance(0.7) ? b.getI64Type() : b.getI32Type();
  // Some point outside and are clamped.
  Value indices = operand(element, indexDims, -extent - 2, extent + 1);
  if (chance(0.3))
    indices = BinaryOp::create(b, b.getUnknownLoc(), BinaryKind::add, indices,
                               partner(element, indexDims));
  return GatherOp::create(b, b.getUnknownLoc(), value, indices, axis);
}

Value RandomKernel::broadcast(Value value) {
  Dims dims = getDims(value);
  for (SymbolicExpr &dim : dims)
    if (dim.isConstant(1) && chance(0.7))
      dim = randomDim();
  if (chance(0.4))
    dims.insert(dims.begin(), randomDim());
  return BroadcastOp::create(b, b.getUnknownLoc(), makeTensorType(dims, elementOf(value)), value);
}

/// Ops without operands, and pack and unpack.
Value RandomKernel::special(Value value) {
  Location loc = b.getUnknownLoc();
  Dims dims = getDims(value);
  Type element = elementOf(value);
  if (dims.size() == 2 && chance(0.5)) {
    Value packed = PackOp::create(b, loc, value, oneOf<int64_t>({2, 3, 4, 8, 16}));
    if (chance(0.5))
      return packed;
    return UnpackOp::create(b, loc, makeTensorType(dims, element), packed);
  }
  if (!isa<FloatType>(element) && !element.isSignlessInteger(64))
    return value;
  Value other;
  double choice = std::uniform_real_distribution<double>(0, 1)(random);
  auto type = makeTensorType(dims, element);
  if (choice < 0.4 && !dims.empty()) {
    other = IotaOp::create(b, loc, type, pick(0, dims.size() - 1), llvm::APFloat(double(pick(-3, 3))),
                           llvm::APFloat(double(pick(-2, 2))));
  } else if (choice < 0.7 || dims.empty()) {
    TypedAttr number = isa<FloatType>(element) ? TypedAttr(b.getFloatAttr(element, 1.5))
                                               : TypedAttr(b.getIntegerAttr(element, 3));
    other = FillOp::create(b, loc, type, number);
  } else {
    Dims list;
    for (int64_t n = valueOf(dims.back()); n > 0 && list.size() < 40; --n)
      list.push_back(dims[pick(0, dims.size() - 1)]);
    if (!dims.back().isConstant(list.size()))
      return value;
    other = DimsOp::create(b, loc, makeTensorType({int64_t(list.size())}, b.getI64Type()),
                           makeShape(b.getContext(), list));
    if (isa<FloatType>(element))
      other = CastOp::create(b, loc, makeTensorType(getDims(other), element), other);
  }
  return BinaryOp::create(b, loc, BinaryKind::add, value, other);
}

Value RandomKernel::movement(Value value) {
  int64_t rank = getDims(value).size();
  switch (pick(0, 7)) {
  case 0:
  case 1:
    return reshape(value);
  case 2: {
    SmallVector<int64_t> permutation(rank);
    std::iota(permutation.begin(), permutation.end(), 0);
    std::shuffle(permutation.begin(), permutation.end(), random);
    return TransposeOp::create(b, b.getUnknownLoc(), value, permutation);
  }
  case 3:
    return slice(value);
  case 4:
    return concat(value);
  case 5:
    return gather(value);
  case 6:
    return broadcast(value);
  default:
    return special(value);
  }
}

//===----------------------------------------------------------------------===//
// Row ops and whole kernels
//===----------------------------------------------------------------------===//

Value RandomKernel::rowOp(Value value) {
  Dims dims = getDims(value);
  Location loc = b.getUnknownLoc();
  int64_t rank = dims.size();
  bool isFloat = isa<FloatType>(elementOf(value));
  if (rank == 0 || elementOf(value).isInteger(1))
    return value;
  int64_t axis = pick(0, rank - 1), choice = pick(0, isFloat ? 4 : 1);
  if (choice <= 1) {
    auto kind = isFloat ? static_cast<graph::ReduceKind>(pick(0, 9))
                        : oneOf({graph::ReduceKind::sum, graph::ReduceKind::max,
                                 graph::ReduceKind::min, graph::ReduceKind::prod});
    SmallVector<int64_t> axes;
    for (int64_t i = 0; i < rank; ++i)
      if (chance(0.5))
        axes.push_back(i);
    return ReduceOp::create(b, loc, kind, value, axes, chance(0.5));
  }
  if (choice == 2)
    return SoftmaxOp::create(b, loc, value, axis);
  Dims normalized(dims.begin() + axis, dims.end());
  Value scale = partner(elementOf(value), normalized);
  llvm::APFloat epsilon(1e-5);
  if (choice == 3)
    return RmsNormOp::create(b, loc, value, scale, axis, epsilon);
  Value bias = chance(0.5) ? partner(elementOf(value), normalized) : Value();
  return LayerNormOp::create(b, loc, value, chance(0.7) ? scale : Value(), bias, axis, epsilon);
}

Value RandomKernel::step(Value value) {
  Value next = chance(0.55) ? elementwise(value) : movement(value);
  if (countOf(getDims(next)) > kMostElements) {
    Operation *op = next.getDefiningOp();
    if (next != value && op->use_empty())
      op->erase();
    return value;
  }
  return next;
}

KernelCase RandomKernel::build() {
  Location loc = b.getUnknownLoc();
  OperationState state(loc, KernelOp::getOperationName());
  // Built around the block: its arguments are not known yet.
  Region *body = state.addRegion();
  block = &body->emplaceBlock();
  OpBuilder::InsertionGuard guard(b);
  Block *outer = b.getInsertionBlock();
  b.setInsertionPointToEnd(block);
  Dims dims = randomDims();
  Value value = operand(randomElement(), dims);
  for (int64_t steps = pick(0, 6); steps > 0; --steps)
    value = step(value);
  bool isRow = chance(0.5);
  if (isRow) {
    value = rowOp(value);
    for (int64_t steps = pick(0, 2); steps > 0; --steps)
      value = elementwise(value);
  }
  YieldOp::create(b, loc, value);

  b.setInsertionPointToEnd(outer);
  SmallVector<Value> operands;
  for (Type type : block->getArgumentTypes())
    operands.push_back(outer->addArgument(type, loc));
  auto kernel = KernelOp::create(b, loc, TypeRange{value.getType()}, isRow ? "row" : "pointwise",
                                 operands, ArrayAttr(), FlatSymbolRefAttr());
  kernel.getBody().takeBody(*body);
  result.kernel = kernel;
  return std::move(result);
}
