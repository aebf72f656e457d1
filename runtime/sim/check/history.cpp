//===- history.cpp - Who accessed a location -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/check/history.h"

namespace kiln::sim::check {

uint32_t History::addStamp(const Stamp &stamp) {
  stamps.push_back(stamp);
  return uint32_t(stamps.size() - 1);
}

SetId History::with(SetId rest, Entry entry) {
  bool one = (entry.lanes & (entry.lanes - 1)) == 0;
  if (!rest && one)
    return single(entry.stamp, unsigned(__builtin_ctz(entry.lanes)));
  nodes.push_back({entry, rest});
  return SetId(nodes.size() - 1);
}

size_t History::slotOf(SetId from, Entry entry) {
  uint64_t hash = (uint64_t(from) << 32 | entry.stamp) * 0x9e3779b97f4a7c15u;
  hash ^= (hash >> 29) + entry.lanes * 0xbf58476d1ce4e5b9u;
  return (hash * 0x94d049bb133111ebu) >> 40 & (Steps - 1);
}

bool History::recall(SetId from, Entry entry, SetId &to) const {
  const Step &step = steps[slotOf(from, entry)];
  if (step.from != from || step.entry.stamp != entry.stamp ||
      step.entry.lanes != entry.lanes)
    return false;
  to = step.to;
  return true;
}

void History::learn(SetId from, Entry entry, SetId to) {
  steps[slotOf(from, entry)] = {from, entry, to};
}

} // namespace kiln::sim::check
