//===- keep_away.h - Where a thread wakes up --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scheduler tends to put a woken thread on the CPU of the thread that wakes it, in
// virtual machines even while other CPUs idle: halted virtual CPUs do not count as idle.
// The caller goes on computing on that CPU, so the worker would start only when the
// caller is done.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_HOST_KEEP_AWAY_H
#define KILN_DEVICE_HOST_KEEP_AWAY_H

#include <atomic>
#include <cstdint>
#include <sched.h>
#include <sys/types.h>

namespace kiln::rt {

/// Keeps a woken worker off the CPU of the thread that wakes it.
class KeepAway {
public:
  /// Called by the worker when its thread has started.
  void noteThread();
  /// Removes the caller's CPU from the worker's affinity mask until the worker runs. Has
  /// no effect if that is the mask's only CPU, or the system refuses. For one caller at a
  /// time.
  void sendAway();
  /// Restores the affinity mask; called by the worker when it runs.
  void returnToOwnCpus();

private:
  /// 0 until the thread has started.
  std::atomic<pid_t> threadId{0};
  /// Affinity mask to restore, set by the caller that removes its CPU from it.
  cpu_set_t ownCpus{};
  std::atomic<uint32_t> keptAway{0};
};

} // namespace kiln::rt

#endif // KILN_DEVICE_HOST_KEEP_AWAY_H
