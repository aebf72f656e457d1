//===- RandomKernel.cpp - Random row and pointwise kernels ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomKernel.h"

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::test;
using namespace mlir;

/// Max elements: enough for several fragments and tasks, few enough for the reference.
static constexpr int64_t kMostElements = 6000;

//===----------------------------------------------------------------------===//
// Types and operands
//===----------------------------------------------------------------------===//

Type RandomKernel::randomElement() {
  MLIRContext *context = b.getContext();
  auto unsignedType = [&](unsigned width) {
    return IntegerType::get(context, width, IntegerType::Unsigned);
  };
  if (chance(0.4))
    return b.getF32Type();
  if (chance(0.5))
    return oneOf<Type>({b.getF16Type(), b.getBF16Type(), b.getF64Type()});
  return oneOf<Type>({b.getI64Type(), b.getI32Type(), b.getI16Type(), b.getI8Type(),
                      b.getI1Type(), unsignedType(8), unsignedType(16), unsignedType(32),
                      unsignedType(64)});
}

int64_t RandomKernel::valueOf(const SymbolicExpr &expr) {
  return *result.symbols.evaluate(expr);
}

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
    // Negating an unsigned 64-bit value makes one whose square overflows f32.
    if (kind == UnaryKind::neg && element.isUnsignedInteger())
      kind = UnaryKind::sign;
  } else {
    do
      kind = static_cast<UnaryKind>(pick(0, 22));
    while (kind == UnaryKind::logical_not);
    decides |= kind == UnaryKind::floor || kind == UnaryKind::ceil ||
               kind == UnaryKind::round || kind == UnaryKind::sign ||
               kind == UnaryKind::is_nan;
  }
  return UnaryOp::create(b, b.getUnknownLoc(), kind, value);
}

Value RandomKernel::binary(Value value) {
  Type element = elementOf(value);
  BinaryKind kind;
  if (element.isInteger(1))
    kind = static_cast<BinaryKind>(pick(9, 11));
  else if (!isa<FloatType>(element) && chance(0.3))
    kind = static_cast<BinaryKind>(pick(12, 16));
  else
    kind = static_cast<BinaryKind>(pick(0, 8));
  if (isa<FloatType>(element))
    decides |= kind == BinaryKind::mod || kind == BinaryKind::fmod;
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
    condition =
        CompareOp::create(b, b.getUnknownLoc(), static_cast<CompareKind>(pick(0, 5)),
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
  return CastOp::create(b, b.getUnknownLoc(), makeTensorType(getDims(value), element),
                        value);
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
// Row ops and complete kernels
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
  return LayerNormOp::create(b, loc, value, chance(0.7) ? scale : Value(), bias, axis,
                             epsilon);
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
  // Built after the block, whose arguments are not known before.
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
  auto kernel =
      KernelOp::create(b, loc, TypeRange{value.getType()}, isRow ? "row" : "pointwise",
                       operands, ArrayAttr(), FlatSymbolRefAttr());
  kernel.getBody().takeBody(*body);
  result.kernel = kernel;
  return std::move(result);
}
