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
  CountRange,      ///< a count that is 0 or above 2^20 - 1
  TooManyArrivals, ///< more than the phase still expects
  TxRange,         ///< the bytes leave +-(2^20 - 1)
  PhaseUnobserved, ///< an arrival although nobody saw the last phase complete
  Completed,       ///< .noComplete, but it completed the phase
  MissedPhase,     ///< a wait for a phase behind which another one is complete
  StaleState       ///< a state of a phase neither current nor the last
};
std::string describe(MbarrierProblem problem);

/// Phases are counted from 0. A phase completes when no arrivals and no bytes are
/// missing; the next starts at once with the expected arrivals.
class Mbarrier {
public:
  static constexpr uint32_t MaxCount = (1u << 20) - 1;

  explicit Mbarrier(uint32_t count = 1) : expected(count), pending(count) {}
  static bool validCount(uint32_t count) { return count >= 1 && count <= MaxCount; }

  MbarrierProblem arrive(uint32_t count);
  /// Arrives, and the following phases expect so many fewer.
  MbarrierProblem arriveDrop(uint32_t count);
  MbarrierProblem arriveNoComplete(uint32_t count, bool drop);
  MbarrierProblem expectBytes(uint32_t bytes);
  MbarrierProblem completeBytes(uint32_t bytes);
  /// cp.async.mbarrier.arrive without .noinc: one arrival more in this phase.
  MbarrierProblem addPending();

  /// State that mbarrier.arrive returns: the phase, and the arrivals pending before it.
  uint64_t state() const { return phase << 20 | pending; }
  static uint32_t pendingOf(uint64_t state) { return uint32_t(state & MaxCount); }

  /// Whether the phase of `state` is complete; StaleState if that phase is too old to
  /// ask for. True counts as observed.
  MbarrierProblem test(uint64_t state, bool &complete);
  /// Whether the phase of this parity, the current or the last one, is complete.
  bool testParity(uint32_t parity);
  bool parityComplete(uint32_t parity) const { return (phase & 1) != (parity & 1); }

  /// The thread (index in the barrier's block) arrives, or expects bytes, in this phase.
  void noteArrival(uint32_t thread) {
    if (thread >= arrivals.size())
      arrivals.resize(thread + 1);
    arrivals[thread] = phase + 1;
  }
  /// Whether a thread that waits for the parity of the phase it arrived in last comes too
  /// late: a later phase is complete as well, and parity cannot tell the two apart. What
  /// threads mean that wait for phases of others cannot be known.
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
  bool observed = true;           ///< somebody saw phase - 1 complete
  std::vector<uint64_t> arrivals; ///< by thread: the phase of its last one, + 1
};

} // namespace kiln::sim::exec::async

#endif // KILN_SIM_EXEC_ASYNC_MBARRIER_STATE_H
