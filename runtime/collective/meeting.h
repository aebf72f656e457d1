//===- meeting.h - Barriers between ranks -----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier is a counter per rank: one arrives by raising its own, and waits until all
// others are as high. Who is late is then known by name. It works in the memory of a
// process, and in memory that processes share.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_MEETING_H
#define KILN_COLLECTIVE_MEETING_H

#include "runtime/collective/communicator.h"
#include <atomic>
#include <chrono>
#include <optional>

namespace kiln::rt {

/// Reason for which a rank is at a barrier. All ranks must have come for the same one.
struct Visit {
  enum Kind : uint32_t { Collective, Run, Broadcast };
  Kind kind = Collective;
  uint32_t entry = 0; ///< Run: the number of the program
  uint32_t error = 0; ///< Run: the code of what is wrong with its inputs
  uint64_t value = 0; ///< Run: a hash of its inputs; Broadcast: bytes
  CollectiveCall call{};
};

/// One rank's place, in cache lines of its own.
struct alignas(128) Seat {
  std::atomic<uint32_t> arrivals{0}; ///< at barriers
  std::atomic<uint32_t> sleepers{0}; ///< ranks that wait for this one in the kernel
  std::atomic<uint32_t> steps{0};    ///< that it has completed: it is late if this stands
  Visit visits[2]; ///< the one at hand, by turns with the next where ranks go on at once
};

/// The step of a failure outside of a run.
inline constexpr uint32_t noStep = UINT32_MAX;

/// Wakes the ranks that sleep until this seat's rank arrives.
void wakeSleepers(Seat &seat, bool ofProcesses);

std::string rankText(uint32_t rank);
/// "all_reduce of 4 x 128 f32 at step 5"
std::string visitText(const Visit &visit);
/// "rank 1, step 3"
std::string placeText(uint32_t rank, uint32_t step);

class Meeting {
public:
  virtual ~Meeting() = default;
  uint32_t size() const { return ranks; }

  /// The first failure makes every rank's next step fail; later ones change nothing.
  /// what: the failure of that rank.
  virtual void fail(uint32_t rank, const Failure &what) = 0;
  struct First {
    uint32_t rank;
    Failure failure;
  };
  /// The first failure, and the rank it is of.
  virtual std::optional<First> firstFailure() const = 0;

protected:
  enum class Sharing { Threads, Processes };
  /// seats: one for each rank. failed: not 0 as soon as there is a first failure.
  /// timeout: how long a rank waits for another one that completes no step.
  Meeting(uint32_t ranks, Seat *seats, const std::atomic<uint32_t> &failed,
          std::chrono::milliseconds timeout, bool hasCpus, Sharing sharing);

  /// Returns when all ranks have arrived here. What they wrote before can be read then.
  Status arrive(uint32_t rank, uint32_t step);
  /// Arrives as above, but with another timeout than the group's.
  Status arrive(uint32_t rank, uint32_t step, std::chrono::milliseconds within);
  /// Every rank compares all visits, so all of them find what does not fit.
  Status checkVisits(uint32_t rank, uint32_t bufferIndex);
  void noteStep(uint32_t rank) {
    seats[rank].steps.fetch_add(1, std::memory_order_relaxed);
  }
  /// The failure of the group, or of a rank that is found to be lost.
  Status health(uint32_t rank, uint32_t step);
  std::chrono::milliseconds patience() const { return timeout; }
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
  Seat *const seats;

private:
  Status await(uint32_t rank, Seat &other, uint32_t arrivals, uint32_t step,
               std::chrono::milliseconds within);
  void sleepOn(std::atomic<uint32_t> &word, uint32_t value) const;

  const std::atomic<uint32_t> &failed;
  const std::chrono::milliseconds timeout;
  const uint32_t spins; ///< in front of a sleep
  const int futexFlag;
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_MEETING_H
