//===- ProcessFaultsTest.cpp - Faults of ranks that are processes ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Forked.h"
#include "runtime/collective/wire.h"
#include <dirent.h>
#include <fstream>
#include <set>

using namespace kiln::rt;
using namespace kiln::test;
using namespace std::chrono_literals;

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

static Status sum(const ProcessGroup &group, uint32_t step) {
  float x[8] = {};
  return group.run(
      {CollectiveKind::AllReduce, Reduction::Sum, KILN_DTYPE_F32, 1, 8, x, x, step});
}

/// All ranks run the collective of step 3; at step 4 rank 1 does something else.
static std::vector<Ended> withFault(const std::function<Status(ProcessGroup &)> &fault,
                                    std::chrono::milliseconds timeout = 20s,
                                    uint32_t stops = UINT32_MAX,
                                    const Transport &by = transport("shared_memory")) {
  return onRanks(
      3,
      [&](ProcessGroup &group) -> std::string {
        Status done = sum(group, 3);
        if (!done.ok())
          return std::string("step 3: ") + done.message();
        if (group.rank() == 1) {
          usleep(100000); // the others are sleeping by then
          done = fault(group);
        } else {
          done = sum(group, 4);
        }
        Status again = group.check();
        return std::string(done.message()) + "\n" + again.message();
      },
      timeout, stops, by);
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
    // The error is permanent: the next call reports it too.
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
  for (uint32_t rank : {0u, 1u, 2u}) { // including the one that continues
    EXPECT_TRUE(all[rank].says("KILN-E0711")) << all[rank].result;
    EXPECT_TRUE(all[rank].says("rank 1 has not come to the collective"))
        << all[rank].result;
  }
  EXPECT_LT(all[0].seconds, 10s);
}

TEST(ProcessFaults, AFailureIsToldToAll) {
  auto all = withFault([](ProcessGroup &group) -> Status {
    Failure failure{Code::OutOfMemory, "rank 1", "memory is exhausted"};
    group.backend().fail(1, failure);
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
      [](ProcessGroup &group) {
        uint64_t own = 7, all[3];
        return group.allGather(&own, all, sizeof own, runStep);
      },
      [](ProcessGroup &group) { return group.broadcast(nullptr, 0); },
  };
  for (const auto &other : others)
    for (const Ended &one : withFault(other)) {
      EXPECT_TRUE(one.says("KILN-E0712: rank 1: it ")) << one.result;
      EXPECT_TRUE(one.says("all_reduce of 1 x 8 f32 at step 4")) << one.result;
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
      20s, UINT32_MAX, transport("gloo"));
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
      2s, /*stops=*/1, transport("gloo"));
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
      1s, UINT32_MAX, transport("gloo"));
  for (const Ended &one : all) {
    EXPECT_TRUE(one.says("KILN-E0711")) << one.result;
    EXPECT_TRUE(one.says("rank 1 on node ") && one.says("only that it lives"))
        << one.result;
  }
}

TEST_F(NodeFaults, OtherCollectivesAreRefused) {
  for (const Ended &one : withFault([](ProcessGroup &group) { return sum(group, 5); },
                                    20s, UINT32_MAX, transport("gloo")))
    EXPECT_TRUE(one.says("KILN-E0712: rank 1: it comes to another collective"))
        << one.result;
}

TEST_F(NodeFaults, AFailureIsToldToAll) {
  auto all = withFault(
      [](ProcessGroup &group) -> Status {
        Failure failure{Code::OutOfMemory, "rank 1", "memory is exhausted"};
        group.backend().fail(1, failure);
        return failure;
      },
      20s, UINT32_MAX, transport("gloo"));
  for (uint32_t rank : {0u, 2u})
    EXPECT_TRUE(all[rank].says("found memory is exhausted")) << all[rank].result;
}

//===----------------------------------------------------------------------===//
// Cleanup after ranks have ended
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

/// Returns the machine's rendezvous sockets.
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
      std::unique_ptr<HostBackend> backend;
      Status joined =
          transport("shared_memory").join(rendezvousOf(place, rank, 2), backend);
      if (!joined.ok())
        return joined.message();
      if (kills)
        raise(SIGKILL);
      return sum(ProcessGroup(rank, 2, *backend), 1).message();
    });
    EXPECT_EQ(all[0].result, ""); // the address is free again
  }
  std::set<std::string> left = meetingSockets();
  std::erase_if(left, [&](const std::string &name) { return before.contains(name); });
  // Sockets of concurrent tests disappear in time; leaked ones stay.
  for (int i = 0; i < 300 && !left.empty(); ++i) {
    usleep(100000);
    std::set<std::string> now = meetingSockets();
    std::erase_if(left, [&](const std::string &name) { return !now.contains(name); });
  }
  EXPECT_TRUE(left.empty()) << *left.begin();
}

/// Destroying a group also closes its descriptors.
TEST(ProcessFaults, DescriptorsAreClosed) {
  std::string place = newPlace();
  auto all = inProcesses(2, [&](uint32_t rank) -> std::string {
    size_t before = namesIn("/proc/self/fd").size();
    for (int i = 0; i < 3; ++i) {
      std::unique_ptr<HostBackend> backend;
      Status joined =
          transport("shared_memory").join(rendezvousOf(place, rank, 2), backend);
      if (!joined.ok())
        return joined.message();
      if (Status met = sum(ProcessGroup(rank, 2, *backend), 1); !met.ok())
        return met.message();
    }
    return namesIn("/proc/self/fd").size() == before ? "fine" : "descriptors are left";
  });
  for (const Ended &one : all)
    EXPECT_EQ(one.result, "fine");
}
