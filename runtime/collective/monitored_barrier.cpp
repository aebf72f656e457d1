//===- monitored_barrier.cpp - Barriers between ranks ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/monitored_barrier.h"
#include <cstdio>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace kiln::rt;
using Clock = std::chrono::steady_clock;

// Number of spin-wait pauses of 20 to 60 ns each: together longer than ranks of one model
// are usually apart.
static constexpr uint32_t spinsWithCpus = 4000;
/// Max sleep before a rank checks for failures again.
static constexpr long sliceNanoseconds = 50'000'000;

MonitoredBarrier::MonitoredBarrier(uint32_t ranks, RankState *states,
                                   const std::atomic<uint32_t> &failed,
                                   std::chrono::milliseconds timeout, bool hasCpus,
                                   Sharing sharing)
    : ranks(ranks), states(states), failed(failed), limit(timeout),
      spins(hasCpus ? spinsWithCpus : 0),
      futexFlag(sharing == Sharing::Threads ? FUTEX_PRIVATE_FLAG : 0) {}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

Status MonitoredBarrier::failedStatus(uint32_t rank, uint32_t step) const {
  RankFailure cause = *firstFailure();
  if (cause.failure.code == Code::RankLate ||
      cause.failure.code == Code::CollectiveMismatch)
    return Failure{cause.failure};
  return Failure{Code::RankFailed,
                 placeText(rank, step),
                 rankText(cause.rank) + " has failed",
                 "a result from every rank",
                 cause.failure.what,
                 "see the error of " + rankText(cause.rank)};
}

static const char *differenceText(const CollectiveCall &a, const CollectiveCall &b) {
  bool isBroadcast = a.step == noStep && a.kind == CollectiveKind::Broadcast;
  if (a.isStep() != b.isStep() || (!a.isStep() && a.step != b.step))
    return "it has come to something else than rank 0";
  return isBroadcast ? "it broadcasts something else than rank 0"
                     : "it comes to another collective than rank 0";
}

Status MonitoredBarrier::checkCalls(uint32_t rank, uint32_t bufferIndex) {
  const CollectiveCall &first = states[0].calls[bufferIndex];
  for (uint32_t other = 1; other < ranks; ++other) {
    const CollectiveCall &call = states[other].calls[bufferIndex];
    if (first.matches(call))
      continue;
    fail(other, {Code::CollectiveMismatch, rankText(other), differenceText(first, call),
                 callText(first), callText(call),
                 "give all ranks the same package, dims and inputs"});
    return failedStatus(rank, states[rank].calls[bufferIndex].step);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

static void spinPause() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

/// Sleeps until the word changes, at most for sliceNanoseconds.
void MonitoredBarrier::sleepOn(std::atomic<uint32_t> &word, uint32_t value) const {
  timespec slice = {0, sliceNanoseconds};
  syscall(SYS_futex, &word, FUTEX_WAIT | futexFlag, value, &slice, nullptr, 0);
}

void kiln::rt::wakeSleepers(RankState &state, bool ofProcesses) {
  int flag = ofProcesses ? 0 : FUTEX_PRIVATE_FLAG;
  if (state.sleepers.load())
    syscall(SYS_futex, &state.arrivals, FUTEX_WAKE | flag, INT32_MAX, nullptr, nullptr,
            0);
}

/// Compares counters that may have wrapped.
static bool reached(uint32_t value, uint32_t wanted) {
  return static_cast<int32_t>(value - wanted) >= 0;
}

Status MonitoredBarrier::await(uint32_t rank, RankState &other, uint32_t arrivals,
                               uint32_t step) {
  for (uint32_t i = 0; i < spins; ++i) {
    if (reached(other.arrivals.load(std::memory_order_acquire), arrivals))
      return {};
    if (failed.load(std::memory_order_relaxed))
      return failedStatus(rank, step);
    spinPause();
  }
  Clock::time_point deadline = Clock::now() + limit;
  uint32_t steps = other.steps.load(std::memory_order_relaxed);
  auto number = static_cast<uint32_t>(&other - states);
  for (;;) {
    // No wake-up is lost: the sleeper increments `sleepers` before it reads `arrivals`,
    // and the arriving rank increments `arrivals` before it reads `sleepers`.
    other.sleepers.fetch_add(1);
    uint32_t value = other.arrivals.load();
    if (!reached(value, arrivals) && !failed.load())
      sleepOn(other.arrivals, value);
    other.sleepers.fetch_sub(1);
    std::optional<Failure> loss;
    if (!reached(other.arrivals.load(), arrivals) && !failed.load())
      loss = lost(number);
    // Check again after lost(): the rank may have arrived, or recorded a failure, before
    // its process ended.
    if (reached(other.arrivals.load(), arrivals))
      return {};
    if (failed.load())
      return failedStatus(rank, step);
    if (loss) {
      fail(number, *loss);
      return failedStatus(rank, step);
    }
    if (uint32_t done = other.steps.load(std::memory_order_relaxed); done != steps) {
      steps = done;
      deadline = Clock::now() + limit;
    }
    if (Clock::now() < deadline)
      continue;
    uint32_t late = suspect(number);
    fail(late,
         {Code::RankLate, placeText(rank, step),
          describe(late) + " has not come to the collective",
          "all ranks within " + std::to_string(limit.count()) + " ms", absence(late),
          "look at what keeps that rank, or give the group a longer timeout"});
    return failedStatus(rank, step);
  }
}

Status MonitoredBarrier::health(uint32_t rank, uint32_t step) {
  for (uint32_t other = 0; other < ranks && !failed.load(); ++other)
    if (std::optional<Failure> loss = other == rank ? std::nullopt : lost(other))
      fail(other, *loss);
  return failed.load() ? failedStatus(rank, step) : Status();
}

Status MonitoredBarrier::arrive(uint32_t rank, uint32_t step) {
  RankState &own = states[rank];
  uint32_t arrivals = own.arrivals.fetch_add(1) + 1;
  wakeSleepers(own, futexFlag == 0);
  for (uint32_t other = 0; other < ranks; ++other)
    if (other != rank)
      KILN_TRY(await(rank, states[other], arrivals, step));
  return {};
}
