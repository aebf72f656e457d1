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

/// Who uses a session.
enum class Use : uint8_t { None, Caller, Reader };

/// A session is used by one thread at a time; a second one is told so.
class BusyGuard {
public:
  explicit BusyGuard(std::atomic<Use> &use, Use wanted = Use::Caller) : use(use) {
    // A reader is done within microseconds, and no reason to fail.
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

/// Looks at what a run leaves behind: fails during a run, and makes none fail.
struct ReadGuard : BusyGuard {
  explicit ReadGuard(std::atomic<Use> &use) : BusyGuard(use, Use::Reader) {}
};

} // namespace kiln::rt

#endif // KILN_SESSION_BUSY_GUARD_H
