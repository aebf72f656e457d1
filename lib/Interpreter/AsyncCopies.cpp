//===- AsyncCopies.cpp - cp.async of a block's threads --------------------===//
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

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

static LogicalResult evaluate(State &state, tile::CommitCopiesOp) {
  state.copies.groups.push_back(std::exchange(state.copies.open, {}));
  return success();
}

static LogicalResult evaluate(State &state, tile::WaitCopiesOp op) {
  while (int64_t(state.copies.groups.size()) > int64_t(op.getInFlight())) {
    for (const std::shared_ptr<Stage> &stage : state.copies.groups.front()) {
      stage->copy = CopyProgress::Complete;
      state.copies.complete.push_back(stage);
    }
    state.copies.groups.pop_front();
  }
  return success();
}

/// At a barrier of the entire block, all threads see the copies that each has waited for.
static LogicalResult evaluate(State &state, tile::SyncThreadsOp op) {
  if (tile::groupThreads(op) < tile::groupThreads(op->getParentOfType<tile::KernelOp>()))
    return success();
  ++state.copies.meetings;
  for (const std::shared_ptr<Stage> &stage : std::exchange(state.copies.complete, {}))
    if (stage->copy == CopyProgress::Complete)
      stage->copy = CopyProgress::Visible;
  return success();
}

LogicalResult interpreter::checkCopiesDone(State &state, tile::KernelOp kernel) {
  auto copiesNothing = [](const auto &group) { return group.empty(); };
  if (state.copies.open.empty() && llvm::all_of(state.copies.groups, copiesNothing))
    return success();
  return unordered(state, kernel, "a copy is in flight at the end");
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

static LogicalResult evaluate(State &state, tile::IssueCopyOp op) {
  Stage *into = stage(state, op, op.getBuffer(), op.getStage());
  if (!into)
    return failure();
  if (into->copy == CopyProgress::InFlight)
    return unordered(state, op, "a copy into a stage that another copy still fills");
  if (into->lastRead == state.copies.meetings)
    return unordered(state, op, "a copy into a stage that products may still read");
  const auto &buffer = std::get<BufferHandle>(state.get(op.getBuffer())).buffer;
  Fragment tile(buffer->rows, buffer->columns);
  if (failed(readTile(state, op, state.view(op.getView()), state.indices(op.getIndices()),
                      op.getMasked(), tile)))
    return failure();
  decodeBytes(op.getView().getType().getElementType(),
              op.getBuffer().getType().getElementType(), tile);
  into->elements = std::move(tile.elements);
  into->copy = CopyProgress::InFlight;
  state.copies.open.emplace_back(buffer, into);
  return success();
}

static LogicalResult evaluate(State &state, tile::BufferStageOp op) {
  Stage *found = stage(state, op, op.getBuffer(), op.getStage());
  if (!found)
    return failure();
  const auto &buffer = std::get<BufferHandle>(state.get(op.getBuffer())).buffer;
  state.bind(op.getResult(), StageHandle{buffer, found});
  return success();
}

/// Reads an operand of tile.mma: a fragment, a staged tile or a buffer's stage.
LogicalResult interpreter::readOperand(State &state, Operation *op, mlir::Value operand,
                                       Fragment &result) {
  const auto *handle = std::get_if<StageHandle>(&state.get(operand));
  if (!handle) {
    result = state.fragment(operand);
    return success();
  }
  Stage &from = *handle->stage;
  if (from.copy == CopyProgress::None)
    return unordered(state, op, "a product reads a stage that nothing was copied into");
  if (from.copy == CopyProgress::InFlight)
    return unordered(state, op,
                     "a product reads a stage whose copies are not waited for");
  if (from.copy == CopyProgress::Complete)
    return unordered(state, op,
                     "a product reads a stage, and the threads that copied it have "
                     "not met since their wait");
  from.lastRead = state.copies.meetings;
  result = Fragment(handle->buffer->rows, handle->buffer->columns);
  result.elements = from.elements;
  return success();
}

Evaluated interpreter::evaluateAsyncCopies(State &state, Operation *op) {
  return llvm::TypeSwitch<Operation *, Evaluated>(op)
      .Case<tile::IssueCopyOp, tile::CommitCopiesOp, tile::WaitCopiesOp,
            tile::BufferStageOp, tile::SyncThreadsOp>(
          [&](auto concrete) { return evaluate(state, concrete); })
      .Default([](Operation *) { return std::nullopt; });
}
