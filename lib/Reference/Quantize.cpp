//===- Quantize.cpp - Quantize and dequantize -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantizes as ONNX specifies, with each step rounded to its type: elsewhere the
// reference computes in f64, but here the last bit decides between two results.
//
//===----------------------------------------------------------------------===//

#include "Ops.h"
#include "Rounding.h"
#include "dialects/Graph/Graph.h"

#include <cmath>

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

namespace {
/// Maps elements to the index of their scale.
class ScalePlaces {
public:
  template <typename OpT> ScalePlaces(OpT op, const Shape &shape) {
    if (!op.getAxis())
      return;
    int64_t axis = *op.getAxis();
    extent = shape[axis];
    inner = *countElements(ArrayRef(shape).drop_front(axis + 1));
    isBlocked = op.getBlock().has_value();
    block = op.getBlock().value_or(1);
    scales = llvm::divideCeil(extent, block);
    isSingle = false;
  }
  int64_t operator()(int64_t element) const {
    if (isSingle)
      return 0;
    int64_t place = element / inner % extent;
    if (!isBlocked)
      return place;
    return (element / inner / extent * scales + place / block) * inner + element % inner;
  }

private:
  bool isSingle = true, isBlocked = false;
  int64_t extent = 1, inner = 1, block = 1, scales = 1;
};

/// Rounds an f64 to a type. Dividing or multiplying in f64 first is exact enough for f32
/// and narrower types.
class Rounder {
public:
  explicit Rounder(Type type) : type(type), format(floatFormatOf(type)) {}
  double operator()(double value) const {
    if (format)
      return decode(encode(value, *format), *format);
    return type.isF32() ? static_cast<float>(value) : value;
  }

private:
  Type type;
  const FloatFormat *format;
};
} // namespace

static Shape shapeOfOperand(const Call &call) {
  return Shape(call.operands[0].getShape());
}

Result reference::evaluate(QuantizeOp op, const Call &call) {
  Shape shape = shapeOfOperand(call);
  ScalePlaces places(op, shape);
  Tensor x = call.operands[0].rounded(), scale = call.operands[1].rounded();
  Type to = op.getResult().getType().getElementType();
  Rounder divide(x.getElementType());
  bool toInteger = isa<IntegerType>(to), isWide = x.getElementType().isF64();
  std::vector<double> values(x.getNumElements());
  for (auto [i, value] : llvm::enumerate(values)) {
    int64_t at = places(i);
    value = divide(x.getDouble(i) / scale.getDouble(at));
    if (toInteger)
      value = std::nearbyint(value);
    if (op.getZeroPoint())
      value += call.operands[2].getDouble(at);
    if (!isWide)
      value = static_cast<float>(value);
  }
  Type wide = Float64Type::get(op.getContext());
  CastRules rules;
  rules.saturates = !op.getOverflows();
  return Tensor::fromDoubles(wide, shape, values).convert(to, rules);
}

Result reference::evaluate(DequantizeOp op, const Call &call) {
  Shape shape = shapeOfOperand(call);
  ScalePlaces places(op, shape);
  const Tensor &x = call.operands[0];
  Tensor scale = call.operands[1].rounded();
  Type to = op.getResult().getType().getElementType();
  std::vector<double> values(x.getNumElements());
  for (auto [i, value] : llvm::enumerate(values)) {
    int64_t at = places(i);
    float number = static_cast<float>(x.getDouble(i));
    if (op.getZeroPoint())
      number -= static_cast<float>(call.operands[2].getDouble(at));
    value = static_cast<float>(number * static_cast<float>(scale.getDouble(at)));
  }
  return Tensor::fromDoubles(to, shape, values).rounded();
}
