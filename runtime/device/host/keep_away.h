//===- keep_away.h - Where a thread wakes up --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scheduler likes to put a woken thread on the CPU of the one that wakes it, in
// virtual machines even while others idle: their halted CPUs do not count as idle. The
// caller goes on computing there, so the worker would only begin when the caller is
// done.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_HOST_KEEP_AWAY_H
#define KILN_DEVICE_HOST_KEEP_AWAY_H

#include <atomic>
#include <cstdint>
#include <sched.h>
#include <sys/types.h>

namespace kiln::rt {

/// Keeps a worker that is woken off the CPU of the thread that wakes it.
class KeepAway {
public:
  /// Called by the worker when it has begun to run.
  void noteThread();
  /// Takes the caller's CPU from the worker's until that runs; where that is its only
  /// one, or the system refuses, everything stays as it is. For one caller at a time.
  void sendAway();
  /// Called by the worker once it runs.
  void returnToOwnCpus();

private:
  /// 0 until the thread has begun.
  std::atomic<pid_t> threadId{0};
  /// The CPUs to return to, set by a caller that keeps the worker off its own while it
  /// wakes it.
  cpu_set_t ownCpus{};
  std::atomic<uint32_t> keptAway{0};
};

} // namespace kiln::rt

#endif // KILN_DEVICE_HOST_KEEP_AWAY_H
