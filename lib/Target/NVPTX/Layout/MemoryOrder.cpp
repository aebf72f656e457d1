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

static bool isStagedInScratch(Value operand) {
  auto stage = operand.getDefiningOp<tile::StageOp>();
  return stage && isScratch(stage.getView());
}

/// Scratch may have the place of a buffer later.
static bool isInShared(Value operand) {
  return isStagedInScratch(operand) || operand.getDefiningOp<tile::BufferStageOp>();
}

void MemoryOrder::require(Operation *op) {
  if (tile::groupThreads(op->getParentOp()) > 1)
    meets(op);
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
      scratchRead |= isInShared(product.getLhs()) || isInShared(product.getRhs());
    else if (isa<tile::ScaledMmaOp>(inner))
      operandRead = true;
    else if (isa<tile::IssueCopyOp>(inner))
      scratchRead = operandRead = true;
  });
}

void MemoryOrder::useScratch(Operation *op, bool writes) {
  if (scratchWritten || (writes && scratchRead))
    require(op);
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
                       : tile::groupThreads(op->getParentOp()) > 1;
  if (isShared && operandRead)
    require(op);
}

void MemoryOrder::visitLoop(scf::ForOp op) {
  int64_t outer = tile::groupThreads(op->getParentOp());
  if (tile::groupThreads(op) < outer && (scratchRead || scratchWritten))
    require(op);
  visitRegions(op);
}

void MemoryOrder::visitRegions(Operation *op) {
  touch(op);
  bool read = scratchRead, written = scratchWritten, operand = operandRead;
  // Lanes that stored for their group come last out of an iteration: where all meet
  // again, the next one's accesses are one per warp.
  bool meetsAgain =
      read && tile::groupThreads(op) < tile::groupThreads(op->getParentOp());
  for (Region &region : op->getRegions()) {
    scratchRead = read, scratchWritten = written || meetsAgain, operandRead = operand;
    if (!region.empty())
      visit(region.front());
  }
  scratchRead = read, scratchWritten = written, operandRead = operand;
}

/// kiln-pipeline-copies has put what orders copies around them: the stages that they fill
/// are nobody else's until the next tile.wait_copies. Copies of a branch that is more
/// than this are closed in it.
static bool isCopy(scf::IfOp op) {
  return !op.thenBlock()->getOps<tile::IssueCopyOp>().empty() &&
         op.thenBlock()->getOps<tile::CommitCopiesOp>().empty();
}

void MemoryOrder::visit(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::ForOp loop) { visitLoop(loop); })
      .Case([&](scf::IfOp branch) {
        if (!isCopy(branch))
          return visitRegions(op);
        operandRead = true;
      })
      .Case([&](scf::IndexSwitchOp) { visitRegions(op); })
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
      .Case([&](tile::ScaledMmaOp) { operandRead = true; })
      .Default([&](Operation *) {
        if (isMeeting(op, gpu))
          meet();
      });
}

void MemoryOrder::visit(Block &block) {
  for (Operation &op : block.without_terminator())
    visit(&op);
}

void MemoryOrder::run() { visit(kernel.getBlock()); }
