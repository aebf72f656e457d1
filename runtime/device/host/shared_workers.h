//===- shared_workers.h - Workers of several sessions -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region runs one function for worker numbers 0 to n-1, its shares. Any number of
// regions may be open. Each one's caller takes shares until none is left, so that none
// waits for a worker, and workers that are free take one share of each open region in
// turn.
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
  /// Runs body(context, w); must not throw.
  using Body = void (*)(void *context, uint32_t worker);

  struct Settings {
    uint32_t threads = 1;       ///< with the caller's
    std::vector<uint32_t> cpus; ///< of the first worker, the second ...; empty: any
    int nice = 0;               ///< 0: the caller's
    int policy = 0, priority = 0;
  };

  /// Makes the threads; fewer if the system refuses some. Errors: KILN-E0001.
  static Status create(const Settings &settings, std::unique_ptr<SharedWorkers> &out);
  ~SharedWorkers();
  SharedWorkers(const SharedWorkers &) = delete;
  SharedWorkers &operator=(const SharedWorkers &) = delete;

  /// Threads of a region at most, the caller's included.
  uint32_t size() const { return threads; }

  /// Calls body for every worker in [0, workers) and returns when all have returned. For
  /// any number of threads at once.
  void run(uint32_t workers, Body body, void *context) noexcept;

  /// While any is alive, workers spin longer: another region will come soon.
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
  std::atomic<Crew *> crew{nullptr}; ///< of the process that made it
  std::atomic<uint32_t> active{0};
};

} // namespace kiln::rt

/// Owned by the caller and by the sessions that use it.
struct kiln_workers {
  std::atomic<uint64_t> references{1};
  std::unique_ptr<kiln::rt::SharedWorkers> shared;
};

#endif // KILN_DEVICE_HOST_SHARED_WORKERS_H
