//===- MachineModel.h - Performance model of targets ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Figures by which configs are chosen, per target, in two data files,
// lib/Target/GpuModels.cpp and lib/Target/HostModels.cpp, each figure with its source.
// They describe an architecture, never the machine at hand: the same target gives the
// same bytes everywhere.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TARGET_MACHINEMODEL_H
#define KILN_TARGET_MACHINEMODEL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace kiln {

/// Rates are per multiprocessor and cycle, except memory bandwidth, which is of the
/// entire GPU.
struct GpuModel {
  double clockGHz = 0; ///< converts cycles to time
  int64_t multiprocessors = 0;

  /// Cycles of latency of a copy from L2, and from memory for the copies that tensor
  /// cores and streaming kernels wait for.
  int64_t l2Latency = 0, memoryLatency = 0;
  /// Bytes per cycle from L2, from memory (for all multiprocessors), and from shared
  /// memory.
  int64_t l2Bytes = 0, memoryBytes = 0, sharedBytes = 0;

  /// FMAs per cycle without tensor cores; bytes of one operand that tensor cores multiply
  /// per cycle by mma.sync (2 per multiplication of 16-bit operands, 4 of 32-bit ones).
  int64_t multiplyAdds = 0, tensorOperandBytes = 0;
  /// Latency of one mma: cycles from its operands to its accumulators.
  int64_t mmaLatency = 0;
  /// Cycles of wgmma for 128 rows times one column times 64 steps of K.
  int64_t wgmmaColumnCycles = 0;

  /// Partitions of a multiprocessor, each with a scheduler and a tensor core.
  int64_t partitions = 0;
  /// Maximum number of resident threads and blocks per multiprocessor.
  int64_t residentThreads = 0, residentBlocks = 0;
  /// Overhead in cycles of a block, and of a pipeline step in addition to its copies and
  /// MMAs.
  int64_t blockCycles = 0, stepCycles = 0;

  /// Threads per multiprocessor that saturate its memory bandwidth in a reduction: half
  /// of the resident maximum.
  int64_t busyThreads() const { return residentThreads / 2; }
  double nanoseconds(double cycles) const { return cycles / clockGHz; }
};

/// Name, features, limits and rates of a GPU target.
struct GpuArchitecture {
  llvm::StringLiteral name;
  int64_t ptxVersion;     ///< PTX ISA version times 10
  int64_t maxSharedBytes; ///< per block
  bool hasTensorCopy, hasDependentLaunch, hasWarpgroupMma;
  GpuModel model;
};

/// All GPU targets, the oldest first.
extern const GpuArchitecture kGpuArchitectures[6];

/// Instruction sets of host targets, each with all of those before it but AvxVnni, which
/// is for CPUs without AVX-512.
enum class HostIsa {
  Avx2,    ///< x86-64-v3
  AvxVnni, ///< vpdpbusd on 256 bits
  Avx512,  ///< x86-64-v4
  Vnni,    ///< vpdpbusd on 512 bits
  Bf16,    ///< vdpbf16ps on 512 bits
  Amx      ///< tile registers: tdpbf16ps, tdpbssd and others
};

/// Returns true if code for `part` runs on a CPU with `isa`.
inline bool includes(HostIsa isa, HostIsa part) {
  return part <= isa && (part != HostIsa::AvxVnni || isa == HostIsa::AvxVnni);
}

/// AMX tile registers of a CPU, and the rows and bytes per row of each (Intel SDM volume
/// 1, chapter 18).
inline constexpr int64_t kAmxTiles = 8, kTileRegisterRows = 16,
                         kTileRegisterRowBytes = 64;

/// A host target, and what its code and cost models depend on.
struct HostCpu {
  llvm::StringLiteral name; ///< LLVM's name of the CPU, or an x86-64 level
  HostIsa isa;
  llvm::StringLiteral tuneCpu; ///< LLVM's CPU whose timing model schedules instructions
  /// Second cache of one core, in bytes, as GEMMs are blocked for it.
  int64_t l2Bytes;
  /// How many bytes ahead, over all streams, non-temporal prefetches make one core read
  /// memory faster than its hardware prefetchers do; 0: they do not, or it was not
  /// measured.
  int64_t streamBytes;
  /// Vectors of FMAs, all vector instructions, and bytes from memory that one core
  /// completes per cycle.
  double multiplies, instructions, memoryBytes;
  /// Vectors of vdpbf16ps that one core completes per cycle; 0: none, or not measured.
  double bf16Dots = 0;

  /// Returns true if vdpbf16ps, which multiplies two elements per lane, is faster than
  /// FMAs of bf16 that is widened to f32: on AMD, and not on Xeons.
  bool prefersBf16Dots() const { return 2 * bf16Dots > multiplies; }
};

/// Returns all host targets. The first of an instruction set is for every CPU that has
/// it.
llvm::ArrayRef<HostCpu> hostCpus();

/// Returns the target for a CPU with LLVM's name that has an instruction set: its own, or
/// else, if it is unknown or lacks a part of what its target needs, the one for all.
const HostCpu &hostCpuFor(llvm::StringRef cpu, HostIsa isa);

} // namespace kiln

#endif // KILN_TARGET_MACHINEMODEL_H
