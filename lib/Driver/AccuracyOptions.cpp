//===- AccuracyOptions.cpp - kiln compile --accuracy ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccuracyOptions.h"
#include "kiln/Support/OutputFiles.h"
#include "kiln/Support/UsageError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::execution;
using namespace kiln::quantization;
using namespace llvm;

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
  if (all_of(options.targets.names,
             [&](const std::string &t) { return is_contained(gpus, t); }))
    return usageError("kiln compile: --accuracy", "is measured on this machine's CPU",
                      "a target that is a CPU", join(options.targets.names, ","),
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
