//===- worker.h - One host thread that runs clusters -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_WORKER_H
#define KILN_SIM_EXEC_WORKER_H

#include "runtime/sim/exec/block.h"
#include "runtime/sim/exec/code.h"

#include <unordered_map>

namespace kiln::sim::exec {

class Team;

/// Memory of frames, kept for the next call of the same function.
class FramePool {
public:
  ~FramePool();
  /// Returns a frame with its constants filled in for the warp. Null if host memory ran
  /// out.
  Frame *make(const FunctionCode &function, Warp &warp, Frame *parent, Mask lanes);
  void release(Frame *frame);

private:
  std::unordered_map<const FunctionCode *, std::vector<Frame *>> spare;
};

struct Worker {
  Worker(Grid &grid, Team &team, unsigned index);

  Grid &grid;
  Team &team;
  unsigned index;
  Schedule schedule;
  FramePool frames;
  /// By MicroOp::slot: allocation of the instruction's last access.
  std::vector<Allocation *> lastHit;
  /// Keeps the allocations in lastHit alive.
  std::unordered_map<uint64_t, std::shared_ptr<Allocation>> held;
  std::vector<std::unique_ptr<Cluster>> active;
  std::vector<Executed> executed; ///< by ModuleCode::counted
  uint64_t rangeBytes = 0;        ///< of global memory, moved by bulk copies and matrix
                                  ///< loads
  uint64_t clock = 0;             ///< %clock: incremented by every read and slice

  /// Returns the allocation with the byte and keeps it alive; null if there is none.
  Allocation *find(uint64_t address);

  /// Runs clusters until none remains or the launch is stopped.
  void run();

private:
  enum class Turn : uint8_t { Progress, Idle, Stuck };
  Turn round();
  Turn round(Cluster &cluster);
  bool admit();
  void retire(Cluster &cluster);
  bool outOfTime();
  void pause() const;
  std::vector<size_t> order(size_t count);
  uint32_t rounds = 0;
};

/// Makes a cluster from its index in the grid. Null if host memory ran out.
std::unique_ptr<Cluster> makeCluster(Worker &worker, uint64_t linear);
void freeCluster(Worker &worker, Cluster &cluster);

/// Result of running a warp for a time slice.
enum class WarpTurn : uint8_t { Progress, Idle, Blocked, Gone, Fault };
WarpTurn runWarp(Warp &warp);

/// Exits lanes of the current split, all or some. Completes barriers that waited only for
/// them.
void exitLanes(Warp &warp, Mask mask);
/// Removes lanes from a frame and its callers, freeing frames that become empty.
void leaveFrames(Warp &warp, Frame *frame, Mask mask);
/// Completes barriers of the block (and cluster) at which all threads have arrived.
void completeBarriers(Block &block);

/// Describes where every warp of the active clusters waits, one line each.
std::string describeWaits(const Worker &worker);

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_WORKER_H
