//===- threads.h - Ranks that are threads of one process --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks read each other's memory. An all-reduce is two-shot: each rank sums one chunk of
// all ranks' tensors and then copies the chunks of the others, so that every element is
// summed once, in the order of the ranks.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_THREADS_H
#define KILN_COLLECTIVE_THREADS_H

#include "runtime/collective/communicator.h"
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>

namespace kiln::rt {

class ThreadGroup {
public:
  /// patience: how long a rank waits for another one at a collective.
  ThreadGroup(uint32_t ranks, std::chrono::milliseconds patience);
  ~ThreadGroup();

  uint32_t size() const { return ranks; }
  /// For the thread of that rank.
  Communicator &communicator(uint32_t rank);

  /// Before a run, while no rank is in one.
  void begin();
  /// The first failure of a run makes every rank's next step fail; later ones change
  /// nothing. what: the failure of that rank.
  void fail(uint32_t rank, const Failure &what);
  /// The first failure of this run, and the rank it is of.
  struct First {
    uint32_t rank;
    Failure failure;
  };
  std::optional<First> firstFailure() const;

private:
  class Member;

  /// One rank's place, in cache lines of its own.
  struct alignas(128) Seat {
    std::atomic<uint32_t> arrivals{0}; ///< at barriers of this run
    std::atomic<uint32_t> sleepers{0}; ///< ranks that wait for this one in the kernel
    CollectiveCall call{};             ///< of the collective at hand
  };

  Status arrive(uint32_t rank, uint32_t step);
  Status await(uint32_t rank, Seat &other, uint32_t arrivals, uint32_t step);
  Status failedStatus(uint32_t rank, uint32_t step) const;
  Status checkCalls(uint32_t rank);
  Status run(uint32_t rank, const CollectiveCall &call);
  Status allReduce(uint32_t rank, const CollectiveCall &call);
  Status reduceScatter(uint32_t rank, const CollectiveCall &call);
  Status allGather(uint32_t rank, const CollectiveCall &call);

  const uint32_t ranks;
  const std::chrono::milliseconds patience;
  const uint32_t spins; ///< in front of a sleep
  std::unique_ptr<Seat[]> seats;
  std::unique_ptr<Member[]> members;
  std::unique_ptr<const void *[]> sources; ///< ranks of them for each rank
  std::atomic<bool> failed{false};
  mutable std::mutex mutex; ///< of `first`
  std::optional<First> first;
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_THREADS_H
