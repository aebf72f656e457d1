//===- usage.h - What the last run used of its arenas -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SESSION_USAGE_H
#define KILN_SESSION_USAGE_H

#include "runtime/device/device.h"
#include <mutex>

namespace kiln::rt {

/// The use of each arena in the last run, kept apart from what runs write, for any
/// thread.
class Usage {
public:
  /// capacities: of the session, by arena. isMeasured: each run tells what it wrote.
  void open(const Plan &plan, std::span<const uint64_t> capacities, bool isMeasured);
  /// The next run has other dims than the last one.
  void forget() { isKnown = false; }
  /// Behind a run. Runs of the same dims use the same, but for what is measured.
  void publish(const Plan &plan, const Layout &layout, const DeviceSession &device);
  /// Errors: KILN-E0001.
  Status find(size_t arena, kiln_arena_usage &out) const;

private:
  bool isMeasured = false;
  bool isKnown = false;
  mutable std::mutex mutex; ///< of what follows
  std::vector<kiln_arena_usage> arenas;
};

} // namespace kiln::rt

#endif // KILN_SESSION_USAGE_H
