//===- ProcessesTest.cpp - Collectives between processes ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Forked.h"
#include "runtime/collective/threads.h"
#include <cstring>
#include <dirent.h>
#include <fstream>
#include <set>
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
  uint32_t first = 0, count = 0; ///< of a stage
};

using Bytes = std::vector<uint8_t>;
} // namespace

/// Floats that are neither NaN nor infinite, and any integers.
static Bytes operandOf(const Case &c, uint32_t rank, uint32_t ranks) {
  int64_t parts = c.kind == CollectiveKind::ReduceScatter ? ranks : 1;
  Bytes bytes(static_cast<size_t>(c.outer * c.inner * parts) * kiln_dtype_size(c.dtype));
  uint64_t state = rank * 77 + 5;
  for (uint8_t &byte : bytes) {
    state = state * 6364136223846793005 + 1442695040888963407;
    byte = static_cast<uint8_t>(state >> 56) & 0xb7; // no exponent is full
  }
  return bytes;
}

/// In place where a plan may do so.
static Status runCase(const Case &c, Bytes from, uint32_t ranks, Communicator &own,
                      Bytes &to) {
  bool isInPlace =
      c.kind == CollectiveKind::AllReduce || c.kind == CollectiveKind::Broadcast;
  if (isInPlace)
    to = from;
  else
    to.assign(c.kind == CollectiveKind::AllGather ? from.size() * ranks
                                                  : from.size() / ranks,
              0xee);
  return own.run({c.kind, c.reduction, c.dtype, c.outer, c.inner,
                  isInPlace ? to.data() : from.data(), to.data(), 3, c.first, c.count});
}

static std::vector<Bytes> byThreads(const Case &c, uint32_t ranks) {
  ThreadGroup group(ranks, 20s);
  std::vector<Bytes> results(ranks);
  std::vector<std::thread> threads;
  for (uint32_t rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      Status done = runCase(c, operandOf(c, rank, ranks), ranks, group.communicator(rank),
                            results[rank]);
      EXPECT_TRUE(done.ok()) << done.message();
    });
  for (std::thread &thread : threads)
    thread.join();
  return results;
}

static std::string textOf(const Bytes &bytes) { return {bytes.begin(), bytes.end()}; }

static std::vector<Case> allCases() {
  std::vector<Case> cases;
  for (kiln_dtype dtype :
       {KILN_DTYPE_F32, KILN_DTYPE_F16, KILN_DTYPE_BF16, KILN_DTYPE_F64, KILN_DTYPE_I8,
        KILN_DTYPE_U16, KILN_DTYPE_I32, KILN_DTYPE_I64})
    for (int64_t count : {0, 1, 63, 65, 1001})
      cases.push_back({CollectiveKind::AllReduce, dtype, 1, count});
  for (Reduction each :
       {Reduction::Mean, Reduction::Max, Reduction::Min, Reduction::Prod})
    cases.push_back({CollectiveKind::AllReduce, KILN_DTYPE_F32, 3, 171, each});
  for (auto kind : {CollectiveKind::AllGather, CollectiveKind::ReduceScatter})
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
  // Of the ranks of a stage.
  for (auto kind : {CollectiveKind::AllReduce, CollectiveKind::Broadcast})
    for (auto [first, count] : {std::pair(0u, 1u), {1u, 1u}, {0u, 2u}})
      for (int64_t inner : {int64_t(0), int64_t(7), slot + 3})
        cases.push_back({kind, KILN_DTYPE_F32, 1, inner, Reduction::Sum, first, count});
  return cases;
}

class Processes : public testing::TestWithParam<std::tuple<uint32_t, Transport>> {
protected:
  void SetUp() override {
    const kiln_wire_table *table;
    if (transport == Transport::Network && !loadWire(table).ok())
      GTEST_SKIP() << "this build has no libkiln_gloo.so";
  }
  std::vector<Ended> onAll(const std::function<std::string(ProcessGroup &)> &body) {
    return onRanks(ranks, body, 20s, UINT32_MAX, transport);
  }
  const uint32_t ranks = std::get<0>(GetParam());
  const Transport transport = std::get<1>(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Ranks, Processes,
                         testing::Combine(testing::Values(2, 3, 5),
                                          testing::Values(Transport::SharedMemory)));
INSTANTIATE_TEST_SUITE_P(NodeRanks, Processes,
                         testing::Combine(testing::Values(2, 4),
                                          testing::Values(Transport::Network)));

/// One after the other in one group, as a plan has them.
TEST_P(Processes, HaveTheBitsOfThreads) {
  std::vector<Case> cases = allCases();
  auto all = onAll([&](ProcessGroup &group) {
    std::string text;
    for (const Case &c : cases) {
      Bytes result;
      Status done = runCase(c, operandOf(c, group.rank(), ranks), ranks, group, result);
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

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

static Status sum(ProcessGroup &group, uint32_t step) {
  float x[8] = {};
  return group.run(
      {CollectiveKind::AllReduce, Reduction::Sum, KILN_DTYPE_F32, 1, 8, x, x, step});
}

/// All ranks come to step 3, and to step 4 all but rank 1, which does something else.
static std::vector<Ended> withFault(const std::function<Status(ProcessGroup &)> &fault,
                                    std::chrono::milliseconds timeout = 20s,
                                    uint32_t stops = UINT32_MAX,
                                    Transport transport = Transport::SharedMemory) {
  return onRanks(
      3,
      [&](ProcessGroup &group) -> std::string {
        Status done = sum(group, 3);
        if (!done.ok())
          return std::string("step 3: ") + done.message();
        if (group.rank() == 1) {
          usleep(100000); // the others sleep meanwhile
          done = fault(group);
        } else {
          done = sum(group, 4);
        }
        Status again = group.check();
        return std::string(done.message()) + "\n" + again.message();
      },
      timeout, stops, transport);
}

TEST(ProcessFaults, AKilledRankIsNamed) {
  auto all = withFault([](ProcessGroup &) -> Status {
    raise(SIGKILL);
    return {};
  });
  EXPECT_EQ(all[1].signal, SIGKILL);
  for (uint32_t rank : {0u, 2u}) {
    EXPECT_TRUE(all[rank].says("KILN-E0710: rank " + std::to_string(rank) +
                               ", step 4: rank 1 has failed"))
        << all[rank].result;
    EXPECT_TRUE(all[rank].says("found its process has ended")) << all[rank].result;
    EXPECT_LT(all[rank].seconds, 5s);
    // For good: the next call says the same.
    EXPECT_TRUE(all[rank].says("\nKILN-E0710: rank " + std::to_string(rank) + ": rank 1"))
        << all[rank].result;
  }
}

TEST(ProcessFaults, ARankThatEndsIsNamed) {
  auto all = withFault([](ProcessGroup &) -> Status { _exit(0); });
  for (uint32_t rank : {0u, 2u})
    EXPECT_TRUE(all[rank].says("KILN-E0710") && all[rank].says("rank 1 has failed"))
        << all[rank].result;
}

TEST(ProcessFaults, AStoppedRankIsNamed) {
  auto all = withFault(
      [](ProcessGroup &group) {
        raise(SIGSTOP);
        return sum(group, 4);
      },
      2s, /*stops=*/1);
  for (uint32_t rank : {0u, 1u, 2u}) { // the one that goes on, too
    EXPECT_TRUE(all[rank].says("KILN-E0711")) << all[rank].result;
    EXPECT_TRUE(all[rank].says("rank 1 has not come to the collective"))
        << all[rank].result;
  }
  EXPECT_LT(all[0].seconds, 10s);
}

TEST(ProcessFaults, AFailureIsToldToAll) {
  auto all = withFault([](ProcessGroup &group) -> Status {
    Failure failure{Code::OutOfMemory, "rank 1", "memory is exhausted"};
    group.fail(1, failure);
    return failure;
  });
  EXPECT_TRUE(all[1].says("KILN-E0700")) << all[1].result;
  for (uint32_t rank : {0u, 2u})
    EXPECT_TRUE(all[rank].says("rank 1 has failed; expected a result from every rank, "
                               "found memory is exhausted"))
        << all[rank].result;
}

TEST(ProcessFaults, OtherCollectivesAreRefused) {
  const std::function<Status(ProcessGroup &)> others[] = {
      [](ProcessGroup &group) { return sum(group, 5); },
      [](ProcessGroup &group) { return group.begin(0, 0, 7); },
      [](ProcessGroup &group) { return group.broadcast(nullptr, 0); },
  };
  for (const auto &other : others)
    for (const Ended &one : withFault(other)) {
      EXPECT_TRUE(one.says("KILN-E0712: rank 1: it ")) << one.result;
      EXPECT_TRUE(one.says("all_reduce of 1 x 8 f32 at step 4")) << one.result;
    }
}

TEST(ProcessFaults, OtherRunsAreRefused) {
  for (int part : {0, 1, 2}) {
    auto all = onRanks(2, [&](ProcessGroup &group) -> std::string {
      uint32_t mine = group.rank() * 7;
      return group.begin(part == 0 ? mine : 1, part == 1 ? mine : 0, part == 2 ? mine : 4)
          .message();
    });
    for (const Ended &one : all)
      EXPECT_TRUE(one.says("KILN-E0712: rank 1: it begins another run than rank 0"))
          << one.result;
  }
}

namespace {
class NodeFaults : public testing::Test {
protected:
  void SetUp() override {
    const kiln_wire_table *table;
    if (!loadWire(table).ok())
      GTEST_SKIP() << "this build has no libkiln_gloo.so";
  }
};
} // namespace

TEST_F(NodeFaults, AKilledRankIsNamed) {
  auto all = withFault(
      [](ProcessGroup &) -> Status {
        raise(SIGKILL);
        return {};
      },
      20s, UINT32_MAX, Transport::Network);
  for (uint32_t rank : {0u, 2u}) {
    EXPECT_TRUE(all[rank].says("KILN-E0710: rank " + std::to_string(rank) +
                               ", step 4: rank 1 has failed"))
        << all[rank].result;
    EXPECT_TRUE(all[rank].says("its last collective: all_reduce of 1 x 8 f32 at step 3"))
        << all[rank].result;
    EXPECT_LT(all[rank].seconds, 5s);
  }
}

TEST_F(NodeFaults, AStoppedRankIsNamed) {
  auto all = withFault(
      [](ProcessGroup &group) {
        raise(SIGSTOP);
        return sum(group, 4);
      },
      2s, /*stops=*/1, Transport::Network);
  for (uint32_t rank : {0u, 2u}) {
    EXPECT_TRUE(all[rank].says("KILN-E0711")) << all[rank].result;
    EXPECT_TRUE(all[rank].says("rank 1 on node ")) << all[rank].result;
    EXPECT_TRUE(all[rank].says("it is stopped, or its node is cut off"))
        << all[rank].result;
    EXPECT_LT(all[rank].seconds, 8s);
  }
}

TEST_F(NodeFaults, ALateRankIsNamed) {
  auto all = withFault(
      [](ProcessGroup &group) {
        usleep(1500000);
        return sum(group, 4);
      },
      1s, UINT32_MAX, Transport::Network);
  for (const Ended &one : all) {
    EXPECT_TRUE(one.says("KILN-E0711")) << one.result;
    EXPECT_TRUE(one.says("rank 1 on node ") && one.says("only that it lives"))
        << one.result;
  }
}

TEST_F(NodeFaults, OtherCollectivesAreRefused) {
  for (const Ended &one : withFault([](ProcessGroup &group) { return sum(group, 5); },
                                    20s, UINT32_MAX, Transport::Network))
    EXPECT_TRUE(one.says("KILN-E0712: rank 1: it comes to another collective"))
        << one.result;
}

TEST_F(NodeFaults, AFailureIsToldToAll) {
  auto all = withFault(
      [](ProcessGroup &group) -> Status {
        Failure failure{Code::OutOfMemory, "rank 1", "memory is exhausted"};
        group.fail(1, failure);
        return failure;
      },
      20s, UINT32_MAX, Transport::Network);
  for (uint32_t rank : {0u, 2u})
    EXPECT_TRUE(all[rank].says("found memory is exhausted")) << all[rank].result;
}

//===----------------------------------------------------------------------===//
// What is left
//===----------------------------------------------------------------------===//

static std::set<std::string> namesIn(const char *folder) {
  std::set<std::string> names;
  if (DIR *open = opendir(folder)) {
    while (dirent *entry = readdir(open))
      names.insert(entry->d_name);
    closedir(open);
  }
  return names;
}

/// Sockets of this machine where ranks meet.
static std::set<std::string> meetingSockets() {
  std::set<std::string> names;
  std::ifstream sockets("/proc/net/unix");
  for (std::string line; std::getline(sockets, line);)
    if (size_t at = line.find("@kiln-ranks"); at != std::string::npos)
      names.insert(line.substr(at));
  return names;
}

TEST(ProcessFaults, NothingIsLeft) {
  std::set<std::string> before = meetingSockets();
  std::string place = newPlace();
  for (bool kills : {false, true}) {
    auto all = inProcesses(2, [&](uint32_t rank) -> std::string {
      std::unique_ptr<ProcessGroup> group;
      Status joined = ProcessGroup::join(rendezvousOf(place, rank, 2), 20s, group);
      if (!joined.ok())
        return joined.message();
      if (kills)
        raise(SIGKILL);
      return sum(*group, 1).message();
    });
    EXPECT_EQ(all[0].result, ""); // the place is free again
  }
  std::set<std::string> left = meetingSockets();
  std::erase_if(left, [&](const std::string &name) { return before.contains(name); });
  // Those of tests that run beside this one go in time; what is left behind stays.
  for (int i = 0; i < 300 && !left.empty(); ++i) {
    usleep(100000);
    std::set<std::string> now = meetingSockets();
    std::erase_if(left, [&](const std::string &name) { return !now.contains(name); });
  }
  EXPECT_TRUE(left.empty()) << *left.begin();
}

/// Descriptors, too, of a group that is gone.
TEST(ProcessFaults, DescriptorsAreClosed) {
  std::string place = newPlace();
  auto all = inProcesses(2, [&](uint32_t rank) -> std::string {
    size_t before = namesIn("/proc/self/fd").size();
    for (int i = 0; i < 3; ++i) {
      std::unique_ptr<ProcessGroup> group;
      Status joined = ProcessGroup::join(rendezvousOf(place, rank, 2), 20s, group);
      if (!joined.ok())
        return joined.message();
      if (Status met = sum(*group, 1); !met.ok())
        return met.message();
    }
    return namesIn("/proc/self/fd").size() == before ? "fine" : "descriptors are left";
  });
  for (const Ended &one : all)
    EXPECT_EQ(one.result, "fine");
}
