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
/// The words of a row: whole lines, or some words of lines that are spread.
class Row {
public:
  Row(Shadow::Page &page, size_t at, size_t count)
      : page(page), at(at), count(count), whole((at | count) % Shadow::LineWords == 0) {}

  /// Whether all its words have the same sets; then `cell` is theirs.
  bool uniform(Cell &cell) {
    if (!whole) {
      page.spread(at, count);
      return uniformWords(cell);
    }
    size_t line = at / Shadow::LineWords, lines = count / Shadow::LineWords;
    for (size_t n = 0; n < lines; ++n)
      if (!page.gather(line + n) || page.lines[line + n] != page.lines[line])
        return false;
    cell = page.lines[line];
    return true;
  }
  void fill(const Cell &cell) {
    if (!whole) {
      fillWords(cell);
      return;
    }
    size_t line = at / Shadow::LineWords, lines = count / Shadow::LineWords;
    for (size_t n = 0; n < lines; ++n)
      page.lines[line + n] = cell;
  }

private:
  bool uniformWords(Cell &cell) const {
    cell = {page.writes[at], page.reads[at]};
    return page.allAre(at, count, cell);
  }
  void fillWords(const Cell &cell) {
    std::fill_n(&page.writes[at], count, cell.writes);
    std::fill_n(&page.reads[at], count, cell.reads);
  }

  Shadow::Page &page;
  size_t at, count;
  bool whole;
};

/// View of a warp's access that Row needs.
struct RowActor {
  const History &history;
  const Seen &seen;
  uint32_t domain, block, warp;
  bool writes;
  SetId self; ///< the access as a set

  /// By the same lanes, each its own bytes.
  bool isOwn(SetId set) const {
    if (!History::isSingle(set) || uint8_t(set) != uint8_t(self))
      return false;
    const Stamp &stamp = history.stamp(History::stampOf(set));
    return stamp.block == block && stamp.warp == warp && !stamp.accessKind.barrier;
  }
  /// All of it happened before, and none of it is an mbarrier.
  bool isBehind(SetId set) const {
    return !set || isOwn(set) || (seen.has(domain, set) && !history.hasBarrier(set));
  }
  /// Whether the access has no race with what the cell says, and replaces it.
  bool mayFollow(const Cell &cell) const {
    // Nodes would have to be looked through for strong writes.
    if ((cell.writes && !History::isSingle(cell.writes)) || !isBehind(cell.writes))
      return false;
    if (!writes)
      return !cell.reads || (History::isSingle(cell.reads) && isBehind(cell.reads));
    bool strong =
        cell.writes && history.stamp(History::stampOf(cell.writes)).accessKind.strong;
    return !strong && isBehind(cell.reads);
  }
};
} // namespace

/// False if it is not such an access; then nothing was done.
bool RaceEngine::accessRow(Domain &domain, const Touch &touch, const LaneRanges &ranges) {
  WarpClock &clock = touch.block->warps[touch.warp];
  if (ranges.lanes != ~Mask(0) || ranges.offsets || ranges.first % WordBytes ||
      clock.groups().size() != 1 || touch.accessKind.nonCoherent)
    return false;
  uint64_t word = ranges.first / WordBytes;
  size_t count = Lanes * ranges.bytes / WordBytes, at = word % Shadow::PageWords;
  Shadow::Page *page = ranges.shadow->pageIfAny(word);
  if (!page || at + count > Shadow::PageWords)
    return false;
  Row row(*page, at, count);
  Cell before;
  if (!row.uniform(before))
    return false;
  WarpCache &cache = touch.block->caches[touch.warp];
  WarpCache::Recent &recent = stampFor(domain, touch, clock.tick());
  SetId self = History::single(recent.stamp, Shape::of(ranges.bytes, word, 0));
  if (recent.row != self || recent.behind != before) {
    RowActor actor{
        domain.history,         cache.seen, domain.serial, touch.block->id, touch.warp,
        touch.accessKind.write, self};
    if (!actor.mayFollow(before))
      return false;
    // What the warp knows only grows: the same sets are fine for this stamp next time.
    recent.row = self;
    recent.behind = before;
    recent.after = touch.accessKind.write ? Cell{self, 0} : Cell{before.writes, self};
  }
  if (recent.after != before)
    row.fill(recent.after);
  return true;
}

bool RaceEngine::repeat(const Domain &domain, BlockClocks &block, uint32_t warp,
                        const void *op, Shadow &shadow, uint64_t first, uint32_t bytes) {
  const WarpClock &clock = block.warps[warp];
  const WarpCache::Recent &recent = block.caches[warp].recent(op);
  uint64_t word = first / WordBytes;
  if (recent.op != op || recent.domain != domain.serial || !clock.isAt(recent.epoch) ||
      !recent.row || History::shapeOf(recent.row) != Shape::of(bytes, word, 0) ||
      first % WordBytes || clock.groups().size() != 1)
    return false;
  Shadow::Page *page = shadow.pageIfAny(word);
  size_t at = word % Shadow::PageWords, count = Lanes * bytes / WordBytes;
  if (!page || at + count > Shadow::PageWords)
    return false;
  size_t line = at / Shadow::LineWords, end = (at + count - 1) / Shadow::LineWords;
  if ((at | count) % Shadow::LineWords) {
    for (size_t n = line; n <= end; ++n)
      if (page->isEven(n))
        return false;
    if (!page->allAre(at, count, recent.behind))
      return false;
    std::fill_n(&page->writes[at], count, recent.after.writes);
    std::fill_n(&page->reads[at], count, recent.after.reads);
    return true;
  }
  for (size_t n = line; n <= end; ++n)
    if (!page->isEven(n) || page->lines[n] != recent.behind)
      return false;
  for (size_t n = line; n <= end; ++n)
    page->lines[n] = recent.after;
  return true;
}

} // namespace kiln::sim::check
