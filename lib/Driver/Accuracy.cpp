//===- Accuracy.cpp - kiln compile --accuracy -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Accuracy.h"
#include "AccuracyMeter.h"
#include "AccuracyRepair.h"
#include "Interrupt.h"
#include "Progress.h"
#include "Report.h"
#include "SessionOptions.h"
#include "Values.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace kiln;
using namespace kiln::driver;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

void driver::declareAccuracyOptions(OptionTable &table, AccuracySettings &settings) {
  table.value(
      "accuracy", "METRIC[:PATH]",
      "keep products in f32, those first that cost most accuracy per byte, until\n"
      "the package is so near to full precision: ppl<=1% (perplexity of the text PATH),\n"
      "cosine>=0.999, kl<=0.01 or max<=1e-2 (outputs on the samples PATH, as of --calib)",
      [&settings](StringRef text) -> Error {
        Expected<AccuracyBudget> budget = AccuracyBudget::parse(text);
        if (!budget)
          return budget.takeError();
        settings.budget = std::move(*budget);
        return Error::success();
      });
  table.text("policy-out", "FILE.json", "write the policy that --accuracy found",
             settings.policyOut);
}

Error driver::checkAccuracy(AccuracySettings &settings, const CompileOptions &options,
                            const std::string &calibration) {
  if (!settings.budget && !settings.policyOut.empty())
    return usageError("kiln compile: --policy-out", "there is no policy to write",
                      "--accuracy", "--policy-out alone", "add --accuracy");
  if (!settings.budget)
    return Error::success();
  AccuracyBudget &budget = *settings.budget;
  if (!options.precision.quantizes())
    return usageError("kiln compile: --accuracy", "nothing is quantized",
                      "--precision with a format of quantized weights",
                      options.precision.precision, "add --precision int4");
  std::vector<std::string> gpus = gpuTargets();
  if (all_of(options.targets,
             [&](const std::string &t) { return is_contained(gpus, t); }))
    return usageError("kiln compile: --accuracy", "is measured on this machine's CPU",
                      "a target that is a CPU", join(options.targets, ","),
                      "add native to --target");
  if (!options.compileTo.empty())
    return usageError("kiln compile: --accuracy", "is measured for packages", "-o M.kiln",
                      "--compile-to " + options.compileTo, "leave one of them out");
  if (budget.samples.empty())
    budget.samples = calibration;
  if (budget.samples.empty() && budget.metric == AccuracyMetric::Perplexity)
    return usageError("kiln compile: --accuracy", "the perplexity is one of a text",
                      budget.condition + ":FILE.txt", budget.condition,
                      "name a text, or give one with --calib");
  return settings.policyOut.empty() ? Error::success() : checkOutput(settings.policyOut);
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

namespace {
/// Nodes of products that are quantized, with what they add to the weights in f32.
struct Product {
  std::string node;
  uint64_t bytes = 0;
};

class BudgetSearch {
public:
  BudgetSearch(const CompileOptions &options, const AccuracyBudget &budget,
               double deadline)
      : options(options), budget(budget), deadline(deadline),
        cache(std::make_shared<CompileCache>()) {}
  Error run(CompileOptions &result);

private:
  Error choosePath();
  Expected<Model> build(const PrecisionPolicy &policy, CompileReport &report);
  PrecisionPolicy policyOf(ArrayRef<size_t> kept) const;
  Error findProducts();
  Error openMeter();
  Expected<double> measure(ArrayRef<size_t> kept, bool quick);
  Error checkTime() const;
  void say(const Twine &what) const;
  void sayProgress() const;
  Error notMet(const Twine &what, const Twine &fix) const;
  AccuracyRecord recordOf(const RepairResult &result) const;

  const CompileOptions &options;
  const AccuracyBudget &budget;
  double deadline;
  std::shared_ptr<CompileCache> cache;
  InterruptWatch interrupt;
  SmallString<128> path; ///< of packages that are measured
  std::vector<Product> products;
  std::unique_ptr<AccuracyMeter> meter;
  std::map<std::pair<bool, std::vector<size_t>>, double> measured;
  size_t expectedMeasurements = 1;
  double lastSeconds = 0; ///< of a measurement
};
} // namespace

Error BudgetSearch::choosePath() {
  if (std::error_code error =
          sys::fs::getPotentiallyUniqueTempFileName("kiln-accuracy", "kiln", path))
    return makeError({ErrorCode::OutputNotWritable, "--accuracy",
                      "a package cannot be written for measuring", "a temporary folder",
                      error.message(), "set TMPDIR to a folder with room"});
  return checkOutput(path);
}

/// A package that only this process sees, and no longer than it takes to map it.
Expected<Model> BudgetSearch::build(const PrecisionPolicy &policy,
                                    CompileReport &report) {
  CompileOptions own = options;
  own.output = std::string(path);
  own.targets = {"native"};
  own.precision = policy;
  own.saveTemps.clear();
  own.cubin = own.verifyEach = false;
  own.cache = cache;
  own.progress = nullptr;
  own.diagnose = [](mlir::Diagnostic &) {};
  if (Error error = compile(own, report))
    return std::move(error);
  SessionSettings session;
  session.trustWeights = true;
  Expected<Model> model = loadModel(own.output, session.modelOptions());
  sys::fs::remove(own.output);
  return model;
}

/// Names of nodes as globs that fit nothing else.
static std::string globOf(StringRef node) {
  std::string glob;
  for (char c : node) {
    if (StringRef("*?[]{}\\").contains(c))
      glob += '\\';
    glob += c;
  }
  return glob;
}

/// Rules of the search come first, as the first that fits decides.
PrecisionPolicy BudgetSearch::policyOf(ArrayRef<size_t> kept) const {
  PrecisionPolicy policy = options.precision;
  std::vector<PrecisionRule> rules;
  for (size_t product : kept)
    rules.push_back({globOf(products[product].node), "f32"});
  policy.rules.insert(policy.rules.begin(), rules.begin(), rules.end());
  return policy;
}

/// Of "node '/head/MatMul' (MatMul, opset 17)".
static std::string nodeName(StringRef text) {
  if (text.consume_front("node '"))
    text = text.rsplit('\'').first;
  return text.str();
}

/// In the order of the model. Products of nodes of one name can only be kept together.
Error BudgetSearch::findProducts() {
  say("all products quantized");
  CompileReport report;
  Expected<Model> model = build(options.precision, report);
  if (!model)
    return model.takeError();
  for (const PrecisionEntry &entry : report.precision) {
    // Codes of the model are not among them.
    if (!findWeightFormat(entry.became) || entry.measuredAs.empty())
      continue;
    std::string node = nodeName(entry.node);
    auto known =
        find_if(products, [&](const Product &product) { return product.node == node; });
    if (known == products.end())
      known = products.insert(known, {node, 0});
    known->bytes += entry.bytesBefore - std::min(entry.bytesAfter, entry.bytesBefore);
  }
  Expected<double> loss = meter->loss(std::move(*model), /*quick=*/false);
  if (!loss)
    return loss.takeError();
  measured[{false, {}}] = *loss;
  return Error::success();
}

Error BudgetSearch::openMeter() {
  say("full precision");
  CompileReport report;
  Expected<Model> full = build(PrecisionPolicy(), report);
  if (!full)
    return full.takeError();
  return AccuracyMeter::create(budget, budget.samples, options.threads, std::move(*full))
      .moveInto(meter);
}

/// With what was measured on all samples: of all products quantized, and the best.
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
  if (interrupt.isInterrupted())
    return notMet("the search for products to keep was interrupted",
                  "run it again, or allow more");
  if (deadline > 0 && now() + lastSeconds > deadline)
    return notMet("--time-limit leaves no time for another measurement",
                  "raise --time-limit (0: none), or give fewer samples");
  return Error::success();
}

void BudgetSearch::say(const Twine &what) const {
  if (options.progress)
    options.progress(("accuracy: " + what).str());
}

/// Of measurements, which are about equally long.
void BudgetSearch::sayProgress() const {
  size_t done = measured.size(), all = std::max(expectedMeasurements, done + 1);
  std::string left = formatSeconds(lastSeconds * double(all - done));
  say("measurement " + Twine(done + 1) + " of about " + Twine(all) +
      (lastSeconds > 0 ? ", " + left + " left" : ""));
}

Expected<double> BudgetSearch::measure(ArrayRef<size_t> kept, bool quick) {
  std::pair<bool, std::vector<size_t>> key(quick && meter->hasQuick(), kept.vec());
  if (auto known = measured.find(key); known != measured.end())
    return known->second;
  if (Error error = checkTime())
    return std::move(error);
  sayProgress();
  double start = now();
  CompileReport report;
  Expected<Model> model = build(policyOf(kept), report);
  if (!model)
    return model.takeError();
  Expected<double> loss = meter->loss(std::move(*model), key.first);
  if (!loss)
    return loss;
  lastSeconds = now() - start;
  return measured[key] = *loss;
}

AccuracyRecord BudgetSearch::recordOf(const RepairResult &result) const {
  AccuracyRecord record;
  record.budget = budget.condition;
  record.metric = budget.metricName().str();
  record.samples = meter->samples();
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

Error BudgetSearch::run(CompileOptions &result) {
  KILN_CHECK(choosePath());
  KILN_CHECK(openMeter());
  KILN_CHECK(findProducts());
  RepairTask task;
  for (const Product &product : products)
    task.bytes.push_back(product.bytes);
  task.allowed = budget.allowedLoss();
  // And some to find how many to keep.
  expectedMeasurements = 5 + std::min(products.size(), task.maxBlames);
  Expected<RepairResult> repair = repairAccuracy(
      task, [this](ArrayRef<size_t> kept) { return measure(kept, /*quick=*/false); },
      [this](ArrayRef<size_t> kept) { return measure(kept, /*quick=*/true); });
  if (!repair)
    return repair.takeError();
  if (!repair->holds)
    return notMet("the budget holds only where nothing is quantized",
                  "allow more, calibrate with --calib, or choose a format of more bits");
  result.precision = policyOf(repair->kept);
  result.accuracy = recordOf(*repair);
  result.cache = cache;
  return Error::success();
}

Error driver::meetBudget(CompileOptions &options, const AccuracySettings &settings,
                         double deadline) {
  CompileOptions source = onOneRank(options);
  return BudgetSearch(source, *settings.budget, deadline).run(options);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void driver::printAccuracy(raw_ostream &os, const AccuracyBudget &budget,
                           const AccuracyRecord &record) {
  auto describe = [&](double value) { return budget.describe(budget.lossOf(value)); };
  os << "  accuracy " << describe(record.measured) << " (" << record.budget << ") on "
     << record.samples << '\n';
  if (record.blames.empty())
    return;
  size_t kept = 0, all = 0;
  for (const AccuracyRecord::Blame &entry : record.blames) {
    all += entry.nodes.size();
    kept += entry.kept ? entry.nodes.size() : 0;
  }
  os << "           " << kept << " of " << all
     << " products in f32: " << describe(record.quantized) << " without, "
     << describe(record.predicted) << " predicted by their blame\n";
}

Error driver::writePolicy(const std::string &path, const PrecisionPolicy &policy) {
  json::Array rules;
  for (const PrecisionRule &rule : policy.rules)
    rules.push_back(json::Object{{"nodes", rule.nodes}, {"precision", rule.precision}});
  json::Object object{{"precision", policy.precision}, {"rules", std::move(rules)}};
  if (!policy.cache.empty())
    object["cache"] = policy.cache;
  if (!policy.activations.empty())
    object["activations"] = policy.activations;
  if (!policy.range.empty())
    object["range"] = policy.range;
  json::Value value(std::move(object));
  std::error_code error;
  raw_fd_ostream os(path, error);
  if (!error) {
    os << formatv("{0:2}", value) << '\n';
    os.close();
    error = os.error();
    os.clear_error();
  }
  if (error)
    return makeError({ErrorCode::OutputNotWritable, path, "the policy cannot be written",
                      "a file that can be written", error.message(),
                      "check the path of --policy-out"});
  return Error::success();
}
