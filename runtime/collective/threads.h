//===- threads.h - Ranks that are threads of one process --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks read and write each other's memory. In an all-reduce each rank sums one chunk of
// all ranks' tensors and writes the sums into the memory of all of them, so that every
// element is summed once, in the order of the ranks.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_THREADS_H
#define KILN_COLLECTIVE_THREADS_H

#include "runtime/collective/meeting.h"
#include <memory>
#include <mutex>

namespace kiln::rt {

class ThreadGroup final : public Meeting {
public:
  ThreadGroup(uint32_t ranks, std::chrono::milliseconds timeout);
  ~ThreadGroup() override;

  /// For the thread of that rank.
  Communicator &communicator(uint32_t rank);

  /// Before a run, while no rank is in one: the failure of the last one is over.
  void begin();
  void fail(uint32_t rank, const Failure &what) override;
  std::optional<First> firstFailure() const override;

private:
  class Member;

  ThreadGroup(uint32_t ranks, std::chrono::milliseconds timeout,
              std::unique_ptr<Seat[]> own);
  Status run(uint32_t rank, const CollectiveCall &given);
  void allReduce(uint32_t rank, const CollectiveCall &call);
  void reduceScatter(uint32_t rank, const CollectiveCall &call);
  void allGather(uint32_t rank, const CollectiveCall &call);
  void allToAll(uint32_t rank, const CollectiveCall &call);
  void handOver(uint32_t rank, const CollectiveCall &call);
  const CollectiveCall &call(uint32_t rank) const { return seats[rank].visits[0].call; }

  std::unique_ptr<Seat[]> places;
  std::unique_ptr<Member[]> members;
  std::unique_ptr<const void *[]> sources; ///< ranks of them for each rank
  std::atomic<uint32_t> failed{0};
  mutable std::mutex mutex; ///< of `first`
  std::optional<First> first;
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_THREADS_H
