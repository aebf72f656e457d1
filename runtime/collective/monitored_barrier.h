//===- monitored_barrier.h - Barriers between ranks -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier is a counter per rank: one arrives by raising its own, and waits until all
// others are as high. Who is late is then known by name. It works in the memory of a
// process, and in memory that processes share.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_MONITORED_BARRIER_H
#define KILN_COLLECTIVE_MONITORED_BARRIER_H

#include "runtime/collective/backend.h"
#include <atomic>

namespace kiln::rt {

/// One rank's state that all see, in cache lines of its own.
struct alignas(128) RankState {
  std::atomic<uint32_t> arrivals{0}; ///< at barriers: a generation counter
  std::atomic<uint32_t> sleepers{0}; ///< ranks that wait for this one in the kernel
  std::atomic<uint32_t> steps{0};    ///< that it has completed: it is late if this stands
  /// The call at hand, in turn with the next one where ranks go on at once.
  CollectiveCall calls[2];
};

/// Wakes the ranks that sleep until this state's rank arrives.
void wakeSleepers(RankState &state, bool ofProcesses);

/// All ranks must arrive for the same collective. A rank that fails, is lost or is late
/// is named on all of them.
class MonitoredBarrier {
public:
  virtual ~MonitoredBarrier() = default;
  uint32_t size() const { return ranks; }

  /// The first failure makes every rank's next step fail; later ones change nothing.
  /// what: the failure of that rank.
  virtual void fail(uint32_t rank, const Failure &what) = 0;
  virtual std::optional<RankFailure> firstFailure() const = 0;
  std::chrono::milliseconds timeout() const { return limit; }
  void setTimeout(std::chrono::milliseconds wanted) { limit = wanted; }

protected:
  enum class Sharing { Threads, Processes };
  /// states: one for each rank. failed: not 0 as soon as there is a first failure.
  /// timeout: how long a rank waits for another one that completes no step.
  MonitoredBarrier(uint32_t ranks, RankState *states, const std::atomic<uint32_t> &failed,
                   std::chrono::milliseconds timeout, bool hasCpus, Sharing sharing);

  /// Returns when all ranks have arrived here. What they wrote before can be read then.
  Status arrive(uint32_t rank, uint32_t step);
  /// Compares the calls of all ranks, as each of them does: all find what does not fit.
  Status checkCalls(uint32_t rank, uint32_t bufferIndex);
  void noteStep(uint32_t rank) {
    states[rank].steps.fetch_add(1, std::memory_order_relaxed);
  }
  /// The failure of the group, or of a rank that is found to be lost.
  Status health(uint32_t rank, uint32_t step);
  /// For a rank that finds that another one has failed.
  Status failedStatus(uint32_t rank, uint32_t step) const;
  /// Asked now and then while a rank waits for that one: why it will never come.
  virtual std::optional<Failure> lost(uint32_t) { return std::nullopt; }
  /// Texts for the error about a rank that has not come in time: the rank to name, as the
  /// late one may itself wait for another; how to call it; and what is known of it.
  virtual uint32_t suspect(uint32_t rank) const { return rank; }
  virtual std::string describe(uint32_t rank) const { return rankText(rank); }
  virtual std::string absence(uint32_t) const { return "none of it"; }

  const uint32_t ranks;
  RankState *const states;

private:
  Status await(uint32_t rank, RankState &other, uint32_t arrivals, uint32_t step);
  void sleepOn(std::atomic<uint32_t> &word, uint32_t value) const;

  const std::atomic<uint32_t> &failed;
  std::chrono::milliseconds limit;
  const uint32_t spins; ///< in front of a sleep
  const int futexFlag;
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_MONITORED_BARRIER_H
