//===- CollectiveTest.cpp - Ranks that meet -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/thread_backend.h"
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <thread>

using namespace kiln::rt;
using namespace std::chrono_literals;

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Runs a body on a thread per rank; the status of each.
static std::vector<Status>
onRanks(ThreadWorld &group, const std::function<Status(uint32_t, HostBackend &)> &body) {
  group.begin();
  std::vector<Status> results(group.size());
  std::vector<std::thread> threads;
  for (uint32_t rank = 0; rank < group.size(); ++rank)
    threads.emplace_back([&, rank] {
      results[rank] = body(rank, group.backend(rank));
      if (!results[rank].ok())
        group.fail(rank, results[rank].failure());
    });
  for (std::thread &thread : threads)
    thread.join();
  return results;
}

static CollectiveCall call(CollectiveKind kind, int64_t outer, int64_t inner,
                           const void *from, void *to, uint32_t step = 0) {
  return {kind, Reduction::Sum, KILN_DTYPE_F32, outer, inner, from, to, step};
}

/// Rank r's element i.
static float element(uint32_t rank, int64_t i) {
  return std::sin(static_cast<float>(i) * 0.7f + static_cast<float>(rank)) * 1e3f;
}

class Ranks : public testing::TestWithParam<uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Counts, Ranks, testing::Values(2, 3, 4, 7));

TEST_P(Ranks, AllReduceInPlaceHasOneSum) {
  uint32_t ranks = GetParam();
  ThreadWorld group(ranks, 30s);
  for (int64_t count : {0, 1, 63, 64, 65, 1000, 5000}) {
    std::vector<std::vector<float>> x(ranks);
    for (uint32_t rank = 0; rank < ranks; ++rank)
      for (int64_t i = 0; i < count; ++i)
        x[rank].push_back(element(rank, i));
    auto results = onRanks(group, [&](uint32_t rank, HostBackend &own) {
      return own.run(
          call(CollectiveKind::AllReduce, 1, count, x[rank].data(), x[rank].data()));
    });
    for (uint32_t rank = 0; rank < ranks; ++rank) {
      ASSERT_TRUE(results[rank].ok()) << results[rank].message();
      ASSERT_EQ(x[rank], x[0]) << rank;
    }
    for (int64_t i = 0; i < count; ++i) {
      float sum = element(0, i);
      for (uint32_t rank = 1; rank < ranks; ++rank)
        sum += element(rank, i);
      ASSERT_EQ(x[0][size_t(i)], sum) << i;
    }
  }
}

TEST_P(Ranks, GatherAndScatter) {
  uint32_t ranks = GetParam();
  constexpr int64_t outer = 3, inner = 5;
  ThreadWorld group(ranks, 30s);
  std::vector<std::vector<float>> all(ranks), parts(ranks);
  auto results = onRanks(group, [&](uint32_t rank, HostBackend &own) -> Status {
    std::vector<float> mine;
    for (int64_t i = 0; i < outer * inner; ++i)
      mine.push_back(element(rank, i));
    all[rank].resize(size_t(outer * inner) * ranks);
    parts[rank].resize(size_t(outer * inner));
    KILN_TRY(own.run(
        call(CollectiveKind::AllGather, outer, inner, mine.data(), all[rank].data())));
    return own.run(call(CollectiveKind::ReduceScatter, outer, inner, all[rank].data(),
                        parts[rank].data(), 1));
  });
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    ASSERT_TRUE(results[rank].ok()) << results[rank].message();
    for (int64_t o = 0; o < outer; ++o)
      for (int64_t i = 0; i < inner; ++i) {
        for (uint32_t from = 0; from < ranks; ++from)
          ASSERT_EQ(all[rank][size_t((o * ranks + from) * inner + i)],
                    element(from, o * inner + i));
        float sum = element(rank, o * inner + i), value = sum;
        for (uint32_t more = 1; more < ranks; ++more)
          sum += value;
        ASSERT_EQ(parts[rank][size_t(o * inner + i)], sum);
      }
  }
}

TEST_P(Ranks, AllToAll) {
  uint32_t ranks = GetParam();
  ThreadWorld group(ranks, 30s);
  for (auto [outer, inner] : {std::pair<int64_t, int64_t>(1, 5), {3, 4}, {2, 0}}) {
    std::vector<std::vector<float>> x(ranks), y(ranks);
    auto results = onRanks(group, [&](uint32_t rank, HostBackend &own) {
      for (int64_t i = 0; i < outer * inner * ranks; ++i)
        x[rank].push_back(element(rank, i));
      y[rank].resize(x[rank].size());
      return own.run(
          call(CollectiveKind::AllToAll, outer, inner, x[rank].data(), y[rank].data()));
    });
    for (uint32_t rank = 0; rank < ranks; ++rank) {
      ASSERT_TRUE(results[rank].ok()) << results[rank].message();
      for (int64_t o = 0; o < outer; ++o)
        for (uint32_t from = 0; from < ranks; ++from)
          for (int64_t i = 0; i < inner; ++i)
            ASSERT_EQ(y[rank][size_t((o * ranks + from) * inner + i)],
                      element(from, (o * ranks + rank) * inner + i));
    }
  }
}

/// Three stages of two ranks: from each rank of one stage to the rank in its place in
/// another one, and to nobody else.
TEST(Stages, Permute) {
  ThreadWorld group(6, 30s);
  for (auto [from, to] : {std::pair(0u, 2u), {4u, 0u}, {2u, 4u}}) {
    float x[6][3];
    auto results = onRanks(group, [&](uint32_t rank, HostBackend &own) {
      std::fill(x[rank], x[rank] + 3, static_cast<float>(rank + 1));
      CollectiveCall hand = call(CollectiveKind::Permute, 1, 3, x[rank], x[rank]);
      hand.first = from, hand.count = 2, hand.takers = to;
      return own.run(hand);
    });
    for (uint32_t rank = 0; rank < 6; ++rank) {
      ASSERT_TRUE(results[rank].ok()) << results[rank].message();
      bool takes = rank / 2 * 2 == to;
      EXPECT_EQ(x[rank][2], float((takes ? from + rank % 2 : rank) + 1)) << rank;
    }
  }
}

/// Two stages of two ranks: sums of a stage leave the other one alone, and a broadcast
/// goes from each rank of a stage to the one that has its place in the other.
TEST(Stages, OfFourRanks) {
  ThreadWorld group(4, 30s);
  float x[4][3];
  auto fill = [&](uint32_t rank) {
    std::fill(x[rank], x[rank] + 3, static_cast<float>(rank + 1));
  };
  auto results = onRanks(group, [&](uint32_t rank, HostBackend &own) {
    fill(rank);
    CollectiveCall sum = call(CollectiveKind::AllReduce, 1, 3, x[rank], x[rank]);
    sum.first = 2, sum.count = 2;
    return own.run(sum);
  });
  for (const Status &one : results)
    ASSERT_TRUE(one.ok()) << one.message();
  for (uint32_t rank = 0; rank < 4; ++rank)
    EXPECT_EQ(x[rank][2], rank < 2 ? float(rank + 1) : 7.0f) << rank;
  results = onRanks(group, [&](uint32_t rank, HostBackend &own) {
    fill(rank);
    CollectiveCall hand = call(CollectiveKind::Broadcast, 1, 3, x[rank], x[rank]);
    hand.first = 2, hand.count = 2;
    return own.run(hand);
  });
  for (uint32_t rank = 0; rank < 4; ++rank)
    EXPECT_EQ(x[rank][1], rank % 2 ? 4.0f : 3.0f) << rank;
}

/// A mesh of three by two: each row of ranks and each column meets by itself, side by
/// side.
TEST(Axes, OfSixRanks) {
  ThreadWorld group(6, 30s);
  struct Axis {
    uint32_t size, stride;
    std::vector<uint32_t> firsts;
  };
  for (const Axis &axis : {Axis{2, 1, {0, 2, 4}}, Axis{3, 2, {0, 1}}}) {
    float x[6][5], all[6][15], part[6][5], swapped[6][15];
    auto along = [&](CollectiveKind kind, const float *from, float *to) {
      CollectiveCall one = call(kind, 1, 5, from, to);
      one.members = axis.size, one.stride = axis.stride;
      return one;
    };
    auto results = onRanks(group, [&](uint32_t rank, HostBackend &own) -> Status {
      for (int64_t i = 0; i < 5; ++i)
        x[rank][i] = element(rank, i);
      KILN_TRY(own.run(along(CollectiveKind::AllGather, x[rank], all[rank])));
      KILN_TRY(own.run(along(CollectiveKind::ReduceScatter, all[rank], part[rank])));
      // All members have the same, of which each gets as many copies of its part.
      KILN_TRY(own.run(along(CollectiveKind::AllToAll, all[rank], swapped[rank])));
      return own.run(along(CollectiveKind::AllReduce, x[rank], x[rank]));
    });
    for (const Status &one : results)
      ASSERT_TRUE(one.ok()) << one.message();
    for (uint32_t first : axis.firsts)
      for (int64_t i = 0; i < 5; ++i) {
        float sum = element(first, i);
        for (uint32_t m = 1; m < axis.size; ++m)
          sum += element(first + m * axis.stride, i);
        for (uint32_t m = 0; m < axis.size; ++m) {
          uint32_t rank = first + m * axis.stride;
          EXPECT_EQ(x[rank][i], sum) << rank;
          float own = element(rank, i), times = own;
          for (uint32_t n = 0; n < axis.size; ++n) {
            EXPECT_EQ(all[rank][n * 5 + i], element(first + n * axis.stride, i)) << rank;
            EXPECT_EQ(swapped[rank][n * 5 + i], own) << rank;
            times = n ? times + own : own;
          }
          EXPECT_EQ(part[rank][i], times) << rank;
        }
      }
  }
}

/// A rank that others wait for is late if it completes no step for that long.
TEST(Stages, ARankThatCompletesStepsIsNotLate) {
  ThreadWorld group(2, 3s);
  float x[2][8] = {};
  auto results = onRanks(group, [&](uint32_t rank, HostBackend &own) {
    for (int step = 0; rank == 1 && step < 25; ++step) {
      std::this_thread::sleep_for(200ms);
      own.noteStep();
    }
    return own.run(call(CollectiveKind::AllReduce, 1, 8, x[rank], x[rank]));
  });
  for (const Status &one : results)
    EXPECT_TRUE(one.ok()) << one.message();
}

/// Many in a row, with ranks that come at different times.
TEST_P(Ranks, ManyTimes) {
  uint32_t ranks = GetParam();
  ThreadWorld group(ranks, 30s);
  auto results = onRanks(group, [&](uint32_t rank, HostBackend &own) -> Status {
    for (uint32_t step = 0; step < 300; ++step) {
      float x[100];
      std::fill(x, x + 100, static_cast<float>(step + rank));
      if (step % 50 == rank)
        std::this_thread::sleep_for(1ms);
      KILN_TRY(own.run(call(CollectiveKind::AllReduce, 1, 100, x, x, step)));
      float sum = static_cast<float>(ranks * step + ranks * (ranks - 1) / 2);
      if (x[0] != sum || x[99] != sum)
        return Failure{Code::Internal, "step " + std::to_string(step), "a wrong sum"};
    }
    return {};
  });
  for (const Status &result : results)
    EXPECT_TRUE(result.ok()) << result.message();
}

static bool says(const Status &status, const std::string &text) {
  return std::string(status.message()).find(text) != std::string::npos;
}

TEST(Faults, OneRankFailsAndAllOthersSaySo) {
  ThreadWorld group(3, 30s);
  auto begin = std::chrono::steady_clock::now();
  auto results = onRanks(group, [&](uint32_t rank, HostBackend &own) -> Status {
    float x[8] = {};
    KILN_TRY(own.run(call(CollectiveKind::AllReduce, 1, 8, x, x)));
    if (rank == 1) {
      std::this_thread::sleep_for(100ms); // the others sleep meanwhile
      return Failure{Code::OutOfMemory, "rank 1", "memory is exhausted"};
    }
    return own.run(call(CollectiveKind::AllReduce, 1, 8, x, x, 4));
  });
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
  EXPECT_EQ(results[1].code(), Code::OutOfMemory);
  for (uint32_t rank : {0, 2}) {
    ASSERT_EQ(results[rank].code(), Code::RankFailed);
    EXPECT_TRUE(says(results[rank],
                     "rank " + std::to_string(rank) + ", step 4: rank 1 has failed"))
        << results[rank].message();
  }
  ASSERT_TRUE(group.firstFailure());
  EXPECT_EQ(group.firstFailure()->rank, 1u);
  // The next run knows nothing of it.
  results = onRanks(group, [&](uint32_t, HostBackend &own) {
    float x[8] = {};
    return own.run(call(CollectiveKind::AllReduce, 1, 8, x, x));
  });
  for (const Status &result : results)
    EXPECT_TRUE(result.ok()) << result.message();
}

TEST(Faults, ARankThatDoesNotComeIsNamed) {
  ThreadWorld group(3, 200ms);
  auto results = onRanks(group, [&](uint32_t rank, HostBackend &own) -> Status {
    float x[8] = {};
    if (rank == 2)
      std::this_thread::sleep_for(600ms);
    return own.run(call(CollectiveKind::AllReduce, 1, 8, x, x, 7));
  });
  for (const Status &result : results) {
    ASSERT_EQ(result.code(), Code::RankLate);
    EXPECT_TRUE(says(result, "rank 2 has not come")) << result.message();
    EXPECT_TRUE(says(result, "within 200 ms")) << result.message();
  }
}

TEST(Faults, OtherCollectivesAreRefused) {
  struct Case {
    const char *name;
    std::function<void(CollectiveCall &)> change;
  } cases[] = {
      {"kind", [](CollectiveCall &c) { c.kind = CollectiveKind::AllGather; }},
      {"reduction", [](CollectiveCall &c) { c.reduction = Reduction::Max; }},
      {"type", [](CollectiveCall &c) { c.dtype = KILN_DTYPE_I32; }},
      {"size", [](CollectiveCall &c) { c.inner = 7; }},
      {"step", [](CollectiveCall &c) { c.step = 5; }},
      {"stage", [](CollectiveCall &c) { c.count = 1; }},
      {"axis", [](CollectiveCall &c) { c.members = 1; }},
      {"takers", [](CollectiveCall &c) { c.takers = 1; }},
  };
  for (const Case &one : cases) {
    ThreadWorld group(3, 30s);
    auto results = onRanks(group, [&](uint32_t rank, HostBackend &own) {
      float x[8] = {};
      CollectiveCall mine = call(CollectiveKind::AllReduce, 1, 8, x, x);
      if (rank == 1)
        one.change(mine);
      return own.run(mine);
    });
    for (const Status &result : results) {
      ASSERT_EQ(result.code(), Code::CollectiveMismatch) << one.name;
      EXPECT_TRUE(says(result, "rank 1: it comes to another collective than rank 0"))
          << result.message();
    }
  }
}
