//===- Evaluator.cpp - Evaluates graphs in double precision ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Reference/Evaluator.h"
#include "Decisive.h"
#include "Ops.h"
#include "Scope.h"
#include "kiln/ErrorCodes/Graph.h"
#include "llvm/ADT/StringExtras.h"

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Symbols and shapes
//===----------------------------------------------------------------------===//

Symbols::Symbols(std::initializer_list<std::pair<StringRef, int64_t>> list) {
  for (auto [name, value] : list)
    set(name, value);
}

std::optional<int64_t> Symbols::lookup(StringRef name) const {
  auto it = values.find(name);
  return it == values.end() ? std::nullopt : std::optional(it->second);
}

std::optional<int64_t> Symbols::evaluate(const SymbolicExpr &expr) const {
  for (StringAttr symbol : expr.getSymbols())
    if (!lookup(symbol.getValue()))
      return std::nullopt;
  return expr.evaluate([&](StringAttr symbol) { return *lookup(symbol.getValue()); });
}

std::string Symbols::str() const {
  SmallVector<std::string> parts;
  for (const auto &entry : values)
    parts.push_back(entry.getKey().str() + " = " + std::to_string(entry.getValue()));
  llvm::sort(parts);
  return llvm::join(parts, ", ");
}

std::string reference::printShape(ArrayRef<int64_t> shape) {
  SmallVector<std::string> parts;
  for (int64_t dim : shape)
    parts.push_back(std::to_string(dim));
  return "[" + llvm::join(parts, ", ") + "]";
}

llvm::Error reference::errorAt(Operation *op, ErrorCode::ID code, std::string what,
                               std::string expected, std::string found, std::string fix) {
  return makeError({code, describe(op->getLoc()), std::move(what), std::move(expected),
                    std::move(found), std::move(fix)});
}

static llvm::Error shapeError(std::string what, const Symbols &symbols) {
  Diagnosis diagnosis;
  diagnosis.code = ErrorCode::EvaluationShape;
  diagnosis.what = std::move(what);
  diagnosis.found = symbols.str();
  diagnosis.fix = "choose dims for which every dim of the model is at least 0";
  return makeError(std::move(diagnosis));
}

llvm::Expected<Shape> reference::shapeOf(Type type, const Symbols &symbols) {
  Shape shape;
  Dims dims = getDims(type);
  for (const SymbolicExpr &dim : dims) {
    std::optional<int64_t> value = symbols.evaluate(dim);
    if (!value || *value < 0)
      return shapeError("the dim " + dim.str() + " has no valid value", symbols);
    shape.push_back(*value);
  }
  if (!countElements(shape))
    return shapeError("a tensor of shape " + printDims(dims) + " is too large", symbols);
  return shape;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static llvm::Error inputError(std::string where, std::string what, std::string expected,
                              std::string found) {
  return makeError({ErrorCode::EvaluationInput, std::move(where), std::move(what),
                    std::move(expected), std::move(found),
                    "give tensors the model declares"});
}

static std::string nameOf(func::FuncOp func, unsigned i) {
  if (auto name = func.getArgAttrOfType<StringAttr>(i, kNameAttr))
    return "input '" + name.str() + "'";
  return "input " + std::to_string(i);
}

llvm::Expected<Symbols> reference::bindSymbols(func::FuncOp func,
                                               ArrayRef<Shape> shapes) {
  Symbols symbols;
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes())) {
    Dims dims = getDims(type);
    if (i >= shapes.size() || dims.size() != shapes[i].size())
      return inputError(nameOf(func, i), "the rank does not fit", printDims(dims),
                        i < shapes.size() ? printShape(shapes[i]) : "nothing");
    for (auto [dim, value] : llvm::zip(dims, shapes[i])) {
      StringAttr symbol = dim.getSymbol();
      if (symbol && !symbols.lookup(symbol.getValue()))
        symbols.set(symbol.getValue(), value);
    }
  }
  return symbols;
}

/// Reports an input that does not match its declared type at these symbols.
static llvm::Error checkInput(std::string where, Type type, const Tensor &input,
                              const Symbols &symbols) {
  auto tensor = cast<RankedTensorType>(type);
  llvm::Expected<Shape> shape = shapeOf(type, symbols);
  if (!shape)
    return shape.takeError();
  auto print = [](Type element, ArrayRef<int64_t> dims) {
    std::string text;
    llvm::raw_string_ostream(text) << element << " " << printShape(dims);
    return text;
  };
  if (tensor.getElementType() == input.getElementType() && *shape == input.getShape())
    return llvm::Error::success();
  return inputError(std::move(where), "a tensor does not fit its declaration",
                    print(tensor.getElementType(), *shape),
                    print(input.getElementType(), input.getShape()));
}

//===----------------------------------------------------------------------===//
// One op
//===----------------------------------------------------------------------===//

/// Reports element types that cannot be evaluated.
static llvm::Error checkTypes(Operation *op) {
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (tensor && isSupported(tensor.getElementType()))
        continue;
      std::string found;
      llvm::raw_string_ostream(found) << type;
      return errorAt(op, ErrorCode::EvaluationUnsupported, "a type cannot be evaluated",
                     "f16, bf16, f32, f64, i1, integers of 8 to 64 bits or a narrow type",
                     found);
    }
  return llvm::Error::success();
}

/// Evaluates the op if it is of this class and Ops.h has a function for the class.
template <typename OpT>
static void evaluateAs(Operation *op, const Call &call, std::optional<Result> &result) {
  if constexpr (requires(OpT concrete) { evaluate(concrete, call); })
    if (auto concrete = dyn_cast<OpT>(op))
      result.emplace(evaluate(concrete, call));
}

template <typename... OpTs>
static std::optional<Result> evaluateAsOneOf(Operation *op, const Call &call) {
  std::optional<Result> result;
  (evaluateAs<OpTs>(op, call, result), ...);
  return result;
}

Result reference::evaluateSimple(Operation *op, const Call &call) {
  if (std::optional<Result> result = evaluateAsOneOf<
#define GET_OP_LIST
#include "dialects/Graph/GraphOps.cpp.inc"
          >(op, call))
    return std::move(*result);
  if (std::optional<Result> result = evaluateAsOneOf<
#define GET_OP_LIST
#include "dialects/Graph/GraphPartialOps.cpp.inc"
          >(op, call))
    return std::move(*result);
  return errorAt(op, ErrorCode::EvaluationUnsupported,
                 "'" + op->getName().getStringRef().str() + "' cannot be evaluated",
                 "an op of the graph dialect");
}

/// Returns an error if a result does not match the op's declared type: a defect of the
/// evaluator or of the types.
static llvm::Error checkResults(Operation *op, ArrayRef<Tensor> results,
                                const Symbols &symbols) {
  for (auto [type, result] : llvm::zip(op->getResultTypes(), results))
    if (llvm::Error error = checkInput(describe(op->getLoc()), type, result, symbols))
      return error;
  return llvm::Error::success();
}

llvm::Expected<Results> reference::evaluateOp(Operation *op, ArrayRef<Tensor> operands,
                                              const Symbols &symbols,
                                              WeightSource &weights,
                                              const Options &options) {
  if (llvm::Error error = checkTypes(op))
    return error;
  for (auto [type, operand] : llvm::zip(op->getOperandTypes(), operands))
    if (llvm::Error error = checkInput(describe(op->getLoc()), type, operand, symbols))
      return error;
  if (auto kernel = dyn_cast<graph::KernelOp>(op)) {
    Options inner;
    inner.exactTyped = options.exactTyped;
    inner.moveByScores = options.moveByScores;
    inner.rounded = options.rounded;
    return evaluate(kernel.getBlock(), operands, symbols, weights, inner);
  }
  if (op->getNumResults() != 1) // graph.set_weight: BakedWeights reads these
    return errorAt(op, ErrorCode::EvaluationUnsupported,
                   "'" + op->getName().getStringRef().str() + "' has no value");
  llvm::Expected<Shape> shape = shapeOf(op->getResult(0).getType(), symbols);
  if (!shape)
    return shape.takeError();
  Result result = evaluateSimple(op, {operands, *shape, symbols, weights, options});
  if (!result)
    return result.takeError();
  bool isRounded =
      options.exactTyped || (options.rounded && options.rounded->contains(op));
  Results results{isRounded ? result->rounded() : *result};
  if (llvm::Error error = checkResults(op, results, symbols))
    return error;
  return results;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

llvm::Expected<Results> reference::evaluate(Block &block, ArrayRef<Tensor> inputs,
                                            const Symbols &symbols, WeightSource &weights,
                                            const Options &given) {
  Scope scope;
  Options options = given;
  llvm::DenseSet<Operation *> decisive;
  if (!given.rounded && !given.exactTyped) {
    decisive = decisiveOps(block);
    options.rounded = &decisive;
  }
  for (auto [argument, input] : llvm::zip(block.getArguments(), inputs))
    scope.define(argument, input);
  for (Operation &op : block.without_terminator()) {
    Results operands = scope.take(&op);
    llvm::Expected<Results> results =
        evaluateOp(&op, operands, symbols, weights, options);
    if (!results)
      return results.takeError();
    if (options.observe)
      options.observe(&op, operands, *results);
    for (auto [value, tensor] : llvm::zip(op.getResults(), *results))
      scope.define(value, std::move(tensor));
  }
  return scope.take(block.getTerminator());
}

llvm::Error reference::checkInputs(func::FuncOp func, ArrayRef<Tensor> inputs,
                                   const Symbols &symbols) {
  if (!llvm::hasSingleElement(func.getBody()))
    return errorAt(func, ErrorCode::EvaluationUnsupported, "a function is not one block");
  if (inputs.size() != func.getNumArguments())
    return inputError("@" + func.getName().str(), "the number of inputs does not fit",
                      std::to_string(func.getNumArguments()),
                      std::to_string(inputs.size()));
  for (auto [i, input] : llvm::enumerate(inputs)) {
    if (!isa<RankedTensorType>(func.getArgumentTypes()[i]))
      return inputError(nameOf(func, i), "the input is no tensor", "a tensor",
                        "another type");
    if (llvm::Error error =
            checkInput(nameOf(func, i), func.getArgumentTypes()[i], input, symbols))
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<Results> reference::evaluate(func::FuncOp func, ArrayRef<Tensor> inputs,
                                            const Symbols &symbols, WeightSource &weights,
                                            const Options &options) {
  if (llvm::Error error = checkInputs(func, inputs, symbols))
    return error;
  return evaluate(func.getBody().front(), inputs, symbols, weights, options);
}
