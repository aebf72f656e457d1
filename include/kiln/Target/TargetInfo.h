//===- TargetInfo.h - What a target can do ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers named questions about a target, so that no code asks "is it at least
// version 4". Host targets: x86-64-v3 (AVX2 and FMA), x86-64-v4 (AVX-512),
// sapphirerapids (with VNNI and AMX on bytes), znver5 (with VNNI), and native, which is
// the machine at hand named by its features. GPU targets are named as NVIDIA names them:
// sm_80, sm_90a ...
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TARGET_TARGETINFO_H
#define KILN_TARGET_TARGETINFO_H

#include "kiln/Target/MachineModel.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// Limits and features of a GPU target. Numbers are those of every machine of the
/// architecture.
struct GpuInfo {
  /// Version of the PTX that is written, times ten; it decides the oldest driver that
  /// takes it.
  int64_t ptxVersion = 80;
  int64_t warpThreads = 32;
  int64_t maxBlockThreads = 1024;
  int64_t maxThreadRegisters = 255;
  int64_t registersPerMultiprocessor = 65536;
  /// Shared memory that one block can ask for.
  int64_t maxSharedBytes = 0;
  int64_t sharedBanks = 32, sharedBankBytes = 4;
  /// Bytes of the widest load or store of one thread.
  int64_t accessBytes = 16;
  bool hasTensorCopy = false;  ///< TMA and mbarriers with byte counts
  bool hasDependentLaunch = false; ///< griddepcontrol
  bool hasMmaSync = false;     ///< mma.sync on f16 and bf16, ldmatrix
  bool hasFloat8 = false;      ///< cvt from f8E4M3FN, in PTX 8.1, mma.sync of it, in 8.4
  bool hasBlockScaledMma = false; ///< mma.sync with scales per block of K
  bool hasWarpgroupMma = false; ///< wgmma, setmaxnreg
  GpuModel model;              ///< how fast it is
};

struct TargetInfo {
  /// As asked for: "native", "x86-64-v3", "sm_80".
  std::string name;
  /// Extensions that instruction selection may use beyond x86-64, in LLVM's spelling and
  /// sorted: exactly what a machine must have to run the image.
  std::vector<std::string> features;
  /// The CPU whose timing model schedules instructions; never adds features.
  std::string tuneCpu;

  int64_t vectorBytes = 32;
  int64_t vectorRegisters = 16;
  int64_t l1Bytes = 32 << 10;
  int64_t l2Bytes = 512 << 10;
  int64_t cacheLineBytes = 64;
  /// The streamPrefetchBytes of tuneCpu; 0 for levels, which are several CPUs.
  int64_t streamBytes = 0;

  /// Set for a GPU, whose kernels are PTX; null for a CPU.
  std::optional<GpuInfo> gpu;

  bool has(llvm::StringRef feature) const;
  /// Elements of that many bytes in one vector register.
  int64_t lanes(int64_t elementBytes) const { return vectorBytes / elementBytes; }

  /// The target of that name; an unknown name and a machine without AVX2 are
  /// coded errors.
  static llvm::Expected<TargetInfo> get(llvm::StringRef name);
  /// The target of that name; nullopt where `get` has an error. For analyses that run
  /// before a target is used, as that reports the error.
  static std::optional<TargetInfo> find(llvm::StringRef name);
  /// Every name that `get` takes, native first.
  static std::vector<llvm::StringRef> names();
};

/// Returns whether `name` is a GPU target that Kiln knows.
bool isGpuTarget(llvm::StringRef name);

} // namespace kiln

#endif // KILN_TARGET_TARGETINFO_H
