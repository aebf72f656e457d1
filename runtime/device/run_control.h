//===- run_control.h - Ending a run before its last step --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_RUN_CONTROL_H
#define KILN_DEVICE_RUN_CONTROL_H

#include "runtime/base/clock.h"
#include "runtime/base/status.h"
#include <atomic>
#include <pthread.h>

namespace kiln::rt {

/// Limits that the caller sets for one run.
struct RunLimits {
  uint64_t deadline = 0; ///< nanoseconds of CLOCK_MONOTONIC; 0: none
  kiln_run_poll poll = nullptr;
  void *pollUser = nullptr;
};

/// Tells the threads of a session's run when to end it early. One word holds the number
/// of the run and its state, so that a request for one run never ends the next.
class RunControl {
public:
  /// Marks the duration of one run.
  class Scope {
  public:
    Scope(RunControl &control, const RunLimits &limits) : control(control) {
      control.begin(limits);
    }
    ~Scope() { control.end(); }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    RunControl &control;
  };

  /// Ends the run in progress, if there is one. May be called by any thread and by a
  /// signal handler.
  void cancel() { request(Cancelled); }

  /// Whether the run must end; polled by its threads between steps, and between parts of
  /// long ones.
  bool mustStop() {
    if (word.load(std::memory_order_relaxed) & Cancelled)
      return true;
    return isLimited && look();
  }
  /// Returns the error of a run that ended early. place: the step that it has reached.
  Failure failure(const std::string &place) const;

private:
  /// State in the low bits of the word.
  enum State : uint64_t { Idle, Running, Cancelled, Late, StateMask = 3 };

  void begin(const RunLimits &limits);
  void end();
  void request(State wanted);
  bool look();

  std::atomic<uint64_t> word{Idle};
  bool isLimited = false;
  RunLimits limits;
  uint64_t nextPoll = 0; ///< this and below: for the calling thread only
  pthread_t caller{};
};

} // namespace kiln::rt

#endif // KILN_DEVICE_RUN_CONTROL_H
