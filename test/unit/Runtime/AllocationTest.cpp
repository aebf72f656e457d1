//===- AllocationTest.cpp -------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts every allocation of the process: a run must make none, with known and new dims.
//
//===----------------------------------------------------------------------===//
#include "CountAllocations.h"
#include "Forked.h"
#include "kiln/group.h"
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

/// Tests sessions with shared threads, also after memory was released.
TEST(WorkersAllocation, RunsMakeNone) {
  if (!canCountAllocations())
    GTEST_SKIP() << "the sanitizer owns malloc";
  TempFolder folder;
  writeModel(folder / "m.kiln", scaleModel());
  ModelPtr model = loadModel(folder / "m.kiln");
  kiln_workers_options wanted = KILN_WORKERS_OPTIONS_INIT;
  wanted.threads = 2;
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  ASSERT_FALSE(own(kiln_workers_create(&wanted, &options.workers)));
  SessionPtr session = makeSession(model.get(), &options);
  kiln_workers_release(options.workers);
  expectNoAllocations(session.get());
  ASSERT_FALSE(own(kiln_session_trim(session.get())));
  expectNoAllocations(session.get());
}

/// Tests a rank that is a process too.
TEST(ProcessAllocation, RunsMakeNone) {
  if (!canCountAllocations())
    GTEST_SKIP() << "the sanitizer owns malloc";
  TempFolder folder;
  writeModel(folder / "m.kiln", ranksModel(2));
  auto all = inProcesses(2, [&](uint32_t rank) -> std::string {
    kiln_join_options join = KILN_JOIN_OPTIONS_INIT;
    join.rank = rank;
    join.size = 2;
    join.address = "AllocationTest"; // other tests may use the port
    join.port = static_cast<uint32_t>(getppid());
    ModelPtr model = loadModel(folder / "m.kiln");
    kiln_group *group = nullptr;
    if (StatusPtr failed = own(kiln_group_join(model.get(), nullptr, &join, &group)))
      return kiln_status_message(failed.get());
    for (int64_t seq : {3, 256, 7}) {
      FloatTensor x("x", {4, seq}), y("y", {4, seq}), sums("sums", {8});
      kiln_tensor in = x.tensor(), out[] = {y.tensor(), sums.tensor()};
      long before = countAllocations();
      if (StatusPtr failed = own(kiln_group_run(group, nullptr, &in, 1, out, 2)))
        return kiln_status_message(failed.get());
      uint64_t token = 5;
      kiln_group_broadcast(group, &token, sizeof token);
      if (long made = countAllocations() - before)
        return std::to_string(made) + " allocations";
    }
    kiln_group_release(group);
    return "none";
  });
  for (const Ended &one : all)
    EXPECT_EQ(one.result, "none");
}
