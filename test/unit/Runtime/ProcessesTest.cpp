//===- ProcessesTest.cpp - Collectives between processes ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Forked.h"
#include "runtime/collective/segment.h"
#include "runtime/collective/thread_backend.h"
#include "runtime/collective/wire.h"
#include <cstring>
#include <thread>

using namespace kiln::rt;
using namespace kiln::test;
using namespace std::chrono_literals;

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

namespace {
struct Case {
  CollectiveKind kind;
  kiln_dtype dtype;
  int64_t outer, inner;
  Reduction reduction = Reduction::Sum;
  uint32_t first = 0, count = 0;    ///< of a stage
  uint32_t members = 0, stride = 1; ///< of an axis of its mesh
  uint32_t takers = 0;              ///< of a permute
  /// In how many parts a tensor is gathered or scattered among so many ranks.
  uint32_t parts(uint32_t ranks) const { return members ? members : ranks; }
};

using Bytes = std::vector<uint8_t>;
} // namespace

/// Floats that are neither NaN nor infinite, and any integers.
static Bytes operandOf(const Case &c, uint32_t rank, uint32_t ranks) {
  bool givesAll =
      c.kind == CollectiveKind::ReduceScatter || c.kind == CollectiveKind::AllToAll;
  int64_t parts = givesAll ? c.parts(ranks) : 1;
  Bytes bytes(static_cast<size_t>(c.outer * c.inner * parts) * kiln_dtype_size(c.dtype));
  uint64_t state = rank * 77 + 5;
  for (uint8_t &byte : bytes) {
    state = state * 6364136223846793005 + 1442695040888963407;
    byte = static_cast<uint8_t>(state >> 56) & 0xb7; // no exponent is full
  }
  return bytes;
}

/// In place where a plan may do so.
static Status runCase(const Case &c, Bytes from, uint32_t ranks, HostBackend &own,
                      Bytes &to) {
  bool isInPlace = c.kind == CollectiveKind::AllReduce ||
                   c.kind == CollectiveKind::Broadcast ||
                   c.kind == CollectiveKind::Permute;
  if (isInPlace)
    to = from;
  else if (c.kind == CollectiveKind::AllToAll)
    to.assign(from.size(), 0xee);
  else
    to.assign(c.kind == CollectiveKind::AllGather ? from.size() * c.parts(ranks)
                                                  : from.size() / c.parts(ranks),
              0xee);
  return own.run({c.kind, c.reduction, c.dtype, c.outer, c.inner,
                  isInPlace ? to.data() : from.data(), to.data(), 3, c.first, c.count,
                  c.members, c.stride, c.takers});
}

static std::vector<Bytes> byThreads(const Case &c, uint32_t ranks) {
  ThreadWorld group(ranks, 20s);
  std::vector<Bytes> results(ranks);
  std::vector<std::thread> threads;
  for (uint32_t rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      Status done = runCase(c, operandOf(c, rank, ranks), ranks, group.backend(rank),
                            results[rank]);
      EXPECT_TRUE(done.ok()) << done.message();
    });
  for (std::thread &thread : threads)
    thread.join();
  return results;
}

static std::string textOf(const Bytes &bytes) { return {bytes.begin(), bytes.end()}; }

static std::vector<Case> allCases(uint32_t ranks) {
  std::vector<Case> cases;
  for (kiln_dtype dtype :
       {KILN_DTYPE_F32, KILN_DTYPE_F16, KILN_DTYPE_BF16, KILN_DTYPE_F64, KILN_DTYPE_I8,
        KILN_DTYPE_U16, KILN_DTYPE_I32, KILN_DTYPE_I64})
    for (int64_t count : {0, 1, 63, 65, 1001})
      cases.push_back({CollectiveKind::AllReduce, dtype, 1, count});
  for (Reduction each :
       {Reduction::Mean, Reduction::Max, Reduction::Min, Reduction::Prod})
    cases.push_back({CollectiveKind::AllReduce, KILN_DTYPE_F32, 3, 171, each});
  for (auto kind : {CollectiveKind::AllGather, CollectiveKind::ReduceScatter,
                    CollectiveKind::AllToAll})
    for (auto [outer, inner] : {std::pair(1, 1), {5, 7}, {0, 3}, {3, 0}, {64, 33}})
      cases.push_back({kind, KILN_DTYPE_F32, outer, inner});
  // More than a slot takes, and no multiple of what it takes.
  constexpr int64_t slot = Segment::slotBytes / 4;
  cases.push_back({CollectiveKind::AllReduce, KILN_DTYPE_F32, 1, slot});
  cases.push_back({CollectiveKind::AllReduce, KILN_DTYPE_F32, 1, 2 * slot + 12345});
  cases.push_back({CollectiveKind::AllReduce, KILN_DTYPE_BF16, 7, slot + 1});
  cases.push_back({CollectiveKind::AllGather, KILN_DTYPE_F32, 3, slot / 2 + 7});
  cases.push_back({CollectiveKind::AllGather, KILN_DTYPE_I8, 1001, 1501});
  cases.push_back({CollectiveKind::ReduceScatter, KILN_DTYPE_F32, 3, slot / 2 + 7});
  cases.push_back({CollectiveKind::ReduceScatter, KILN_DTYPE_F16, 999, 777});
  cases.push_back({CollectiveKind::AllToAll, KILN_DTYPE_F32, 1, slot / 2 + 7});
  cases.push_back({CollectiveKind::AllToAll, KILN_DTYPE_F16, 999, 777});
  // Of the ranks of a stage.
  for (auto kind : {CollectiveKind::AllReduce, CollectiveKind::Broadcast})
    for (auto [first, count] : {std::pair(0u, 1u), {1u, 1u}, {0u, 2u}})
      for (int64_t inner : {int64_t(0), int64_t(7), slot + 3})
        cases.push_back({kind, KILN_DTYPE_F32, 1, inner, Reduction::Sum, first, count});
  // From one of the stages to another one.
  for (auto [from, to] : {std::pair(0u, 1u), {1u, 0u}})
    for (int64_t inner : {int64_t(0), int64_t(7), slot + 3})
      cases.push_back({CollectiveKind::Permute, KILN_DTYPE_F32, 1, inner, Reduction::Sum,
                       from, 1, 0, 1, to});
  // Along both axes of a mesh of two by two.
  for (auto kind : {CollectiveKind::AllReduce, CollectiveKind::AllGather,
                    CollectiveKind::ReduceScatter, CollectiveKind::AllToAll})
    for (uint32_t stride : {1u, 2u})
      for (int64_t inner : {int64_t(0), int64_t(7), slot / 2 + 3})
        if (ranks == 4)
          cases.push_back(
              {kind, KILN_DTYPE_F32, 3, inner, Reduction::Sum, 0, 4, 2, stride});
  return cases;
}

class Processes : public testing::TestWithParam<std::tuple<uint32_t, const char *>> {
protected:
  void SetUp() override {
    const kiln_wire_table *table;
    if (by.connectsNodes && !loadWire(table).ok())
      GTEST_SKIP() << "this build has no libkiln_gloo.so";
  }
  std::vector<Ended> onAll(const std::function<std::string(ProcessGroup &)> &body) {
    return onRanks(ranks, body, 20s, UINT32_MAX, by);
  }
  const uint32_t ranks = std::get<0>(GetParam());
  const Transport &by = transport(std::get<1>(GetParam()));
};
INSTANTIATE_TEST_SUITE_P(Ranks, Processes,
                         testing::Combine(testing::Values(2, 3, 4, 5),
                                          testing::Values("shared_memory")));
INSTANTIATE_TEST_SUITE_P(NodeRanks, Processes,
                         testing::Combine(testing::Values(2, 4),
                                          testing::Values("gloo")));

/// One after the other in one group, as a plan has them.
TEST_P(Processes, HaveTheBitsOfThreads) {
  std::vector<Case> cases = allCases(ranks);
  auto all = onAll([&](ProcessGroup &group) {
    std::string text;
    for (const Case &c : cases) {
      Bytes result;
      Status done =
          runCase(c, operandOf(c, group.rank(), ranks), ranks, group.backend(), result);
      if (!done.ok())
        return std::string(done.message());
      text += textOf(result);
    }
    return text;
  });
  std::vector<std::string> expected(ranks);
  for (const Case &c : cases) {
    std::vector<Bytes> results = byThreads(c, ranks);
    for (uint32_t rank = 0; rank < ranks; ++rank)
      expected[rank] += textOf(results[rank]);
  }
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    ASSERT_EQ(all[rank].result.size(), expected[rank].size())
        << all[rank].result.substr(0, 500);
    EXPECT_TRUE(all[rank].result == expected[rank]) << rank;
  }
}

/// Ranks that come at different times read no slot that is filled again.
TEST_P(Processes, ManyTimes) {
  auto all = onAll([&](ProcessGroup &group) -> std::string {
    for (uint32_t step = 0; step < 400; ++step) {
      float x[100], parts[500];
      std::fill(x, x + 100, static_cast<float>(step + group.rank()));
      if (step % 50 == group.rank())
        usleep(1000);
      bool gathers = step % 3 == 0;
      Status done = group.run(
          {gathers ? CollectiveKind::AllGather : CollectiveKind::AllReduce,
           Reduction::Sum, KILN_DTYPE_F32, 1, 100, x, gathers ? parts : x, step});
      if (!done.ok())
        return done.message();
      auto sum = static_cast<float>(ranks * step + ranks * (ranks - 1) / 2);
      auto last = static_cast<float>(step + ranks - 1);
      if (gathers ? parts[0] != float(step) || parts[100 * ranks - 1] != last
                  : x[0] != sum || x[99] != sum)
        return "a wrong result at " + std::to_string(step);
    }
    return "fine";
  });
  for (const Ended &one : all)
    EXPECT_EQ(one.result, "fine");
}

TEST_P(Processes, Broadcast) {
  auto all = onAll([&](ProcessGroup &group) -> std::string {
    for (size_t size : {size_t(0), size_t(1), 3 * Segment::slotBytes + 5}) {
      std::string text(size, static_cast<char>('a' + group.rank()));
      Status done = group.broadcast(text.data(), text.size());
      if (!done.ok() || text.find_first_not_of('a') != std::string::npos)
        return "a wrong text";
    }
    return "fine";
  });
  for (const Ended &one : all)
    EXPECT_EQ(one.result, "fine");
}
