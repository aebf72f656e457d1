//===- Node.cpp - One ONNX node during import -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Node.h"
#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Choice.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

Value Node::input(unsigned i) {
  if (!hasInput(i))
    return {};
  isRead.set(i);
  Value value = makeValue(*this, *inputs[i]);
  return value ? canonical(value) : Value();
}

Value Node::gatherFrom(unsigned i, Value indices, int64_t axis) {
  isRead.set(i);
  return import::gatherFrom(*this, *inputs[i], indices, axis);
}

LogicalResult Node::checkChoices() {
  for (unsigned i = 0; i < numInputs(); ++i)
    if (hasInput(i) && !isRead.test(i) && inputs[i]->choice &&
        !inputs[i]->choice->isOneType() && !input(i))
      return failure();
  return success();
}

SmallVector<Value> Node::allInputs() {
  SmallVector<Value> values;
  for (unsigned i = 0; i < numInputs(); ++i)
    values.push_back(input(i));
  return values;
}

Dims Node::inputDims(unsigned i) const {
  Dims result = graph::getDims(inputType(i));
  for (SymbolicExpr &dim : result)
    if (!dim.isConstant())
      dim = symbols.canonical(dim);
  return result;
}

const IntTensor *Node::content(unsigned i) const {
  return hasInput(i) ? inputs[i]->content.get() : nullptr;
}

const IntTensor *Node::requireContent(unsigned i, StringRef role) {
  if (const IntTensor *known = content(i))
    return known;
  if (std::shared_ptr<const Undecided> why =
          hasInput(i) ? inputs[i]->undecided : nullptr) {
    (void)failUndecided("the " + role, *why);
    return nullptr;
  }
  (void)fail(ErrorCode::ShapeFromData,
             "the " + role + " is not known before the model runs",
             "constants and sizes of dims",
             "values computed from data ('" + proto.input(int(i)) + "')",
             "export the model with a constant " + role + " or one computed from shapes");
  return nullptr;
}

std::shared_ptr<const Undecided> Node::getUndecided() const {
  if (undecided)
    return undecided;
  for (const Operand *input : inputs)
    if (input && input->undecided)
      return input->undecided;
  return nullptr;
}

std::optional<SmallVector<int64_t>> Node::requireConstants(unsigned i, StringRef role) {
  const IntTensor *known = requireContent(i, role);
  if (!known)
    return std::nullopt;
  std::optional<SmallVector<int64_t>> values = known->constants();
  if (!values)
    (void)fail(ErrorCode::ShapeUndecided, "the " + role + " depends on symbolic dims",
               "integers", graph::printDims(known->elements),
               "make those dims static with --dims");
  return values;
}

static double numberOf(const Attribute &element) {
  if (auto integer = dyn_cast<IntegerAttr>(element))
    return double(integer.getValue().getSExtValue());
  return cast<FloatAttr>(element).getValueAsDouble();
}

static std::optional<SmallVector<double>> numbersOf(const Operand &operand) {
  if (operand.content) {
    auto values = operand.content->constants();
    if (!values)
      return std::nullopt;
    return SmallVector<double>(values->begin(), values->end());
  }
  auto op = operand.value ? operand.value.getDefiningOp<graph::ConstantOp>() : nullptr;
  auto value = op ? dyn_cast<DenseElementsAttr>(op.getValue()) : nullptr;
  if (!value)
    return std::nullopt;
  SmallVector<double> numbers;
  for (Attribute element : value.getValues<Attribute>())
    numbers.push_back(::numberOf(element));
  return numbers;
}

std::optional<double> Node::numberOf(const Operand &operand) {
  RankedTensorType type = operand.type();
  if (!type.hasStaticShape() || type.getNumElements() != 1)
    return std::nullopt;
  auto numbers = numbersOf(operand);
  return numbers ? std::optional(numbers->front()) : std::nullopt;
}

std::optional<SmallVector<double>> Node::constantNumbers(unsigned i) const {
  return hasInput(i) ? numbersOf(*inputs[i]) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

int64_t Node::intAttr(StringRef name, int64_t otherwise) const {
  const onnx::AttributeProto *found = attr(name);
  return found ? found->i() : otherwise;
}

double Node::floatAttr(StringRef name, double otherwise) const {
  const onnx::AttributeProto *found = attr(name);
  return found ? double(found->f()) : otherwise;
}

StringRef Node::stringAttr(StringRef name, StringRef otherwise) const {
  const onnx::AttributeProto *found = attr(name);
  return found ? StringRef(found->s()) : otherwise;
}

std::optional<SmallVector<int64_t>> Node::intsAttr(StringRef name) const {
  const onnx::AttributeProto *found = attr(name);
  if (!found)
    return std::nullopt;
  return SmallVector<int64_t>(found->ints().begin(), found->ints().end());
}

std::optional<int64_t> Node::axis(int64_t value, int64_t rank) {
  if (value >= -rank && value < rank)
    return value < 0 ? value + rank : value;
  (void)fail(ErrorCode::NodeInvalid, "an axis is out of range",
             "an axis in [" + Twine(-rank) + ", " + Twine(rank) + ")", Twine(value),
             "check the ranks of the model's values");
  return std::nullopt;
}

std::optional<SmallVector<int64_t>> Node::axes(ArrayRef<int64_t> values, int64_t rank) {
  SmallVector<int64_t> result;
  for (int64_t value : values) {
    std::optional<int64_t> one = axis(value, rank);
    if (!one)
      return std::nullopt;
    result.push_back(*one);
  }
  llvm::sort(result);
  if (std::adjacent_find(result.begin(), result.end()) == result.end())
    return result;
  (void)fail(ErrorCode::NodeInvalid, "an axis is given twice", "distinct axes",
             "repeats in axes", "correct the attribute or input");
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

LogicalResult Node::result(Operand operand, unsigned i) {
  if (!operand)
    return failure();
  if (i < results.size())
    results[i] = std::move(operand);
  return success();
}

LogicalResult Node::result(Value value, unsigned i) {
  return result(Operand{value, {}}, i);
}

LogicalResult Node::result(IntTensor content, unsigned i) {
  return result(Operand{{}, std::make_shared<IntTensor>(std::move(content))}, i);
}
