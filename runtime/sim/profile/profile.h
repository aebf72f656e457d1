//===- profile.h - Properties of the modelled GPUs ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read from small text files (profile/data/*.profile), which are compiled in.
// `KILN_SIM_DEVICES=h200,h200` selects the devices; the default is one h200.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_PROFILE_PROFILE_H
#define KILN_SIM_PROFILE_PROFILE_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::sim {

struct DeviceProfile {
  std::string id;   ///< "h200"
  std::string name; ///< as cuDeviceGetName returns it
  uint32_t computeMajor = 0, computeMinor = 0;
  bool archSpecific = false; ///< accepts sm_90a, sm_100a ... of its own capability
  uint32_t multiprocessors = 0;
  uint64_t memoryBytes = 0;
  uint32_t l2Bytes = 0;
  uint32_t sharedPerBlock = 0;      ///< without opt-in: 48 KiB
  uint32_t sharedPerBlockOptin = 0; ///< bytes
  uint32_t sharedPerSm = 0;
  uint32_t sharedReserved = 0; ///< reserved by the system, per block
  uint32_t registersPerSm = 0, registersPerBlock = 0;
  uint32_t threadsPerSm = 0, blocksPerSm = 0;
  uint32_t maxCluster = 0; ///< portable; 0 without clusters
  uint32_t maxClusterNonPortable = 0;
  uint32_t smClockKhz = 0, memoryClockKhz = 0, busWidthBits = 0;
  double memoryBytesPerSecond = 0;
  double denseF16FlopsPerSecond = 0; ///< tensor cores, f32 accumulation
  double f32FlopsPerSecond = 0;
  uint32_t driverVersion = 0; ///< 13000; it determines the max PTX version
  uint32_t newestPtx = 0;     ///< 90 for PTX 9.0
};

/// Returns all built-in profiles, sorted by id.
const std::vector<DeviceProfile> &allProfiles();
/// Returns the profile with that id; null if there is none.
const DeviceProfile *findProfile(std::string_view id);

} // namespace kiln::sim

#endif // KILN_SIM_PROFILE_PROFILE_H
