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
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"

using namespace kiln;

// The x86-64 psABI levels in LLVM's names.
static constexpr llvm::StringLiteral kLevel3[] = {
    "avx",   "avx2",   "bmi",  "bmi2", "crc32",  "cx16",   "f16c",  "fma",  "lzcnt",
    "movbe", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3", "xsave"};
static constexpr llvm::StringLiteral kLevel4[] = {"avx512bw", "avx512cd", "avx512dq",
                                                  "avx512f", "avx512vl"};
// Integer dot products beyond level 4, in vector and in tile registers.
static constexpr llvm::StringLiteral kVnni = "avx512vnni";
static constexpr llvm::StringLiteral kTiles[] = {"amx-int8", "amx-tile"};
/// The first CPU that has both.
static constexpr llvm::StringLiteral kTileCpu = "sapphirerapids";
/// The CPU with VNNI and a nonzero streamPrefetchBytes.
static constexpr llvm::StringLiteral kStreamCpu = "znver5";

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

std::vector<llvm::StringRef> TargetInfo::names() {
  std::vector<llvm::StringRef> names{"native", "x86-64-v3", "x86-64-v4", kTileCpu,
                                     kStreamCpu};
  for (const GpuArchitecture &architecture : kGpuArchitectures)
    names.push_back(architecture.name);
  return names;
}

static void setModel(TargetInfo &info, const HostModel &model) {
  info.vectorBytes = model.vectorBytes;
  info.vectorRegisters = model.vectorRegisters;
  info.l1Bytes = model.l1Bytes;
  info.l2Bytes = model.l2Bytes;
  info.cacheLineBytes = model.cacheLineBytes;
}

static void addLevel4(TargetInfo &info) {
  info.features.insert(info.features.end(), std::begin(kLevel4), std::end(kLevel4));
  setModel(info, kHostLevel4);
}

static void addTiles(TargetInfo &info) {
  info.features.insert(info.features.end(), std::begin(kTiles), std::end(kTiles));
}

static TargetInfo makeLevel3(llvm::StringRef name) {
  TargetInfo info;
  info.name = name.str();
  info.tuneCpu = "x86-64-v3";
  setModel(info, kHostLevel3);
  info.features.assign(std::begin(kLevel3), std::end(kLevel3));
  return info;
}

template <typename Range>
static std::string missing(const llvm::StringMap<bool> &host, const Range &features) {
  std::string list;
  for (llvm::StringRef feature : features)
    if (!host.lookup(feature))
      list += (list.empty() ? "" : ", ") + feature.str();
  return list;
}

/// Returns the build machine's target: the highest level that it supports.
static llvm::Expected<TargetInfo> makeNative() {
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  if (std::string list = missing(host, kLevel3); !list.empty())
    return makeError({ErrorCode::CompileTargetUnsupported, "target 'native'",
                      "this machine is below the lowest target", "x86-64-v3",
                      "no " + list, "name a target with --target x86-64-v3"});
  TargetInfo info = makeLevel3("native");
  if (missing(host, kLevel4).empty()) {
    addLevel4(info);
    if (host.lookup(kVnni)) {
      info.features.push_back(kVnni.str());
      if (missing(host, kTiles).empty())
        addTiles(info);
    }
  }
  info.tuneCpu = llvm::sys::getHostCPUName().str();
  return info;
}

llvm::Expected<TargetInfo> TargetInfo::get(llvm::StringRef name) {
  for (const GpuArchitecture &architecture : kGpuArchitectures)
    if (name == architecture.name)
      return makeGpu(architecture);
  TargetInfo info = makeLevel3(name);
  if (name == "native") {
    llvm::Expected<TargetInfo> native = makeNative();
    if (!native)
      return native.takeError();
    info = std::move(*native);
  } else if (name == "x86-64-v4") {
    addLevel4(info);
  } else if (name == kTileCpu || name == kStreamCpu) {
    addLevel4(info);
    info.features.push_back(kVnni.str());
    if (name == kTileCpu)
      addTiles(info);
    info.tuneCpu = name.str();
  } else if (name != "x86-64-v3") {
    std::string known;
    for (llvm::StringRef target : names())
      known += (known.empty() ? "" : ", ") + target.str();
    return makeError({ErrorCode::CompileTargetUnknown, "target '" + name.str() + "'",
                      "no such target", known, name.str(), "choose one of these"});
  }
  llvm::sort(info.features);
  info.streamBytes = streamPrefetchBytes(info.tuneCpu);
  return info;
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
