//===- warp.cpp - Running the splits of a warp -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/warp.h"

#include "runtime/sim/exec/worker.h"

#include <algorithm>

namespace kiln::sim::exec {

namespace {
/// Branches per time slice of a warp, and of one that spins.
constexpr int64_t SliceBranches = 512, ShortSlice = 8;
/// Slices without a repeat after which the recorded state of a spinning split is
/// replaced.
constexpr uint32_t RecordSlices = 8;

const MicroOp *const NoLimit = reinterpret_cast<const MicroOp *>(~uintptr_t(0));

/// Orders splits: deeper calls first, so that they return to their siblings; then the
/// smaller pc.
bool before(const Split &a, const Split &b) {
  if (a.frame->depth != b.frame->depth)
    return a.frame->depth > b.frame->depth;
  return a.pc < b.pc;
}

void mergeSplits(Warp &warp) {
  for (unsigned i = 0; i < warp.splitCount; ++i) {
    for (unsigned j = i + 1; j < warp.splitCount; ++j) {
      Split &a = warp.splits[i], &b = warp.splits[j];
      if (a.pc != b.pc || a.frame != b.frame || a.wait || b.wait)
        continue;
      a.mask |= b.mask;
      a.lastPc = nullptr;
      warp.removeSplit(&b);
      --j;
    }
  }
}

/// Chooses a ready split and clears waits that ended; null if every split waits.
/// `rotate`: takes the split after the last one, round robin, so that none starves a
/// split it waits for.
Split *chooseSplit(Warp &warp, bool rotate) {
  for (unsigned i = 0; i < warp.splitCount; ++i) {
    Split &split = warp.splits[i];
    if (split.wait && split.wait.ready(split.wait, warp, split))
      split.wait = {};
  }
  mergeSplits(warp);
  if (rotate)
    for (unsigned n = 1; n <= warp.splitCount; ++n) {
      Split &split = warp.splits[(warp.lastRun + n) % warp.splitCount];
      if (!split.wait)
        return &split;
    }
  Split *best = nullptr;
  for (unsigned i = 0; i < warp.splitCount; ++i) {
    Split &split = warp.splits[i];
    if (!split.wait && (!best || before(split, *best)))
      best = &split;
  }
  return best;
}

/// Returns the nearest op ahead in the same frame where another split waits to be joined.
const MicroOp *limitFor(const Warp &warp, const Split &running) {
  const MicroOp *limit = NoLimit;
  for (unsigned i = 0; i < warp.splitCount; ++i) {
    const Split &split = warp.splits[i];
    if (&split != &running && !split.wait && split.frame == running.frame &&
        split.pc > running.pc && split.pc < limit)
      limit = split.pc;
  }
  return limit;
}

uint64_t hashState(const Split &split) {
  uint64_t hash = split.mask;
  auto *words = reinterpret_cast<const uint64_t *>(split.frame->registers);
  for (size_t n = split.frame->function->registerBytes / 8, i = 0; i < n; ++i)
    hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15 + (hash >> 29);
  return hash;
}

/// Whether the split is at the same place as before with the same registers: it spins.
bool spins(Warp &warp, Split &split) {
  if (warp.changed) {
    split.idleSlices = 0;
    split.lastPc = nullptr;
    return false;
  }
  uint64_t hash = hashState(split);
  bool same = split.lastPc == split.pc && split.lastHash == hash;
  if (!same && (!split.lastPc || ++split.idleSlices > RecordSlices)) {
    split.lastPc = split.pc;
    split.lastHash = hash;
    split.idleSlices = 0;
    return false;
  }
  if (same)
    split.idleSlices = 1;
  return same;
}
} // namespace

Split &Warp::addSplit(const MicroOp *pc, Frame *frame, Mask mask) {
  Split &split = splits[splitCount++];
  split = {};
  split.pc = pc;
  split.frame = frame;
  split.mask = mask;
  return split;
}

void Warp::removeSplit(Split *split) {
  size_t index = size_t(split - splits.data());
  for (size_t i = index; i + 1 < splitCount; ++i)
    splits[i] = splits[i + 1];
  --splitCount;
}

WarpTurn runWarp(Warp &warp) {
  warp.slice =
      warp.slice ? std::clamp(warp.slice, ShortSlice, SliceBranches) : SliceBranches;
  warp.budget = warp.slice;
  warp.changed = false;
  bool ran = false, rotate = warp.rotate;
  warp.rotate = false;
  while (warp.splitCount) {
    Split *split = chooseSplit(warp, rotate);
    if (!split)
      return ran ? WarpTurn::Progress : WarpTurn::Blocked;
    rotate = false;
    ran = true;
    warp.current = split;
    warp.lastRun = unsigned(split - warp.splits.data());
    warp.limit = limitFor(warp, *split);
    Stop stop = split->pc->run(split->pc, split->frame->registers, split->mask, warp);
    if (stop == Stop::Fault)
      return WarpTurn::Fault;
    if (warp.budget < 0 && stop == Stop::Budget) {
      warp.rotate = warp.splitCount > 1;
      bool idle = spins(warp, *warp.current);
      warp.slice = idle ? warp.slice / 8 : warp.slice * 2;
      return idle ? WarpTurn::Idle : WarpTurn::Progress;
    }
    warp.worker->clock += 16;
  }
  return WarpTurn::Gone;
}

} // namespace kiln::sim::exec
