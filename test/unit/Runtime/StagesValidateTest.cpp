//===- StagesValidateTest.cpp ---------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipeline plans in which a rank would read a value of another rank.
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include "kiln/group.hpp"
#include "runtime/package/checker.h"
#include <functional>
#include <gtest/gtest.h>

using namespace kiln::test;
using namespace kiln::rt;
using M = StagesModel;

namespace {
struct StagesDefect {
  const char *name;
  const char *message; ///< part of it
  std::function<void(Plan &)> plant;
};
} // namespace

static const StagesDefect stagesInvalid[] = {
    {"NotHandedOn", "the ranks of stage 1 do not have buffer 2 (\"own\")",
     [](Plan &p) { p.steps.erase(p.steps.begin() + M::hand); }},
    {"HandedOnByAStageWithout", "the ranks of stage 1 do not have buffer 2",
     [](Plan &p) { p.steps[M::hand].stage = 1; }},
    {"HandedOnLate", "the ranks of stage 1 do not have buffer 2",
     [](Plan &p) { std::swap(p.steps[M::hand], p.steps[M::rowSum]); }},
    {"ReadByAllBefore", "the ranks of stage 1 do not have buffer 2",
     [](Plan &p) {
       p.steps[M::rowSum].stage = -1;
       std::swap(p.steps[M::hand], p.steps[M::rowSum]);
     }},
    {"OutputOfOneStage", "the ranks of stage 0 do not have buffer 3 (\"sums\")",
     [](Plan &p) {
       p.steps[M::handSums].reads = p.steps[M::handSums].writes = {M::own};
     }},
    {"StateOfAnotherStageRead", "the ranks of stage 1 do not have buffer 5 (\"first\")",
     [](Plan &p) { p.steps[M::rowSum].reads = {M::first}; }},
    {"StateOfAnotherStageWritten", "the ranks of stage 0 do not have buffer 6",
     [](Plan &p) { p.steps[M::scale].writes.push_back(M::second); }},
    {"StateOfAllReadsAStage", "the ranks of stage 1 do not have buffer 5",
     [](Plan &p) {
       p.steps[M::rowSum].reads = {M::first};
       p.steps[M::rowSum].stage = -1;
     }},
    {"StepOfNoStage", "there is no such stage",
     [](Plan &p) { p.steps[M::rowSum].stage = 2; }},
    {"StepOfANegativeStage", "there is no such stage",
     [](Plan &p) { p.steps[M::rowSum].stage = -2; }},
    {"StateOfNoStage", "there is no such stage",
     [](Plan &p) { p.buffers[M::first].stage = 7; }},
    {"ActivationOfAStage", "it is of a stage",
     [](Plan &p) { p.buffers[M::own].stage = 0; }},
    {"AliasOfAStage", "it is of a stage",
     [](Plan &p) { p.buffers[M::second].aliasOf = M::first; }},
    {"BroadcastOfNoStage", "it does not send one buffer of a stage",
     [](Plan &p) { p.steps[M::hand].stage = -1; }},
    {"BroadcastOfTwoBuffers", "it does not send one buffer of a stage",
     [](Plan &p) { p.steps[M::hand].writes = {M::y}; }},
    {"BroadcastToOneStage", "it broadcasts to one stage",
     [](Plan &p) { p.steps[M::hand].collective->takers = 1; }},
    {"PermuteToItself", "it sends to no other stage",
     [](Plan &p) {
       p.steps[M::hand].collective->kind = CollectiveKind::Permute;
       p.steps[M::hand].collective->takers = 0;
     }},
    {"PermuteToNobody", "it sends to no other stage",
     [](Plan &p) { p.steps[M::hand].collective->kind = CollectiveKind::Permute; }},
    {"PermuteToNoStage", "there is no such stage",
     [](Plan &p) {
       p.steps[M::hand].collective->kind = CollectiveKind::Permute;
       p.steps[M::hand].collective->takers = 2;
     }},
    {"PermuteOfAnOutput", "the ranks of stage 2 do not have buffer 3 (\"sums\")",
     [](Plan &p) {
       p.ranks = p.stages = 3;
       p.steps[M::handSums].collective->kind = CollectiveKind::Permute;
       p.steps[M::handSums].collective->takers = 0;
     }},
    {"SumOfOneRank", "a collective of a stage that has one rank",
     [](Plan &p) { p.steps[M::hand].collective->kind = CollectiveKind::AllReduce; }},
    {"SumOfNoStage", "it is of no stage",
     [](Plan &p) {
       p.ranks = 4;
       p.steps[M::hand].collective->kind = CollectiveKind::AllReduce;
       p.steps[M::hand].stage = -1;
     }},
    {"OddRanks", "the ranks cannot be divided", [](Plan &p) { p.ranks = 3; }},
};

static const StagesDefect stagesUnsafe[] = {
    {"StateOfAllAtThePlaceOfAStage", "it overlaps",
     [](Plan &p) { p.buffers[M::second].stage = -1; }},
    {"StatesOfOneStageAtOnePlace", "it overlaps",
     [](Plan &p) { p.buffers[M::second].stage = 0; }},
    {"FewerElements", "its elements do not fill what it reads and writes",
     [](Plan &p) {
       p.steps[M::hand].collective->outer = p.steps[M::hand].collective->inner;
     }},
    {"HandedOnAfterItsLifetime", "outside its lifetime",
     [](Plan &p) { p.buffers[M::sums].lastStep = 2; }},
};

static Status stagesProblem(const std::function<void(Plan &)> &plant) {
  auto contents = stagesModel();
  Plan plan = decode(contents);
  plant(plan);
  KILN_TRY(validatePlan(surroundings(contents), "test", plan));
  MemoryChecker checker;
  return checker.proveCorners(plan, 64, "test");
}

class StagesValidate : public testing::TestWithParam<StagesDefect> {};
class StagesMemory : public testing::TestWithParam<StagesDefect> {};

static void expectProblem(const StagesDefect &defect, Code::ID code) {
  Status status = stagesProblem(defect.plant);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.code(), code) << status.message();
  EXPECT_NE(std::string(status.message()).find(defect.message), std::string::npos)
      << status.message();
}

TEST_P(StagesValidate, Refuses) { expectProblem(GetParam(), Code::PlanInvalid); }
TEST_P(StagesMemory, Refuses) { expectProblem(GetParam(), Code::PlanMemory); }

static std::string stagesName(const testing::TestParamInfo<StagesDefect> &info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Defects, StagesValidate, testing::ValuesIn(stagesInvalid),
                         stagesName);
INSTANTIATE_TEST_SUITE_P(Defects, StagesMemory, testing::ValuesIn(stagesUnsafe),
                         stagesName);

TEST(StagesPlan, IsAccepted) {
  Status status = stagesProblem([](Plan &) {});
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST(StagesPlan, IsAcceptedWithAPermute) {
  Status status = stagesProblem([](Plan &p) {
    p.steps[M::hand].collective->kind = CollectiveKind::Permute;
    p.steps[M::hand].collective->takers = 1;
  });
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST(StagesPlan, EachRankHasItsStates) {
  TempFolder folder;
  writeModel(folder / "m.kiln", stagesModel());
  kiln::rt::Group group{kiln::rt::Model(folder / "m.kiln")};
  std::vector<float> x = {1, 2, 3, 4, 5, 6};
  std::vector<int64_t> shape = {2, 3};
  auto results = group.runAll({{"x", x, shape}});
  ASSERT_EQ(results.size(), 2u);
  for (const auto &own : results) {
    EXPECT_EQ(own[0].as<float>()[5], 13);
    EXPECT_EQ(own[1].as<float>()[0], 15);
    EXPECT_EQ(own[1].as<float>()[1], 33);
  }
}
