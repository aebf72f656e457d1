//===- PhaseTimer.h - A thread that waits beside the phases -----*- C++ -*-===//
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

/// Knows the phase that work is in, and calls back at times of the clock until it is
/// destroyed. Where no thread can be started, work goes on without: that is why it is a
/// thread of pthread and not of the standard library, which throws.
class PhaseTimer {
public:
  PhaseTimer() = default;
  ~PhaseTimer();
  PhaseTimer(const PhaseTimer &) = delete;
  PhaseTimer &operator=(const PhaseTimer &) = delete;

  /// Calls `expired` with the phase at each time that `next` gives, seconds from then on.
  /// Both are called by the thread; `expired` while no phase can begin. Once at most.
  void start(std::function<double()> next,
             std::function<void(llvm::StringRef phase)> expired);

  /// The phase from here on; `entered` is called while the thread cannot call back.
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
