//===- MemoryOrder.cpp - Which accesses wait for other threads ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryOrder.h"
#include "GpuKernels.h"
#include "LayoutTypes.h"
#include "Smem.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

static bool isScratch(Value view) {
  auto op = view.getDefiningOp<tile::ViewOp>();
  return op && op.getBuffer().getDefiningOp<tile::ScratchOp>();
}

/// The op that stages an operand of a product.
static tile::StageOp stageOf(Value operand) {
  if (auto stage = operand.getDefiningOp<tile::StageOp>())
    return stage;
  auto argument = dyn_cast<BlockArgument>(operand);
  if (!argument)
    return {};
  auto pipeline = cast<tile::PipelineOp>(argument.getOwner()->getParentOp());
  Operation *yield = pipeline.getLoad().front().getTerminator();
  return yield->getOperand(argument.getArgNumber() - 1).getDefiningOp<tile::StageOp>();
}

static bool isStagedInScratch(Value operand) {
  if (!isa<tile::StagedType>(operand.getType()))
    return false;
  tile::StageOp stage = stageOf(operand);
  return stage && isScratch(stage.getView());
}

void MemoryOrder::require(Operation *op, StringRef conflict) {
  if (groupThreads(op->getParentOp(), kernel) > 1)
    meets(op, conflict);
  meet();
}

/// All that an op with regions may access counts as accessed: before it where the op is a
/// loop, whose iterations follow each other, and behind it. What copies of tiles fill
/// counts as scratch, which may have the same place later (kiln-allocate-shared).
void MemoryOrder::touch(Operation *op) {
  op->walk([&](Operation *inner) {
    if (auto load = dyn_cast<tile::LoadOp>(inner))
      (isScratch(load.getView()) ? scratchRead : operandRead) = true;
    else if (auto store = dyn_cast<tile::StoreOp>(inner))
      scratchWritten |= isScratch(store.getView());
    else if (auto scatter = dyn_cast<tile::ScatterOp>(inner))
      scratchWritten |= isScratch(scatter.getView());
    else if (auto gather = dyn_cast<tile::GatherOp>(inner))
      (isScratch(gather.getView()) ? scratchRead : operandRead) = true;
    else if (auto product = dyn_cast<tile::MmaOp>(inner))
      scratchRead |=
          isStagedInScratch(product.getLhs()) || isStagedInScratch(product.getRhs());
    else if (isa<tile::StageOp>(inner))
      scratchRead = operandRead = true;
  });
}

void MemoryOrder::useScratch(Operation *op, bool writes) {
  if (scratchWritten)
    require(op, writes ? "a write of scratch that another thread may have written"
                       : "a read of scratch that another thread may have written");
  else if (writes && scratchRead)
    require(op, "a write of scratch that another thread may still read");
  (writes ? scratchWritten : scratchRead) = true;
}

void MemoryOrder::read(Operation *op, Value view) {
  if (isScratch(view))
    useScratch(op, /*writes=*/false);
  else
    operandRead = true;
}

/// A result may take the place of an operand: where several threads hold an element, all
/// have read it before one writes.
void MemoryOrder::write(Operation *op, Value view, Type stored) {
  if (isScratch(view))
    return useScratch(op, /*writes=*/true);
  auto frag = dyn_cast<tile::FragType>(stored);
  bool isShared = frag ? layoutIn(frag).replicatedThreads() != 0
                       : groupThreads(op->getParentOp(), kernel) > 1;
  if (isShared && operandRead)
    require(op, "a result that may take the place of what another thread still reads");
}

void MemoryOrder::visitLoop(scf::ForOp op) {
  auto size = op->getAttrOfType<IntegerAttr>(tile::kTeamAttr);
  int64_t outer = groupThreads(op->getParentOp(), kernel);
  if (size && size.getInt() < outer && (scratchRead || scratchWritten))
    require(op, "a loop of smaller thread groups behind accesses of scratch");
  visitRegions(op);
}

void MemoryOrder::visitRegions(Operation *op) {
  touch(op);
  bool read = scratchRead, written = scratchWritten, operand = operandRead;
  // Lanes that stored for their group come last out of an iteration: where all meet
  // again, the next one's accesses are one per warp.
  bool meetsAgain =
      read && groupThreads(op, kernel) < groupThreads(op->getParentOp(), kernel);
  for (Region &region : op->getRegions()) {
    scratchRead = read, scratchWritten = written || meetsAgain, operandRead = operand;
    if (!region.empty())
      visit(region.front());
  }
  scratchRead = read, scratchWritten = written, operandRead = operand;
}

/// Each step waits for its tiles, and the thread group meets then, unless all tiles are
/// scratch.
void MemoryOrder::visitPipeline(tile::PipelineOp op) {
  auto stages = op.getLoad().front().getOps<tile::StageOp>();
  bool copies = llvm::any_of(
      stages, [](tile::StageOp stage) { return !isScratch(stage.getView()); });
  touch(op);
  if (copies)
    meet();
  visit(op.getCompute().front());
  touch(op);
}

void MemoryOrder::visit(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::ForOp loop) { visitLoop(loop); })
      .Case<scf::IfOp, scf::IndexSwitchOp>([&](auto) { visitRegions(op); })
      .Case([&](tile::PipelineOp pipeline) { visitPipeline(pipeline); })
      .Case([&](tile::WarpSpecializeOp specialized) { // one thread of the producer works
        touch(op);
        visit(specialized.getConsumer().front());
      })
      .Case<tile::LoadOp, tile::GatherOp>([&](auto load) { read(op, load.getView()); })
      .Case<tile::StoreOp, tile::ScatterOp>(
          [&](auto store) { write(op, store.getView(), store.getValue().getType()); })
      .Case([&](tile::MmaOp product) {
        if (isStagedInScratch(product.getLhs()) || isStagedInScratch(product.getRhs()))
          useScratch(op, /*writes=*/false);
      })
      .Case([&](tile::StageOp stage) {
        if (!isScratch(stage.getView()))
          meet();
      })
      .Case([&](tile::ReduceOp reduce) {
        if (crossesWarps(reduce, gpu))
          meet();
      })
      .Case<tile::TicketOp, tile::SyncThreadsOp>([&](auto) { meet(); });
}

void MemoryOrder::visit(Block &block) {
  for (Operation &op : block.without_terminator())
    visit(&op);
}

void MemoryOrder::run() { visit(kernel.getBlock()); }

bool nvptx::verifyBarriers(tile::KernelOp kernel, const GpuInfo &gpu) {
  bool isOrdered = true;
  MemoryOrder(kernel, gpu, [&](Operation *op, StringRef conflict) {
    if (!std::exchange(isOrdered, false))
      return;
    refuseLevel(op, "kiln-insert-barriers", conflict, "a tile.sync_threads before it",
                "none");
  }).run();
  return isOrdered;
}
