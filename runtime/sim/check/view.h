//===- view.h - Accesses ordered before a warp's lanes ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes with the same knowledge form a group and share its views. What each lane knows
// only about itself (its own accesses, the copies that it issued) is stored once for the
// group, relative to the lane that asks.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_CHECK_VIEW_H
#define KILN_SIM_CHECK_VIEW_H

#include "runtime/sim/check/clock.h"
#include "runtime/sim/check/shape.h"

namespace kiln::sim::check {

/// An agent's work of which each lane of the issuing warp knows its own part.
struct OwnCopy {
  uint32_t warp = 0; ///< warp index of the agent
  Epoch epoch = 0;
  bool operator==(const OwnCopy &) const = default;
};

/// A past access: of which thread, at which epoch.
struct Past {
  uint32_t block = 0, warp = 0;
  unsigned lane = 0;
  Epoch epoch = 0;
};

struct View {
  ClockPtr base;
  const BlockKnown *mine = nullptr; ///< entry of the own block in `base`
  LaneEpochs own = {};              ///< epochs of the own warp's lanes
  Epoch self = 0;                   ///< epoch up to which the asking lane knows its own
                                    ///< accesses
  std::vector<OwnCopy> copies;

  /// Whether `past` happened before lane `lane` of warp `warp` of block `block`, the
  /// owner of this view.
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
  /// Drops lane-relative knowledge that all of the lanes have in the shared clock by now.
  void settle(Mask lanes);
  bool operator==(const View &o) const {
    return base == o.base && own == o.own && self == o.self && copies == o.copies;
  }

private:
  bool knowsFar(uint32_t block, unsigned lane, const Past &past) const;
};

/// Scopes of fences and strong accesses, widest last.
enum class Reach : uint8_t { Cta, Cluster, Gpu, Sys };
inline constexpr unsigned Reaches = 4;

/// Parts of the knowledge that threads have and barriers pass on. Each is a pair: of the
/// generic proxy, and (+ 1) what the asynchronous proxy may see.
enum Part : uint8_t {
  Current = 0, ///< accesses that happened before
  Async = 1,
  Fenced = 2, ///< + 2 * Reach: accesses that happened before the last fence
  Views = Fenced + 2 * Reaches,
  Pending = Views, ///< + 2 * Reach: becomes Current with the next fence
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

/// Vector clocks of one warp.
class WarpClock {
public:
  /// `top`: latest epoch of any warp of the block, shared by its warps.
  WarpClock(uint32_t block, uint32_t warp, Mask populated, uint32_t warpsPerBlock,
            Epoch *top);

  /// Sets the initial clock, before any other call.
  void begin(const ClockPtr &known);
  uint32_t block() const { return blockId; }
  uint32_t warp() const { return warpIndex; }
  /// Returns the epoch of an access made now.
  Epoch tick();
  /// Whether an access made now would have that epoch.
  bool isAt(Epoch epoch) const { return epoch == now && !released; }
  const std::vector<Group> &groups() const { return all; }
  /// Incremented when lanes acquire something or make an access that no other thread
  /// knows about.
  uint64_t version() const { return changes; }
  const Group &groupOf(unsigned lane) const;

  /// Adds the lanes' knowledge, including their own accesses up to now, to `to`.
  void release(Mask lanes, Knowledge &to);
  void acquire(Mask lanes, Knowledge &from);
  void acquire(Mask lanes, const OwnCopy &copy);
  /// Synchronizes the lanes, as bar.warp.sync does.
  void meet(Mask lanes);
  void fence(Mask lanes, Reach reach);
  void fenceProxy(Mask lanes);
  /// Fence-release pattern of strong writes: adds what the fence of `reach` covered to
  /// `to`. Returns false if `to` had all of it.
  bool addFenced(unsigned lane, Reach reach, Knowledge &to) const;
  /// Incremented when what the fences cover changes.
  uint64_t fences() const { return fenceCount; }
  /// Whether a fence of any of the lanes covers something.
  bool hasFenced(Mask lanes) const { return lanes & fencedLanes(); }
  Mask fencedLanes() const;
  /// Copies the lanes' knowledge now, for asynchronous work that they start.
  std::vector<Group> fork(Mask lanes);
  /// Records what a relaxed strong read saw of a release with that scope; the next fence
  /// acquires it.
  void remember(Mask lanes, Reach reach, Knowledge &from);

private:
  /// Splits groups so that none has lanes outside `lanes`, and calls f for each group
  /// inside.
  template <class F> void forGroups(Mask lanes, F f);
  bool tells(const View &view, unsigned lane, Gathered &to) const;
  void put(const View &view, Mask lanes, Epoch self, Gathered &to) const;
  void merge();
  void openFences(Group &group);

  uint32_t blockId, warpIndex, warpsPerBlock;
  uint64_t changes = 0, fenceCount = 0;
  Epoch now = 1;
  bool released = false; ///< `now` was released: later accesses need a later epoch
  Epoch *top;
  Mask populated;
  std::vector<Group> all;
};

} // namespace kiln::sim::check

#endif // KILN_SIM_CHECK_VIEW_H
