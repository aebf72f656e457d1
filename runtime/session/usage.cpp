//===- usage.cpp - What the last run used of its arenas -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/session/usage.h"
#include <algorithm>

using namespace kiln::rt;

void Usage::open(const Plan &plan, std::span<const uint64_t> capacities, bool measured) {
  isMeasured = measured;
  for (size_t a = 0; a < plan.arenas.size(); ++a)
    arenas.push_back({plan.arenas[a].kind, capacities[a], 0, 0, 0});
}

void Usage::publish(const Plan &plan, const Layout &layout, const DeviceSession &device) {
  if (isKnown && !isMeasured)
    return;
  std::lock_guard lock(mutex);
  for (size_t a = 0; a < arenas.size(); ++a) {
    arenas[a].formula = static_cast<uint64_t>(layout.value(plan.arenas[a].size));
    arenas[a].measured = device.measuredBytes(a);
    arenas[a].high_water = 0;
    if (plan.arenas[a].kind == KILN_ARENA_WORKSPACE)
      for (const Kernel &k : plan.kernels)
        arenas[a].high_water = std::max(arenas[a].high_water,
                                        static_cast<uint64_t>(layout.value(k.scratch)));
  }
  for (uint32_t b = 0; b < plan.buffers.size(); ++b) {
    uint64_t &highest = arenas[plan.buffers[b].arena].high_water;
    highest = std::max(highest, layout.offset(b) + layout.size(plan, b));
  }
  isKnown = true;
}

Status Usage::find(size_t arena, kiln_arena_usage &out) const {
  if (arena >= arenas.size())
    return Failure{Code::BadUsage,
                   "kiln_session_arena",
                   "the index is out of range",
                   "less than " + std::to_string(arenas.size()),
                   std::to_string(arena),
                   "ask kiln_model_arena_count"};
  std::lock_guard lock(mutex);
  out = arenas[arena];
  return {};
}
