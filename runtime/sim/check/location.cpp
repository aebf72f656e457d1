//===- location.cpp - Whether an access races with earlier ones ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/check/location.h"

#include <algorithm>

namespace kiln::sim::check {

namespace {
/// A set with more entries than this is cut down to its newest ones. What is forgotten
/// can hide a race with a thread of long ago, but never makes one up.
constexpr unsigned MaxEntries = 64, KeptEntries = 24;
constexpr unsigned NoLane = Lanes;

unsigned lowest(Mask mask) { return unsigned(__builtin_ctz(mask)); }
} // namespace

/// The lanes of the earlier access that `lane` does not know of.
Mask Access::unknownTo(unsigned lane, const View &view, const Stamp &stamp,
                       Mask earlier) const {
  if (actor.agent && stamp.block == actor.block && stamp.warp == actor.agent &&
      stamp.epoch == actor.epoch) {
    if (actor.agentIsOne)
      return 0;
    earlier &= lane < Lanes ? ~(Mask(1) << lane) : ~Mask(0);
  }
  Mask result = 0;
  for (Mask left = earlier; left; left &= left - 1) {
    Past past{stamp.block, stamp.warp, lowest(left), stamp.epoch};
    if (!view.knows(actor.block, actor.warp, lane, past))
      result |= left & -left;
  }
  return result;
}

/// The same for several lanes: those that any of them does not know of.
Mask Access::unknown(const View &view, const Stamp &stamp, Mask earlier,
                     Mask lanes) const {
  if ((lanes & (lanes - 1)) == 0)
    return unknownTo(lowest(lanes), view, stamp, earlier);
  Mask doubtful = unknownTo(NoLane, view, stamp, earlier), result = 0;
  for (Mask left = doubtful ? lanes : 0; left && result != doubtful; left &= left - 1)
    result |= unknownTo(lowest(left), view, stamp, doubtful);
  return result;
}

/// Two strong accesses, each within the other's scope, never race.
bool Access::compatible(const Stamp &earlier) const {
  // A plain load that a compare-and-swap of the same word then confirms is how atomics
  // that the hardware lacks are made, the toolkit's own included.
  if ((earlier.manner.swaps && !actor.manner.write) ||
      (actor.manner.swaps && !earlier.manner.write))
    return true;
  if (!earlier.manner.strong || !actor.manner.strong)
    return false;
  Reach reach = std::min(earlier.manner.reach, actor.manner.reach);
  if (reach == Reach::Gpu || earlier.block == actor.block)
    return true;
  return reach == Reach::Cluster && clusterOf(context, earlier.block) == actor.cluster;
}

/// Whether whoever races with the earlier access, that happened before this one, races
/// with this one too, so that the earlier one need not be kept.
bool Access::supersedes(const Stamp &earlier) const {
  if (!actor.manner.strong)
    return true;
  if (!earlier.manner.strong || earlier.manner.reach != actor.manner.reach ||
      (actor.manner.swaps && !earlier.manner.swaps))
    return false;
  return actor.manner.reach == Reach::Gpu || earlier.block == actor.block;
}

void Access::report(ProblemKind kind, const Stamp &earlier, Mask earlierLanes, Mask lanes,
                    uint64_t offset) {
  for (const Problem &p : problems)
    if (p.kind == kind && p.earlier.op == earlier.op)
      return;
  problems.push_back({kind, earlier, earlierLanes, lanes, offset, tag});
}

void Access::checkAgainst(SetId set, Mask lanes, uint64_t offset) {
  if (set == fineSet && lanes == fineLanes)
    return;
  bool fine = true;
  history.forEntries(set, [&](History::Entry entry) {
    if (entry.stamp == fineStamp)
      return;
    const Stamp &stamp = history.stamp(entry.stamp);
    if (actor.manner.nonCoherent && stamp.manner.write) {
      report(ProblemKind::NonCoherent, stamp, entry.lanes, lanes, offset);
      fine = false;
      return;
    }
    Mask missed = unknown(*actor.current, stamp, entry.lanes, lanes);
    if (missed) {
      fine = false;
      if (!compatible(stamp))
        report(stamp.manner.strong && actor.manner.strong ? ProblemKind::Scope
                                                          : ProblemKind::Race,
               stamp, missed, lanes, offset);
      return;
    }
    // Reads before asynchronous writes need no fence, nor do two asynchronous accesses.
    if (!actor.manner.async || !stamp.manner.write || stamp.manner.async)
      return;
    missed = unknown(*actor.async, stamp, entry.lanes, lanes);
    if (missed)
      report(ProblemKind::Proxy, stamp, missed, lanes, offset);
    fine &= !missed;
  });
  if (!fine)
    return;
  fineSet = set;
  fineLanes = lanes;
  // A barrier of the block behind the whole instruction answers for all its lanes.
  if (History::isSingle(set) && allKnown(history.stamp(History::stampOf(set))))
    fineStamp = History::stampOf(set);
}

bool Access::allKnown(const Stamp &stamp) {
  if (stamp.block != actor.block || stamp.warp >= FirstAgent || actor.agent ||
      actor.manner.async)
    return false;
  const View &view = *actor.current;
  if (view.mine && stamp.epoch <= view.mine->all)
    return true;
  if (stamp.warp != actor.warp)
    return false;
  for (Epoch epoch : view.own)
    if (epoch < stamp.epoch)
      return false;
  return true;
}

/// Entries of a set at work, newest first.
struct Access::Entries {
  std::array<History::Entry, MaxEntries> each;
  unsigned count = 0;
  bool changed = false; ///< it is not the set that it was taken from
  void add(const History::Entry &entry) {
    if (count < MaxEntries)
      each[count++] = entry;
  }
};

/// Of the set, what must be remembered beside an access by the lanes.
void Access::survivors(SetId set, Mask lanes, Entries &kept) {
  const View &view = actor.manner.async ? *actor.async : *actor.current;
  history.forEntries(set, [&](History::Entry entry) {
    const Stamp &stamp = history.stamp(entry.stamp);
    Mask left = entry.lanes;
    if (entry.stamp != fineStamp || !supersedes(stamp)) {
      // Known to one of the lanes is enough.
      for (Mask m = supersedes(stamp) ? lanes : 0; m && left; m &= m - 1)
        left = unknownTo(lowest(m), view, stamp, left);
    } else {
      left = 0;
    }
    kept.changed |= left != entry.lanes;
    if (left)
      kept.add({entry.stamp, left});
  });
}

/// The set of the entries and a new one. A set that is too long is cut.
SetId Access::combine(SetId old, const Entries &kept, History::Entry entry) {
  if (!kept.changed && kept.count < MaxEntries)
    return history.with(old, entry);
  SetId result = 0;
  for (unsigned i = kept.count < MaxEntries ? kept.count : KeptEntries; i--;)
    result = history.with(result, kept.each[i]);
  return history.with(result, entry);
}

SetId Access::remaining(SetId set, Mask lanes) {
  if (!set)
    return 0;
  Entries kept;
  survivors(set, lanes, kept);
  if (!kept.changed)
    return set;
  SetId result = 0;
  for (unsigned i = kept.count; i--;)
    result = history.with(result, kept.each[i]);
  return result;
}

SetId Access::addRead(SetId set, Mask lanes) {
  History::Entry entry{actor.stamp, lanes};
  SetId result = 0;
  if (history.recall(set, entry, result))
    return result;
  Entries kept;
  survivors(set, lanes, kept);
  // The same instruction at the same epoch only adds lanes.
  for (unsigned i = 0; i < kept.count; ++i)
    if (kept.each[i].stamp == actor.stamp) {
      entry.lanes |= kept.each[i].lanes;
      std::copy(kept.each.begin() + i + 1, kept.each.begin() + kept.count,
                kept.each.begin() + i);
      --kept.count;
      kept.changed = true;
      break;
    }
  result = combine(set, kept, entry);
  history.learn(set, {actor.stamp, lanes}, result);
  return result;
}

void Access::read(Cell &cell, Mask lanes, uint64_t offset) {
  if (cell.writes &&
      !(History::isSingle(cell.writes) && History::stampOf(cell.writes) == fineStamp))
    checkAgainst(cell.writes, lanes, offset);
  bool one = (lanes & (lanes - 1)) == 0;
  if (one) {
    SetId self = History::single(actor.stamp, lowest(lanes));
    if (!cell.reads || cell.reads == self) {
      cell.reads = self;
      return;
    }
    if (History::isSingle(cell.reads)) {
      uint32_t stamp = History::stampOf(cell.reads);
      const Stamp &earlier = history.stamp(stamp);
      if (stamp == doneReads || (supersedes(earlier) && allKnown(earlier))) {
        doneReads = stamp;
        cell.reads = self;
        return;
      }
    }
  }
  cell.reads = addRead(cell.reads, lanes);
}

void Access::write(Cell &cell, Mask lanes, uint64_t offset) {
  bool several = lanes & (lanes - 1);
  if (several && !actor.manner.strong && !actor.agentIsOne)
    report(ProblemKind::SameInstruction, history.stamp(actor.stamp), lanes, lanes,
           offset);
  auto fine = [&](SetId set) {
    return !set || (History::isSingle(set) && History::stampOf(set) == fineStamp);
  };
  if (!fine(cell.writes))
    checkAgainst(cell.writes, lanes, offset);
  if (!fine(cell.reads))
    checkAgainst(cell.reads, lanes, offset);
  if (!actor.manner.strong && !overwroteStrong)
    history.forEntries(cell.writes, [&](History::Entry e) {
      overwroteStrong |= history.stamp(e.stamp).manner.strong;
    });
  History::Entry entry{actor.stamp, lanes};
  if (!actor.manner.strong && !actor.manner.async) {
    // What is unordered was reported: a weak write starts anew.
    cell.writes = history.with(0, entry);
    cell.reads = 0;
    return;
  }
  Entries kept;
  survivors(cell.writes, lanes, kept);
  cell.writes = combine(cell.writes, kept, entry);
  cell.reads = remaining(cell.reads, lanes);
}

} // namespace kiln::sim::check
