//===- location.cpp - Whether an access races with earlier ones ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/check/location.h"

namespace kiln::sim::check {

namespace {
/// A set with more entries than this is cut down to its newest ones. What is forgotten
/// can hide a race with a thread of long ago, but never makes one up.
constexpr unsigned MaxEntries = 64, KeptEntries = 24;
constexpr unsigned NoLane = Lanes;
/// Shorter sets only grow: an ordinary write soon ends them. Longer ones drop, at some
/// lengths, what the newest entry stands for too.
constexpr unsigned ShortSet = 32, PruneEvery = 16;

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

/// Returns the lanes of the earlier access that any of several lanes does not know of.
Mask Access::unknown(const View &view, const Stamp &stamp, Mask earlier,
                     Mask lanes) const {
  if ((lanes & (lanes - 1)) == 0)
    return unknownTo(lowest(lanes), view, stamp, earlier);
  Mask doubtful = unknownTo(NoLane, view, stamp, earlier), result = 0;
  for (Mask left = doubtful ? lanes : 0; left && result != doubtful; left &= left - 1)
    result |= unknownTo(lowest(left), view, stamp, doubtful);
  return result;
}

/// Whether each lane accesses the bytes that it accessed then: only itself is in
/// question.
bool Access::sameDivision(const Stamp &earlier) const {
  return actor.division && earlier.division == actor.division &&
         earlier.block == actor.block && earlier.warp == actor.warp;
}

/// Two strong accesses, each within the other's scope, never race.
bool Access::compatible(const Stamp &earlier) const {
  // A plain load that a compare-and-swap of the same word then confirms is how atomics
  // that the hardware lacks are made, the toolkit's own included.
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

/// Whether whoever races with the earlier access, that happened before this one, races
/// with this one too, so that the earlier one need not be kept.
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

/// Whether every lane's access under the stamp is known, whoever of the actor asks.
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

/// Whether the actor knows every lane's access under the stamp and, if it is of the
/// asynchronous proxy, has a proxy fence behind a generic write.
bool Access::knowsStamp(const Stamp &stamp) const {
  bool fenced =
      actor.accessKind.async && stamp.accessKind.write && !stamp.accessKind.async;
  return knowsAll(*actor.current, stamp) && (!fenced || knowsAll(*actor.async, stamp));
}

/// Whether the actor knows the accesses of an entry's lanes, with the proxy fence as
/// above. False if the entry's lanes differ from word to word.
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

/// Whether all accesses under the stamp happened before.
bool Access::seen(uint32_t stamp) {
  SetId name = History::single(stamp, Shape());
  if (actor.seen->has(actor.domain, name))
    return true;
  if (!knowsStamp(history.stamp(stamp)))
    return false;
  actor.seen->add(actor.domain, name);
  return true;
}

/// Whether all accesses of the set happened before, as far as that does not depend on
/// who of the lanes asks about whom.
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

/// Whether an earlier write, which nothing orders, was made by the same instruction and
/// left the value that the lanes write. PTX: of two unordered writes of one size to one
/// place either may come last; here that is the same.
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
    // Reads before asynchronous writes need no fence, nor do two asynchronous accesses.
    if (!actor.accessKind.async || !stamp.accessKind.write || stamp.accessKind.async)
      return;
    missed = unknown(*actor.async, stamp, earlier, lanes);
    if (missed)
      report(ProblemKind::Proxy, stamp, missed, lanes, offset);
  });
}

/// Entries of a set at work, newest first.
struct Access::Entries {
  std::array<Entry, MaxEntries> each;
  unsigned count = 0;
  bool changed = false; ///< it is not the set that it was taken from
  void add(const Entry &entry) {
    if (count < MaxEntries)
      each[count++] = entry;
  }
};

/// Collects the entries of the set that must be kept beside a new access by the entry's
/// lanes.
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
    // Known to one of the lanes is enough.
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

/// The set of the entries and a new one. A set that is too long is cut.
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

/// Whether the set says already what the entry says.
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

/// Returns the set with the entry added. The transition is remembered for the next words
/// if it is the same for all of them.
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
  // A group of lanes must not take over what another one of its warp left out.
  if (general && (actor.whole || result == set))
    history.learn(set, entry, result);
  general = general && before;
  return result;
}

/// The set without what the entry stands for too, and the entry.
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
    // What is unordered was reported: a weak write starts anew.
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

/// Whether parts of the word must be told apart.
bool Access::needsBytes(const Cell &cell, const Entry &entry) {
  if (!entry.shape.divides())
    return false;
  return (History::divides(cell.writes) && !fine(cell.writes, entry)) ||
         (actor.accessKind.write && History::divides(cell.reads) &&
          !fine(cell.reads, entry));
}

/// One word that all of the entry's lanes access, or that is divided among them.
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
/// Words that a warp accesses with four bytes a lane: the loops over them are unrolled.
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

/// Words that lie in one page.
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
  // Neighbours mostly have the same histories.
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

/// A line of words that have the same sets: how many are done with the first one.
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

/// Bytes within one word.
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
  // Lanes that do not begin or end with a word are on their own.
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
