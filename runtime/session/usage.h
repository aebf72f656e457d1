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

/// The use of each arena in the last run, stored separately from what runs write and
/// readable by any thread.
class Usage {
public:
  /// capacities: of the session, by arena. isMeasured: runs measure what they write.
  void open(const Plan &plan, std::span<const uint64_t> capacities, bool isMeasured);
  /// Notes that the next run has other dims than the last one.
  void forget() { isKnown = false; }
  /// Publishes the use after a run. With equal dims only the measured bytes change.
  void publish(const Plan &plan, const Layout &layout, const DeviceSession &device);
  /// Returns the use of an arena. Errors: KILN-E0001.
  Status find(size_t arena, kiln_arena_usage &out) const;

private:
  bool isMeasured = false;
  bool isKnown = false;
  mutable std::mutex mutex; ///< guards the members below
  std::vector<kiln_arena_usage> arenas;
};

} // namespace kiln::rt

#endif // KILN_SESSION_USAGE_H
