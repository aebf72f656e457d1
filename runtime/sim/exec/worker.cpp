//===- worker.cpp - Scheduling warps and clusters --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/worker.h"

#include "runtime/sim/exec/access.h"
#include "runtime/sim/exec/observer.h"
#include "runtime/sim/exec/report.h"
#include "runtime/sim/exec/team.h"

#include <algorithm>
#include <thread>

namespace kiln::sim::exec {

namespace {
/// Rounds in which the active clusters only spin before another one is started.
constexpr uint32_t IdleBeforeAdmission = 4;
/// Rounds between checks of the timeout.
constexpr uint32_t RoundsPerTimeCheck = 16;
/// Rounds in which a cluster's warps change only registers, before late work is
/// performed: a spin that reads the clock never repeats a state.
constexpr uint32_t QuietBeforeWork = 16;
/// Pause between polls for changes by another device's launch.
constexpr std::chrono::microseconds PeerPause(100);
} // namespace

Worker::Worker(Grid &grid, Team &team, unsigned index)
    : grid(grid), team(team), index(index),
      schedule(grid.schedule.fork(~uint64_t(index))),
      lastHit(static_cast<const ModuleCode *>(grid.launch->code)->memorySlots),
      executed(static_cast<const ModuleCode *>(grid.launch->code)->counted.size()) {}

Allocation *Worker::find(uint64_t address) {
  std::shared_ptr<Allocation> found = grid.memory->find(address);
  Allocation *result = found.get();
  if (result)
    held[result->serial] = std::move(found);
  return result;
}

std::vector<size_t> Worker::order(size_t count) {
  std::vector<size_t> result(count);
  for (size_t i = 0; i < count; ++i)
    result[i] = schedule.warps == Schedule::Warps::Reverse ? count - 1 - i : i;
  if (schedule.warps == Schedule::Warps::Random)
    for (size_t i = count; i > 1; --i)
      std::swap(result[i - 1], result[schedule.random(i)]);
  return result;
}

Worker::Turn Worker::round(Cluster &cluster) {
  bool progress = false, idle = false, quiet = true;
  const uint64_t performed = cluster.async.performed();
  for (size_t b : order(cluster.blocks.size())) {
    Block &block = *cluster.blocks[b];
    for (size_t w : order(block.warps.size())) {
      Warp &warp = *block.warps[w];
      if (!warp.splitCount)
        continue;
      std::unique_lock<FairMutex> alone;
      if (grid.hasPeers && grid.observer)
        alone = std::unique_lock(grid.memory->turns);
      WarpTurn turn = runWarp(warp);
      if (turn == WarpTurn::Fault || grid.stop.load(std::memory_order_relaxed))
        return Turn::Progress;
      progress |= turn == WarpTurn::Progress || turn == WarpTurn::Gone;
      idle |= turn == WarpTurn::Idle;
      quiet &= turn != WarpTurn::Gone && !warp.changed;
      if (!cluster.async.step())
        return Turn::Progress;
    }
  }
  cluster.quietRounds = quiet ? cluster.quietRounds + 1 : 0;
  if (cluster.quietRounds > QuietBeforeWork && !cluster.async.empty())
    cluster.async.performOne();
  // Asynchronous work may have ended the wait of a warp that was tested earlier.
  if (progress || cluster.async.performed() != performed)
    return Turn::Progress;
  if (!cluster.async.empty()) {
    cluster.async.performOne();
    return Turn::Progress;
  }
  return idle ? Turn::Idle : Turn::Stuck;
}

Worker::Turn Worker::round() {
  Turn result = Turn::Idle;
  for (size_t i = 0; i < active.size() && !grid.stop.load();) {
    Cluster &cluster = *active[i];
    Turn turn = round(cluster);
    if (grid.stop.load())
      break;
    if (turn == Turn::Stuck && cluster.liveThreads) {
      reportDeadlock(*this, cluster);
      break;
    }
    if (turn == Turn::Progress)
      result = Turn::Progress;
    if (cluster.liveThreads) {
      ++i;
      continue;
    }
    retire(cluster);
    active.erase(active.begin() + ptrdiff_t(i));
  }
  return result;
}

void Worker::retire(Cluster &cluster) {
  while (!cluster.async.empty() && cluster.async.performOne())
    ;
  freeCluster(*this, cluster);
  team.finished();
}

bool Worker::admit() {
  uint64_t linear;
  if (!team.mayAdmit() || !team.next(linear))
    return false;
  team.started();
  std::unique_ptr<Cluster> cluster = makeCluster(*this, linear);
  if (!cluster) {
    stopLaunch(grid, 2, "host memory ran out for the blocks of the launch");
    return false;
  }
  active.push_back(std::move(cluster));
  return true;
}

bool Worker::outOfTime() {
  if (++rounds % RoundsPerTimeCheck || !team.outOfTime())
    return false;
  reportTimeout(*this, team.timeout);
  return true;
}

/// Yields the host thread: another thread has to make progress.
void Worker::pause() const {
  if (grid.hasPeers)
    std::this_thread::sleep_for(PeerPause);
  else
    std::this_thread::yield();
}

void Worker::run() {
  uint32_t idleRounds = 0;
  Quiet quiet;
  bool stuck = false;
  auto setStuck = [&](bool now) {
    if (now != stuck)
      now ? team.enterStuck() : team.leaveStuck();
    stuck = now;
  };
  // A cooperative launch starts all its blocks at once.
  while (grid.launch->cooperative && admit())
    ;
  while (!grid.stop.load()) {
    if (active.empty() && !admit())
      break;
    Turn turn = round();
    if (outOfTime())
      break;
    if (turn == Turn::Progress) {
      team.progress();
      idleRounds = quiet.rounds = 0;
      setStuck(false);
      continue;
    }
    if (active.empty())
      continue;
    if (++idleRounds >= IdleBeforeAdmission && admit()) {
      idleRounds = 0;
      continue;
    }
    setStuck(idleRounds >= IdleBeforeAdmission);
    if (stuck && team.hopeless(quiet))
      reportLivelock(*this);
    else if (stuck)
      pause();
  }
  setStuck(false);
  team.workerDone();
  for (std::unique_ptr<Cluster> &cluster : active)
    freeCluster(*this, *cluster);
  active.clear();
  std::lock_guard<std::mutex> lock(grid.mutex);
  grid.rangeBytes += rangeBytes;
  grid.executed.resize(executed.size());
  for (size_t n = 0; n < executed.size(); ++n) {
    grid.executed[n].warps += executed[n].warps;
    grid.executed[n].lanes += executed[n].lanes;
  }
}

} // namespace kiln::sim::exec
