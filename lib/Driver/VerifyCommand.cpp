//===- VerifyCommand.cpp - kiln verify ------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "SessionOptions.h"
#include "kiln/ErrorCodes/Inputs.h"
#include "kiln/Execution/Compare.h"
#include "kiln/Execution/Numbers.h"
#include "kiln/Execution/OutputSet.h"
#include "kiln/Execution/Provenance.h"
#include "kiln/Execution/Runner.h"
#include "kiln/Execution/States.h"
#include "kiln/Tuning/KernelCheck.h"
#include "kiln/Tuning/Variants.h"
#include "kiln/group.h"
#include "lib/Driver/Support/Progress.h"
#include "lib/Driver/Support/Values.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::tuning;
using namespace kiln::execution;
using namespace llvm;

namespace {
struct VerifySettings {
  std::string package, model;
  InputSettings inputs{"kiln verify", {}, {}, 0};
  SessionSettings session;
  std::optional<double> tolerance;
  bool onlyTheseDims = false;
};
} // namespace

static Expected<OptionTable::Outcome> parseVerify(Arguments arguments,
                                                  VerifySettings &settings) {
  OptionTable table("verify", "M.kiln [--model M.onnx] [options]",
                    "check every kernel of a package against the reference");
  table.positional("M.kiln", "the package", settings.package);
  table.text("model", "M.onnx", "also check the outputs against this whole model",
             settings.model);
  declareSessionOptions(table, settings.session, settings.inputs);
  declareRanks(table, settings.session);
  table.real("tolerance", "X",
             "instead of those by type (f32 2e-5, f16 2e-3, bf16 1.6e-2)",
             settings.tolerance, "1e-4");
  table.flag("only-these-dims", "check no kernels but those that the dims at hand run",
             settings.onlyTheseDims);
  table.epilog(
      "Each kernel is evaluated in double precision on the operands it got in a run.\n"
      "The error of an element is |y - r| / max(|r|, root mean square of r), beyond "
      "what\n"
      "rounding the operands may move it. With --model the root mean square of y - r "
      "may\n"
      "be 1e-4 of that of r (f32): errors of all kernels add up.\n"
      "Packages of --precision tf32 and f16: by 1e-2, of bf16 and int8: by 1e-1,\n"
      "of 4-bit weights: by 5e-1.\n"
      "A model with a mask among its inputs runs again with masks that hide one half of "
      "a\n"
      "row, the other, all and every other element, unless --only-these-dims or an "
      "input\n"
      "is given.\n"
      "Where a GPU has kernels for skinny GEMMs, further runs on random inputs follow,\n"
      "until each has run at the edge of its bound, unless --only-these-dims is "
      "given.\n");
  return table.parse(arguments);
}

static std::string number(double value) {
  std::string text;
  raw_string_ostream(text) << format("%.3g", value);
  return text;
}

namespace {
/// All launches of one kernel.
struct KernelRow {
  std::string hero, node;
  unsigned count = 0;
  double error = 0, tolerance = 0;
  bool passed = true;

  void add(const kiln_step_info &info, const KernelCheck::StepResult &result) {
    // Shows the node with the largest error.
    if (!count++ || result.error > error) {
      hero = info.hero;
      node = info.node_count ? info.nodes[0] : "";
      error = result.error;
      tolerance = result.tolerance;
    }
    passed &= result.passed;
  }
};
} // namespace

/// One check for each rank.
using Checks = std::vector<std::unique_ptr<KernelCheck>>;

/// codes: names of the code that ran, by step.
static bool printKernels(kiln_model *model, const Checks &checks,
                         ArrayRef<std::string> codes) {
  MapVector<StringRef, KernelRow> rows;
  size_t launches = 0;
  for (const std::unique_ptr<KernelCheck> &check : checks) {
    launches += check->results().size();
    for (const KernelCheck::StepResult &result : check->results())
      rows[codes[result.step]].add(*kiln_model_step(model, result.step), result);
  }
  Table table({"kernel", "hero", "count", "max error", "tolerance", "result", "worst at"},
              {false, false, true, true, true});
  bool passed = true;
  for (const auto &[name, row] : rows) {
    table.add({name.str(), row.hero, std::to_string(row.count), number(row.error),
               number(row.tolerance), row.passed ? "PASSED" : "FAILED", row.node});
    passed &= row.passed;
  }
  table.print(text());
  text() << launches << " launches of " << rows.size() << " kernels checked"
         << (checks.size() > 1 ? ", on all ranks" : "") << '\n';
  return passed;
}

/// Returns the ranges that the package was compiled for, including fixed dims.
static std::vector<DimRange> envelopeOf(kiln_model *model) {
  std::vector<DimRange> dims;
  json::Object provenance = provenanceOf(model);
  const json::Array *ranges = provenance.getArray("dims");
  for (const json::Value &value : ranges ? *ranges : json::Array())
    if (const json::Object *range = value.getAsObject())
      dims.push_back({range->getString("name").value_or("").str(),
                      range->getInteger("lo").value_or(0),
                      range->getInteger("hi").value_or(0)});
  return dims;
}

static Expected<bool> checkModel(kiln_model *model, const VerifySettings &settings,
                                 const InputSet &inputs, const OutputSet &outputs) {
  std::map<std::string, TensorBytes> bytes;
  for (const kiln_tensor &tensor : inputs.tensors())
    bytes[tensor.name] = TensorBytes(static_cast<const char *>(tensor.data), tensor.size);
  auto expected =
      evaluateModel(settings.model, envelopeOf(model), bytes, inputs.symbols());
  if (!expected)
    return expected.takeError();
  Table table({"output", "rms error", "tolerance", "result"}, {false, true, true});
  bool passed = true;
  for (const TensorBuffer &buffer : outputs.buffers()) {
    const OracleTensor &tensor = (*expected)[buffer.getName()];
    if (ArrayRef(tensor.shape) != buffer.getShape())
      return makeError({ErrorCode::DimMismatch, "output '" + buffer.getName() + "'",
                        "model and package do not match",
                        typeText(buffer.getDType(), buffer.getShape()),
                        tensor.dtype.empty() ? "no such output"
                                             : typeText(buffer.getDType(), tensor.shape),
                        "verify with the model that was compiled"});
    double distance = relativeRms(
        buffer.getDType(), buffer.elements(),
        [&](uint64_t i) { return readElement(buffer.getDType(), buffer.data(), i); },
        [&](uint64_t i) { return tensor.values[i]; });
    double allowed = settings.tolerance.value_or(
        defaultTolerance(buffer.getDType(), precisionsOf(model)));
    bool good = distance <= allowed;
    table.add({buffer.getName(), number(distance), number(allowed),
               good ? "PASSED" : "FAILED"});
    passed &= good;
  }
  table.print(text());
  return passed;
}

/// Results of one run.
struct Run {
  OutputSet outputs;
  std::string target;             ///< target of the package
  std::vector<std::string> codes; ///< names of the code that ran, by step
};

static Error runChecked(kiln_model *model, const VerifySettings &settings,
                        const InputSet &inputs, const Checks &checks, Run &run) {
  std::vector<kiln_dim_range> ranges = settings.session.ranges(model, inputs);
  kiln_session_options options = settings.session.options(ranges);
  Expected<Runner> runner = Runner::create(
      model, settings.session, options,
      [&](uint32_t rank, size_t step, bool after, ArrayRef<kiln_buffer_view> reads,
          ArrayRef<kiln_buffer_view> writes) {
        KernelCheck::observe(checks[rank].get(), step, after, reads.data(), reads.size(),
                             writes.data(), writes.size());
      });
  if (!runner)
    return runner.takeError();
  Expected<OutputSet> created =
      OutputSet::create(model, runner->session(), inputs.tensors());
  if (!created)
    return created.takeError();
  run.outputs = std::move(*created);
  for (kiln_session *session : runner->localRanks())
    KILN_CHECK(fillStates(model, session, inputs, settings.inputs.seed));
  KILN_CHECK(runOnce(*runner, inputs, run.outputs));
  run.target = kiln_session_device(runner->session())->target;
  for (size_t i = 0; i < kiln_model_step_count(model); ++i) {
    kiln_step_launch launch;
    KILN_CHECK(toError(kiln_session_step_launch(runner->session(), i, &launch)));
    run.codes.push_back(launch.code ? launch.code : kiln_model_step(model, i)->kernel);
  }
  Error first = Error::success();
  for (const std::unique_ptr<KernelCheck> &check : checks) {
    Error error = check->takeError();
    if (first)
      consumeError(std::move(error));
    else
      first = std::move(error);
  }
  return first;
}

/// Runs once with all checks. target: set to that of the device.
static Expected<bool> verifyRun(kiln_model *model, const PackageGraph &graph,
                                const VerifySettings &settings, const InputSet &inputs,
                                std::string &target) {
  Checks checks;
  for (uint32_t rank = 0; rank < kiln_model_rank_count(model); ++rank)
    checks.push_back(std::make_unique<KernelCheck>(model, graph, inputs.symbols(),
                                                   settings.tolerance));
  if (Error error = checks.front()->checkMatch())
    return std::move(error);
  Progress progress(/*always=*/false);
  std::string total = std::to_string(kiln_model_step_count(model));
  for (const std::unique_ptr<KernelCheck> &check : checks)
    check->progress = [&](size_t step) {
      progress.begin("evaluating step " + std::to_string(step + 1) + " of " + total);
    };
  Run run;
  if (Error error = runChecked(model, settings, inputs, checks, run))
    return std::move(error);
  target = run.target;
  bool passed = printKernels(model, checks, run.codes);
  if (settings.model.empty())
    return passed;
  progress.begin("evaluating the whole model");
  Expected<bool> whole = checkModel(model, settings, inputs, run.outputs);
  if (!whole)
    return whole.takeError();
  return passed && *whole;
}

static void printDims(const SymbolValues &symbols) {
  for (const auto &[name, value] : symbols)
    text() << ' ' << withoutControls(name) << '=' << value;
}

/// Runs with further dims that execute the variants of kernels which the first run, at
/// `symbols`, did not.
static Expected<bool> verifyVariants(kiln_model *model, const PackageGraph &graph,
                                     const VerifySettings &settings, SymbolValues symbols,
                                     std::string target) {
  VariantCoverage coverage(model, target);
  bool passed = true;
  while (true) {
    if (Error error = coverage.run(symbols))
      return std::move(error);
    Expected<std::optional<SymbolValues>> next = coverage.next();
    if (!next)
      return next.takeError();
    if (!*next)
      break;
    symbols = **next;
    text() << "at";
    printDims(symbols);
    text() << ", which other kernels run:\n";
    InputSettings made = settings.inputs;
    made.files.clear();
    made.dims = symbols;
    Expected<InputSet> inputs = InputSet::create(model, made);
    if (!inputs)
      return inputs.takeError();
    Expected<bool> good = verifyRun(model, graph, settings, *inputs, target);
    if (!good)
      return good.takeError();
    passed &= *good;
  }
  for (const std::string &code : coverage.unreachable())
    text() << "no dims in the ranges of the package run " << code << '\n';
  return passed;
}

/// Sets a dim that is a symbol to `wish`, limited to its range, unless the user gave it.
static void chooseDim(kiln_model *model, const InputSettings &given, StringRef name,
                      int64_t wish, SymbolValues &dims) {
  for (size_t i = 0; i < kiln_model_symbol_count(model); ++i)
    if (const kiln_symbol_info &info = *kiln_model_symbol(model, i);
        info.name == name && !given.dims.count(info.name))
      dims[info.name] = std::clamp(wish, info.min, info.max);
}

/// Returns the inputs of a further run whose masks have patterns: for four sequences of
/// 16 tokens if the masks are over tokens and dims allow it, otherwise with the dims of
/// the first run; nullopt if the model has no mask or the user gave inputs.
static std::optional<InputSettings> patternedInputs(kiln_model *model,
                                                    const InputSettings &given,
                                                    const SymbolValues &first) {
  constexpr int64_t kSequences = 4, kTokens = 16;
  if (!given.files.empty())
    return std::nullopt;
  InputSettings made = given;
  made.masks = MadeUpMasks::Patterns;
  made.dims = first;
  bool hasMask = false;
  for (unsigned i = 0; i < inputCount(model); ++i) {
    const kiln_tensor_info &info = *kiln_model_input(model, i);
    if (!isMask(info.name))
      continue;
    hasMask = true;
    if (info.rank == 2) {
      chooseDim(model, given, info.dims[0].expr, kSequences, made.dims);
      chooseDim(model, given, info.dims[1].expr, kTokens, made.dims);
    }
  }
  return hasMask ? std::optional(std::move(made)) : std::nullopt;
}

/// Verifies rows that a mask hides in part or entirely: the constant that an export adds
/// to scores does not always hide them.
static Expected<bool> verifyMasks(kiln_model *model, const PackageGraph &graph,
                                  const VerifySettings &settings,
                                  const SymbolValues &first) {
  std::optional<InputSettings> made = patternedInputs(model, settings.inputs, first);
  if (!made)
    return true;
  Expected<InputSet> inputs = InputSet::create(model, *made);
  if (!inputs)
    return inputs.takeError();
  text() << "at";
  printDims(inputs->symbols());
  text() << ", with masks that hide one half, the other, all or every other element:\n";
  std::string target;
  return verifyRun(model, graph, settings, *inputs, target);
}

static bool hasDim(kiln_model *model, StringRef name) {
  for (size_t i = 0; i < kiln_model_symbol_count(model); ++i)
    if (kiln_model_symbol(model, i)->name == name)
      return true;
  return false;
}

/// Returns the settings without dims that only other entry points have.
static VerifySettings settingsOf(kiln_model *model, ArrayRef<kiln_model *> entries,
                                 const VerifySettings &settings) {
  VerifySettings own = settings;
  own.inputs.dims.clear();
  for (const auto &[name, value] : settings.inputs.dims) {
    bool isAnothers = any_of(entries, [&](kiln_model *e) { return hasDim(e, name); });
    if (hasDim(model, name) || !isAnothers)
      own.inputs.dims[name] = value;
  }
  return own;
}

/// Verifies one entry point of a model.
static Expected<bool> verifyEntry(kiln_model *model, const VerifySettings &settings) {
  Expected<PackageGraph> graph = graphOf(model);
  if (!graph)
    return graph.takeError();
  Expected<InputSet> inputs = InputSet::create(model, settings.inputs);
  if (!inputs)
    return inputs.takeError();
  std::string target;
  Expected<bool> first = verifyRun(model, *graph, settings, *inputs, target);
  if (!first)
    return first.takeError();
  Expected<bool> masks = settings.onlyTheseDims
                             ? Expected<bool>(true)
                             : verifyMasks(model, *graph, settings, inputs->symbols());
  if (!masks)
    return masks.takeError();
  Expected<bool> others =
      settings.onlyTheseDims
          ? Expected<bool>(true)
          : verifyVariants(model, *graph, settings, inputs->symbols(), target);
  if (!others)
    return others.takeError();
  return *first && *masks && *others;
}

/// Refuses inputs for several entry points, whose inputs and dims differ.
static Error checkSettings(const VerifySettings &settings,
                           ArrayRef<kiln_model *> entries) {
  if (entries.size() < 2 || (settings.inputs.files.empty() && settings.model.empty()))
    return Error::success();
  return usageError("kiln verify", "is for one entry, and the package has several",
                    "--entry NAME", settings.model.empty() ? "--input" : "--model",
                    "name the entry");
}

static Expected<int> verify(VerifySettings &settings) {
  kiln_model_options options = settings.session.modelOptions();
  Expected<Model> model = loadModel(settings.package, options, settings.session.entry);
  if (!model)
    return model.takeError();
  Expected<std::vector<kiln_model *>> entries =
      settings.session.entry.empty()
          ? entriesOf(model->get())
          : Expected<std::vector<kiln_model *>>(std::vector{model->get()});
  if (!entries)
    return entries.takeError();
  KILN_CHECK(checkSettings(settings, *entries));
  bool passed = true;
  for (kiln_model *entry : *entries) {
    if (entries->size() > 1)
      text() << "entry " << kiln_model_current_entry(entry) << '\n';
    Expected<bool> good = verifyEntry(entry, settingsOf(entry, *entries, settings));
    if (!good)
      return good.takeError();
    passed &= *good;
  }
  text() << (passed ? "PASSED\n" : "FAILED\n");
  return passed ? 0 : 1;
}

int driver::runVerify(Arguments arguments) {
  return runCommand(arguments, parseVerify, verify);
}
