//===- AccuracyTest.cpp ---------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AccuracyRepair.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Quantization/AccuracyBudget.h"
#include "kiln/Support/Error.h"
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::quantization;

//===----------------------------------------------------------------------===//
// Budgets
//===----------------------------------------------------------------------===//

namespace {
AccuracyBudget parsed(llvm::StringRef text) {
  return llvm::cantFail(AccuracyBudget::parse(text));
}

TEST(AccuracyBudgetTest, ReadsEveryMetric) {
  AccuracyBudget ppl = parsed("ppl<=1.5%:texts/a:b.txt");
  EXPECT_EQ(ppl.metric, AccuracyMetric::Perplexity);
  EXPECT_DOUBLE_EQ(ppl.limit, 0.015);
  EXPECT_EQ(ppl.samples, "texts/a:b.txt");
  EXPECT_EQ(ppl.condition, "ppl<=1.5%");
  AccuracyBudget cosine = parsed(" cosine >= 0.999 ");
  EXPECT_EQ(cosine.metric, AccuracyMetric::Cosine);
  EXPECT_EQ(cosine.condition, "cosine>=0.999");
  EXPECT_TRUE(cosine.samples.empty());
  EXPECT_DOUBLE_EQ(cosine.valueOf(cosine.allowedLoss()), 0.999);
  EXPECT_EQ(parsed("kl<=1e-2:dir").metric, AccuracyMetric::KLDivergence);
  EXPECT_EQ(parsed("max<=0.5").metricName(), "max");
}

TEST(AccuracyBudgetTest, HoldsUpToTheLimit) {
  EXPECT_TRUE(parsed("kl<=0.5").holds(0.5));
  EXPECT_FALSE(parsed("kl<=0.5").holds(std::nextafter(0.5, 1)));
  EXPECT_TRUE(parsed("cosine>=0.75").holds(0.25));
  EXPECT_FALSE(parsed("cosine>=0.75").holds(0.2500001));
  EXPECT_TRUE(parsed("ppl<=0%").holds(-0.001)); // better than full precision
}

TEST(AccuracyBudgetTest, RefusesWhatIsNone) {
  for (const char *text :
       {"", "ppl", "ppl<=1", "ppl<=-1%", "ppl>=1%", "ppl<1%", "ppl<=1%:", "bleu<=1",
        "cosine<=0.9", "cosine>=1.1", "cosine>=90%", "kl<=", "kl<=x", "kl<=nan",
        "max<=inf", "max<=1e-2x", "PPL<=1%"}) {
    llvm::Expected<AccuracyBudget> budget = AccuracyBudget::parse(text);
    ASSERT_FALSE(bool(budget)) << text;
    Diagnosis diagnosis = takeDiagnosis(budget.takeError());
    EXPECT_EQ(diagnosis.code, ErrorCode::BadUsage) << text;
    EXPECT_FALSE(diagnosis.expected.empty() || diagnosis.fix.empty()) << text;
  }
}

TEST(AccuracyBudgetTest, LossesAndValuesAreEachOther) {
  for (const char *text : {"ppl<=1%", "cosine>=0.9", "kl<=1", "max<=1"}) {
    AccuracyBudget budget = parsed(text);
    for (double loss : {0.0, 0.25, 0.5})
      EXPECT_DOUBLE_EQ(budget.lossOf(budget.valueOf(loss)), loss) << text;
  }
  EXPECT_DOUBLE_EQ(parsed("cosine>=0.9").valueOf(0.25), 0.75);
}

TEST(AccuracyBudgetTest, SaysWhatALossIs) {
  EXPECT_EQ(parsed("ppl<=1%").describe(0.0084), "perplexity +0.840 %");
  EXPECT_EQ(parsed("ppl<=1%").describe(-0.0001), "perplexity -0.010 %");
  EXPECT_EQ(parsed("cosine>=0.9").describe(0.00088), "mean cosine 0.999120");
  EXPECT_EQ(parsed("kl<=1").describe(0.01234567), "KL divergence 0.01235 nats");
  EXPECT_EQ(parsed("max<=1").describe(0.5), "largest relative error 0.5");
  EXPECT_EQ(parsed("ppl<=1%").describeBlame(0.00021), "0.0210 %");
  EXPECT_EQ(parsed("kl<=1").describeBlame(0.00012), "0.00012");
}

TEST(AccuracyBudgetTest, NamesOfMetrics) {
  EXPECT_EQ(parsed("ppl<=1%").metricName(), "ppl");
  EXPECT_EQ(parsed("cosine>=0.9").metricName(), "cosine");
  EXPECT_EQ(parsed("kl<=1").metricName(), "kl");
}

//===----------------------------------------------------------------------===//
// Repair
//===----------------------------------------------------------------------===//

/// A model whose quantized matmuls each add to the loss.
struct MadeUpModel {
  std::vector<double> costs;
  double joint = 0;      ///< additional loss while anything is quantized
  double quickScale = 1; ///< loss on few samples, as a fraction of that on all
  size_t measurements = 0, quickOnes = 0;

  double lossOf(llvm::ArrayRef<size_t> kept) const {
    double loss = std::accumulate(costs.begin(), costs.end(), joint);
    for (size_t product : kept)
      loss -= costs[product];
    return kept.size() == costs.size() ? 0 : loss;
  }

  RepairResult repair(double allowed, std::vector<uint64_t> bytes,
                      size_t maxBlames = 64) {
    RepairTask task{std::move(bytes), allowed, maxBlames};
    auto loss = [&](llvm::ArrayRef<size_t> kept) -> llvm::Expected<double> {
      ++measurements;
      return lossOf(kept);
    };
    auto quick = [&](llvm::ArrayRef<size_t> kept) -> llvm::Expected<double> {
      ++quickOnes;
      return quickScale * lossOf(kept);
    };
    return llvm::cantFail(repairAccuracy(task, loss, quick));
  }
};

using Indices = std::vector<size_t>;

TEST(AccuracyRepairTest, ABudgetThatHoldsNeedsOneMeasurement) {
  MadeUpModel model{{1, 2, 3}};
  RepairResult result = model.repair(6, {1, 1, 1});
  EXPECT_TRUE(result.holds);
  EXPECT_EQ(result.repaired, 6);
  EXPECT_TRUE(result.kept.empty() && result.groups.empty());
  EXPECT_EQ(model.measurements + model.quickOnes, 1u);
}

TEST(AccuracyRepairTest, KeepsTheWorstFirst) {
  MadeUpModel model{{0.5, 4, 0.25, 3, 1}};
  RepairResult result = model.repair(2, {1, 1, 1, 1, 1});
  EXPECT_TRUE(result.holds);
  EXPECT_EQ(result.kept, Indices({1, 3}));
  EXPECT_DOUBLE_EQ(result.quantized, 8.75);
  EXPECT_DOUBLE_EQ(result.repaired, 1.75);
  EXPECT_DOUBLE_EQ(result.predicted, 1.75);
  // As predicted: measured with these matmuls kept, and with one fewer.
  EXPECT_EQ(model.measurements, 3u);
  EXPECT_EQ(model.quickOnes, 6u);
}

TEST(AccuracyRepairTest, CountsBlamePerByte) {
  // Blame per byte: 4 / 100, 1 / 10 and 0.5 / 1.
  MadeUpModel model{{4, 1, 0.5}};
  EXPECT_EQ(model.repair(5, {100, 10, 1}).kept, Indices({2}));
  EXPECT_EQ(model.repair(4.5, {100, 10, 1}).kept, Indices({1, 2}));
}

TEST(AccuracyRepairTest, MeasuresWhereBlameIsWrong) {
  // Few samples show 0.3 of the loss of all samples.
  MadeUpModel model{std::vector<double>(40, 1), /*joint=*/10, /*quickScale=*/0.3};
  RepairResult result = model.repair(15, std::vector<uint64_t>(40, 1));
  EXPECT_TRUE(result.holds);
  EXPECT_EQ(result.kept.size(), 35u);
  EXPECT_DOUBLE_EQ(result.repaired, 15);
  EXPECT_NEAR(result.predicted, 50 - 35 * 0.3, 1e-9);
  // Matmuls whose quantization seems to help are kept last.
  MadeUpModel helped{{1, -1, 2}};
  EXPECT_EQ(helped.repair(0, {1, 1, 1}).kept, Indices({2}));
}

TEST(AccuracyRepairTest, FindsTheLeastNumberWhereverItIs) {
  for (size_t needed = 1; needed < 40; ++needed)
    for (double scale : {0.1, 0.5, 1.0, 3.0}) {
      MadeUpModel model{std::vector<double>(40, 1), 0, scale};
      RepairResult result =
          model.repair(40 - double(needed), std::vector<uint64_t>(40, 1));
      EXPECT_TRUE(result.holds);
      EXPECT_EQ(result.kept.size(), needed);
      EXPECT_LE(model.measurements, 12u);
    }
}

TEST(AccuracyRepairTest, SomethingHasToStayQuantized) {
  MadeUpModel model{{1, 1, 1}, /*joint=*/1};
  RepairResult result = model.repair(1.5, {1, 1, 1});
  EXPECT_FALSE(result.holds);
  EXPECT_EQ(result.kept.size(), 2u);
  EXPECT_DOUBLE_EQ(result.repaired, 2);
  EXPECT_FALSE(MadeUpModel{{1}}.repair(0.5, {1}).holds);
}

TEST(AccuracyRepairTest, GroupsManyProducts) {
  // 100 matmuls with at most 20 blames: 10 groups of 10, the worst of which is split.
  MadeUpModel model{std::vector<double>(100, 0.01)};
  model.costs[37] = 5;
  RepairResult result = model.repair(1.5, std::vector<uint64_t>(100, 1), 20);
  EXPECT_TRUE(result.holds);
  EXPECT_EQ(result.kept, Indices({37}));
  EXPECT_EQ(model.quickOnes, 21u);
  size_t products = 0;
  for (const BlameGroup &group : result.groups)
    products += group.size();
  EXPECT_EQ(products, 100u);
}

TEST(AccuracyRepairTest, FailsWhereMeasuringFails) {
  RepairTask task{{1, 1}, 0.5};
  size_t count = 0;
  auto loss = [&](llvm::ArrayRef<size_t>) -> llvm::Expected<double> {
    if (++count < 3)
      return 1.0;
    return makeError({ErrorCode::BadUsage, "here", "stopped", "", "", ""});
  };
  llvm::Expected<RepairResult> result = repairAccuracy(task, loss, loss);
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(takeDiagnosis(result.takeError()).what, "stopped");
}
} // namespace
