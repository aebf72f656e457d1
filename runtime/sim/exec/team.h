//===- team.h - The host threads of a launch ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_TEAM_H
#define KILN_SIM_EXEC_TEAM_H

#include "runtime/sim/exec/block.h"

#include <chrono>

namespace kiln::sim::exec {

/// How long a worker has only been spinning.
struct Quiet {
  uint64_t epoch = 0;
  uint32_t rounds = 0;
  std::chrono::steady_clock::time_point since;
};

/// State shared by all workers of one launch: the queue of clusters, the timeout, and the
/// number of stuck workers.
class Team {
public:
  Team(Grid &grid, unsigned workers, uint64_t residentClusters);

  /// Returns the next cluster to start; false if all were started.
  bool next(uint64_t &linear);
  /// Whether one more cluster fits on the modelled GPU besides those running.
  bool mayAdmit() const;
  void started() { resident.fetch_add(1); }
  void finished();

  /// Called when a worker changed memory or finished something: others may continue.
  void progress() { epoch.fetch_add(1, std::memory_order_relaxed); }
  /// Called by a worker whose warps only spin. Returns true if all workers have been in
  /// this state for many rounds with no progress anywhere, and for many seconds if a peer
  /// may end it.
  bool hopeless(Quiet &quiet);
  void enterStuck() { stuck.fetch_add(1); }
  void leaveStuck() { stuck.fetch_sub(1); }
  void workerDone() { running.fetch_sub(1); }
  bool outOfTime() const;
  /// Number of clusters that no worker has taken yet.
  uint64_t notStarted() const;
  double timeout = 0; ///< seconds, 0: none

private:
  Grid &grid;
  std::atomic<uint64_t> nextCluster = 0, resident = 0, epoch = 0;
  std::atomic<uint32_t> stuck = 0, running;
  uint64_t limit;
  std::chrono::steady_clock::time_point start;
};

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_TEAM_H
