//===- ObserverTest.cpp - Observers that throw ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include "kiln/group.h"
#include <gtest/gtest.h>
#include <stdexcept>

using namespace kiln::test;

namespace {
/// Throws at one point of a run.
struct Thrower {
  size_t step = SIZE_MAX;
  bool after = false, isException = true;

  void look(size_t at, int isAfter) const {
    if (at != step || after != (isAfter != 0))
      return;
    if (isException)
      throw std::runtime_error("no more of this");
    throw 42;
  }
  static void observe(void *self, size_t step, int after, const kiln_buffer_view *,
                      size_t, const kiln_buffer_view *, size_t) {
    static_cast<Thrower *>(self)->look(step, after);
  }
  static void observeRank(void *self, uint32_t rank, size_t step, int after,
                          const kiln_buffer_view *, size_t, const kiln_buffer_view *,
                          size_t) {
    if (rank == 1)
      static_cast<Thrower *>(self)->look(step, after);
  }
};
} // namespace

TEST(Observer, ThatThrowsEndsTheRunAndNotTheSession) {
  TempFolder folder;
  writeModel(folder / "m.kiln", scaleModel());
  ModelPtr model = loadModel(folder / "m.kiln");
  for (uint32_t threads : {1u, 2u}) {
    Thrower thrower;
    kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
    options.threads = threads;
    options.observer = Thrower::observe;
    options.observer_user = &thrower;
    SessionPtr session = makeSession(model.get(), &options);
    auto run = [&] {
      FloatTensor x("x", {2, 8}), y("y", {2, 8}), sum("sum", {2});
      kiln_tensor in = x.tensor(), out[] = {y.tensor(), sum.tensor()};
      StatusPtr status = own(kiln_session_run(session.get(), &in, 1, out, 2));
      EXPECT_TRUE(status || y.data[5] == scaled(x.data[5]));
      return status;
    };
    EXPECT_FALSE(run());
    for (size_t step : {0, 4})
      for (bool after : {false, true}) {
        thrower = {step, after, true};
        StatusPtr status = run();
        EXPECT_EQ(kiln_status_code(status.get()), 713u);
        EXPECT_STREQ(kiln_status_get(status.get(), KILN_STATUS_FOUND), "no more of this");
        EXPECT_EQ(kiln_status_get(status.get(), KILN_STATUS_WHERE),
                  "the observer, " + std::string(after ? "after" : "before") + " step " +
                      std::to_string(step));
        thrower.step = SIZE_MAX;
        EXPECT_FALSE(run());
      }
    thrower = {1, false, false}; // no std::exception
    EXPECT_EQ(kiln_status_code(run().get()), 713u);
    thrower.step = SIZE_MAX;
    EXPECT_FALSE(run());
  }
}

/// The ranks work again in the next run.
TEST(Observer, OfAGroupThrowsOnOneRank) {
  TempFolder folder;
  writeModel(folder / "m.kiln", ranksModel(2));
  ModelPtr model = loadModel(folder / "m.kiln");
  Thrower thrower;
  kiln_group_options options = KILN_GROUP_OPTIONS_INIT;
  options.observer = Thrower::observeRank;
  options.observer_user = &thrower;
  kiln_group *group = nullptr;
  ASSERT_FALSE(own(kiln_group_create(model.get(), &options, &group)));
  FloatTensor x("x", {1, 4}), y("y", {1, 4}), sums("sums", {2});
  auto run = [&] {
    kiln_tensor in = x.tensor(), out[] = {y.tensor(), sums.tensor()};
    return kiln_status_code(own(kiln_group_run(group, "main", &in, 1, out, 2)).get());
  };
  EXPECT_EQ(run(), 0u);
  thrower = {0, true, true};
  EXPECT_EQ(run(), 713u);
  thrower.step = SIZE_MAX;
  EXPECT_EQ(run(), 0u);
  kiln_group_release(group);
}
