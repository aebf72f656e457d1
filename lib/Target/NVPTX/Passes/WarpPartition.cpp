//===- WarpPartition.cpp - Rewrites a kernel as producer and consumers ----===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds buffers, mbarriers and the producer, which keeps of the task only the ops that
// its copies' indices depend on.
//
//===----------------------------------------------------------------------===//

#include "WarpPartition.h"
#include "dialects/Tile/TileHints.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

//===----------------------------------------------------------------------===//
// Both sides
//===----------------------------------------------------------------------===//

Value WarpPartition::word(int64_t value) {
  return arith::ConstantIntOp::create(b, value, 32);
}

void WarpPartition::allocate() {
  int64_t warps = *kernel.getThreads() / gpu.warpThreads;
  for (const StagedOperand &operand : plan.operands)
    buffers.push_back(tile::AllocOp::create(b, operand.type));
  for (const Channel &channel : plan.channels) {
    auto type = tile::BarrierType::get(b.getContext(), channel.stages);
    full.push_back(tile::CreateBarriersOp::create(b, type, 1));
    int64_t blocks = channel.isMulticast ? *kernel.getCluster() : 1;
    empty.push_back(tile::CreateBarriersOp::create(b, type, warps * blocks));
  }
}

/// Advances to the next stage; the parity flips when the stage index wraps around.
WarpPartition::Cursor WarpPartition::advance(const Cursor &cursor,
                                             const Channel &channel) {
  if (channel.stages == 1)
    return {cursor.stage, arith::XOrIOp::create(b, cursor.parity, word(1))};
  Value next = arith::AddIOp::create(b, cursor.stage, word(1));
  Value wraps =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, next, word(channel.stages));
  Value flip = arith::ExtUIOp::create(b, b.getI32Type(), wraps);
  return {arith::SelectOp::create(b, wraps, word(0), next),
          arith::XOrIOp::create(b, cursor.parity, flip)};
}

scf::ForOp WarpPartition::forTasks(int64_t parity,
                                   function_ref<void(Value, Cursors &)> body) {
  Value first = tile::FirstTaskOp::create(b, b.getIndexType());
  Value stride = tile::TaskStrideOp::create(b, b.getIndexType());
  auto symbols = kernel.getSymbolArguments();
  Value count = affine::AffineApplyOp::create(
      b, kernel.getGrid(), SmallVector<Value>(symbols.begin(), symbols.end()));
  Values inits;
  for (size_t i = 0; i < plan.channels.size(); ++i)
    inits.append({word(0), word(parity)});
  auto loop = scf::ForOp::create(b, first, count, stride, inits);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Cursors cursors;
  for (size_t i = 0; i < plan.channels.size(); ++i)
    cursors.push_back({loop.getRegionIterArg(2 * i), loop.getRegionIterArg(2 * i + 1)});
  body(loop.getInductionVar(), cursors);
  Values results;
  for (const Cursor &cursor : cursors)
    results.append({cursor.stage, cursor.parity});
  b.setInsertionPointToEnd(loop.getBody());
  scf::YieldOp::create(b, results);
  return loop;
}

void WarpPartition::waitFull(unsigned channel, const Cursor &cursor) {
  tile::WaitBarrierOp::create(b, full[channel], cursor.stage, cursor.parity);
}

void WarpPartition::release(unsigned channel, Value stage, Value condition) {
  tile::ArriveBarrierOp::create(b, empty[channel], stage, condition,
                                plan.channels[channel].isMulticast);
}

//===----------------------------------------------------------------------===//
// The producer
//===----------------------------------------------------------------------===//

/// Returns the ops that the pipeline's bounds and the copies' indices and views depend
/// on.
static DenseSet<Operation *> sliceOf(const PartitionPlan &plan) {
  DenseSet<Operation *> slice;
  tile::PipelineOp pipeline = plan.pipeline;
  SmallVector<Value> needed{pipeline.getLower(), pipeline.getUpper(), pipeline.getStep()};
  auto need = [&](Operation *op) { llvm::append_range(needed, op->getOperands()); };
  pipeline.getLoad().walk(need);
  for (auto [stage, operand] : plan.taskStages)
    need(stage);
  while (!needed.empty()) {
    Operation *op = needed.pop_back_val().getDefiningOp();
    if (op && slice.insert(op).second)
      op->walk(need);
  }
  return slice;
}

WarpPartition::Values WarpPartition::boxIndices(const BoxCopy &copy, IRMapping &map) {
  tile::StageOp stage = copy.stage;
  Values indices;
  for (auto [value, at] : llvm::zip(stage.getIndices(), copy.at)) {
    Value index = map.lookupOrDefault(Value(value));
    if (at != 0)
      index = arith::AddIOp::create(b, index, arith::ConstantIndexOp::create(b, at));
    indices.push_back(index);
  }
  return indices;
}

void WarpPartition::fill(unsigned channel, Cursor &cursor, IRMapping &map) {
  tile::WaitBarrierOp::create(b, empty[channel], cursor.stage, cursor.parity);
  tile::ExpectBytesOp::create(b, full[channel], cursor.stage,
                              plan.channels[channel].bytes);
  for (auto [operand, buffer] : llvm::zip(plan.operands, buffers))
    if (operand.channel == channel)
      for (const BoxCopy &copy : operand.copies) {
        tile::StageOp stage = copy.stage;
        tile::AsyncCopyOp::create(
            b, map.lookupOrDefault(Value(stage.getView())), boxIndices(copy, map), buffer,
            cursor.stage, full[channel], b.getDenseI64ArrayAttr(copy.box),
            b.getDenseI64ArrayAttr(copy.place),
            copy.multicast ? b.getI64IntegerAttr(*copy.multicast) : IntegerAttr());
      }
  cursor = advance(cursor, plan.channels[channel]);
}

/// Builds the producer's form of the pipeline: every step fills a stage of each channel.
void WarpPartition::fillSteps(IRMapping &map, Cursors &cursors) {
  tile::PipelineOp op = plan.pipeline;
  Values inits;
  SmallVector<unsigned> filled;
  for (auto [i, channel] : llvm::enumerate(plan.channels))
    if (!channel.isOfTask) {
      filled.push_back(i);
      inits.append({cursors[i].stage, cursors[i].parity});
    }
  auto loop = scf::ForOp::create(b, map.lookupOrDefault(op.getLower()),
                                 map.lookupOrDefault(op.getUpper()),
                                 map.lookupOrDefault(op.getStep()), inits);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Block &load = op.getLoad().front();
    map.map(load.getArgument(0), loop.getInductionVar());
    for (Operation &inner : load.without_terminator())
      if (!isa<tile::StageOp, tile::PrefetchOp>(inner))
        b.clone(inner, map);
    Values results;
    for (auto [k, i] : llvm::enumerate(filled)) {
      Cursor cursor{loop.getRegionIterArg(2 * k), loop.getRegionIterArg(2 * k + 1)};
      fill(i, cursor, map);
      results.append({cursor.stage, cursor.parity});
    }
    scf::YieldOp::create(b, results);
  }
  for (auto [k, i] : llvm::enumerate(filled))
    cursors[i] = {loop.getResult(2 * k), loop.getResult(2 * k + 1)};
}

/// Prefetches the weights of the first stages into L2 while earlier kernels end (PDL). A
/// block without a task prefetches boxes outside of the tensor, which have no bytes.
void WarpPartition::prefetchWeights(const DenseSet<Operation *> &slice) {
  tile::PipelineOp op = plan.pipeline;
  if (!op->hasAttr(tile::kWeightsAttr) || !gpu.hasDependentLaunch)
    return;
  IRMapping map;
  map.map(kernel.getTask(), tile::FirstTaskOp::create(b, b.getIndexType()).getResult());
  for (Operation &inner : kernel.getBlock())
    if (slice.contains(&inner))
      b.clone(inner, map);
  const StagedOperand &right = plan.operands[plan.products.front().right];
  Value lower = map.lookupOrDefault(op.getLower()),
        step = map.lookupOrDefault(op.getStep());
  Value ahead = arith::MulIOp::create(
      b, step, arith::ConstantIndexOp::create(b, right.type.getStages()));
  Value end = arith::MinSIOp::create(b, map.lookupOrDefault(op.getUpper()),
                                     arith::AddIOp::create(b, lower, ahead));
  auto loop = scf::ForOp::create(b, lower, end, step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Block &load = op.getLoad().front();
  map.map(load.getArgument(0), loop.getInductionVar());
  for (Operation &inner : load.without_terminator())
    if (!isa<tile::StageOp, tile::PrefetchOp>(inner))
      b.clone(inner, map);
  for (const BoxCopy &copy : right.copies) {
    tile::StageOp stage = copy.stage;
    tile::PrefetchBoxOp::create(b, map.lookupOrDefault(Value(stage.getView())),
                                boxIndices(copy, map), copy.box,
                                right.type.getLayout().getSwizzle());
  }
}

void WarpPartition::buildProducer(Block &block) {
  b.setInsertionPointToStart(&block);
  DenseSet<Operation *> slice = sliceOf(plan);
  prefetchWeights(slice);
  tile::WaitPriorOp::create(b);
  // A wait for parity 1 succeeds at once on a new mbarrier, so all stages begin as empty.
  forTasks(/*parity=*/1, [&](Value task, Cursors &cursors) {
    IRMapping map;
    map.map(kernel.getTask(), task);
    for (Operation &op : kernel.getBlock()) {
      if (&op == plan.pipeline)
        fillSteps(map, cursors);
      else if (slice.contains(&op))
        b.clone(op, map);
      for (auto [stage, operand] : plan.taskStages)
        if (&op == stage)
          fill(plan.operands[operand].channel, cursors[plan.operands[operand].channel],
               map);
    }
  });
}

void WarpPartition::rewrite() {
  Block &body = kernel.getBlock();
  b.setInsertionPointToStart(&body);
  allocate();
  storeResults();
  b.setInsertionPoint(body.getTerminator());
  auto specialize =
      tile::WarpSpecializeOp::create(b, plan.producerRegisters, plan.consumerRegisters);
  specialize->remove(); // the regions see only the original task's ops
  Block &producer = specialize.getProducer().emplaceBlock();
  Block &consumer = specialize.getConsumer().emplaceBlock();
  buildProducer(producer);
  buildConsumer(consumer);
  b.setInsertionPoint(body.getTerminator());
  if (kernel.getCluster())
    tile::SyncClusterOp::create(b);
  b.insert(specialize);
  if (kernel.getCluster())
    tile::SyncClusterOp::create(b);
}
