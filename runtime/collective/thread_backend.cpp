//===- thread_backend.cpp - Ranks that are threads of one process ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/thread_backend.h"
#include "runtime/base/cpu_limits.h"
#include <cstring>

using namespace kiln::rt;

class ThreadWorld::ThreadBackend final : public HostBackend {
public:
  const char *name() const override { return "threads"; }
  Status run(const CollectiveCall &call) override { return world->run(rank, call); }
  Status health(uint32_t step) override { return world->health(rank, step); }
  void fail(uint32_t failed, const Failure &what) override { world->fail(failed, what); }
  std::optional<RankFailure> firstFailure() const override {
    return world->firstFailure();
  }
  void noteStep() override { world->noteStep(rank); }
  std::chrono::milliseconds timeout() const override { return world->timeout(); }
  void setTimeout(std::chrono::milliseconds wanted) override {
    world->setTimeout(wanted);
  }
  uint32_t cpusPerRank() const override {
    return std::max(allowedCpuCount() / world->size(), 1u);
  }

  ThreadWorld *world = nullptr;
  uint32_t rank = 0;
};

ThreadWorld::ThreadWorld(uint32_t ranks, std::chrono::milliseconds timeout)
    : ThreadWorld(ranks, timeout, std::make_unique<RankState[]>(ranks)) {}

ThreadWorld::ThreadWorld(uint32_t ranks, std::chrono::milliseconds timeout,
                         std::unique_ptr<RankState[]> states)
    : MonitoredBarrier(ranks, states.get(), failed, timeout, ranks <= allowedCpuCount(),
                       Sharing::Threads),
      own(std::move(states)), backends(std::make_unique<ThreadBackend[]>(ranks)),
      sources(std::make_unique<const void *[]>(size_t(ranks) * ranks)) {
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    backends[rank].world = this;
    backends[rank].rank = rank;
  }
}

ThreadWorld::~ThreadWorld() = default;

HostBackend &ThreadWorld::backend(uint32_t rank) { return backends[rank]; }

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

void ThreadWorld::begin() {
  for (uint32_t rank = 0; rank < ranks; ++rank)
    states[rank].arrivals.store(0, std::memory_order_relaxed);
  std::lock_guard lock(mutex);
  first.reset();
  failed.store(0);
}

void ThreadWorld::fail(uint32_t rank, const Failure &what) {
  std::lock_guard lock(mutex);
  if (!first)
    first = {rank, what};
  failed.store(1);
}

std::optional<RankFailure> ThreadWorld::firstFailure() const {
  std::lock_guard lock(mutex);
  return first;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

Status ThreadWorld::run(uint32_t rank, const CollectiveCall &given) {
  CollectiveCall call = given.resolved(ranks);
  states[rank].calls[0] = call;
  KILN_TRY(arrive(rank, call.step));
  KILN_TRY(checkCalls(rank, 0));
  if (call.inGroup(rank))
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
    broadcastOrPermute(rank, call);
    break;
  }
  return arrive(rank, call.step); // now no other rank reads this rank's memory
}

/// Each rank reduces its chunk of all operands, block by block, and writes the result
/// into the memory of all ranks. Results may overwrite operands: only the rank that
/// reduces a chunk reads and writes it.
void ThreadWorld::allReduce(uint32_t rank, const CollectiveCall &call) {
  if (!call.inGroup(rank))
    return;
  Combine combine = findCombine(call.dtype, call.reduction);
  auto bytes = static_cast<int64_t>(kiln_dtype_size(call.dtype));
  alignas(64) char sums[8192]; // stays in the L1 cache
  int64_t block = static_cast<int64_t>(sizeof sums) / bytes;
  int64_t count = call.outer * call.inner;
  uint32_t own = call.indexOf(rank);
  int64_t end = chunkBegin(count, call.members, own + 1);
  for (int64_t at = chunkBegin(count, call.members, own); at < end; at += block) {
    int64_t n = std::min(block, end - at);
    combine(sums, 0, &sources[size_t(rank) * ranks], call.members, at, n);
    for (uint32_t i = 0; i < call.members; ++i)
      std::memcpy(static_cast<char *>(this->call(call.member(rank, i)).to) + at * bytes,
                  sums, static_cast<size_t>(n * bytes));
  }
}

void ThreadWorld::reduceScatter(uint32_t rank, const CollectiveCall &call) {
  if (!call.inGroup(rank))
    return;
  Combine combine = findCombine(call.dtype, call.reduction);
  uint32_t own = call.indexOf(rank);
  for (int64_t o = 0; o < call.outer; ++o)
    combine(call.to, o * call.inner, &sources[size_t(rank) * ranks], call.members,
            (o * call.members + own) * call.inner, call.inner);
}

void ThreadWorld::allGather(uint32_t rank, const CollectiveCall &call) {
  if (!call.inGroup(rank))
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

void ThreadWorld::allToAll(uint32_t rank, const CollectiveCall &call) {
  if (!call.inGroup(rank))
    return;
  size_t bytes = static_cast<size_t>(call.inner) * kiln_dtype_size(call.dtype);
  uint32_t own = call.indexOf(rank);
  for (size_t o = 0; o < static_cast<size_t>(call.outer) && bytes; ++o)
    for (uint32_t other = 0; other < call.members; ++other)
      std::memcpy(static_cast<char *>(call.to) + (o * call.members + other) * bytes,
                  static_cast<const char *>(sources[size_t(rank) * ranks + other]) +
                      (o * call.members + own) * bytes,
                  bytes);
}

void ThreadWorld::broadcastOrPermute(uint32_t rank, const CollectiveCall &call) {
  if (uint64_t bytes = call.bytes(); bytes && call.receives(rank))
    std::memcpy(call.to, this->call(call.source(rank)).from, bytes);
}
