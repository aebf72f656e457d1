//===- PhaseTimer.h - A timer that knows the current phase ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_SUPPORT_PHASETIMER_H
#define KILN_LIB_DRIVER_SUPPORT_PHASETIMER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <pthread.h>
#include <string>

namespace kiln::driver {

/// Tracks the current phase of work, and calls back at requested times until it is
/// destroyed. Work continues without it if no thread can be started, so it uses pthread
/// directly: std::thread would throw.
class PhaseTimer {
public:
  PhaseTimer() = default;
  ~PhaseTimer();
  PhaseTimer(const PhaseTimer &) = delete;
  PhaseTimer &operator=(const PhaseTimer &) = delete;

  /// Starts the thread. It calls `expired` with the phase after each interval that `next`
  /// returns in seconds; no phase can begin during `expired`. Must be called at most
  /// once.
  void start(std::function<double()> next,
             std::function<void(llvm::StringRef phase)> expired);

  /// Begins a phase; the thread cannot call back during `entered`.
  void begin(llvm::StringRef next, llvm::function_ref<void()> entered = [] {});

private:
  static void *wait(void *self);

  std::function<double()> next;
  std::function<void(llvm::StringRef)> expired;
  std::string phase;
  bool started = false, stopping = false;
  pthread_t thread{};
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
};

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_SUPPORT_PHASETIMER_H
