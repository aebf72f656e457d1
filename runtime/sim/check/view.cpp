//===- view.cpp - Accesses ordered before a warp's lanes -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/check/view.h"

#include <algorithm>

namespace kiln::sim::check {

namespace {
template <class F> void forLanes(Mask mask, F f) {
  for (; mask; mask &= mask - 1)
    f(unsigned(__builtin_ctz(mask)));
}

/// Converts lane-relative knowledge to epochs of each lane, which other threads can use.
Piece pieceOf(uint32_t block, const OwnCopy &copy, Mask lanes) {
  Piece piece{block, copy.warp, {}};
  forLanes(lanes, [&](unsigned lane) { piece.lanes[lane] = copy.epoch; });
  return piece;
}
} // namespace

bool View::knowsFar(uint32_t block, unsigned lane, const Past &past) const {
  if (past.block != block)
    return base && past.epoch <= base->of(past.block, past.warp, past.lane);
  if (past.lane == lane && past.warp >= FirstAgent)
    for (const OwnCopy &copy : copies)
      if (copy.warp == past.warp && past.epoch <= copy.epoch)
        return true;
  return mine && past.epoch <= mine->of(past.warp, past.lane);
}

void View::learn(uint32_t block, uint32_t warp, const ClockPtr &clock) {
  ClockPtr joined = join(base, clock);
  if (joined == base)
    return;
  base = joined;
  mine = base->find(block);
  if (mine)
    mine->raise(warp, own);
}

void View::settle(Mask lanes) {
  bool known = self != Forever && base;
  forLanes(lanes, [&](unsigned lane) { known &= own[lane] >= self; });
  if (known)
    self = 0;
  std::erase_if(copies, [&](const OwnCopy &copy) {
    bool all = mine;
    forLanes(lanes, [&](unsigned lane) {
      all = all && mine->of(copy.warp, lane) >= copy.epoch;
    });
    return all;
  });
}

void View::learn(const OwnCopy &copy) {
  for (OwnCopy &known : copies)
    if (known.warp == copy.warp) {
      known.epoch = std::max(known.epoch, copy.epoch);
      return;
    }
  copies.push_back(copy);
}

WarpClock::WarpClock(uint32_t block, uint32_t warp, Mask populated,
                     uint32_t warpsPerBlock, Epoch *top)
    : blockId(block), warpIndex(warp), warpsPerBlock(warpsPerBlock), top(top),
      populated(populated) {
  Group group;
  group.lanes = populated;
  group.views.resize(Fenced);
  for (View &view : group.views)
    forLanes(~populated, [&](unsigned lane) { view.own[lane] = Forever; });
  group.views[Current].self = Forever;
  all.push_back(std::move(group));
}

void WarpClock::begin(const ClockPtr &known) {
  for (View &view : all.front().views)
    view.base = known;
}

Epoch WarpClock::tick() {
  if (released) {
    released = false;
    ++changes;
    ++now;
    *top = std::max(*top, now);
  }
  return now;
}

const Group &WarpClock::groupOf(unsigned lane) const {
  for (const Group &group : all)
    if (group.lanes >> lane & 1)
      return group;
  return all.front();
}

template <class F> void WarpClock::forGroups(Mask lanes, F f) {
  for (size_t i = 0, count = all.size(); i < count; ++i) {
    Mask inside = all[i].lanes & lanes;
    if (!inside)
      continue;
    if (inside != all[i].lanes) {
      Group rest = all[i];
      rest.lanes &= ~inside;
      all.push_back(std::move(rest));
      all[i].lanes = inside;
    }
    f(all[i]);
  }
}

void WarpClock::put(const View &view, Mask lanes, Epoch self, Gathered &to) const {
  to.add(view.base);
  Piece piece{blockId, warpIndex, view.own};
  forLanes(lanes,
           [&](unsigned lane) { piece.lanes[lane] = std::max(piece.lanes[lane], self); });
  to.add(piece);
  for (const OwnCopy &copy : view.copies)
    to.add(pieceOf(blockId, copy, lanes));
}

void WarpClock::release(Mask lanes, Knowledge &to) {
  // Warps that synchronize at a barrier with the same epoch need only one number in the
  // clock.
  now = std::max(now, *top);
  *top = now;
  released = true;
  for (const Group &group : all) {
    Mask inside = group.lanes & lanes;
    if (!inside)
      continue;
    put(group.current(), inside, now, to.parts[Current]);
    for (size_t i = Async; i < group.views.size(); ++i)
      if (const View &view = group.views[i]; view.self || view.base)
        put(view, inside, view.self, to.parts[i]);
    for (size_t i = 0; i < group.pending.size(); ++i)
      to.parts[Pending + i].add(group.pending[i]);
  }
}

void WarpClock::openFences(Group &group) {
  if (group.views.size() == Views)
    return;
  View none;
  forLanes(~populated, [&](unsigned lane) { none.own[lane] = Forever; });
  group.views.resize(Views, none);
}

void WarpClock::acquire(Mask lanes, Knowledge &from) {
  ++changes;
  forGroups(lanes, [&](Group &group) {
    for (unsigned i = 0; i < Views; ++i) {
      if (from.parts[i].empty())
        continue;
      if (i >= Fenced) {
        openFences(group);
        ++fenceCount;
      }
      group.views[i].learn(blockId, warpIndex, from.parts[i].get(warpsPerBlock));
    }
    for (unsigned i = 0; i < 2 * Reaches; ++i) {
      if (from.parts[Pending + i].empty())
        continue;
      group.pending.resize(2 * Reaches);
      group.pending[i] =
          join(group.pending[i], from.parts[Pending + i].get(warpsPerBlock));
    }
    for (View &view : group.views)
      view.settle(group.lanes);
  });
  merge();
}

void WarpClock::acquire(Mask lanes, const OwnCopy &copy) {
  ++changes;
  forGroups(lanes, [&](Group &group) { group.views[Current].learn(copy); });
  merge();
}

void WarpClock::meet(Mask lanes) {
  ++changes;
  // Usual case: the lanes have the same knowledge and only their own accesses are new.
  for (Group &group : all) {
    if (group.lanes != lanes || group.views.size() != Fenced || !group.pending.empty() ||
        !group.current().copies.empty() || !group.async().copies.empty())
      continue;
    released = true;
    View &async = group.views[Async];
    forLanes(lanes, [&](unsigned lane) {
      group.views[Current].own[lane] = now;
      async.own[lane] = std::max(async.own[lane], async.self);
    });
    return;
  }
  Knowledge met;
  release(lanes, met);
  acquire(lanes, met);
}

/// Merges groups whose knowledge became equal.
void WarpClock::merge() {
  for (size_t i = 0; i + 1 < all.size(); ++i)
    for (size_t j = i + 1; j < all.size();)
      if (all[i].same(all[j])) {
        all[i].lanes |= all[j].lanes;
        all.erase(all.begin() + ptrdiff_t(j));
      } else {
        ++j;
      }
}

void WarpClock::fence(Mask lanes, Reach reach) {
  ++changes;
  ++fenceCount;
  now = std::max(now, *top);
  released = true;
  forGroups(lanes, [&](Group &group) {
    for (unsigned i = 0; i < group.pending.size() && i <= 2 * unsigned(reach) + 1; ++i)
      if (group.pending[i])
        group.views[Current + i % 2].learn(blockId, warpIndex, group.pending[i]);
    openFences(group);
    // A fence includes the fences of narrower scopes.
    for (unsigned r = 0; r <= unsigned(reach); ++r) {
      group.views[Fenced + 2 * r] = group.current();
      group.views[Fenced + 2 * r].self = now;
      group.views[Fenced + 2 * r + 1] = group.async();
    }
  });
  merge();
}

void WarpClock::fenceProxy(Mask lanes) {
  ++changes;
  released = true;
  forGroups(lanes, [&](Group &group) {
    group.views[Async] = group.current();
    group.views[Async].self = now;
  });
}

/// Whether the view has an entry that `to` lacks. It often has none: threads that spin on
/// a flag release the same clock into it repeatedly.
bool WarpClock::tells(const View &view, unsigned lane, Gathered &to) const {
  if (!view.self && !view.base)
    return false;
  const ClockPtr &known = to.get(warpsPerBlock);
  if (!known || !view.copies.empty() || known != join(known, view.base) ||
      known->of(blockId, warpIndex, lane) < view.self)
    return true;
  for (unsigned other = 0; other < Lanes; ++other)
    if (view.own[other] != Forever &&
        known->of(blockId, warpIndex, other) < view.own[other])
      return true;
  return false;
}

bool WarpClock::addFenced(unsigned lane, Reach reach, Knowledge &to) const {
  const Group &group = groupOf(lane);
  if (group.views.size() < Views)
    return false;
  bool added = false;
  for (Part part : {Current, Async}) {
    const View &view = group.views[Fenced + 2 * unsigned(reach) + part];
    if (!tells(view, lane, to.parts[part]))
      continue;
    put(view, Mask(1) << lane, view.self, to.parts[part]);
    added = true;
  }
  return added;
}

Mask WarpClock::fencedLanes() const {
  Mask result = 0;
  for (const Group &group : all)
    if (group.views.size() == Views)
      result |= group.lanes;
  return result;
}

std::vector<Group> WarpClock::fork(Mask lanes) {
  released = true;
  std::vector<Group> result;
  for (const Group &group : all) {
    if (!(group.lanes & lanes))
      continue;
    Group copy{group.lanes & lanes, {group.current(), group.async()}, {}};
    copy.views[Current].self = now;
    result.push_back(std::move(copy));
  }
  return result;
}

void WarpClock::remember(Mask lanes, Reach reach, Knowledge &from) {
  ++changes;
  forGroups(lanes, [&](Group &group) {
    for (unsigned async = 0; async < 2; ++async) {
      if (from.parts[Current + async].empty())
        continue;
      group.pending.resize(2 * Reaches);
      ClockPtr &pending = group.pending[2 * unsigned(reach) + async];
      pending = join(pending, from.parts[Current + async].get(warpsPerBlock));
    }
  });
}

} // namespace kiln::sim::check
