//===- busy_guard.h - One caller at a time ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SESSION_BUSY_GUARD_H
#define KILN_SESSION_BUSY_GUARD_H

#include "runtime/base/status.h"
#include <atomic>
#include <cstdint>
#include <sched.h>

namespace kiln::rt {

/// Current user of a session.
enum class Use : uint8_t { None, Caller, Reader };

/// Guards a session, which only one thread may use at a time; a second one gets an error.
class BusyGuard {
public:
  explicit BusyGuard(std::atomic<Use> &use, Use wanted = Use::Caller) : use(use) {
    // A reader finishes within microseconds, so wait for it instead of failing.
    Use found = Use::None;
    while (!use.compare_exchange_weak(found, wanted, std::memory_order_acquire)) {
      if (found == Use::Caller)
        return;
      if (found == Use::Reader)
        sched_yield();
      found = Use::None;
    }
    mine = true;
  }
  ~BusyGuard() {
    if (mine)
      use.store(Use::None, std::memory_order_release);
  }
  BusyGuard(const BusyGuard &) = delete;
  BusyGuard &operator=(const BusyGuard &) = delete;
  Status check() const {
    if (mine)
      return {};
    return Failure{Code::SessionBusy,
                   "session",
                   "another thread is using it",
                   "one caller at a time",
                   "two",
                   "create one session per thread, or a pool of them (kiln.Pool, "
                   "kiln/pool.hpp); they share the model"};
  }

private:
  std::atomic<Use> &use;
  bool mine = false;
};

/// Guard for reading results of the last run: fails during a run, but does not make a run
/// fail.
struct ReadGuard : BusyGuard {
  explicit ReadGuard(std::atomic<Use> &use) : BusyGuard(use, Use::Reader) {}
};

} // namespace kiln::rt

#endif // KILN_SESSION_BUSY_GUARD_H
