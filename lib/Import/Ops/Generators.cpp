//===- Generators.cpp - Constants, ranges, casts --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Types/FloatFormat.h"
#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Advice.h"
#include "lib/Import/Ops/IntFold.h"
#include "lib/Import/Ops/Ops.h"
#include "lib/Import/Types.h"

#include <cmath>

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;

//===----------------------------------------------------------------------===//
// Unchanged values
//===----------------------------------------------------------------------===//

/// Sets input 0, with its content, as the result.
static LogicalResult forward(Node &n, unsigned output = 0) {
  if (const IntTensor *known = n.content(0))
    return n.result(*known, output);
  return n.result(n.input(0), output);
}

LogicalResult kiln::import::importIdentity(Node &n) { return forward(n); }

/// Imports Dropout as identity: it does nothing outside of training.
LogicalResult kiln::import::importDropout(Node &n) {
  if (n.hasInput(2)) {
    std::optional<double> training = n.constantNumber(2);
    // A ratio of 0 drops nothing.
    bool isIdentity = n.constantNumber(1) == 0.0;
    if (!isIdentity && (!training || *training != 0))
      return n.unsupported("Dropout in training mode", "training_mode false",
                           training ? "true" : "a value computed from data");
  }
  if (n.wantsOutput(1)) {
    Value mask = n.fill(n.inputDims(0), n.builder.getI1Type(), 1);
    if (failed(n.result(mask, 1)))
      return failure();
  }
  return forward(n);
}

LogicalResult kiln::import::importConstant(Node &n) {
  constexpr int kMaxList = IntTensor::kMaxElements;
  if (const auto *value = n.attr("value"))
    return n.result(n.tensor(value->t()));
  if (const auto *value = n.attr("value_float"))
    return n.result(n.scalar(n.builder.getF32Type(), value->f()));
  if (const auto *value = n.attr("value_int"))
    return n.result(IntTensor::scalar(value->i(), n.builder.getI64Type()));
  if (const auto *value = n.attr("value_ints"); value && value->ints_size() <= kMaxList)
    return n.result(IntTensor::vector(Dims(value->ints().begin(), value->ints().end()),
                                      n.builder.getI64Type()));
  if (const auto *value = n.attr("value_floats");
      value && value->floats_size() <= kMaxList)
    return n.result(n.constant(DenseElementsAttr::get(
        RankedTensorType::get({value->floats_size()}, n.builder.getF32Type()),
        ArrayRef<float>(value->floats().data(), value->floats_size()))));
  return n.unsupported("the form of the constant",
                       "a tensor, a number, or a list of at most 256",
                       "a string, a sparse tensor or a longer list");
}

LogicalResult kiln::import::importConstantOfShape(Node &n) {
  const IntTensor *shape = n.requireContent(0, "shape");
  if (!shape)
    return failure();
  Type type = n.builder.getF32Type();
  double value = 0;
  std::optional<int64_t> integer;
  if (const auto *attribute = n.attr("value")) {
    Operand constant = n.tensor(attribute->t());
    if (!constant)
      return failure();
    std::optional<double> number = Node::numberOf(constant);
    if (!number)
      return n.fail(ErrorCode::NodeInvalid, "attribute value is not one element",
                    "a tensor with one element", "another shape",
                    "correct the attribute");
    type = constant.type().getElementType();
    value = *number;
    if (constant.content)
      integer = constant.content->elements[0].getConstant();
  }
  Dims dims;
  int64_t count = 1;
  IntTensor content{{}, {}, type};
  for (const SymbolicExpr &element : shape->elements) {
    dims.push_back(n.symbols.canonical(element));
    int64_t size = dims.back().getConstant().value_or(IntTensor::kMaxElements + 1);
    content.shape.push_back(size);
    count =
        std::clamp<int64_t>(count * std::min<int64_t>(size, IntTensor::kMaxElements + 1),
                            0, IntTensor::kMaxElements + 1);
  }
  if (integer && count <= int64_t(IntTensor::kMaxElements)) {
    content.elements.assign(count, SymbolicExpr(*integer));
    if (failed(n.checkDims(dims)))
      return failure();
    return n.result(content);
  }
  return n.result(n.fill(dims, type, value));
}

//===----------------------------------------------------------------------===//
// Range
//===----------------------------------------------------------------------===//

/// Builds an integer range whose bounds may depend on dims.
static LogicalResult importIntRange(Node &n) {
  SymbolicExpr bounds[3];
  for (unsigned i = 0; i < 3; ++i) {
    const IntTensor *known = n.requireContent(i, i == 0   ? "start"
                                                 : i == 1 ? "limit"
                                                          : "delta");
    if (!known || known->elements.size() != 1)
      return failure();
    bounds[i] = n.symbols.canonical(known->elements[0]);
  }
  auto [start, limit, delta] = bounds;
  std::optional<int64_t> step = delta.getConstant();
  if (!step || *step == 0)
    return n.unsupported("the step of a range", "an integer other than 0", delta.str());
  // Larger constants would overflow in sums, and such a range does not fit into memory.
  constexpr int64_t kMaxBound = int64_t(1) << 60;
  for (const SymbolicExpr &bound : bounds)
    if (std::optional<int64_t> value = bound.getConstant();
        value && (*value > kMaxBound || *value < -kMaxBound))
      return n.fail(ErrorCode::TensorDims, "the range is too long",
                    "bounds of a magnitude of at most 2^60", bound.str(),
                    "check the bounds of the range");
  SymbolicExpr distance = *step > 0 ? limit - start : start - limit;
  SymbolicExpr count = n.symbols.maxOf(distance.ceilDiv(std::abs(*step)), 0);
  Type type = n.inputType(0).getElementType();
  if (auto size = count.getConstant();
      size && *size <= int64_t(IntTensor::kMaxElements)) {
    Dims elements;
    for (int64_t i = 0; i < *size; ++i)
      elements.push_back(start + SymbolicExpr(i * *step));
    return n.result(IntTensor::vector(elements, type));
  }
  Value ramp =
      n.iota({count}, type, 0, double(start.getConstant().value_or(0)), double(*step));
  if (!start.isConstant())
    ramp = n.binary(BinaryKind::add, ramp, n.integers(IntTensor::scalar(start, type)));
  return n.result(ramp);
}

LogicalResult kiln::import::importRange(Node &n) {
  Type type = n.inputType(0).getElementType();
  bool whole = n.content(0) && n.content(1) && n.content(2);
  if (whole || type.isInteger(32) || type.isInteger(64))
    return importIntRange(n);
  std::optional<double> start = n.constantNumber(0), limit = n.constantNumber(1),
                        delta = n.constantNumber(2);
  if (!start || !limit || !delta || *delta == 0)
    return n.fail(ErrorCode::ShapeFromData,
                  "the range is not known before the model runs",
                  "constant start, limit and delta other than 0",
                  "values computed from data", "export the model with a constant range");
  double count = std::max(std::ceil((*limit - *start) / *delta), 0.0);
  if (!(count < INT32_MAX))
    return n.fail(ErrorCode::TensorDims, "the range is too long",
                  "fewer than 2^31 elements", std::to_string(count), "correct the range");
  return n.result(n.iota({SymbolicExpr(int64_t(count))}, type, 0, *start, *delta));
}

//===----------------------------------------------------------------------===//
// Indices of elements
//===----------------------------------------------------------------------===//

/// Returns one row of indices per dim, one column per nonzero element.
static IntTensor indicesOfNonZero(ArrayRef<int64_t> shape, ArrayRef<int64_t> elements,
                                  Type type) {
  SmallVector<Dims, 0> rows(shape.size());
  for (auto [position, element] : llvm::enumerate(elements)) {
    int64_t rest = position;
    for (size_t axis = shape.size(); element && axis-- > 0; rest /= shape[axis])
      rows[axis].push_back(rest % shape[axis]);
  }
  int64_t count = rows.front().size();
  IntTensor result{{int64_t(shape.size()), count}, {}, type};
  for (const Dims &row : rows)
    llvm::append_range(result.elements, row);
  return result;
}

static bool isZero(Attribute value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return number.getValue().isZero();
  return cast<IntegerAttr>(value).getValue().isZero();
}

/// Folds NonZero of known values: exporters wrote a range as the indices of ones.
LogicalResult kiln::import::importNonZero(Node &n) {
  Type index = n.builder.getI64Type();
  Dims dims = n.inputDims(0);
  const IntTensor *known = n.content(0);
  std::optional<SmallVector<int64_t>> elements =
      known && known->rank() ? known->constants() : std::nullopt;
  if (elements && elements->size() * dims.size() <= IntTensor::kMaxElements)
    return n.result(indicesOfNonZero(known->shape, *elements, index));
  auto fill = known ? graph::FillOp() : n.input(0).getDefiningOp<graph::FillOp>();
  if (fill && dims.size() == 1)
    return n.result(isZero(fill.getValue()) ? n.fill({1, 0}, index, 0)
                                            : n.iota({1, dims[0]}, index, 1));
  return n.fail(
      ErrorCode::ShapeFromData,
      "the number of elements that are not 0 is not known before the model runs",
      "a small constant, or a vector filled with one value", "values computed from data",
      adviceFor(n.getProto()));
}

//===----------------------------------------------------------------------===//
// Cast
//===----------------------------------------------------------------------===//

/// Casts to floats of 8 bits. Attribute `saturate` does not apply to narrower ones.
static LogicalResult castToFloat8(Node &n, Type type) {
  Value input = n.input(0);
  if (!input)
    return failure();
  graph::ScaleRoundingAttr rounding;
  if (isPowerOfTwoType(type)) {
    StringRef name = n.stringAttr("round_mode", "up");
    auto mode = graph::symbolizeScaleRounding(name);
    if (!mode)
      return n.fail(ErrorCode::NodeInvalid, "round_mode is unknown", "up, down or nearest",
                    "'" + name + "'", "export the model again");
    rounding = graph::ScaleRoundingAttr::get(n.builder.getContext(), *mode);
  }
  bool overflows = n.intAttr("saturate", 1) == 0;
  Value x = n.canonical(input);
  auto result = graph::makeTensorType(n.dims(x), type);
  return n.result(
      graph::CastOp::create(n.builder, n.loc, result, x, overflows, rounding).getResult());
}

static LogicalResult castTo(Node &n, Type type) {
  Type from = n.inputType(0).getElementType();
  if (from == type)
    return forward(n);
  if (std::optional<IntTensor> folded = foldCast(n, type))
    return n.result(*folded);
  if (!graph::isNarrow(type))
    return n.result(n.cast(n.input(0), type));
  if (isa<FloatType>(type))
    return type.getIntOrFloatBitWidth() == 8 ? castToFloat8(n, type)
                                             : n.result(n.cast(n.input(0), type));
  // ONNX leaves out-of-range values undefined; its node tests keep the low bits.
  Value whole = isa<FloatType>(from) ? n.cast(n.input(0), n.builder.getI32Type()) : n.input(0);
  return n.result(n.cast(whole, type));
}

LogicalResult kiln::import::importCast(Node &n) {
  int64_t number = n.intAttr("to", 0);
  Type type = elementTypeOf(int(number), n.builder.getContext());
  if (!type)
    return n.fail(ErrorCode::ElementType, "casts to this type are not supported",
                  kSupportedTypes, onnxTypeName(int(number)), "cast to a supported type");
  return castTo(n, type);
}

LogicalResult kiln::import::importCastLike(Node &n) {
  return castTo(n, n.inputType(1).getElementType());
}
