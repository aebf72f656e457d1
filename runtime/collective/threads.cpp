//===- threads.cpp - Ranks that are threads of one process ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/threads.h"
#include "runtime/base/cpu_limits.h"
#include "runtime/collective/reduce.h"
#include <cstring>

using namespace kiln::rt;

/// Runs collectives for one rank.
class ThreadGroup::Member final : public Communicator {
public:
  Status run(const CollectiveCall &call) override { return group->run(rank, call); }
  void noteStep() override { group->noteStep(rank); }
  Status health(uint32_t step) override { return group->health(rank, step); }
  std::chrono::milliseconds patience() const override { return group->patience(); }
  ThreadGroup *group = nullptr;
  uint32_t rank = 0;
};

ThreadGroup::ThreadGroup(uint32_t ranks, std::chrono::milliseconds timeout)
    : ThreadGroup(ranks, timeout, std::make_unique<Seat[]>(ranks)) {}

ThreadGroup::ThreadGroup(uint32_t ranks, std::chrono::milliseconds timeout,
                         std::unique_ptr<Seat[]> own)
    : Meeting(ranks, own.get(), failed, timeout, ranks <= allowedCpuCount(),
              Sharing::Threads),
      places(std::move(own)), members(std::make_unique<Member[]>(ranks)),
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
  failed.store(0);
}

void ThreadGroup::fail(uint32_t rank, const Failure &what) {
  std::lock_guard lock(mutex);
  if (!first)
    first = {rank, what};
  failed.store(1);
}

std::optional<Meeting::First> ThreadGroup::firstFailure() const {
  std::lock_guard lock(mutex);
  return first;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

Status ThreadGroup::run(uint32_t rank, const CollectiveCall &given) {
  CollectiveCall call = given.in(ranks);
  seats[rank].visits[0].call = call;
  KILN_TRY(arrive(rank, call.step));
  KILN_TRY(checkVisits(rank, 0));
  if (call.isOf(rank))
    for (uint32_t i = 0; i < call.members; ++i)
      sources[size_t(rank) * ranks + i] = this->call(call.member(rank, i)).from;
  switch (call.kind) {
  case CollectiveKind::AllReduce:
    allReduce(rank, call);
    break;
  case CollectiveKind::AllGather:
    allGather(rank, call);
    break;
  case CollectiveKind::ReduceScatter:
    reduceScatter(rank, call);
    break;
  case CollectiveKind::AllToAll:
    allToAll(rank, call);
    break;
  case CollectiveKind::Broadcast:
  case CollectiveKind::Permute:
    handOver(rank, call);
    break;
  }
  return arrive(rank, call.step); // nobody touches this rank's memory any more
}

/// Each rank sums its chunk of all operands, block by block, and writes the sums into the
/// memory of all ranks. A result may lie where its operand does: of a chunk, the rank
/// that sums it is the only one to read and to write anything.
void ThreadGroup::allReduce(uint32_t rank, const CollectiveCall &call) {
  if (!call.isOf(rank))
    return;
  Combine combine = findCombine(call.dtype, call.reduction);
  auto bytes = static_cast<int64_t>(kiln_dtype_size(call.dtype));
  alignas(64) char sums[8192]; // stays in the first cache
  int64_t block = static_cast<int64_t>(sizeof sums) / bytes;
  int64_t count = call.outer * call.inner;
  uint32_t own = call.numberOf(rank);
  int64_t end = chunkBegin(count, call.members, own + 1);
  for (int64_t at = chunkBegin(count, call.members, own); at < end; at += block) {
    int64_t n = std::min(block, end - at);
    combine(sums, 0, &sources[size_t(rank) * ranks], call.members, at, n);
    for (uint32_t i = 0; i < call.members; ++i)
      std::memcpy(static_cast<char *>(this->call(call.member(rank, i)).to) + at * bytes,
                  sums, static_cast<size_t>(n * bytes));
  }
}

void ThreadGroup::reduceScatter(uint32_t rank, const CollectiveCall &call) {
  if (!call.isOf(rank))
    return;
  Combine combine = findCombine(call.dtype, call.reduction);
  uint32_t own = call.numberOf(rank);
  for (int64_t o = 0; o < call.outer; ++o)
    combine(call.to, o * call.inner, &sources[size_t(rank) * ranks], call.members,
            (o * call.members + own) * call.inner, call.inner);
}

void ThreadGroup::allGather(uint32_t rank, const CollectiveCall &call) {
  if (!call.isOf(rank))
    return;
  size_t bytes = static_cast<size_t>(call.inner) * kiln_dtype_size(call.dtype);
  for (int64_t o = 0; o < call.outer && bytes; ++o)
    for (uint32_t other = 0; other < call.members; ++other)
      std::memcpy(static_cast<char *>(call.to) +
                      (size_t(o) * call.members + other) * bytes,
                  static_cast<const char *>(sources[size_t(rank) * ranks + other]) +
                      size_t(o) * bytes,
                  bytes);
}

void ThreadGroup::allToAll(uint32_t rank, const CollectiveCall &call) {
  if (!call.isOf(rank))
    return;
  size_t bytes = static_cast<size_t>(call.inner) * kiln_dtype_size(call.dtype);
  uint32_t own = call.numberOf(rank);
  for (size_t o = 0; o < static_cast<size_t>(call.outer) && bytes; ++o)
    for (uint32_t other = 0; other < call.members; ++other)
      std::memcpy(static_cast<char *>(call.to) + (o * call.members + other) * bytes,
                  static_cast<const char *>(sources[size_t(rank) * ranks + other]) +
                      (o * call.members + own) * bytes,
                  bytes);
}

void ThreadGroup::handOver(uint32_t rank, const CollectiveCall &call) {
  if (uint64_t bytes = call.bytes(); bytes && call.gets(rank))
    std::memcpy(call.to, this->call(call.giver(rank)).from, bytes);
}
