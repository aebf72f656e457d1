//===- block.h - Blocks, clusters and the grid of a running launch ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_BLOCK_H
#define KILN_SIM_EXEC_BLOCK_H

#include "runtime/sim/exec/async_queue.h"
#include "runtime/sim/exec/checks.h"
#include "runtime/sim/exec/launch.h"
#include "runtime/sim/exec/warp.h"
#include "runtime/sim/memory/memory.h"

#include <atomic>
#include <mutex>

namespace kiln::sim::exec {

class Observer;
struct Cluster;
struct Grid;
struct Kernel;

inline constexpr unsigned BlockBarriers = 16;

/// One of a block's 16 barriers.
struct Barrier {
  uint32_t arrived = 0;               ///< threads that arrived in this generation
  uint32_t expected = 0;              ///< threads; 0: not in use, or all threads of the
                                      ///< block
  uint32_t yesVotes = 0, noVotes = 0; ///< of barrier.red, in threads
  uint32_t andResult = 0, orResult = 0, popResult = 0; ///< of the last generation
  uint64_t generation = 0;
  const MicroOp *firstOp = nullptr; ///< first arrival's instruction, for reports
  bool reduction = false;
};

struct Block {
  Grid *grid = nullptr;
  Cluster *cluster = nullptr;
  uint32_t rank = 0;                  ///< rank in the cluster
  std::array<uint32_t, 3> index = {}; ///< ctaid
  uint64_t linear = 0;                ///< index in the grid, x fastest
  uint32_t threads = 0;               ///< at the start
  uint32_t liveThreads = 0;
  uint8_t *shared = nullptr;         ///< sharedBytes, 1024-aligned
  uint32_t sharedBytes = 0;          ///< static and dynamic
  uint64_t *sharedWritten = nullptr; ///< one bit per byte; null if not tracked
  std::array<Barrier, BlockBarriers> barriers;
  std::vector<Warp *> warps;
  int64_t spareRegisters = 0;       ///< registers that setmaxnreg may take
  std::shared_ptr<void> asyncState; ///< state of the asynchronous instructions: mbarriers
                                    ///< ...
  void *races = nullptr;            ///< owned by the race detector

  void markShared(uint32_t offset, uint32_t bytes);
  /// Returns the first byte of the range that was not written, or `bytes`.
  uint32_t firstUnwritten(uint32_t offset, uint32_t bytes) const;
};

/// barrier.cluster: one hardware barrier.
struct ClusterBarrier {
  uint32_t arrived = 0; ///< threads
  uint64_t generation = 0;
};

struct Cluster {
  Grid *grid = nullptr;
  Worker *worker = nullptr;
  std::array<uint32_t, 3> index = {};
  uint64_t linear = 0;
  std::vector<Block *> blocks; ///< by rank; all live until the cluster ends
  ClusterBarrier barrier;
  uint32_t liveThreads = 0;
  uint32_t quietRounds = 0; ///< consecutive rounds in which warps changed only registers
  Schedule schedule;
  AsyncQueue async{schedule};
  Cluster() = default;
  Cluster(const Cluster &) = delete;
};

/// How often a group of instructions executed.
struct Executed {
  uint64_t warps = 0, lanes = 0;
};

struct Grid {
  const Launch *launch = nullptr;
  const Kernel *kernel = nullptr;
  AddressSpace *memory = nullptr;
  std::array<uint32_t, 3> grid, block, cluster; ///< in blocks, threads, blocks
  uint64_t blocks = 0, clusters = 0;
  uint32_t threads = 0;   ///< per block
  uint64_t serial = 0;    ///< counts launches of the process: %gridid
  uint64_t workspace = 0; ///< address of a cooperative launch's workspace, zeroed at its
                          ///< start; otherwise 0
  Checks checks;
  Schedule schedule;
  Observer *observer = nullptr; ///< detectors and counters; null if all are off
  /// Launches of other devices with peer access may run at the same time.
  bool hasPeers = false;
  /// Several host threads run clusters, or peers' launches run: atomics must be atomic on
  /// the host.
  bool concurrent = false;
  std::atomic<bool> stop = false; ///< set by an error or a timeout
  Outcome outcome;                ///< the first error; guarded by the mutex
  std::vector<Executed> executed; ///< by ModuleCode::counted; guarded by the mutex
  uint64_t rangeBytes = 0;        ///< see Worker; guarded by the mutex
  std::mutex mutex;
};

/// Threads that executed an instruction, for reports and detectors; copied into
/// asynchronous work.
struct Origin {
  Block *block = nullptr;
  uint32_t warp = 0;
  Mask mask = 0;
  const MicroOp *op = nullptr;
  Grid &grid() const { return *block->grid; }
};
inline Origin originOf(const Warp &warp, const MicroOp *op, Mask mask) {
  return {warp.block, warp.index, mask, op};
}

/// CUDA_ERROR_LAUNCH_FAILED, for errors without a code of their own.
inline constexpr int LaunchFailed = 719;

/// Reports an error and ends the launch. `what` is one sentence; kernel, PTX line,
/// instruction, block, warp and lanes are added. `fix`: advice to the kernel's author.
/// Returns Stop::Fault; only the first report of a launch counts.
Stop fault(const Origin &origin, int cuda, const std::string &what,
           const std::string &fix = {});

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_BLOCK_H
