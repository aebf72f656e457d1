//===- Async.cpp - Buffers, barriers and asynchronous MMAs ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "kiln/ErrorCodes/Graph.h"
#include "llvm/ADT/TypeSwitch.h"

#include <thread>

using namespace kiln;
using namespace kiln::interpreter;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

static Side other(Side side) {
  return side == Side::Consumer ? Side::Producer : Side::Consumer;
}

void Turns::take(Side side) {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return turn == side; });
}

bool Turns::pass(Side side) {
  std::unique_lock<std::mutex> lock(mutex);
  // Deadlock: both sides have waited in vain since the last progress.
  if (failed || over[size_t(other(side))] || ++checks > 2)
    return false;
  turn = other(side);
  changed.notify_all();
  changed.wait(lock, [&] { return turn == side; });
  return !failed;
}

void Turns::finish(Side side) {
  std::unique_lock<std::mutex> lock(mutex);
  over[size_t(side)] = true;
  checks = 0;
  if (!over[size_t(other(side))])
    turn = other(side);
  changed.notify_all();
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

LogicalResult interpreter::unordered(State &state, Operation *op, std::string what) {
  return state.fail(op, ErrorCode::TileUnordered, std::move(what));
}

static LogicalResult evaluate(State &state, tile::CreateBarriersOp op) {
  auto barriers = std::make_shared<std::vector<Barrier>>(op.getType().getCount());
  for (Barrier &barrier : *barriers)
    barrier.needed = op.getArrivals();
  state.bind(
      op.getResult(),
      BarrierHandle{std::move(barriers),
                    std::make_shared<std::vector<std::shared_ptr<MultistageBuffer>>>()});
  return success();
}

static Barrier *barrier(State &state, Operation *op, mlir::Value name,
                        mlir::Value number) {
  auto &barriers = *std::get<BarrierHandle>(state.get(name)).barriers;
  int64_t at = state.index(number);
  if (at >= 0 && at < int64_t(barriers.size()))
    return &barriers[at];
  (void)state.fail(op, ErrorCode::TileOutOfBounds,
                   "barrier " + std::to_string(at) + " of " +
                       std::to_string(barriers.size()));
  return nullptr;
}

static LogicalResult evaluate(State &state, tile::WaitBarrierOp op) {
  Barrier *found = barrier(state, op, op.getBarrier(), op.getIndex());
  if (!found)
    return failure();
  Side side = state.async->side;
  int64_t parity = state.index(op.getParity());
  while (!found->isComplete(parity)) {
    bool goesOn = state.async->turns.pass(side);
    state.async->side = side;
    if (!goesOn)
      return unordered(state, op,
                       "nobody completes phase " + std::to_string(found->phases) +
                           " of the barrier: " + std::to_string(found->arrived) + " of " +
                           std::to_string(found->needed) + " arrivals, " +
                           std::to_string(found->bytes) + " bytes missing");
  }
  state.async->turns.progress();
  found->waited[size_t(side)] = found->phases;
  if (side == Side::Producer)
    state.async->seen = std::max(state.async->seen, found->consumed);
  return success();
}

static LogicalResult arrive(State &state, Operation *op, Barrier &at, int64_t count) {
  if (at.arrived + count > at.needed)
    return unordered(state, op, "more arrivals than the barrier waits for");
  at.arrived += count;
  if (state.async->side == Side::Consumer)
    at.consumed = state.async->clock;
  at.completeIfDone();
  return success();
}

static LogicalResult evaluate(State &state, tile::ArriveBarrierOp op) {
  Barrier *found = barrier(state, op, op.getBarrier(), op.getIndex());
  if (!found || (op.getCondition() && !state.index(op.getCondition())))
    return success(found != nullptr);
  ++state.async->clock;
  for (auto &buffer : *std::get<BarrierHandle>(state.get(op.getBarrier())).released) {
    Stage &stage = buffer->stages[state.index(op.getIndex())];
    if (stage.readers > 0)
      return unordered(state, op, "a stage is released that products in flight read");
    stage.isReleased = true;
  }
  int64_t blocks =
      op.getCluster() ? *op->getParentOfType<tile::KernelOp>().getCluster() : 1;
  return arrive(state, op, *found,
                blocks * (state.async->side == Side::Consumer ? state.async->warps : 1));
}

static LogicalResult evaluate(State &state, tile::ExpectBytesOp op) {
  Barrier *found = barrier(state, op, op.getBarrier(), op.getIndex());
  if (!found)
    return failure();
  found->bytes += op.getBytes();
  return arrive(state, op, *found, 1);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static LogicalResult evaluate(State &state, tile::AllocOp op) {
  auto buffer = std::make_shared<MultistageBuffer>();
  buffer->rows = op.getType().getRows();
  buffer->columns = op.getType().getColumns();
  buffer->stages.resize(op.getType().getStages());
  for (Stage &stage : buffer->stages)
    stage.elements.resize(buffer->rows * buffer->columns);
  state.bind(op.getResult(), BufferHandle{std::move(buffer)});
  return success();
}

Stage *interpreter::stage(State &state, Operation *op, mlir::Value name,
                          mlir::Value number) {
  auto &stages = std::get<BufferHandle>(state.get(name)).buffer->stages;
  int64_t at = state.index(number);
  if (at >= 0 && at < int64_t(stages.size()))
    return &stages[at];
  (void)state.fail(op, ErrorCode::TileOutOfBounds,
                   "stage " + std::to_string(at) + " of " +
                       std::to_string(stages.size()));
  return nullptr;
}

/// Advances an index in a box, row-major; returns false after the last.
static bool nextIndex(SmallVectorImpl<int64_t> &at, ArrayRef<int64_t> box) {
  for (size_t dim = box.size(); dim-- > 0;) {
    if (++at[dim] < box[dim])
      return true;
    at[dim] = 0;
  }
  return false;
}

/// Returns the wait for the release of the stage that a copy writes; null: none.
static tile::WaitBarrierOp releaseWaitOf(tile::AsyncCopyOp op) {
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
    if (auto wait = dyn_cast<tile::WaitBarrierOp>(before);
        wait && wait.getIndex() == op.getStage())
      return wait;
  return {};
}

/// Records for each barrier which buffers its arrivals release. Fails if a copy waits for
/// no release.
static LogicalResult pairBarriers(State &state, tile::WarpSpecializeOp op) {
  LogicalResult result = success();
  op.getProducer().walk([&](tile::AsyncCopyOp copy) {
    tile::WaitBarrierOp wait = releaseWaitOf(copy);
    if (!wait) {
      result =
          unordered(state, copy, "a copy does not wait for the release of its stage");
      return;
    }
    auto &released = *std::get<BarrierHandle>(state.get(wait.getBarrier())).released;
    auto &buffer = std::get<BufferHandle>(state.get(copy.getBuffer())).buffer;
    if (buffer->stages.size() != size_t(wait.getBarrier().getType().getCount()))
      result = unordered(state, copy,
                         "a copy waits for the release of another buffer's stage");
    else if (!llvm::is_contained(released, buffer))
      released.push_back(buffer);
  });
  return result;
}

static LogicalResult evaluate(State &state, tile::AsyncCopyOp op) {
  Stage *into = stage(state, op, op.getBuffer(), op.getStage());
  Barrier *counts = barrier(state, op, op.getBarrier(), op.getStage());
  if (!into || !counts)
    return failure();
  if (into->readers > 0 || into->readDone > state.async->seen)
    return unordered(state, op, "a copy into a stage that products may still read");
  const MultistageBuffer &buffer =
      *std::get<BufferHandle>(state.get(op.getBuffer())).buffer;
  const View &from = state.view(op.getView());
  SmallVector<int64_t> start = state.indices(op.getIndices());
  ArrayRef<int64_t> box = op.getBox();
  SmallVector<int64_t> at(box.size(), 0);
  do {
    int64_t outer = 0;
    for (size_t dim = 0; dim + 2 < box.size(); ++dim)
      outer = outer * box[dim] + at[dim];
    int64_t row = op.getPlace()[0] + at[at.size() - 2];
    int64_t column = op.getPlace()[1] + outer * box.back() + at.back();
    SmallVector<int64_t> place(start);
    for (size_t dim = 0; dim < at.size(); ++dim)
      place[dim] += at[dim];
    Scalar value; // zero outside of the view
    if (from.contains(place) &&
        failed(state.check(op, readElement(from, place, state.task, value))))
      return failure();
    into->elements[row * buffer.columns + column] = value;
  } while (nextIndex(at, box));
  into->isReleased = false;
  into->barrier = counts;
  into->phase = counts->phases;
  counts->bytes -= op.getBoxBytes();
  counts->completeIfDone();
  state.async->turns.progress();
  return success();
}

//===----------------------------------------------------------------------===//
// Order of warpgroups
//===----------------------------------------------------------------------===//

static LogicalResult evaluate(State &state, tile::WaitOrderOp op) {
  if (state.async->isInOrder)
    return unordered(state, op, "a warpgroup waits for its turn while it has it");
  state.async->isInOrder = true;
  return success();
}

static LogicalResult evaluate(State &state, tile::ArriveOrderOp op) {
  if (!state.async->isInOrder)
    return unordered(state, op, "a warpgroup passes on a turn that it does not have");
  state.async->isInOrder = false;
  return success();
}

//===----------------------------------------------------------------------===//
// Tasks and sides
//===----------------------------------------------------------------------===//

static LogicalResult evaluate(State &state, tile::FirstTaskOp op) {
  state.bind(op.getResult(), Scalar::ofInt(state.task));
  return success();
}

static LogicalResult evaluate(State &state, tile::TaskStrideOp op) {
  state.bind(op.getResult(), Scalar::ofInt(state.blocks));
  return success();
}

static LogicalResult evaluate(State &state, tile::WarpSpecializeOp op, RunBlock run) {
  constexpr int64_t kWarpThreads = 32;
  AsyncState sides;
  sides.warps =
      op->getParentOfType<tile::KernelOp>().getThreads().value_or(kWarpThreads) /
      kWarpThreads;
  state.async = &sides;
  if (failed(pairBarriers(state, op)))
    return failure();
  auto runSide = [&](Side side, Block &block) {
    sides.turns.take(side);
    sides.side = side;
    LogicalResult result = run(block, {}, nullptr);
    if (failed(result))
      sides.turns.fail();
    sides.turns.finish(side);
    return result;
  };
  LogicalResult produced = success();
  std::thread producer(
      [&] { produced = runSide(Side::Producer, op.getProducer().front()); });
  LogicalResult consumed = runSide(Side::Consumer, op.getConsumer().front());
  producer.join();
  state.async = nullptr;
  if (failed(produced) || failed(consumed))
    return failure();
  if (sides.completed != sides.groups.size())
    return unordered(state, op, "a product is in flight at the end");
  if (sides.isInOrder)
    return unordered(state, op, "a warpgroup keeps its turn at the end");
  if (sides.storesWritten != sides.stores.size())
    return unordered(state, op, "a store is in flight at the end");
  return success();
}

Evaluated interpreter::evaluateAsync(State &state, Operation *op, RunBlock run) {
  return llvm::TypeSwitch<Operation *, Evaluated>(op)
      .Case<tile::AllocOp, tile::CreateBarriersOp, tile::WaitBarrierOp,
            tile::ArriveBarrierOp, tile::ExpectBytesOp, tile::AsyncCopyOp,
            tile::FirstTaskOp, tile::TaskStrideOp, tile::WaitOrderOp,
            tile::ArriveOrderOp>([&](auto concrete) { return evaluate(state, concrete); })
      .Case([&](tile::WarpSpecializeOp sides) { return evaluate(state, sides, run); })
      .Default([](Operation *) { return std::nullopt; });
}
