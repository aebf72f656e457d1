//===- IndexValidateTest.cpp ----------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans with contradictory information about indices, and the error made from the number
// that an index check leaves.
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include "runtime/model/tensors.h"
#include <functional>
#include <gtest/gtest.h>
#include <limits>

using namespace kiln::test;
using namespace kiln::rt;

static constexpr uint32_t far = 1000000;
static constexpr uint32_t checkBuffer = 7, lastStep = 4;

/// Returns the usual model with its input as indices into `seq` rows, which are checked
/// before a run and by the last step, whose result is above the activations in memory.
static Plan indexPlan(const kiln::package::PackageContents &contents) {
  Plan plan = decode(contents);
  const Buffer &weights = plan.buffers[0]; // 8 bytes
  Buffer found = plan.buffers[4];
  found.size = weights.size;
  found.firstStep = found.lastStep = lastStep;
  found.above = {4};
  plan.buffers.push_back(found);
  plan.steps[lastStep].writes = {checkBuffer};
  plan.inputs[0].dtype = KILN_DTYPE_I64;
  ExprIndex batch = plan.inputs[0].dims[0], seq = plan.inputs[0].dims[1];
  plan.indexRows.push_back({0, seq, 0, 1, "node 'take'"});
  plan.indexChecks.push_back(
      {checkBuffer,
       lastStep,
       48,
       {{seq, {}, 0, 1, 2, "node 'take'"}, {seq, {batch, seq}, -1, 0, 1, "node 'sum'"}}});
  return plan;
}

struct IndexDefect {
  const char *name;
  const char *message; ///< part of it
  std::function<void(Plan &)> plant;
};

static const IndexDefect indexDefects[] = {
    {"RowsInput", "an input is out of range",
     [](Plan &p) { p.indexRows[0].input = far; }},
    {"RowsOfNoInput", "an input is out of range",
     [](Plan &p) { p.indexRows[0].input = 1; }},
    {"RowsExpr", "an expression is out of range",
     [](Plan &p) { p.indexRows[0].rows = far; }},
    {"RowsFloats", "the input holds no integers",
     [](Plan &p) { p.inputs[0].dtype = KILN_DTYPE_F32; }},
    {"RowsBooleans", "the input holds no integers",
     [](Plan &p) { p.inputs[0].dtype = KILN_DTYPE_BOOL; }},
    {"RowsStep", "the elements are wrong", [](Plan &p) { p.indexRows[0].step = 0; }},
    {"RowsFirst", "the elements are wrong", [](Plan &p) { p.indexRows[0].first = 1; }},
    {"CheckBuffer", "a buffer is out of range",
     [](Plan &p) { p.indexChecks[0].buffer = far; }},
    {"CheckStep", "a step is out of range", [](Plan &p) { p.indexChecks[0].step = far; }},
    {"CheckArena", "lies in the wrong arena",
     [](Plan &p) { p.indexChecks[0].buffer = 0; }},
    {"CheckSize", "is not one int64",
     [](Plan &p) { p.buffers[checkBuffer].size = p.buffers[4].size; }},
    {"CheckOverwritten", "not kept to the end",
     [](Plan &p) {
       p.indexChecks[0].step = 0;
       p.steps[0].writes = {checkBuffer};
       p.buffers[checkBuffer].firstStep = p.buffers[checkBuffer].lastStep = 0;
     }},
    {"CheckOtherStep", "does not write its result",
     [](Plan &p) { p.indexChecks[0].step = 2; }},
    {"CheckByCopy", "does not write its result",
     [](Plan &p) { p.indexChecks[0].step = 3; }},
    {"CheckAndMore", "does not write its result",
     [](Plan &p) { p.steps[lastStep].writes.push_back(4); }},
    {"CheckUsedLater", "is used by a later step",
     [](Plan &p) {
       p.indexChecks[0].step = 0;
       p.steps[0].writes = {checkBuffer};
     }},
    {"CheckNoBits", "cannot be read", [](Plan &p) { p.indexChecks[0].valueBits = 0; }},
    {"CheckManyBits", "cannot be read", [](Plan &p) { p.indexChecks[0].valueBits = 63; }},
    {"CheckOfNothing", "cannot be read", [](Plan &p) { p.indexChecks[0].parts.clear(); }},
    {"PartRows", "an expression is out of range",
     [](Plan &p) { p.indexChecks[0].parts[1].rows = far; }},
    {"PartDims", "an expression is out of range",
     [](Plan &p) { p.indexChecks[0].parts[1].dims[0] = far; }},
    {"PartRank", "the rank is too large",
     [](Plan &p) { p.indexChecks[0].parts[1].dims.resize(9); }},
    {"PartInput", "an input is out of range",
     [](Plan &p) { p.indexChecks[0].parts[0].input = 1; }},
    {"PartNegativeInput", "an input is out of range",
     [](Plan &p) { p.indexChecks[0].parts[0].input = -2; }},
    {"PartStep", "the elements are wrong",
     [](Plan &p) { p.indexChecks[0].parts[0].step = 0; }},
};

class IndexValidate : public testing::TestWithParam<IndexDefect> {};

TEST_P(IndexValidate, Refuses) {
  auto contents = scaleModel();
  Plan plan = indexPlan(contents);
  GetParam().plant(plan);
  Status status = validatePlan(surroundings(contents), "test", plan);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.code(), Code::PlanInvalid);
  EXPECT_NE(std::string(status.message()).find(GetParam().message), std::string::npos)
      << status.message();
}

INSTANTIATE_TEST_SUITE_P(Defects, IndexValidate, testing::ValuesIn(indexDefects),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(IndexValidate, Accepts) {
  auto contents = scaleModel();
  Plan plan = indexPlan(contents);
  Status status = validatePlan(surroundings(contents), "test", plan);
  EXPECT_TRUE(status.ok()) << status.message();
}

//===----------------------------------------------------------------------===//
// Messages for indices out of range
//===----------------------------------------------------------------------===//

/// Returns the message for an index with this value at this position, with batch = 2 and
/// seq = 6.
static std::string read(uint64_t place, int64_t value) {
  auto contents = scaleModel();
  Plan plan = indexPlan(contents);
  int64_t symbols[] = {2, 6};
  auto number = static_cast<int64_t>((place << 48) +
                                     static_cast<uint64_t>(value + (int64_t(1) << 47)));
  Status status = readIndexCheck(plan, plan.indexChecks[0], number, symbols);
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.code(), Code::IndexOutOfRange);
  return status.message();
}

static void expectParts(const std::string &message,
                        std::initializer_list<const char *> parts) {
  for (const char *part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(IndexCheck, NothingFound) {
  auto contents = scaleModel();
  Plan plan = indexPlan(contents);
  int64_t symbols[] = {2, 6};
  EXPECT_TRUE(readIndexCheck(plan, plan.indexChecks[0],
                             std::numeric_limits<int64_t>::max(), symbols)
                  .ok());
}

TEST(IndexCheck, ElementsOfAnInput) {
  // Every second element of [2, 6], starting with the second.
  expectParts(read(0, 6),
              {"input \"x\", element [0,1]", "node 'take'", "-6..5", "found 6"});
  expectParts(read(5, -7), {"input \"x\", element [1,5]", "found -7"});
}

TEST(IndexCheck, WhatTheModelComputes) {
  expectParts(read(6, 99), {"node 'sum', index [0,0]", "-6..5", "found 99"});
  expectParts(read(17, 99), {"node 'sum', index [1,5]"});
}

TEST(IndexCheck, LargeValues) {
  int64_t half = int64_t(1) << 47;
  expectParts(read(6, half - 1), {"found 140737488355327 or more"});
  expectParts(read(6, -half), {"found -140737488355328 or less"});
  expectParts(read(6, half - 2), {"found 140737488355326;"});
}

/// Numbers that no check leaves give a message too.
TEST(IndexCheck, PlaceBehindTheEnd) {
  expectParts(read(18, 3), {"found 3"});
  expectParts(read(30000, 3), {"found 3"});
}
