//===- caller_pool.h - Parallel regions in the caller's threads -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs regions on the caller's threads and checks that all tasks have run: a pool that
// is shutting down, or a loop that is off by one, would leave out tasks, and the results
// would be plausible. Each worker leaves a mark, in its own cache line, before and after
// its tasks, and the region ends with a check of all marks.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_HOST_CALLER_POOL_H
#define KILN_DEVICE_HOST_CALLER_POOL_H

#include "runtime/base/status.h"
#include <atomic>
#include <memory>

namespace kiln::rt {

/// Runs regions by the parallel_for of kiln_session_options.
class CallerPool {
public:
  using Body = void (*)(void *context, uint32_t worker);

  /// run: NULL if the caller has no parallel_for.
  CallerPool(kiln_parallel_for run, void *user, uint32_t threads);
  explicit operator bool() const { return parallelFor; }

  /// Calls body for every worker in [0, workers), on at most `threads` threads. Errors:
  /// KILN-E0622.
  Status run(uint32_t workers, Body body, void *context);

private:
  /// Numbers of the regions that a worker has last begun and last ended.
  struct alignas(64) Mark {
    std::atomic<uint32_t> begun{0}, ended{0};
  };
  static void runMarked(void *pool, uint32_t worker);
  Status check() const;

  kiln_parallel_for parallelFor;
  void *user;
  std::unique_ptr<Mark[]> marks;
  // The current region.
  uint32_t number = 0;
  uint32_t workers = 0;
  Body body = nullptr;
  void *context = nullptr;
  std::atomic<bool> isOpen{false};
  std::atomic<uint64_t> wrongCall{0}; ///< invalid worker number that was passed, plus 1
};

} // namespace kiln::rt

#endif // KILN_DEVICE_HOST_CALLER_POOL_H
