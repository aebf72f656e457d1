//===- PartitionConsumers.cpp - Consumer warpgroups -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Consumers run the original task in a loop over the block's tasks; its pipeline waits
// for stages that the producer fills and releases them when the MMAs that read them are
// complete.
//
//===----------------------------------------------------------------------===//

#include "WarpPartition.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

tile::IssueMmaOp WarpPartition::issue(const Product &product, Value left,
                                      const Cursors &cursors, ValueRange accumulators) {
  const StagedOperand &right = plan.operands[product.right];
  Value leftStage;
  if (product.left) {
    left = buffers[*product.left];
    leftStage = cursors[plan.operands[*product.left].channel].stage;
  }
  SmallVector<Type> types;
  for (Value accumulator : accumulators) {
    if (auto frag = dyn_cast<tile::FragType>(accumulator.getType()))
      types.push_back(
          tile::PendingType::get(b.getContext(), frag.getShape(), frag.getElementType()));
    else
      types.push_back(accumulator.getType());
  }
  return tile::IssueMmaOp::create(b, types, left, leftStage, buffers[product.right],
                                  cursors[right.channel].stage, accumulators);
}

Value WarpPartition::pack(Value fragment) {
  auto type = cast<tile::FragType>(fragment.getType());
  return tile::PackOperandOp::create(
      b, tile::OperandType::get(b.getContext(), type.getShape(), type.getElementType()),
      fragment);
}

WarpPartition::Values WarpPartition::waitMma(int64_t inFlight, ValueRange pending,
                                             ValueRange kept) {
  SmallVector<Type> types;
  for (Value value : pending) {
    auto type = cast<tile::PendingType>(value.getType());
    types.push_back(
        tile::FragType::get(b.getContext(), type.getShape(), type.getElementType()));
  }
  return Values(tile::WaitMmaOp::create(b, types, pending, kept, inFlight).getResults());
}

//===----------------------------------------------------------------------===//
// MMAs one after the other
//===----------------------------------------------------------------------===//

/// Waits for every MMA right after issuing it.
void WarpPartition::consumeInTurn(Cursors &cursors) {
  tile::PipelineOp op = plan.pipeline;
  Values inits(op.getInits());
  size_t carried = inits.size();
  for (auto [i, channel] : llvm::enumerate(plan.channels))
    if (!channel.isOfTask)
      inits.append({cursors[i].stage, cursors[i].parity});
  auto loop = scf::ForOp::create(b, op.getLower(), op.getUpper(), op.getStep(), inits);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    size_t at = carried;
    Cursors own = cursors;
    for (auto [i, channel] : llvm::enumerate(plan.channels))
      if (!channel.isOfTask) {
        own[i] = {loop.getRegionIterArg(at), loop.getRegionIterArg(at + 1)};
        at += 2;
      }
    Block &compute = op.getCompute().front();
    IRMapping map;
    map.map(compute.getArgument(0), loop.getInductionVar());
    for (size_t i = 0; i < carried; ++i)
      map.map(compute.getArgument(compute.getNumArguments() - carried + i),
              loop.getRegionIterArg(i));
    auto product = plan.products.begin();
    for (Operation &inner : compute.without_terminator()) {
      if (!isa<tile::MmaOp>(inner)) {
        b.clone(inner, map);
        continue;
      }
      if (product == plan.products.end() || &inner != product->mmas.front())
        continue; // belongs to the previous wgmma group
      unsigned channel = plan.operands[product->right].channel;
      waitFull(channel, own[channel]);
      Values accumulators;
      for (tile::MmaOp mma : product->mmas)
        accumulators.push_back(map.lookupOrDefault(Value(mma.getAccumulator())));
      tile::MmaOp first = product->mmas.front();
      Value left =
          product->left ? Value() : pack(map.lookupOrDefault(Value(first.getLhs())));
      Values results = waitMma(0, issue(*product, left, own, accumulators).getResults(),
                               left ? ValueRange(left) : ValueRange());
      release(channel, own[channel].stage);
      for (auto [mma, result] : llvm::zip(product->mmas, results))
        map.map(Value(tile::MmaOp(mma).getResult()), result);
      ++product;
    }
    Values results;
    for (Value value : compute.getTerminator()->getOperands())
      results.push_back(map.lookupOrDefault(value));
    for (auto [i, channel] : llvm::enumerate(plan.channels))
      if (!channel.isOfTask) {
        Cursor next = advance(own[i], channel);
        results.append({next.stage, next.parity});
      }
    scf::YieldOp::create(b, results);
  }
  size_t at = carried;
  for (auto [i, channel] : llvm::enumerate(plan.channels))
    if (!channel.isOfTask) {
      cursors[i] = {loop.getResult(at), loop.getResult(at + 1)};
      at += 2;
    }
  op->replaceAllUsesWith(loop.getResults().take_front(carried));
}

//===----------------------------------------------------------------------===//
// One wgmma group always in flight
//===----------------------------------------------------------------------===//

/// Returns true if the pipeline's body is only MMAs of one group that accumulate into all
/// its carried values.
bool WarpPartition::isPlainProduct() {
  tile::PipelineOp op = plan.pipeline;
  Block &compute = op.getCompute().front();
  if (plan.products.size() != 1 || std::distance(compute.begin(), compute.end()) !=
                                       int64_t(plan.products.front().mmas.size()) + 1)
    return false;
  size_t carried = op.getInits().size(), first = compute.getNumArguments() - carried;
  for (auto [i, mma] : llvm::enumerate(plan.products.front().mmas)) {
    tile::MmaOp product = mma;
    if (product.getAccumulator() != compute.getArgument(first + i) ||
        compute.getTerminator()->getOperand(i) != product.getResult())
      return false;
  }
  return carried == plan.products.front().mmas.size();
}

/// Issues a step's MMAs before it waits for those of the previous step, whose stage it
/// then releases.
void WarpPartition::consumeOverlapped(Cursors &cursors) {
  tile::PipelineOp op = plan.pipeline;
  const Product &product = plan.products.front();
  unsigned channel = plan.operands[product.right].channel;
  Values inits;
  for (Value init : op.getInits()) {
    auto type = cast<tile::FragType>(init.getType());
    inits.push_back(tile::PendingOp::create(
        b, tile::PendingType::get(b.getContext(), type.getShape(), type.getElementType()),
        init));
  }
  size_t carried = inits.size();
  inits.append({cursors[channel].stage, cursors[channel].parity, word(0)});
  auto loop = scf::ForOp::create(b, op.getLower(), op.getUpper(), op.getStep(), inits);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Cursors own = cursors;
    own[channel] = {loop.getRegionIterArg(carried), loop.getRegionIterArg(carried + 1)};
    waitFull(channel, own[channel]);
    Values results(
        issue(product, {}, own, ValueRange(loop.getRegionIterArgs()).take_front(carried))
            .getResults());
    waitMma(1, {});
    Value isLater = arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                                          loop.getInductionVar(), op.getLower());
    release(channel, loop.getRegionIterArg(carried + 2), isLater);
    Cursor next = advance(own[channel], plan.channels[channel]);
    results.append({next.stage, next.parity, own[channel].stage});
    scf::YieldOp::create(b, results);
  }
  cursors[channel] = {loop.getResult(carried), loop.getResult(carried + 1)};
  Values sums = waitMma(0, loop.getResults().take_front(carried));
  Value any =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, op.getLower(), op.getUpper());
  release(channel, loop.getResult(carried + 2), any);
  op->replaceAllUsesWith(sums);
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

void WarpPartition::consumeSteps(Cursors &cursors) {
  for (auto [stage, operand] : plan.taskStages)
    waitFull(plan.operands[operand].channel, cursors[plan.operands[operand].channel]);
  if (isPlainProduct())
    consumeOverlapped(cursors);
  else if (!consumeRotated(cursors))
    consumeInTurn(cursors);
  for (auto [stage, operand] : plan.taskStages) {
    unsigned channel = plan.operands[operand].channel;
    release(channel, cursors[channel].stage);
    cursors[channel] = advance(cursors[channel], plan.channels[channel]);
  }
}

void WarpPartition::buildConsumer(Block &block) {
  b.setInsertionPointToStart(&block);
  tile::WaitPriorOp::create(b);
  forTasks(/*parity=*/0, [&](Value task, Cursors &cursors) {
    kernel.getTask().replaceAllUsesWith(task);
    Block &loop = *b.getInsertionBlock();
    SmallVector<Operation *> program;
    for (Operation &op : kernel.getBlock().without_terminator())
      if (!isa<tile::AllocOp, tile::CreateBarriersOp>(op))
        program.push_back(&op);
    for (Operation *op : program) {
      op->moveBefore(&loop, loop.end());
      if (op != plan.pipeline)
        continue;
      b.setInsertionPoint(op);
      consumeSteps(cursors);
    }
    tile::PipelineOp(plan.pipeline).erase();
    for (auto [stage, operand] : plan.taskStages)
      tile::StageOp(stage).erase();
    b.setInsertionPointToEnd(&loop);
  });
  // Shared memory must stay valid until the TMA stores have read it.
  if (storesResults)
    tile::WaitStoresOp::create(b, 0, /*written=*/true);
}
