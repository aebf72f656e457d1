//===- clique_test.cpp - Ranks of the modelled NCCL -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/nccl/clique.h"
#include <cstdlib>
#include <gmock/gmock.h>
#include <thread>

using namespace kiln::sim::nccl;
using testing::HasSubstr;

namespace {
enum Type { Int8 = 0, Float32 = 7 };
enum Op { Sum = 0, Max = 2 };

/// Set before the settings are read.
const bool boundIsShort = setenv("KILN_SIM_NCCL_TIMEOUT", "200", 1) == 0;

/// Lets both ranks' streams reach the call and returns their results.
std::vector<std::vector<float>> together(Clique &clique, uint64_t number,
                                         const Call &call,
                                         std::vector<std::vector<float>> in) {
  std::vector<std::vector<float>> out(2);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 2; ++rank) {
    EXPECT_EQ(clique.enter(rank, number, call).code, Success);
    out[rank].resize(call.bytesOut(2) / sizeof(float));
    threads.emplace_back(
        [&, rank] { clique.meet(rank, number, in[rank].data(), out[rank].data()); });
  }
  for (std::thread &thread : threads)
    thread.join();
  return out;
}

using Rows = std::vector<std::vector<float>>;

TEST(Clique, Collectives) {
  Clique clique(2);
  EXPECT_EQ(clique.join(0, 0).code, Success);
  EXPECT_EQ(clique.state().code, InProgress);
  EXPECT_EQ(clique.join(1, 1).code, Success);
  EXPECT_EQ(clique.state().code, Success);
  EXPECT_EQ(together(clique, 1, {Call::AllReduce, 2, Float32, Sum}, {{1, 2}, {10, 20}}),
            (Rows{{11, 22}, {11, 22}}));
  EXPECT_EQ(together(clique, 2, {Call::AllReduce, 2, Float32, Max}, {{1, 20}, {10, 2}}),
            (Rows{{10, 20}, {10, 20}}));
  EXPECT_EQ(together(clique, 3, {Call::AllGather, 1, Float32}, {{1}, {10}}),
            (Rows{{1, 10}, {1, 10}}));
  EXPECT_EQ(
      together(clique, 4, {Call::ReduceScatter, 1, Float32, Sum}, {{1, 2}, {10, 20}}),
      (Rows{{11}, {22}}));
  EXPECT_EQ(together(clique, 5, {Call::Broadcast, 1, Float32, 0, 1}, {{1}, {10}}),
            (Rows{{10}, {10}}));
  EXPECT_EQ(clique.state().code, Success);
}

TEST(Clique, RefusesRanksThatDiffer) {
  const Call call = {Call::AllReduce, 12, Float32, Sum, 0};
  const std::pair<Call, const char *> others[] = {
      {{Call::AllReduce, 13, Float32, Sum, 0}, "rank 1 ncclAllReduce of 13 float32, sum"},
      {{Call::AllReduce, 12, Int8, Sum, 0}, "rank 1 ncclAllReduce of 12 int8, sum"},
      {{Call::AllReduce, 12, Float32, Max, 0}, "rank 1 ncclAllReduce of 12 float32, max"},
      {{Call::ReduceScatter, 12, Float32, Sum, 0}, "rank 1 ncclReduceScatter of 12"},
      {{Call::AllGather, 12, Float32, 0, 0}, "rank 1 ncclAllGather of 12 float32"},
      {{Call::Broadcast, 12, Float32, 0, 1}, "ncclBroadcast of 12 float32 from rank 1"}};
  for (const auto &[other, text] : others) {
    Clique clique(2);
    clique.join(0, 0);
    clique.join(1, 1);
    EXPECT_EQ(clique.enter(0, 1, call).code, Success);
    Result result = clique.enter(1, 1, other);
    EXPECT_EQ(result.code, InvalidUsage);
    EXPECT_THAT(result.text, HasSubstr("rank 0 calls ncclAllReduce of 12 float32, sum"));
    EXPECT_THAT(result.text, HasSubstr(text));
    EXPECT_EQ(clique.state().text, result.text); // rank 0 gets the error too
  }
}

/// Three ranks exchange messages that their streams reach at different times; a rank also
/// sends to itself.
TEST(Clique, MessagesOfAGroup) {
  Clique clique(3);
  float in[3][3], out[3][3] = {};
  std::vector<std::thread> threads;
  std::vector<std::vector<Message>> messages(3);
  for (int rank = 0; rank < 3; ++rank) {
    clique.join(rank, rank);
    for (int peer = 0; peer < 3; ++peer) {
      in[rank][peer] = static_cast<float>(10 * rank + peer);
      messages[rank].push_back({rank, peer, 1, sizeof(float), &in[rank][peer], true});
      messages[rank].push_back({peer, rank, 1, sizeof(float), &out[rank][peer], false});
    }
    for (const Message &one : messages[rank])
      EXPECT_EQ(clique.enter(rank, one).code, Success);
  }
  for (int rank = 0; rank < 3; ++rank)
    threads.emplace_back([&, rank] {
      std::this_thread::sleep_for(std::chrono::milliseconds(10 * rank));
      clique.exchange(rank, messages[rank]);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int rank = 0; rank < 3; ++rank)
    for (int peer = 0; peer < 3; ++peer)
      EXPECT_EQ(out[rank][peer], static_cast<float>(10 * peer + rank));
  EXPECT_EQ(clique.state().code, Success);
}

TEST(Clique, RefusesMessagesThatDiffer) {
  Clique clique(2);
  clique.join(0, 0);
  clique.join(1, 1);
  EXPECT_EQ(clique.enter(0, Message{0, 1, 1, 12, nullptr}).code, Success);
  Result result = clique.enter(1, Message{0, 1, 1, 8, nullptr});
  EXPECT_EQ(result.code, InvalidUsage);
  EXPECT_THAT(result.text, HasSubstr("message 1 from rank 0 to rank 1: rank 0 calls it "
                                     "with 12 bytes, and rank 1 with 8"));
}

TEST(Clique, AMessageThatNobodySends) {
  ASSERT_TRUE(boundIsShort);
  Clique clique(2);
  clique.join(0, 0);
  clique.join(1, 1);
  float out = 0;
  Message message{0, 1, 1, sizeof out, &out};
  clique.enter(1, message);
  clique.exchange(1, {message});
  EXPECT_EQ(clique.state().code, RemoteError);
  EXPECT_THAT(clique.state().text, HasSubstr("from rank 0 to rank 1 has not come"));
}

TEST(Clique, RefusesMembers) {
  Clique clique(3), other(3);
  clique.join(0, 0);
  EXPECT_THAT(clique.join(0, 1).text, HasSubstr("rank 0 is given twice"));
  other.join(0, 4);
  EXPECT_THAT(other.join(2, 4).text, HasSubstr("rank 0 and rank 2 are both on device 4"));
}

TEST(Clique, NoWaitIsWithoutABound) {
  ASSERT_TRUE(boundIsShort);
  Clique clique(2);
  clique.join(0, 0);
  clique.join(1, 1);
  float in = 1, out = 0;
  clique.enter(0, 1, {Call::AllReduce, 1, Float32, Sum, 0});
  clique.meet(0, 1, &in, &out);
  EXPECT_EQ(clique.state().code, RemoteError);
  EXPECT_THAT(clique.state().text,
              HasSubstr("rank 1 has not come to call 1, ncclAllRed"));
  Clique lonely(2);
  lonely.join(1, 0);
  EXPECT_THAT(lonely.awaitAll(1).text, HasSubstr("not all ranks have joined"));
}

TEST(Clique, AbortEndsAWait) {
  Clique clique(2);
  clique.join(0, 0);
  clique.join(1, 1);
  float in = 1, out = 0;
  clique.enter(0, 1, {Call::AllReduce, 1, Float32, Sum, 0});
  std::thread waits([&] { clique.meet(0, 1, &in, &out); });
  clique.abort(0);
  waits.join();
  EXPECT_EQ(clique.state().code, Success); // no failure of its own
}

TEST(Faults, Texts) {
  Fault fault;
  EXPECT_TRUE(parseFault("delay:3:12:250", fault));
  EXPECT_EQ(fault.kind, Fault::Delay);
  EXPECT_EQ(fault.rank, 3);
  EXPECT_EQ(fault.call, 12u);
  EXPECT_EQ(fault.delay.count(), 250);
  EXPECT_TRUE(parseFault("drop:0:0", fault));
  EXPECT_TRUE(parseFault("fail:1:2", fault));
  for (const char *wrong : {"", "fail", "fail:1", "fail:x:1", "delay:1:2", "drop:1:2:3",
                            "die:1:2", "fail:-1:2", "fail:1:2 "})
    EXPECT_FALSE(parseFault(wrong, fault)) << wrong;
}
} // namespace
