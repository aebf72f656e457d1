//===- Accuracy.cpp - Policies that meet a budget -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Quantization/Accuracy.h"
#include "AccuracyMeter.h"
#include "BudgetSearch.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Execution/SessionSettings.h"
#include "kiln/Support/Clock.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/OutputFiles.h"
#include "kiln/Support/UsageError.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::quantization;
using namespace llvm;

//===----------------------------------------------------------------------===//
// The model, compiled for this machine
//===----------------------------------------------------------------------===//

namespace {
class CompiledTrials final : public TrialModel {
public:
  CompiledTrials(const CompileOptions &options, const AccuracyBudget &budget)
      : options(options), budget(budget), cache(std::make_shared<CompileCache>()) {}
  /// Compiles the model in full precision and opens the meter with it.
  Error open();

  Expected<double> loss(const PrecisionPolicy &policy, bool quick,
                        CompileReport &report) override;
  bool hasQuick() const override { return meter->hasQuick(); }
  std::string samples() const override { return meter->samples(); }
  std::shared_ptr<CompileCache> takeCache() { return std::move(cache); }

private:
  Error choosePath();
  Expected<Model> build(const PrecisionPolicy &policy, CompileReport &report);

  const CompileOptions &options;
  const AccuracyBudget &budget;
  std::shared_ptr<CompileCache> cache;
  SmallString<128> path; ///< path of the measured packages
  std::unique_ptr<AccuracyMeter> meter;
};
} // namespace

Error CompiledTrials::choosePath() {
  if (std::error_code error =
          sys::fs::getPotentiallyUniqueTempFileName("kiln-accuracy", "kiln", path))
    return makeError({ErrorCode::OutputNotWritable, "--accuracy",
                      "a package cannot be written for measuring", "a temporary folder",
                      error.message(), "set TMPDIR to a folder with room"});
  return checkOutput(path);
}

/// Builds a package under a temporary name and removes the file as soon as it is mapped.
Expected<Model> CompiledTrials::build(const PrecisionPolicy &policy,
                                      CompileReport &report) {
  CompileOptions own = options;
  own.output = std::string(path);
  own.targets.names = {"native"};
  own.precision = policy;
  own.saveTemps.clear();
  own.targets.cubin = own.verifyEach = false;
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

Error CompiledTrials::open() {
  KILN_CHECK(choosePath());
  if (options.progress)
    options.progress("accuracy: full precision");
  CompileReport report;
  Expected<Model> full = build(PrecisionPolicy(), report);
  if (!full)
    return full.takeError();
  return AccuracyMeter::create(budget, budget.samples, options.threads, std::move(*full))
      .moveInto(meter);
}

Expected<double> CompiledTrials::loss(const PrecisionPolicy &policy, bool quick,
                                      CompileReport &report) {
  Expected<Model> model = build(policy, report);
  if (!model)
    return model.takeError();
  return meter->loss(std::move(*model), quick);
}

//===----------------------------------------------------------------------===//
// Budgets and policies
//===----------------------------------------------------------------------===//

Error quantization::meetBudget(CompileOptions &options, const AccuracySettings &settings,
                               double deadline) {
  CompileOptions source = onOneRank(options);
  CompiledTrials trials(source, *settings.budget);
  KILN_CHECK(trials.open());
  Expected<BudgetResult> found =
      searchBudget(trials, source.precision, *settings.budget,
                   {deadline, now, settings.isInterrupted, source.progress});
  if (!found)
    return found.takeError();
  options.precision = std::move(found->policy);
  options.accuracy = std::move(found->record);
  options.cache = trials.takeCache();
  return Error::success();
}

Error quantization::writePolicy(const std::string &path, const PrecisionPolicy &policy) {
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
