//===- AsyncStores.cpp - Asynchronous stores from buffers -----------------===//
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

static LogicalResult evaluate(State &state, tile::WriteBufferOp op) {
  Stage *into = stage(state, op, op.getBuffer(), op.getStage());
  if (!into)
    return failure();
  if (into->storing > 0)
    return unordered(state, op,
                     "a stage is written that a store in flight may still read");
  const MultistageBuffer &buffer =
      *std::get<BufferHandle>(state.get(op.getBuffer())).buffer;
  const Fragment &value = state.fragment(op.getValue());
  into->written.resize(into->elements.size());
  for (int64_t row = 0; row < value.rows; ++row)
    for (int64_t column = 0; column < value.columns; ++column) {
      int64_t at = (op.getPlace()[0] + row) * buffer.columns + op.getPlace()[1] + column;
      into->elements[at] = value.at(row, column);
      into->written[at] = true;
    }
  return success();
}

static LogicalResult evaluate(State &state, tile::AsyncStoreOp op) {
  Stage *from = stage(state, op, op.getBuffer(), op.getStage());
  if (!from)
    return failure();
  if (from->written.empty() || llvm::is_contained(from->written, false))
    return unordered(state, op, "a store copies what has not been written");
  const MultistageBuffer &buffer =
      *std::get<BufferHandle>(state.get(op.getBuffer())).buffer;
  const View &to = state.view(op.getView());
  SmallVector<int64_t> start = state.indices(op.getIndices());
  for (int64_t row = 0; row < buffer.rows; ++row)
    for (int64_t column = 0; column < buffer.columns; ++column) {
      SmallVector<int64_t> at(start);
      at[at.size() - 2] += row;
      at.back() += column;
      Scalar element = from->elements[row * buffer.columns + column];
      if (to.contains(at) &&
          failed(state.check(op, writeElement(to, at, state.task, element))))
        return failure();
    }
  from->written.assign(from->written.size(), false);
  ++from->storing;
  state.async->stores.push_back(from);
  return success();
}

/// Completes stores in issue order.
static LogicalResult evaluate(State &state, tile::WaitStoresOp op) {
  size_t inFlight = op.getInFlight();
  size_t end =
      state.async->stores.size() - std::min(inFlight, state.async->stores.size());
  for (; state.async->storesRead < end; ++state.async->storesRead)
    --state.async->stores[state.async->storesRead]->storing;
  if (op.getWritten())
    state.async->storesWritten = end;
  return success();
}

Evaluated interpreter::evaluateAsyncStores(State &state, Operation *op) {
  return llvm::TypeSwitch<Operation *, Evaluated>(op)
      .Case<tile::WriteBufferOp, tile::AsyncStoreOp, tile::WaitStoresOp>(
          [&](auto concrete) { return evaluate(state, concrete); })
      .Default([](Operation *) { return std::nullopt; });
}
