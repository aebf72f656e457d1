//===- RandomMovement.cpp - Ops that move or make elements ----------------===//
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

Value RandomKernel::reshape(Value value) {
  Dims dims = getDims(value);
  for (int64_t steps = pick(1, 3); steps > 0; --steps) {
    int64_t rank = dims.size();
    if (chance(0.5) && rank >= 2) { // merge two adjacent dims
      int64_t i = pick(0, rank - 2);
      dims[i] *= dims[i + 1];
      dims.erase(dims.begin() + i + 1);
    } else if (chance(0.3) || rank == 0) {
      dims.insert(dims.begin() + pick(0, rank), SymbolicExpr(1));
    } else { // split a constant dim in two
      int64_t i = pick(0, rank - 1);
      auto constant = dims[i].getConstant();
      int64_t factor = pick(2, 8);
      if (!constant || *constant % factor != 0)
        continue;
      dims[i] = *constant / factor;
      dims.insert(dims.begin() + i + pick(0, 1), SymbolicExpr(factor));
    }
  }
  return ReshapeOp::create(b, b.getUnknownLoc(), makeTensorType(dims, elementOf(value)),
                           value);
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
  return SliceOp::create(b, b.getUnknownLoc(), makeTensorType(sizes, elementOf(value)),
                         value, makeShape(b.getContext(), starts), steps);
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
  // Some indices are out of bounds and are clamped.
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
  return BroadcastOp::create(b, b.getUnknownLoc(), makeTensorType(dims, elementOf(value)),
                             value);
}

/// Adds ops without operands, and pack and unpack.
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
    other = IotaOp::create(b, loc, type, pick(0, dims.size() - 1),
                           llvm::APFloat(double(pick(-3, 3))),
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
