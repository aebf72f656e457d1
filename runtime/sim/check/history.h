//===- history.h - Accesses of a location -----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stamp identifies one instruction of one warp at one epoch. A set of accesses is a
// list of stamps with the shape of the lanes that made them; a location has one set for
// its writes and one for its reads, each named by 32 bits. Sets are immutable and shared,
// and transitions between them are cached: adjacent words mostly have the same history,
// so most accesses find their new sets by one look-up.
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
  bool strong = false;       ///< strong as in PTX: volatile, relaxed, acquire, release,
                             ///< atomics
  bool async = false;        ///< through the asynchronous proxy
  bool nonCoherent = false;  ///< ld.global.nc
  bool swaps = false;        ///< compare-and-swap
  bool barrier = false;      ///< initializes or uses an mbarrier, which stays live
  bool knowsBarrier = false; ///< may access a live mbarrier
  Reach reach = Reach::Gpu;  ///< scope of a strong access
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

/// Names a set of accesses. 0: empty. High bit set: a single entry, its stamp and shape.
/// Otherwise an index of a node; the next bit says whether some shape in the set divides
/// words.
using SetId = uint32_t;

class History {
public:
  struct Entry {
    uint32_t stamp;
    Shape shape;
    Mask named; ///< lanes, if the shape does not define them
    /// Returns an entry for several lanes that access the same bytes.
    static Entry of(uint32_t stamp, Mask lanes) {
      Shape shape = Shape::ofMask(lanes);
      return {stamp, shape, shape.named() ? lanes : 0};
    }
    Mask lanes(uint64_t word) const { return shape.named() ? named : shape.lanes(word); }
    bool operator==(const Entry &) const = default;
  };
  /// An id that is never the name of a set.
  static constexpr SetId Reserved = 0x7fffffff;
  static constexpr uint32_t MaxStamps = 1u << 23, MaxNodes = 1u << 29;

  /// `steps`: number of cached transitions, a power of two. `widest`: the narrowest scope
  /// that includes all threads.
  explicit History(size_t steps = 1 << 9, Reach widest = Reach::Gpu)
      : widest(widest), steps(steps) {}
  /// Whether the scope includes all threads.
  bool includesAll(Reach reach) const { return reach >= widest; }

  bool full() const { return stamps.size() >= MaxStamps || nodes.size() >= MaxNodes; }
  /// Number of stamps and nodes.
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
  /// Whether some entry's shape divides words among lanes.
  static bool divides(SetId set) {
    return isSingle(set) ? shapeOf(set).divides() : set & DividesBit;
  }
  /// Returns the set of only this entry; 0 if it needs a node.
  static SetId alone(const Entry &entry) {
    return entry.shape.named() ? 0 : single(entry.stamp, entry.shape);
  }
  /// Number of entries.
  uint32_t length(SetId set) const {
    return isSingle(set) ? 1 : nodes[set & ~DividesBit].length; // node 0 has length 0
  }
  /// Whether all accesses are strong and of the widest scope.
  bool allStrong(SetId set) const {
    return isSingle(set) ? isWide(stampOf(set)) : nodes[set & ~DividesBit].allStrong;
  }
  /// Whether some access is an mbarrier operation.
  bool hasBarrier(SetId set) const {
    return isSingle(set) ? stamps[stampOf(set)].accessKind.barrier
                         : nodes[set & ~DividesBit].barrier;
  }
  /// Returns the newest entry.
  Entry newest(SetId set) const {
    return isSingle(set) ? Entry{stampOf(set), shapeOf(set), 0}
                         : nodes[set & ~DividesBit].entry;
  }
  /// Returns the set without its newest entry.
  SetId rest(SetId set) const {
    return isSingle(set) ? 0 : nodes[set & ~DividesBit].rest;
  }
  /// Returns `rest` with `entry` added.
  SetId with(SetId rest, const Entry &entry);
  /// Calls f(Entry) for each entry, newest first.
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
  /// Returns the set restricted to one byte of the word: shapes that divide words become
  /// the byte's lane.
  SetId atByte(SetId set, uint64_t word, unsigned byte);

  /// Looks up the cached transition of `from` by `entry`; false if there is none.
  bool recall(SetId from, const Entry &entry, SetId &to) const;
  void learn(SetId from, const Entry &entry, SetId to);

  /// Copies the sets that are still in use to another history (compaction).
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
    std::vector<SetId> nodes;     ///< by old node, 0 if not moved yet
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
