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

namespace kiln::rt {

/// A session is used by one thread at a time; a second one is told so.
class BusyGuard {
public:
  explicit BusyGuard(std::atomic<bool> &busy)
      : busy(busy), mine(!busy.exchange(true, std::memory_order_acquire)) {}
  ~BusyGuard() {
    if (mine)
      busy.store(false, std::memory_order_release);
  }
  Status check() const {
    if (mine)
      return {};
    return Failure{Code::SessionBusy,
                   "session",
                   "another thread is using it",
                   "one caller at a time",
                   "two",
                   "create one session per thread; they share the model"};
  }

private:
  std::atomic<bool> &busy;
  bool mine;
};

} // namespace kiln::rt

#endif // KILN_SESSION_BUSY_GUARD_H
