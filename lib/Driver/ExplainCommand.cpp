//===- ExplainCommand.cpp - kiln explain ----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "kiln/Driver/Driver.h"
#include "kiln/Execution/Handles.h"
#include "kiln/Execution/Numbers.h"
#include "kiln/Execution/Provenance.h"
#include "kiln/Tuning/Variants.h"
#include "lib/Driver/Support/Report.h"
#include "lib/Driver/Support/Values.h"
#include "lib/Driver/Tables/PrecisionTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::tuning;
using namespace kiln::execution;
using namespace llvm;

namespace {
struct ExplainSettings {
  std::string package, kernel, target;
  bool json = false, accuracy = false;
};

/// A kernel of the package and the node in its graph that launches it first.
struct Kernel {
  std::string name, hero;
  kiln_model *entry;
  size_t index;
};

/// Code of a kernel for a target.
struct Code {
  std::string name, condition; ///< "batch*seq <= 8", or "" if there is only one
  std::string variant;         ///< suffix of the variant's name
};
} // namespace

static Expected<OptionTable::Outcome> parseExplain(Arguments arguments,
                                                   ExplainSettings &settings) {
  OptionTable table("explain", "M.kiln [options]",
                    "say which configs each kernel was chosen from");
  table.positional("M.kiln", "the package", settings.package);
  table.text("kernel", "NAME", "only this kernel", settings.kernel);
  table.text("target", "T", "only this target of the package", settings.target);
  table.flag("accuracy",
             "in place of kernels: what kiln compile --accuracy measured, and the blame\n"
             "of each product (what the loss falls by when it alone is f32)",
             settings.accuracy);
  table.flag("json", "print JSON", settings.json);
  table.epilog(
      "The best config of a list is its first, and the kernel's is marked: another one "
      "where\n"
      "--configs gave it. Where there is a model, the cost of each is printed and how "
      "much\n"
      "worse than the first it is; elsewhere the rule.\n"
      "A variant, which runs in place of a kernel at some dims, has a list of its own.\n"
      "The lists are made anew from the graph in the package, as kiln compile makes "
      "them.\n");
  return table.parse(arguments);
}

/// Returns the kernels of an entry point that are not in `seen`: entry points have
/// kernels in common.
static std::vector<Kernel> kernelsOf(kiln_model *model, StringSet<> &seen) {
  std::vector<Kernel> kernels;
  size_t index = 0;
  for (size_t i = 0; i < kiln_model_step_count(model); ++i) {
    const kiln_step_info &step = *kiln_model_step(model, i);
    if (!launchesKernel(step))
      continue;
    if (seen.insert(step.kernel).second)
      kernels.push_back({step.kernel, step.hero, model, index});
    ++index;
  }
  return kernels;
}

/// Returns the code for all launches first, then the variants.
static std::vector<Code> codesOf(kiln_model *model, const Kernel &kernel,
                                 StringRef target) {
  std::vector<Code> codes{{kernel.name, "", {}}};
  for (const KernelVariant &variant : variantsOf(model, target)) {
    if (kernel.name != kiln_model_kernel_name(model, variant.kernel))
      continue;
    if (variant.isOwn())
      codes.front().condition = variant.text;
    else
      codes.push_back({variant.code, variant.text, variant.suffix});
  }
  return codes;
}

static json::Object toJson(const Kernel &kernel, const Code &code, StringRef target,
                           const KernelChoices &choices, StringRef chosen) {
  json::Array candidates;
  for (const KernelChoices::Candidate &one : choices.candidates) {
    json::Object entry{{"config", one.config}, {"chosen", one.config == chosen}};
    if (one.cost)
      entry["cost"] = *one.cost;
    candidates.push_back(std::move(entry));
  }
  return json::Object{{"kernel", kernel.name},
                      {"key", choices.key},
                      {"code", code.name},
                      {"condition", code.condition},
                      {"hero", kernel.hero},
                      {"target", target},
                      {"criterion", choices.criterion},
                      {"candidates", std::move(candidates)}};
}

static void print(const Kernel &kernel, const Code &code, StringRef target,
                  const KernelChoices &choices, StringRef chosen) {
  text() << code.name << " (" << kernel.hero << ") on " << target
         << (code.condition.empty() ? "" : " where " + code.condition) << ": "
         << choices.criterion << "\nkey " << choices.key << '\n';
  Table table({"", "cost", "more", "config"}, {false, true, true});
  for (auto [i, one] : enumerate(choices.candidates)) {
    std::string cost, more;
    if (one.cost) {
      raw_string_ostream(cost) << format("%.0f", *one.cost);
      double first = choices.candidates.front().cost.value_or(0);
      if (i > 0 && first > 0)
        raw_string_ostream(more) << format("%+.1f %%", (*one.cost / first - 1) * 100);
    }
    table.add({one.config == chosen ? "chosen" : "", cost, more, one.config});
  }
  table.print(text());
}

/// Returns the code's config in the package. If the list of candidates lacks it, as
/// --configs may give others, it is appended.
static std::string chosenOf(kiln_model *model, const Code &code, StringRef target,
                            KernelChoices &choices) {
  const char *config = configOf(model, code.name, target);
  std::string chosen = config ? config : "";
  auto isChosen = [&](const KernelChoices::Candidate &one) {
    return one.config == chosen;
  };
  if (!chosen.empty() && none_of(choices.candidates, isChosen))
    choices.candidates.push_back({chosen, std::nullopt});
  return chosen;
}

static Error unknown(StringRef option, StringRef what, StringRef expected,
                     StringRef found) {
  return usageError("kiln explain: " + option, what, expected, "'" + found + "'",
                    "choose one of these");
}

static Expected<std::vector<std::string>> targetsOf(kiln_model *model, StringRef wanted) {
  std::vector<std::string> all, chosen;
  for (size_t i = 0; i < kiln_model_target_count(model); ++i)
    all.push_back(kiln_model_target(model, i)->name);
  for (const std::string &name : all)
    if (wanted.empty() || wanted == name)
      chosen.push_back(name);
  if (chosen.empty())
    return unknown("--target", "the package has no such target", join(all, ", "), wanted);
  return chosen;
}

/// Explains, for each target, the code for all launches and the variants.
static Error explainKernel(const PackageGraph &graph, const Kernel &kernel,
                           ArrayRef<std::string> targets, const ExplainSettings &settings,
                           json::Array &list) {
  for (const std::string &target : targets)
    for (const Code &code : codesOf(kernel.entry, kernel, target)) {
      Expected<KernelChoices> choices = graph.explain(kernel.index, target, code.variant);
      if (!choices)
        return choices.takeError();
      std::string chosen = chosenOf(kernel.entry, code, target, *choices);
      if (settings.json)
        list.push_back(toJson(kernel, code, target, *choices, chosen));
      else
        print(kernel, code, target, *choices, chosen);
    }
  return Error::success();
}

/// Prints the blames that the compile recorded in the package.
static Error explainAccuracy(const ExplainSettings &settings, kiln_model *model) {
  if (!settings.kernel.empty() || !settings.target.empty())
    return usageError(
        "kiln explain: --accuracy", "accuracy is of the model, not of a kernel or target",
        "--accuracy alone, or with --json",
        settings.kernel.empty() ? "--target" : "--kernel", "leave one of them out");
  json::Object provenance = provenanceOf(model);
  const json::Object *accuracy = provenance.getObject("accuracy");
  if (!accuracy)
    return usageError("kiln explain: --accuracy",
                      "the package was compiled without a budget",
                      "a package of kiln compile --accuracy", settings.package,
                      "compile the model with --accuracy");
  if (settings.json)
    outs() << formatv("{0:2}", json::Value(json::Object(*accuracy))) << '\n';
  else
    printAccuracyTable(outs(), *accuracy);
  return Error::success();
}

/// Mentions that --accuracy explains the accuracy, too.
static void referToAccuracy(kiln_model *model) {
  json::Object provenance = provenanceOf(model);
  if (const json::Object *accuracy = provenance.getObject("accuracy"))
    if (const json::Array *blames = accuracy->getArray("blames"))
      text() << "accuracy: kiln explain --accuracy prints what was measured"
             << (blames->empty() ? "\n"
                                 : ", and the blame of " +
                                       std::to_string(blames->size()) + " products\n");
}

static Expected<int> explain(ExplainSettings &settings) {
  kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
  options.inspect_only = 1;
  options.trust_weights = 1; // nothing is computed
  Expected<Model> model = loadModel(settings.package, options);
  if (!model)
    return model.takeError();
  if (settings.accuracy) {
    KILN_CHECK(explainAccuracy(settings, model->get()));
    return 0;
  }
  Expected<std::vector<std::string>> targets = targetsOf(model->get(), settings.target);
  if (!targets)
    return targets.takeError();
  Expected<std::vector<kiln_model *>> entries = entriesOf(model->get());
  if (!entries)
    return entries.takeError();
  json::Array list;
  StringSet<> seen;
  std::vector<std::string> names;
  for (kiln_model *entry : *entries) {
    Expected<PackageGraph> graph = graphOf(entry);
    if (!graph)
      return graph.takeError();
    for (const Kernel &kernel : kernelsOf(entry, seen)) {
      names.push_back(kernel.name);
      if (settings.kernel.empty() || settings.kernel == kernel.name)
        KILN_CHECK(explainKernel(*graph, kernel, *targets, settings, list));
    }
  }
  if (!settings.kernel.empty() && !is_contained(names, settings.kernel))
    return unknown("--kernel", "the package has no such kernel", join(names, ", "),
                   settings.kernel);
  if (settings.json)
    outs() << formatv("{0:2}", json::Value(std::move(list))) << '\n';
  else if (settings.kernel.empty())
    referToAccuracy(model->get());
  return 0;
}

int driver::runExplain(Arguments arguments) {
  return runCommand(arguments, parseExplain, explain);
}
