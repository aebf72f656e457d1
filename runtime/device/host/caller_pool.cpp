//===- caller_pool.cpp - Parallel regions in the caller's threads ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/host/caller_pool.h"
#include <sched.h>

using namespace kiln::rt;

CallerPool::CallerPool(kiln_parallel_for run, void *user, uint32_t threads)
    : parallelFor(run), user(user),
      marks(run ? std::make_unique<Mark[]>(threads) : nullptr) {}

/// Runs a worker on a thread of the caller. A faulty parallel_for may call it with a
/// wrong worker number, twice for one worker, or after the region has ended.
void CallerPool::runMarked(void *argument, uint32_t worker) {
  auto &pool = *static_cast<CallerPool *>(argument);
  if (!pool.isOpen.load(std::memory_order_acquire))
    return;
  if (worker >= pool.workers ||
      pool.marks[worker].begun.exchange(pool.number) == pool.number) {
    pool.wrongCall.store(uint64_t{worker} + 1);
    return;
  }
  pool.body(pool.context, worker);
  pool.marks[worker].ended.store(pool.number, std::memory_order_release);
}

Status CallerPool::run(uint32_t count, Body wanted, void *argument) {
  ++number;
  workers = count;
  body = wanted;
  context = argument;
  wrongCall.store(0, std::memory_order_relaxed);
  isOpen.store(true, std::memory_order_release);
  parallelFor(user, count, runMarked, this);
  isOpen.store(false, std::memory_order_release);
  Status checked = check();
  // Workers that still run use memory of this run, so wait for them.
  for (uint32_t w = 0; w < count && !checked.ok(); ++w)
    while (marks[w].begun.load() == number && marks[w].ended.load() != number)
      sched_yield();
  return checked;
}

Status CallerPool::check() const {
  std::string found;
  if (uint64_t wrong = wrongCall.load())
    found = "worker " + std::to_string(wrong - 1) +
            (wrong > workers ? ", which there is not" : " twice");
  for (uint32_t w = 0; w < workers && found.empty(); ++w)
    if (marks[w].begun.load(std::memory_order_acquire) != number)
      found = "worker " + std::to_string(w) + " not called";
    else if (marks[w].ended.load(std::memory_order_acquire) != number)
      found = "a return while worker " + std::to_string(w) + " ran";
  if (found.empty())
    return {};
  return Failure{Code::ParallelForBroken,
                 "parallel_for",
                 "it does not run every worker once",
                 "workers 0 to " + std::to_string(workers - 1) +
                     " once each, and a return behind all of them",
                 found,
                 "call body once for each number below workers, and wait for all calls"};
}
