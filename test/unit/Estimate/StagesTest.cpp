//===- StagesTest.cpp - Partition into pipeline stages --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Estimate/Stages.h"
#include "Transformer.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <numeric>

using namespace kiln;
using namespace kiln::estimate;

static StagedWorkload stage(const Workload &workload, int64_t stages) {
  std::string why;
  std::optional<StagedWorkload> staged = assignStages(workload, stages, why);
  EXPECT_TRUE(staged) << why;
  return *staged;
}

TEST(Stages, CutBetweenLayers) {
  Workload workload = llvm::cantFail(transformer(kLlama70B, 1));
  StagedWorkload staged = stage(workload, 4);
  for (const StagedProgram &program : staged.programs) {
    // One value per stage boundary, and the logits.
    ASSERT_EQ(program.handovers.size(), 4u);
    for (int64_t stage = 0; stage < 4; ++stage)
      EXPECT_EQ(program.handovers[stage].to, stage < 3 ? stage + 1 : kAllStages);
    EXPECT_TRUE(llvm::is_sorted(program.stages));
  }
}

TEST(Stages, WeightsAndStatesAreDivided) {
  Workload workload = llvm::cantFail(transformer(kLlama70B, 1));
  StagedWorkload one = stage(workload, 1), eight = stage(workload, 8);
  auto sum = [](const std::vector<double> &list) {
    return std::accumulate(list.begin(), list.end(), 0.0);
  };
  EXPECT_DOUBLE_EQ(sum(eight.weightBytes), sum(one.weightBytes));
  EXPECT_DOUBLE_EQ(sum(eight.stateBytes), sum(one.stateBytes));
  for (double bytes : eight.weightBytes)
    EXPECT_NEAR(bytes, sum(one.weightBytes) / 8, 0.4 * sum(one.weightBytes) / 8);
}

TEST(Stages, TheStatesOfALayerAreOfOneStage) {
  Workload workload = llvm::cantFail(transformer(kSmall, 1));
  StagedWorkload staged = stage(workload, 3);
  std::map<int64_t, int64_t> stageOf;
  for (auto [program, stages] : llvm::zip(workload.programs, staged.programs))
    for (auto [step, own] : llvm::zip(program.steps, stages.stages))
      for (unsigned read : step.reads)
        if (program.values[read].kind == Value::Kind::State)
          EXPECT_EQ(stageOf.try_emplace(program.values[read].key, own).first->second,
                    own);
  EXPECT_EQ(stageOf.size(), size_t(kSmall.layers));
}

TEST(Stages, TooManyAreRefused) {
  Workload workload = llvm::cantFail(transformer(kSmall, 1));
  std::string why;
  EXPECT_FALSE(assignStages(workload, 64, why));
  EXPECT_EQ(why, "the model has 26 large weights for 64 stages");
}
