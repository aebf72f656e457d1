//===- warp.h - Warps, their splits and call frames --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp is a list of splits: disjoint sets of lanes with one program counter each
// (independent thread scheduling, without a reconvergence stack). Splits of equal
// frame and program counter merge.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_WARP_H
#define KILN_SIM_EXEC_WARP_H

#include "runtime/sim/exec/micro_op.h"
#include "runtime/sim/exec/wait.h"

#include <array>

namespace kiln::sim::exec {

struct Block;
struct Worker;
class Frame;

/// Lanes of a warp with the same program counter.
struct Split {
  const MicroOp *pc = nullptr; ///< next op; up to date only while the split is not
                               ///< running
  Frame *frame = nullptr;
  Mask mask = 0;                   ///< never empty
  Wait wait;                       ///< set while blocked
  uint64_t generation = 0;         ///< of the block barrier at which it arrived last
  uint64_t lastHash = 0;           ///< of the state at the end of an earlier time slice
  const MicroOp *lastPc = nullptr; ///< pc in that state
  uint32_t idleSlices = 0;         ///< consecutive slices that changed nothing: a spin
};

struct Warp {
  /// A branch or label at or after this op returns to the scheduler: another split waits
  /// there.
  const MicroOp *limit = nullptr;
  int64_t budget = 0;       ///< branches left in this time slice
  int64_t slice = 0;        ///< branches per time slice; few while it spins
  Split *current = nullptr; ///< while running
  Worker *worker = nullptr;
  Block *block = nullptr;
  Mask live = 0;           ///< lanes that have not exited
  Mask populated = 0;      ///< lanes that ever existed: all but in the block's last warp
  uint32_t index = 0;      ///< in the block
  bool changed = false;    ///< memory or other state than registers changed in this slice
  bool rotate = false;     ///< the last slice ran out: choose another split
  Mask clusterArrived = 0; ///< lanes between barrier.cluster.arrive and wait
  uint64_t clusterGeneration = 0; ///< generation of the cluster barrier at which they
                                  ///< arrived
  unsigned splitCount = 0;
  unsigned lastRun = 0;               ///< index of the split that ran last
  std::array<Split, WarpSize> splits; ///< the first splitCount are in use
  uint8_t *local = nullptr;           ///< lane-major: lane * localBytes
  uint32_t localBytes = 0;            ///< per lane; a multiple of 64
  uint64_t *localWritten = nullptr;   ///< one bit per byte of local
  /// Registers of a thread after setmaxnreg; 0 until then.
  uint32_t registers = 0;
  /// State of the asynchronous and matrix instructions, created on first use.
  std::shared_ptr<void> asyncState;

  Split &addSplit(const MicroOp *pc, Frame *frame, Mask mask);
  void removeSplit(Split *split);
};

/// Blocks the current split. `resume`: op at which it continues once `wait.ready` returns
/// true: the same op to try again, or the next one.
inline Stop block(Warp &warp, const MicroOp *resume, const Wait &wait) {
  warp.current->pc = resume;
  warp.current->wait = wait;
  return Stop::Blocked;
}

/// Grows local memory to at least `bytes` per lane. False if host memory ran out.
bool growLocal(Warp &warp, uint32_t bytes);

/// Returns the linear index in its block of the warp's lane 0.
inline uint32_t firstThread(const Warp &warp) { return warp.index * WarpSize; }

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_WARP_H
