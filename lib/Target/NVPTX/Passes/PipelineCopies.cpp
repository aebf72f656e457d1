//===- PipelineCopies.cpp - Asynchronous copies of MMA operands -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pipeline with n stages keeps n - 1 tiles of each operand in flight while it computes
// on one. There is one barrier per step: after it, all threads see the data that others
// copied, and no thread still reads the stage that is filled next.
//
//===----------------------------------------------------------------------===//

#include "kiln/ErrorCodes/Target.h"
#include "kiln/Support/Error.h"
#include "kiln/Target/Passes.h"
#include "lib/Target/NVPTX/Layout/GpuKernels.h"
#include "lib/Target/NVPTX/Layout/LayoutTypes.h"
#include "lib/Target/NVPTX/Layout/Smem.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace kiln {
#define GEN_PASS_DEF_PIPELINECOPIESPASS
#include "kiln/Target/Passes.h.inc"
} // namespace kiln

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

/// Returns the type of the buffer that a tile is copied into.
static tile::MemType bufferType(tile::StageOp op, int64_t stages) {
  tile::StagedType type = op.getType();
  auto layout =
      tile::MemLayoutAttr::get(op.getContext(), isColumnMajor(op) ? 0 : 1,
                               type.getLayout().value_or(tile::StagedLayout::lines));
  ArrayRef<int64_t> shape = type.getShape();
  return tile::MemType::get(op.getContext(), {stages, shape[0], shape[1]},
                            type.getElementType(), layout, tile::MemorySpace::shared);
}

//===----------------------------------------------------------------------===//
// One pipeline
//===----------------------------------------------------------------------===//

namespace {
class PipelinedLoop {
public:
  explicit PipelinedLoop(tile::PipelineOp op)
      : op(op), b(op.getLoc(), op), load(op.getLoad().front()),
        compute(op.getCompute().front()), stages(stageCount(op)) {}
  void rewrite();

private:
  void allocate();
  void fill();
  void issue(Value position, Value stage);
  void issueAhead(Value position, Value stage);
  SmallVector<Value> tilesAt(Value position, Value stage);
  void writeStep(scf::ForOp loop);
  Value nextStage(Value stage);
  Value index(int64_t value) const { return numbers[value]; }

  tile::PipelineOp op;
  ImplicitLocOpBuilder b;
  Block &load, &compute;
  int64_t stages;
  SmallVector<Value> numbers; ///< constants 0 to `stages`
  /// Multistage buffers of the tiles that are copied, by tile.stage; other tiles are read
  /// in place.
  llvm::SmallMapVector<Operation *, Value, 2> buffers;
};
} // namespace

void PipelinedLoop::allocate() {
  if (!load.getOps<tile::StageOp>().empty())
    for (int64_t number = 0; number <= stages; ++number)
      numbers.push_back(arith::ConstantIndexOp::create(b, number));
  for (auto stage : load.getOps<tile::StageOp>())
    if (!isReadInPlace(stage))
      buffers[stage] = tile::AllocOp::create(b, bufferType(stage, stages));
}

/// Issues the copies of one step as a group, empty if the loop has no step at this
/// position.
void PipelinedLoop::issue(Value position, Value stage) {
  Value exists =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, position, op.getUpper());
  auto branch = scf::IfOp::create(b, exists, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    IRMapping map;
    map.map(load.getArgument(0), position);
    for (Operation &inner : load.without_terminator()) {
      auto tile = dyn_cast<tile::StageOp>(inner);
      if (!tile) {
        b.clone(inner, map);
      } else if (Value buffer = buffers.lookup(tile)) {
        auto indices = llvm::map_to_vector(
            tile.getIndices(), [&](Value at) { return map.lookupOrDefault(at); });
        tile::IssueCopyOp::create(b, map.lookupOrDefault(tile.getView()), indices, buffer,
                                  stage, tile.getMasked());
      }
    }
  }
  tile::CommitCopiesOp::create(b);
}

/// Prologue: fills all stages but one.
void PipelinedLoop::fill() {
  tile::SyncThreadsOp::create(b); // others may still read the buffer's old data
  for (int64_t s = 0; s + 1 < stages; ++s) {
    Value ahead = b.createOrFold<arith::MulIOp>(index(s), op.getStep());
    issue(b.createOrFold<arith::AddIOp>(op.getLower(), ahead), index(s));
  }
}

/// Issues copies into the stage before `stage`, which the previous step has read.
void PipelinedLoop::issueAhead(Value position, Value stage) {
  tile::WaitCopiesOp::create(b, stages - 2);
  tile::SyncThreadsOp::create(b);
  Value last = index(stages - 1);
  Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, stage, index(0));
  Value before = arith::SubIOp::create(b, stage, index(1));
  Value ahead = b.createOrFold<arith::MulIOp>(last, op.getStep());
  issue(b.createOrFold<arith::AddIOp>(position, ahead),
        arith::SelectOp::create(b, isFirst, last, before));
}

/// Returns the tiles that the step at `position` multiplies: those in stage `stage` of
/// the buffers, and those that are read in place.
SmallVector<Value> PipelinedLoop::tilesAt(Value position, Value stage) {
  IRMapping map;
  map.map(load.getArgument(0), position);
  for (Operation &inner : load.without_terminator()) {
    if (Value buffer = buffers.lookup(&inner))
      map.map(inner.getResult(0),
              tile::BufferStageOp::create(b, inner.getResult(0).getType(), buffer, stage)
                  .getResult());
    else if (buffers.empty() || !isa<tile::PrefetchOp>(inner))
      b.clone(inner, map);
  }
  return llvm::map_to_vector(load.getTerminator()->getOperands(),
                             [&](Value tile) { return map.lookup(tile); });
}

Value PipelinedLoop::nextStage(Value stage) {
  Value next = arith::AddIOp::create(b, stage, index(1));
  Value wraps = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, next, index(stages));
  return arith::SelectOp::create(b, wraps, index(0), next);
}

void PipelinedLoop::writeStep(scf::ForOp loop) {
  b.setInsertionPointToStart(loop.getBody());
  Value position = loop.getInductionVar();
  auto carried = loop.getRegionIterArgs();
  Value stage = buffers.empty() ? Value() : carried.back();
  if (stage)
    issueAhead(position, stage);
  SmallVector<Value> arguments{position};
  llvm::append_range(arguments, tilesAt(position, stage));
  llvm::append_range(arguments, carried.take_front(op.getNumResults()));
  Operation *terminator = compute.getTerminator();
  SmallVector<Value> results(terminator->getOperands());
  for (Value &result : results)
    if (auto argument = dyn_cast<BlockArgument>(result);
        argument && argument.getOwner() == &compute)
      result = arguments[argument.getArgNumber()];
  terminator->erase();
  for (auto [argument, value] : llvm::zip_equal(compute.getArguments(), arguments))
    argument.replaceAllUsesWith(value);
  loop.getBody()->getOperations().splice(b.getInsertionPoint(), compute.getOperations());
  if (stage)
    results.push_back(nextStage(stage));
  if (loop.getNumResults() == 0)
    return; // the builder has added the terminator
  scf::YieldOp::create(b, results);
}

void PipelinedLoop::rewrite() {
  allocate();
  SmallVector<Value> inits(op.getInits());
  if (!buffers.empty()) {
    fill();
    inits.push_back(index(0)); // the first step's stage
  }
  auto loop = scf::ForOp::create(b, op.getLower(), op.getUpper(), op.getStep(), inits);
  writeStep(loop);
  op->replaceAllUsesWith(loop.getResults().take_front(op.getNumResults()));
  op.erase();
}

//===----------------------------------------------------------------------===//
// Tiles outside of pipelines
//===----------------------------------------------------------------------===//

static void copyAtOnce(tile::StageOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value buffer = tile::AllocOp::create(b, bufferType(op, /*stages=*/1));
  tile::SyncThreadsOp::create(b); // others may still read the buffer's old data
  Value first = arith::ConstantIndexOp::create(b, 0);
  tile::IssueCopyOp::create(b, op.getView(), op.getIndices(), buffer, first,
                            op.getMasked());
  tile::CommitCopiesOp::create(b);
  tile::WaitCopiesOp::create(b, 0);
  tile::SyncThreadsOp::create(b);
  Value tile = tile::BufferStageOp::create(b, op.getType(), buffer, first);
  op.replaceAllUsesWith(tile);
  op.erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Verifies that extents are powers of two: elements are assigned to threads by bits.
static LogicalResult checkTiles(tile::KernelOp kernel) {
  WalkResult result = kernel->walk([&](tile::StageOp op) {
    if (isReadInPlace(op) || llvm::all_of(op.getType().getShape(), [](int64_t extent) {
          return !ShapedType::isDynamic(extent) && llvm::isPowerOf2_64(extent);
        }))
      return WalkResult::advance();
    (void)kiln::emitError(op->getLoc(),
                          {ErrorCode::NotLowerable,
                           "kernel '" + kernel.getSymName().str() + "'",
                           "a staged tile whose extents are no powers of two", "",
                           op->getName().getStringRef().str(), ""});
    return WalkResult::interrupt();
  });
  return success(!result.wasInterrupted());
}

namespace {
struct PipelineCopiesPass
    : public kiln::impl::PipelineCopiesPassBase<PipelineCopiesPass> {
  using PipelineCopiesPassBase::PipelineCopiesPassBase;

  void runOnOperation() override {
    auto each = [](tile::KernelOp kernel, const TargetInfo &) {
      if (failed(checkTiles(kernel)))
        return failure();
      SmallVector<tile::PipelineOp> pipelines; // inner loops first
      kernel->walk([&](tile::PipelineOp op) { pipelines.push_back(op); });
      for (tile::PipelineOp op : pipelines)
        PipelinedLoop(op).rewrite();
      SmallVector<tile::StageOp> tiles;
      kernel->walk([&](tile::StageOp op) { tiles.push_back(op); });
      for (tile::StageOp op : tiles)
        if (!isReadInPlace(op))
          copyAtOnce(op);
      return success();
    };
    if (failed(forEachGpuKernel(*this, getOperation(), target, each)))
      signalPassFailure();
  }
};
} // namespace
