//===- RunControlTest.cpp - Cancelling and observing runs -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include <atomic>
#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <thread>

using namespace kiln::test;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {
/// A session of slowModel, whose run with all rows takes seconds, and runs of it.
class RunControl : public testing::TestWithParam<uint32_t> {
protected:
  void SetUp() override {
    writeModel(folder / "m.kiln", slowModel());
    model = loadModel(folder / "m.kiln");
    kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
    options.threads = GetParam();
    session = makeSession(model.get(), &options);
    ASSERT_TRUE(session);
  }

  unsigned run(FloatTensor &x, FloatTensor &y, const kiln_run_options *options) {
    kiln_tensor in = x.tensor(), out = y.tensor();
    Clock::time_point begin = Clock::now();
    status = own(kiln_session_run_with(session.get(), options, &in, 1, &out, 1));
    seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return kiln_status_code(status.get());
  }
  unsigned runLong(const kiln_run_options *options) {
    FloatTensor x("x", {8192}), y("y", {8192});
    return run(x, y, options);
  }
  /// Expects that a run gives the right results, as in a new session.
  void expectGoodRun() {
    FloatTensor x("x", {4}), y("y", {4});
    EXPECT_EQ(run(x, y, nullptr), 0u) << kiln_status_message(status.get());
    for (size_t i = 0; i < x.data.size(); ++i)
      EXPECT_EQ(y.data[i], 2 * x.data[i]);
  }

  TempFolder folder;
  ModelPtr model{nullptr, kiln_model_release};
  SessionPtr session{nullptr, kiln_session_release};
  StatusPtr status = own(nullptr);
  double seconds = 0;
};
} // namespace

INSTANTIATE_TEST_SUITE_P(Threads, RunControl, testing::Values(1, 2));

TEST_P(RunControl, CancelEndsARunInsideOfItsOnlyStep) {
  std::atomic<bool> hasEnded{false};
  std::thread canceller([&] {
    std::this_thread::sleep_for(200ms);
    EXPECT_FALSE(hasEnded);
    kiln_session_cancel(session.get());
    kiln_session_cancel(session.get());
  });
  EXPECT_EQ(runLong(nullptr), 713u);
  hasEnded = true;
  canceller.join();
  EXPECT_LT(seconds, 0.2 + 0.15);
  EXPECT_STREQ(kiln_status_get(status.get(), KILN_STATUS_WHAT), "the run was cancelled");
  expectGoodRun();
}

TEST_P(RunControl, CancelWithoutARunDoesNothing) {
  kiln_session_cancel(nullptr);
  kiln_session_cancel(session.get());
  expectGoodRun();
  kiln_session_cancel(session.get());
  expectGoodRun();
}

static kiln_session *cancelled;

TEST_P(RunControl, CancelByAHandlerOfASignal) {
  cancelled = session.get();
  auto before = std::signal(SIGUSR1, [](int) { kiln_session_cancel(cancelled); });
  pthread_t caller = pthread_self();
  std::thread canceller([&] {
    std::this_thread::sleep_for(100ms);
    pthread_kill(caller, SIGUSR1);
  });
  EXPECT_EQ(runLong(nullptr), 713u);
  canceller.join();
  std::signal(SIGUSR1, before);
  EXPECT_LT(seconds, 0.1 + 0.15);
  expectGoodRun();
}

TEST_P(RunControl, ADeadlineEndsARun) {
  kiln_run_options options = KILN_RUN_OPTIONS_INIT;
  options.deadline_ns = kiln_deadline_after(200'000'000);
  EXPECT_EQ(runLong(&options), 714u);
  EXPECT_GE(seconds, 0.2);
  EXPECT_LT(seconds, 0.2 + 0.15);
  std::string found = kiln_status_get(status.get(), KILN_STATUS_FOUND);
  EXPECT_NE(found.find("step 1 of 1, "), std::string::npos) << found;
  expectGoodRun();
}

TEST_P(RunControl, DeadlinesInThePastAndFarAway) {
  FloatTensor x("x", {4}), y("y", {4});
  std::vector<float> untouched = y.data;
  kiln_run_options options = KILN_RUN_OPTIONS_INIT;
  for (uint64_t past : {uint64_t{1}, kiln_deadline_after(0)}) {
    options.deadline_ns = past;
    EXPECT_EQ(run(x, y, &options), 714u);
    EXPECT_EQ(y.data, untouched);
  }
  EXPECT_EQ(kiln_deadline_after(UINT64_MAX), UINT64_MAX);
  for (uint64_t far : {uint64_t{0}, UINT64_MAX, kiln_deadline_after(60'000'000'000)}) {
    options.deadline_ns = far;
    EXPECT_EQ(run(x, y, &options), 0u);
  }
}

TEST_P(RunControl, ThePollOfTheCallerEndsARun) {
  struct Polls {
    std::thread::id caller = std::this_thread::get_id();
    int count = 0;
    bool isElsewhere = false;
  } polls;
  kiln_run_options options = KILN_RUN_OPTIONS_INIT;
  options.poll_user = &polls;
  options.poll = [](void *user) {
    auto &polls = *static_cast<Polls *>(user);
    polls.isElsewhere |= std::this_thread::get_id() != polls.caller;
    return int(++polls.count == 5);
  };
  EXPECT_EQ(runLong(&options), 713u);
  EXPECT_EQ(polls.count, 5);
  EXPECT_FALSE(polls.isElsewhere);
  EXPECT_GE(seconds, 0.08); // 20 ms between polls
  EXPECT_LT(seconds, 0.08 + 0.15);
  polls.count = 4; // before the run begins
  EXPECT_EQ(runLong(&options), 713u);
  EXPECT_LT(seconds, 0.02);
  expectGoodRun();
}

TEST_P(RunControl, OptionsOfARunAreChecked) {
  FloatTensor x("x", {4}), y("y", {4});
  kiln_run_options options = KILN_RUN_OPTIONS_INIT;
  options.entry = "no such entry";
  EXPECT_EQ(run(x, y, &options), 619u);
  options.entry = "main";
  EXPECT_EQ(run(x, y, &options), 0u);
  options.struct_size = 0;
  EXPECT_EQ(run(x, y, &options), 1u);
  EXPECT_EQ(
      kiln_status_code(
          own(kiln_session_run_with(nullptr, nullptr, nullptr, 0, nullptr, 0)).get()),
      1u);
}

//===----------------------------------------------------------------------===//
// Getters called during a run
//===----------------------------------------------------------------------===//

TEST(Getters, DuringARun) {
  TempFolder folder;
  writeModel(folder / "m.kiln", waitModel());
  ModelPtr model = loadModel(folder / "m.kiln");
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.threads = 1;
  options.profile = 1;
  SessionPtr session = makeSession(model.get(), &options);
  int32_t flag = 1, result = 0;
  int64_t one = 1;
  kiln_tensor in = {"flag", &flag, 4, KILN_DTYPE_I32, 1, &one, KILN_MEMORY_ANY};
  kiln_tensor out = {"out", &result, 4, KILN_DTYPE_I32, 1, &one, KILN_MEMORY_ANY};
  ASSERT_FALSE(own(kiln_session_run(session.get(), &in, 1, &out, 1)));
  EXPECT_TRUE(kiln_session_step_times(session.get()));
  flag = 0;
  std::thread runner(
      [&] { EXPECT_FALSE(own(kiln_session_run(session.get(), &in, 1, &out, 1))); });
  kiln_step_launch launch;
  unsigned code = 0;
  while (code == 0)
    code =
        kiln_status_code(own(kiln_session_step_launch(session.get(), 0, &launch)).get());
  EXPECT_EQ(code, 609u);
  EXPECT_FALSE(kiln_session_step_times(session.get()));
  kiln_arena_usage usage;
  EXPECT_FALSE(own(kiln_session_arena(session.get(), 0, &usage)));
  EXPECT_EQ(usage.formula, 4u);
  __atomic_store_n(&flag, 42, __ATOMIC_RELEASE);
  runner.join();
  EXPECT_FALSE(own(kiln_session_step_launch(session.get(), 0, &launch)));
  EXPECT_TRUE(kiln_session_step_times(session.get()));
}

/// For the thread sanitizer: a run writes nothing that a getter reads.
TEST(Getters, MakeNoRunFail) {
  TempFolder folder;
  writeModel(folder / "m.kiln", scaleModel());
  ModelPtr model = loadModel(folder / "m.kiln");
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.profile = 1;
  SessionPtr session = makeSession(model.get(), &options);
  std::atomic<bool> stop{false};
  std::thread metrics([&] {
    kiln_arena_usage usage;
    kiln_step_launch launch;
    while (!stop) {
      for (size_t i = 0; i < kiln_model_arena_count(model.get()); ++i)
        EXPECT_FALSE(own(kiln_session_arena(session.get(), i, &usage)));
      (void)own(kiln_session_step_launch(session.get(), 1, &launch));
      (void)kiln_session_step_times(session.get());
    }
  });
  int good = 0;
  for (int64_t i = 0; i < 2000; ++i) {
    FloatTensor x("x", {1 + i % 4, 1 + i % 200}), y("y", x.shape),
        sum("sum", {1 + i % 4});
    kiln_tensor in = x.tensor(), out[] = {y.tensor(), sum.tensor()};
    good += !own(kiln_session_run(session.get(), &in, 1, out, 2));
  }
  stop = true;
  metrics.join();
  EXPECT_EQ(good, 2000);
}

//===----------------------------------------------------------------------===//
// A parallel_for that breaks its contract
//===----------------------------------------------------------------------===//

namespace {
using Body = void (*)(void *, uint32_t);

/// Runs scaleModel on four workers with a given parallel_for.
struct Broken {
  explicit Broken(kiln_parallel_for parallelFor) {
    writeModel(folder / "m.kiln", scaleModel());
    model = loadModel(folder / "m.kiln");
    kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
    options.threads = 4;
    options.parallel_for = parallelFor;
    options.parallel_for_user = this;
    session = makeSession(model.get(), &options);
  }
  unsigned run() {
    FloatTensor x("x", {4, 8}), y("y", {4, 8}), sum("sum", {4});
    kiln_tensor in = x.tensor(), out[] = {y.tensor(), sum.tensor()};
    status = own(kiln_session_run(session.get(), &in, 1, out, 2));
    isRight = !status && y.data[5] == scaled(x.data[5]);
    return kiln_status_code(status.get());
  }
  std::string found() { return kiln_status_get(status.get(), KILN_STATUS_FOUND); }

  TempFolder folder;
  ModelPtr model{nullptr, kiln_model_release};
  SessionPtr session{nullptr, kiln_session_release};
  StatusPtr status = own(nullptr);
  bool isRight = false, isGood = false;
  std::vector<std::thread> late;
};
} // namespace

TEST(ParallelFor, SkipsWorkers) {
  Broken none([](void *, uint32_t, Body, void *) {});
  EXPECT_EQ(none.run(), 622u);
  EXPECT_EQ(none.found(), "worker 0 not called");
  Broken last([](void *user, uint32_t workers, Body body, void *context) {
    uint32_t end = static_cast<Broken *>(user)->isGood ? workers : workers - 1;
    for (uint32_t w = 0; w < end; ++w)
      body(context, w);
  });
  EXPECT_EQ(last.run(), 622u);
  EXPECT_EQ(last.found(), "worker 3 not called");
  last.isGood = true;
  EXPECT_EQ(last.run(), 0u);
  EXPECT_TRUE(last.isRight);
}

TEST(ParallelFor, RepeatsAWorker) {
  Broken broken([](void *, uint32_t workers, Body body, void *context) {
    for (uint32_t w = 0; w < 2 * workers; ++w)
      body(context, w / 2);
  });
  EXPECT_EQ(broken.run(), 622u);
  EXPECT_NE(broken.found().find(" twice"), std::string::npos) << broken.found();
}

TEST(ParallelFor, CallsAWorkerThatThereIsNot) {
  Broken broken([](void *, uint32_t workers, Body body, void *context) {
    for (uint32_t w = 0; w < workers; ++w)
      body(context, w + 1000);
  });
  EXPECT_EQ(broken.run(), 622u);
  EXPECT_EQ(broken.found(), "worker 1003, which there is not");
}

TEST(ParallelFor, ReturnsBeforeItsWorkersAndCallsThemLater) {
  Broken broken([](void *user, uint32_t workers, Body body, void *context) {
    for (uint32_t w = 0; w < workers; ++w)
      static_cast<Broken *>(user)->late.emplace_back([=] {
        std::this_thread::sleep_for(20ms);
        body(context, w);
      });
  });
  EXPECT_EQ(broken.run(), 622u);
  for (std::thread &one : broken.late)
    one.join(); // nothing is running any more
}
