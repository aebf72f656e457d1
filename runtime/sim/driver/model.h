//===- model.h - Performance model of the GPU -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A roofline model: accurate enough to rank kernels and to notice a tenfold slowdown, but
// not for tuning. It is deterministic, as no host time is measured.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_DRIVER_MODEL_H
#define KILN_SIM_DRIVER_MODEL_H

#include "runtime/sim/exec/launch.h"
#include "runtime/sim/profile/profile.h"
#include <algorithm>

namespace kiln::sim::driver {

/// Bandwidth between device and host: sixteen lanes of PCIe 5, as copies measure it.
inline constexpr double HostBytesPerSecond = 50e9;
/// Bandwidth between two devices, in one direction.
inline constexpr double PeerBytesPerSecond = 300e9;
inline constexpr double LaunchSeconds = 2e-6, CopySeconds = 1.5e-6;
/// Warp instructions that one SM issues per clock.
inline constexpr double IssuePerClock = 4;

inline double kernelSeconds(const DeviceProfile &p, const LaunchCost &cost) {
  double issue = double(p.multiprocessors) * IssuePerClock * p.smClockKhz * 1e3;
  return LaunchSeconds + std::max({double(cost.globalBytes) / p.memoryBytesPerSecond,
                                   double(cost.tensorFlops) / p.denseF16FlopsPerSecond,
                                   double(cost.f32Flops) / p.f32FlopsPerSecond,
                                   double(cost.warpInstructions) / issue});
}

/// Time of a copy within device memory, which reads and writes it.
inline double deviceCopySeconds(const DeviceProfile &p, double bytes) {
  return CopySeconds + 2 * bytes / p.memoryBytesPerSecond;
}
inline double hostCopySeconds(double bytes) {
  return CopySeconds + bytes / HostBytesPerSecond;
}
inline double peerCopySeconds(double bytes) {
  return CopySeconds + bytes / PeerBytesPerSecond;
}
inline double fillSeconds(const DeviceProfile &p, double bytes) {
  return CopySeconds + bytes / p.memoryBytesPerSecond;
}

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_MODEL_H
