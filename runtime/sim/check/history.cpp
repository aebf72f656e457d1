//===- history.cpp - Accesses of a location --------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/check/history.h"

#include <algorithm>

namespace kiln::sim::check {

void History::clear() {
  stamps.clear();
  nodes.resize(1);
  std::fill(steps.begin(), steps.end(), Step());
}

uint32_t History::addStamp(const Stamp &stamp) {
  stamps.push_back(stamp);
  return uint32_t(stamps.size() - 1);
}

SetId History::with(SetId rest, const Entry &entry) {
  if (!rest)
    if (SetId one = alone(entry))
      return one;
  nodes.push_back({entry, rest, length(rest) + 1,
                   isWide(entry.stamp) && (!rest || allStrong(rest)),
                   stamps[entry.stamp].accessKind.barrier || (rest && hasBarrier(rest))});
  SetId id = SetId(nodes.size() - 1);
  return entry.shape.divides() || divides(rest) ? id | DividesBit : id;
}

SetId History::atByte(SetId set, uint64_t word, unsigned byte) {
  if (!divides(set))
    return set;
  std::vector<Entry> entries;
  forEntries(set, [&](Entry entry) {
    if (entry.shape.divides())
      entry.shape = Shape(Shape::Lane, entry.shape.laneAt(word, byte));
    entries.push_back(entry);
  });
  SetId result = 0;
  for (size_t i = entries.size(); i--;)
    result = with(result, entries[i]);
  return result;
}

size_t History::slotOf(SetId from, const Entry &entry) const {
  uint64_t hash = (uint64_t(from) << 32 | entry.stamp) * 0x9e3779b97f4a7c15u;
  hash ^= (hash >> 29) + (entry.named ^ entry.shape.raw()) * 0xbf58476d1ce4e5b9u;
  return (hash * 0x94d049bb133111ebu) >> 40 & (steps.size() - 1);
}

bool History::recall(SetId from, const Entry &entry, SetId &to) const {
  const Step &step = steps[slotOf(from, entry)];
  if (step.from != from || !(step.entry == entry))
    return false;
  to = step.to;
  return true;
}

void History::learn(SetId from, const Entry &entry, SetId to) {
  steps[slotOf(from, entry)] = {from, entry, to};
}

History::Entry History::Mover::moved(const Entry &entry) {
  uint32_t &stamp = stamps[entry.stamp];
  if (stamp == Unmoved)
    stamp = to.addStamp(from.stamp(entry.stamp));
  return {stamp, entry.shape, entry.named};
}

SetId History::Mover::move(SetId set) {
  chain.clear();
  SetId result = 0;
  // Walk down to a set that was moved before, then rebuild upward.
  for (; set; set = from.rest(set)) {
    if (!isSingle(set) && nodes[set & ~DividesBit]) {
      result = nodes[set & ~DividesBit];
      break;
    }
    chain.push_back(set);
  }
  for (size_t i = chain.size(); i--;) {
    result = to.with(result, moved(from.newest(chain[i])));
    if (!isSingle(chain[i]))
      nodes[chain[i] & ~DividesBit] = result;
  }
  return result;
}

} // namespace kiln::sim::check
