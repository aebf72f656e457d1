//===- row.cpp - The usual access ------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All lanes of a warp that know the same read or write bytes in a row, which have one
// history, and the warp is known to be behind all of it: that is most accesses of most
// kernels, and it is decided here by a few comparisons. Whatever is not that simple is
// left to Access, which would come to the same end.
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/check/race_engine.h"

namespace kiln::sim::check {

namespace {
constexpr size_t Unit = 32; ///< words: rows have one, two or four of these

/// Whether all words have the first one's sets.
bool uniform(const SetId *writes, const SetId *reads, size_t count) {
  SetId difference = 0, firstWrites = writes[0], firstReads = reads[0];
  for (; count; count -= Unit, writes += Unit, reads += Unit)
    for (size_t i = 0; i < Unit; ++i)
      difference |= (writes[i] ^ firstWrites) | (reads[i] ^ firstReads);
  return !difference;
}

void fill(SetId *sets, size_t count, SetId set) {
  for (; count; count -= Unit, sets += Unit)
    for (size_t i = 0; i < Unit; ++i)
      sets[i] = set;
}

/// What a warp does, as far as a row needs it.
struct RowActor {
  const History &history;
  const Seen &seen;
  uint32_t domain, block, warp;
  SetId self; ///< the access as a set

  /// By the same lanes, each its own bytes.
  bool isOwn(SetId set) const {
    if (!History::isSingle(set) || uint8_t(set) != uint8_t(self))
      return false;
    const Stamp &stamp = history.stamp(History::stampOf(set));
    return stamp.block == block && stamp.warp == warp && !stamp.manner.barrier;
  }
  /// All of it happened before, and none of it is an mbarrier.
  bool isBehind(SetId set) const {
    return !set || isOwn(set) || (seen.has(domain, set) && !history.hasBarrier(set));
  }
};
} // namespace

/// False if it is not such an access; then nothing was done.
bool RaceEngine::accessRow(Domain &domain, const Touch &touch, const LaneRanges &ranges) {
  WarpClock &clock = touch.block->warps[touch.warp];
  if (ranges.lanes != ~Mask(0) || ranges.offsets || ranges.bytes < WordBytes ||
      ranges.first % WordBytes || clock.groups().size() != 1 || touch.manner.nonCoherent)
    return false;
  uint64_t word = ranges.first / WordBytes;
  size_t count = Unit * (ranges.bytes / WordBytes), at = word % Shadow::PageWords;
  Shadow::Page *page = ranges.shadow->pageIfAny(word);
  if (!page || at + count > Shadow::PageWords)
    return false;
  SetId *writes = page->writes.data() + at, *reads = page->reads.data() + at;
  SetId before = writes[0], readBefore = reads[0];
  // Nodes would have to be looked through for strong writes.
  bool plain = !before || History::isSingle(before);
  if (!plain || !uniform(writes, reads, count))
    return false;
  uint32_t stamp = stampFor(domain, touch, clock.tick());
  const History &history = domain.history;
  RowActor row{history,       touch.block->caches[touch.warp].seen,
               domain.serial, touch.block->id,
               touch.warp,    History::single(stamp, Shape::of(ranges.bytes, word, 0))};
  if (!row.isBehind(before))
    return false;
  if (!touch.manner.write) {
    if (readBefore && !row.isOwn(readBefore) &&
        !(History::isSingle(readBefore) && row.isBehind(readBefore)))
      return false;
    if (readBefore != row.self)
      fill(reads, count, row.self);
    return true;
  }
  bool strong = before && history.stamp(History::stampOf(before)).manner.strong;
  if (strong || !row.isBehind(readBefore))
    return false;
  if (before != row.self)
    fill(writes, count, row.self);
  if (readBefore)
    fill(reads, count, 0);
  return true;
}

} // namespace kiln::sim::check
