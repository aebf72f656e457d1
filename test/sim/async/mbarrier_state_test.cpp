//===- mbarrier_state_test.cpp - The state machine of an mbarrier ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/exec/async/mbarrier_state.h"

#include <gtest/gtest.h>

using namespace kiln::sim::exec::async;
using Problem = MbarrierProblem;

namespace {

TEST(Mbarrier, CompletesWhenAllArrived) {
  Mbarrier barrier(3);
  uint64_t first = barrier.state();
  EXPECT_EQ(Mbarrier::pendingOf(first), 3u);
  EXPECT_EQ(barrier.arrive(1), Problem::None);
  EXPECT_EQ(Mbarrier::pendingOf(barrier.state()), 2u);
  bool complete = true;
  EXPECT_EQ(barrier.test(first, complete), Problem::None);
  EXPECT_FALSE(complete);
  EXPECT_EQ(barrier.arrive(2), Problem::None);
  EXPECT_EQ(barrier.currentPhase(), 1u);
  EXPECT_EQ(barrier.missingArrivals(), 3u);
  EXPECT_EQ(barrier.test(first, complete), Problem::None);
  EXPECT_TRUE(complete);
}

TEST(Mbarrier, ParitySpeaksOfTheCurrentAndTheLastPhase) {
  Mbarrier barrier(1);
  EXPECT_TRUE(barrier.testParity(1)); // the phase before the first counts as complete
  EXPECT_FALSE(barrier.testParity(0));
  EXPECT_EQ(barrier.arrive(1), Problem::None);
  EXPECT_TRUE(barrier.testParity(0));
  EXPECT_FALSE(barrier.testParity(1));
  EXPECT_EQ(barrier.arrive(1), Problem::None);
  EXPECT_TRUE(barrier.testParity(1));
}

TEST(Mbarrier, BytesHoldThePhase) {
  Mbarrier barrier(1);
  EXPECT_EQ(barrier.expectBytes(256), Problem::None);
  EXPECT_EQ(barrier.arrive(1), Problem::None);
  EXPECT_EQ(barrier.currentPhase(), 0u);
  EXPECT_EQ(barrier.completeBytes(128), Problem::None);
  EXPECT_EQ(barrier.currentPhase(), 0u);
  EXPECT_EQ(barrier.missingBytes(), 128);
  EXPECT_EQ(barrier.completeBytes(128), Problem::None);
  EXPECT_EQ(barrier.currentPhase(), 1u);
  EXPECT_EQ(barrier.missingBytes(), 0);
}

TEST(Mbarrier, BytesMayComeBeforeTheyAreExpected) {
  Mbarrier barrier(1);
  EXPECT_EQ(barrier.completeBytes(64), Problem::None);
  EXPECT_EQ(barrier.missingBytes(), -64);
  EXPECT_EQ(barrier.expectBytes(64), Problem::None);
  EXPECT_EQ(barrier.currentPhase(), 0u); // an arrival is missing
  EXPECT_EQ(barrier.arrive(1), Problem::None);
  EXPECT_EQ(barrier.currentPhase(), 1u);
}

TEST(Mbarrier, Ranges) {
  constexpr uint32_t most = (1u << 20) - 1;
  EXPECT_FALSE(Mbarrier::validCount(0));
  EXPECT_TRUE(Mbarrier::validCount(most));
  EXPECT_FALSE(Mbarrier::validCount(most + 1));
  Mbarrier barrier(2);
  EXPECT_EQ(barrier.arrive(0), Problem::CountRange);
  EXPECT_EQ(barrier.arrive(3), Problem::TooManyArrivals);
  EXPECT_EQ(barrier.missingArrivals(), 2u);
  EXPECT_EQ(barrier.expectBytes(most), Problem::None);
  EXPECT_EQ(barrier.expectBytes(1), Problem::TxRange);
  EXPECT_EQ(barrier.completeBytes(most), Problem::None);
  EXPECT_EQ(barrier.completeBytes(most), Problem::None);
  EXPECT_EQ(barrier.completeBytes(1), Problem::TxRange);
}

TEST(Mbarrier, SomebodyMustSeeAPhaseBeforeTheNextArrival) {
  Mbarrier barrier(1);
  EXPECT_EQ(barrier.arrive(1), Problem::None);
  EXPECT_EQ(barrier.arrive(1), Problem::PhaseUnobserved);
  EXPECT_FALSE(barrier.testParity(1)); // phase 1 is not complete
  EXPECT_EQ(barrier.arrive(1), Problem::PhaseUnobserved);
  EXPECT_TRUE(barrier.testParity(0));
  EXPECT_EQ(barrier.arrive(1), Problem::None);
}

TEST(Mbarrier, OldStatesAreRefused) {
  Mbarrier barrier(1);
  uint64_t old = barrier.state();
  bool complete;
  for (int phase = 0; phase < 2; ++phase) {
    uint64_t state = barrier.state();
    EXPECT_EQ(barrier.arrive(1), Problem::None);
    EXPECT_EQ(barrier.test(state, complete), Problem::None);
    EXPECT_TRUE(complete);
  }
  EXPECT_EQ(barrier.test(old, complete), Problem::StaleState);
}

TEST(Mbarrier, DroppedThreadsAreNotExpectedAgain) {
  Mbarrier barrier(3);
  EXPECT_EQ(barrier.arriveDrop(1), Problem::None);
  EXPECT_EQ(barrier.missingArrivals(), 2u);
  EXPECT_EQ(barrier.arrive(2), Problem::None);
  EXPECT_EQ(barrier.currentPhase(), 1u);
  EXPECT_EQ(barrier.missingArrivals(), 2u);
}

TEST(Mbarrier, NoCompleteMustNotComplete) {
  Mbarrier barrier(2);
  EXPECT_EQ(barrier.arriveNoComplete(1, false), Problem::None);
  EXPECT_EQ(barrier.arriveNoComplete(1, false), Problem::Completed);
}

TEST(Mbarrier, AsynchronousArrivalsCanBeAdded) {
  Mbarrier barrier(1);
  EXPECT_EQ(barrier.addPending(), Problem::None);
  EXPECT_EQ(barrier.arrive(1), Problem::None);
  EXPECT_EQ(barrier.currentPhase(), 0u);
  EXPECT_EQ(barrier.arrive(1), Problem::None);
  EXPECT_EQ(barrier.currentPhase(), 1u);
  EXPECT_EQ(barrier.missingArrivals(), 1u);
}

TEST(Mbarrier, AThreadMissesThePhaseThatItArrivedIn) {
  Mbarrier barrier(1);
  barrier.noteArrival(5);
  EXPECT_EQ(barrier.arrive(1), Problem::None);
  EXPECT_FALSE(barrier.missed(5, 0)); // complete, and the parity shows it
  EXPECT_FALSE(barrier.missed(5, 1));
  EXPECT_TRUE(barrier.testParity(0));
  barrier.noteArrival(6);
  EXPECT_EQ(barrier.arrive(1), Problem::None);
  EXPECT_TRUE(barrier.missed(5, 0));
  EXPECT_FALSE(barrier.missed(5, 1)); // it did not arrive in that phase
  EXPECT_FALSE(barrier.missed(6, 1));
  EXPECT_FALSE(barrier.missed(4, 0)); // it never arrived
}

} // namespace
