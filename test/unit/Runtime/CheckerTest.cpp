//===- CheckerTest.cpp ----------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accepts a valid plan, and refuses it with one defect planted at a time.
//
//===----------------------------------------------------------------------===//
#include "runtime/package/checker.h"
#include "TestPackage.h"
#include "kiln/abi.h"
#include <gtest/gtest.h>

using namespace kiln::test;
using namespace kiln::rt;

// Buffers of scaleModel, in the order it adds them.
enum : uint32_t { w, x, t0, t1, t2, y, sum };

static std::string check(Plan plan, uint64_t weights = 8) {
  MemoryChecker checker;
  Status status = checker.proveCorners(plan, weights, "test");
  if (status.ok())
    return "";
  EXPECT_TRUE(status.code() == Code::PlanMemory || status.code() == Code::PlanArithmetic)
      << status.message();
  return status.message();
}

static bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

#define EXPECT_REFUSED(plan, part)                                                       \
  do {                                                                                   \
    std::string message = check(plan);                                                   \
    EXPECT_TRUE(contains(message, part)) << "message: " << message;                      \
  } while (false)

class Checker : public testing::Test {
protected:
  Plan plan = decode(scaleModel());
};

TEST_F(Checker, AcceptsGoodPlans) {
  EXPECT_EQ(check(plan), "");
  EXPECT_EQ(check(decode(stateModel()), 0), "");
  EXPECT_EQ(check(decode(waitModel()), 0), "");
}

TEST_F(Checker, OverlapOfLiveBuffers) {
  plan.buffers[t1].above.clear(); // now at 0, where t0 is still being read
  EXPECT_REFUSED(plan, "overlaps");
}

TEST(CheckerSizes, OverlapOnlyAtTheUpperEnd) {
  using kiln::fb::ArenaKind;
  using kiln::fb::DType;
  PlanBuilder b;
  uint32_t n = b.sym(b.symbol("n", 1, 17)), line = b.constant(64);
  uint32_t bytes = b.mul(b.constant(4), n);
  uint32_t act = b.arena(ArenaKind::Activations, b.add(bytes, line));
  uint32_t small = b.buffer("small", act, line, 0, 2);
  uint32_t in = b.buffer("in", b.arena(ArenaKind::Input, bytes), bytes, 0, 0);
  uint32_t low = b.buffer("low", act, bytes, 0, 1);
  uint32_t high = b.buffer("high", act, bytes, 1, 2, {small}); // should be in the low
                                                               // arena
  uint32_t out = b.buffer("out", b.arena(ArenaKind::Output, bytes), bytes, 2, 2);
  b.input("in", DType::F32, {n}, in);
  b.output("out", DType::F32, {n}, out);
  b.copy(in, low);
  b.copy(low, high);
  b.copy(high, out);
  b.plan.abi_version = KILN_HOST_ABI_VERSION;
  kiln::package::PackageContents contents;
  contents.plan = std::move(b.plan);
  EXPECT_REFUSED(decode(contents), "overlaps"); // 68 bytes at n = 17
  contents.plan.symbols[0]->max = 16;
  EXPECT_EQ(check(decode(contents)), "");
}

TEST_F(Checker, MemoryWithoutABound) {
  using kiln::rt::ExprKind;
  auto add = [&](ExprKind kind, uint32_t a, uint32_t b, int64_t value = 0) {
    plan.exprs.push_back({kind, a, b, value});
    return static_cast<uint32_t>(plan.exprs.size() - 1);
  };
  uint32_t batch = add(ExprKind::Symbol, 0, 0), seq = add(ExprKind::Symbol, 1, 0);
  uint32_t minus = add(ExprKind::Const, 0, 0, -1);
  // seq - batch + 1 is at least 1 at both ends of the ranges, but may be less for large
  // batch.
  uint32_t apart = add(ExprKind::Add, seq, add(ExprKind::Mul, batch, minus));
  uint32_t divisor = add(ExprKind::Add, apart, add(ExprKind::Const, 0, 0, 1));
  uint32_t quotient =
      add(ExprKind::FloorDiv, add(ExprKind::Const, 0, 0, 1 << 20), divisor);
  plan.arenas[3].size = add(ExprKind::Add, plan.arenas[3].size, quotient);
  EXPECT_REFUSED(plan, "arena activations: its size has no bound");
}

TEST_F(Checker, ArenaTooSmall) {
  plan.arenas[3].size = plan.buffers[t1].size; // the size of one buffer
  EXPECT_REFUSED(plan, "beyond arena activations");
}

TEST_F(Checker, ReadBeforeWrite) {
  std::swap(plan.steps[0], plan.steps[1]);
  EXPECT_REFUSED(plan, "before it is written");
}

TEST_F(Checker, LifetimesThatDoNotCoverUses) {
  plan.buffers[t0].lastStep = 0;
  EXPECT_REFUSED(plan, "outside its lifetime");
  plan.buffers[t0].lastStep = 1;
  plan.buffers[t2].firstStep = 3;
  EXPECT_REFUSED(plan, "outside its lifetime");
}

TEST_F(Checker, ClaimedLifetimesAreNotBelieved) {
  // t2 claims to start late; step 2 writes it over t1, which step 2 reads.
  plan.buffers[t2].above = {};
  plan.buffers[t1].above = {};
  plan.buffers[t1].firstStep = 0;
  plan.buffers[t1].lastStep = 4;
  EXPECT_REFUSED(plan, "overlaps");
}

TEST_F(Checker, WritesToReadOnlyMemory) {
  plan.steps[0].writes = {x};
  EXPECT_REFUSED(plan, "read-only");
  plan.steps[0].writes = {w};
  EXPECT_REFUSED(plan, "read-only");
}

TEST_F(Checker, OutputNeverWritten) {
  plan.steps[4].writes = {t1};
  plan.buffers[t1].lastStep = 4;
  EXPECT_REFUSED(plan, "output \"sum\": it is never written");
}

TEST_F(Checker, OutputBufferOfAnotherSize) {
  plan.outputs[1].dims = plan.outputs[0].dims;
  EXPECT_REFUSED(plan, "does not have its size");
}

TEST_F(Checker, InputSmallerThanItsBuffer) {
  plan.inputs[0].dtype = KILN_DTYPE_F16;
  EXPECT_REFUSED(plan, "input \"x\": its buffer does not have its size");
}

TEST_F(Checker, WeightOutsideTheSection) {
  EXPECT_TRUE(contains(check(plan, 7), "outside the weights section"));
  plan.buffers[w].offset = 4;
  EXPECT_REFUSED(plan, "misaligned");
  plan.buffers[w].offset = UINT64_MAX - 63;
  EXPECT_REFUSED(plan, "outside the weights section");
}

TEST_F(Checker, ScratchBeyondTheWorkspace) {
  plan.kernels[1].scratch = plan.arenas[3].size;
  EXPECT_REFUSED(plan, "its scratch exceeds");
}

TEST_F(Checker, CopyBetweenSizes) {
  plan.steps[3].reads = {w};
  EXPECT_REFUSED(plan, "it copies between different sizes");
}

TEST_F(Checker, NegativeSizesAndOverflow) {
  plan.exprs.push_back({ExprKind::Const, 0, 0, -64});
  plan.buffers[t0].size = uint32_t(plan.exprs.size() - 1);
  EXPECT_REFUSED(plan, "the size is out of range");
  plan.exprs.back().value = INT64_MAX;
  plan.exprs.push_back(
      {ExprKind::Mul, uint32_t(plan.exprs.size() - 1), uint32_t(plan.exprs.size() - 1)});
  EXPECT_REFUSED(plan, "has no value");
}

//===----------------------------------------------------------------------===//
// Aliases. Steps: 0 writes a; 1 updates b, which is a in place.
//===----------------------------------------------------------------------===//

class CheckerAlias : public testing::Test {
protected:
  void SetUp() override {
    plan = decode(scaleModel());
    plan.buffers[t1].aliasOf = int32_t(t0); // step 1 updates t0 in place
    plan.buffers[t1].storage = t0;
    plan.buffers[t1].above.clear();
    plan.buffers[t2].above = {t0}; // t2 may no longer use its memory
    plan.buffers[t2].lastStep = 4;
  }
  Plan plan;
};

TEST_F(CheckerAlias, InPlaceUpdate) { EXPECT_EQ(check(plan), ""); }

TEST_F(CheckerAlias, ReadOfAnOverwrittenValue) {
  plan.steps[2].reads[0] = t0; // overwritten by step 1
  plan.buffers[t0].lastStep = 4;
  EXPECT_REFUSED(plan, "after its storage was overwritten");
}

TEST_F(CheckerAlias, ViewOfTheNewValue) {
  Buffer view = plan.buffers[t1];
  view.aliasOf = int32_t(t1);
  plan.buffers.push_back(view);
  plan.steps[2].reads[0] = uint32_t(plan.buffers.size() - 1);
  plan.buffers.back().lastStep = 2;
  EXPECT_EQ(check(plan), "");
}

TEST_F(CheckerAlias, ViewOfTheOldValue) {
  Buffer view = plan.buffers[t1];
  view.aliasOf = int32_t(t0);
  plan.buffers.push_back(view);
  plan.steps[2].reads[0] = uint32_t(plan.buffers.size() - 1);
  plan.buffers.back().lastStep = 2;
  EXPECT_REFUSED(plan, "after its storage was overwritten");
}

TEST_F(CheckerAlias, StorageLivesAsLongAsItsAliases) {
  plan.buffers[t2].above.clear(); // overlaps t1, which the step that writes t2 reads
  EXPECT_REFUSED(plan, "overlaps");
}

TEST_F(CheckerAlias, TwoResultsInOneStorage) {
  plan.steps[1].writes = {t0, t1};
  EXPECT_REFUSED(plan, "twice");
}

TEST_F(CheckerAlias, OutputOverwrittenLater) {
  plan.outputs[0].buffer = t0;
  EXPECT_REFUSED(plan, "overwritten later");
}
