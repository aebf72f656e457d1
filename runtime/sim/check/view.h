//===- view.h - What the lanes of a warp know -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes that know the same form a group and share its views. Knowledge that each lane
// has of itself only (its own accesses, the copies that it issued) is kept once for the
// group, relative to the lane that asks.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_CHECK_VIEW_H
#define KILN_SIM_CHECK_VIEW_H

#include "runtime/sim/check/clock.h"
#include "runtime/sim/check/shape.h"

namespace kiln::sim::check {

/// An agent's work of which each lane of the warp that issued it knows its own part.
struct OwnCopy {
  uint32_t warp = 0; ///< the agent's
  Epoch epoch = 0;
  bool operator==(const OwnCopy &) const = default;
};

/// Which thread's accesses somebody asks for.
struct Past {
  uint32_t block = 0, warp = 0;
  unsigned lane = 0;
  Epoch epoch = 0;
};

struct View {
  ClockPtr base;
  const BlockKnown *mine = nullptr; ///< of the own block, in base
  LaneEpochs own = {};              ///< of the own warp's lanes
  Epoch self = 0;                   ///< of the lane that asks
  std::vector<OwnCopy> copies;

  /// For lane `self` of warp `warp` of block `block`, whose view this is.
  bool knows(uint32_t block, uint32_t warp, unsigned lane, const Past &past) const {
    if (past.block == block) {
      if (past.warp < FirstAgent && mine && past.epoch <= mine->all)
        return true;
      if (past.warp == warp)
        return past.epoch <= own[past.lane] || (past.lane == lane && past.epoch <= self);
    }
    return knowsFar(block, lane, past);
  }
  void learn(uint32_t block, uint32_t warp, const ClockPtr &clock);
  void learn(const OwnCopy &copy);
  /// Forgets what each of the lanes knows of itself and by now of all of them.
  void settle(Mask lanes);
  bool operator==(const View &o) const {
    return base == o.base && own == o.own && self == o.self && copies == o.copies;
  }

private:
  bool knowsFar(uint32_t block, unsigned lane, const Past &past) const;
};

/// fence scopes, widest last.
enum class Reach : uint8_t { Cta, Cluster, Gpu, Sys };
inline constexpr unsigned Reaches = 4;

/// The kinds of knowledge that threads have and barriers pass on. Each is a pair: of the
/// generic proxy, and (+ 1) what the asynchronous proxy may see.
enum Part : uint8_t {
  Current = 0, ///< what happened before
  Async = 1,
  Fenced = 2, ///< + 2 * Reach: what happened before the last fence
  Views = Fenced + 2 * Reaches,
  Pending = Views, ///< + 2 * Reach: becomes current with the next fence
  Parts = Pending + 2 * Reaches
};

/// Knowledge that threads pass on through a barrier, an mbarrier or a flag in memory.
struct Knowledge {
  std::array<Gathered, Parts> parts;
  void add(const Knowledge &other) {
    for (unsigned i = 0; i < Parts; ++i)
      parts[i].add(other.parts[i]);
  }
};

/// Lanes with the same knowledge.
struct Group {
  Mask lanes = 0;
  std::vector<View> views; ///< Current and Async, or all Views once a fence was used
  std::vector<ClockPtr> pending; ///< 2 * Reaches, or empty
  const View &current() const { return views[Current]; }
  const View &async() const { return views[Async]; }
  bool same(const Group &o) const { return views == o.views && pending == o.pending; }
};

/// The clocks of one warp.
class WarpClock {
public:
  /// `top`: the latest epoch of any warp of the block, kept by all of them.
  WarpClock(uint32_t block, uint32_t warp, Mask populated, uint32_t warpsPerBlock,
            Epoch *top);

  /// Before all else: what the launch finds done.
  void begin(const ClockPtr &known);
  uint32_t block() const { return blockId; }
  uint32_t warp() const { return warpIndex; }
  /// The epoch of accesses made now.
  Epoch tick();
  /// Whether that is `epoch`.
  bool isAt(Epoch epoch) const { return epoch == now && !released; }
  const std::vector<Group> &groups() const { return all; }
  /// Grows when lanes learn something or make an access that nobody knows of.
  uint64_t version() const { return changes; }
  const Group &groupOf(unsigned lane) const;

  /// The lanes' knowledge, their own accesses up to now included, goes into `to`.
  void release(Mask lanes, Knowledge &to);
  void acquire(Mask lanes, Knowledge &from);
  void acquire(Mask lanes, const OwnCopy &copy);
  /// The lanes wait for each other.
  void meet(Mask lanes);
  void fence(Mask lanes, Reach reach);
  void fenceProxy(Mask lanes);
  /// For the release patterns of strong writes: adds what the fence of `reach` covered.
  /// False if it was all there.
  bool addFenced(unsigned lane, Reach reach, Knowledge &to) const;
  /// Grows when what the fences covered changes.
  uint64_t fences() const { return fenceCount; }
  /// Whether a fence covered something for any of the lanes.
  bool hasFenced(Mask lanes) const { return lanes & fencedLanes(); }
  Mask fencedLanes() const;
  /// Copies the lanes' knowledge now, for asynchronous work that they start.
  std::vector<Group> fork(Mask lanes);
  /// A strong read saw what a release of that reach wrote.
  void remember(Mask lanes, Reach reach, Knowledge &from);

private:
  /// Calls f for each group of the lanes, which then is of these lanes only.
  template <class F> void forGroups(Mask lanes, F f);
  bool tells(const View &view, unsigned lane, Gathered &to) const;
  void put(const View &view, Mask lanes, Epoch self, Gathered &to) const;
  void merge();
  void openFences(Group &group);

  uint32_t blockId, warpIndex, warpsPerBlock;
  uint64_t changes = 0, fenceCount = 0;
  Epoch now = 1;
  bool released = false; ///< `now` was given away: later accesses need a later one
  Epoch *top;
  Mask populated;
  std::vector<Group> all;
};

} // namespace kiln::sim::check

#endif // KILN_SIM_CHECK_VIEW_H
