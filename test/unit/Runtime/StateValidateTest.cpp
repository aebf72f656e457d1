//===- StateValidateTest.cpp ----------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans with contradictory information about state.
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include <functional>
#include <gtest/gtest.h>

using namespace kiln::test;
using namespace kiln::rt;

static constexpr uint32_t stateFar = 1000000;
static constexpr uint32_t cache = StatePlan::cache, lengths = StatePlan::lengths,
                          written = StatePlan::written;

/// Makes the cache a ring buffer of its last `rows` rows; a run adds at most 8 rows.
static void makeRing(Plan &p, int64_t rows, int64_t window) {
  p.exprs.push_back({ExprKind::Const, 0, 0, rows});
  p.states[0].dims[1] = static_cast<ExprIndex>(p.exprs.size() - 1);
  p.symbols[p.exprs[p.sequences->added].lhs].max = 8;
  p.sequences->ring = rows;
  p.sequences->window = window;
}

struct StateDefect {
  const char *name;
  const char *message; ///< part of it
  std::function<void(Plan &)> plant;
};

static const StateDefect stateDefects[] = {
    {"NameTwice", "the name is empty or used twice",
     [](Plan &p) { p.states[0].name = "lengths"; }},
    {"Buffer", "a buffer is out of range",
     [](Plan &p) { p.states[0].buffer = stateFar; }},
    {"OtherArena", "a buffer of its own in the state arena",
     [](Plan &p) { p.states[0].buffer = 4; }},
    {"SharedBuffer", "a buffer of its own in the state arena",
     [](Plan &p) { p.states[0].buffer = lengths; }},
    {"Alias", "a buffer of its own in the state arena",
     [](Plan &p) { p.states[0].buffer = written; }},
    {"NoDims", "a buffer of its own in the state arena",
     [](Plan &p) { p.states[0].dims.clear(); }},
    {"Lengths", "a state is out of range", [](Plan &p) { p.sequences->lengths = 2; }},
    {"Counts", "an input is out of range",
     [](Plan &p) { p.sequences->counts = stateFar; }},
    {"Added", "an expression is out of range",
     [](Plan &p) { p.sequences->added = stateFar; }},
    {"Capacity", "an expression is out of range",
     [](Plan &p) { p.sequences->capacity = stateFar; }},
    {"LengthsType", "not one int64 each",
     [](Plan &p) { p.states[1].dtype = KILN_DTYPE_I32; }},
    {"CountsDims", "not one int64 each",
     [](Plan &p) { p.inputs[0].dims.push_back(p.inputs[0].dims[0]); }},
    {"Moves", "its size changes from run to run",
     [](Plan &p) { p.states[0].dims[1] = p.sequences->added; }},
    {"ReadLate", "after another step has overwritten it",
     [](Plan &p) { p.steps[1].reads.back() = cache; }},
    {"WrittenTwice", "which another step writes, too",
     [](Plan &p) {
       p.buffers.push_back(p.buffers[written]);
       p.steps[1].writes.push_back(written + 1);
     }},
    {"RingOfNoState", "no state is a ring of so many rows",
     [](Plan &p) {
       makeRing(p, 12, 5);
       p.states[0].dims[1] = p.sequences->capacity;
     }},
    {"RingOfOtherRows", "no state is a ring of so many rows",
     [](Plan &p) {
       makeRing(p, 12, 5);
       p.sequences->ring = 13;
     }},
    {"NegativeRing", "no state is a ring of so many rows",
     [](Plan &p) { p.sequences->ring = -1; }},
    {"WindowWithoutRing", "no state is a ring of so many rows",
     [](Plan &p) { p.sequences->window = 5; }},
    {"RingWithoutWindow", "the window of a ring is no part of it",
     [](Plan &p) { makeRing(p, 12, 0); }},
    {"WindowBeyondRing", "the window of a ring is no part of it",
     [](Plan &p) { makeRing(p, 12, 13); }},
    {"RingWithoutRoom", "expected at most 7 of them, found 8",
     [](Plan &p) { makeRing(p, 11, 5); }},
    {"RingOfComputedRows", "a ring has no room for the new rows of a run",
     [](Plan &p) {
       makeRing(p, 12, 5);
       p.exprs.push_back({ExprKind::Add, p.sequences->added, p.sequences->added});
       p.sequences->added = static_cast<ExprIndex>(p.exprs.size() - 1);
     }},
};

class StateValidate : public testing::TestWithParam<StateDefect> {};

TEST_P(StateValidate, Refuses) {
  auto contents = scaleModel();
  Plan plan = statePlan(contents);
  GetParam().plant(plan);
  Status status = validatePlan(surroundings(contents), "test", plan);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.code(), Code::PlanInvalid);
  EXPECT_NE(std::string(status.message()).find(GetParam().message), std::string::npos)
      << status.message();
}

INSTANTIATE_TEST_SUITE_P(Defects, StateValidate, testing::ValuesIn(stateDefects),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(StateValidate, Accepts) {
  auto contents = scaleModel();
  Plan plan = statePlan(contents);
  Status status = validatePlan(surroundings(contents), "test", plan);
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST(StateValidate, AcceptsRings) {
  auto contents = scaleModel();
  Plan plan = statePlan(contents);
  makeRing(plan, 12, 5);
  Status status = validatePlan(surroundings(contents), "test", plan);
  EXPECT_TRUE(status.ok()) << status.message();
}
