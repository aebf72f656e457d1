//===- VerifyCopies.cpp - Verifies waits for copies -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks each op by the ops before it in its block and in enclosing blocks: a stage is
// read after a wait and a barrier, and filled after a barrier in the same step. Whether
// stage indices are right, the interpreter checks.
//
//===----------------------------------------------------------------------===//

#include "lib/Target/NVPTX/Layout/GpuKernels.h"
#include "lib/Target/NVPTX/Layout/MemoryOrder.h"
#include "lib/Target/NVPTX/Layout/Smem.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

static bool refuseCopy(Operation *op, const Twine &what, const Twine &expected,
                       const Twine &found) {
  return refuseLevel(op, "kiln-pipeline-copies", what, expected, found);
}

/// Returns the last op of type `Op` before another in its block or an enclosing one,
/// within the innermost loop; null: none.
template <typename Op> static Op lastBefore(Operation *op) {
  for (; !isa<tile::KernelOp>(op); op = op->getParentOp()) {
    for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
      if (auto found = dyn_cast<Op>(before))
        return found;
    if (isa<scf::ForOp>(op->getParentOp()))
      return {};
  }
  return {};
}

/// A stage is read after the wait for its group of copies and a barrier. Of n stages, n -
/// 1 are filled or being filled at the wait, and the one to be read is the oldest.
static bool verifyWait(tile::BufferStageOp op) {
  auto meeting = lastBefore<tile::SyncThreadsOp>(op);
  if (!meeting)
    return refuseCopy(op, "a stage is read and the threads that filled it have not met",
                      "a tile.sync_threads before it", "none");
  auto wait = lastBefore<tile::WaitCopiesOp>(meeting);
  if (!wait)
    return refuseCopy(op, "a stage is read whose copies are not waited for",
                      "a tile.wait_copies before the tile.sync_threads", "none");
  int64_t limit = std::max<int64_t>(op.getBuffer().getType().getStages() - 2, 0);
  return int64_t(wait.getInFlight()) <= limit ||
         refuseCopy(wait, "the copies of the stage at hand may be in flight still",
                    "at most " + Twine(limit) + " groups", Twine(wait.getInFlight()));
}

static bool readsIn(scf::ForOp loop, Value buffer) {
  return llvm::any_of(buffer.getUsers(), [&](Operation *user) {
    return isa<tile::BufferStageOp>(user) && loop->isProperAncestor(user);
  });
}

/// The previous step has read the stage that is filled: there is a barrier in the loop.
static bool verifyRelease(tile::IssueCopyOp op) {
  auto loop = op->getParentOfType<scf::ForOp>();
  return !loop || !readsIn(loop, op.getBuffer()) || lastBefore<tile::SyncThreadsOp>(op) ||
         refuseCopy(op, "a stage is filled that the step before may still read",
                    "a tile.sync_threads before it in the loop", "none");
}

/// Returns the first op after an op in its block that commits a group of copies or waits
/// for one; null: there is none.
static Operation *groupEndBehind(Operation *op) {
  while ((op = op->getNextNode()))
    if (isa<tile::CommitCopiesOp, tile::WaitCopiesOp>(op))
      return op;
  return nullptr;
}

/// A copy is committed before any wait: in its block, or after the scf.if around it.
static bool verifyCommit(tile::IssueCopyOp op) {
  Operation *end = groupEndBehind(op);
  if (!end && isa<scf::IfOp>(op->getParentOp()))
    end = groupEndBehind(op->getParentOp());
  return isa_and_nonnull<tile::CommitCopiesOp>(end) ||
         refuseCopy(op, "a copy belongs to no group", "a tile.commit_copies behind it",
                    "none");
}

static bool verify(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([](tile::PipelineOp pipeline) {
        return refuseCopy(pipeline, "a loop that is not pipelined", "explicit copies",
                          "none");
      })
      .Case([](tile::StageOp stage) {
        return isReadInPlace(stage) || refuseCopy(stage, "a tile that nothing copies",
                                                  "a tile.issue_copy", "none");
      })
      .Case([](tile::BufferStageOp stage) { return verifyWait(stage); })
      .Case([](tile::IssueCopyOp copy) {
        return verifyRelease(copy) && verifyCommit(copy);
      })
      .Default(true);
}

bool nvptx::verifyCopies(tile::KernelOp kernel) {
  return !kernel
              ->walk([](Operation *op) {
                return verify(op) ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}
