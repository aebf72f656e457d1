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

namespace {
/// Inputs of a size that is not known as a formula.
struct SizeTree {
  llvm::SetVector<StringAttr> dims;
  bool isOfData = false; ///< depends on the model's data
  bool isFolded = true;  ///< constant-folded by the importer if its inputs are known
};
} // namespace

/// Returns true for ops that the importer folds if their inputs are known.
static bool isFolded(Operation *op) {
  using graph::UnaryKind;
  if (auto unary = dyn_cast<graph::UnaryOp>(op))
    return llvm::is_contained({UnaryKind::floor, UnaryKind::ceil, UnaryKind::round,
                               UnaryKind::neg, UnaryKind::abs, UnaryKind::relu,
                               UnaryKind::sqrt, UnaryKind::logical_not},
                              unary.getKind());
  return isa<graph::BinaryOp, graph::CompareOp, graph::SelectOp, graph::CastOp,
             graph::ConcatOp, graph::SliceOp, graph::GatherOp, graph::ReshapeOp,
             graph::BroadcastOp, graph::ConstantOp, graph::DimsOp, graph::ReduceOp>(op);
}

/// Collects the inputs of a size's computation.
static SizeTree treeOf(Value value) {
  constexpr size_t kMaxOps = 512;
  SizeTree tree;
  llvm::SetVector<Operation *> seen;
  SmallVector<Value> worklist{value};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || isa<graph::GetWeightOp>(op) || seen.size() == kMaxOps) {
      tree.isOfData = true;
      return tree;
    }
    if (!seen.insert(op))
      continue;
    tree.isFolded &= isFolded(op);
    if (auto sizes = dyn_cast<graph::DimsOp>(op))
      for (StringAttr name : sizes.getValue().getSymbols())
        tree.dims.insert(name);
    llvm::append_range(worklist, op->getOperands());
  }
  return tree;
}

/// Reports a size that is computed from dims but is no formula of them.
static void failFormula(Node &n, const SizeTree &tree, StringRef role) {
  SmallVector<std::string> names, fixed;
  for (StringAttr name : tree.dims) {
    names.push_back(name.str());
    fixed.push_back(name.str() + "=8");
  }
  (void)n.fail(ErrorCode::ShapeUndecided,
               "the " + role + " is a function of dims that Kiln has no formula for",
               "sums, products, quotients, minima and maxima of dims",
               "a function of " + llvm::join(names, ", "),
               tree.isFolded ? "fix these dims, as with --dims " + llvm::join(fixed, ",")
                             : "export the model with dims that are fixed");
}

const IntTensor *Node::requireContent(unsigned i, StringRef role) {
  if (const IntTensor *known = content(i))
    return known;
  if (std::shared_ptr<const Undecided> why =
          hasInput(i) ? inputs[i]->undecided : nullptr) {
    (void)failUndecided("the " + role, *why);
    return nullptr;
  }
  Value value = hasInput(i) ? inputs[i]->value : Value();
  SizeTree tree = value ? treeOf(value) : SizeTree();
  if (!tree.isOfData && !tree.dims.empty()) {
    failFormula(*this, tree, role);
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
