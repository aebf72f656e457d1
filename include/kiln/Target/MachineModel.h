//===- MachineModel.h - How fast a target is --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The figures that the choice of configs reads, per target. All of them are in two files
// of data, lib/Target/GpuModels.cpp and lib/Target/HostModels.cpp, each with its source.
// They are those of an architecture and never of the machine at hand: the same target
// gives the same bytes everywhere.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TARGET_MACHINEMODEL_H
#define KILN_TARGET_MACHINEMODEL_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace kiln {

/// Rates are per multiprocessor and cycle, but that of memory, which is of all.
struct GpuModel {
  double clockGHz = 0; ///< turns cycles into time
  int64_t multiprocessors = 0;

  /// Cycles from the issue of a copy from L2 until the data is there; and for copies
  /// that tensor cores and streams wait for, with memory behind L2.
  int64_t l2Latency = 0, memoryLatency = 0;
  /// Bytes from L2, from memory for all multiprocessors, and from shared memory.
  int64_t l2Bytes = 0, memoryBytes = 0, sharedBytes = 0;

  /// Multiply-adds without tensor cores; bytes of one operand that tensor cores multiply
  /// by mma.sync (two per product of 16-bit operands, four of 32-bit ones).
  int64_t multiplyAdds = 0, tensorOperandBytes = 0;
  /// Cycles from a warp's operands of one mma until its accumulators can be used.
  int64_t mmaLatency = 0;
  /// Cycles of 128 rows times one column times 64 steps of K by wgmma.
  int64_t wgmmaColumnCycles = 0;

  /// Partitions of a multiprocessor, each with a scheduler and a tensor core.
  int64_t partitions = 0;
  /// Threads and blocks that a multiprocessor holds at a time.
  int64_t residentThreads = 0, residentBlocks = 0;
  /// Cycles of a block's begin and end, and of a step of its pipeline beside copies and
  /// products.
  int64_t blockCycles = 0, stepCycles = 0;

  /// Threads per multiprocessor that keep its memory busy in a reduction: half of what
  /// it holds.
  int64_t busyThreads() const { return residentThreads / 2; }
  double nanoseconds(double cycles) const { return cycles / clockGHz; }
};

/// Name, features, limits and rates of a GPU target.
struct GpuArchitecture {
  llvm::StringLiteral name;
  int64_t ptxVersion;     ///< times ten
  int64_t maxSharedBytes; ///< of a block
  bool hasTensorCopy, hasDependentLaunch, hasWarpgroupMma;
  GpuModel model;
};

/// Every GPU target, the oldest first.
extern const GpuArchitecture kGpuArchitectures[6];

/// Registers and caches of a CPU level; caches are those of the smallest machine of it.
struct HostModel {
  int64_t vectorBytes, vectorRegisters;
  int64_t l1Bytes, l2Bytes, cacheLineBytes;
};

extern const HostModel kHostLevel3, kHostLevel4;

/// How far ahead, in all streams together, non-temporal prefetches make one core of a CPU
/// (named as LLVM names it) read memory faster than its own prefetchers do; 0: they do
/// not, or it was not measured.
int64_t streamPrefetchBytes(llvm::StringRef cpu);

} // namespace kiln

#endif // KILN_TARGET_MACHINEMODEL_H
