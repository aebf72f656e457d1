//===- TargetInfo.cpp - Features and models of targets --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The performance models are in GpuModels.cpp and HostModels.cpp.
//
//===----------------------------------------------------------------------===//

#include "kiln/Target/TargetInfo.h"
#include "kiln/ErrorCodes/Target.h"
#include "kiln/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/TargetParser/Host.h"

using namespace kiln;

static constexpr llvm::StringLiteral kNative = "native";
// The x86-64 psABI levels in LLVM's names.
static constexpr llvm::StringLiteral kLevel3[] = {
    "avx",   "avx2",   "bmi",  "bmi2", "crc32",  "cx16",   "f16c",  "fma",  "lzcnt",
    "movbe", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3", "xsave"};
static constexpr llvm::StringLiteral kLevel4[] = {"avx512bw", "avx512cd", "avx512dq",
                                                  "avx512f", "avx512vl"};
// Dot products of level 3, and beyond level 4, in vector and in tile registers.
static constexpr llvm::StringLiteral kAvxVnni[] = {"avxvnni"};
static constexpr llvm::StringLiteral kVnni[] = {"avx512vnni"};
static constexpr llvm::StringLiteral kBf16[] = {"avx512bf16"};
static constexpr llvm::StringLiteral kTiles[] = {"amx-bf16", "amx-int8", "amx-tile"};

//===----------------------------------------------------------------------===//
// GPUs
//===----------------------------------------------------------------------===//

static TargetInfo makeGpu(const GpuArchitecture &architecture) {
  TargetInfo info;
  info.name = architecture.name.str();
  info.tuneCpu = info.name;
  info.features = {info.name, "ptx" + std::to_string(architecture.ptxVersion)};
  GpuInfo gpu;
  gpu.ptxVersion = architecture.ptxVersion;
  gpu.maxSharedBytes = architecture.maxSharedBytes;
  gpu.hasMmaSync = true;
  gpu.hasFloat8 =
      llvm::is_contained({"sm_89", "sm_90a", "sm_120", "sm_120a"}, architecture.name);
  gpu.hasBlockScaledMma = architecture.name == "sm_120a";
  gpu.hasTensorCopy = architecture.hasTensorCopy;
  gpu.hasDependentLaunch = architecture.hasDependentLaunch;
  gpu.hasWarpgroupMma = architecture.hasWarpgroupMma;
  gpu.model = architecture.model;
  info.gpu = gpu;
  return info;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

bool TargetInfo::has(llvm::StringRef feature) const {
  return llvm::is_contained(features, feature);
}

bool TargetInfo::hasVnni() const { return has("avx512vnni") || has("avxvnni"); }

std::vector<llvm::StringRef> TargetInfo::names() {
  std::vector<llvm::StringRef> names{kNative};
  for (const HostCpu &cpu : hostCpus())
    names.push_back(cpu.name);
  for (const GpuArchitecture &architecture : kGpuArchitectures)
    names.push_back(architecture.name);
  return names;
}

void TargetInfo::resolveNative(std::vector<std::string> &names) {
  auto native = llvm::find(names, kNative);
  std::optional<TargetInfo> info = find(kNative);
  if (native == names.end() || !info)
    return;
  if (llvm::is_contained(names, info->name))
    names.erase(native);
  else
    *native = info->name;
}

//===----------------------------------------------------------------------===//
// CPUs
//===----------------------------------------------------------------------===//

/// Features that an instruction set adds to those before it.
static llvm::ArrayRef<llvm::StringLiteral> featuresOf(HostIsa isa) {
  switch (isa) {
  case HostIsa::Avx2:
    return kLevel3;
  case HostIsa::AvxVnni:
    return kAvxVnni;
  case HostIsa::Avx512:
    return kLevel4;
  case HostIsa::Vnni:
    return kVnni;
  case HostIsa::Bf16:
    return kBf16;
  case HostIsa::Amx:
    return kTiles;
  }
  llvm_unreachable("an instruction set without features");
}

static constexpr HostIsa kHostIsas[] = {HostIsa::Avx2, HostIsa::AvxVnni, HostIsa::Avx512,
                                        HostIsa::Vnni, HostIsa::Bf16,    HostIsa::Amx};

static TargetInfo makeHost(const HostCpu &cpu) {
  TargetInfo info;
  info.name = cpu.name.str();
  info.tuneCpu = cpu.tuneCpu.str();
  info.vectorBytes = cpu.isa >= HostIsa::Avx512 ? 64 : 32;
  // zmm0 to zmm31, ymm0 to ymm15
  info.vectorRegisters = cpu.isa >= HostIsa::Avx512 ? 32 : 16;
  info.l2Bytes = cpu.l2Bytes;
  info.streamBytes = cpu.streamBytes;
  info.cpu = &cpu;
  for (HostIsa isa : kHostIsas)
    if (includes(cpu.isa, isa))
      info.features.insert(info.features.end(), featuresOf(isa).begin(),
                           featuresOf(isa).end());
  llvm::sort(info.features);
  return info;
}

static std::string missing(const llvm::StringMap<bool> &host, HostIsa isa) {
  std::string list;
  for (llvm::StringRef feature : featuresOf(isa))
    if (!host.lookup(feature))
      list += (list.empty() ? "" : ", ") + feature.str();
  return list;
}

/// Returns the target for the machine at hand.
static llvm::Expected<TargetInfo> makeNative() {
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  if (std::string list = missing(host, HostIsa::Avx2); !list.empty())
    return makeError({ErrorCode::CompileTargetUnsupported, "target 'native'",
                      "this machine is below the lowest target", "x86-64-v3",
                      "no " + list, "name a target with --target x86-64-v3"});
  HostIsa isa =
      missing(host, HostIsa::AvxVnni).empty() ? HostIsa::AvxVnni : HostIsa::Avx2;
  for (HostIsa next : kHostIsas) {
    if (next < HostIsa::Avx512)
      continue;
    if (!missing(host, next).empty())
      break;
    isa = next;
  }
  return makeHost(hostCpuFor(llvm::sys::getHostCPUName(), isa));
}

llvm::Expected<TargetInfo> TargetInfo::get(llvm::StringRef name) {
  if (name == kNative)
    return makeNative();
  for (const GpuArchitecture &architecture : kGpuArchitectures)
    if (name == architecture.name)
      return makeGpu(architecture);
  for (const HostCpu &cpu : hostCpus())
    if (name == cpu.name)
      return makeHost(cpu);
  return makeError({ErrorCode::CompileTargetUnknown, "target '" + name.str() + "'",
                    "no such target", llvm::join(names(), ", "), name.str(),
                    "choose one of these"});
}

std::optional<TargetInfo> TargetInfo::find(llvm::StringRef name) {
  llvm::Expected<TargetInfo> info = get(name);
  if (info)
    return std::move(*info);
  llvm::consumeError(info.takeError());
  return std::nullopt;
}

bool kiln::isGpuTarget(llvm::StringRef name) {
  std::optional<TargetInfo> info = TargetInfo::find(name);
  return info && info->gpu;
}
