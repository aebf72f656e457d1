//===- team.cpp - The host threads of a launch -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/team.h"

namespace kiln::sim::exec {

namespace {
/// Rounds without progress after which spinning warps count as a livelock.
constexpr uint32_t HopelessRounds = 256;
/// Time limit instead of rounds, if a launch of another device or the host may still
/// change memory.
constexpr std::chrono::seconds PeerPatience(20);
} // namespace

Team::Team(Grid &grid, unsigned workers, uint64_t residentClusters)
    : grid(grid), running(workers), limit(residentClusters),
      start(std::chrono::steady_clock::now()) {}

bool Team::next(uint64_t &linear) {
  linear = nextCluster.fetch_add(1);
  return linear < grid.clusters;
}

bool Team::mayAdmit() const {
  return nextCluster.load() < grid.clusters && resident.load() < limit;
}

void Team::finished() {
  resident.fetch_sub(1);
  progress();
}

bool Team::hopeless(Quiet &quiet) {
  uint64_t now = epoch.load(std::memory_order_relaxed);
  if (now != quiet.epoch || stuck.load() < running.load()) {
    quiet = {now, 0, {}};
    return false;
  }
  if (!quiet.rounds)
    quiet.since = std::chrono::steady_clock::now();
  if (++quiet.rounds <= HopelessRounds)
    return false;
  return !grid.hasPeers || std::chrono::steady_clock::now() - quiet.since > PeerPatience;
}

uint64_t Team::notStarted() const {
  uint64_t taken = nextCluster.load();
  return taken < grid.clusters ? grid.clusters - taken : 0;
}

bool Team::outOfTime() const {
  if (timeout <= 0)
    return false;
  std::chrono::duration<double> used = std::chrono::steady_clock::now() - start;
  return used.count() > timeout;
}

} // namespace kiln::sim::exec
