//===- monitored_barrier.h - Barriers between ranks -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The barrier has a counter per rank: a rank arrives by incrementing its own, and waits
// until all others have reached the same value, so a late rank is known by its number.
// The counters are in the memory of one process, or in memory that processes share.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_MONITORED_BARRIER_H
#define KILN_COLLECTIVE_MONITORED_BARRIER_H

#include "runtime/collective/backend.h"
#include <atomic>

namespace kiln::rt {

/// State of one rank that all ranks can read, in cache lines of its own.
struct alignas(128) RankState {
  std::atomic<uint32_t> arrivals{0}; ///< barriers that the rank has reached (generation)
  std::atomic<uint32_t> sleepers{0}; ///< ranks that wait for this one in a futex
  std::atomic<uint32_t> steps{0};    ///< completed steps, by which a late rank is found
  /// The current call and the next one, alternating: a rank may publish the next call
  /// while others still compare the current one.
  CollectiveCall calls[2];
};

/// Wakes the ranks that sleep until the rank of this state arrives.
void wakeSleepers(RankState &state, bool ofProcesses);

/// A barrier that also checks that all ranks arrive for the same collective. If a rank
/// fails, is lost or is late, all ranks report it by number.
class MonitoredBarrier {
public:
  virtual ~MonitoredBarrier() = default;
  uint32_t size() const { return ranks; }

  /// Records the failure of a rank, which makes every rank's next step fail; only the
  /// first failure counts.
  virtual void fail(uint32_t rank, const Failure &what) = 0;
  virtual std::optional<RankFailure> firstFailure() const = 0;
  std::chrono::milliseconds timeout() const { return limit; }
  void setTimeout(std::chrono::milliseconds wanted) { limit = wanted; }

protected:
  enum class Sharing { Threads, Processes };
  /// states: one for each rank. failed: not 0 as soon as there is a failure. timeout: max
  /// time that a rank waits for another one that completes no step.
  MonitoredBarrier(uint32_t ranks, RankState *states, const std::atomic<uint32_t> &failed,
                   std::chrono::milliseconds timeout, bool hasCpus, Sharing sharing);

  /// Waits until all ranks have arrived; their earlier writes are visible then.
  Status arrive(uint32_t rank, uint32_t step);
  /// Compares the calls of all ranks. Every rank compares all of them, so all detect the
  /// same mismatch.
  Status checkCalls(uint32_t rank, uint32_t bufferIndex);
  void noteStep(uint32_t rank) {
    states[rank].steps.fetch_add(1, std::memory_order_relaxed);
  }
  /// Returns the failure of the group, or of a rank that is found to be lost.
  Status health(uint32_t rank, uint32_t step);
  /// Returns the error for a rank that finds that another one has failed.
  Status failedStatus(uint32_t rank, uint32_t step) const;
  /// Polled while a rank waits for another one: returns the failure if that one is lost.
  virtual std::optional<Failure> lost(uint32_t) { return std::nullopt; }
  /// Parts of the error about a late rank: which rank to name, as the late one may itself
  /// wait for another; how to describe it; and what is known about it.
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
  const uint32_t spins; ///< pauses before it sleeps
  const int futexFlag;
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_MONITORED_BARRIER_H
