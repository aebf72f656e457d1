//===- Recurrent.cpp - RNN, GRU and LSTM, unrolled during import ----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inputs of all steps are multiplied by the weight in one matmul; each step adds the
// matmul of the previous state. The equations are those of the ONNX spec (RNN, GRU and
// LSTM, opset 22). The sequence length must be known.
//
//===----------------------------------------------------------------------===//

#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Ops.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::CompareKind;
using graph::UnaryKind;

namespace {
enum class Cell { RNN, GRU, LSTM };

/// Inputs of the nodes; only an LSTM has the last two.
enum Input : unsigned { X, W, R, Bias, Lengths, InitialH, InitialC, Peepholes };

struct State {
  Value h, c; ///< [B, H]; only an LSTM has c
};

class Recurrent {
public:
  Recurrent(Node &n, Cell cell) : n(n), cell(cell) {}
  LogicalResult run();

private:
  LogicalResult readAttributes();
  LogicalResult readShapes();
  LogicalResult runDirection(int64_t direction);
  LogicalResult finish();

  Value add(Value a, Value b) { return n.binary(BinaryKind::add, a, b); }
  Value mul(Value a, Value b) { return n.binary(BinaryKind::mul, a, b); }
  Value oneMinus(Value a) { return n.binary(BinaryKind::sub, n.scalarLike(a, 1), a); }
  Value activate(Value x, unsigned which);
  /// Returns slice `index` of dim 0, which is removed.
  Value pick(Value x, int64_t index);
  /// Returns gate `gate` of the last dim.
  Value gateOf(Value x, int64_t gate);
  Value initialState(unsigned input, int64_t direction);
  State step(Value ofInput, State before);
  State stepRnn(Value ofInput, State before);
  State stepGru(Value ofInput, State before);
  State stepLstm(Value ofInput, State before);
  Value peephole(Value gate, int64_t index, Value c);
  Value stack(ArrayRef<Value> values);

  Node &n;
  Cell cell;
  int64_t gates = 1, hidden = 0, length = 0, directions = 1;
  bool isBatchFirst = false, startsReverse = false;
  bool isLinearBeforeReset = false, isInputForget = false;
  SmallVector<UnaryKind> activations; ///< of the current direction
  SmallVector<UnaryKind> allActivations;
  SymbolicExpr batch;
  Value x, recurrent, recurrentBias, peepholes; ///< of the current direction
  SmallVector<Value> lastH, lastC;
  std::vector<SmallVector<Value>> steps; ///< by direction
};
} // namespace

//===----------------------------------------------------------------------===//
// Attributes and shapes
//===----------------------------------------------------------------------===//

static std::optional<UnaryKind> activationOf(StringRef name) {
  std::string lower = name.lower();
  if (lower == "sigmoid")
    return UnaryKind::sigmoid;
  if (lower == "tanh")
    return UnaryKind::tanh;
  return lower == "relu" ? std::optional(UnaryKind::relu) : std::nullopt;
}

LogicalResult Recurrent::readAttributes() {
  gates = cell == Cell::RNN ? 1 : cell == Cell::GRU ? 3 : 4;
  StringRef direction = n.stringAttr("direction", "forward");
  directions = direction == "bidirectional" ? 2 : 1;
  startsReverse = direction == "reverse";
  isBatchFirst = n.intAttr("layout", 0) != 0;
  isLinearBeforeReset = n.intAttr("linear_before_reset", 0) != 0;
  isInputForget = n.intAttr("input_forget", 0) != 0;
  if (n.hasAttr("clip"))
    return n.unsupported("a recurrence with attribute clip", "no clip",
                         std::to_string(n.floatAttr("clip", 0)));
  SmallVector<UnaryKind> usual{UnaryKind::sigmoid, UnaryKind::tanh, UnaryKind::tanh};
  usual.resize(size_t(cell == Cell::LSTM ? 3 : 2));
  if (cell == Cell::RNN)
    usual = {UnaryKind::tanh};
  for (int64_t i = 0; i < directions; ++i)
    llvm::append_range(allActivations, usual);
  const onnx::AttributeProto *given = n.attr("activations");
  if (!given)
    return success();
  if (size_t(given->strings_size()) != allActivations.size())
    return n.fail(ErrorCode::NodeInvalid, "the activations do not fit the node",
                  Twine(allActivations.size()) + " activations",
                  Twine(given->strings_size()), "correct the node");
  for (int i = 0; i < given->strings_size(); ++i) {
    std::optional<UnaryKind> kind = activationOf(given->strings(i));
    if (!kind)
      return n.unsupported("the activation of a recurrence", "Sigmoid, Tanh or Relu",
                           given->strings(i));
    allActivations[size_t(i)] = *kind;
  }
  return success();
}

LogicalResult Recurrent::readShapes() {
  constexpr int64_t kMaxSteps = 1024;
  Dims input = n.inputDims(X), weight = n.inputDims(R);
  if (input.size() != 3 || weight.size() != 3 || n.inputRank(W) != 3 ||
      !weight[2].isConstant() ||
      !weight[1].isConstant(gates * *weight[2].getConstant()) ||
      !weight[0].isConstant(directions))
    return n.fail(ErrorCode::ShapeMismatch, "the weights do not fit the recurrence",
                  "inputs [length, batch, size] and weights [" + Twine(directions) +
                      ", " + Twine(gates) + " * hidden, hidden]",
                  graph::printDims(input) + " and " + graph::printDims(weight),
                  "check the shapes of the inputs");
  hidden = *weight[2].getConstant();
  batch = input[isBatchFirst ? 0 : 1];
  const SymbolicExpr &steps = input[isBatchFirst ? 1 : 0];
  length = steps.getConstant().value_or(0);
  if (length >= 1 && length <= kMaxSteps)
    return success();
  return n.fail(
      ErrorCode::FormUnsupported, "a recurrence over a sequence",
      "a length that is known, of 1 to " + Twine(kMaxSteps) + " steps", steps.str(),
      steps.getSymbol() ? "give the dim one length, as in --dims " + steps.str() + "=16"
                        : std::string("export the model with a shorter sequence"));
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Value Recurrent::pick(Value value, int64_t index) {
  if (!value)
    return {};
  Dims dims = n.dims(value);
  Value one = n.slice(value, 0, SymbolicExpr(index), SymbolicExpr(1));
  return n.reshape(one, ArrayRef(dims).drop_front());
}

Value Recurrent::gateOf(Value value, int64_t gate) {
  if (!value)
    return {};
  return n.slice(value, n.rank(value) - 1, SymbolicExpr(gate * hidden),
                 SymbolicExpr(hidden));
}

Value Recurrent::activate(Value value, unsigned which) {
  return n.unary(activations[which], value);
}

/// Computes an RNN step. `ofInput` is x W^T plus both biases, [B, hidden].
State Recurrent::stepRnn(Value ofInput, State before) {
  Value ofState = n.matmul(before.h, recurrent, false, /*transposeB=*/true);
  return {activate(add(ofInput, ofState), 0), {}};
}

/// Computes a GRU step with gates z (update), r (reset) and h. The recurrent bias of h is
/// separate if the reset is applied after the matmul.
State Recurrent::stepGru(Value ofInput, State before) {
  Value ofState = n.matmul(before.h, recurrent, false, true);
  auto gate = [&](int64_t index) {
    return activate(add(gateOf(ofInput, index), gateOf(ofState, index)), 0);
  };
  Value z = gate(0), r = gate(1), candidate;
  if (isLinearBeforeReset) {
    Value state = gateOf(ofState, 2);
    candidate = mul(r, recurrentBias ? add(state, recurrentBias) : state);
  } else {
    Value weight = n.slice(recurrent, 0, SymbolicExpr(2 * hidden), SymbolicExpr(hidden));
    candidate = n.matmul(mul(r, before.h), weight, false, true);
  }
  candidate = activate(add(gateOf(ofInput, 2), candidate), 1);
  return {add(mul(oneMinus(z), candidate), mul(z, before.h)), {}};
}

Value Recurrent::peephole(Value gate, int64_t index, Value c) {
  return peepholes ? add(gate, mul(gateOf(peepholes, index), c)) : gate;
}

/// Computes an LSTM step with gates i (input), o (output), f (forget) and c (cell).
State Recurrent::stepLstm(Value ofInput, State before) {
  Value sum = add(ofInput, n.matmul(before.h, recurrent, false, true));
  Value i = activate(peephole(gateOf(sum, 0), 0, before.c), 0);
  Value f =
      isInputForget ? oneMinus(i) : activate(peephole(gateOf(sum, 2), 2, before.c), 0);
  Value c = add(mul(f, before.c), mul(i, activate(gateOf(sum, 3), 1)));
  Value o = activate(peephole(gateOf(sum, 1), 1, c), 0);
  return {mul(o, activate(c, 2)), c};
}

State Recurrent::step(Value ofInput, State before) {
  switch (cell) {
  case Cell::RNN:
    return stepRnn(ofInput, before);
  case Cell::GRU:
    return stepGru(ofInput, before);
  case Cell::LSTM:
    return stepLstm(ofInput, before);
  }
  llvm_unreachable("all cells handled");
}

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

/// Returns the initial state [B, H]; zeros if the input is absent.
Value Recurrent::initialState(unsigned input, int64_t direction) {
  if (!n.hasInput(input))
    return n.fill({batch, hidden}, n.inputType(X).getElementType(), 0);
  Value given = n.input(input);
  if (given && isBatchFirst)
    given = n.transpose(given, {1, 0, 2});
  return pick(given, direction);
}

LogicalResult Recurrent::runDirection(int64_t direction) {
  activations.assign(allActivations.begin() +
                         direction * allActivations.size() / directions,
                     allActivations.end());
  recurrent = pick(n.input(R), direction);
  peepholes = n.hasInput(Peepholes) ? pick(n.input(Peepholes), direction) : Value();
  Value all = n.matmul(x, pick(n.input(W), direction), false, /*transposeB=*/true);
  if (n.hasInput(Bias)) {
    Value bias = pick(n.input(Bias), direction);
    SymbolicExpr size = gates * hidden;
    Value ofInput = n.slice(bias, 0, 0, size), ofState = n.slice(bias, 0, size, size);
    if (cell == Cell::GRU && isLinearBeforeReset) {
      recurrentBias = gateOf(ofState, 2);
      ofState = n.concat({n.slice(ofState, 0, 0, SymbolicExpr(2 * hidden)),
                          n.fill({hidden}, n.elementType(bias), 0)},
                         0);
    }
    all = add(all, add(ofInput, ofState));
  }
  bool isReverse = startsReverse || direction == 1;
  State state{initialState(InitialH, direction),
              cell == Cell::LSTM ? initialState(InitialC, direction) : Value()};
  SmallVector<Value> &written = steps.emplace_back(size_t(length));
  for (int64_t i = 0; i < length; ++i) {
    int64_t place = isReverse ? length - 1 - i : i;
    State next = step(pick(all, place), state);
    Value output = next.h;
    if (n.hasInput(Lengths)) {
      // After its end a sequence keeps its state, and its outputs are 0.
      Value lengths = n.unsqueeze(n.input(Lengths), 1);
      if (!lengths || !output)
        return failure();
      Value isInside =
          n.compare(CompareKind::greater, lengths, n.scalarLike(lengths, double(place)));
      output = n.select(isInside, next.h, n.scalarLike(next.h, 0));
      next.h = n.select(isInside, next.h, state.h);
      next.c = next.c ? n.select(isInside, next.c, state.c) : Value();
    }
    if (!output)
      return failure();
    written[size_t(place)] = output;
    state = next;
  }
  lastH.push_back(state.h);
  lastC.push_back(state.c);
  return success();
}

/// Concatenates values [B, H] along a new dim 0.
Value Recurrent::stack(ArrayRef<Value> values) {
  SmallVector<Value> rows;
  for (Value value : values)
    rows.push_back(n.unsqueeze(value, 0));
  return rows.size() == 1 ? rows.front() : n.concat(rows, 0);
}

LogicalResult Recurrent::finish() {
  if (n.wantsOutput(0)) {
    SmallVector<Value> all;
    for (int64_t i = 0; i < length; ++i) {
      SmallVector<Value> ofStep;
      for (const SmallVector<Value> &direction : steps)
        ofStep.push_back(direction[size_t(i)]);
      all.push_back(n.unsqueeze(stack(ofStep), 0));
    }
    Value y = all.size() == 1 ? all.front() : n.concat(all, 0);
    if (failed(n.result(isBatchFirst ? n.transpose(y, {2, 0, 1, 3}) : y, 0)))
      return failure();
  }
  auto setLast = [&](unsigned output, ArrayRef<Value> values) {
    if (!n.wantsOutput(output))
      return success();
    Value last = stack(values);
    return n.result(isBatchFirst ? n.transpose(last, {1, 0, 2}) : last, output);
  };
  return failure(failed(setLast(1, lastH)) ||
                 (cell == Cell::LSTM && failed(setLast(2, lastC))));
}

LogicalResult Recurrent::run() {
  if (failed(readAttributes()) || failed(readShapes()))
    return failure();
  x = n.input(X);
  if (x && isBatchFirst)
    x = n.transpose(x, {1, 0, 2});
  for (int64_t direction = 0; direction < directions; ++direction)
    if (!x || failed(runDirection(direction)))
      return failure();
  return finish();
}

LogicalResult kiln::import::importRNN(Node &n) { return Recurrent(n, Cell::RNN).run(); }
LogicalResult kiln::import::importGRU(Node &n) { return Recurrent(n, Cell::GRU).run(); }
LogicalResult kiln::import::importLSTM(Node &n) { return Recurrent(n, Cell::LSTM).run(); }
