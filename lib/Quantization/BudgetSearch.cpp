//===- BudgetSearch.cpp - Search for policies within a budget -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BudgetSearch.h"
#include "AccuracyRepair.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/Units.h"
#include "kiln/Support/UsageError.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace kiln;
using namespace kiln::quantization;
using namespace llvm;

namespace {
/// Nodes of a quantized matmul, and the bytes that f32 weights would add.
struct QuantizedProduct {
  std::string node;
  uint64_t bytes = 0;
};

class BudgetSearch {
public:
  BudgetSearch(TrialModel &model, const PrecisionPolicy &policy,
               const AccuracyBudget &budget, const BudgetControl &control)
      : model(model), policy(policy), budget(budget), control(control) {}
  Expected<BudgetResult> run();

private:
  PrecisionPolicy policyOf(ArrayRef<size_t> kept) const;
  Error findProducts();
  Expected<double> measure(ArrayRef<size_t> kept, bool quick);
  Error checkTime() const;
  void say(const Twine &what) const;
  void sayProgress() const;
  Error notMet(const Twine &what, const Twine &fix) const;
  AccuracyRecord recordOf(const RepairResult &result) const;

  TrialModel &model;
  const PrecisionPolicy &policy;
  const AccuracyBudget &budget;
  const BudgetControl &control;
  std::vector<QuantizedProduct> products;
  std::map<std::pair<bool, std::vector<size_t>>, double> measured;
  size_t expectedMeasurements = 1;
  double lastSeconds = 0; ///< duration of the last measurement
};
} // namespace

/// Returns a glob that matches the node's name only.
static std::string globOf(StringRef node) {
  std::string glob;
  for (char c : node) {
    if (StringRef("*?[]{}\\").contains(c))
      glob += '\\';
    glob += c;
  }
  return glob;
}

/// Returns the policy that keeps these matmuls in f32. Its rules come first, because the
/// first match applies.
PrecisionPolicy BudgetSearch::policyOf(ArrayRef<size_t> kept) const {
  PrecisionPolicy result = policy;
  std::vector<PrecisionRule> rules;
  for (size_t product : kept)
    rules.push_back({globOf(products[product].node), "f32"});
  result.rules.insert(result.rules.begin(), rules.begin(), rules.end());
  return result;
}

/// Returns the name in text like "node '/head/MatMul' (MatMul, opset 17)".
static std::string nodeName(StringRef text) {
  if (text.consume_front("node '"))
    text = text.rsplit('\'').first;
  return text.str();
}

/// Finds the quantized matmuls in the order of the model. Nodes with equal names are one
/// entry, since a rule cannot distinguish them.
Error BudgetSearch::findProducts() {
  say("all products quantized");
  CompileReport report;
  Expected<double> loss = model.loss(policy, /*quick=*/false, report);
  if (!loss)
    return loss.takeError();
  for (const PrecisionEntry &entry : report.precision) {
    // Weights that are already quantized in the model are left out.
    if (!findWeightFormat(entry.became) || entry.measuredAs.empty())
      continue;
    std::string node = nodeName(entry.node);
    auto known = find_if(
        products, [&](const QuantizedProduct &product) { return product.node == node; });
    if (known == products.end())
      known = products.insert(known, {node, 0});
    known->bytes += entry.bytesBefore - std::min(entry.bytesAfter, entry.bytesBefore);
  }
  measured[{false, {}}] = *loss;
  return Error::success();
}

/// Returns the error with the losses measured on all samples: with everything quantized,
/// and the best one.
Error BudgetSearch::notMet(const Twine &what, const Twine &fix) const {
  double quantized = measured.at({false, {}}), best = quantized;
  size_t kept = 0;
  for (const auto &[key, loss] : measured)
    if (!key.first && loss < best) {
      best = loss;
      kept = key.second.size();
    }
  std::string found = budget.describe(quantized) + " with all " +
                      std::to_string(products.size()) + " products quantized";
  if (kept)
    found += ", " + budget.describe(best) + " with " + std::to_string(kept) +
             " of them in f32";
  return makeError({ErrorCode::AccuracyNotMet, "--accuracy " + budget.condition,
                    what.str(), budget.describe(budget.allowedLoss()) + " or better",
                    found, fix.str()});
}

Error BudgetSearch::checkTime() const {
  if (control.isInterrupted && control.isInterrupted())
    return notMet("the search for products to keep was interrupted",
                  "run it again, or allow more");
  if (control.deadline > 0 && control.clock() + lastSeconds > control.deadline)
    return notMet("--time-limit leaves no time for another measurement",
                  "raise --time-limit (0: none), or give fewer samples");
  return Error::success();
}

void BudgetSearch::say(const Twine &what) const {
  if (control.progress)
    control.progress(("accuracy: " + what).str());
}

/// Reports the number of measurements left and their time; all take about equally long.
void BudgetSearch::sayProgress() const {
  size_t done = measured.size(), all = std::max(expectedMeasurements, done + 1);
  std::string left = formatSeconds(lastSeconds * double(all - done));
  say("measurement " + Twine(done + 1) + " of about " + Twine(all) +
      (lastSeconds > 0 ? ", " + left + " left" : ""));
}

Expected<double> BudgetSearch::measure(ArrayRef<size_t> kept, bool quick) {
  std::pair<bool, std::vector<size_t>> key(quick && model.hasQuick(), kept.vec());
  if (auto known = measured.find(key); known != measured.end())
    return known->second;
  if (Error error = checkTime())
    return std::move(error);
  sayProgress();
  double start = control.clock();
  CompileReport report;
  Expected<double> loss = model.loss(policyOf(kept), key.first, report);
  if (!loss)
    return loss;
  lastSeconds = control.clock() - start;
  return measured[key] = *loss;
}

AccuracyRecord BudgetSearch::recordOf(const RepairResult &result) const {
  AccuracyRecord record;
  record.budget = budget.condition;
  record.metric = budget.metricName().str();
  record.samples = model.samples();
  record.quantized = budget.valueOf(result.quantized);
  record.measured = budget.valueOf(result.repaired);
  record.predicted = budget.valueOf(result.predicted);
  for (const BlameGroup &group : result.groups) {
    AccuracyRecord::Blame entry{{}, group.blame, group.bytes, group.kept};
    for (size_t product = group.begin; product < group.end; ++product)
      entry.nodes.push_back(products[product].node);
    record.blames.push_back(std::move(entry));
  }
  return record;
}

Expected<BudgetResult> BudgetSearch::run() {
  if (Error error = findProducts())
    return std::move(error);
  RepairTask task;
  for (const QuantizedProduct &product : products)
    task.bytes.push_back(product.bytes);
  task.allowed = budget.allowedLoss();
  // Also counts some measurements to find the number of matmuls to keep.
  expectedMeasurements = 5 + std::min(products.size(), task.maxBlames);
  Expected<RepairResult> repair = repairAccuracy(
      task, [this](ArrayRef<size_t> kept) { return measure(kept, /*quick=*/false); },
      [this](ArrayRef<size_t> kept) { return measure(kept, /*quick=*/true); });
  if (!repair)
    return repair.takeError();
  if (!repair->holds)
    return notMet("the budget holds only where nothing is quantized",
                  "allow more, calibrate with --calib, or choose a format of more bits");
  return BudgetResult{policyOf(repair->kept), recordOf(*repair)};
}

Expected<BudgetResult> quantization::searchBudget(TrialModel &model,
                                                  const PrecisionPolicy &policy,
                                                  const AccuracyBudget &budget,
                                                  const BudgetControl &control) {
  return BudgetSearch(model, policy, budget, control).run();
}
