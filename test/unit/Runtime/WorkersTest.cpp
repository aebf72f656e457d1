//===- WorkersTest.cpp - Threads shared by sessions -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/workers.hpp"
#include "TestPackage.h"
#include "runtime/device/host/shared_workers.h"
#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace kiln::test;
using kiln::rt::SharedWorkers;
using Clock = std::chrono::steady_clock;

static std::unique_ptr<SharedWorkers>
makeWorkers(uint32_t threads, const SharedWorkers::Settings &given = {}) {
  SharedWorkers::Settings settings = given;
  settings.threads = threads;
  std::unique_ptr<SharedWorkers> workers;
  kiln::rt::Status status = SharedWorkers::create(settings, workers);
  EXPECT_TRUE(status.ok()) << status.message();
  return workers;
}

namespace {
/// Counts the calls of each part, and the threads that made them.
struct Shares {
  explicit Shares(uint32_t count) : calls(count), threads(count) {}
  static void body(void *context, uint32_t share) {
    auto &shares = *static_cast<Shares *>(context);
    ++shares.calls[share];
    shares.threads[share] = gettid();
    auto until = Clock::now() + shares.time;
    while (Clock::now() < until)
      ;
  }
  bool allAre(uint32_t n) const {
    return std::all_of(calls.begin(), calls.end(), [&](uint32_t c) { return c == n; });
  }
  std::vector<uint32_t> calls;
  std::vector<pid_t> threads;
  std::chrono::nanoseconds time{0};
};
} // namespace

TEST(Workers, EveryShareOnce) {
  for (uint32_t threads : {1u, 2u, 3u, 8u}) {
    auto workers = makeWorkers(threads);
    EXPECT_EQ(workers->size(), threads);
    for (uint32_t count : {1u, 2u, 3u, 8u, 13u}) {
      Shares shares(count);
      for (int i = 0; i < 200; ++i)
        workers->run(count, Shares::body, &shares);
      EXPECT_TRUE(shares.allAre(200)) << threads << " " << count;
    }
  }
}

TEST(Workers, TheCallerHasTheFirstShare) {
  auto workers = makeWorkers(3);
  for (int i = 0; i < 100; ++i) {
    Shares shares(3);
    workers->run(3, Shares::body, &shares);
    EXPECT_EQ(shares.threads[0], gettid());
  }
}

/// Regions start around the moment at which workers go to sleep.
TEST(Workers, NoWakeUpIsLost) {
  auto workers = makeWorkers(3);
  for (int i = 0; i < 3000; ++i) {
    auto until = Clock::now() + std::chrono::microseconds(i % 120);
    while (Clock::now() < until)
      ;
    Shares shares(3);
    shares.time = std::chrono::microseconds(i % 3);
    workers->run(3, Shares::body, &shares);
    ASSERT_TRUE(shares.allAre(1));
  }
}

TEST(Workers, ManyCallersAtOnce) {
  auto workers = makeWorkers(4);
  std::vector<std::thread> callers;
  std::vector<int> good(8);
  for (int t = 0; t < 8; ++t)
    callers.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) {
        Shares shares(4);
        shares.time = std::chrono::microseconds(i % 5);
        workers->run(4, Shares::body, &shares);
        good[size_t(t)] += shares.allAre(1);
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(good, std::vector<int>(8, 500));
}

namespace {
/// Two regions whose callers leave all parts but the first to the only worker.
struct Turns {
  static constexpr size_t count = 20;
  struct Region {
    Turns *turns;
    int number;
  };
  static void body(void *context, uint32_t share) {
    auto [turns, number] = *static_cast<Region *>(context);
    if (share == 0)
      ++turns->open;
    while (turns->open < 2)
      sched_yield();
    if (share != 0) {
      turns->order[turns->helped] = number;
      ++turns->helped;
    }
    while (share == 0 && turns->helped < 2 * count)
      sched_yield();
  }
  std::atomic<int> open{0};
  std::atomic<size_t> helped{0};
  std::vector<int> order = std::vector<int>(2 * count);
};
} // namespace

TEST(Workers, HelpOpenRegionsInTurn) {
  auto workers = makeWorkers(2);
  Turns turns;
  auto call = [&](int number) {
    Turns::Region region{&turns, number};
    workers->run(Turns::count + 1, Turns::body, &region);
  };
  std::thread other([&] { call(0); });
  call(1);
  other.join();
  // Alternation does not hold for the first part, which may precede the other region, and
  // the last.
  for (size_t i = 1; i + 2 < turns.order.size(); ++i)
    EXPECT_NE(turns.order[i], turns.order[i + 1]) << i;
}

TEST(Workers, ForkedChildGetsItsOwn) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "its runtime allows no threads after a fork";
#endif
#endif
  auto workers = makeWorkers(3);
  Shares before(3);
  workers->run(3, Shares::body, &before);
  pid_t child = fork();
  if (child == 0) {
    alarm(20); // kill a test that hangs
    bool isHelped = false;
    for (int i = 0; i < 100; ++i) {
      Shares shares(3);
      shares.time = std::chrono::milliseconds(1);
      workers->run(3, Shares::body, &shares);
      if (!shares.allAre(1))
        _exit(2);
      isHelped |= shares.threads[2] != gettid();
    }
    workers.reset();
    _exit(isHelped ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  workers->run(3, Shares::body, &before);
  EXPECT_TRUE(before.allAre(2));
}

//===----------------------------------------------------------------------===//
// CPUs and scheduling of workers
//===----------------------------------------------------------------------===//

namespace {
/// Circumstances in which a worker ran its part.
struct Circumstances {
  std::atomic<bool> done{false};
  cpu_set_t cpus{};
  int nice = 0, policy = 0;

  static void body(void *context, uint32_t share) {
    auto &self = *static_cast<Circumstances *>(context);
    if (share == 0) { // leave the other part to the worker
      while (!self.done)
        sched_yield();
      return;
    }
    sched_getaffinity(0, sizeof self.cpus, &self.cpus);
    self.nice = getpriority(PRIO_PROCESS, 0);
    self.policy = sched_getscheduler(0);
    self.done = true;
  }
};
} // namespace

static std::vector<uint32_t> allowedCpus() {
  cpu_set_t all;
  sched_getaffinity(0, sizeof all, &all);
  std::vector<uint32_t> cpus;
  for (uint32_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &all))
      cpus.push_back(cpu);
  return cpus;
}

TEST(Workers, RunWhereTheyAreTold) {
  for (uint32_t cpu : allowedCpus()) {
    SharedWorkers::Settings settings;
    settings.cpus = {cpu};
    auto workers = makeWorkers(2, settings);
    Circumstances found;
    workers->run(2, Circumstances::body, &found);
    EXPECT_EQ(CPU_COUNT(&found.cpus), 1);
    EXPECT_TRUE(CPU_ISSET(cpu, &found.cpus));
  }
}

TEST(Workers, HaveAPriorityOfTheirOwn) {
  int before = getpriority(PRIO_PROCESS, 0);
  SharedWorkers::Settings settings;
  settings.nice = 19;
  settings.policy = SCHED_BATCH;
  auto workers = makeWorkers(2, settings);
  Circumstances found;
  workers->run(2, Circumstances::body, &found);
  EXPECT_EQ(found.nice, 19);
  EXPECT_EQ(found.policy, SCHED_BATCH);
  EXPECT_EQ(getpriority(PRIO_PROCESS, 0), before);
}

static unsigned createCode(const kiln_workers_options &options,
                           std::string *expected = nullptr) {
  kiln_workers *made = nullptr;
  StatusPtr status = own(kiln_workers_create(&options, &made));
  kiln_workers_release(made);
  if (expected)
    *expected = kiln_status_get(status.get(), KILN_STATUS_EXPECTED);
  return kiln_status_code(status.get());
}

TEST(Workers, OptionsThatTheSystemRefuses) {
  kiln_workers_options options = KILN_WORKERS_OPTIONS_INIT;
  std::string expected;
  options.threads = 2;
  for (uint32_t cpu : {uint32_t{CPU_SETSIZE} - 1, uint32_t{CPU_SETSIZE}, UINT32_MAX}) {
    options.cpus = &cpu;
    options.cpu_count = 1;
    EXPECT_EQ(createCode(options, &expected), 1u) << cpu;
    EXPECT_EQ(expected, "CPUs that this process may use");
  }
  options.cpus = nullptr;
  EXPECT_EQ(createCode(options), 1u); // the only worker
  options.cpu_count = 0;
  options.policy = 12345;
  EXPECT_EQ(createCode(options, &expected), 1u);
  EXPECT_EQ(expected, "a niceness and a policy that this process may set");
  options.struct_size = 1;
  EXPECT_EQ(createCode(options), 1u);
  EXPECT_EQ(kiln_status_code(own(kiln_workers_create(nullptr, nullptr)).get()), 1u);
  EXPECT_EQ(kiln_workers_threads(nullptr), 0u);
  kiln_workers_retain(nullptr);
  kiln_workers_release(nullptr);
}

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

static kiln_session_options optionsOf(const kiln::rt::Workers &workers) {
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.workers = workers.get();
  return options;
}

/// Sessions of two models, more than there are threads, share workers and give the same
/// bits as alone.
TEST(Workers, SessionsOfTwoModels) {
  TempFolder folder;
  writeModel(folder / "a.kiln", scaleModel());
  writeModel(folder / "b.kiln", slowModel());
  kiln::rt::Model scale(folder / "a.kiln"), slow(folder / "b.kiln");
  kiln::rt::Workers workers(3);
  std::atomic<int> good{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 6; ++t)
    callers.emplace_back([&, t] {
      kiln::rt::Session session(t % 2 ? slow : scale, optionsOf(workers));
      EXPECT_EQ(session.threads(), 3u);
      for (int i = 0; i < 60; ++i) {
        int64_t rows = 1 + i % 4, width = t % 2 ? 1 : 1 + (i * 7 + t) % 64;
        std::vector<float> x(static_cast<size_t>(rows * width), float(i));
        std::vector<int64_t> shape = {rows};
        if (t % 2 == 0)
          shape.push_back(width);
        auto out = session.run({{"x", x, shape}});
        float wanted = t % 2 ? 2 * float(i) : scaled(float(i));
        bool isRight = true;
        for (size_t e = 0; e < x.size(); ++e)
          isRight &= out[0].as<float>()[e] == wanted;
        good += isRight;
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(good, 6 * 60);
}

TEST(Workers, RunsEndEarly) {
  TempFolder folder;
  writeModel(folder / "m.kiln", slowModel());
  kiln::rt::Model model(folder / "m.kiln");
  kiln::rt::Workers workers(3);
  kiln::rt::Session session(model, optionsOf(workers));
  std::vector<float> x(8192, 1), one = {21};
  auto begin = Clock::now();
  try {
    session.run({{"x", x, {8192}}}, {std::chrono::milliseconds(100), {}});
    ADD_FAILURE();
  } catch (const kiln::rt::Error &error) {
    EXPECT_EQ(error.code(), 714u);
  }
  EXPECT_LT(Clock::now() - begin, std::chrono::milliseconds(100 + 150));
  EXPECT_EQ(session.run({{"x", one, {1}}})[0].as<float>()[0], 42);
}

TEST(Workers, LiveAsLongAsTheirSessions) {
  TempFolder folder;
  writeModel(folder / "m.kiln", scaleModel());
  kiln::rt::Model model(folder / "m.kiln");
  auto workers = std::make_unique<kiln::rt::Workers>(2);
  kiln::rt::Session session(model, optionsOf(*workers));
  workers.reset();
  std::vector<float> x(4 * 256, 3);
  EXPECT_EQ(session.run({{"x", x, {4, 256}}})[0].as<float>()[9], scaled(3));
}

TEST(Workers, AreForRunsOfTheLibraryAlone) {
  TempFolder folder;
  writeModel(folder / "m.kiln", scaleModel());
  kiln::rt::Model model(folder / "m.kiln");
  kiln::rt::Workers workers(2);
  kiln_session_options options = optionsOf(workers);
  options.threads = 1;
  EXPECT_EQ(kiln::rt::Session(model, options).threads(), 1u);
  options.threads = 100;
  EXPECT_EQ(kiln::rt::Session(model, options).threads(), 2u);
  options.parallel_for = [](void *, uint32_t, void (*)(void *, uint32_t), void *) {};
  EXPECT_THROW(kiln::rt::Session(model, options), kiln::rt::Error);
}
