//===- run_control.cpp - Ending a run before its last step ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/run_control.h"

using namespace kiln::rt;

/// Interval between two calls of the caller's function, which may take some microseconds.
static constexpr uint64_t pollNanoseconds = 20'000'000;

void RunControl::begin(const RunLimits &given) {
  limits = given;
  isLimited = limits.deadline || limits.poll;
  nextPoll = 0;
  caller = pthread_self();
  uint64_t number = word.load(std::memory_order_relaxed) | StateMask;
  word.store(number + 1 + Running, std::memory_order_release);
}

void RunControl::end() { word.fetch_and(~uint64_t{StateMask}); }

void RunControl::request(State wanted) {
  uint64_t found = word.load();
  while ((found & StateMask) == Running)
    if (word.compare_exchange_weak(found, (found & ~uint64_t{StateMask}) | wanted))
      return;
}

/// Checks the deadline, and on the caller's thread calls the caller's function.
bool RunControl::look() {
  uint64_t now = monotonicNow();
  if (limits.deadline && now >= limits.deadline)
    request(Late);
  if (limits.poll && pthread_equal(caller, pthread_self()) && now >= nextPoll) {
    nextPoll = now + pollNanoseconds;
    if (limits.poll(limits.pollUser))
      request(Cancelled);
  }
  return word.load(std::memory_order_relaxed) & Cancelled;
}

Failure RunControl::failure(const std::string &place) const {
  if ((word.load() & StateMask) == Late)
    return {Code::DeadlinePassed,
            "session",
            "the deadline of the run has passed",
            "its end before that",
            place + ", " +
                std::to_string((monotonicNow() - limits.deadline) / 1'000'000) +
                " ms behind it",
            "give the run more time, or less to do"};
  return {Code::RunCancelled,
          "session",
          "the run was cancelled",
          "its end",
          place,
          "run it again: outputs are unspecified, states have no new rows"};
}
