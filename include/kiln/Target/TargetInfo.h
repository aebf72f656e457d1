//===- TargetInfo.h - Features of targets -----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers queries about features of a target, so that no code compares version numbers.
// Host targets are the rows of the table in lib/Target/HostModels.cpp: x86-64 levels and
// CPUs. native is another name of the row for the machine at hand. GPU targets have
// NVIDIA's names: sm_80, sm_90a ...
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

/// Limits and features of a GPU target, which hold for every GPU of the architecture.
struct GpuInfo {
  /// Version of the emitted PTX times 10; it determines the oldest driver that accepts
  /// the code.
  int64_t ptxVersion = 80;
  int64_t warpThreads = 32;
  int64_t maxBlockThreads = 1024;
  int64_t maxThreadRegisters = 255;
  int64_t registersPerMultiprocessor = 65536;
  /// Maximum shared memory per block.
  int64_t maxSharedBytes = 0;
  int64_t sharedBanks = 32, sharedBankBytes = 4;
  /// Bytes of the widest load or store of one thread.
  int64_t accessBytes = 16;
  bool hasTensorCopy = false;  ///< TMA, and mbarriers that count bytes
  bool hasDependentLaunch = false; ///< programmatic dependent launch: griddepcontrol
  bool hasMmaSync = false;     ///< mma.sync on f16 and bf16, ldmatrix
  bool hasFloat8 = false;      ///< cvt from f8E4M3FN in PTX 8.1, mma.sync of it in PTX
                               ///< 8.4
  bool hasBlockScaledMma = false; ///< mma.sync with scales per block of K
  bool hasWarpgroupMma = false; ///< wgmma, setmaxnreg
  GpuModel model;              ///< performance model
};

struct TargetInfo {
  /// "x86-64-v3", "icelake-server", "sm_80"; never "native".
  std::string name;
  /// Extensions beyond x86-64 that instruction selection may use, sorted, with LLVM's
  /// names: exactly the features that a machine needs to run the image.
  std::vector<std::string> features;
  /// The CPU whose timing model schedules instructions; never adds features.
  std::string tuneCpu;

  int64_t vectorBytes = 32;
  int64_t vectorRegisters = 16;
  int64_t l2Bytes = 512 << 10;
  int64_t streamBytes = 0; ///< see HostCpu

  /// Set for a GPU, whose kernels are PTX; nullopt for a CPU.
  std::optional<GpuInfo> gpu;
  /// The row of a CPU; null for a GPU.
  const HostCpu *cpu = nullptr;

  bool has(llvm::StringRef feature) const;
  /// Returns true if vpdpbusd multiplies bytes.
  bool hasVnni() const;
  /// Returns true if tdpbf16ps multiplies bf16 (AMX).
  bool hasBf16Tiles() const { return has("amx-bf16"); }
  /// Returns true for a CPU whose row says so; see HostCpu.
  bool prefersBf16Dots() const { return cpu && cpu->prefersBf16Dots(); }
  /// Elements of this size per vector register.
  int64_t lanes(int64_t elementBytes) const { return vectorBytes / elementBytes; }

  /// Returns the target of that name; an unknown name and a machine without AVX2 are
  /// coded errors.
  static llvm::Expected<TargetInfo> get(llvm::StringRef name);
  /// Returns the target of that name; nullopt if `get` fails. For analyses that run
  /// before a target is used, when the error has yet to be reported.
  static std::optional<TargetInfo> find(llvm::StringRef name);
  /// Returns all names that `get` accepts, native first.
  static std::vector<llvm::StringRef> names();
  /// Replaces native by the name of its target, or drops it if that is there, too. Leaves
  /// names alone that `get` refuses.
  static void resolveNative(std::vector<std::string> &names);
};

/// Returns whether `name` is a GPU target that Kiln knows.
bool isGpuTarget(llvm::StringRef name);

} // namespace kiln

#endif // KILN_TARGET_TARGETINFO_H
