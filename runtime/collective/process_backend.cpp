//===- process_backend.cpp - Ranks that are processes ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each round of a collective fills this rank's staging buffer, waits at a barrier, and
// reads the buffers of the others. Rounds alternate between two buffers, so that a rank
// can fill the next one while others still read; the barrier of the next round
// guarantees that all have read this one.
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/process_backend.h"
#include "runtime/base/cpu_limits.h"
#include <unistd.h>

using namespace kiln::rt;

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

/// Whether there are at least as many CPUs as ranks.
static bool hasCpus(const Segment &segment) {
  cpu_set_t all;
  CPU_ZERO(&all);
  for (uint32_t rank = 0; rank < segment.size(); ++rank)
    CPU_OR(&all, &all, &segment.cpus(rank));
  return static_cast<uint32_t>(CPU_COUNT(&all)) >= segment.size() &&
         cgroupCpuLimit() >= segment.size();
}

ProcessBackend::ProcessBackend(std::unique_ptr<Segment> memory, uint32_t rank,
                               std::chrono::milliseconds timeout)
    : MonitoredBarrier(memory->size(), memory->states(), memory->state(), timeout,
                       hasCpus(*memory), Sharing::Processes),
      segment(std::move(memory)), own(rank), buffers(ranks), operands(ranks) {}

Status ProcessBackend::join(const Rendezvous &self, std::unique_ptr<HostBackend> &out) {
  auto segment = std::make_unique<Segment>();
  KILN_TRY(rendezvous(self, *segment));
  out.reset(new ProcessBackend(std::move(segment), self.rank, self.timeout));
  return {};
}

uint32_t ProcessBackend::cpusPerRank() const {
  const cpu_set_t &mine = segment->cpus(own);
  uint32_t sharing = 0;
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    cpu_set_t common;
    CPU_AND(&common, &mine, &segment->cpus(rank));
    sharing += CPU_COUNT(&common) > 0;
  }
  uint32_t share = sharing ? static_cast<uint32_t>(CPU_COUNT(&mine)) / sharing
                           : allowedCpuCount() / ranks;
  return std::max(std::min(share, cgroupCpuLimit() / localRanks()), 1u);
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

void ProcessBackend::fail(uint32_t rank, const Failure &what) {
  if (!noted)
    noted = {rank, what};
  uint32_t none = 0;
  if (!segment->state().compare_exchange_strong(none, Segment::Writing))
    return;
  segment->record().store(rank, what);
  segment->state().store(Segment::Failed);
  replicateFailure();
}

std::optional<RankFailure> ProcessBackend::firstFailure() const {
  if (!segment->state().load())
    return std::nullopt;
  // The writer needs some microseconds, unless it is killed meanwhile.
  for (int i = 0; i < 1000 && segment->state().load() == Segment::Writing; ++i)
    usleep(100);
  if (segment->state().load() == Segment::Failed)
    return RankFailure{segment->record().rank, segment->record().load()};
  return noted ? noted
               : RankFailure{
                     own, {Code::RankFailed, rankText(own), "another rank has failed"}};
}

Status ProcessBackend::check() const {
  return segment->state().load() ? failedStatus(own, noStep) : Status();
}

/// Returns the last collective of a rank, which may have failed after it finished its
/// part of the current one.
std::string ProcessBackend::lastCollective(uint32_t rank) const {
  const CollectiveCall *last = &states[rank].calls[bufferIndex];
  if (!last->count)
    last = &states[rank].calls[bufferIndex ^ 1];
  return last->count ? callText(*last) : "none"; // also for the begin of a run, or a vote
}

std::optional<Failure> ProcessBackend::lost(uint32_t rank) {
  if (!segment->isLost(rank))
    return std::nullopt;
  return Failure{Code::RankFailed,
                 rankText(rank),
                 "its process has ended",
                 "a process for each rank until all have their results",
                 "it ended, or left the group",
                 "see what that rank said, or how its launcher ended it"};
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

/// Sends rangeOf(rank) of this round's staging buffer to each rank that has only a copy
/// of the segment.
template <typename RangeOf>
void ProcessBackend::publish(const CollectiveCall *call, RangeOf rangeOf) {
  if (ranges.empty())
    return;
  for (uint32_t rank = 0; rank < ranks; ++rank)
    ranges[rank] = rangeOf(rank);
  replicate(states[own].arrivals.load() + 1, bufferIndex, call, ranges);
}

/// Copies data into this rank's staging buffer and waits until all ranks have done so.
/// call: in the first of several rounds, the collective. rangeOf: range that a rank
/// reads.
template <typename RangeOf>
Status ProcessBackend::exchange(const void *from, size_t bytes,
                                const CollectiveCall *call, uint32_t step,
                                RangeOf rangeOf) {
  bufferIndex ^= 1;
  if (bytes)
    std::memcpy(segment->buffer(own, bufferIndex), from, bytes);
  if (call)
    states[own].calls[bufferIndex] = *call;
  publish(call, rangeOf);
  KILN_TRY(arrive(own, step));
  if (call)
    KILN_TRY(checkCalls(own, bufferIndex));
  for (uint32_t rank = 0; rank < ranks; ++rank)
    buffers[rank] = segment->buffer(rank, bufferIndex);
  return {};
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

Status ProcessBackend::run(const CollectiveCall &given) {
  KILN_TRY(check());
  CollectiveCall call = given.resolved(ranks);
  switch (call.kind) {
  case CollectiveKind::AllReduce:
    return allReduce(call);
  case CollectiveKind::AllGather:
    return allGather(call);
  case CollectiveKind::ReduceScatter:
    return reduceScatter(call);
  case CollectiveKind::AllToAll:
    return allToAll(call);
  case CollectiveKind::Broadcast:
  case CollectiveKind::Permute:
    return broadcastOrPermute(call);
  }
  return {};
}

/// Exchanges `count` elements of each rank, as many per round as fit into a staging
/// buffer, and calls body(first, number) for the elements in the buffers. An empty
/// collective also has one round, so that mismatched calls are detected. rangeOf(rank,
/// first, number): bytes of this rank's buffer that `rank` reads.
template <typename RangeOf, typename Body>
Status ProcessBackend::inRounds(const CollectiveCall &call, int64_t count,
                                RangeOf rangeOf, Body body) {
  auto bytes = static_cast<int64_t>(kiln_dtype_size(call.dtype));
  int64_t room = static_cast<int64_t>(Segment::bufferBytes) / bytes, begin = 0;
  do {
    int64_t some = std::min(count - begin, room);
    KILN_TRY(exchange(static_cast<const char *>(call.from) + begin * bytes,
                      call.inGroup(own) ? static_cast<size_t>(some * bytes) : 0,
                      begin ? nullptr : &call, call.step, [&](uint32_t rank) {
                        return call.inGroup(own) ? rangeOf(rank, begin, some) : Range();
                      }));
    for (uint32_t i = 0; i < call.members && call.inGroup(own); ++i)
      operands[i] = buffers[call.member(own, i)];
    KILN_TRY(body(begin, some));
    begin += some;
  } while (begin < count);
  return {};
}

/// Reduces this rank's chunk in its own staging buffer: no other rank reads the operands
/// that the result overwrites.
Status ProcessBackend::allReduce(const CollectiveCall &call) {
  Combine combine = findCombine(call.dtype, call.reduction);
  auto bytes = static_cast<int64_t>(kiln_dtype_size(call.dtype));
  // Range of a rank's chunk of the `count` elements in a buffer.
  auto chunkOf = [&](uint32_t rank, int64_t count) {
    int64_t begin = chunkBegin(count, call.members, call.indexOf(rank));
    int64_t end = chunkBegin(count, call.members, call.indexOf(rank) + 1);
    return Range{static_cast<size_t>(begin * bytes),
                 static_cast<size_t>((end - begin) * bytes)};
  };
  auto operandOf = [&](uint32_t rank, int64_t, int64_t count) {
    return call.sharesGroup(own, rank) ? chunkOf(rank, count) : Range();
  };
  auto reduce = [&](int64_t first, int64_t count) {
    if (!call.inGroup(own)) {
      publish(nullptr, [](uint32_t) { return Range(); });
      return arrive(own, call.step);
    }
    auto bound = [&](uint32_t i) { return chunkBegin(count, call.members, i); };
    uint32_t mine = call.indexOf(own);
    combine(segment->buffer(own, bufferIndex), bound(mine), operands.data(), call.members,
            bound(mine), bound(mine + 1) - bound(mine));
    publish(nullptr, [&](uint32_t rank) {
      return call.sharesGroup(own, rank) ? chunkOf(own, count) : Range();
    });
    KILN_TRY(arrive(own, call.step));
    for (uint32_t i = 0; i < call.members; ++i)
      if (int64_t n = bound(i + 1) - bound(i))
        std::memcpy(static_cast<char *>(call.to) + (first + bound(i)) * bytes,
                    static_cast<const char *>(operands[i]) + bound(i) * bytes,
                    static_cast<size_t>(n * bytes));
    return Status();
  };
  return inRounds(call, call.outer * call.inner, operandOf, reduce);
}

namespace {
/// The intersection of a buffer with one of the `members` equal parts of a row.
struct Part {
  int64_t row;
  int64_t offset, count; ///< element range within the part
  int64_t inBuffer;      ///< index of its first element in the buffer
};
} // namespace

/// Calls body(Part) for a member's part of each row, restricted to the `count` elements
/// from `first` on.
template <typename Body>
static void forParts(const CollectiveCall &call, uint32_t member, int64_t first,
                     int64_t count, Body body) {
  int64_t inner = call.inner, row = inner * call.members;
  for (int64_t o = row ? first / row : 0; o * row < first + count; ++o) {
    int64_t part = o * row + member * inner, begin = std::max(part, first);
    int64_t end = std::min(part + inner, first + count);
    if (begin < end)
      body(Part{o, begin - part, end - begin, begin - first});
  }
}

/// Runs body on this rank's parts of operands of shape [outer, members, inner]. Another
/// rank of the subgroup reads its part of each row; with several rows in a buffer it
/// reads one range that covers them all.
template <typename Body>
Status ProcessBackend::inParts(const CollectiveCall &call, Body body) {
  auto bytes = static_cast<int64_t>(kiln_dtype_size(call.dtype));
  auto rangeOf = [&](uint32_t rank, int64_t first, int64_t count) {
    Range range;
    if (call.sharesGroup(own, rank))
      forParts(call, call.indexOf(rank), first, count, [&](Part part) {
        auto begin = static_cast<size_t>(part.inBuffer * bytes);
        range.offset = range.bytes ? range.offset : begin;
        range.bytes = begin + static_cast<size_t>(part.count * bytes) - range.offset;
      });
    return range;
  };
  auto read = [&](int64_t first, int64_t count) {
    if (call.inGroup(own))
      forParts(call, call.indexOf(own), first, count, body);
    return Status();
  };
  return inRounds(call, call.outer * call.inner * call.members, rangeOf, read);
}

/// Reduces this rank's part of each row.
Status ProcessBackend::reduceScatter(const CollectiveCall &call) {
  Combine combine = findCombine(call.dtype, call.reduction);
  return inParts(call, [&](Part part) {
    combine(call.to, part.row * call.inner + part.offset, operands.data(), call.members,
            part.inBuffer, part.count);
  });
}

Status ProcessBackend::allToAll(const CollectiveCall &call) {
  auto bytes = static_cast<int64_t>(kiln_dtype_size(call.dtype));
  return inParts(call, [&](Part part) {
    for (uint32_t i = 0; i < call.members; ++i)
      std::memcpy(static_cast<char *>(call.to) +
                      ((part.row * call.members + i) * call.inner + part.offset) * bytes,
                  static_cast<const char *>(operands[i]) + part.inBuffer * bytes,
                  static_cast<size_t>(part.count * bytes));
  });
}

Status ProcessBackend::allGather(const CollectiveCall &call) {
  auto bytes = static_cast<int64_t>(kiln_dtype_size(call.dtype));
  int64_t inner = call.inner;
  // Ranks of the subgroup read the entire buffer.
  auto whole = [&](uint32_t rank, int64_t, int64_t count) {
    return Range{0, call.sharesGroup(own, rank) ? static_cast<size_t>(count * bytes) : 0};
  };
  return inRounds(call, call.outer * inner, whole, [&](int64_t first, int64_t count) {
    if (!call.inGroup(own))
      return Status();
    for (int64_t at = first, n; at < first + count; at += n) {
      int64_t row = at / inner, column = at % inner;
      n = std::min(inner - column, first + count - at);
      for (uint32_t i = 0; i < call.members; ++i)
        std::memcpy(static_cast<char *>(call.to) +
                        ((row * call.members + i) * inner + column) * bytes,
                    static_cast<const char *>(operands[i]) + (at - first) * bytes,
                    static_cast<size_t>(n * bytes));
    }
    return Status();
  });
}

Status ProcessBackend::broadcastOrPermute(const CollectiveCall &call) {
  auto bytes = static_cast<int64_t>(kiln_dtype_size(call.dtype));
  auto rangeOf = [&](uint32_t rank, int64_t, int64_t count) {
    bool isTaker = call.receives(rank) && call.source(rank) == own;
    return Range{0, isTaker ? static_cast<size_t>(count * bytes) : 0};
  };
  auto take = [&](int64_t first, int64_t count) {
    if (count && call.receives(own))
      std::memcpy(static_cast<char *>(call.to) + first * bytes, buffers[call.source(own)],
                  static_cast<size_t>(count * bytes));
    return Status();
  };
  return inRounds(call, call.outer * call.inner, rangeOf, take);
}
