//===- Ranks.cpp - Evaluates graphs on several ranks ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Reference/Ranks.h"
#include "BoxEvaluator.h"
#include "Combine.h"
#include "Decisive.h"
#include "Ops.h"
#include "Scope.h"
#include "dialects/Graph/Ranks.h"
#include "kiln/ErrorCodes/Graph.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

Box reference::rankBox(ArrayRef<int64_t> shape, int64_t axis, int64_t rank,
                       int64_t ranks) {
  Box box{Shape(shape.size(), 0), Shape(shape)};
  box.size[axis] /= ranks;
  box.begin[axis] = rank * box.size[axis];
  return box;
}

Tensor reference::rankPart(const Tensor &whole, int64_t axis, int64_t rank,
                           int64_t ranks) {
  return partOf(whole, rankBox(whole.getShape(), axis, rank, ranks)).contiguous();
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// Returns the reduction of all ranks' tensors, in the order of ranks.
static Tensor reduced(ReduceKind kind, ArrayRef<Tensor> operands) {
  const Tensor &first = operands.front();
  if (!first.isFloat()) {
    std::vector<int64_t> values = first.ints();
    for (const Tensor &operand : operands.drop_front())
      for (auto [i, x] : llvm::enumerate(operand.ints()))
        values[i] = combineIntegers(kind, values[i], x);
    return Tensor::fromInts(first.getElementType(), first.getShape(), values);
  }
  std::vector<double> values = first.widen().doubles().vec();
  for (const Tensor &operand : operands.drop_front()) {
    Tensor wide = operand.widen();
    for (auto [value, x] : llvm::zip(values, wide.doubles()))
      value = combineFloats(kind, value, x);
  }
  if (kind == ReduceKind::mean)
    for (double &value : values)
      value /= static_cast<double>(operands.size());
  return Tensor::fromDoubles(first.getElementType(), first.getShape(), values);
}

static Tensor gathered(ArrayRef<Tensor> operands, int64_t axis) {
  Shape shape(operands.front().getShape());
  shape[axis] *= static_cast<int64_t>(operands.size());
  bool wide = llvm::any_of(operands, [](const Tensor &t) { return t.isWide(); });
  Results parts;
  for (const Tensor &operand : operands)
    parts.push_back(wide ? operand.widen() : operand);
  return joined(parts, axis, shape);
}

/// Evaluates an all-to-all: rank r gets part r, along the axis, of every rank's tensor,
/// concatenated in the order of ranks.
static std::vector<Tensor> exchanged(ArrayRef<Tensor> operands, int64_t axis) {
  int64_t count = static_cast<int64_t>(operands.size());
  std::vector<Tensor> results;
  for (int64_t rank = 0; rank < count; ++rank)
    results.push_back(gathered(llvm::map_to_vector(operands,
                                                   [&](const Tensor &one) {
                                                     return rankPart(one, axis, rank,
                                                                     count);
                                                   }),
                               axis));
  return results;
}

/// Evaluates a collective for one group of ranks; operands and results are in rank order.
static std::vector<Tensor> evaluateGroup(Operation *op, ArrayRef<Tensor> operands) {
  int64_t count = static_cast<int64_t>(operands.size());
  using Parts = std::vector<Tensor>;
  return llvm::TypeSwitch<Operation *, Parts>(op)
      .Case([&](AllReduceOp reduce) {
        return Parts(operands.size(), reduced(reduce.getKind(), operands));
      })
      .Case([&](AllGatherOp gather) {
        return Parts(operands.size(), gathered(operands, gather.getAxis()));
      })
      .Case([&](AllToAllOp exchange) { return exchanged(operands, exchange.getAxis()); })
      .Case([&](ReduceScatterOp scatter) {
        Tensor whole = reduced(scatter.getKind(), operands);
        Parts parts;
        for (int64_t rank = 0; rank < count; ++rank)
          parts.push_back(rankPart(whole, scatter.getAxis(), rank, count));
        return parts;
      });
}

llvm::Expected<std::vector<Tensor>>
reference::evaluateCollective(Operation *op, ArrayRef<Tensor> operands) {
  int64_t count = static_cast<int64_t>(operands.size());
  MeshAxis axis = axisOfCollective(op);
  if (!axis.divides(count))
    return errorAt(op, ErrorCode::EvaluationUnsupported,
                   "a collective is of another number of ranks",
                   std::to_string(count) + " ranks", std::to_string(axis.size));
  std::vector<Tensor> results(operands.size());
  for (int64_t first = 0; first < count; ++first) {
    if (axis.numberOf(first) != 0)
      continue;
    std::vector<Tensor> group;
    for (int64_t i = 0; i < axis.size; ++i)
      group.push_back(operands[first + i * axis.stride]);
    for (auto [i, result] : llvm::enumerate(evaluateGroup(op, group)))
      results[first + int64_t(i) * axis.stride] = std::move(result);
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

namespace {
/// Evaluates one block on all ranks, op by op.
class SideBySide {
public:
  SideBySide(const Symbols &symbols, ArrayRef<WeightSource *> weights,
             const Options &options)
      : symbols(symbols), weights(weights), options(options), scopes(weights.size()) {}

  llvm::Expected<std::vector<Results>> run(Block &block,
                                           ArrayRef<ArrayRef<Tensor>> inputs);

private:
  llvm::Error evaluateOn(size_t rank, Operation *op);
  llvm::Error meet(Operation *op);

  const Symbols &symbols;
  ArrayRef<WeightSource *> weights;
  const Options &options;
  std::vector<Scope> scopes;
};
} // namespace

llvm::Error SideBySide::evaluateOn(size_t rank, Operation *op) {
  Results operands = scopes[rank].take(op);
  llvm::Expected<Results> results =
      evaluateOp(op, operands, symbols, *weights[rank], options);
  if (!results)
    return results.takeError();
  if (options.observe)
    options.observe(op, operands, *results);
  for (auto [value, tensor] : llvm::zip(op->getResults(), *results))
    scopes[rank].define(value, std::move(tensor));
  return llvm::Error::success();
}

llvm::Error SideBySide::meet(Operation *op) {
  std::vector<Tensor> operands;
  for (Scope &scope : scopes)
    operands.push_back(scope.take(op).front());
  llvm::Expected<std::vector<Tensor>> results = evaluateCollective(op, operands);
  if (!results)
    return results.takeError();
  for (auto [scope, tensor] : llvm::zip(scopes, *results))
    scope.define(op->getResult(0), options.exactTyped ? tensor.rounded() : tensor);
  return llvm::Error::success();
}

llvm::Expected<std::vector<Results>> SideBySide::run(Block &block,
                                                     ArrayRef<ArrayRef<Tensor>> inputs) {
  for (auto [scope, own] : llvm::zip(scopes, inputs))
    for (auto [argument, input] : llvm::zip(block.getArguments(), own))
      scope.define(argument, input);
  for (Operation &op : block.without_terminator()) {
    if (collectiveRanks(&op)) {
      if (llvm::Error error = meet(&op))
        return error;
      continue;
    }
    for (size_t rank = 0; rank < scopes.size(); ++rank)
      if (llvm::Error error = evaluateOn(rank, &op))
        return error;
  }
  std::vector<Results> results;
  for (Scope &scope : scopes)
    results.push_back(scope.take(block.getTerminator()));
  return results;
}

llvm::Expected<std::vector<Results>>
reference::evaluateRanks(func::FuncOp func, ArrayRef<ArrayRef<Tensor>> inputs,
                         const Symbols &symbols, ArrayRef<WeightSource *> weights,
                         const Options &given) {
  assert(inputs.size() == weights.size() && "a source of weights for each rank");
  for (ArrayRef<Tensor> own : inputs)
    if (llvm::Error error = checkInputs(func, own, symbols))
      return error;
  Block &block = func.getBody().front();
  Options options = given;
  llvm::DenseSet<Operation *> decisive;
  if (!given.rounded && !given.exactTyped) {
    decisive = decisiveOps(block);
    options.rounded = &decisive;
  }
  return SideBySide(symbols, weights, options).run(block, inputs);
}
