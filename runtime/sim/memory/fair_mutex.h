//===- fair_mutex.h - A mutex that is granted in order -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_MEMORY_FAIR_MUTEX_H
#define KILN_SIM_MEMORY_FAIR_MUTEX_H

#include <atomic>
#include <cstdint>

namespace kiln::sim {

/// Grants the mutex in the order of requests. With std::mutex a thread that unlocks and
/// locks again, as one with spinning warps does, may starve another for seconds.
class FairMutex {
public:
  void lock() {
    uint32_t mine = asked.fetch_add(1, std::memory_order_relaxed);
    for (uint32_t now; (now = served.load(std::memory_order_acquire)) != mine;)
      served.wait(now, std::memory_order_relaxed);
  }
  void unlock() {
    served.fetch_add(1, std::memory_order_release);
    served.notify_all();
  }

private:
  std::atomic<uint32_t> asked = 0, served = 0;
};

} // namespace kiln::sim

#endif // KILN_SIM_MEMORY_FAIR_MUTEX_H
