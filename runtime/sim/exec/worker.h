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

/// Memory for frames, kept for the next call of the same function.
class FramePool {
public:
  ~FramePool();
  /// A frame with its constants filled for the warp. Null if host memory ran out.
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
  /// By MicroOp::slot: the allocation that the instruction hit last.
  std::vector<Allocation *> lastHit;
  /// Keeps every allocation in lastHit alive.
  std::unordered_map<uint64_t, std::shared_ptr<Allocation>> held;
  std::vector<std::unique_ptr<Cluster>> active;
  std::vector<Executed> executed; ///< by ModuleCode::counted
  uint64_t rangeBytes = 0;        ///< of global memory, moved by copies and matrix loads
  uint64_t clock = 0;             ///< %clock: grows with every read and slice

  /// The allocation that holds the byte, held alive; null if there is none.
  Allocation *find(uint64_t address);

  /// Runs clusters until none is left or the launch was stopped.
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

/// A cluster ready to run, from its index in the grid. Null if host memory ran out.
std::unique_ptr<Cluster> makeCluster(Worker &worker, uint64_t linear);
void freeCluster(Worker &worker, Cluster &cluster);

/// Result of a warp's turn.
enum class WarpTurn : uint8_t { Progress, Idle, Blocked, Gone, Fault };
WarpTurn runWarp(Warp &warp);

/// The lanes of the current split exit; `mask` may be some of them. Barriers that
/// waited for them only are completed.
void exitLanes(Warp &warp, Mask mask);
/// Takes lanes out of a frame and those above it, freeing what becomes empty.
void leaveFrames(Warp &warp, Frame *frame, Mask mask);
/// Completes barriers of the block (and cluster) that now have all their threads.
void completeBarriers(Block &block);

/// Where every warp of the active clusters waits, one line each.
std::string describeWaits(const Worker &worker);

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_WORKER_H
