//===- scattered.cpp - Lanes that access words here and there --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As row.cpp, for lanes of which each has words of its own, wherever they are. Whatever
// is not that simple is left to Access, which would come to the same end.
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/check/race_engine.h"

#include <bit>

namespace kiln::sim::check {

namespace {
constexpr size_t MaxWords = 4; ///< of a lane

/// Decides which earlier accesses a new one may replace. Keeps the last verdicts: the
/// stamps found are mostly few.
class Judge {
public:
  Judge(const History &history, const Seen &seen, uint32_t domain, const Touch &touch)
      : history(history), seen(seen), domain(domain), touch(touch) {}

  /// Whether an access with that shape may follow the set, and replace it. `written`: it
  /// is of writes.
  bool mayFollow(SetId set, Shape shape, bool written) {
    if (!set)
      return true;
    if (!History::isSingle(set))
      return false;
    uint32_t stamp = History::stampOf(set);
    const Verdict &v =
        verdicts[written].stamp == stamp ? verdicts[written] : verdictOf(stamp, written);
    // Strong writes may be flags, which a write ends.
    if (v.barrier || (v.strong && written && touch.accessKind.write))
      return false;
    return v.behind || (v.own && History::shapeOf(set) == shape);
  }

private:
  struct Verdict {
    uint32_t stamp = ~0u;
    bool barrier = false, strong = false;
    bool behind = false; ///< all of it happened before
    bool own = false;    ///< by this warp
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
  std::array<Verdict, 2> verdicts; ///< the last ones, of reads and of writes
};

/// A word of one lane: where its sets are, what they are and what the lane leaves.
struct Spot {
  SetId *writes, *reads;
  SetId oldWrites, oldReads, self;
};

/// The words of all lanes, with sets of their own.
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
  bool complete = true; ///< no page is missing

private:
  size_t count = 0;
  std::array<Spot, Lanes * MaxWords> all;
};
/// Whether some lane has the bytes of the first one: where lanes share what they access,
/// that one mostly does too.
bool sharesFirst(const LaneRanges &ranges) {
  uint64_t first = ranges.offsets[std::countr_zero(ranges.lanes)];
  unsigned same = 0;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    same += (ranges.lanes >> lane & 1) && ranges.offsets[lane] == first;
  return same > 1;
}
} // namespace

/// False if it is not such an access; then nothing was done.
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
  // A word that has become another lane's is accessed by both.
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
