//===- oracle_test.cpp - The race engine against the oracle ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/check/trace.h"

#include <gtest/gtest.h>

using namespace kiln::sim::check;
using namespace kiln::sim::check::test;

namespace {
struct Sums {
  unsigned accesses = 0, found = 0, rows = 0;
};

void compare(unsigned seed, unsigned bytes, unsigned steps, Sums &sums) {
  Trace trace(seed, bytes);
  unsigned step = 0;
  while (step < steps && trace.step())
    ++step;
  ASSERT_FALSE(trace.differs) << "seed " << seed << ", step " << step;
  sums.accesses += trace.accesses;
  sums.found += trace.found;
  sums.rows += trace.rows;
}

// Traces must contain both correct and wrong accesses for the comparison to be
// meaningful.
TEST(RaceEngine, AgreesWithTheOracle) {
  Sums sums;
  // The last seed once exposed a pseudo-thread that was reused too early.
  constexpr unsigned Seeds = 600, ReusedAgent = 14694;
  for (unsigned n = 0; n <= Seeds; ++n)
    ASSERT_NO_FATAL_FAILURE(compare(n < Seeds ? n : ReusedAgent, FewBytes, 250, sums));
  EXPECT_GT(sums.accesses, 12000u);
  EXPECT_GT(sums.found, 60u);
}

TEST(RaceEngine, AgreesAboutRowsOfWholeWarps) {
  Sums sums;
  for (unsigned seed = 0; seed < 100; ++seed)
    ASSERT_NO_FATAL_FAILURE(compare(seed, RowBytes, 120, sums));
  EXPECT_GT(sums.rows, 300u);
  EXPECT_GT(sums.found, 5u);
}
} // namespace
