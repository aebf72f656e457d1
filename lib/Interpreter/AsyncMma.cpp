//===- AsyncMma.cpp - Asynchronous MMAs -----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace kiln;
using namespace kiln::interpreter;
using namespace mlir;

/// Reads a stage as operand of an MMA; fails unless its copies have been waited for.
static LogicalResult readStage(State &state, Operation *op, mlir::Value buffer,
                               mlir::Value number, Group &group, Fragment &result) {
  Stage *from = stage(state, op, buffer, number);
  if (!from)
    return failure();
  if (!from->barrier || from->barrier->waited[size_t(Side::Consumer)] <= from->phase)
    return unordered(state, op,
                     "a product reads a stage whose copies are not waited for");
  if (from->isReleased)
    return unordered(state, op, "a product reads a stage that has been released");
  ++from->readers;
  group.read.push_back(from);
  const MultistageBuffer &all = *std::get<BufferHandle>(state.get(buffer)).buffer;
  result = Fragment(all.rows, all.columns);
  result.elements = from->elements;
  return success();
}

static LogicalResult evaluate(State &state, tile::IssueMmaOp op) {
  Group group;
  Fragment lhs, rhs;
  if (failed(readStage(state, op, op.getRhs(), op.getRhsStage(), group, rhs)))
    return failure();
  if (op.getLhsStage()) {
    if (failed(readStage(state, op, op.getLhs(), op.getLhsStage(), group, lhs)))
      return failure();
  } else {
    lhs = state.fragment(op.getLhs());
    group.left = op.getLhs();
  }
  state.async->groups.push_back(std::move(group));
  int64_t number = state.async->groups.size(), first = 0;
  for (auto [accumulator, product] : llvm::zip(op.getAccumulators(), op.getResults())) {
    auto type = cast<tile::PendingType>(product.getType()).getElementType();
    Fragment sums = std::holds_alternative<InFlight>(state.get(accumulator))
                        ? std::get<InFlight>(state.get(accumulator)).value
                        : state.fragment(accumulator);
    for (int64_t i = 0; i < sums.rows; ++i)
      for (int64_t j = 0; j < sums.columns; ++j)
        for (int64_t k = 0; k < lhs.columns; ++k)
          sums.at(i, j).f =
              fusedIn(type, lhs.at(i, k).f, rhs.at(k, first + j).f, sums.at(i, j).f);
    first += sums.columns;
    state.bind(product, InFlight{std::move(sums), number});
  }
  return success();
}

/// Completes groups of MMAs in issue order. The stages that they read may be released
/// now.
static LogicalResult completeGroups(State &state, tile::WaitMmaOp op) {
  size_t inFlight = op.getInFlight();
  size_t end =
      state.async->groups.size() - std::min(inFlight, state.async->groups.size());
  for (; state.async->completed < end; ++state.async->completed) {
    Group &group = state.async->groups[state.async->completed];
    for (Stage *stage : group.read) {
      --stage->readers;
      stage->readDone = state.async->clock + 1; // a release after this has a later clock
    }
    if (group.left && !llvm::is_contained(op.getKept(), group.left))
      return unordered(state, op,
                       "the left operand of a product is not kept until it is complete");
  }
  return success();
}

static LogicalResult evaluate(State &state, tile::WaitMmaOp op) {
  if (failed(completeGroups(state, op)))
    return failure();
  for (auto [value, result] : llvm::zip(op.getValues(), op.getResults())) {
    const InFlight &pending = std::get<InFlight>(state.get(value));
    if (pending.group > int64_t(state.async->completed))
      return unordered(state, op, "a product is used that is still in flight");
    Fragment complete = pending.value;
    state.bind(result, std::move(complete));
  }
  return success();
}

static LogicalResult evaluate(State &state, tile::PendingOp op) {
  state.bind(op.getResult(), InFlight{state.fragment(op.getValue()), 0});
  return success();
}

static LogicalResult evaluate(State &state, tile::PackOperandOp op) {
  Fragment value = state.fragment(op.getValue());
  state.bind(op.getResult(), std::move(value));
  return success();
}

Evaluated interpreter::evaluateAsyncMma(State &state, Operation *op) {
  return llvm::TypeSwitch<Operation *, Evaluated>(op)
      .Case<tile::IssueMmaOp, tile::WaitMmaOp, tile::PendingOp, tile::PackOperandOp>(
          [&](auto concrete) { return evaluate(state, concrete); })
      .Default([](Operation *) { return std::nullopt; });
}
