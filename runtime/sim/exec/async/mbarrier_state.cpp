//===- mbarrier_state.cpp - The state machine of an mbarrier --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/async/mbarrier_state.h"

namespace kiln::sim::exec::async {

std::string describe(MbarrierProblem problem) {
  switch (problem) {
  case MbarrierProblem::None:
    return "";
  case MbarrierProblem::CountRange:
    return "a count of 0 or above 1048575";
  case MbarrierProblem::TooManyArrivals:
    return "more arrivals than the phase expects";
  case MbarrierProblem::TxRange:
    return "the expected bytes leave -1048575..1048575";
  case MbarrierProblem::PhaseUnobserved:
    return "an arrival although no thread has seen the last phase complete";
  case MbarrierProblem::Completed:
    return "a .noComplete arrival that completes the phase";
  case MbarrierProblem::MissedPhase:
    return "a wait for the parity of the phase that the thread arrived in, but another "
           "phase is complete since: wait for each phase before the next can complete";
  case MbarrierProblem::StaleState:
    return "a state of a phase that is neither the current nor the last one";
  }
  return "";
}

void Mbarrier::completeIfDone() {
  if (pending != 0 || bytes != 0)
    return;
  ++phase;
  pending = expected;
  observed = false;
}

MbarrierProblem Mbarrier::arrive(uint32_t count) {
  if (!validCount(count))
    return MbarrierProblem::CountRange;
  if (count > pending)
    return MbarrierProblem::TooManyArrivals;
  if (!observed)
    return MbarrierProblem::PhaseUnobserved;
  pending -= count;
  completeIfDone();
  return MbarrierProblem::None;
}

MbarrierProblem Mbarrier::arriveDrop(uint32_t count) {
  if (validCount(count) && count > expected)
    return MbarrierProblem::TooManyArrivals;
  uint32_t before = expected;
  expected -= validCount(count) ? count : 0;
  MbarrierProblem problem = arrive(count);
  if (problem != MbarrierProblem::None)
    expected = before;
  return problem;
}

MbarrierProblem Mbarrier::arriveNoComplete(uint32_t count, bool drop) {
  uint64_t before = phase;
  MbarrierProblem problem = drop ? arriveDrop(count) : arrive(count);
  if (problem == MbarrierProblem::None && phase != before)
    return MbarrierProblem::Completed;
  return problem;
}

MbarrierProblem Mbarrier::expectBytes(uint32_t count) {
  if (bytes + int64_t(count) > int64_t(MaxCount))
    return MbarrierProblem::TxRange;
  bytes += count;
  return MbarrierProblem::None;
}

MbarrierProblem Mbarrier::completeBytes(uint32_t count) {
  if (bytes - int64_t(count) < -int64_t(MaxCount))
    return MbarrierProblem::TxRange;
  bytes -= count;
  completeIfDone();
  return MbarrierProblem::None;
}

MbarrierProblem Mbarrier::addPending() {
  if (pending == MaxCount)
    return MbarrierProblem::CountRange;
  ++pending;
  return MbarrierProblem::None;
}

MbarrierProblem Mbarrier::test(uint64_t state, bool &complete) {
  uint64_t asked = state >> 20;
  complete = asked + 1 == phase;
  if (!complete && asked != phase)
    return MbarrierProblem::StaleState;
  observed |= complete;
  return MbarrierProblem::None;
}

bool Mbarrier::testParity(uint32_t parity) {
  bool complete = parityComplete(parity);
  observed |= complete;
  return complete;
}

std::string Mbarrier::text() const {
  return "phase " + std::to_string(phase) + ", " + std::to_string(pending) +
         (pending == 1 ? " arrival" : " arrivals") + " and " + std::to_string(bytes) +
         " bytes missing";
}

} // namespace kiln::sim::exec::async
