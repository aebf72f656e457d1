//===- RanksValidateTest.cpp ----------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans for several ranks that are contradictory or access memory out of bounds.
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include "runtime/package/checker.h"
#include "runtime/package/format.h"
#include <cstring>
#include <functional>
#include <gtest/gtest.h>

using namespace kiln::test;
using namespace kiln::rt;

static constexpr uint32_t ranksFar = 1000000;
static constexpr uint32_t gather = RanksModel::gather, reduce = RanksModel::reduce,
                          weight = RanksModel::weight, ranksSum = RanksModel::sum;

struct RanksDefect {
  const char *name;
  const char *message; ///< part of it
  std::function<void(Plan &)> plant;
};

/// Makes the gather overlap the reduce.
static void besideReduce(Plan &p) {
  p.steps[gather].collective->join = reduce + 1;
  p.buffers[p.steps[gather].reads[0]].lastStep = reduce;
}

static const RanksDefect invalid[] = {
    {"NoRanks", "the number of ranks is out of range", [](Plan &p) { p.ranks = 0; }},
    {"ManyRanks", "the number of ranks is out of range", [](Plan &p) { p.ranks = 4097; }},
    {"OneRank", "it has parts for ranks", [](Plan &p) { p.ranks = 1; }},
    {"Alone", "a collective in a package of one rank",
     [](Plan &p) {
       p.ranks = 1;
       p.buffers[weight].rankStride = 0;
     }},
    {"StrideOfActivations", "it has parts for ranks",
     [](Plan &p) { p.buffers[2].rankStride = 64; }},
    {"StrideUnaligned", "its parts are not aligned",
     [](Plan &p) { p.buffers[weight].rankStride = 65; }},
    {"NoStages", "the ranks cannot be divided", [](Plan &p) { p.stages = 0; }},
    {"TwoStages", "the ranks cannot be divided", [](Plan &p) { p.stages = 2; }},
    {"StagesOfOneRank", "it has parts for ranks", [](Plan &p) { p.stages = 3; }},
    {"StageOfAStep", "there is no such stage", [](Plan &p) { p.steps[0].stage = 0; }},
    {"StageOfABuffer", "there is no such stage", [](Plan &p) { p.buffers[1].stage = 0; }},
    {"NoCollective", "it does not say what ranks do",
     [](Plan &p) { p.steps[reduce].collective.reset(); }},
    {"CollectiveOfALaunch", "but is no collective",
     [](Plan &p) { p.steps[0].collective = p.steps[reduce].collective; }},
    {"CollectiveOfACopy", "but is no collective",
     [](Plan &p) { p.steps[4].collective = p.steps[reduce].collective; }},
    {"Kind", "the kind of its collective is unknown",
     [](Plan &p) { p.steps[reduce].collective->kind = CollectiveKind(6); }},
    {"Reduction", "the kind of its collective is unknown",
     [](Plan &p) { p.steps[reduce].collective->reduction = Reduction(5); }},
    {"Type", "its elements cannot be combined",
     [](Plan &p) { p.steps[reduce].collective->dtype = kiln_dtype(KILN_DTYPE_COUNT); }},
    {"TypeOfAGather", "its elements cannot be combined",
     [](Plan &p) { p.steps[gather].collective->dtype = kiln_dtype(200); }},
    {"SumOfBooleans", "its elements cannot be combined",
     [](Plan &p) { p.steps[reduce].collective->dtype = KILN_DTYPE_BOOL; }},
    {"MeanOfIntegers", "its elements cannot be combined",
     [](Plan &p) {
       p.steps[reduce].collective->dtype = KILN_DTYPE_I32;
       p.steps[reduce].collective->reduction = Reduction::Mean;
     }},
    {"Outer", "an expression is out of range",
     [](Plan &p) { p.steps[reduce].collective->outer = ranksFar; }},
    {"Inner", "an expression is out of range",
     [](Plan &p) { p.steps[gather].collective->inner = ranksFar; }},
    {"TwoSources", "a collective needs one source and one destination",
     [](Plan &p) { p.steps[reduce].reads.push_back(1); }},
    {"NoDestination", "a collective needs one source and one destination",
     [](Plan &p) { p.steps[reduce].writes.clear(); }},
    {"Buffer", "a buffer is out of range",
     [](Plan &p) { p.steps[reduce].reads = {ranksFar}; }},
    {"KernelOfASum", "an index of a kernel is out of range",
     [](Plan &p) { p.steps[reduce].collective->kernel = ranksFar; }},
    {"KernelBelowNone", "an index of a kernel is out of range",
     [](Plan &p) { p.steps[reduce].collective->kernel = -2; }},
    {"SplitKernelAlone", "an index of a kernel is out of range",
     [](Plan &p) { p.steps[reduce].collective->splitKernel = 0; }},
    {"SplitKernel", "an index of a kernel is out of range",
     [](Plan &p) {
       p.steps[reduce].collective->kernel = 0;
       p.steps[reduce].collective->splitKernel = ranksFar;
     }},
    {"SplitKernelOfOtherSymbols", "its two kernels do not take the same symbols",
     [](Plan &p) {
       p.kernels.push_back(p.kernels[0]);
       p.kernels.back().symbols.push_back(0);
       p.steps[reduce].collective->kernel = 0;
       p.steps[reduce].collective->splitKernel =
           static_cast<int32_t>(p.kernels.size() - 1);
     }},
    {"KernelOfAGather", "no kernel carries out such a collective",
     [](Plan &p) { p.steps[gather].collective->kernel = 0; }},
    {"KernelOfAMaximum", "no kernel carries out such a collective",
     [](Plan &p) {
       p.steps[reduce].collective->kernel = 0;
       p.steps[reduce].collective->reduction = Reduction::Max;
     }},
    {"KernelOfManyRanks", "no kernel carries out such a collective",
     [](Plan &p) {
       p.ranks = 9;
       p.steps[reduce].collective->kernel = 0;
     }},
    {"AxisThatDoesNotDivide", "the ranks of a stage have no such axis",
     [](Plan &p) { p.steps[reduce].collective->axis = {2, 1}; }},
    {"AxisOfRanksTooFarApart", "the ranks of a stage have no such axis",
     [](Plan &p) { p.steps[gather].collective->axis = {3, 2}; }},
    {"AxisWithoutStride", "the ranks of a stage have no such axis",
     [](Plan &p) { p.steps[reduce].collective->axis = {3, 0}; }},
    {"AxisOfNoSize", "the ranks of a stage have no such axis",
     [](Plan &p) { p.buffers[weight].rankAxis = {0, 2}; }},
    {"AxisOfAWeight", "the ranks of a stage have no such axis",
     [](Plan &p) { p.buffers[weight].rankAxis = {2, 1}; }},
    {"AxisOfActivations", "it has an axis of ranks",
     [](Plan &p) { p.buffers[1].rankAxis = {3, 1}; }},
    {"KernelOfAnAxis", "no kernel carries out such a collective",
     [](Plan &p) {
       p.steps[reduce].collective->kernel = 0;
       p.steps[reduce].collective->axis = {3, 1};
     }},
    {"TakersOfASum", "it names a receiving stage, but does not send between stages",
     [](Plan &p) { p.steps[reduce].collective->takers = 1; }},
    {"ExchangeInPlace", "it writes what it reads",
     [](Plan &p) { p.steps[reduce].collective->kind = CollectiveKind::AllToAll; }},
    {"GatherInPlace", "it writes what it reads",
     [](Plan &p) { p.steps[reduce].collective->kind = CollectiveKind::AllGather; }},
};

static const RanksDefect unsafe[] = {
    {"MoreRanks", "outside the weights section", [](Plan &p) { p.ranks = 4; }},
    {"LongStride", "outside the weights section",
     [](Plan &p) { p.buffers[weight].rankStride = uint64_t(1) << 62; }},
    {"StrideThatWraps", "outside the weights section",
     [](Plan &p) {
       p.ranks = 5;
       p.buffers[weight].rankStride = uint64_t(1) << 62;
     }},
    {"AxisOfMoreParts", "outside the weights section",
     [](Plan &p) {
       p.ranks = 8;
       p.buffers[weight].rankAxis = {4, 2};
     }},
    {"GatherAlongASmallerAxis", "its elements do not fill what it reads and writes",
     [](Plan &p) {
       p.ranks = 6;
       p.buffers[weight].rankAxis = {3, 1};
       p.steps[gather].collective->axis = {2, 3};
     }},
    {"LateOffset", "outside the weights section",
     [](Plan &p) { p.buffers[weight].offset = 64; }},
    {"ShortStride", "outside the weights section",
     [](Plan &p) {
       p.buffers[weight].size = static_cast<ExprIndex>(p.exprs.size());
       p.exprs.push_back({ExprKind::Const, 0, 0, 72});
       p.buffers[weight].rankStride = 64;
     }},
    {"MoreElements", "its elements do not fill what it reads and writes",
     [](Plan &p) {
       auto &outer = p.steps[reduce].collective->outer;
       p.exprs.push_back({ExprKind::Add, outer, outer});
       outer = static_cast<ExprIndex>(p.exprs.size() - 1);
     }},
    {"WiderElements", "its elements do not fill what it reads and writes",
     [](Plan &p) { p.steps[reduce].collective->dtype = KILN_DTYPE_F64; }},
    {"NegativeElements", "its elements do not fill what it reads and writes",
     [](Plan &p) {
       p.exprs.push_back({ExprKind::Const, 0, 0, -1});
       auto minus = static_cast<ExprIndex>(p.exprs.size() - 1);
       Collective &c = *p.steps[reduce].collective;
       p.exprs.push_back({ExprKind::Mul, c.outer, minus});
       p.exprs.push_back({ExprKind::Mul, c.inner, minus});
       c.outer = minus + 1;
       c.inner = minus + 2;
     }},
    {"ManyElements", "its elements do not fill what it reads and writes",
     [](Plan &p) {
       p.exprs.push_back({ExprKind::Const, 0, 0, int64_t(1) << 62});
       p.steps[reduce].collective->inner = static_cast<ExprIndex>(p.exprs.size() - 1);
     }},
    {"ScatterOfOnePart", "its elements do not fill what it reads and writes",
     [](Plan &p) { p.steps[gather].collective->kind = CollectiveKind::ReduceScatter; }},
    {"ExchangeOfOnePart", "its elements do not fill what it reads and writes",
     [](Plan &p) { p.steps[gather].collective->kind = CollectiveKind::AllToAll; }},
    {"JoinOfItself", "it is waited for where it has not begun",
     [](Plan &p) { p.steps[reduce].collective->join = reduce; }},
    {"JoinBehindTheEnd", "it is waited for where it has not begun",
     [](Plan &p) { p.steps[reduce].collective->join = ranksFar; }},
    {"ReadBesideACollective", "while a collective may still write it",
     [](Plan &p) { p.steps[reduce].collective->join = reduce + 2; }},
    {"WriteBesideACollective", "while a collective may still use it",
     [](Plan &p) {
       besideReduce(p);
       p.steps[reduce].writes = p.steps[gather].writes;
     }},
    {"WriteOfAnOperand", "while a collective may still use it",
     [](Plan &p) {
       besideReduce(p);
       p.steps[reduce].writes = p.steps[gather].reads;
     }},
    {"MemoryBesideACollective", "outside its lifetime",
     [](Plan &p) { p.steps[gather].collective->join = reduce + 1; }},
    {"ReadsLate", "outside its lifetime",
     [](Plan &p) { p.buffers[ranksSum].firstStep = 4; }},
};

/// Returns the error of checking a plan's structure or its memory.
static Status problemOf(const std::function<void(Plan &)> &plant) {
  auto contents = ranksModel(3);
  Plan plan = decode(contents);
  plant(plan);
  KILN_TRY(validatePlan(surroundings(contents), "test", plan));
  MemoryChecker checker;
  return checker.proveCorners(plan, 3 * 64, "test");
}

class RanksValidate : public testing::TestWithParam<RanksDefect> {};
class RanksMemory : public testing::TestWithParam<RanksDefect> {};

static void expectProblem(const RanksDefect &defect, Code::ID code) {
  Status status = problemOf(defect.plant);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.code(), code) << status.message();
  EXPECT_NE(std::string(status.message()).find(defect.message), std::string::npos)
      << status.message();
}

TEST_P(RanksValidate, Refuses) { expectProblem(GetParam(), Code::PlanInvalid); }
TEST_P(RanksMemory, Refuses) { expectProblem(GetParam(), Code::PlanMemory); }

static std::string nameOf(const testing::TestParamInfo<RanksDefect> &info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Defects, RanksValidate, testing::ValuesIn(invalid), nameOf);
INSTANTIATE_TEST_SUITE_P(Defects, RanksMemory, testing::ValuesIn(unsafe), nameOf);

TEST(RanksPlan, IsAccepted) {
  Status status = problemOf([](Plan &) {});
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST(RanksPlan, IsAcceptedWithCollectivesBesideSteps) {
  Status status = problemOf(besideReduce);
  EXPECT_TRUE(status.ok()) << status.message();
}

/// Twice the ranks, in two groups of three that do what the three did.
TEST(RanksPlan, IsAcceptedAlongAnAxis) {
  for (uint32_t stride : {1u, 2u}) {
    Status status = problemOf([&](Plan &p) {
      p.ranks = 6;
      p.buffers[weight].rankAxis = {3, stride};
      p.steps[gather].collective->axis = p.steps[reduce].collective->axis = {3, stride};
      for (uint32_t rank = 0; rank < 6; ++rank)
        EXPECT_EQ(p.partOf(weight, rank),
                  p.buffers[weight].rankStride * (rank / stride % 3));
    });
    EXPECT_TRUE(status.ok()) << status.message();
  }
}

TEST(RanksPlan, HasAVersionOfItsOwn) {
  TempFolder folder;
  std::string one = folder / "one.kiln", several = folder / "several.kiln";
  writeModel(one, scaleModel());
  writeModel(several, ranksModel(2));
  auto versionOf = [](const std::string &path) {
    format::Header header;
    std::string bytes = readFile(path);
    std::memcpy(&header, bytes.data(), sizeof header);
    return header.version;
  };
  EXPECT_EQ(versionOf(one), format::version);
  EXPECT_EQ(versionOf(several), format::ranksVersion);
  EXPECT_EQ(loadCode(several), 0u);
}
