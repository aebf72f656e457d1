//===- thread_pool.cpp - Parallel regions on the host ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading a cache line that another core has written takes 50 to 250 ns (Zen 5, cores of
// one or of two L3 caches), and a layer of a decoder has five regions of some
// microseconds each. So a region transfers only two cache lines per worker: the offer,
// with all that a worker needs, and the word by which the worker reports that it has
// finished. All other synchronization uses lines that normally stay with the core that
// writes them.
//
// Takeover of a late worker's calls: the worker announces that it has started, then
// checks whether the caller requests its calls; the caller requests them, then checks
// whether the worker has started. All of these are sequentially consistent, so at least
// one of the two sees the other. A caller that sees the worker withdraws; a worker that
// sees the caller waits for its decision.
//
// Sleeping: a worker announces that it sleeps, checks again for a new epoch, and waits.
// A caller that does not see the announcement yet wakes no one; it takes over the
// worker's calls, and wakes the worker in the next region.
//
//===----------------------------------------------------------------------===//
#include "runtime/device/host/thread_pool.h"
#include "runtime/base/cpu_limits.h"
#include "runtime/base/log.h"
#include "runtime/base/signals_blocked.h"
#include "runtime/base/thread_name.h"
#include "runtime/device/host/waiting.h"
#include <algorithm>
#include <cstring>

using namespace kiln::rt;

// Pauses within which a worker that is awake has started; one that has not has lost its
// CPU.
static constexpr uint32_t spinsBeforeTakeover = 64;

static uint64_t takeoverOf(uint32_t epoch, uint64_t what) {
  return uint64_t{epoch} << 2 | what;
}

static std::atomic<ThreadPool *> processPool{nullptr};
[[maybe_unused]] static const int forkHandler =
    pthread_atfork(nullptr, nullptr, +[] { processPool.store(nullptr); });

/// Returns the pool. Uses no lock, which a thread that runs out of memory, or a fork in
/// another thread, could leave locked: concurrent threads may all create a pool, and one
/// of these is kept.
ThreadPool &ThreadPool::process() {
  ThreadPool *pool = processPool.load(std::memory_order_acquire);
  if (pool)
    return *pool;
  uint32_t wanted = allowedCpuCount();
  auto made = std::make_unique<ThreadPool>(wanted);
  bool hasFewer = made->size() < wanted;
  if (!processPool.compare_exchange_strong(pool, made.get()))
    return *pool;
  pool = made.release();
  if (hasFewer && isLogged())
    writeLog(KILN_LOG_WARNING, "kiln.threads.fewer",
             "the system starts no more threads: runs have " +
                 std::to_string(pool->size()) + " in place of " + std::to_string(wanted),
             {{"kiln.threads", double(pool->size())},
              {"kiln.threads.wanted", double(wanted)}});
  return *pool;
}

ThreadPool::ThreadPool(uint32_t threads) {
  uint32_t wanted = std::min(std::max(threads, 1u), 4096u) - 1;
  workers = std::make_unique<Worker[]>(wanted);
  SignalsBlocked blocked;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, workerStackBytes);
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
    workers[i].offer.epoch.fetch_add(1);
    futexWake(workers[i].offer.epoch);
    pthread_join(workers[i].thread, nullptr);
  }
}

void *ThreadPool::main(void *argument) {
  Worker &worker = *static_cast<Worker *>(argument);
  setDefaultFloatEnvironment();
  nameThread("kiln-w", worker.number);
  worker.keepAway.noteThread();
  worker.pool->loop(worker);
  return nullptr;
}

void ThreadPool::loop(Worker &worker) {
  for (uint32_t epoch = 0; awaitEpoch(worker, epoch);) {
    epoch = worker.offer.epoch.load(std::memory_order_acquire);
    bool hasBegun = begin(worker, epoch); // first, as the caller polls it
    worker.keepAway.returnToOwnCpus();
    if (!hasBegun)
      continue;
    runShare(worker.offer, worker.number);
    finish(worker, epoch);
  }
}

/// Waits for another epoch than the last; returns false when the pool ends.
bool ThreadPool::awaitEpoch(Worker &worker, uint32_t last) {
  for (uint32_t spins = 0;; ++spins) {
    bool isNew = worker.offer.epoch.load(std::memory_order_acquire) != last;
    if (stopping.load(std::memory_order_relaxed))
      return false;
    if (isNew)
      return true;
    bool mayBeSoon = spins < spinsWhileIdle ||
                     (spins < spinsWhileActive && active.load(std::memory_order_relaxed));
    if (mayBeSoon) {
      spinPause(spins);
      continue;
    }
    sleep(worker, last);
    spins = 0;
  }
}

void ThreadPool::sleep(Worker &worker, uint32_t last) {
  worker.sleeping.store(1, std::memory_order_seq_cst);
  if (worker.offer.epoch.load(std::memory_order_seq_cst) == last &&
      !worker.pool->stopping.load(std::memory_order_seq_cst))
    futexWait(worker.offer.epoch, last);
  worker.sleeping.store(0, std::memory_order_relaxed);
}

/// Called by the worker: returns whether it runs its calls of a region. False if the
/// caller has taken them over, or has begun a later region.
bool ThreadPool::begin(Worker &worker, uint32_t epoch) {
  worker.started.exchange(epoch, std::memory_order_seq_cst);
  const uint64_t asked = takeoverOf(epoch, Asked), taken = takeoverOf(epoch, Taken);
  uint64_t found;
  for (uint32_t spins = 0;
       (found = worker.takeover.load(std::memory_order_seq_cst)) == asked; ++spins)
    spinPause(spins);
  return found != taken && worker.offer.epoch.load(std::memory_order_acquire) == epoch;
}

/// Called by the caller of a region: takes over the calls of a worker that has not
/// started. Returns whether the caller must run them.
bool ThreadPool::takeOver(Worker &worker) {
  uint32_t epoch = worker.offer.epoch.load(std::memory_order_relaxed);
  worker.takeover.store(takeoverOf(epoch, Asked), std::memory_order_seq_cst);
  bool isTaken = worker.started.load(std::memory_order_seq_cst) != epoch;
  worker.takeover.store(takeoverOf(epoch, isTaken ? Taken : Withdrawn),
                        std::memory_order_seq_cst);
  return isTaken;
}

/// Runs a thread's contiguous range of the region's worker numbers, normally one.
void ThreadPool::runShare(Offer &offer, uint32_t number) {
  uint64_t n = offer.workers, threads = std::min(offer.workers, size());
  uint32_t begin = static_cast<uint32_t>(n * number / threads);
  uint32_t end = static_cast<uint32_t>(n * (number + 1) / threads);
  for (uint32_t w = begin; w < end; ++w)
    offer.body(offer.context, w);
}

void ThreadPool::finish(Worker &worker, uint32_t epoch) {
  worker.finished.store(epoch, std::memory_order_seq_cst);
  if (callerSleeping.load(std::memory_order_seq_cst))
    futexWake(worker.finished);
}

/// Runs the calls of workers that have not started: such a worker is asleep or has lost
/// its CPU, and waiting for it would take longer.
void ThreadPool::takeOverIdleShares(uint32_t count) {
  uint32_t spins = 0;
  for (uint32_t i = 0; i < count; ++i) {
    Worker &worker = workers[i];
    uint32_t epoch = worker.offer.epoch.load(std::memory_order_relaxed);
    auto isFinished = [&] {
      return worker.finished.load(std::memory_order_acquire) == epoch;
    };
    auto mayBegin = [&] {
      return spins < spinsBeforeTakeover &&
             !worker.sleeping.load(std::memory_order_relaxed);
    };
    for (; !isFinished() && mayBegin(); ++spins)
      spinPause(spins);
    if (isFinished() || !takeOver(worker))
      continue;
    runShare(worker.offer, worker.number);
    worker.finished.store(epoch, std::memory_order_relaxed); // in place of the worker
  }
}

void ThreadPool::await(Worker &worker) {
  uint32_t epoch = worker.offer.epoch.load(std::memory_order_relaxed);
  for (uint32_t spins = 0; spins < spinsWhileActive; ++spins) {
    if (worker.finished.load(std::memory_order_acquire) == epoch)
      return;
    spinPause(spins);
  }
  callerSleeping.store(1, std::memory_order_seq_cst);
  for (uint32_t found;
       (found = worker.finished.load(std::memory_order_seq_cst)) != epoch;)
    futexWait(worker.finished, found);
  callerSleeping.store(0, std::memory_order_relaxed);
}

namespace {
struct ByPointer {
  ThreadPool::Body body;
  void *context;
};
} // namespace

void ThreadPool::run(uint32_t count, Body body, void *context) noexcept {
  ByPointer call{body, context};
  auto follow = +[](void *argument, uint32_t worker) {
    auto &call = *static_cast<const ByPointer *>(argument);
    call.body(call.context, worker);
  };
  runWithCopies(count, follow, call);
}

void ThreadPool::run(Offer &own) noexcept {
  uint32_t count = own.workers;
  uint32_t others = std::min(count, size()) - 1;
  if (count < 2 || !others || busy.exchange(1, std::memory_order_acquire)) {
    for (uint32_t w = 0; w < count; ++w)
      own.body(own.context, w);
    return;
  }
  for (uint32_t i = 0; i < others; ++i) {
    Offer &offer = workers[i].offer;
    offer.workers = count;
    offer.body = own.body;
    std::memcpy(offer.context, own.context, maxCopiedBytes);
    // Only this thread writes the epoch while the pool is alive.
    uint32_t next = offer.epoch.load(std::memory_order_relaxed) + 1;
    offer.epoch.store(next, std::memory_order_release);
  }
  for (uint32_t i = 0; i < others; ++i)
    if (workers[i].sleeping.load(std::memory_order_seq_cst)) {
      workers[i].keepAway.sendAway();
      futexWake(workers[i].offer.epoch);
    }
  runShare(own, 0);
  takeOverIdleShares(others);
  for (uint32_t i = 0; i < others; ++i)
    await(workers[i]);
  busy.store(0, std::memory_order_release);
}
