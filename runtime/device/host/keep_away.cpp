//===- keep_away.cpp - Where a thread wakes up ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/host/keep_away.h"
#include <sys/syscall.h>
#include <unistd.h>

using namespace kiln::rt;

void KeepAway::noteThread() {
  threadId.store(static_cast<pid_t>(syscall(SYS_gettid)), std::memory_order_release);
}

void KeepAway::sendAway() {
  pid_t thread = threadId.load(std::memory_order_acquire);
  int here = sched_getcpu();
  // Already kept away: this worker has been woken before and has not run since.
  if (!thread || here < 0 || here >= CPU_SETSIZE ||
      keptAway.load(std::memory_order_acquire))
    return;
  cpu_set_t own;
  if (sched_getaffinity(thread, sizeof own, &own) != 0 || !CPU_ISSET(here, &own) ||
      CPU_COUNT(&own) < 2)
    return;
  ownCpus = own;
  CPU_CLR(here, &own);
  // Published after sched_setaffinity: otherwise a worker that wakes up by itself
  // meanwhile could restore its CPUs before they were changed.
  if (sched_setaffinity(thread, sizeof own, &own) == 0)
    keptAway.store(1, std::memory_order_release);
}

void KeepAway::returnToOwnCpus() {
  if (!keptAway.load(std::memory_order_acquire))
    return;
  sched_setaffinity(0, sizeof ownCpus, &ownCpus);
  keptAway.store(0, std::memory_order_release);
}
