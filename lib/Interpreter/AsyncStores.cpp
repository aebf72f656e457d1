//===- AsyncStores.cpp - Stores from buffers that others go on beside -----===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

using namespace kiln;
using namespace kiln::interpreter;
using namespace mlir;

LogicalResult Machine::evaluate(tile::WriteBufferOp op) {
  Stage *into = stage(op, op.getBuffer(), op.getStage());
  if (!into)
    return failure();
  if (into->storing > 0)
    return unordered(op, "a stage is written that a store in flight may still read");
  const MultistageBuffer &buffer = *std::get<BufferHandle>(get(op.getBuffer())).buffer;
  const Fragment &value = fragment(op.getValue());
  into->written.resize(into->elements.size());
  for (int64_t row = 0; row < value.rows; ++row)
    for (int64_t column = 0; column < value.columns; ++column) {
      int64_t at = (op.getPlace()[0] + row) * buffer.columns + op.getPlace()[1] + column;
      into->elements[at] = value.at(row, column);
      into->written[at] = true;
    }
  return success();
}

LogicalResult Machine::evaluate(tile::AsyncStoreOp op) {
  Stage *from = stage(op, op.getBuffer(), op.getStage());
  if (!from)
    return failure();
  if (from->written.empty() || llvm::is_contained(from->written, false))
    return unordered(op, "a store copies what has not been written");
  const MultistageBuffer &buffer = *std::get<BufferHandle>(get(op.getBuffer())).buffer;
  const View &to = view(op.getView());
  SmallVector<int64_t> start = indices(op.getIndices());
  for (int64_t row = 0; row < buffer.rows; ++row)
    for (int64_t column = 0; column < buffer.columns; ++column) {
      SmallVector<int64_t> at(start);
      at[at.size() - 2] += row;
      at.back() += column;
      Scalar element = from->elements[row * buffer.columns + column];
      if (to.contains(at) && failed(check(op, writeElement(to, at, task, element))))
        return failure();
    }
  from->written.assign(from->written.size(), false);
  ++from->storing;
  async->stores.push_back(from);
  return success();
}

/// Stores are complete in the order of their issue.
LogicalResult Machine::evaluate(tile::WaitStoresOp op) {
  size_t inFlight = op.getInFlight();
  size_t end = async->stores.size() - std::min(inFlight, async->stores.size());
  for (; async->storesRead < end; ++async->storesRead)
    --async->stores[async->storesRead]->storing;
  if (op.getWritten())
    async->storesWritten = end;
  return success();
}
