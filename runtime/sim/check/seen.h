//===- seen.h - Cache of accesses known to a warp ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Caches comparisons: clocks only grow, so a set of accesses that happened before all
// lanes of a warp need not be compared again. Sets of different domains have the same
// names, so the domain's serial is part of the key.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_CHECK_SEEN_H
#define KILN_SIM_CHECK_SEEN_H

#include "runtime/sim/check/history.h"

namespace kiln::sim::check {

class Seen {
public:
  /// Whether all accesses of the set are known; a set with one entry is looked up by its
  /// stamp, whatever the lanes.
  bool has(uint32_t domain, SetId set) const {
    uint64_t key = keyOf(domain, set);
    return keys[slotOf(key)] == key;
  }
  void add(uint32_t domain, SetId set) {
    uint64_t key = keyOf(domain, set);
    keys[slotOf(key)] = key;
  }

private:
  static constexpr unsigned SlotBits = 5;
  static uint64_t keyOf(uint32_t domain, SetId set) {
    return uint64_t(domain) << 32 |
           (History::isSingle(set) ? History::single(History::stampOf(set), Shape())
                                   : set);
  }
  static size_t slotOf(uint64_t key) {
    return size_t(key * 0x9e3779b97f4a7c15u >> (64 - SlotBits));
  }
  std::array<uint64_t, 1 << SlotBits> keys = {};
};

} // namespace kiln::sim::check

#endif // KILN_SIM_CHECK_SEEN_H
