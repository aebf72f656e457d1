//===- PolicyTest.cpp - Policies that satisfy a budget --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Models.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Quantization/Accuracy.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::quantization;
using namespace kiln::test;

namespace {
class PolicyTest : public testing::Test {
protected:
  void SetUp() override {
    options.input = folder / "m.onnxtxt";
    options.output = folder / "m.kiln";
    options.threads = 2;
    options.precision.precision = "int4";
    options.progress = [this](llvm::StringRef what) { told.push_back(what.str()); };
    writeFile(options.input, mlpText());
  }
  llvm::Error meet(const char *budget) {
    settings.budget = valueOf(AccuracyBudget::parse(budget));
    return meetBudget(options, settings, /*deadline=*/0);
  }

  TempFolder folder;
  CompileOptions options;
  AccuracySettings settings;
  std::vector<std::string> told;
};

TEST_F(PolicyTest, ABudgetThatHoldsChangesNothing) {
  ASSERT_EQ(messageOf(meet("cosine>=0.5")), "");
  EXPECT_TRUE(options.precision.rules.empty());
  ASSERT_TRUE(options.accuracy);
  EXPECT_EQ(options.accuracy->budget, "cosine>=0.5");
  EXPECT_EQ(options.accuracy->samples, "random inputs");
  EXPECT_LT(options.accuracy->measured, 1);
  EXPECT_GT(options.accuracy->measured, 0.9);
  EXPECT_EQ(told, (std::vector<std::string>{"accuracy: full precision",
                                            "accuracy: all products quantized"}));
  EXPECT_EQ(listFolder(folder / ""), std::vector<std::string>{"m.onnxtxt"})
      << "no package is left";
}

/// For half of the loss, one of the two matmuls has to stay in f32.
TEST_F(PolicyTest, RulesKeepProductsInFullPrecision) {
  ASSERT_EQ(messageOf(meet("max<=1e6")), "");
  double both = options.accuracy->quantized;
  options.accuracy.reset();
  std::string budget = "max<=" + std::to_string(both * 0.9);
  ASSERT_EQ(messageOf(meet(budget.c_str())), "");
  ASSERT_EQ(options.precision.rules.size(), 1u);
  EXPECT_EQ(options.precision.rules[0].precision, "f32");
  EXPECT_LE(options.accuracy->measured, both * 0.9);
  EXPECT_EQ(options.accuracy->blames.size(), 2u);
  // The package compiled afterwards is the one that was measured.
  CompileReport report;
  ASSERT_EQ(messageOf(compile(options, report)), "");
  unsigned kept = 0;
  for (const PrecisionEntry &entry : report.precision)
    kept += entry.became == "f32";
  EXPECT_EQ(kept, 1u);
}

TEST_F(PolicyTest, BudgetsThatNothingMeetsAreErrors) {
  Diagnosis problem = problemOf(meet("max<=1e-9"));
  EXPECT_EQ(problem.code, ErrorCode::AccuracyNotMet);
  EXPECT_TRUE(options.precision.rules.empty()) << "the policy is as it was";
  EXPECT_FALSE(options.accuracy);
}

TEST_F(PolicyTest, InterruptsAreAskedFor) {
  settings.isInterrupted = [] { return true; };
  EXPECT_EQ(problemOf(meet("max<=1e-9")).what,
            "the search for products to keep was interrupted");
}

TEST_F(PolicyTest, ModelsMustCompile) {
  writeFile(options.input, "no model");
  EXPECT_NE(messageOf(meet("max<=1")), "");
}

std::string writtenPolicy(const TempFolder &folder, const PrecisionPolicy &policy) {
  EXPECT_EQ(messageOf(writePolicy(folder / "p.json", policy)), "");
  return readFile(folder / "p.json");
}

/// Reading a written policy file with --precision gives the same policy.
TEST_F(PolicyTest, PoliciesAreReadAgain) {
  PrecisionPolicy policy;
  policy.precision = "int8";
  policy.rules = {{"layer\\*1", "f32"}, {"*", "int4"}};
  policy.cache = "int8";
  policy.activations = "bf16";
  std::string text = writtenPolicy(folder, policy);
  PrecisionPolicy read = valueOf(PrecisionPolicy::parse("p.json", text));
  EXPECT_EQ(read.precision, "int8");
  EXPECT_EQ(read.cache, "int8");
  EXPECT_EQ(read.activations, "bf16");
  ASSERT_EQ(read.rules.size(), 2u);
  EXPECT_EQ(read.rules[0].nodes, "layer\\*1");
  EXPECT_EQ(read.rules[1].precision, "int4");
  EXPECT_EQ(writtenPolicy(folder, read), text);
}

TEST_F(PolicyTest, WhatIsNotSetIsNotWritten) {
  PrecisionPolicy policy;
  policy.precision = "int8";
  std::string text = writtenPolicy(folder, policy);
  for (const char *key : {"cache", "activations", "range"})
    EXPECT_EQ(text.find(key), std::string::npos) << key;
  policy.range = "percentile:99.9";
  EXPECT_NE(writtenPolicy(folder, policy).find("percentile:99.9"), std::string::npos);
}

TEST_F(PolicyTest, PoliciesNeedAPlace) {
  Diagnosis problem = problemOf(writePolicy(folder / "none/p.json", {}));
  EXPECT_EQ(problem.code, ErrorCode::OutputNotWritable);
  EXPECT_EQ(problem.where, folder / "none/p.json");
}
} // namespace
