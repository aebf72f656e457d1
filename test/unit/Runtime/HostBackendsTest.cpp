//===- HostBackendsTest.cpp - Backend suite on the host -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BackendSuite.h"
#include "Forked.h"
#include "MailboxBackend.h"
#include "TestPackage.h"
#include "kiln/group.hpp"
#include "runtime/collective/segment.h"
#include "runtime/collective/thread_backend.h"
#include "runtime/collective/wire.h"
#include "runtime/session/session.h"
#include <thread>

using namespace kiln::rt;
using namespace kiln::test;
using namespace std::chrono_literals;

namespace {
class HostRank final : public TestRank {
public:
  HostRank(const ProcessGroup &group) : group(group) {}
  uint32_t rank() const override { return group.rank(); }
  bool supports(const CollectiveCall &call) const override {
    return group.backend().supports(call);
  }
  Status run(const CollectiveCall &call) override { return group.run(call); }
  void fail(const Failure &what) override { group.backend().fail(rank(), what); }
  void noteStep() override { group.noteStep(); }

private:
  const ProcessGroup group;
};

std::vector<std::string> onThreads(uint32_t ranks,
                                   const std::function<std::string(uint32_t)> &body) {
  std::vector<std::string> texts(ranks);
  std::vector<std::thread> threads;
  for (uint32_t rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] { texts[rank] = body(rank); });
  for (std::thread &thread : threads)
    thread.join();
  return texts;
}

class Threads final : public TestGroup {
public:
  Threads(uint32_t ranks, std::chrono::milliseconds timeout) : world(ranks, timeout) {}
  std::vector<std::string> onAll(const RankBody &body) override {
    world.begin();
    return onThreads(world.size(), [&](uint32_t rank) {
      HostRank own(ProcessGroup(rank, world.size(), world.backend(rank)));
      return body(own);
    });
  }
  bool recovers() const override { return true; }

private:
  ThreadWorld world;
};

/// A group whose ranks have new mailboxes in each run.
class Mailboxes final : public TestGroup {
public:
  Mailboxes(uint32_t ranks, std::chrono::milliseconds timeout,
            std::chrono::milliseconds delay = {}, uint32_t lossy = UINT32_MAX)
      : ranks(ranks), timeout(timeout), delay(delay), lossy(lossy) {}
  std::vector<std::string> onAll(const RankBody &body) override {
    Mailbox mailbox(ranks);
    mailbox.delay = delay;
    mailbox.lossy = lossy;
    return onThreads(ranks, [&](uint32_t rank) {
      MailboxBackend backend(mailbox, rank, timeout);
      HostRank own(ProcessGroup(rank, ranks, backend));
      return body(own);
    });
  }
  bool recovers() const override { return true; }

private:
  const uint32_t ranks;
  const std::chrono::milliseconds timeout, delay;
  const uint32_t lossy;
};

class Processes final : public TestGroup {
public:
  Processes(uint32_t ranks, std::chrono::milliseconds timeout, const Transport &by)
      : ranks(ranks), timeout(timeout), by(by) {}
  std::vector<std::string> onAll(const RankBody &body) override {
    std::vector<std::string> texts;
    for (Ended &one : onRanks(
             ranks,
             [&](ProcessGroup &group) {
               HostRank own(group);
               return body(own);
             },
             timeout, UINT32_MAX, by))
      texts.push_back(one.signal ? "signal " + std::to_string(one.signal) : one.result);
    return texts;
  }
  bool recovers() const override {
    return false;
  } // a failed group of processes has
    // ended

private:
  const uint32_t ranks;
  const std::chrono::milliseconds timeout;
  const Transport &by;
};

template <typename Group, auto... more>
std::unique_ptr<TestGroup> startGroup(uint32_t ranks, std::chrono::milliseconds timeout) {
  return std::make_unique<Group>(ranks, timeout, more...);
}

std::unique_ptr<TestGroup> startShared(uint32_t ranks,
                                       std::chrono::milliseconds timeout) {
  return std::make_unique<Processes>(ranks, timeout, transport("shared_memory"));
}

std::unique_ptr<TestGroup> startNodes(uint32_t ranks, std::chrono::milliseconds timeout) {
  return std::make_unique<Processes>(ranks, timeout, transport("gloo"));
}

std::unique_ptr<TestGroup> startDelayed(uint32_t ranks,
                                        std::chrono::milliseconds timeout) {
  return std::make_unique<Mailboxes>(ranks, timeout, 1ms);
}

std::string glooObstacle() {
  const kiln_wire_table *table;
  return loadWire(table).ok() ? "" : "this build has no libkiln_gloo.so";
}
} // namespace

INSTANTIATE_TEST_SUITE_P(
    Host, BackendSuite,
    testing::Values(
        BackendUnderTest{"threads", noObstacle, startGroup<Threads>, {2, 3, 4, 7}},
        BackendUnderTest{"shared_memory", noObstacle, startShared, {2, 3, 4, 5}},
        BackendUnderTest{"mailbox", noObstacle, startGroup<Mailboxes>, {2, 3, 4}}),
    nameOf);
INSTANTIATE_TEST_SUITE_P(
    Slow, BackendSuite,
    testing::Values(BackendUnderTest{"gloo", glooObstacle, startNodes, {2, 4}},
                    BackendUnderTest{
                        "delayed_mailbox", noObstacle, startDelayed, {2, 4}}),
    nameOf);

/// Runs a body on two ranks, for each transport between processes.
static void onEachTransport(const std::function<std::string(ProcessGroup &)> &body) {
  for (const Transport &row : transports()) {
    if (row.connectsNodes && !glooObstacle().empty())
      continue;
    for (const Ended &one : onRanks(2, body, 20s, UINT32_MAX, row))
      EXPECT_EQ(one.result, row.name);
  }
}

TEST(ProcessGroup, BroadcastsFromRankZero) {
  onEachTransport([](ProcessGroup &group) -> std::string {
    for (size_t size : {size_t(0), size_t(1), 3 * Segment::bufferBytes + 5}) {
      std::string text(size, static_cast<char>('a' + group.rank()));
      Status done = group.broadcast(text.data(), text.size());
      if (!done.ok() || text.find_first_not_of('a') != std::string::npos)
        return "a wrong text";
    }
    return group.backend().name();
  });
}

TEST(ProcessGroup, GathersAndFindsMaxima) {
  onEachTransport([](ProcessGroup &group) -> std::string {
    uint32_t own = 7 + group.rank(), all[2] = {}, words[] = {group.rank(), 5};
    Status done = group.allGather(&own, all, sizeof own);
    if (!done.ok() || all[0] != 7 || all[1] != 8)
      return "a wrong gather";
    done = group.allReduceMax(words, 2);
    if (!done.ok() || words[0] != 1 || words[1] != 5 || !group.barrier(2).ok())
      return "wrong maxima";
    return group.check().ok() ? group.backend().name() : "a failure";
  });
}

TEST(MailboxBackend, ALostMessageIsALateRank) {
  Mailboxes group(3, 300ms, {}, /*lossy=*/1);
  for (const std::string &text : group.onAll([](TestRank &own) -> std::string {
         float x[8] = {};
         return own
             .run({CollectiveKind::AllReduce, Reduction::Sum, KILN_DTYPE_F32, 1, 8, x, x,
                   4})
             .message();
       }))
    EXPECT_NE(text.find("rank 1 has not come to the collective"), std::string::npos)
        << text;
}

/// Sessions only use the interface, so a model runs on any transport.
TEST(MailboxBackend, CarriesAModel) {
  TempFolder folder;
  writeModel(folder / "m.kiln", ranksModel(2));
  Mailbox mailbox(2);
  auto texts = onThreads(2, [&](uint32_t rank) -> std::string {
    kiln::rt::Model model(folder / "m.kiln");
    MailboxBackend backend(mailbox, rank, 20s);
    kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
    kiln_session *made = nullptr;
    Status status =
        kiln_session::create(*model.get(), options, ProcessGroup(rank, 2, backend), made);
    std::unique_ptr<kiln_session> session(made);
    if (!status.ok())
      return status.message();
    FloatTensor x("x", {3, 7}), y("y", {3, 7}), sums("sums", {6});
    kiln_tensor in[] = {x.tensor()}, out[] = {y.tensor(), sums.tensor()};
    if (Status done = session->run(in, out); !done.ok())
      return done.message();
    for (size_t i = 0; i < x.data.size(); ++i)
      if (y.data[i] != x.data[i] * 2 + 1 + (x.data[i] * 3 + 1))
        return "y[" + std::to_string(i) + "] is wrong";
    return "fine";
  });
  EXPECT_EQ(texts, (std::vector<std::string>{"fine", "fine"}));
}
