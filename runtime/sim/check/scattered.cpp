//===- scattered.cpp - Fast path of scattered accesses ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Like row.cpp, but each lane accesses separate words anywhere. Access handles all other
// cases; it would give the same result here too, only more slowly.
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/check/race_engine.h"

#include <bit>

namespace kiln::sim::check {

namespace {
constexpr size_t MaxWords = 4; ///< per lane

/// Decides which earlier accesses a new one may supersede. Caches the last verdicts, as
/// few stamps occur.
class Judge {
public:
  Judge(const History &history, const Seen &seen, uint32_t domain, const Touch &touch)
      : history(history), seen(seen), domain(domain), touch(touch) {}

  /// Whether an access with that shape is ordered after the set and supersedes it.
  /// `written`: the set is one of writes.
  bool mayFollow(SetId set, Shape shape, bool written) {
    if (!set)
      return true;
    if (!History::isSingle(set))
      return false;
    uint32_t stamp = History::stampOf(set);
    const Verdict &v =
        verdicts[written].stamp == stamp ? verdicts[written] : verdictOf(stamp, written);
    // A strong write may be a flag, which this write would clear.
    if (v.barrier || (v.strong && written && touch.accessKind.write))
      return false;
    return v.behind || (v.own && History::shapeOf(set) == shape);
  }

private:
  struct Verdict {
    uint32_t stamp = ~0u;
    bool barrier = false, strong = false;
    bool behind = false; ///< all its accesses happened before
    bool own = false;    ///< made by this warp
  };
  const Verdict &verdictOf(uint32_t stamp, bool written) {
    const Stamp &s = history.stamp(stamp);
    return verdicts[written] = {stamp, s.accessKind.barrier, s.accessKind.strong,
                                seen.has(domain, History::single(stamp, Shape())),
                                s.block == touch.block->id && s.warp == touch.warp};
  }

  const History &history;
  const Seen &seen;
  uint32_t domain;
  const Touch &touch;
  std::array<Verdict, 2> verdicts; ///< last verdicts on reads and on writes
};

/// A word of one lane: its sets' addresses, their old values, and the set that the lane
/// leaves.
struct Spot {
  SetId *writes, *reads;
  SetId oldWrites, oldReads, self;
};

/// Words of all lanes that access memory one by one.
class Spots {
public:
  Spots(const LaneRanges &ranges) {
    size_t words = ranges.bytes / WordBytes;
    for (Mask left = ranges.lanes; left; left &= left - 1) {
      auto lane = unsigned(std::countr_zero(left));
      uint64_t word = ranges.offsets[lane] / WordBytes;
      size_t at = word % Shadow::PageWords;
      Shadow::Page *page = ranges.shadow->pageIfAny(word);
      if (!page) {
        complete = false;
        return;
      }
      page->spread(at / Shadow::LineWords);
      for (size_t n = 0; n < words; ++n, ++at) {
        SetId shape = Shape::of(ranges.bytes, word + n, lane).raw();
        all[count++] = {&page->writes[at], &page->reads[at], page->writes[at],
                        page->reads[at], shape};
      }
    }
  }
  Spot *begin() { return all.data(); }
  Spot *end() { return all.data() + count; }
  bool complete = true; ///< all pages exist

private:
  size_t count = 0;
  std::array<Spot, Lanes * MaxWords> all;
};
/// Whether some other lane accesses the first lane's bytes: where lanes access the same
/// bytes, mostly the first lane does too.
bool sharesFirst(const LaneRanges &ranges) {
  uint64_t first = ranges.offsets[std::countr_zero(ranges.lanes)];
  unsigned same = 0;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    same += (ranges.lanes >> lane & 1) && ranges.offsets[lane] == first;
  return same > 1;
}
} // namespace

/// Returns false, with nothing done, if the access is not of this kind.
bool RaceEngine::accessScattered(Domain &domain, const Touch &touch,
                                 const LaneRanges &ranges) {
  WarpClock &clock = touch.block->warps[touch.warp];
  WarpCache &cache = touch.block->caches[touch.warp];
  if (!ranges.offsets || ranges.bytes % WordBytes || clock.groups().size() != 1 ||
      touch.accessKind.nonCoherent || (ranges.lanes & (ranges.lanes - 1)) == 0)
    return false;
  if (sharesFirst(ranges))
    return false;
  Spots spots(ranges);
  if (!spots.complete)
    return false;
  Judge judge(domain.history, cache.seen, domain.serial, touch);
  for (const Spot &s : spots)
    if (Shape shape{uint8_t(s.self)}; !judge.mayFollow(s.oldWrites, shape, true) ||
                                      !judge.mayFollow(s.oldReads, shape, false))
      return false;
  uint32_t stamp = stampFor(domain, touch, clock.tick()).stamp;
  const bool write = touch.accessKind.write;
  for (Spot &s : spots) {
    s.self = History::single(stamp, Shape(uint8_t(s.self)));
    if (write)
      *s.writes = s.self;
    *s.reads = write ? 0 : s.self;
  }
  // A word that another lane overwrote with its set is accessed by both.
  bool apart = true;
  for (const Spot &s : spots)
    apart &= (write ? *s.writes : *s.reads) == s.self;
  if (apart)
    return true;
  for (const Spot &s : spots) {
    *s.writes = s.oldWrites;
    *s.reads = s.oldReads;
  }
  return false;
}

} // namespace kiln::sim::check
