//===- history.h - Who accessed a location ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stamp stands for one instruction of one warp at one epoch. A set of accesses is a
// list of stamps with the lanes that made them; a location has one for its writes and
// one for its reads, each named by 32 bits. Sets are immutable and shared, and the steps
// from one to the next are remembered: neighbouring bytes mostly have the same history,
// so most accesses find their new sets by one look-up.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_CHECK_HISTORY_H
#define KILN_SIM_CHECK_HISTORY_H

#include "runtime/sim/check/view.h"

namespace kiln::sim::check {

/// How an access takes part in races.
struct Manner {
  bool write = false;       ///< atomics write and read
  bool strong = false;      ///< volatile, relaxed, acquire, release, atomics
  bool async = false;       ///< through the asynchronous proxy
  bool nonCoherent = false; ///< ld.global.nc
  bool swaps = false;       ///< compare-and-swap
  Reach reach = Reach::Gpu; ///< of strong ones
  bool operator==(const Manner &) const = default;
};

struct Stamp {
  uint32_t block = 0;
  uint16_t warp = 0;
  Manner manner;
  Epoch epoch = 0;
  const void *op = nullptr; ///< the instruction, for reports
};

/// A set of accesses: 0 is empty; with the high bit a stamp and a lane; else a node.
using SetId = uint32_t;

class History {
public:
  struct Entry {
    uint32_t stamp = 0;
    Mask lanes = 0;
  };

  static constexpr uint32_t MaxStamps = 1u << 26;
  /// False once there are too many stamps to tell them apart.
  bool full() const { return stamps.size() >= MaxStamps; }
  uint32_t addStamp(const Stamp &stamp);
  const Stamp &stamp(uint32_t index) const { return stamps[index]; }

  static bool isSingle(SetId set) { return set >> 31; }
  static uint32_t stampOf(SetId set) { return set >> 5 & (MaxStamps - 1); }
  static unsigned laneOf(SetId set) { return set & 31; }
  static SetId single(uint32_t stamp, unsigned lane) {
    return 1u << 31 | stamp << 5 | lane;
  }
  /// The set `rest` and one entry more.
  SetId with(SetId rest, Entry entry);
  /// Calls f(Entry) for each.
  template <class F> void forEntries(SetId set, F f) const {
    while (set) {
      if (isSingle(set)) {
        f(Entry{stampOf(set), Mask(1) << laneOf(set)});
        return;
      }
      const Node &node = nodes[set];
      f(node.entry);
      set = node.rest;
    }
  }

  /// The step that was taken from `from` by `entry`, or none.
  bool recall(SetId from, Entry entry, SetId &to) const;
  void learn(SetId from, Entry entry, SetId to);

private:
  struct Node {
    Entry entry;
    SetId rest = 0;
  };
  struct Step {
    SetId from = 0;
    Entry entry;
    SetId to = 0;
  };
  static constexpr size_t Steps = 1 << 12;
  static size_t slotOf(SetId from, Entry entry);
  std::vector<Stamp> stamps;
  std::vector<Node> nodes{1};
  std::vector<Step> steps = std::vector<Step>(Steps);
};

} // namespace kiln::sim::check

#endif // KILN_SIM_CHECK_HISTORY_H
