//===- EndedGroupTest.cpp - Cancelled runs of ranks -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include "kiln/group.hpp"
#include <chrono>
#include <gtest/gtest.h>

using namespace kiln::test;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

using EndedGroup = testing::TestWithParam<uint32_t>;
INSTANTIATE_TEST_SUITE_P(Ranks, EndedGroup, testing::Values(2, 3, 4));

namespace {
/// Cancels a group's run before a step of a rank.
struct Canceller {
  kiln_group *group = nullptr;
  uint32_t rank;
  size_t step;
  bool isDone = false;
  static void observe(void *user, uint32_t rank, size_t step, int after,
                      const kiln_buffer_view *, size_t, const kiln_buffer_view *,
                      size_t) {
    Canceller &self = *static_cast<Canceller *>(user);
    if (rank != self.rank || step != self.step || after || self.isDone)
      return;
    self.isDone = true;
    kiln_group_cancel(self.group);
  }
};
} // namespace

TEST_P(EndedGroup, EndsOnAllRanks) {
  uint32_t ranks = GetParam();
  TempFolder folder;
  writeModel(folder / "m.kiln", ranksModel(ranks));
  kiln::rt::Model model(folder / "m.kiln");
  for (uint32_t rank : {0u, ranks - 1})
    for (size_t step : {0u, RanksModel::gather, RanksModel::reduce}) {
      Canceller canceller{nullptr, rank, step};
      kiln_group_options options = KILN_GROUP_OPTIONS_INIT;
      options.observer = Canceller::observe;
      options.observer_user = &canceller;
      kiln::rt::Group group(model, options);
      canceller.group = group.get();
      FloatTensor x("x", {2, 5});
      Clock::time_point begin = Clock::now();
      try {
        group.run({kiln::rt::View("x", x.data, x.shape)});
        FAIL();
      } catch (const kiln::rt::Error &error) {
        EXPECT_EQ(error.code(), 713u) << error.what();
      }
      EXPECT_LT(Clock::now() - begin, 150ms);
      float sum = 0;
      for (uint32_t r = 0; r < ranks; ++r)
        sum += x.data[3] * (2 + float(r)) + 1;
      EXPECT_EQ(group.run({kiln::rt::View("x", x.data, x.shape)})[0].as<float>()[3],
                sum); // unchanged
    }
}

TEST(EndedGroups, HaveDeadlines) {
  TempFolder folder;
  writeModel(folder / "m.kiln", ranksModel(2));
  kiln::rt::Group group(kiln::rt::Model(folder / "m.kiln"));
  FloatTensor x("x", {1, 3});
  kiln_tensor in = x.tensor();
  FloatTensor y("y", {1, 3});
  kiln_tensor out = y.tensor();
  kiln_run_options options = KILN_RUN_OPTIONS_INIT;
  options.deadline_ns = kiln_deadline_after(0);
  auto run = [&] {
    return kiln_status_code(
        own(kiln_group_run_with(group.get(), &options, &in, 1, &out, 1)).get());
  };
  EXPECT_EQ(run(), 714u);
  options.deadline_ns = kiln_deadline_after(60'000'000'000);
  EXPECT_EQ(run(), 0u);
  EXPECT_EQ(y.data[0], x.data[0] * 5 + 2);
  kiln_group_cancel(nullptr);
  kiln_group_cancel(group.get()); // no run in progress
  EXPECT_EQ(run(), 0u);
}
