//===- MemoryOrder.cpp - Finds accesses that need a barrier ---------------===//
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

/// A buffer's stage counts as scratch: both may have the same bytes of shared memory.
static bool isInShared(Value operand) {
  return isStagedInScratch(operand) || operand.getDefiningOp<tile::BufferStageOp>();
}

void MemoryOrder::require(Operation *op) {
  if (tile::groupThreads(op->getParentOp()) > 1)
    meets(op);
  meet();
}

/// Marks all accesses of an op with regions as done: before the op, because a loop's
/// iterations follow each other, and after it. Buffers that copies fill count as scratch,
/// which may have the same bytes (kiln-allocate-shared).
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

/// A result may alias an operand: if several threads hold an element, all must have read
/// the operand before one of them writes the result.
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
  // Lanes that store for their group leave an iteration last. Where the groups
  // synchronize again, accesses of the next iteration are ordered per warp only.
  bool meetsAgain =
      read && tile::groupThreads(op) < tile::groupThreads(op->getParentOp());
  for (Region &region : op->getRegions()) {
    scratchRead = read, scratchWritten = written || meetsAgain, operandRead = operand;
    if (!region.empty())
      visit(region.front());
  }
  scratchRead = read, scratchWritten = written, operandRead = operand;
}

/// Returns true for a branch that only issues copies. kiln-pipeline-copies has already
/// put barriers around them: nobody else accesses the stages that they fill before the
/// next tile.wait_copies. A branch that does more than issue copies also commits them.
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
