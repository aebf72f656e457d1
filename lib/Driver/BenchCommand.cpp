//===- BenchCommand.cpp - kiln bench --------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "DecoderBench.h"
#include "SessionOptions.h"
#include "kiln/Execution/Ledger.h"
#include "kiln/Execution/OutputSet.h"
#include "kiln/Execution/Samples.h"
#include "kiln/Execution/States.h"
#include "kiln/Support/Clock.h"
#include "kiln/Support/NameList.h"
#include "kiln/Tuning/Variants.h"
#include "lib/Driver/Support/Progress.h"
#include "lib/Driver/Support/Values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <sched.h>

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::tuning;
using namespace kiln::execution;
using namespace llvm;

namespace {
struct BenchSettings {
  std::string package;
  InputSettings inputs{"kiln bench", {}, {}, 0};
  SessionSettings session;
  uint64_t iterations = 0; ///< 0: as many as fit into the duration
  double duration = 2, warmUp = 0.3;
  bool profile = false, json = false;
  uint64_t prompt = 0, generated = 0; ///< numbers of tokens, for a decoder
};

struct StepTime {
  const kiln_step_info *info;
  kiln_step_cost cost;
  double seconds; ///< median
  kiln_step_launch launch;
  std::optional<LedgerEntry> ledger; ///< set on a GPU with known limits
  /// Kernel or variant that ran for the benchmark's dims, and its config.
  std::string code = {}, config = {};
};

/// Device of the run; a copy of kiln_device_info that outlives the session.
struct DeviceText {
  std::string name, gpu, target;
  bool isGpu = false, simulated = false;
  uint32_t multiprocessors = 0;
};

struct Result {
  double loadSeconds = 0, firstSeconds = 0;
  size_t ranks = 1;
  uint32_t threads = 0; ///< of all ranks
  DeviceText device;
  std::vector<double> seconds;
  std::vector<StepTime> steps;
  std::vector<std::string> warnings;
};

/// The benchmarked model, with its session and output tensors.
struct Bench {
  kiln_model *model;
  Runner runner;
  OutputSet outputs;
};
} // namespace

static Expected<OptionTable::Outcome> parseBench(Arguments arguments,
                                                 BenchSettings &settings) {
  std::optional<double> duration, warmUp;
  OptionTable table("bench", "M.kiln [options]", "measure a package on random inputs");
  table.positional("M.kiln", "the package", settings.package);
  declareSessionOptions(table, settings.session, settings.inputs);
  declareRanks(table, settings.session);
  declareTimeout(table, settings.session);
  table.number("iterations", "N", "measure exactly N runs", 1, 1000000000,
               settings.iterations);
  table.real("duration", "SECONDS", "measure for so long, at least 10 runs (default 2)",
             duration, "2");
  table.real("warm-up", "SECONDS", "run for so long before measuring (default 0.3)",
             warmUp, "0.3");
  table.flag("profile", "also time every step; always on a GPU", settings.profile);
  table.number("prompt", "N", "of a decoder: measure prompts of N tokens", 1, 1 << 24,
               settings.prompt);
  table.number("gen", "N", "and N steps of one token each behind them", 1, 1 << 24,
               settings.generated);
  table.flag("json", "print JSON", settings.json);
  table.epilog("On a GPU the table is a ledger: the roofline of a step is the larger of "
               "its bytes\n"
               "over the memory's bandwidth and its FLOPs over the rate of the units it "
               "uses, from\n"
               "the data sheet; the share is what of it was achieved, and why says what "
               "limits it.\n"
               "On sim nothing is measured: one run, with the times of the simulated "
               "GPU's model.\n"
               "Of several ranks the steps are those of rank 0; at a collective it waits "
               "for the others.\n");
  Expected<OptionTable::Outcome> outcome = table.parse(arguments);
  settings.duration = duration.value_or(settings.duration);
  settings.warmUp = warmUp.value_or(settings.warmUp);
  return outcome;
}

static Expected<Bench> makeBench(kiln_model *model, const InputSet &inputs,
                                 const BenchSettings &settings, bool profile) {
  std::vector<kiln_dim_range> ranges = settings.session.ranges(model, inputs);
  kiln_session_options options = settings.session.options(ranges);
  options.profile = profile;
  Expected<Runner> runner = Runner::create(model, settings.session, options);
  if (!runner)
    return runner.takeError();
  Expected<OutputSet> outputs =
      OutputSet::create(model, runner->session(), inputs.tensors());
  if (!outputs)
    return outputs.takeError();
  for (kiln_session *rank : runner->localRanks())
    if (Error error = fillStates(model, rank, inputs, settings.inputs.seed))
      return error;
  return Bench{model, std::move(*runner), std::move(*outputs)};
}

/// Runs `count` times or, if it is 0, for `seconds` and at least 10 times.
static Error measure(const Bench &bench, const InputSet &inputs, uint64_t count,
                     double seconds, function_ref<void(double)> record) {
  double end = now() + seconds;
  for (uint64_t i = 0;; ++i) {
    Expected<bool> goesOn = bench.runner.agree(count ? i < count : i < 10 || now() < end);
    if (!goesOn || !*goesOn)
      return goesOn.takeError();
    for (kiln_session *rank : bench.runner.localRanks())
      KILN_CHECK(fillLengths(bench.model, rank, inputs));
    double begin = now();
    KILN_CHECK(runOnce(bench.runner, inputs, bench.outputs));
    record(now() - begin);
  }
}

static Error warmUp(const Bench &bench, const InputSet &inputs,
                    const BenchSettings &settings, double &first) {
  return measure(bench, inputs, 0, settings.warmUp, [&](double seconds) {
    if (!first)
      first = seconds;
  });
}

static Error addLedger(kiln_model *model, kiln_session *session, Result &result) {
  const DeviceText &device = result.device;
  const GpuLimits *limits = findGpuLimits(device.gpu);
  for (auto [i, step] : enumerate(result.steps)) {
    KILN_CHECK(toError(kiln_session_step_launch(session, i, &step.launch)));
    step.cost = costOn(step.launch, step.cost);
    step.code = step.launch.code ? step.launch.code : step.info->kernel;
    step.config =
        step.launch.code ? configOf(model, step.code, device.target) : step.info->config;
    if (device.isGpu && limits)
      step.ledger = judge(*limits, step.cost, step.launch, device.multiprocessors,
                          arithmeticOf(ptxOf(model, step.code, device.target)));
  }
  return Error::success();
}

static void describeDevice(const Runner &runner, Result &result) {
  const kiln_device_info &info = *kiln_session_device(runner.session());
  result.device = {info.name,           info.gpu,
                   info.target,         info.ordinal >= 0,
                   info.simulated != 0, info.multiprocessors};
  result.ranks = runner.rankCount();
  result.threads = runner.threads();
}

static Error profileSteps(kiln_model *model, const InputSet &inputs,
                          const BenchSettings &settings, Result &result) {
  Expected<Bench> bench = makeBench(model, inputs, settings, /*profile=*/true);
  if (!bench)
    return bench.takeError();
  describeDevice(bench->runner, result);
  double ignored = 0;
  bool simulated = result.device.simulated; // simulated time is the same in every run
  if (!simulated)
    KILN_CHECK(warmUp(*bench, inputs, settings, ignored));
  std::vector<std::vector<double>> times(kiln_model_step_count(model));
  KILN_CHECK(measure(*bench, inputs, simulated ? 1 : settings.iterations,
                     settings.duration / 2, [&](double) {
                       const uint64_t *nanoseconds =
                           kiln_session_step_times(bench->runner.session());
                       for (size_t i = 0; i < times.size(); ++i)
                         times[i].push_back(static_cast<double>(nanoseconds[i]) * 1e-9);
                     }));
  std::vector<int64_t> symbols = inputs.symbolList(model);
  for (size_t i = 0; i < times.size(); ++i) {
    StepTime step{kiln_model_step(model, i), {}, Samples(times[i]).median(), {}, {}};
    KILN_CHECK(toError(kiln_model_step_cost(model, i, symbols.data(), &step.cost)));
    result.steps.push_back(step);
  }
  return addLedger(model, bench->runner.session(), result);
}

static double totalOf(ArrayRef<StepTime> steps) {
  double total = 0;
  for (const StepTime &step : steps)
    total += step.seconds;
  return total;
}

//===----------------------------------------------------------------------===//
// Warnings that explain the numbers
//===----------------------------------------------------------------------===//

static unsigned usableCpus() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof(set), &set) == 0
             ? static_cast<unsigned>(CPU_COUNT(&set))
             : 0;
}

static std::string percent(double part) {
  std::string text;
  raw_string_ostream(text) << format("%.0f %%", part * 100);
  return text;
}

/// Adds warnings about the device. On sim, others would describe the machine that
/// simulates.
static void explainDevice(Result &result) {
  const DeviceText &device = result.device;
  if (device.simulated)
    result.warnings.push_back("nothing was measured: times are those of the model of the "
                              "simulated GPU");
  if (device.isGpu && !findGpuLimits(device.gpu))
    result.warnings.push_back("the limits of a " + device.gpu +
                              " are not known here: no rooflines");
}

static void explainRanks(Result &result) {
  if (unsigned cpus = usableCpus(); cpus && cpus < result.threads)
    result.warnings.push_back(
        (Twine(result.ranks) + " ranks have " + Twine(cpus) + " CPUs: they take turns")
            .str());
}

static void explain(const BenchSettings &settings, Result &result) {
  explainDevice(result);
  if (result.device.simulated)
    return;
  Samples samples(result.seconds);
  auto warn = [&](const Twine &text) { result.warnings.push_back(text.str()); };
  if (samples.variation() > 0.1)
    warn("times are unstable (CV = " + percent(samples.variation()) +
         "): other work on this machine, or a CPU that changes its clock; compare "
         "medians and "
         "minima only");
  if (samples.median() > 1.3 * samples.min())
    warn("the median is " + percent(samples.median() / samples.min() - 1) +
         " above the minimum: the machine was busy most of the time");
  if (samples.count() < 30)
    warn("only " + Twine(samples.count()) +
         " runs: p90 and p99 say little; raise --duration");
  if (result.ranks > 1)
    return explainRanks(result);
  if (result.threads < settings.session.threads)
    warn("asked for " + Twine(settings.session.threads) + " threads, runs with " +
         Twine(result.threads) + ": affinity and cgroup quota allow no more");
  if (unsigned cpus = usableCpus();
      cpus && result.threads < cpus && !settings.session.threads)
    warn("a cgroup quota leaves " + Twine(result.threads) + " of " + Twine(cpus) +
         " CPUs");
  double sum = totalOf(result.steps);
  if (!result.steps.empty() && sum < 0.8 * samples.median())
    warn("the steps account for " + percent(sum / samples.median()) +
         " of a run only: the rest is the start and end of runs and threads");
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

static std::vector<std::string> nodesOf(const kiln_step_info &info) {
  return std::vector<std::string>(info.nodes, info.nodes + info.node_count);
}

static json::Value stepJson(const StepTime &step, double total) {
  json::Object object{{"kernel", step.info->kernel},
                      {"hero", step.info->hero},
                      {"code", step.code},
                      {"config", step.config},
                      {"nodes", json::Array(nodesOf(*step.info))},
                      {"tasks", step.cost.tasks},
                      {"bytes", step.cost.bytes},
                      {"flops", step.cost.flops},
                      {"median_seconds", step.seconds},
                      {"share", total > 0 ? step.seconds / total : 0}};
  if (step.launch.threads) {
    object["threads_per_block"] = step.launch.threads;
    object["shared_bytes"] = step.launch.shared_bytes;
    object["blocks_per_multiprocessor"] = step.launch.blocks_per_multiprocessor;
  }
  if (step.ledger)
    object["roofline"] = json::Object{{"memory_seconds", step.ledger->memorySeconds},
                                      {"compute_seconds", step.ledger->computeSeconds},
                                      {"arithmetic", nameOf(step.ledger->arithmetic)},
                                      {"achieved", step.ledger->share(step.seconds)},
                                      {"waves", step.ledger->waves},
                                      {"why", step.ledger->why}};
  return object;
}

static json::Object deviceJson(const DeviceText &device) {
  json::Object object{{"name", device.name}, {"target", device.target}};
  if (!device.isGpu)
    return object;
  object["gpu"] = device.gpu;
  object["multiprocessors"] = device.multiprocessors;
  object["simulated"] = device.simulated;
  if (const GpuLimits *limits = findGpuLimits(device.gpu))
    object["limits"] = json::Object{{"bytes_per_second", limits->bytes},
                                    {"f32_flops_per_second", limits->f32},
                                    {"tf32_flops_per_second", limits->tf32},
                                    {"half_flops_per_second", limits->half},
                                    {"launch_seconds", launchSeconds}};
  return object;
}

static void printJson(const BenchSettings &settings, const InputSet &inputs,
                      const Result &result) {
  Samples samples(result.seconds);
  json::Object dims;
  for (const auto &[name, value] : inputs.symbols())
    dims[name] = value;
  json::Array steps;
  for (const StepTime &step : result.steps)
    steps.push_back(stepJson(step, totalOf(result.steps)));
  json::Object seconds{{"median", samples.median()},
                       {"mean", samples.mean()},
                       {"min", samples.min()},
                       {"max", samples.max()},
                       {"p90", samples.percentile(90)},
                       {"p99", samples.percentile(99)},
                       {"variation", samples.variation()}};
  json::Object object{{"package", settings.package},
                      {"dims", std::move(dims)},
                      {"device", deviceJson(result.device)},
                      {"ranks", result.ranks},
                      {"threads", result.threads},
                      {"runs", samples.count()},
                      {"load_seconds", result.loadSeconds},
                      {"first_run_seconds", result.firstSeconds},
                      {"seconds", std::move(seconds)},
                      {"steps", std::move(steps)},
                      {"warnings", json::Array(result.warnings)}};
  outs() << formatv("{0:2}", json::Value(std::move(object))) << '\n';
}

static std::string rate(double count, double seconds) {
  std::string text;
  raw_string_ostream(text) << format("%.1f", seconds > 0 ? count / seconds * 1e-9 : 0.0);
  return text;
}

/// Names of ONNX nodes are long; the first few suffice to find the place.
static constexpr size_t kShownNodes = 3;

static void printLedger(ArrayRef<StepTime> steps) {
  double total = totalOf(steps), bound = 0;
  Table table({"step", "kernel", "time", "share", "bytes", "FLOPs", "units", "roofline",
               "achieved", "why", "ONNX nodes"},
              {true, false, true, true, true, true, false, true, true, false, false});
  for (auto [i, step] : enumerate(steps)) {
    const LedgerEntry &entry = *step.ledger;
    bound += entry.bound();
    table.add({std::to_string(i), step.code, formatSeconds(step.seconds),
               percent(total > 0 ? step.seconds / total : 0),
               formatCount(static_cast<double>(step.cost.bytes)),
               formatCount(static_cast<double>(step.cost.flops)),
               nameOf(entry.arithmetic).str(), formatSeconds(entry.bound()),
               percent(entry.share(step.seconds)), entry.why,
               shortened(nodesOf(*step.info), kShownNodes)});
  }
  table.print(text());
  text() << "  all steps  " << formatSeconds(total) << ", rooflines "
         << formatSeconds(bound) << ", achieved "
         << percent(total > 0 ? bound / total : 0) << '\n';
}

static void printSteps(ArrayRef<StepTime> steps) {
  double total = totalOf(steps);
  Table table({"step", "kernel", "hero", "time", "share", "bytes", "GB/s", "FLOPs",
               "GFLOP/s", "ONNX nodes"},
              {true, false, false, true, true, true, true, true, true});
  for (auto [i, step] : enumerate(steps)) {
    auto bytes = static_cast<double>(step.cost.bytes),
         flops = static_cast<double>(step.cost.flops);
    table.add({std::to_string(i), step.code, step.info->hero, formatSeconds(step.seconds),
               percent(total > 0 ? step.seconds / total : 0), formatCount(bytes),
               rate(bytes, step.seconds), formatCount(flops), rate(flops, step.seconds),
               shortened(nodesOf(*step.info), kShownNodes)});
  }
  table.print(text());
}

static void printDevice(const DeviceText &device) {
  text() << "  device     " << device.name;
  if (device.isGpu)
    text() << ": " << device.gpu << ", code for " << device.target;
  text() << '\n';
  const GpuLimits *limits = findGpuLimits(device.gpu);
  if (!device.isGpu || !limits)
    return;
  text() << "  limits     " << format("%.0f", limits->bytes * 1e-9) << " GB/s, f32 "
         << format("%.1f", limits->f32 * 1e-12) << ", tf32 "
         << format("%.1f", limits->tf32 * 1e-12) << ", f16/bf16 "
         << format("%.1f", limits->half * 1e-12) << " TFLOP/s, launch "
         << formatSeconds(launchSeconds) << '\n';
}

static void printTimes(const BenchSettings &settings, const Result &result) {
  raw_ostream &os = text();
  Samples samples(result.seconds);
  if (result.device.simulated) {
    os << "  modelled   " << formatSeconds(samples.median())
       << " for the steps one after the other\n";
    return;
  }
  os << "  load       " << formatSeconds(result.loadSeconds) << ", first run "
     << formatSeconds(result.firstSeconds) << '\n';
  os << "  runs       " << samples.count() << " after a warm-up of "
     << formatSeconds(settings.warmUp) << '\n';
  os << "  latency    median " << formatSeconds(samples.median()) << ", min "
     << formatSeconds(samples.min()) << ", mean " << formatSeconds(samples.mean())
     << ", p90 " << formatSeconds(samples.percentile(90)) << ", p99 "
     << formatSeconds(samples.percentile(99)) << ", max " << formatSeconds(samples.max())
     << '\n';
  os << "  throughput " << format("%.1f", 1 / samples.median()) << " runs/s\n";
}

static void printText(const BenchSettings &settings, const InputSet &inputs,
                      const Result &result) {
  raw_ostream &os = text();
  os << "=== Performance summary: " << withoutControls(settings.package) << " ===\n";
  os << "  dims       ";
  for (const auto &[name, value] : inputs.symbols())
    os << withoutControls(name) << '=' << value << ' ';
  os << (inputs.symbols().empty() ? "all fixed\n" : "\n");
  printDevice(result.device);
  if (!result.device.isGpu)
    os << "  threads    " << result.threads
       << (result.ranks > 1 ? " of " + std::to_string(result.ranks) + " ranks\n" : "\n");
  printTimes(settings, result);
  if (!result.steps.empty())
    (result.steps[0].ledger ? printLedger : printSteps)(result.steps);
  for (const std::string &warning : result.warnings)
    os << "warning: " << warning << '\n';
}

/// Measures entire runs, then single steps if requested. On a simulated GPU only steps,
/// as nothing else has times.
static Error measureAll(kiln_model *model, const InputSet &inputs,
                        const BenchSettings &settings, Result &result) {
  Expected<Bench> bench = makeBench(model, inputs, settings, /*profile=*/false);
  if (!bench)
    return bench.takeError();
  describeDevice(bench->runner, result);
  bool simulated = result.device.simulated;
  Progress progress(/*always=*/false);
  progress.begin("measuring");
  if (!simulated) {
    KILN_CHECK(warmUp(*bench, inputs, settings, result.firstSeconds));
    KILN_CHECK(measure(*bench, inputs, settings.iterations, settings.duration,
                       [&](double seconds) { result.seconds.push_back(seconds); }));
  }
  if (settings.profile || result.device.isGpu) {
    progress.begin("profiling");
    KILN_CHECK(profileSteps(model, inputs, settings, result));
  }
  if (simulated)
    result.seconds = {totalOf(result.steps)};
  return Error::success();
}

/// Measures a decoder by rounds of a prompt and decode steps. Refuses options that apply
/// only to single runs.
static Error benchPrompt(const BenchSettings &settings) {
  if (!settings.prompt || !settings.generated)
    return usageError("kiln bench", "a decoder is measured with a prompt and steps",
                      "--prompt N --gen N", settings.prompt ? "--prompt" : "--gen",
                      "give both");
  if (!settings.inputs.dims.empty() || !settings.inputs.files.empty() ||
      settings.iterations || settings.profile || !settings.session.entry.empty())
    return usageError("kiln bench: --prompt", "measures rounds and not runs of one entry",
                      "no --dims, --input, --iterations, --profile, --entry", "one",
                      "leave it out, or measure one entry with --entry");
  return benchDecoder({settings.package, settings.session, settings.prompt,
                       settings.generated, settings.duration, settings.inputs.seed,
                       settings.json});
}

static Expected<int> bench(BenchSettings &settings) {
  if (settings.prompt || settings.generated) {
    KILN_CHECK(benchPrompt(settings));
    return 0;
  }
  Result result;
  double begin = now();
  kiln_model_options options = settings.session.modelOptions();
  Expected<Model> model = loadModel(settings.package, options, settings.session.entry);
  if (!model)
    return model.takeError();
  result.loadSeconds = now() - begin;
  Expected<InputSet> inputs = InputSet::create(model->get(), settings.inputs);
  if (!inputs)
    return inputs.takeError();
  KILN_CHECK(measureAll(model->get(), *inputs, settings, result));
  explain(settings, result);
  (settings.json ? printJson : printText)(settings, *inputs, result);
  return 0;
}

int driver::runBench(Arguments arguments) {
  return runCommand(arguments, parseBench, bench);
}
