//===- threads.cpp - Ranks that are threads of one process ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier is a counter per rank: one arrives by raising its own, and waits until all
// others are as high. Who is late is then known by name.
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/threads.h"
#include "runtime/base/cpu_limits.h"
#include "runtime/collective/reduce.h"
#include <algorithm>
#include <cstring>
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
/// No rank begins its chunk in another one's cache line.
static constexpr int64_t chunkElements = 64;

/// Runs collectives for one rank.
class ThreadGroup::Member final : public Communicator {
public:
  Status run(const CollectiveCall &call) override { return group->run(rank, call); }
  ThreadGroup *group = nullptr;
  uint32_t rank = 0;
};

ThreadGroup::ThreadGroup(uint32_t ranks, std::chrono::milliseconds patience)
    : ranks(ranks), patience(patience),
      spins(ranks <= allowedCpuCount() ? spinsWithCpus : 0),
      seats(std::make_unique<Seat[]>(ranks)), members(std::make_unique<Member[]>(ranks)),
      sources(std::make_unique<const void *[]>(size_t(ranks) * ranks)) {
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    members[rank].group = this;
    members[rank].rank = rank;
  }
}

ThreadGroup::~ThreadGroup() = default;

Communicator &ThreadGroup::communicator(uint32_t rank) { return members[rank]; }

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

void ThreadGroup::begin() {
  for (uint32_t rank = 0; rank < ranks; ++rank)
    seats[rank].arrivals.store(0, std::memory_order_relaxed);
  std::lock_guard lock(mutex);
  first.reset();
  failed.store(false);
}

void ThreadGroup::fail(uint32_t rank, const Failure &what) {
  std::lock_guard lock(mutex);
  if (!first)
    first = {rank, what};
  failed.store(true);
}

std::optional<ThreadGroup::First> ThreadGroup::firstFailure() const {
  std::lock_guard lock(mutex);
  return first;
}

static std::string rankText(uint32_t rank) { return "rank " + std::to_string(rank); }

static std::string placeText(uint32_t rank, uint32_t step) {
  return rankText(rank) + ", step " + std::to_string(step);
}

/// For a rank that finds that another one has failed.
Status ThreadGroup::failedStatus(uint32_t rank, uint32_t step) const {
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

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

static void spinPause() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

/// Until the word changes, or for a slice of time.
static void sleepOn(std::atomic<uint32_t> &word, uint32_t value) {
  timespec slice = {0, sliceNanoseconds};
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, &slice, nullptr, 0);
}

static void wakeAll(std::atomic<uint32_t> &word) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT32_MAX, nullptr, nullptr, 0);
}

/// Counters wrap.
static bool reached(uint32_t value, uint32_t wanted) {
  return static_cast<int32_t>(value - wanted) >= 0;
}

Status ThreadGroup::await(uint32_t rank, Seat &other, uint32_t arrivals, uint32_t step) {
  for (uint32_t i = 0; i < spins; ++i) {
    if (reached(other.arrivals.load(std::memory_order_acquire), arrivals))
      return {};
    if (failed.load(std::memory_order_relaxed))
      return failedStatus(rank, step);
    spinPause();
  }
  Clock::time_point deadline = Clock::now() + patience;
  for (;;) {
    // Who sleeps says so before it looks, and who arrives looks after it has arrived.
    other.sleepers.fetch_add(1);
    uint32_t value = other.arrivals.load();
    if (!reached(value, arrivals) && !failed.load())
      sleepOn(other.arrivals, value);
    other.sleepers.fetch_sub(1);
    if (reached(other.arrivals.load(), arrivals))
      return {};
    if (failed.load())
      return failedStatus(rank, step);
    if (Clock::now() < deadline)
      continue;
    uint32_t late = static_cast<uint32_t>(&other - seats.get());
    fail(late,
         {Code::RankLate, placeText(rank, step),
          rankText(late) + " has not come to the collective",
          "all ranks within " + std::to_string(patience.count()) + " ms", "none of it",
          "look at what keeps that rank, or give the group a longer timeout"});
    return failedStatus(rank, step);
  }
}

/// Returns when all ranks have arrived here. What they wrote before can be read then.
Status ThreadGroup::arrive(uint32_t rank, uint32_t step) {
  Seat &own = seats[rank];
  uint32_t arrivals = own.arrivals.fetch_add(1) + 1;
  if (own.sleepers.load())
    wakeAll(own.arrivals);
  for (uint32_t other = 0; other < ranks; ++other)
    if (other != rank)
      KILN_TRY(await(rank, seats[other], arrivals, step));
  return {};
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

static std::string callText(const CollectiveCall &call) {
  return std::string(collectiveName(call.kind)) + " of " + std::to_string(call.outer) +
         " x " + std::to_string(call.inner) + ' ' + kiln_dtype_name(call.dtype) +
         " at step " + std::to_string(call.step);
}

static bool matches(const CollectiveCall &a, const CollectiveCall &b) {
  return a.kind == b.kind && a.reduction == b.reduction && a.dtype == b.dtype &&
         a.outer == b.outer && a.inner == b.inner && a.step == b.step;
}

/// Every rank compares all calls, so all of them find what does not fit.
Status ThreadGroup::checkCalls(uint32_t rank) {
  for (uint32_t other = 1; other < ranks; ++other) {
    if (matches(seats[0].call, seats[other].call))
      continue;
    fail(other, {Code::CollectiveMismatch, rankText(other),
                 "it comes to another collective than rank 0", callText(seats[0].call),
                 callText(seats[other].call),
                 "give all ranks the same package, dims and inputs"});
    return failedStatus(rank, seats[rank].call.step);
  }
  return {};
}

Status ThreadGroup::run(uint32_t rank, const CollectiveCall &call) {
  seats[rank].call = call;
  KILN_TRY(arrive(rank, call.step));
  KILN_TRY(checkCalls(rank));
  for (uint32_t other = 0; other < ranks; ++other)
    sources[size_t(rank) * ranks + other] = seats[other].call.from;
  switch (call.kind) {
  case CollectiveKind::AllReduce:
    KILN_TRY(allReduce(rank, call));
    break;
  case CollectiveKind::AllGather:
    KILN_TRY(allGather(rank, call));
    break;
  case CollectiveKind::ReduceScatter:
    KILN_TRY(reduceScatter(rank, call));
    break;
  }
  return arrive(rank, call.step); // nobody reads this rank's memory any more
}

/// The result may lie where the operand does: of each rank's memory others read one chunk
/// before it is replaced by the sum, and then that sum alone.
Status ThreadGroup::allReduce(uint32_t rank, const CollectiveCall &call) {
  int64_t count = call.outer * call.inner;
  auto bound = [&](uint32_t r) {
    int64_t chunk = (count + ranks - 1) / ranks;
    chunk = (chunk + chunkElements - 1) / chunkElements * chunkElements;
    return std::min(count, chunk * r);
  };
  Combine combine = findCombine(call.dtype, call.reduction);
  combine(call.to, bound(rank), &sources[size_t(rank) * ranks], ranks, bound(rank),
          bound(rank + 1) - bound(rank));
  KILN_TRY(arrive(rank, call.step));
  auto bytes = static_cast<int64_t>(kiln_dtype_size(call.dtype));
  for (uint32_t other = 0; other < ranks; ++other)
    if (int64_t n = bound(other + 1) - bound(other); other != rank && n)
      std::memcpy(static_cast<char *>(call.to) + bound(other) * bytes,
                  static_cast<char *>(seats[other].call.to) + bound(other) * bytes,
                  static_cast<size_t>(n * bytes));
  return {};
}

Status ThreadGroup::reduceScatter(uint32_t rank, const CollectiveCall &call) {
  Combine combine = findCombine(call.dtype, call.reduction);
  for (int64_t o = 0; o < call.outer; ++o)
    combine(call.to, o * call.inner, &sources[size_t(rank) * ranks], ranks,
            (o * ranks + rank) * call.inner, call.inner);
  return {};
}

Status ThreadGroup::allGather(uint32_t rank, const CollectiveCall &call) {
  size_t bytes = static_cast<size_t>(call.inner) * kiln_dtype_size(call.dtype);
  for (int64_t o = 0; o < call.outer && bytes; ++o)
    for (uint32_t other = 0; other < ranks; ++other)
      std::memcpy(static_cast<char *>(call.to) + (size_t(o) * ranks + other) * bytes,
                  static_cast<const char *>(sources[size_t(rank) * ranks + other]) +
                      size_t(o) * bytes,
                  bytes);
  return {};
}
