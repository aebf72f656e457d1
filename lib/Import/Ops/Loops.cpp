//===- Loops.cpp - Scan and Loop, unrolled during import ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop with a known number of iterations is unrolled, such as a recurrence over a
// sequence of static length. Carried values may change their shape between iterations.
//
//===----------------------------------------------------------------------===//

#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Choice.h"
#include "lib/Import/Ops/Ops.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;

static constexpr StringLiteral kOneStep =
    "export one step of the loop, without control flow, and let the calling program loop";

namespace {
/// Unrolled iterations of one Scan or Loop.
class Unrolled {
public:
  Unrolled(Node &n, const onnx::GraphProto &body) : n(n), body(body) {}

  /// Reports unrolled bodies that are too large to compile.
  LogicalResult checkCount(int64_t count) const;
  /// Imports the body once more.
  FailureOr<SmallVector<Operand>> iterate(ArrayRef<Operand> arguments) const;
  /// Returns element `index` of a tensor along an axis, which is removed.
  Operand elementOf(Operand &tensor, int64_t axis, int64_t index) const;
  /// Sets the elements of all iterations, concatenated along a new axis, as an output.
  LogicalResult stack(MutableArrayRef<Operand> elements, int64_t axis, bool isReverse,
                      unsigned output) const;

private:
  Node &n;
  const onnx::GraphProto &body;
};
} // namespace

LogicalResult Unrolled::checkCount(int64_t count) const {
  constexpr int64_t kMaxNodes = 8192;
  int64_t nodes = std::max(1, body.node_size());
  if (count <= kMaxNodes / nodes)
    return success();
  return n.fail(ErrorCode::FormUnsupported, "a loop is too long to be unrolled",
                "at most " + Twine(kMaxNodes) + " nodes in all iterations together",
                Twine(count) + " iterations of " + Twine(nodes) + " nodes", kOneStep);
}

FailureOr<SmallVector<Operand>> Unrolled::iterate(ArrayRef<Operand> arguments) const {
  if (int(arguments.size()) == body.input_size())
    return n.branch(body, arguments);
  return n.fail(
      ErrorCode::NodeInvalid, "the body of a loop has not the inputs of its node",
      Twine(arguments.size()) + " inputs", Twine(body.input_size()), "correct the body");
}

Operand Unrolled::elementOf(Operand &tensor, int64_t axis, int64_t index) const {
  if (tensor.content)
    if (std::optional<IntTensor> taken = take(*tensor.content, axis, {index}, {}))
      return {{}, std::make_shared<const IntTensor>(*taken)};
  Dims dims = n.dims(tensor.value);
  Value element = n.slice(tensor.value, axis, SymbolicExpr(index), SymbolicExpr(1));
  dims.erase(dims.begin() + axis);
  return {n.reshape(element, dims), {}};
}

LogicalResult Unrolled::stack(MutableArrayRef<Operand> elements, int64_t axis,
                              bool isReverse, unsigned output) const {
  SmallVector<Value> values;
  for (Operand &element : elements) {
    Value value = makeValue(n, element);
    std::optional<int64_t> place =
        value ? n.axis(axis, n.rank(value) + 1) : std::optional<int64_t>();
    if (!place)
      return failure();
    values.push_back(n.unsqueeze(value, *place));
    axis = *place;
  }
  if (isReverse)
    std::reverse(values.begin(), values.end());
  return n.result(values.size() == 1 ? values.front() : n.concat(values, axis), output);
}

/// Returns the node's body; null after an error.
static const onnx::GraphProto *bodyOf(Node &n) {
  const onnx::AttributeProto *body = n.attr("body");
  if (body && body->has_g())
    return &body->g();
  (void)n.fail(ErrorCode::NodeInvalid, "the loop has no body",
               "a graph in attribute body", "none", "correct the node");
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Scan
//===----------------------------------------------------------------------===//

namespace {
/// Scan of opset 9 and later: carried states, and inputs and outputs that are read and
/// written element by element along one axis each.
class ScanImport {
public:
  ScanImport(Node &n, const onnx::GraphProto &body) : n(n), body(body), loop(n, body) {}
  LogicalResult run();

private:
  LogicalResult readAttributes();
  LogicalResult countIterations();
  LogicalResult iterate(int64_t index);
  LogicalResult finish();

  Node &n;
  const onnx::GraphProto &body;
  Unrolled loop;
  size_t states = 0, scans = 0, outputs = 0;
  int64_t count = 0;
  SmallVector<int64_t> inputAxes, inputDirections, outputAxes, outputDirections;
  SmallVector<Operand> scanned, carried;
  std::vector<SmallVector<Operand>> written;
};
} // namespace

LogicalResult ScanImport::readAttributes() {
  int64_t given = n.intAttr("num_scan_inputs", 0);
  bool fits = given >= 1 && given <= n.numInputs() &&
              size_t(body.output_size()) == n.numOutputs() &&
              n.numOutputs() >= n.numInputs() - given;
  scans = size_t(given);
  states = n.numInputs() - scans;
  outputs = n.numOutputs() - states;
  auto list = [&](StringRef name, size_t length, SmallVector<int64_t> &values) {
    values = n.intsAttr(name).value_or(SmallVector<int64_t>(length, 0));
    fits &= values.size() == length;
  };
  if (fits) {
    list("scan_input_axes", scans, inputAxes);
    list("scan_input_directions", scans, inputDirections);
    list("scan_output_axes", outputs, outputAxes);
    list("scan_output_directions", outputs, outputDirections);
  }
  if (fits)
    return success();
  return n.fail(
      ErrorCode::NodeInvalid, "the attributes of a Scan do not fit together",
      "as many axes and directions as scan inputs and outputs, and a body with the "
      "outputs of the node",
      Twine(given) + " scan inputs of " + Twine(n.numInputs()) + " inputs and " +
          Twine(n.numOutputs()) + " outputs",
      "correct the node");
}

LogicalResult ScanImport::countIterations() {
  for (size_t i = 0; i < scans; ++i) {
    unsigned index = states + i;
    std::optional<int64_t> axis = n.axis(inputAxes[i], n.inputRank(index));
    if (!axis || !n.input(index))
      return failure();
    inputAxes[i] = *axis;
    SymbolicExpr length = n.inputDims(index)[*axis];
    std::optional<int64_t> constant = length.getConstant();
    if (!constant || *constant == 0)
      return n.fail(ErrorCode::FormUnsupported, "a Scan over a dim",
                    "a length that is known and not 0", length.str(),
                    length.getSymbol()
                        ? "give the dim one length, as in --dims " + length.str() + "=16"
                        : std::string("export the model with a sequence of one length"));
    if (i && *constant != count)
      return n.fail(ErrorCode::ShapeMismatch, "the inputs of a Scan differ in length",
                    Twine(count), Twine(*constant), "check the shapes of the inputs");
    count = *constant;
    scanned.push_back({n.input(index), {}});
  }
  return loop.checkCount(count);
}

LogicalResult ScanImport::iterate(int64_t index) {
  SmallVector<Operand> arguments = carried;
  for (auto [tensor, axis, direction] : llvm::zip(scanned, inputAxes, inputDirections))
    arguments.push_back(
        loop.elementOf(tensor, axis, direction ? count - 1 - index : index));
  FailureOr<SmallVector<Operand>> results = loop.iterate(arguments);
  if (failed(results))
    return failure();
  carried.assign(results->begin(), results->begin() + states);
  for (size_t i = 0; i < outputs; ++i)
    written[i].push_back((*results)[states + i]);
  return success();
}

LogicalResult ScanImport::finish() {
  for (auto [i, state] : llvm::enumerate(carried))
    if (failed(n.result(state, i)))
      return failure();
  for (size_t i = 0; i < outputs; ++i)
    if (failed(loop.stack(written[i], outputAxes[i], outputDirections[i], states + i)))
      return failure();
  return success();
}

LogicalResult ScanImport::run() {
  if (failed(readAttributes()) || failed(countIterations()))
    return failure();
  for (size_t i = 0; i < states; ++i)
    carried.push_back(n.operand(i));
  written.resize(outputs);
  for (int64_t i = 0; i < count; ++i)
    if (failed(iterate(i)))
      return failure();
  return finish();
}

LogicalResult kiln::import::importScan(Node &n) {
  const onnx::GraphProto *body = bodyOf(n);
  return body ? ScanImport(n, *body).run() : failure();
}

/// Scan of opset 8 runs its body on each sequence of a batch separately.
LogicalResult kiln::import::importScan8(Node &n) {
  return n.unsupported("Scan over the sequences of a batch", "Scan of opset 9 or later",
                       "opset 8");
}

//===----------------------------------------------------------------------===//
// Loop
//===----------------------------------------------------------------------===//

namespace {
/// Loop: at most M iterations while a condition holds, both known at import.
class LoopImport {
public:
  LoopImport(Node &n, const onnx::GraphProto &body) : n(n), body(body), loop(n, body) {}
  LogicalResult run();

private:
  LogicalResult readCount();
  LogicalResult readCondition(const Operand &operand);
  LogicalResult iterate(int64_t index);
  LogicalResult finish();

  Node &n;
  const onnx::GraphProto &body;
  Unrolled loop;
  size_t states = 0, outputs = 0;
  std::optional<int64_t> count; ///< nullopt: until the condition ends it
  bool goesOn = true;
  SmallVector<Operand> carried;
  std::vector<SmallVector<Operand>> written;
};
} // namespace

LogicalResult LoopImport::readCount() {
  if (!n.hasInput(0))
    return success();
  std::optional<SmallVector<int64_t>> values =
      n.requireConstants(0, "number of iterations");
  if (!values)
    return failure();
  if (values->size() != 1)
    return n.fail(ErrorCode::NodeInvalid, "the number of iterations is not one number",
                  "1 element", Twine(values->size()), "correct the node");
  count = std::max<int64_t>(values->front(), 0);
  return loop.checkCount(*count);
}

LogicalResult LoopImport::readCondition(const Operand &operand) {
  std::optional<double> value = Node::numberOf(operand);
  if (!value)
    return n.fail(ErrorCode::ShapeFromData,
                  "the condition of a Loop is not known before the model runs",
                  "a condition that follows from constants and sizes of dims",
                  "a value computed from data", kOneStep);
  goesOn = *value != 0;
  return success();
}

LogicalResult LoopImport::iterate(int64_t index) {
  Type i64 = n.builder.getI64Type(), i1 = n.builder.getI1Type();
  auto known = [](int64_t value, Type type) {
    return Operand{{}, std::make_shared<const IntTensor>(IntTensor::scalar(value, type))};
  };
  SmallVector<Operand> arguments{known(index, i64), known(1, i1)};
  llvm::append_range(arguments, carried);
  FailureOr<SmallVector<Operand>> results = loop.iterate(arguments);
  if (failed(results) || failed(readCondition(results->front())))
    return failure();
  carried.assign(results->begin() + 1, results->begin() + 1 + states);
  for (size_t i = 0; i < outputs; ++i)
    written[i].push_back((*results)[1 + states + i]);
  return success();
}

LogicalResult LoopImport::finish() {
  for (auto [i, state] : llvm::enumerate(carried))
    if (failed(n.result(state, i)))
      return failure();
  for (size_t i = 0; i < outputs; ++i) {
    if (written[i].empty())
      return n.unsupported("a Loop with outputs of its iterations",
                           "one iteration or more", "none");
    if (failed(loop.stack(written[i], 0, /*isReverse=*/false, states + i)))
      return failure();
  }
  return success();
}

LogicalResult LoopImport::run() {
  states = n.numInputs() > 2 ? n.numInputs() - 2 : 0;
  if (n.numOutputs() < states || size_t(body.output_size()) != n.numOutputs() + 1)
    return n.fail(ErrorCode::NodeInvalid,
                  "the body of a Loop has not the outputs of its node",
                  Twine(n.numOutputs() + 1) + " outputs", Twine(body.output_size()),
                  "correct the node");
  outputs = n.numOutputs() - states;
  written.resize(outputs);
  for (size_t i = 0; i < states; ++i)
    carried.push_back(n.operand(i + 2));
  if (failed(readCount()) || (n.hasInput(1) && failed(readCondition(n.operand(1)))))
    return failure();
  for (int64_t i = 0; goesOn && (!count || i < *count); ++i)
    if (failed(loop.checkCount(i + 1)) || failed(iterate(i)))
      return failure();
  return finish();
}

LogicalResult kiln::import::importLoop(Node &n) {
  const onnx::GraphProto *body = bodyOf(n);
  return body ? LoopImport(n, *body).run() : failure();
}
