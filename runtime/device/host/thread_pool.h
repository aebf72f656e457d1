//===- thread_pool.h - Parallel regions on the host -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread pool for one region at a time. A region calls one function with worker
// numbers 0 to n-1. The caller takes part, and when its own calls are done, takes over
// those of workers that have not started. Workers spin for a while after a region, so
// that the next one starts within a fraction of a microsecond, then sleep on a futex. A
// sleeping worker is woken on another CPU than its caller's.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_HOST_THREAD_POOL_H
#define KILN_DEVICE_HOST_THREAD_POOL_H

#include "runtime/device/host/keep_away.h"
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <pthread.h>
#include <type_traits>

namespace kiln::rt {

class ThreadPool {
public:
  /// Function body(context, worker), which must not throw.
  using Body = void (*)(void *context, uint32_t worker);

  /// Returns the pool of the process, with a worker for every allowed CPU but one. It is
  /// never destroyed, as threads may still run at exit. A forked child, which has none of
  /// its parent's threads, gets a new pool.
  static ThreadPool &process();

  /// threads: including the caller; fewer if the system refuses some.
  explicit ThreadPool(uint32_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  /// Max threads of a region, including the caller.
  uint32_t size() const { return workerCount + 1; }

  /// Calls body for every worker in [0, workers) and returns when all calls have
  /// returned. At most size() of them run at once. While another thread uses the pool,
  /// the caller runs all calls itself: in a busy process with several sessions that is as
  /// fast as waiting, and never blocks.
  void run(uint32_t workers, Body body, void *context) noexcept;

  /// Runs a region as above, but passes each thread a copy of the context. The copy is in
  /// the cache line that announces the region, so the worker need not read a line of the
  /// caller.
  template <class Context>
  void runWithCopies(uint32_t workers, Body body, const Context &context) noexcept {
    static_assert(std::is_trivially_copyable_v<Context>);
    Offer own;
    static_assert(sizeof context <= sizeof own.context);
    own.workers = workers;
    own.body = body;
    std::memcpy(own.context, &context, sizeof context);
    run(own);
  }
  static constexpr size_t maxCopiedBytes = 48;

  /// While an instance is alive, workers spin longer, as another region will follow soon.
  class ActiveScope {
  public:
    explicit ActiveScope(ThreadPool &pool) : pool(pool) {
      pool.active.fetch_add(1, std::memory_order_relaxed);
    }
    ~ActiveScope() { pool.active.fetch_sub(1, std::memory_order_relaxed); }

  private:
    ThreadPool &pool;
  };

private:
  /// Cache line that describes a region to a worker: the caller writes it, the worker
  /// polls it.
  struct alignas(64) Offer {
    std::atomic<uint32_t> epoch{0}; ///< incremented for each region
    uint32_t workers = 0;           ///< calls of body, in all threads
    Body body = nullptr;
    alignas(8) unsigned char context[maxCopiedBytes] = {};
  };
  static_assert(sizeof(Offer) == 64);

  struct Worker {
    Offer offer;
    // The last epochs that the worker has finished and started; written by the worker.
    // Callers wait for `finished` and rarely read `started`, so that the worker's write
    // of it rarely misses the cache.
    alignas(64) std::atomic<uint32_t> finished{0};
    alignas(64) std::atomic<uint32_t> started{0};
    /// An epoch and a Takeover; written by the caller.
    alignas(64) std::atomic<uint64_t> takeover{0};
    /// Whether the worker may be in the futex. The caller reads it in every region, and
    /// the worker rarely writes it.
    alignas(64) std::atomic<uint32_t> sleeping{0};
    ThreadPool *pool = nullptr;
    uint32_t number = 0;
    pthread_t thread{};
    KeepAway keepAway;
  };
  void run(Offer &own) noexcept;

  enum Takeover : uint64_t { Asked, Taken, Withdrawn };

  static void *main(void *worker);
  void loop(Worker &worker);
  bool awaitEpoch(Worker &worker, uint32_t last);
  static bool begin(Worker &worker, uint32_t epoch);
  static bool takeOver(Worker &worker);
  static void sleep(Worker &worker, uint32_t last);
  void runShare(Offer &offer, uint32_t number);
  void takeOverIdleShares(uint32_t count);
  void finish(Worker &worker, uint32_t epoch);
  void await(Worker &worker);

  std::unique_ptr<Worker[]> workers;
  uint32_t workerCount = 0;

  // In separate cache lines: the caller writes `busy` in every region, and waiting
  // workers poll `active`.
  alignas(64) std::atomic<uint32_t> busy{0};
  alignas(64) std::atomic<uint32_t> active{0};
  std::atomic<bool> stopping{false};
  std::atomic<uint32_t> callerSleeping{0};
};

} // namespace kiln::rt

#endif // KILN_DEVICE_HOST_THREAD_POOL_H
