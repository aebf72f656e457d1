//===- meeting.cpp - Barriers between ranks -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/meeting.h"
#include <cstdio>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace kiln::rt;
using Clock = std::chrono::steady_clock;

// In pauses of 20 to 60 ns: longer than ranks of one model are apart.
static constexpr uint32_t spinsWithCpus = 4000;
/// How long a rank sleeps before it looks for a failure again.
static constexpr long sliceNanoseconds = 50'000'000;

Meeting::Meeting(uint32_t ranks, Seat *seats, const std::atomic<uint32_t> &failed,
                 std::chrono::milliseconds timeout, bool hasCpus, Sharing sharing)
    : ranks(ranks), seats(seats), failed(failed), timeout(timeout),
      spins(hasCpus ? spinsWithCpus : 0),
      futexFlag(sharing == Sharing::Threads ? FUTEX_PRIVATE_FLAG : 0) {}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

std::string kiln::rt::rankText(uint32_t rank) { return "rank " + std::to_string(rank); }

std::string kiln::rt::placeText(uint32_t rank, uint32_t step) {
  return step == noStep ? rankText(rank)
                        : rankText(rank) + ", step " + std::to_string(step);
}

static std::string callText(const CollectiveCall &call) {
  return std::string(collectiveName(call.kind)) + " of " + std::to_string(call.outer) +
         " x " + std::to_string(call.inner) + ' ' + kiln_dtype_name(call.dtype) +
         " at step " + std::to_string(call.step);
}

std::string kiln::rt::visitText(const Visit &visit) {
  char text[96];
  switch (visit.kind) {
  case Visit::Collective:
    return callText(visit.call);
  case Visit::Run:
    if (visit.error)
      std::snprintf(text, sizeof text, "a run of entry %u that fails with KILN-E%04u",
                    visit.entry, visit.error);
    else
      std::snprintf(text, sizeof text,
                    "a run of entry %u on inputs with the hash %016llx", visit.entry,
                    static_cast<unsigned long long>(visit.value));
    return text;
  case Visit::Broadcast:
    break;
  }
  return "a broadcast of " + std::to_string(visit.value) + " bytes";
}

static bool matches(const CollectiveCall &a, const CollectiveCall &b) {
  return a.kind == b.kind && a.reduction == b.reduction && a.dtype == b.dtype &&
         a.outer == b.outer && a.inner == b.inner && a.step == b.step &&
         a.first == b.first && a.count == b.count && a.members == b.members &&
         a.stride == b.stride && a.takers == b.takers;
}

static bool matches(const Visit &a, const Visit &b) {
  return a.kind == b.kind && a.entry == b.entry && a.error == b.error &&
         a.value == b.value && (a.kind != Visit::Collective || matches(a.call, b.call));
}

Status Meeting::failedStatus(uint32_t rank, uint32_t step) const {
  First cause = *firstFailure();
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

static const char *differenceText(const Visit &a, const Visit &b) {
  if (a.kind != b.kind)
    return "it has come to something else than rank 0";
  return a.kind == Visit::Collective ? "it comes to another collective than rank 0"
         : a.kind == Visit::Run      ? "it begins another run than rank 0"
                                     : "it broadcasts something else than rank 0";
}

Status Meeting::checkVisits(uint32_t rank, uint32_t bufferIndex) {
  const Visit &first = seats[0].visits[bufferIndex];
  for (uint32_t other = 1; other < ranks; ++other) {
    const Visit &visit = seats[other].visits[bufferIndex];
    if (matches(first, visit))
      continue;
    fail(other, {Code::CollectiveMismatch, rankText(other), differenceText(first, visit),
                 visitText(first), visitText(visit),
                 "give all ranks the same package, dims and inputs"});
    return failedStatus(rank, seats[rank].visits[bufferIndex].call.step);
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

/// Until the word changes, or for a slice of time.
void Meeting::sleepOn(std::atomic<uint32_t> &word, uint32_t value) const {
  timespec slice = {0, sliceNanoseconds};
  syscall(SYS_futex, &word, FUTEX_WAIT | futexFlag, value, &slice, nullptr, 0);
}

void kiln::rt::wakeSleepers(Seat &seat, bool ofProcesses) {
  int flag = ofProcesses ? 0 : FUTEX_PRIVATE_FLAG;
  if (seat.sleepers.load())
    syscall(SYS_futex, &seat.arrivals, FUTEX_WAKE | flag, INT32_MAX, nullptr, nullptr, 0);
}

/// Counters wrap.
static bool reached(uint32_t value, uint32_t wanted) {
  return static_cast<int32_t>(value - wanted) >= 0;
}

Status Meeting::await(uint32_t rank, Seat &other, uint32_t arrivals, uint32_t step,
                      std::chrono::milliseconds within) {
  for (uint32_t i = 0; i < spins; ++i) {
    if (reached(other.arrivals.load(std::memory_order_acquire), arrivals))
      return {};
    if (failed.load(std::memory_order_relaxed))
      return failedStatus(rank, step);
    spinPause();
  }
  Clock::time_point deadline = Clock::now() + within;
  uint32_t steps = other.steps.load(std::memory_order_relaxed);
  auto number = static_cast<uint32_t>(&other - seats);
  for (;;) {
    // Who sleeps says so before it looks, and who arrives looks after it has arrived.
    other.sleepers.fetch_add(1);
    uint32_t value = other.arrivals.load();
    if (!reached(value, arrivals) && !failed.load())
      sleepOn(other.arrivals, value);
    other.sleepers.fetch_sub(1);
    std::optional<Failure> loss;
    if (!reached(other.arrivals.load(), arrivals) && !failed.load())
      loss = lost(number);
    // After that: a rank may have come, or said why it fails, before it was lost.
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
      deadline = Clock::now() + within;
    }
    if (Clock::now() < deadline)
      continue;
    uint32_t late = suspect(number);
    fail(late,
         {Code::RankLate, placeText(rank, step),
          describe(late) + " has not come to the collective",
          "all ranks within " + std::to_string(within.count()) + " ms", absence(late),
          "look at what keeps that rank, or give the group a longer timeout"});
    return failedStatus(rank, step);
  }
}

Status Meeting::health(uint32_t rank, uint32_t step) {
  for (uint32_t other = 0; other < ranks && !failed.load(); ++other)
    if (std::optional<Failure> loss = other == rank ? std::nullopt : lost(other))
      fail(other, *loss);
  return failed.load() ? failedStatus(rank, step) : Status();
}

Status Meeting::arrive(uint32_t rank, uint32_t step) {
  return arrive(rank, step, timeout);
}

Status Meeting::arrive(uint32_t rank, uint32_t step, std::chrono::milliseconds within) {
  Seat &own = seats[rank];
  uint32_t arrivals = own.arrivals.fetch_add(1) + 1;
  wakeSleepers(own, futexFlag == 0);
  for (uint32_t other = 0; other < ranks; ++other)
    if (other != rank)
      KILN_TRY(await(rank, seats[other], arrivals, step, within));
  return {};
}
