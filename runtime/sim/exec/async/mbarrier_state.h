//===- mbarrier_state.h - The state machine of an mbarrier ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_ASYNC_MBARRIER_STATE_H
#define KILN_SIM_EXEC_ASYNC_MBARRIER_STATE_H

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::sim::exec::async {

/// Errors of an operation on an mbarrier.
enum class MbarrierProblem : uint8_t {
  None,
  CountRange,      ///< a count of 0 or above 2^20 - 1
  TooManyArrivals, ///< more arrivals than the phase still expects
  TxRange,         ///< pending bytes outside +-(2^20 - 1)
  PhaseUnobserved, ///< an arrival although no thread observed that the last phase
                   ///< completed
  Completed,       ///< a .noComplete arrival that completed the phase
  MissedPhase,     ///< a wait for a phase after which another one has completed
  StaleState       ///< a state of a phase before the last one
};
std::string describe(MbarrierProblem problem);

/// Phases are counted from 0. A phase completes when neither arrivals nor bytes are
/// pending; the next one starts at once with the expected number of arrivals.
class Mbarrier {
public:
  static constexpr uint32_t MaxCount = (1u << 20) - 1;

  explicit Mbarrier(uint32_t count = 1) : expected(count), pending(count) {}
  static bool validCount(uint32_t count) { return count >= 1 && count <= MaxCount; }

  MbarrierProblem arrive(uint32_t count);
  /// Arrives and lowers the expected arrivals of the following phases.
  MbarrierProblem arriveDrop(uint32_t count);
  MbarrierProblem arriveNoComplete(uint32_t count, bool drop);
  MbarrierProblem expectBytes(uint32_t bytes);
  MbarrierProblem completeBytes(uint32_t bytes);
  /// cp.async.mbarrier.arrive without .noinc: adds one pending arrival to this phase.
  MbarrierProblem addPending();

  /// State that mbarrier.arrive returns: the phase, and the arrivals pending before it.
  uint64_t state() const { return phase << 20 | pending; }
  static uint32_t pendingOf(uint64_t state) { return uint32_t(state & MaxCount); }

  /// Tests whether the phase of `state` is complete; StaleState if that phase is too old.
  /// A complete phase counts as observed.
  MbarrierProblem test(uint64_t state, bool &complete);
  /// Whether the current or last phase with this parity is complete.
  bool testParity(uint32_t parity);
  bool parityComplete(uint32_t parity) const { return (phase & 1) != (parity & 1); }

  /// Records that the thread (its index in the mbarrier's block) arrives, or expects
  /// bytes, in this phase.
  void noteArrival(uint32_t thread) {
    if (thread >= arrivals.size())
      arrivals.resize(thread + 1);
    arrivals[thread] = phase + 1;
  }
  /// Whether a thread that waits for the parity of its last arrival's phase is too late:
  /// a later phase has completed too, and the parity does not distinguish them. Threads
  /// that wait for phases in which they did not arrive cannot be checked.
  bool missed(uint32_t thread, uint32_t parity) const {
    uint64_t next = thread < arrivals.size() ? arrivals[thread] : 0;
    return next && ((next - 1) & 1) == (parity & 1) && phase > next;
  }

  uint64_t currentPhase() const { return phase; }
  uint32_t missingArrivals() const { return pending; }
  int64_t missingBytes() const { return bytes; }
  /// "phase 3, 2 arrivals and 4096 bytes missing"
  std::string text() const;

private:
  void completeIfDone();
  uint64_t phase = 0;
  uint32_t expected, pending;
  int64_t bytes = 0;
  bool observed = true;           ///< some thread observed that phase - 1 is complete
  std::vector<uint64_t> arrivals; ///< by thread: phase of its last arrival, + 1
};

} // namespace kiln::sim::exec::async

#endif // KILN_SIM_EXEC_ASYNC_MBARRIER_STATE_H
