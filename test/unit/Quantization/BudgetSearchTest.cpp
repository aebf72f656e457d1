//===- BudgetSearchTest.cpp - Matmuls that a budget keeps precise ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BudgetSearch.h"
#include "Models.h"
#include "kiln/ErrorCodes/Internal.h"
#include "kiln/ErrorCodes/Model.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::quantization;
using namespace kiln::test;

namespace {
/// A matmul of the mock model.
struct MadeUpProduct {
  std::string node;
  double cost = 0;         ///< loss that it adds if quantized
  uint64_t savedBytes = 1; ///< bytes saved by quantizing it
};

/// A mock model whose loss is the sum of the costs of the quantized matmuls.
class MadeUpTrials final : public TrialModel {
public:
  explicit MadeUpTrials(std::vector<MadeUpProduct> products)
      : products(std::move(products)) {}

  llvm::Expected<double> loss(const PrecisionPolicy &policy, bool quick,
                              CompileReport &report) override {
    if (trials.size() == failsAt)
      return makeError({ErrorCode::Internal, "here", "the compile failed", "", "", ""});
    trials.push_back(policy);
    quickOnes += quick;
    seconds += secondsEach;
    double loss = 0;
    for (const MadeUpProduct &product : products) {
      bool isKept = llvm::any_of(policy.rules, [&](const PrecisionRule &rule) {
        return rule.precision == "f32" && rule.nodes == product.node;
      });
      PrecisionEntry entry;
      entry.op = "matmul";
      entry.node = "node '" + product.node + "' (MatMul, opset 17)";
      entry.was = "f32";
      entry.became = isKept ? "f32" : "int8";
      entry.measuredAs = isKept ? "" : "int8";
      entry.bytesBefore = 4 * product.savedBytes;
      entry.bytesAfter = isKept ? entry.bytesBefore : 3 * product.savedBytes;
      report.precision.push_back(entry);
      loss += isKept ? 0 : product.cost;
    }
    return quick ? loss * quickScale : loss;
  }
  bool hasQuick() const override { return quickScale != 1; }
  std::string samples() const override { return "12 samples"; }

  std::vector<MadeUpProduct> products;
  std::vector<PrecisionPolicy> trials;
  size_t quickOnes = 0, failsAt = 1000;
  double quickScale = 1;
  double seconds = 100, secondsEach = 1; ///< mock clock, and duration of a measurement
};

class BudgetSearchTest : public testing::Test {
protected:
  BudgetSearchTest() {
    policy.precision = "int8";
    control.clock = [this] { return trials.seconds; };
    control.progress = [this](llvm::StringRef what) { told.push_back(what.str()); };
  }
  llvm::Expected<BudgetResult> search(llvm::StringRef budget) {
    return searchBudget(trials, policy, valueOf(AccuracyBudget::parse(budget)), control);
  }
  static std::vector<std::string> keptOf(const PrecisionPolicy &policy) {
    std::vector<std::string> nodes;
    for (const PrecisionRule &rule : policy.rules)
      if (rule.precision == "f32")
        nodes.push_back(rule.nodes);
    return nodes;
  }

  MadeUpTrials trials{{{"a", 0.5}, {"b", 4}, {"c", 0.25}, {"d", 3}, {"e", 1}}};
  PrecisionPolicy policy;
  BudgetControl control;
  std::vector<std::string> told;
};

using Nodes = std::vector<std::string>;

TEST_F(BudgetSearchTest, ABudgetThatHoldsKeepsNothing) {
  BudgetResult result = valueOf(search("kl<=9"));
  EXPECT_TRUE(result.policy.rules.empty());
  EXPECT_EQ(result.policy.precision, "int8");
  EXPECT_EQ(trials.trials.size(), 1u);
  EXPECT_EQ(result.record.budget, "kl<=9");
  EXPECT_EQ(result.record.metric, "kl");
  EXPECT_EQ(result.record.samples, "12 samples");
  EXPECT_DOUBLE_EQ(result.record.measured, 8.75);
  EXPECT_TRUE(result.record.blames.empty());
}

TEST_F(BudgetSearchTest, KeepsTheProductsThatCostMost) {
  BudgetResult result = valueOf(search("kl<=2"));
  EXPECT_EQ(keptOf(result.policy), (Nodes{"b", "d"}));
  EXPECT_DOUBLE_EQ(result.record.quantized, 8.75);
  EXPECT_DOUBLE_EQ(result.record.measured, 1.75);
  EXPECT_DOUBLE_EQ(result.record.predicted, 1.75);
  ASSERT_EQ(result.record.blames.size(), 5u);
  EXPECT_EQ(result.record.blames[0].nodes, Nodes{"b"});
  EXPECT_DOUBLE_EQ(result.record.blames[0].blame, 4);
  EXPECT_TRUE(result.record.blames[0].kept);
  EXPECT_EQ(result.record.blames[4].nodes, Nodes{"c"});
  EXPECT_FALSE(result.record.blames[4].kept);
}

TEST_F(BudgetSearchTest, CountsBlamePerByte) {
  trials.products[1].savedBytes = 1000; // the worst one
  BudgetResult result = valueOf(search("kl<=5"));
  EXPECT_EQ(keptOf(result.policy), (Nodes{"d", "e"}));
  EXPECT_EQ(result.record.blames.back().bytes, 1000u);
}

/// The user's rules come after those of the search.
TEST_F(BudgetSearchTest, RulesOfTheSearchComeFirst) {
  policy.rules = {{"*", "int4"}};
  BudgetResult result = valueOf(search("kl<=5"));
  ASSERT_EQ(result.policy.rules.size(), 2u);
  EXPECT_EQ(result.policy.rules[0].nodes, "b");
  EXPECT_EQ(result.policy.rules[1].precision, "int4");
}

TEST_F(BudgetSearchTest, NamesAreNoPatterns) {
  trials.products = {{"layer*[0]?", 5}, {"layer1", 0.1}, {"x", 0.1}};
  BudgetResult result = valueOf(
      searchBudget(trials, policy, valueOf(AccuracyBudget::parse("kl<=100")), control));
  EXPECT_TRUE(result.policy.rules.empty());
  // The rule is the name with all pattern characters escaped.
  llvm::Expected<BudgetResult> kept = search("kl<=0.3");
  EXPECT_FALSE(bool(kept)) << "the fake compares names as they are";
  llvm::consumeError(kept.takeError());
  bool isEscaped = llvm::any_of(trials.trials, [](const PrecisionPolicy &trial) {
    return llvm::any_of(trial.rules, [](const PrecisionRule &rule) {
      return rule.nodes == "layer\\*\\[0\\]\\?";
    });
  });
  EXPECT_TRUE(isEscaped);
}

/// Two matmuls of one node can only be kept together.
TEST_F(BudgetSearchTest, ProductsOfOneNodeAreOne) {
  trials.products = {{"a", 2, 8}, {"b", 1, 4}, {"a", 2, 8}};
  BudgetResult result = valueOf(search("kl<=1"));
  EXPECT_EQ(keptOf(result.policy), Nodes{"a"});
  ASSERT_EQ(result.record.blames.size(), 2u);
  EXPECT_EQ(result.record.blames[0].bytes, 16u);
  EXPECT_DOUBLE_EQ(result.record.blames[0].blame, 4);
}

TEST_F(BudgetSearchTest, NothingIsMeasuredTwice) {
  valueOf(search("kl<=2"));
  std::vector<Nodes> kept;
  for (const PrecisionPolicy &trial : trials.trials)
    kept.push_back(keptOf(trial));
  llvm::sort(kept);
  EXPECT_EQ(std::adjacent_find(kept.begin(), kept.end()), kept.end());
  EXPECT_EQ(trials.quickOnes, 0u) << "few samples are all samples";
}

TEST_F(BudgetSearchTest, BlameIsMeasuredOnFewSamples) {
  trials.quickScale = 0.5;
  BudgetResult result = valueOf(search("kl<=2"));
  EXPECT_EQ(trials.quickOnes, 6u) << "five products, and all of them quantized";
  EXPECT_DOUBLE_EQ(result.record.measured, 1.75) << "on all samples";
  EXPECT_DOUBLE_EQ(result.record.blames[0].blame, 2);
}

TEST_F(BudgetSearchTest, TheCosineIsRecordedAsItIs) {
  for (MadeUpProduct &product : trials.products)
    product.cost /= 100;
  BudgetResult result = valueOf(search("cosine>=0.98"));
  EXPECT_NEAR(result.record.quantized, 1 - 0.0875, 1e-12);
  EXPECT_NEAR(result.record.measured, 1 - 0.0175, 1e-12);
  EXPECT_NEAR(result.record.blames[0].blame, 0.04, 1e-12);
}

TEST_F(BudgetSearchTest, BudgetsThatNothingMeets) {
  trials.products.push_back({"unmovable", 0, 1});
  trials.products[0].cost = 0;
  // At least one matmul has to stay quantized, and its loss alone exceeds the budget.
  for (MadeUpProduct &product : trials.products)
    product.cost += 1;
  Diagnosis problem = problemOf(search("kl<=0.5"));
  EXPECT_EQ(problem.code, ErrorCode::AccuracyNotMet);
  EXPECT_EQ(problem.where, "--accuracy kl<=0.5");
  EXPECT_EQ(problem.what, "the budget holds only where nothing is quantized");
  EXPECT_EQ(problem.expected, "KL divergence 0.5 nats or better");
  EXPECT_EQ(
      problem.found,
      "KL divergence 14.25 nats with all 6 products quantized, KL divergence 1 nats "
      "with 5 of them in f32");
}

TEST_F(BudgetSearchTest, TimeThatIsUpEndsTheSearch) {
  // Each measurement takes a second, and four are within the limit.
  control.deadline = trials.seconds + 4.5;
  Diagnosis problem = problemOf(search("kl<=2"));
  EXPECT_EQ(problem.code, ErrorCode::AccuracyNotMet);
  EXPECT_EQ(problem.what, "--time-limit leaves no time for another measurement");
  EXPECT_EQ(trials.trials.size(), 4u);
  EXPECT_NE(problem.found.find("4.75 nats with 1 of them in f32"), std::string::npos)
      << problem.found;
}

TEST_F(BudgetSearchTest, ADeadlineInTimeIsNoProblem) {
  control.deadline = trials.seconds + 1000;
  EXPECT_EQ(keptOf(valueOf(search("kl<=2")).policy), (Nodes{"b", "d"}));
}

TEST_F(BudgetSearchTest, InterruptsEndTheSearchWithWhatItHas) {
  control.isInterrupted = [this] { return trials.trials.size() >= 3; };
  Diagnosis problem = problemOf(search("kl<=2"));
  EXPECT_EQ(problem.code, ErrorCode::AccuracyNotMet);
  EXPECT_EQ(problem.what, "the search for products to keep was interrupted");
  EXPECT_EQ(trials.trials.size(), 3u);
  EXPECT_EQ(problem.found,
            "KL divergence 8.75 nats with all 5 products quantized, KL divergence 4.75 "
            "nats with 1 of them in f32");
}

TEST_F(BudgetSearchTest, FailsWhereACompileFails) {
  for (size_t trial : {0, 1, 4}) {
    trials.trials.clear();
    trials.failsAt = trial;
    EXPECT_EQ(problemOf(search("kl<=2")).what, "the compile failed") << trial;
    EXPECT_EQ(trials.trials.size(), trial);
  }
}

TEST_F(BudgetSearchTest, SaysHowManyMeasurementsAreLeft) {
  valueOf(search("kl<=2"));
  ASSERT_GE(told.size(), 3u);
  EXPECT_EQ(told[0], "accuracy: all products quantized");
  EXPECT_EQ(told[1], "accuracy: measurement 2 of about 10");
  EXPECT_EQ(told[2], "accuracy: measurement 3 of about 10, 8.00 s left");
}

/// Weights that are already quantized in the model are not the search's to keep precise.
TEST_F(BudgetSearchTest, ProductsThatAreNotQuantizedAreLeftAlone) {
  class NothingQuantized final : public TrialModel {
  public:
    llvm::Expected<double> loss(const PrecisionPolicy &, bool,
                                CompileReport &report) override {
      PrecisionEntry codes, plain;
      codes.became = "int4"; // not measured: already quantized in the model
      plain.became = "bf16"; // no weight format
      plain.measuredAs = "bf16";
      report.precision = {codes, plain};
      return 1.0;
    }
    bool hasQuick() const override { return false; }
    std::string samples() const override { return ""; }
  } model;
  Diagnosis problem = problemOf(
      searchBudget(model, policy, valueOf(AccuracyBudget::parse("kl<=0.5")), control));
  EXPECT_EQ(problem.found, "KL divergence 1 nats with all 0 products quantized");
}
} // namespace
