//===- location.cpp - Whether an access races with earlier ones ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/check/location.h"

namespace kiln::sim::check {

namespace {
/// A set with more entries is reduced to its newest ones. Dropping old entries can hide a
/// race but never reports a false one.
constexpr unsigned MaxEntries = 64, KeptEntries = 24;
constexpr unsigned NoLane = Lanes;
/// Shorter sets only grow, as an ordinary write soon clears them. Longer sets drop
/// entries that the newest one supersedes, at every PruneEvery-th length.
constexpr unsigned ShortSet = 32, PruneEvery = 16;

unsigned lowest(Mask mask) { return unsigned(__builtin_ctz(mask)); }
} // namespace

/// Returns the lanes of the earlier access that are not ordered before `lane`.
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

/// Returns the lanes of the earlier access that are not ordered before some of `lanes`.
Mask Access::unknown(const View &view, const Stamp &stamp, Mask earlier,
                     Mask lanes) const {
  if ((lanes & (lanes - 1)) == 0)
    return unknownTo(lowest(lanes), view, stamp, earlier);
  Mask doubtful = unknownTo(NoLane, view, stamp, earlier), result = 0;
  for (Mask left = doubtful ? lanes : 0; left && result != doubtful; left &= left - 1)
    result |= unknownTo(lowest(left), view, stamp, doubtful);
  return result;
}

/// Whether every lane accesses the same bytes as in the earlier access, so that no two
/// lanes conflict.
bool Access::sameDivision(const Stamp &earlier) const {
  return actor.division && earlier.division == actor.division &&
         earlier.block == actor.block && earlier.warp == actor.warp;
}

/// Whether the accesses never race: both are strong and each is in the other's scope (or
/// as below).
bool Access::compatible(const Stamp &earlier) const {
  // A plain load whose value compare-and-swap then validates: this is how atomics that
  // the hardware lacks are emulated, also in the CUDA headers.
  if ((earlier.accessKind.swaps && !actor.accessKind.write) ||
      (actor.accessKind.swaps && !earlier.accessKind.write))
    return true;
  if (sameDivision(earlier))
    return true;
  if (!earlier.accessKind.strong || !actor.accessKind.strong)
    return false;
  Reach reach = std::min(earlier.accessKind.reach, actor.accessKind.reach);
  if (reach == Reach::Sys || earlier.block == actor.block)
    return true;
  if (reach == Reach::Gpu)
    return deviceOf(earlier.block) == deviceOf(actor.block);
  return reach == Reach::Cluster && clusterOf(context, earlier.block) == actor.cluster;
}

/// Whether each access that races with the earlier one (which happened before this one)
/// also races with this one, so that the earlier one can be dropped.
bool Access::supersedes(const Stamp &earlier) const {
  if (!actor.accessKind.strong)
    return true;
  if (!earlier.accessKind.strong || earlier.accessKind.reach != actor.accessKind.reach ||
      (actor.accessKind.swaps && !earlier.accessKind.swaps))
    return false;
  if (actor.accessKind.reach == Reach::Gpu)
    return deviceOf(earlier.block) == deviceOf(actor.block);
  return actor.accessKind.reach == Reach::Sys || earlier.block == actor.block;
}

void Access::report(ProblemKind kind, const Stamp &earlier, Mask earlierLanes, Mask lanes,
                    uint64_t offset) {
  for (const Problem &p : problems)
    if (p.kind == kind && p.earlier.op == earlier.op)
      return;
  problems.push_back({kind, earlier, earlierLanes, lanes, offset, tag});
}

/// Whether every lane's access under the stamp is ordered before every lane of the actor.
bool Access::knowsAll(const View &view, const Stamp &stamp) const {
  if (stamp.block == actor.block) {
    if (actor.agentIsOne && stamp.warp == actor.agent && stamp.epoch == actor.epoch)
      return true;
    if (stamp.warp < FirstAgent && view.mine && stamp.epoch <= view.mine->all)
      return true;
    if (stamp.warp == actor.warp)
      return *std::min_element(view.own.begin(), view.own.end()) >= stamp.epoch;
    return view.mine && view.mine->ofAll(stamp.warp) >= stamp.epoch;
  }
  if (view.base && view.base->isOver(stamp.block))
    return true;
  const BlockKnown *known = view.base ? view.base->find(stamp.block) : nullptr;
  return known && known->ofAll(stamp.warp) >= stamp.epoch;
}

/// Whether the stamp's accesses happened before the actor and, if the actor belongs to
/// the asynchronous proxy, a proxy fence followed a generic write.
bool Access::knowsStamp(const Stamp &stamp) const {
  bool fenced =
      actor.accessKind.async && stamp.accessKind.write && !stamp.accessKind.async;
  return knowsAll(*actor.current, stamp) && (!fenced || knowsAll(*actor.async, stamp));
}

/// Whether the accesses of an entry's lanes happened before, with a proxy fence as above.
/// False if the entry's lanes differ between words.
bool Access::knowsLanes(const Stamp &stamp, const Entry &earlier) const {
  Shape::Kind kind = earlier.shape.kind();
  if (kind != Shape::Lane && kind != Shape::Set)
    return false;
  bool fenced =
      actor.accessKind.async && stamp.accessKind.write && !stamp.accessKind.async;
  Mask lanes = earlier.lanes(0);
  return !unknownTo(NoLane, *actor.current, stamp, lanes) &&
         (!fenced || !unknownTo(NoLane, *actor.async, stamp, lanes));
}

/// Whether the earlier access was made by the same threads.
bool Access::sameThreads(const Stamp &stamp, const Entry &earlier,
                         const Entry &entry) const {
  if (stamp.block != actor.block || earlier.shape != entry.shape ||
      earlier.named != entry.named)
    return false;
  if (actor.agent)
    return stamp.warp == actor.agent && stamp.epoch == actor.epoch;
  return stamp.warp == actor.warp;
}

/// Whether all accesses under the stamp happened before; caches a positive answer.
bool Access::seen(uint32_t stamp) {
  SetId name = History::single(stamp, Shape());
  if (actor.seen->has(actor.domain, name))
    return true;
  if (!knowsStamp(history.stamp(stamp)))
    return false;
  actor.seen->add(actor.domain, name);
  return true;
}

/// Whether all accesses of the set happened before, judged only by what holds for every
/// lane of the actor; false if lanes must be compared one by one.
bool Access::fine(SetId set, const Entry &entry) {
  if (!set)
    return true;
  if (!actor.accessKind.knowsBarrier && history.hasBarrier(set))
    return false;
  bool strong = actor.accessKind.strong && !actor.accessKind.async;
  if (strong && history.includesAll(actor.accessKind.reach) && history.allStrong(set))
    return true;
  if (History::isSingle(set)) {
    uint32_t index = History::stampOf(set);
    Entry earlier{index, History::shapeOf(set), 0};
    const Stamp &stamp = history.stamp(index);
    return (entry.shape.kind() != Shape::Set && sameThreads(stamp, earlier, entry)) ||
           (strong && compatible(stamp)) || seen(index) || knowsLanes(stamp, earlier);
  }
  if (actor.seen->has(actor.domain, set))
    return true;
  bool all = true, known = true;
  history.forEntries(set, [&](const Entry &earlier) {
    if (!all)
      return;
    const Stamp &stamp = history.stamp(earlier.stamp);
    if (strong && compatible(stamp)) {
      known = false;
      return;
    }
    all = seen(earlier.stamp) || knowsLanes(stamp, earlier);
  });
  if (all && known)
    actor.seen->add(actor.domain, set);
  return all;
}

/// Whether an earlier unordered write was made by the same instruction and stored the
/// same value. PTX lets either of two unordered writes of one size to one location come
/// last; with equal values the result is the same.
bool Access::sameValue(const Stamp &earlier, Mask earlierLanes, Mask lanes,
                       uint64_t offset) {
  if (!stored || earlier.op != history.stamp(actor.stamp).op ||
      !earlier.accessKind.write || earlier.accessKind.strong || earlier.accessKind.async)
    return false;
  bool own = earlier.block == actor.block && earlier.warp == actor.warp;
  Mask now = own ? earlierLanes & stored->done : 0;
  if (now && !stored->agree(tag, offset, width, now | lanes))
    return false;
  return (now && now == earlierLanes) || stored->match(tag, offset, width, lanes);
}

void Access::checkAgainst(SetId set, Mask lanes, uint64_t word, unsigned byte) {
  general = false;
  uint64_t offset = word * WordBytes + byte;
  history.forEntries(set, [&](const Entry &entry) {
    const Stamp &stamp = history.stamp(entry.stamp);
    Mask earlier = entry.lanes(word);
    if (actor.current->base && actor.current->base->isOver(stamp.block))
      return;
    if (stamp.accessKind.barrier && !actor.accessKind.knowsBarrier) {
      report(ProblemKind::Barrier, stamp, earlier, lanes, offset);
      return;
    }
    if (actor.accessKind.nonCoherent && stamp.accessKind.write) {
      report(ProblemKind::NonCoherent, stamp, earlier, lanes, offset);
      return;
    }
    if (!actor.accessKind.async && compatible(stamp))
      return;
    Mask missed = unknown(*actor.current, stamp, earlier, lanes);
    if (missed) {
      if (sameValue(stamp, missed, lanes, offset)) {
        keepsEarlier = true;
        report(ProblemKind::SameValue, stamp, missed, lanes, offset);
      } else if (!compatible(stamp))
        report(stamp.accessKind.strong && actor.accessKind.strong ? ProblemKind::Scope
                                                                  : ProblemKind::Race,
               stamp, missed, lanes, offset);
      return;
    }
    // A proxy fence is only needed between a generic write and an asynchronous access.
    if (!actor.accessKind.async || !stamp.accessKind.write || stamp.accessKind.async)
      return;
    missed = unknown(*actor.async, stamp, earlier, lanes);
    if (missed)
      report(ProblemKind::Proxy, stamp, missed, lanes, offset);
  });
}

/// A set's entries as an array while it is changed, newest first.
struct Access::Entries {
  std::array<Entry, MaxEntries> each;
  unsigned count = 0;
  bool changed = false; ///< differs from the set that it was copied from
  void add(const Entry &entry) {
    if (count < MaxEntries)
      each[count++] = entry;
  }
};

/// Collects the entries of the set that a new access by the entry's lanes does not
/// supersede.
void Access::survivors(SetId set, const Entry &entry, uint64_t word, Entries &kept) {
  const View &view = actor.accessKind.async ? *actor.async : *actor.current;
  history.forEntries(set, [&](const Entry &earlier) {
    const Stamp &stamp = history.stamp(earlier.stamp);
    if (!supersedes(stamp)) {
      kept.add(earlier);
      return;
    }
    if (knowsAll(view, stamp) || (!actor.agent && sameThreads(stamp, earlier, entry))) {
      kept.changed = true;
      return;
    }
    general = false;
    Mask before = earlier.lanes(word), left = before;
    // It is enough that the access happened before one of the lanes.
    for (Mask m = entry.lanes(word); m && left; m &= m - 1)
      left = unknownTo(lowest(m), view, stamp, left);
    if (left == before || earlier.shape.divides()) {
      kept.add(earlier);
      return;
    }
    kept.changed = true;
    if (left)
      kept.add(Entry::of(earlier.stamp, left));
  });
}

/// Adds `entry` to the kept entries, and drops the oldest of a set that is too long.
SetId Access::combine(SetId old, const Entries &kept, const Entry &entry) {
  if (!kept.changed && kept.count < MaxEntries)
    return history.with(old, entry);
  SetId result = 0;
  for (unsigned i = kept.count < MaxEntries ? kept.count : KeptEntries; i--;)
    result = history.with(result, kept.each[i]);
  return history.with(result, entry);
}

SetId Access::remaining(SetId set, const Entry &entry, uint64_t word) {
  if (!set)
    return 0;
  Entries kept;
  survivors(set, entry, word, kept);
  if (!kept.changed)
    return set;
  SetId result = 0;
  for (unsigned i = kept.count; i--;)
    result = history.with(result, kept.each[i]);
  return result;
}

namespace {
bool isFixed(const History::Entry &entry) {
  return entry.shape.kind() == Shape::Lane || entry.shape.kind() == Shape::Set;
}
} // namespace

/// Whether the set already contains the entry.
bool Access::contains(SetId set, const Entry &entry, uint64_t word) {
  bool found = false;
  history.forEntries(set, [&](const Entry &e) {
    if (found || e.stamp != entry.stamp)
      return;
    found = e == entry;
    if (found || !isFixed(e) || entry.shape.divides())
      return;
    Mask lanes = entry.lanes(word);
    found = (e.lanes(word) & lanes) == lanes;
    general = general && (!found || isFixed(entry));
  });
  return found;
}

/// Returns the set with the entry added. The transition is cached for the next words if
/// it is the same for all of them.
SetId Access::added(SetId set, const Entry &entry, uint64_t word) {
  SetId result = set;
  if (history.recall(set, entry, result))
    return result;
  bool before = general;
  general = true;
  if (!contains(set, entry, word)) {
    Entry newest = history.newest(set);
    unsigned length = history.length(set);
    if (newest.stamp == entry.stamp && isFixed(newest) && isFixed(entry))
      result =
          history.with(history.rest(set),
                       Entry::of(entry.stamp, newest.lanes(word) | entry.lanes(word)));
    else if (length < ShortSet || (length < MaxEntries && length % PruneEvery))
      result = history.with(set, entry);
    else
      result = pruned(set, entry, word);
  }
  // If the warp's lanes differ in knowledge, a transition that dropped entries holds only
  // for this group: do not cache it.
  if (general && (actor.whole || result == set))
    history.learn(set, entry, result);
  general = general && before;
  return result;
}

/// Returns the set without the entries that the new one supersedes, plus the new one.
SetId Access::pruned(SetId set, const Entry &entry, uint64_t word) {
  Entries kept;
  survivors(set, entry, word, kept);
  return combine(set, kept, entry);
}

void Access::read(Cell &cell, const Entry &entry, uint64_t word, unsigned byte) {
  if (cell.writes && (actor.accessKind.nonCoherent || !fine(cell.writes, entry)))
    checkAgainst(cell.writes, entry.lanes(word), word, byte);
  SetId alone = History::alone(entry);
  if (cell.reads == alone && alone)
    return;
  bool replaces = !cell.reads;
  if (!replaces && History::isSingle(cell.reads)) {
    uint32_t index = History::stampOf(cell.reads);
    const Stamp &stamp = history.stamp(index);
    replaces = supersedes(stamp) && !actor.agent &&
               (sameThreads(stamp, {index, History::shapeOf(cell.reads), 0}, entry) ||
                seen(index));
  }
  cell.reads = replaces ? history.with(0, entry) : added(cell.reads, entry, word);
}

void Access::write(Cell &cell, const Entry &entry, uint64_t word, unsigned byte) {
  Mask lanes = entry.lanes(word);
  bool several = (lanes & (lanes - 1)) && !entry.shape.divides();
  if (several && !actor.accessKind.strong && !actor.agentIsOne) {
    uint64_t offset = word * WordBytes + byte;
    general = false;
    bool same = stored && stored->agree(tag, offset, width, lanes);
    report(same ? ProblemKind::SameValue : ProblemKind::SameInstruction,
           history.stamp(actor.stamp), lanes, lanes, offset);
  }
  keepsEarlier = false;
  if (!fine(cell.writes, entry))
    checkAgainst(cell.writes, lanes, word, byte);
  if (!fine(cell.reads, entry))
    checkAgainst(cell.reads, lanes, word, byte);
  if (!actor.accessKind.strong && !overwroteStrong)
    history.forEntries(cell.writes, [&](const Entry &e) {
      overwroteStrong |= history.stamp(e.stamp).accessKind.strong;
    });
  if (!actor.accessKind.strong && !actor.accessKind.async) {
    // Unordered accesses were reported; a weak write replaces all earlier ones.
    cell.writes = keepsEarlier ? added(cell.writes, entry, word) : history.with(0, entry);
    cell.reads = 0;
    return;
  }
  if (!actor.accessKind.async) {
    cell.writes = cell.writes ? added(cell.writes, entry, word) : history.with(0, entry);
    if (cell.reads && history.length(cell.reads) >= ShortSet)
      cell.reads = remaining(cell.reads, entry, word);
    return;
  }
  cell.writes = pruned(cell.writes, entry, word);
  cell.reads = remaining(cell.reads, entry, word);
}

void Access::apply(Cell &cell, const Entry &entry, uint64_t word, unsigned byte) {
  if (actor.accessKind.write)
    write(cell, entry, word, byte);
  else
    read(cell, entry, word, byte);
}

/// Whether the word's bytes need separate histories.
bool Access::needsBytes(const Cell &cell, const Entry &entry) {
  if (!entry.shape.divides())
    return false;
  return (History::divides(cell.writes) && !fine(cell.writes, entry)) ||
         (actor.accessKind.write && History::divides(cell.reads) &&
          !fine(cell.reads, entry));
}

/// Applies an access to one word, all of which the entry's lanes access, or which they
/// divide.
void Access::wordOf(Shadow::Page &page, uint64_t word, const Entry &entry) {
  size_t at = word % Shadow::PageWords;
  Cell cell{page.writes[at], page.reads[at]};
  width = WordBytes;
  if (!page.isSplit(at) && !needsBytes(cell, entry)) {
    apply(cell, entry, word, 0);
    page.writes[at] = cell.writes;
    page.reads[at] = cell.reads;
    return;
  }
  general = false;
  Shadow::Split &split = page.split(at, word, history);
  bool keeps = false;
  width = 1;
  for (unsigned byte = 0; byte < WordBytes; ++byte) {
    Entry part = entry;
    if (entry.shape.divides())
      part.shape = Shape(Shape::Lane, entry.shape.laneAt(word, byte));
    apply(split[byte], part, word, byte);
    keeps |= keepsEarlier;
  }
  if (!actor.accessKind.write || actor.accessKind.strong || actor.accessKind.async ||
      keeps)
    return;
  page.unsplit(at);
  page.writes[at] = history.with(0, entry);
}

namespace {
/// Words of a full warp with four bytes per lane: loops of this length are unrolled.
constexpr size_t RowWords = 32;

bool uniform(const SetId *sets, size_t count) {
  SetId difference = 0, first = sets[0];
  if (count == RowWords) {
    for (size_t i = 0; i < RowWords; ++i)
      difference |= sets[i] ^ first;
    return !difference;
  }
  for (size_t i = 0; i < count; ++i)
    difference |= sets[i] ^ first;
  return !difference;
}

void fill(SetId *sets, size_t count, SetId set) {
  if (count == RowWords)
    std::fill(sets, sets + RowWords, set);
  else
    std::fill(sets, sets + count, set);
}
} // namespace

/// Applies an access to `count` words in one page.
void Access::wordsOf(Shadow::Page &page, uint64_t word, size_t count,
                     const Entry &entry) {
  size_t at = word % Shadow::PageWords, end = at + count;
  SetId *writes = page.writes.data(), *reads = page.reads.data();
  if (count >= 4 && uniform(writes + at, count) && uniform(reads + at, count) &&
      !page.isSplit(at)) {
    Cell before{writes[at], reads[at]};
    general = true;
    wordOf(page, word, entry);
    if (general) {
      if (writes[at] != before.writes)
        fill(writes + at, count, writes[at]);
      if (reads[at] != before.reads)
        fill(reads + at, count, reads[at]);
      return;
    }
    ++at;
    ++word;
  }
  // Adjacent words mostly have the same histories.
  Cell before, after;
  bool same = false;
  for (; at < end; ++at, ++word) {
    Cell cell{writes[at], reads[at]};
    if (same && cell == before) {
      writes[at] = after.writes;
      reads[at] = after.reads;
      continue;
    }
    bool split = page.isSplit(at);
    general = true;
    wordOf(page, word, entry);
    before = cell;
    after = {writes[at], reads[at]};
    same = general && !split;
  }
}

/// Applies an access to a line whose words all have the same sets; returns how many words
/// are done.
size_t Access::evenLine(Shadow::Page &page, uint64_t word, const Entry &entry) {
  size_t at = word % Shadow::PageWords, line = at / Shadow::LineWords;
  if (!page.isEven(line) || needsBytes(page.lines[line], entry))
    return 0;
  Cell cell = page.lines[line];
  general = true;
  width = WordBytes;
  apply(cell, entry, word, 0);
  if (general) {
    page.lines[line] = cell;
    return Shadow::LineWords;
  }
  page.spread(line);
  page.writes[at] = cell.writes;
  page.reads[at] = cell.reads;
  return 1;
}

void Access::words(Shadow &shadow, uint64_t word, uint64_t count, const Entry &entry) {
  while (count) {
    Shadow::Page &page = shadow.pageOf(word);
    uint64_t here = std::min(count, Shadow::LineWords - word % Shadow::LineWords);
    size_t done = here == Shadow::LineWords ? evenLine(page, word, entry) : 0;
    if (done < here) {
      page.spread(word % Shadow::PageWords / Shadow::LineWords);
      wordsOf(page, word + done, here - done, entry);
    }
    word += here;
    count -= here;
  }
}

/// Applies an access to bytes within one word.
void Access::bytesOf(Shadow &shadow, uint64_t offset, uint64_t bytes,
                     const Entry &entry) {
  uint64_t word = offset / WordBytes;
  Shadow::Page &page = shadow.pageOf(word);
  page.spread(word % Shadow::PageWords / Shadow::LineWords);
  Shadow::Split &split = page.split(word % Shadow::PageWords, word, history);
  width = 1;
  for (uint64_t end = offset + bytes; offset < end; ++offset)
    apply(split[offset % WordBytes], entry, word, unsigned(offset % WordBytes));
}

void Access::range(Shadow &shadow, uint64_t offset, uint64_t bytes, Mask lanes) {
  Entry entry = Entry::of(actor.stamp, lanes);
  uint64_t end = offset + bytes;
  if (uint64_t part = offset % WordBytes) {
    uint64_t here = std::min(bytes, WordBytes - part);
    bytesOf(shadow, offset, here, entry);
    offset += here;
  }
  if (uint64_t count = (end - offset) / WordBytes) {
    words(shadow, offset / WordBytes, count, entry);
    offset += count * WordBytes;
  }
  if (offset < end)
    bytesOf(shadow, offset, end - offset, entry);
}

void Access::row(Shadow &shadow, uint64_t offset, uint32_t bytes, unsigned lane,
                 unsigned count) {
  // Lanes whose bytes are not aligned to a word are handled one by one.
  for (; count && offset % WordBytes; ++lane, --count, offset += bytes)
    bytesOf(shadow, offset, bytes, {actor.stamp, Shape(Shape::Lane, lane), 0});
  uint64_t word = offset / WordBytes, full = uint64_t(count) * bytes / WordBytes;
  if (full)
    words(shadow, word, full, {actor.stamp, Shape::of(bytes, word, lane), 0});
  unsigned done = unsigned(full * WordBytes / bytes);
  offset += full * WordBytes;
  for (lane += done, count -= done; count; ++lane, --count, offset += bytes)
    bytesOf(shadow, offset, bytes, {actor.stamp, Shape(Shape::Lane, lane), 0});
}

} // namespace kiln::sim::check
