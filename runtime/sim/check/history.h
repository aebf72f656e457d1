//===- history.h - Who accessed a location ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stamp stands for one instruction of one warp at one epoch. A set of accesses is a
// list of stamps with the shape of the lanes that made them; a location has one for its
// writes and one for its reads, each named by 32 bits. Sets are immutable and shared,
// and the steps from one to the next are remembered: neighbouring words mostly have the
// same history, so most accesses find their new sets by one look-up.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_CHECK_HISTORY_H
#define KILN_SIM_CHECK_HISTORY_H

#include "runtime/sim/check/shape.h"
#include "runtime/sim/check/view.h"

#include <bit>

namespace kiln::sim::check {

/// How an access takes part in races.
struct AccessKind {
  bool write = false;        ///< atomics write and read
  bool strong = false;       ///< volatile, relaxed, acquire, release, atomics
  bool async = false;        ///< through the asynchronous proxy
  bool nonCoherent = false;  ///< ld.global.nc
  bool swaps = false;        ///< compare-and-swap
  bool barrier = false;      ///< leaves a living mbarrier there
  bool knowsBarrier = false; ///< may find one there
  Reach reach = Reach::Gpu;  ///< of strong ones
  bool operator==(const AccessKind &other) const {
    return std::bit_cast<uint64_t>(*this) == std::bit_cast<uint64_t>(other);
  }
};

struct Stamp {
  uint32_t block = 0;
  uint16_t warp = 0;
  AccessKind accessKind;
  Epoch epoch = 0;
  uint32_t division = 0;    ///< AccessTraits::division
  const void *op = nullptr; ///< the instruction, for reports
};

/// A set of accesses: 0 is empty; with the high bit one entry, its stamp and shape; else
/// a node, whose next bit says that some shape in the set divides words.
using SetId = uint32_t;

class History {
public:
  struct Entry {
    uint32_t stamp;
    Shape shape;
    Mask named; ///< the lanes, if the shape does not say
    /// Returns the entry of several lanes that access the same bytes.
    static Entry of(uint32_t stamp, Mask lanes) {
      Shape shape = Shape::ofMask(lanes);
      return {stamp, shape, shape.named() ? lanes : 0};
    }
    Mask lanes(uint64_t word) const { return shape.named() ? named : shape.lanes(word); }
    bool operator==(const Entry &) const = default;
  };
  /// Names a location's sets must not have.
  static constexpr SetId Reserved = 0x7fffffff;
  static constexpr uint32_t MaxStamps = 1u << 23, MaxNodes = 1u << 29;

  /// `steps`: how many are remembered, a power of two. `widest`: what includes all
  /// threads.
  explicit History(size_t steps = 1 << 9, Reach widest = Reach::Gpu)
      : widest(widest), steps(steps) {}
  /// Which scopes include all threads.
  bool includesAll(Reach reach) const { return reach >= widest; }

  bool full() const { return stamps.size() >= MaxStamps || nodes.size() >= MaxNodes; }
  /// How much it has grown: stamps and nodes.
  size_t size() const { return stamps.size() + nodes.size(); }
  void clear();
  uint32_t addStamp(const Stamp &stamp);
  const Stamp &stamp(uint32_t index) const { return stamps[index]; }

  static bool isSingle(SetId set) { return set >> 31; }
  static uint32_t stampOf(SetId set) { return set >> 8 & (MaxStamps - 1); }
  static Shape shapeOf(SetId set) { return Shape(uint8_t(set)); }
  static SetId single(uint32_t stamp, Shape shape) {
    return 1u << 31 | stamp << 8 | shape.raw();
  }
  /// Whether some shape divides words.
  static bool divides(SetId set) {
    return isSingle(set) ? shapeOf(set).divides() : set & DividesBit;
  }
  /// The entry as a set of its own, 0 if it needs a node.
  static SetId alone(const Entry &entry) {
    return entry.shape.named() ? 0 : single(entry.stamp, entry.shape);
  }
  /// How many entries it has.
  uint32_t length(SetId set) const {
    return isSingle(set) ? 1 : nodes[set & ~DividesBit].length; // of node 0 none
  }
  /// Whether all its accesses are strong and of the widest scope.
  bool allStrong(SetId set) const {
    return isSingle(set) ? isWide(stampOf(set)) : nodes[set & ~DividesBit].allStrong;
  }
  /// Whether some access is of an mbarrier.
  bool hasBarrier(SetId set) const {
    return isSingle(set) ? stamps[stampOf(set)].accessKind.barrier
                         : nodes[set & ~DividesBit].barrier;
  }
  /// The newest entry.
  Entry newest(SetId set) const {
    return isSingle(set) ? Entry{stampOf(set), shapeOf(set), 0}
                         : nodes[set & ~DividesBit].entry;
  }
  /// The set without it.
  SetId rest(SetId set) const {
    return isSingle(set) ? 0 : nodes[set & ~DividesBit].rest;
  }
  /// The set `rest` and one entry more.
  SetId with(SetId rest, const Entry &entry);
  /// Calls f(Entry) for each.
  template <class F> void forEntries(SetId set, F f) const {
    while (set) {
      if (isSingle(set)) {
        f(Entry{stampOf(set), shapeOf(set), 0});
        return;
      }
      const Node &node = nodes[set & ~DividesBit];
      f(node.entry);
      set = node.rest;
    }
  }
  /// The set as one byte of the word sees it: without shapes that divide.
  SetId atByte(SetId set, uint64_t word, unsigned byte);

  /// The step that was taken from `from` by `entry`, or none.
  bool recall(SetId from, const Entry &entry, SetId &to) const;
  void learn(SetId from, const Entry &entry, SetId to);

  /// Moves sets that are still in use into a history of its own.
  class Mover {
  public:
    Mover(const History &from, History &to)
        : from(from), to(to), stamps(from.stamps.size(), Unmoved),
          nodes(from.nodes.size()) {}
    SetId move(SetId set);

  private:
    static constexpr uint32_t Unmoved = ~0u;
    Entry moved(const Entry &entry);
    const History &from;
    History &to;
    std::vector<uint32_t> stamps; ///< by old stamp
    std::vector<SetId> nodes;     ///< by old node, 0 if not moved
    std::vector<SetId> chain;
  };

private:
  static constexpr SetId DividesBit = 1u << 30;
  struct Node {
    Entry entry = {};
    SetId rest = 0;
    uint32_t length = 0;    ///< entries of the set
    bool allStrong = false; ///< all are strong, of the widest scope
    bool barrier = false;   ///< some are of an mbarrier
  };
  struct Step {
    SetId from = 0;
    Entry entry = {};
    SetId to = 0;
  };
  bool isWide(uint32_t stamp) const {
    const AccessKind &accessKind = stamps[stamp].accessKind;
    return accessKind.strong && includesAll(accessKind.reach);
  }
  size_t slotOf(SetId from, const Entry &entry) const;
  Reach widest;
  std::vector<Stamp> stamps;
  std::vector<Node> nodes{1};
  std::vector<Step> steps;
};

} // namespace kiln::sim::check

#endif // KILN_SIM_CHECK_HISTORY_H
