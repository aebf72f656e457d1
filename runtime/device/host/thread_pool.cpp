//===- thread_pool.cpp - Parallel regions on the host ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sleeping without lost wake-ups: a worker first says that it sleeps, then looks
// for a ticket once more, then waits; a caller first writes the ticket, then
// looks whether the worker sleeps. Both orders are sequentially consistent, so
// at least one of them sees the other.
//
//===----------------------------------------------------------------------===//
#include "runtime/device/host/thread_pool.h"
#include "runtime/base/cpu_limits.h"
#include "runtime/base/signals_blocked.h"
#include <algorithm>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace kiln::rt;

// In pauses of 20 to 60 ns: about a millisecond while a model runs, some tens of
// microseconds after it, which bridges the gap between two requests of a loop.
static constexpr uint32_t spinsWhileActive = 20000;
static constexpr uint32_t spinsWhileIdle = 1000;

// A ticket is a counter of steps, and a bit while the worker's share of the
// region is there to be claimed, by the worker or by the caller.
static constexpr uint32_t offered = 1;
static constexpr uint32_t step = 2;

static constexpr size_t stackBytes = 512 * 1024;

/// One step of a spinning loop, the `spins`-th. A thread that has waited for
/// long may be waiting for one that needs its CPU, so it steps aside at times.
static void spinPause(uint32_t spins) {
#if defined(__x86_64__)
  _mm_pause();
#endif
  if (spins > spinsWhileIdle && spins % 256 == 0)
    sched_yield();
}

static void setDefaultFloatEnvironment() {
#if defined(__x86_64__)
  _mm_setcsr(0x1f80); // round to nearest, denormals kept, no traps
#endif
}

static void futexWait(std::atomic<uint32_t> &word, uint32_t value) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}

static void futexWake(std::atomic<uint32_t> &word) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

static std::atomic<ThreadPool *> processPool{nullptr};

ThreadPool &ThreadPool::process() {
  ThreadPool *pool = processPool.load(std::memory_order_acquire);
  if (pool)
    return *pool;
  static pthread_mutex_t creation = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&creation);
  pool = processPool.load(std::memory_order_acquire);
  if (!pool) {
    [[maybe_unused]] static const int registered =
        pthread_atfork(nullptr, nullptr, +[] { processPool.store(nullptr); });
    pool = new ThreadPool(allowedCpuCount());
    processPool.store(pool, std::memory_order_release);
  }
  pthread_mutex_unlock(&creation);
  return *pool;
}

ThreadPool::ThreadPool(uint32_t threads) {
  uint32_t wanted = std::min(std::max(threads, 1u), 4096u) - 1;
  workers = std::make_unique<Worker[]>(wanted);
  SignalsBlocked blocked;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  for (uint32_t i = 0; i < wanted; ++i) {
    Worker &w = workers[i];
    w.pool = this;
    w.number = i + 1;
    if (pthread_create(&w.thread, &attributes, main, &w) != 0)
      break;
    ++workerCount;
  }
  pthread_attr_destroy(&attributes);
}

ThreadPool::~ThreadPool() {
  stopping.store(true);
  for (uint32_t i = 0; i < workerCount; ++i) {
    workers[i].ticket.fetch_add(step);
    futexWake(workers[i].ticket);
    pthread_join(workers[i].thread, nullptr);
  }
}

void *ThreadPool::main(void *argument) {
  Worker &worker = *static_cast<Worker *>(argument);
  setDefaultFloatEnvironment();
  worker.threadId.store(static_cast<pid_t>(syscall(SYS_gettid)), std::memory_order_release);
  worker.pool->loop(worker);
  return nullptr;
}

void ThreadPool::loop(Worker &worker) {
  while (awaitShare(worker)) {
    returnToOwnCpus(worker);
    runShare(worker.number);
    finishShare();
  }
}

bool ThreadPool::claim(Worker &worker) {
  uint32_t ticket = worker.ticket.load(std::memory_order_acquire);
  return (ticket & offered) && worker.ticket.compare_exchange_strong(
                                   ticket, ticket & ~offered, std::memory_order_acquire);
}

/// Returns with the worker's share claimed, or false at the end.
bool ThreadPool::awaitShare(Worker &worker) {
  for (uint32_t spins = 0;; ++spins) {
    if (claim(worker))
      return true;
    if (stopping.load(std::memory_order_relaxed))
      return false;
    bool mayBeSoon = spins < spinsWhileIdle ||
                     (spins < spinsWhileActive && active.load(std::memory_order_relaxed));
    if (mayBeSoon) {
      spinPause(spins);
      continue;
    }
    sleep(worker);
    spins = 0;
  }
}

void ThreadPool::sleep(Worker &worker) {
  worker.sleeping.store(1, std::memory_order_seq_cst);
  uint32_t ticket = worker.ticket.load(std::memory_order_seq_cst);
  if (!(ticket & offered) && !worker.pool->stopping.load(std::memory_order_seq_cst))
    futexWait(worker.ticket, ticket);
  worker.sleeping.store(0, std::memory_order_relaxed);
}

/// The scheduler likes to put a woken thread on the CPU of the one that wakes it, in virtual
/// machines even while others idle: their halted CPUs do not count as idle. The caller goes on
/// computing there, so the worker would only begin when the caller is done.
void ThreadPool::wake(Worker &worker) {
  keepAway(worker);
  futexWake(worker.ticket);
}

/// Takes the caller's CPU from the worker's until it runs; where that is its only one, or the
/// system refuses, everything stays as it is.
void ThreadPool::keepAway(Worker &worker) {
  pid_t thread = worker.threadId.load(std::memory_order_acquire);
  int here = sched_getcpu();
  // Kept away already: this worker has been woken and has not begun to run.
  if (!thread || here < 0 || here >= CPU_SETSIZE || worker.keptAway.load(std::memory_order_acquire))
    return;
  cpu_set_t own;
  if (sched_getaffinity(thread, sizeof own, &own) != 0 || !CPU_ISSET(here, &own) || CPU_COUNT(&own) < 2)
    return;
  worker.ownCpus = own;
  CPU_CLR(here, &own);
  // Said when it is done: a worker that wakes up by itself meanwhile must not return before it was sent.
  if (sched_setaffinity(thread, sizeof own, &own) == 0)
    worker.keptAway.store(1, std::memory_order_release);
}

void ThreadPool::returnToOwnCpus(Worker &worker) {
  if (!worker.keptAway.load(std::memory_order_acquire))
    return;
  sched_setaffinity(0, sizeof worker.ownCpus, &worker.ownCpus);
  worker.keptAway.store(0, std::memory_order_release);
}

/// Worker numbers are shared out among the region's threads in contiguous runs;
/// normally each thread has one.
void ThreadPool::runShare(uint32_t number) {
  uint64_t n = regionWorkers, threads = regionThreads;
  uint32_t begin = static_cast<uint32_t>(n * number / threads);
  uint32_t end = static_cast<uint32_t>(n * (number + 1) / threads);
  for (uint32_t w = begin; w < end; ++w)
    body(context, w);
}

void ThreadPool::finishShare() {
  if (pending.fetch_sub(1, std::memory_order_seq_cst) == 1 &&
      callerSleeping.load(std::memory_order_seq_cst))
    futexWake(pending);
}

void ThreadPool::awaitWorkers() {
  uint32_t left;
  for (uint32_t spins = 0; spins < spinsWhileActive; ++spins) {
    if (pending.load(std::memory_order_acquire) == 0)
      return;
    spinPause(spins);
  }
  callerSleeping.store(1, std::memory_order_seq_cst);
  while ((left = pending.load(std::memory_order_seq_cst)) != 0)
    futexWait(pending, left);
  callerSleeping.store(0, std::memory_order_relaxed);
}

void ThreadPool::run(uint32_t count, Body function, void *argument) noexcept {
  uint32_t threads = std::min(count, size());
  if (threads < 2 || busy.exchange(1, std::memory_order_acquire)) {
    for (uint32_t w = 0; w < count; ++w)
      function(argument, w);
    return;
  }
  body = function;
  context = argument;
  regionWorkers = count;
  regionThreads = threads;
  pending.store(threads - 1, std::memory_order_relaxed);
  for (uint32_t i = 0; i + 1 < threads; ++i)
    workers[i].ticket.fetch_add(step | offered, std::memory_order_seq_cst);
  for (uint32_t i = 0; i + 1 < threads; ++i)
    if (workers[i].sleeping.load(std::memory_order_seq_cst))
      wake(workers[i]);
  runShare(0);
  // A worker that has not begun by now is asleep or has lost its CPU: its share
  // is done sooner here than it would be awaited.
  for (uint32_t i = 0; i + 1 < threads && pending.load(std::memory_order_relaxed); ++i)
    if (claim(workers[i])) {
      runShare(i + 1);
      finishShare();
    }
  awaitWorkers();
  busy.store(0, std::memory_order_release);
}
