//===- BackendSuite.cpp - Requirements on every backend -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BackendSuite.h"
#include "CollectiveReference.h"
#include <span>
#include <thread>

using namespace kiln::rt;
using namespace kiln::test;
using namespace std::chrono_literals;

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

namespace {
/// Ranks of a collective: those of a stage, or along an axis of a mesh.
struct Ranks {
  uint32_t first = 0, count = 0;
  uint32_t members = 0, stride = 1;
  uint32_t destinations = 0;
};

CollectiveCall callOf(CollectiveKind kind, kiln_dtype dtype, int64_t outer, int64_t inner,
                      const Ranks &of = {}, Reduction reduction = Reduction::Sum) {
  return {kind, reduction, dtype,    outer,      inner,     nullptr,        nullptr,
          3,    of.first,  of.count, of.members, of.stride, of.destinations};
}

constexpr CollectiveKind symmetric[] = {
    CollectiveKind::AllReduce, CollectiveKind::AllGather, CollectiveKind::ReduceScatter,
    CollectiveKind::AllToAll};

/// Returns calls of all types, reductions and layouts, with sizes of 0, 1 and around
/// chunk sizes.
std::vector<CollectiveCall> smallCalls() {
  std::vector<CollectiveCall> calls;
  for (int type = 0; type < KILN_DTYPE_COUNT; ++type)
    for (CollectiveKind kind : symmetric)
      for (int64_t count : {0, 1, 63, 65, 1001})
        calls.push_back(callOf(kind, static_cast<kiln_dtype>(type), 1, count));
  for (Reduction each :
       {Reduction::Mean, Reduction::Max, Reduction::Min, Reduction::Prod})
    for (kiln_dtype type : {KILN_DTYPE_F32, KILN_DTYPE_F16, KILN_DTYPE_I32})
      calls.push_back(callOf(CollectiveKind::AllReduce, type, 3, 171, {}, each));
  for (CollectiveKind kind : symmetric)
    for (auto [outer, inner] : {std::pair(5, 7), {0, 3}, {3, 0}, {64, 33}})
      calls.push_back(callOf(kind, KILN_DTYPE_F32, outer, inner));
  return calls;
}

/// Returns calls larger than any transport's staging buffer, and no multiple of its size.
std::vector<CollectiveCall> largeCalls() {
  constexpr int64_t mebi = 1 << 20;
  std::vector<CollectiveCall> calls = {
      callOf(CollectiveKind::AllReduce, KILN_DTYPE_F32, 1, mebi / 4),
      callOf(CollectiveKind::AllReduce, KILN_DTYPE_F32, 1, mebi / 2 + 12345),
      callOf(CollectiveKind::AllReduce, KILN_DTYPE_BF16, 7, mebi / 4 + 1),
      callOf(CollectiveKind::AllGather, KILN_DTYPE_I8, 1001, 1501)};
  for (CollectiveKind kind : {CollectiveKind::AllGather, CollectiveKind::ReduceScatter,
                              CollectiveKind::AllToAll})
    for (auto [outer, inner] : {std::pair<int64_t, int64_t>(3, mebi / 8 + 7), {999, 301}})
      calls.push_back(callOf(kind, KILN_DTYPE_F16, outer, inner));
  return calls;
}

/// Returns calls on four ranks: stages of one and of two ranks, and both axes of a 2 x 2
/// mesh.
std::vector<CollectiveCall> subgroupCalls() {
  std::vector<CollectiveCall> calls;
  for (int64_t inner : {int64_t(0), int64_t(7), int64_t(300001)}) {
    for (auto [first, count] : {std::pair(0u, 1u), {1u, 1u}, {0u, 2u}, {2u, 2u}})
      for (CollectiveKind kind : {CollectiveKind::AllReduce, CollectiveKind::Broadcast})
        calls.push_back(callOf(kind, KILN_DTYPE_F32, 1, inner, {first, count}));
    for (auto [from, to] : {std::pair(0u, 2u), {2u, 0u}})
      calls.push_back(
          callOf(CollectiveKind::Permute, KILN_DTYPE_F32, 1, inner, {from, 2, 0, 1, to}));
    for (CollectiveKind kind : symmetric)
      for (uint32_t stride : {1u, 2u})
        calls.push_back(callOf(kind, KILN_DTYPE_F32, 3, inner, {0, 4, 2, stride}));
  }
  return calls;
}

std::string textOf(const Bytes &bytes, const Bytes &expected) {
  for (size_t i = 0; i < bytes.size(); ++i)
    if (bytes[i] != expected[i])
      return "byte " + std::to_string(i) + " of " + std::to_string(bytes.size());
  return {};
}

/// Runs a call, in place if a plan may do so; returns what is wrong with its result.
std::string check(TestRank &own, CollectiveCall call, uint32_t ranks) {
  std::vector<Bytes> operands;
  std::vector<const void *> pointers;
  for (uint32_t rank = 0; rank < ranks; ++rank)
    operands.push_back(operandOf(call, rank));
  for (const Bytes &each : operands)
    pointers.push_back(each.data());
  bool isInPlace = call.kind == CollectiveKind::AllReduce || isHandover(call.kind);
  Bytes result = operands[own.rank()], operand = result;
  if (!isInPlace)
    result.assign(static_cast<size_t>(resultCount(call)) * kiln_dtype_size(call.dtype),
                  0xee);
  Bytes expected = result;
  writeResult(call, own.rank(), pointers, expected.data());
  call.from = isInPlace ? result.data() : operand.data();
  call.to = result.data();
  Status done = own.run(call);
  std::string wrong = done.ok() ? textOf(result, expected) : done.message();
  return wrong.empty() ? wrong : callText(call) + ": " + wrong + "\n";
}

/// Runs the supported calls one after the other in one group, as a plan does; returns "N
/// run", or what is wrong.
std::string checkAll(TestRank &own, const std::vector<CollectiveCall> &calls,
                     uint32_t ranks) {
  uint32_t count = 0;
  for (const CollectiveCall &given : calls) {
    CollectiveCall call = given.resolved(ranks);
    bool hasReference = kiln_dtype_size(call.dtype) &&
                        (!call.reduces() || findCombine(call.dtype, call.reduction));
    if (!hasReference || !own.supports(call))
      continue;
    if (std::string wrong = check(own, call, ranks); !wrong.empty())
      return wrong;
    ++count;
  }
  return std::to_string(count) + " run";
}
} // namespace

#define EXPECT_ALL_RUN(group, calls, ranks)                                              \
  for (const std::string &text :                                                         \
       (group)->onAll([&](TestRank &own) { return checkAll(own, calls, ranks); }))       \
    EXPECT_TRUE(text.ends_with(" run") && text != "0 run") << text;

TEST_P(BackendSuite, HasTheReferencesBits) {
  for (uint32_t ranks : GetParam().sizes)
    EXPECT_ALL_RUN(start(ranks), smallCalls(), ranks);
}

TEST_P(BackendSuite, TakesLargeTensors) {
  if (!GetParam().takesLarge)
    GTEST_SKIP() << GetParam().name << " is for small tensors";
  EXPECT_ALL_RUN(start(2), largeCalls(), 2);
  if (GetParam().sizes.back() > 2)
    EXPECT_ALL_RUN(start(3), largeCalls(), 3);
}

TEST_P(BackendSuite, HasSubgroups) {
  if (!GetParam().hasSubgroups)
    GTEST_SKIP() << GetParam().name << " has no subgroups";
  EXPECT_ALL_RUN(start(4), subgroupCalls(), 4);
}

/// Slow ranks must not read buffers that fast ones have already refilled.
TEST_P(BackendSuite, ManyTimes) {
  uint32_t ranks = GetParam().sizes.back();
  auto all = start(ranks)->onAll([&](TestRank &own) -> std::string {
    for (uint32_t step = 0; step < 300; ++step) {
      std::vector<float> x(100, static_cast<float>(step + own.rank())), all(100 * ranks);
      if (step % 50 == own.rank())
        std::this_thread::sleep_for(1ms);
      CollectiveCall call =
          callOf(CollectiveKind::AllGather, KILN_DTYPE_F32, 1, 100).resolved(ranks);
      bool gathers = step % 3 == 0 && own.supports(call);
      if (!gathers)
        call.kind = CollectiveKind::AllReduce;
      call.step = step;
      call.from = x.data();
      call.to = gathers ? all.data() : x.data();
      if (Status done = own.run(call); !done.ok())
        return done.message();
      auto sum = static_cast<float>(ranks * step + ranks * (ranks - 1) / 2);
      auto last = static_cast<float>(step + ranks - 1);
      if (gathers ? all[0] != float(step) || all.back() != last
                  : x[0] != sum || x[99] != sum)
        return "a wrong result at " + std::to_string(step);
    }
    return "fine";
  });
  for (const std::string &text : all)
    EXPECT_EQ(text, "fine");
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

static Status sum(TestRank &own, uint32_t step, uint32_t ranks) {
  std::vector<float> x(64, 1.0f);
  CollectiveCall call =
      callOf(CollectiveKind::AllReduce, KILN_DTYPE_F32, 1, 64).resolved(ranks);
  call.step = step;
  call.from = call.to = x.data();
  KILN_TRY(own.run(call));
  return x[63] == float(ranks)
             ? Status()
             : Status(
                   Failure{Code::Internal, placeText(own.rank(), step), "a wrong sum"});
}

/// All ranks run the collective of step 3; at step 4 the last rank does something else.
static std::vector<std::string>
withFault(TestGroup &group, uint32_t ranks,
          const std::function<Status(TestRank &)> &fault) {
  return group.onAll([&](TestRank &own) -> std::string {
    if (Status done = sum(own, 3, ranks); !done.ok())
      return std::string("step 3: ") + done.message();
    if (own.rank() + 1 != ranks)
      return sum(own, 4, ranks).message();
    std::this_thread::sleep_for(100ms); // the others are sleeping by then
    return fault(own).message();
  });
}

static bool says(const std::string &text, const std::string &words) {
  return text.find(words) != std::string::npos;
}

/// If a rank fails or its run is cancelled, all others report it at once.
TEST_P(BackendSuite, AFailureIsToldToAll) {
  const Failure failures[] = {{Code::OutOfMemory, "a rank", "memory is exhausted"},
                              {Code::RunCancelled, "session", "the run was cancelled"}};
  for (const Failure &failure : failures) {
    uint32_t ranks = GetParam().sizes.back(), last = ranks - 1;
    auto group = start(ranks);
    auto begin = std::chrono::steady_clock::now();
    auto all = withFault(*group, ranks, [&](TestRank &own) -> Status {
      own.fail(failure);
      return failure;
    });
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 15s); // no timeout has expired
    for (uint32_t rank = 0; rank < last; ++rank) {
      EXPECT_TRUE(says(all[rank], "KILN-E0710: " + placeText(rank, 4))) << all[rank];
      EXPECT_TRUE(says(all[rank], rankText(last) + " has failed")) << all[rank];
      EXPECT_TRUE(says(all[rank], "found " + failure.what)) << all[rank];
    }
    if (!group->recovers())
      continue;
    // The next run is not affected.
    for (const std::string &text :
         group->onAll([&](TestRank &own) { return sum(own, 5, ranks).message(); }))
      EXPECT_EQ(text, "");
  }
}

TEST_P(BackendSuite, ALateRankIsNamed) {
  uint32_t ranks = GetParam().sizes.back();
  auto group = start(ranks, 1s);
  auto all = withFault(*group, ranks, [&](TestRank &own) {
    std::this_thread::sleep_for(2500ms);
    return sum(own, 4, ranks);
  });
  for (const std::string &text : all) {
    EXPECT_TRUE(says(text, "KILN-E0711")) << text;
    EXPECT_TRUE(says(text, rankText(ranks - 1) + " ")) << text;
    EXPECT_TRUE(says(text, "has not come to the collective")) << text;
    EXPECT_TRUE(says(text, "within 1000 ms")) << text;
  }
}

/// A rank that others wait for is late only if it completes no step within the timeout.
TEST_P(BackendSuite, ARankThatCompletesStepsIsNotLate) {
  uint32_t ranks = GetParam().sizes.front();
  auto all = withFault(*start(ranks, 3s), ranks, [&](TestRank &own) {
    for (int step = 0; step < 20; ++step) {
      std::this_thread::sleep_for(200ms);
      own.noteStep();
    }
    return sum(own, 4, ranks);
  });
  for (const std::string &text : all)
    EXPECT_EQ(text, "");
}

TEST_P(BackendSuite, OtherCollectivesAreRefused) {
  uint32_t ranks = GetParam().sizes.front();
  const std::function<void(CollectiveCall &)> changes[] = {
      [](CollectiveCall &c) { c.step = 5; },
      [](CollectiveCall &c) { c.kind = CollectiveKind::AllGather; },
      [](CollectiveCall &c) { c.reduction = Reduction::Max; },
      [](CollectiveCall &c) { c.dtype = KILN_DTYPE_I32; },
      [](CollectiveCall &c) { c.inner = 7; },
      [](CollectiveCall &c) { c.count = 1; },
      [](CollectiveCall &c) { c.members = 1; },
      [](CollectiveCall &c) { c.destinations = 1; },
  };
  for (const auto &change : std::span(changes, GetParam().comparesCalls ? 8 : 1)) {
    auto all = withFault(*start(ranks), ranks, [&](TestRank &own) {
      std::vector<float> x(64 * ranks);
      CollectiveCall call = callOf(CollectiveKind::AllReduce, KILN_DTYPE_F32, 1, 64);
      call.step = 4;
      call.from = call.to = x.data();
      change(call);
      return own.run(call);
    });
    for (const std::string &text : all)
      EXPECT_TRUE(says(text, "KILN-E0712: " + rankText(ranks - 1) +
                                 ": it comes to another collective than rank 0"))
          << text;
  }
}
