//===- AllocationTest.cpp -------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts every allocation of the process: a run must make none, whether its
// dims are new or not.
//
//===----------------------------------------------------------------------===//
#include "CountAllocations.h"
#include <gtest/gtest.h>

using namespace kiln::test;

class Allocation : public testing::TestWithParam<uint32_t> {};

TEST_P(Allocation, RunsMakeNone) {
  if (!canCountAllocations())
    GTEST_SKIP() << "the sanitizer owns malloc";
  TempFolder folder;
  writeModel(folder / "m.kiln", scaleModel());
  ModelPtr model = loadModel(folder / "m.kiln");
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.threads = GetParam();
  options.profile = 1;
  options.observer = [](void *, size_t, int, const kiln_buffer_view *, size_t,
                        const kiln_buffer_view *, size_t) {};
  long before = countAllocations();
  SessionPtr session = makeSession(model.get(), &options);
  EXPECT_GT(countAllocations(), before); // the counter works
  expectNoAllocations(session.get());
}

INSTANTIATE_TEST_SUITE_P(Threads, Allocation, testing::Values(0, 1, 2));
