//===- thread_pool.h - Parallel regions on the host -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region runs one function for worker numbers 0 to n-1. The caller takes part,
// and takes over the share of any worker that has not begun when its own is done.
// Workers spin for a while after a region, so that the next one starts within a
// fraction of a microsecond, then sleep on a futex. A sleeping worker is woken on
// another CPU than its caller's.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_HOST_THREAD_POOL_H
#define KILN_DEVICE_HOST_THREAD_POOL_H

#include <atomic>
#include <cstdint>
#include <memory>
#include <pthread.h>
#include <sched.h>
#include <sys/types.h>

namespace kiln::rt {

class ThreadPool {
public:
  /// Runs body(context, w); must not throw.
  using Body = void (*)(void *context, uint32_t worker);

  /// The pool of the process, with a worker for every allowed CPU but one. It
  /// is never destroyed: threads may still run at exit. In a forked child, which
  /// has none of its parent's threads, a new one.
  static ThreadPool &process();

  /// threads: with the caller's. Fewer if the system refuses some.
  explicit ThreadPool(uint32_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  /// Threads of a region at most, the caller's included.
  uint32_t size() const { return workerCount + 1; }

  /// Calls body for every worker in [0, workers) and returns when all have
  /// returned. At most size() of them run at once. If another thread uses the
  /// pool at that moment the caller runs them all by itself: for the several
  /// sessions of a busy process that is as good as waiting, and never blocks.
  void run(uint32_t workers, Body body, void *context) noexcept;

  /// While any is alive, workers spin longer: another region will come soon.
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
  struct alignas(64) Worker {
    std::atomic<uint32_t> ticket{0}; ///< changes when there is work
    /// The worker may be in the futex. In a line of its own: the caller looks at it
    /// in every region, and the worker hardly ever writes it.
    alignas(64) std::atomic<uint32_t> sleeping{0};
    ThreadPool *pool = nullptr;
    uint32_t number = 0;
    pthread_t thread{};
    /// 0 until the thread has begun.
    std::atomic<pid_t> threadId{0};
    /// The CPUs to return to, set by a caller that keeps the worker off its own while it wakes it.
    cpu_set_t ownCpus{};
    std::atomic<uint32_t> keptAway{0};
  };

  static void *main(void *worker);
  void loop(Worker &worker);
  static bool claim(Worker &worker);
  bool awaitShare(Worker &worker);
  static void sleep(Worker &worker);
  static void wake(Worker &worker);
  static void keepAway(Worker &worker);
  static void returnToOwnCpus(Worker &worker);
  void runShare(uint32_t number);
  void finishShare();
  void awaitWorkers();

  std::unique_ptr<Worker[]> workers;
  uint32_t workerCount = 0;

  // The region at hand, in a line that waiting workers do not read; written by the caller
  // before it hands out tickets.
  alignas(64) Body body = nullptr;
  void *context = nullptr;
  uint32_t regionWorkers = 0; ///< calls of body
  uint32_t regionThreads = 0; ///< threads that share them

  // Lines apart: the caller writes the first in every region, waiting workers read
  // the second all the time, both write the third.
  alignas(64) std::atomic<uint32_t> busy{0};
  alignas(64) std::atomic<uint32_t> active{0};
  std::atomic<bool> stopping{false};
  alignas(64) std::atomic<uint32_t> pending{0};
  std::atomic<uint32_t> callerSleeping{0};
};

} // namespace kiln::rt

#endif // KILN_DEVICE_HOST_THREAD_POOL_H
