//===- PoolTest.cpp -------------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/host/thread_pool.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace kiln::rt;

static void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

namespace {
/// Counts the calls of each worker.
struct Counts {
  explicit Counts(uint32_t workers) : calls(workers) {}
  struct alignas(64) Line { // a cache line per worker, as kernels write separate lines
    uint32_t count = 0;
  };
  std::vector<Line> calls;
  uint32_t pauses = 0;

  static void body(void *context, uint32_t worker) {
    auto &counts = *static_cast<Counts *>(context);
    ++counts.calls[worker].count;
    // Without some work the caller would take over nearly every part.
    for (uint32_t i = 0; i < counts.pauses; ++i)
      relax();
  }
  bool allAre(uint32_t n) const {
    for (const Line &c : calls)
      if (c.count != n)
        return false;
    return true;
  }
};
} // namespace

TEST(Pool, EveryWorkerOnce) {
  for (uint32_t threads = 1; threads <= 8; ++threads) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (uint32_t workers : {1u, 2u, 3u, 8u, 13u}) {
      Counts counts(workers);
      for (int i = 0; i < 200; ++i)
        pool.run(workers, Counts::body, &counts);
      EXPECT_TRUE(counts.allAre(200)) << threads << " " << workers;
    }
  }
}

TEST(Pool, ManyRegionsOfChangingSize) {
  ThreadPool pool(4);
  ThreadPool::ActiveScope active(pool);
  uint64_t total = 0, expected = 0;
  for (uint32_t i = 0; i < 20000; ++i) {
    Counts counts(1 + i % 4);
    counts.pauses = i % 64;
    pool.run(1 + i % 4, Counts::body, &counts);
    expected += 1 + i % 4;
    for (const Counts::Line &c : counts.calls)
      total += c.count;
  }
  EXPECT_EQ(total, expected);
}

namespace {
/// CPU on which worker 1 ran, and its CPU affinity then.
struct Place {
  std::atomic<bool> done{false};
  pid_t thread = 0;
  int cpu = -1;
  cpu_set_t allowed{};

  static void body(void *context, uint32_t worker) {
    auto &place = *static_cast<Place *>(context);
    if (worker == 0) { // leave the other part to the worker for a while
      for (int i = 0; i < 1000000 && !place.done.load(); ++i)
        relax();
      return;
    }
    place.thread = gettid();
    place.cpu = sched_getcpu();
    sched_getaffinity(0, sizeof place.allowed, &place.allowed);
    place.done = true;
  }
};
} // namespace

TEST(Pool, WokenWorkerLeavesItsCallersCpuAlone) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  if (CPU_COUNT(&all) < 2)
    GTEST_SKIP() << "one CPU is allowed: nowhere else to go";
  ThreadPool pool(2);
  int elsewhere = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE && elsewhere < 20; ++cpu) {
    if (!CPU_ISSET(cpu, &all))
      continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one),
              0); // the caller's, not the worker's
    for (int i = 0; i < 10; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5)); // the worker sleeps
      Place place;
      pool.run(2, Place::body, &place);
      if (place.thread == gettid())
        continue; // the machine is busy, and the caller took over the part
      ++elsewhere;
      EXPECT_NE(place.cpu, cpu);
      EXPECT_TRUE(CPU_EQUAL(&place.allowed, &all))
          << "the worker did not get its CPUs back";
    }
  }
  sched_setaffinity(0, sizeof all, &all);
  EXPECT_GT(elsewhere, 0);
}

TEST(Pool, WorksAfterIdleTime) {
  ThreadPool pool(3);
  for (int pause : {0, 1, 5, 30}) {
    std::this_thread::sleep_for(std::chrono::milliseconds(pause));
    Counts counts(3);
    for (int i = 0; i < 10; ++i)
      pool.run(3, Counts::body, &counts);
    EXPECT_TRUE(counts.allAre(10));
  }
}

// Regions start around the moment at which workers go to sleep.
TEST(Pool, NoWakeUpIsLost) {
  ThreadPool pool(2);
  for (int i = 0; i < 3000; ++i) {
    auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(i % 120);
    while (std::chrono::steady_clock::now() < until)
      ;
    Counts counts(2);
    counts.pauses = 20;
    pool.run(2, Counts::body, &counts);
    ASSERT_TRUE(counts.allAre(1));
  }
}

// Workers lose their CPUs within regions; some parts are taken over, some are awaited.
TEST(Pool, BusyMachine) {
  ThreadPool pool(4);
  std::atomic<bool> stop{false};
  std::vector<std::thread> others;
  for (uint32_t i = 0; i < 2 * std::thread::hardware_concurrency(); ++i)
    others.emplace_back([&] {
      while (!stop.load())
        relax();
    });
  bool isRight = true;
  auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  for (uint32_t i = 0; std::chrono::steady_clock::now() < until; ++i) {
    Counts counts(4);
    counts.pauses = i % 200;
    pool.run(4, Counts::body, &counts);
    isRight &= counts.allAre(1);
  }
  stop = true;
  for (std::thread &other : others)
    other.join();
  EXPECT_TRUE(isRight);
}

TEST(Pool, ContextIsCopied) {
  struct Context {
    std::atomic<uint64_t> *sum;
    uint64_t words[5];
  } context{};
  static_assert(sizeof context == ThreadPool::maxCopiedBytes);
  auto body = [](void *argument, uint32_t worker) {
    auto &context = *static_cast<const Context *>(argument);
    *context.sum += worker == 0 ? 0 : context.words[0] + context.words[4];
  };
  ThreadPool pool(3);
  for (uint32_t workers : {1u, 2u, 3u, 7u})
    for (uint64_t i = 0; i < 500; ++i) {
      std::atomic<uint64_t> sum{0};
      context = {&sum, {i, 0, 0, 0, 3 * i}};
      pool.runWithCopies(workers, body, context);
      ASSERT_EQ(sum.load(), (workers - 1) * 4 * i);
    }
}

TEST(Pool, SlowWorkerIsAwaited) {
  ThreadPool pool(2);
  std::vector<int> done(2);
  for (int i = 0; i < 5; ++i) {
    done = {0, 0};
    pool.run(
        2,
        [](void *context, uint32_t worker) {
          if (worker == 1) // longer than the caller spins
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
          (*static_cast<std::vector<int> *>(context))[worker] = 1;
        },
        &done);
    EXPECT_EQ(done[0] + done[1], 2);
  }
}

TEST(Pool, ManyCallersAtOnce) {
  ThreadPool pool(3);
  std::vector<std::thread> callers;
  std::vector<int> good(8);
  for (int t = 0; t < 8; ++t)
    callers.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) {
        Counts counts(3);
        counts.pauses = 20;
        pool.run(3, Counts::body, &counts);
        good[t] += counts.allAre(1);
      }
    });
  for (std::thread &c : callers)
    c.join();
  for (int g : good)
    EXPECT_EQ(g, 500);
}

TEST(Pool, ForkedChildGetsItsOwn) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "its runtime allows no threads after a fork";
#endif
#endif
  Counts before(4);
  ThreadPool::process().run(4, Counts::body, &before);
  pid_t child = fork();
  if (child == 0) {
    alarm(20); // kill a test that hangs
    Counts counts(4);
    for (int i = 0; i < 100; ++i)
      ThreadPool::process().run(4, Counts::body, &counts);
    _exit(counts.allAre(100) ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  ThreadPool::process().run(4, Counts::body, &before);
  EXPECT_TRUE(before.allAre(2));
}

// Records the overhead of a region of two threads in the test's output. There is no
// bound, as the machine may be busy.
TEST(Pool, RegionTime) {
  ThreadPool pool(2);
  ThreadPool::ActiveScope active(pool);
  Counts counts(2);
  counts.pauses = 100;
  auto median = [&](auto &&call) {
    std::vector<double> samples;
    for (int s = 0; s < 200; ++s) {
      auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < 20; ++i)
        call();
      std::chrono::duration<double, std::micro> t =
          std::chrono::steady_clock::now() - begin;
      samples.push_back(t.count() / 20);
    }
    std::sort(samples.begin(), samples.end());
    return samples[100];
  };
  double alone = median([&] { Counts::body(&counts, 0); });
  double both = median([&] { pool.run(2, Counts::body, &counts); });
  std::printf("work of %.2f us for each of 2 threads: region %.2f us\n", alone, both);
  RecordProperty("overhead_ns", static_cast<int>((both - alone) * 1000));
  EXPECT_EQ(counts.calls[1].count, 4000u);
}
