//===- row.cpp - Fast path of contiguous accesses --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All lanes of a warp have the same knowledge and access contiguous bytes with one
// history, all of which happened before: this covers most accesses of most kernels and
// takes a few comparisons. Everything else is left to Access, which would give the same
// result.
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/check/race_engine.h"

namespace kiln::sim::check {

namespace {
/// Words of a row: entire even lines, or some words of lines that are spread.
class Row {
public:
  Row(Shadow::Page &page, size_t at, size_t count)
      : page(page), at(at), count(count), whole((at | count) % Shadow::LineWords == 0) {}

  /// Whether all words have the same sets; if so, sets `cell` to them.
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

/// Data that Row needs about a warp's access.
struct RowActor {
  const History &history;
  const Seen &seen;
  uint32_t domain, block, warp;
  bool writes;
  SetId self; ///< the access as a set

  /// Whether the same lanes made the access, each to its own bytes.
  bool isOwn(SetId set) const {
    if (!History::isSingle(set) || uint8_t(set) != uint8_t(self))
      return false;
    const Stamp &stamp = history.stamp(History::stampOf(set));
    return stamp.block == block && stamp.warp == warp && !stamp.accessKind.barrier;
  }
  /// Whether all accesses of the set happened before and none is an mbarrier operation.
  bool isBehind(SetId set) const {
    return !set || isOwn(set) || (seen.has(domain, set) && !history.hasBarrier(set));
  }
  /// Whether the access races with none in the cell and supersedes all of them.
  bool mayFollow(const Cell &cell) const {
    // A node would have to be searched for strong writes.
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

/// Returns false, with nothing done, if the access is not of this kind.
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
    // A warp's knowledge only grows: the same sets are ordered before this stamp next
    // time too.
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
