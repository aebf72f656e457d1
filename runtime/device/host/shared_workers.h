//===- shared_workers.h - Workers of several sessions -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads for any number of concurrent regions. A region calls one function with worker
// numbers 0 to n-1. Its caller runs calls until none is left, so it never waits for a
// worker to start, and free workers take one call of each open region in rotation.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_HOST_SHARED_WORKERS_H
#define KILN_DEVICE_HOST_SHARED_WORKERS_H

#include "runtime/base/status.h"
#include <atomic>
#include <vector>

namespace kiln::rt {

class SharedWorkers {
public:
  /// Function body(context, worker), which must not throw.
  using Body = void (*)(void *context, uint32_t worker);

  struct Settings {
    uint32_t threads = 1;       ///< including the caller
    std::vector<uint32_t> cpus; ///< CPU of each worker; empty: any
    int nice = 0;               ///< niceness of the workers; 0: the caller's
    int policy = 0, priority = 0;
  };

  /// Creates the threads; fewer if the system refuses some. Errors: KILN-E0001.
  static Status create(const Settings &settings, std::unique_ptr<SharedWorkers> &out);
  ~SharedWorkers();
  SharedWorkers(const SharedWorkers &) = delete;
  SharedWorkers &operator=(const SharedWorkers &) = delete;

  /// Max threads of a region, including the caller.
  uint32_t size() const { return threads; }

  /// Calls body for every worker in [0, workers) and returns when all calls have
  /// returned. Thread-safe.
  void run(uint32_t workers, Body body, void *context) noexcept;

  /// While an instance is alive, workers spin longer, as another region will follow soon.
  class ActiveScope {
  public:
    explicit ActiveScope(SharedWorkers &workers) : workers(workers) { ++workers.active; }
    ~ActiveScope() { --workers.active; }

  private:
    SharedWorkers &workers;
  };

private:
  class Crew;
  explicit SharedWorkers(const Settings &settings) : settings(settings) {}
  Crew *crewOfProcess() noexcept;

  Settings settings;
  uint32_t threads = 1;
  std::atomic<Crew *> crew{nullptr}; ///< threads of the process that created them
  std::atomic<uint32_t> active{0};
};

} // namespace kiln::rt

/// Workers of the C interface; the caller and the sessions that use them hold references.
struct kiln_workers {
  std::atomic<uint64_t> references{1};
  std::unique_ptr<kiln::rt::SharedWorkers> shared;
};

#endif // KILN_DEVICE_HOST_SHARED_WORKERS_H
