//===- watch.cpp - Detectors and counters of a launch together -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/watch.h"

namespace kiln::sim::exec {

bool Observer::accessWindow(const WindowAccess &a) {
  Place places[WarpSize];
  forLanes(a.origin.mask, [&](unsigned lane) {
    uint64_t offset = a.offsets ? a.offsets[lane] : a.first + uint64_t(lane) * a.bytes;
    places[lane] = a.window;
    places[lane].bytes += offset;
    places[lane].offset += offset;
  });
  return access(WarpAccess{a.origin, a.traits, a.space, a.bytes, places});
}

bool Observer::accessEach(const RangeAccess &a, const uint32_t *offsets, size_t count) {
  bool fine = true;
  for (size_t i = 0; i < count; ++i) {
    RangeAccess one = a;
    one.place.bytes += offsets[i];
    one.place.offset += offsets[i];
    fine = access(one) && fine;
  }
  return fine;
}

bool Observers::accessEach(const RangeAccess &a, const uint32_t *offsets, size_t count) {
  bool fine = true;
  for (size_t n = 0; n < all.size(); ++n) {
    RangeAccess own = a;
    own.agent = a.agent ? agents[a.agent - 1][n] : 0;
    fine = all[n]->accessEach(own, offsets, count) && fine;
  }
  return fine;
}

bool Observers::access(const RangeAccess &a) {
  bool fine = true;
  for (size_t n = 0; n < all.size(); ++n) {
    RangeAccess own = a;
    own.agent = a.agent ? agents[a.agent - 1][n] : 0;
    fine = all[n]->access(own) && fine;
  }
  return fine;
}

uint64_t Observers::startAgent(const Origin &origin, Proxy proxy) {
  std::vector<uint64_t> own;
  for (Observer *o : all)
    own.push_back(o->startAgent(origin, proxy));
  agents.push_back(std::move(own));
  return agents.size();
}

bool Observers::continueAgent(const Origin &origin, uint64_t agent) {
  bool all = true;
  for (size_t n = 0; n < this->all.size(); ++n)
    all = this->all[n]->continueAgent(origin, agents[agent - 1][n]) && all;
  return all;
}

void Observers::finishAgent(uint64_t agent, const SyncKey &key) {
  for (size_t n = 0; n < all.size(); ++n)
    all[n]->finishAgent(agents[agent - 1][n], key);
}

bool Observers::acquireAgent(const Origin &origin, uint64_t agent) {
  bool fine = true;
  for (size_t n = 0; n < all.size(); ++n)
    fine = all[n]->acquireAgent(origin, agents[agent - 1][n]) && fine;
  return fine;
}

} // namespace kiln::sim::exec
