//===- Async.cpp - Buffers, barriers and products in flight ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

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
  // Both sides have looked in vain since anything happened.
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

LogicalResult Machine::unordered(Operation *op, std::string what) {
  return fail(op, ErrorCode::TileUnordered, std::move(what));
}

LogicalResult Machine::evaluate(tile::CreateBarriersOp op) {
  auto barriers = std::make_shared<std::vector<Barrier>>(op.getType().getCount());
  for (Barrier &barrier : *barriers)
    barrier.needed = op.getArrivals();
  bind(op.getResult(),
       BarrierHandle{std::move(barriers),
                     std::make_shared<std::vector<std::shared_ptr<MultistageBuffer>>>()});
  return success();
}

Barrier *Machine::barrier(Operation *op, mlir::Value name, mlir::Value number) {
  auto &barriers = *std::get<BarrierHandle>(get(name)).barriers;
  int64_t at = index(number);
  if (at >= 0 && at < int64_t(barriers.size()))
    return &barriers[at];
  (void)fail(op, ErrorCode::TileOutOfBounds,
             "barrier " + std::to_string(at) + " of " + std::to_string(barriers.size()));
  return nullptr;
}

LogicalResult Machine::evaluate(tile::WaitBarrierOp op) {
  Barrier *found = barrier(op, op.getBarrier(), op.getIndex());
  if (!found)
    return failure();
  Side side = async->side;
  int64_t parity = index(op.getParity());
  while (!found->isComplete(parity)) {
    bool goesOn = async->turns.pass(side);
    async->side = side;
    if (!goesOn)
      return unordered(op, "nobody completes phase " + std::to_string(found->phases) +
                               " of the barrier: " + std::to_string(found->arrived) +
                               " of " + std::to_string(found->needed) + " arrivals, " +
                               std::to_string(found->bytes) + " bytes missing");
  }
  async->turns.progress();
  found->waited[size_t(side)] = found->phases;
  if (side == Side::Producer)
    async->seen = std::max(async->seen, found->consumed);
  return success();
}

LogicalResult Machine::arrive(Operation *op, Barrier &at, int64_t count) {
  if (at.arrived + count > at.needed)
    return unordered(op, "more arrivals than the barrier waits for");
  at.arrived += count;
  if (async->side == Side::Consumer)
    at.consumed = async->clock;
  at.completeIfDone();
  return success();
}

LogicalResult Machine::evaluate(tile::ArriveBarrierOp op) {
  Barrier *found = barrier(op, op.getBarrier(), op.getIndex());
  if (!found || (op.getCondition() && !index(op.getCondition())))
    return success(found != nullptr);
  ++async->clock;
  for (auto &buffer : *std::get<BarrierHandle>(get(op.getBarrier())).released) {
    Stage &stage = buffer->stages[index(op.getIndex())];
    if (stage.readers > 0)
      return unordered(op, "a stage is released that products in flight read");
    stage.isReleased = true;
  }
  int64_t blocks =
      op.getCluster() ? *op->getParentOfType<tile::KernelOp>().getCluster() : 1;
  return arrive(op, *found, blocks * (async->side == Side::Consumer ? async->warps : 1));
}

LogicalResult Machine::evaluate(tile::ExpectBytesOp op) {
  Barrier *found = barrier(op, op.getBarrier(), op.getIndex());
  if (!found)
    return failure();
  found->bytes += op.getBytes();
  return arrive(op, *found, 1);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

LogicalResult Machine::evaluate(tile::AllocOp op) {
  auto buffer = std::make_shared<MultistageBuffer>();
  buffer->rows = op.getType().getRows();
  buffer->columns = op.getType().getColumns();
  buffer->stages.resize(op.getType().getStages());
  for (Stage &stage : buffer->stages)
    stage.elements.resize(buffer->rows * buffer->columns);
  bind(op.getResult(), BufferHandle{std::move(buffer)});
  return success();
}

Stage *Machine::stage(Operation *op, mlir::Value name, mlir::Value number) {
  auto &stages = std::get<BufferHandle>(get(name)).buffer->stages;
  int64_t at = index(number);
  if (at >= 0 && at < int64_t(stages.size()))
    return &stages[at];
  (void)fail(op, ErrorCode::TileOutOfBounds,
             "stage " + std::to_string(at) + " of " + std::to_string(stages.size()));
  return nullptr;
}

/// The next index of a box, row-major; false behind the last.
static bool nextIndex(SmallVectorImpl<int64_t> &at, ArrayRef<int64_t> box) {
  for (size_t dim = box.size(); dim-- > 0;) {
    if (++at[dim] < box[dim])
      return true;
    at[dim] = 0;
  }
  return false;
}

/// The wait in front of a copy for the release of the stage that it writes; null: none.
static tile::WaitBarrierOp releaseWaitOf(tile::AsyncCopyOp op) {
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
    if (auto wait = dyn_cast<tile::WaitBarrierOp>(before);
        wait && wait.getIndex() == op.getStage())
      return wait;
  return {};
}

/// Says of each barrier which buffers its arrivals release. False if a copy waits for
/// none.
LogicalResult Machine::pairBarriers(tile::WarpSpecializeOp op) {
  LogicalResult result = success();
  op.getProducer().walk([&](tile::AsyncCopyOp copy) {
    tile::WaitBarrierOp wait = releaseWaitOf(copy);
    if (!wait) {
      result = unordered(copy, "a copy does not wait for the release of its stage");
      return;
    }
    auto &released = *std::get<BarrierHandle>(get(wait.getBarrier())).released;
    auto &buffer = std::get<BufferHandle>(get(copy.getBuffer())).buffer;
    if (buffer->stages.size() != size_t(wait.getBarrier().getType().getCount()))
      result = unordered(copy, "a copy waits for the release of another buffer's stage");
    else if (!llvm::is_contained(released, buffer))
      released.push_back(buffer);
  });
  return result;
}

LogicalResult Machine::evaluate(tile::AsyncCopyOp op) {
  Stage *into = stage(op, op.getBuffer(), op.getStage());
  Barrier *counts = barrier(op, op.getBarrier(), op.getStage());
  if (!into || !counts)
    return failure();
  if (into->readers > 0 || into->readDone > async->seen)
    return unordered(op, "a copy into a stage that products may still read");
  const MultistageBuffer &buffer = *std::get<BufferHandle>(get(op.getBuffer())).buffer;
  const View &from = view(op.getView());
  SmallVector<int64_t> start = indices(op.getIndices());
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
    if (from.contains(place) && failed(check(op, readElement(from, place, task, value))))
      return failure();
    into->elements[row * buffer.columns + column] = value;
  } while (nextIndex(at, box));
  into->isReleased = false;
  into->barrier = counts;
  into->phase = counts->phases;
  counts->bytes -= op.getBoxBytes();
  counts->completeIfDone();
  async->turns.progress();
  return success();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// A stage that a product reads, once its copies are waited for.
LogicalResult Machine::readStage(Operation *op, mlir::Value buffer, mlir::Value number,
                                 Group &group, Fragment &result) {
  Stage *from = stage(op, buffer, number);
  if (!from)
    return failure();
  if (!from->barrier || from->barrier->waited[size_t(Side::Consumer)] <= from->phase)
    return unordered(op, "a product reads a stage whose copies are not waited for");
  if (from->isReleased)
    return unordered(op, "a product reads a stage that has been released");
  ++from->readers;
  group.read.push_back(from);
  const MultistageBuffer &all = *std::get<BufferHandle>(get(buffer)).buffer;
  result = Fragment(all.rows, all.columns);
  result.elements = from->elements;
  return success();
}

LogicalResult Machine::evaluate(tile::IssueMmaOp op) {
  Group group;
  Fragment lhs, rhs;
  if (failed(readStage(op, op.getRhs(), op.getRhsStage(), group, rhs)))
    return failure();
  if (op.getLhsStage()) {
    if (failed(readStage(op, op.getLhs(), op.getLhsStage(), group, lhs)))
      return failure();
  } else {
    lhs = fragment(op.getLhs());
    group.left = op.getLhs();
  }
  async->groups.push_back(std::move(group));
  int64_t number = async->groups.size(), first = 0;
  for (auto [accumulator, product] : llvm::zip(op.getAccumulators(), op.getResults())) {
    auto type = cast<tile::PendingType>(product.getType()).getElementType();
    Fragment sums = std::holds_alternative<InFlight>(get(accumulator))
                        ? std::get<InFlight>(get(accumulator)).value
                        : fragment(accumulator);
    for (int64_t i = 0; i < sums.rows; ++i)
      for (int64_t j = 0; j < sums.columns; ++j)
        for (int64_t k = 0; k < lhs.columns; ++k)
          sums.at(i, j).f =
              fusedIn(type, lhs.at(i, k).f, rhs.at(k, first + j).f, sums.at(i, j).f);
    first += sums.columns;
    bind(product, InFlight{std::move(sums), number});
  }
  return success();
}

/// Groups are complete in the order of their issue. What they read may be released now.
LogicalResult Machine::completeGroups(tile::WaitMmaOp op) {
  size_t inFlight = op.getInFlight();
  size_t end = async->groups.size() - std::min(inFlight, async->groups.size());
  for (; async->completed < end; ++async->completed) {
    Group &group = async->groups[async->completed];
    for (Stage *stage : group.read) {
      --stage->readers;
      stage->readDone = async->clock + 1; // a release after this has a later clock
    }
    if (group.left && !llvm::is_contained(op.getKept(), group.left))
      return unordered(op,
                       "the left operand of a product is not kept until it is complete");
  }
  return success();
}

LogicalResult Machine::evaluate(tile::WaitMmaOp op) {
  if (failed(completeGroups(op)))
    return failure();
  for (auto [value, result] : llvm::zip(op.getValues(), op.getResults())) {
    const InFlight &pending = std::get<InFlight>(get(value));
    if (pending.group > int64_t(async->completed))
      return unordered(op, "a product is used that is still in flight");
    Fragment complete = pending.value;
    bind(result, std::move(complete));
  }
  return success();
}

LogicalResult Machine::evaluate(tile::PendingOp op) {
  bind(op.getResult(), InFlight{fragment(op.getValue()), 0});
  return success();
}

LogicalResult Machine::evaluate(tile::PackOperandOp op) {
  Fragment value = fragment(op.getValue());
  bind(op.getResult(), std::move(value));
  return success();
}

//===----------------------------------------------------------------------===//
// Tasks and sides
//===----------------------------------------------------------------------===//

LogicalResult Machine::evaluate(tile::FirstTaskOp op) {
  bind(op.getResult(), Scalar::ofInt(task));
  return success();
}

LogicalResult Machine::evaluate(tile::TaskStrideOp op) {
  bind(op.getResult(), Scalar::ofInt(blocks));
  return success();
}

LogicalResult Machine::evaluate(tile::WarpSpecializeOp op) {
  constexpr int64_t kWarpThreads = 32;
  AsyncState state;
  state.warps =
      op->getParentOfType<tile::KernelOp>().getThreads().value_or(kWarpThreads) /
      kWarpThreads;
  async = &state;
  if (failed(pairBarriers(op)))
    return failure();
  auto runSide = [&](Side side, Block &block) {
    state.turns.take(side);
    state.side = side;
    LogicalResult result = run(block, {}, nullptr);
    if (failed(result))
      state.turns.fail();
    state.turns.finish(side);
    return result;
  };
  LogicalResult produced = success();
  std::thread producer(
      [&] { produced = runSide(Side::Producer, op.getProducer().front()); });
  LogicalResult consumed = runSide(Side::Consumer, op.getConsumer().front());
  producer.join();
  async = nullptr;
  if (failed(produced) || failed(consumed))
    return failure();
  if (state.completed != state.groups.size())
    return unordered(op, "a product is in flight at the end");
  if (state.storesWritten != state.stores.size())
    return unordered(op, "a store is in flight at the end");
  return success();
}
