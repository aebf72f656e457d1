//===- wgmma_state.cpp - A warp's wgmma operations in flight ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/async/wgmma_state.h"

namespace kiln::sim::exec::async {

void WgmmaState::takeOff(const Flight &flight) {
  const OpInfo &info = *flight.mma->info;
  const auto &plan = info.as<WgmmaPlan>();
  for (uint32_t line : plan.d(info))
    accumulators.insert(line);
  for (uint32_t line : plan.a(info))
    inputs.insert(line);
  open.push_back(flight);
}

bool WgmmaState::finished(size_t newest, uint64_t performedByAll) const {
  for (size_t g = 0; g + newest < groups.size(); ++g)
    for (const Flight &flight : groups[g])
      if (flight.number >= performedByAll)
        return false;
  return true;
}

void WgmmaState::land(size_t newest) {
  while (groups.size() > newest)
    groups.pop_front();
  std::vector<std::vector<Flight>> left(groups.begin(), groups.end());
  left.push_back(std::move(open));
  accumulators.clear();
  inputs.clear();
  open.clear();
  for (const auto &group : left)
    for (const Flight &flight : group)
      takeOff(flight);
  open = std::move(left.back());
}

} // namespace kiln::sim::exec::async
