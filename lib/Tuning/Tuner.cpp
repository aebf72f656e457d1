//===- Tuner.cpp - Measurement of kernel configs --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Tuning/Tuner.h"
#include "kiln/Execution/Provenance.h"
#include "kiln/Execution/States.h"
#include "kiln/Execution/Status.h"
#include "kiln/Support/Clock.h"
#include "kiln/Support/OutputFiles.h"
#include "kiln/Support/UsageError.h"
#include "kiln/Tuning/KernelCheck.h"
#include "kiln/Tuning/Variants.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <limits>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::tuning;
using namespace llvm;

/// Minimum gain of a candidate to win, and to win again when all winners are measured
/// together. Noise on a busy machine is below the former.
static constexpr double kMargin = 0.03, kConfirmedMargin = 0.015;
/// Maximum loss at a point where a candidate does not win.
static constexpr double kMaxLoss = 0.01;
/// Pairs of runs at one point, and their approximate maximum time in seconds.
static constexpr size_t kMinPairs = 15, kMaxPairs = 400;
static constexpr double kMeasureSeconds = 1;
static constexpr size_t kRunsToWarmUp = 3;

bool Tuner::hasTimeLeft() const { return now() - begin < settings.seconds; }

static bool isSimulated(const TunePackage &package) {
  return kiln_session_device(package.session.get())->simulated != 0;
}

//===----------------------------------------------------------------------===//
// Packages
//===----------------------------------------------------------------------===//

Error Tuner::compileTo(const std::string &path, const std::string &configs) const {
  CompileOptions options = settings.compile;
  options.output = path;
  options.targets.configs = configs;
  CompileReport ignored;
  return compile(options, ignored);
}

Expected<TunePackage> Tuner::load(const std::string &path, bool profile) const {
  kiln_model_options modelOptions = settings.session.modelOptions();
  Expected<Model> model = loadModel(path, modelOptions, settings.session.entry);
  if (!model)
    return model.takeError();
  std::vector<kiln_dim_range> ranges = rangesOf(model->get());
  kiln_session_options options = settings.session.options(ranges);
  options.profile = profile;
  Expected<Session> session = createSession(model->get(), options);
  if (!session)
    return session.takeError();
  if (Error error =
          fillStates(model->get(), session->get(), points.front(), settings.seed))
    return std::move(error);
  TunePackage package{std::move(*model), std::move(*session), {}};
  for (const InputSet &inputs : points) {
    Expected<OutputSet> outputs =
        OutputSet::create(package.model.get(), package.session.get(), inputs.tensors());
    if (!outputs)
      return outputs.takeError();
    package.outputs.push_back(std::move(*outputs));
  }
  return std::move(package);
}

Error Tuner::runAt(size_t point, const TunePackage &package) const {
  KILN_CHECK(fillLengths(package.model.get(), package.session.get(), points[point]));
  return runOnce(package.session.get(), points[point], package.outputs[point]);
}

std::string Tuner::linesOf(const Choice &choice) const {
  std::string text;
  for (auto [problem, number] : zip(problems, choice))
    if (number)
      text += problem.lines[number] + "\n";
  return text;
}

Expected<std::optional<TunePackage>> Tuner::build(const Choice &choice, bool profile) {
  if (Error error = writeAtomically(configsFile.getPath(), linesOf(choice)))
    return std::move(error);
  if (Error error = compileTo(tunedFile.getPath(), configsFile.getPath())) {
    // A candidate that does not compile is dropped; the error does not concern the model.
    consumeError(std::move(error));
    return std::nullopt;
  }
  Expected<TunePackage> package = load(tunedFile.getPath(), profile);
  if (!package)
    return package.takeError();
  return std::move(*package);
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

/// Selects the requested points. By default the point of kiln bench; on a CPU, where one
/// code serves all dims, also points with an eighth of every non-batch dim and with a
/// batch of four.
Error Tuner::choosePoints(kiln_model *model) {
  auto add = [&](const SymbolValues &dims) -> Error {
    Expected<InputSet> made =
        InputSet::create(model, {"kiln tune", {}, dims, settings.seed});
    if (!made)
      return made.takeError();
    bool isNew = none_of(points, [&](const InputSet &other) {
      return other.symbols() == made->symbols();
    });
    if (isNew)
      points.push_back(std::move(*made));
    return Error::success();
  };
  for (const SymbolValues &dims : settings.points)
    KILN_CHECK(add(dims));
  if (!settings.points.empty())
    return Error::success();
  KILN_CHECK(add({}));
  if (settings.session.device != "cpu")
    return Error::success();
  SymbolValues small, large;
  for (size_t s = 0; s < kiln_model_symbol_count(model); ++s) {
    const kiln_symbol_info &symbol = *kiln_model_symbol(model, s);
    int64_t value = points.front().symbols().at(symbol.name);
    auto within = [&](int64_t wanted) {
      return std::clamp<int64_t>(wanted, symbol.min, symbol.max);
    };
    bool isBatch = value == 1;
    // The size of state is fixed per session.
    StringRef name = symbol.name;
    if (kiln_model_state_count(model) && (name == "rows" || name == "capacity")) {
      small[symbol.name] = large[symbol.name] = value;
      continue;
    }
    small[symbol.name] = within(isBatch ? 1 : value / 8);
    large[symbol.name] = within(isBatch ? 4 : value);
  }
  // Related symbols may not accept these values together.
  for (const SymbolValues &dims : {small, large})
    if (Error error = add(dims))
      consumeError(std::move(error));
  return Error::success();
}

/// Returns the ranges of dims that the session must allow, on a GPU or with state.
std::vector<kiln_dim_range> Tuner::rangesOf(kiln_model *model) const {
  std::vector<kiln_dim_range> ranges;
  bool isState = kiln_model_state_count(model) != 0;
  if ((settings.session.device == "cpu" && !isState) || points.empty())
    return ranges;
  for (size_t s = 0; s < kiln_model_symbol_count(model); ++s) {
    const char *name = kiln_model_symbol(model, s)->name;
    int64_t value = points.front().symbols().at(name);
    kiln_dim_range range{name, value, value};
    for (const InputSet &inputs : points) {
      range.lo = std::min(range.lo, inputs.symbols().at(name));
      range.hi = std::max(range.hi, inputs.symbols().at(name));
    }
    ranges.push_back(range);
  }
  addOtherEntries(model, ranges);
  return ranges;
}

//===----------------------------------------------------------------------===//
// Problems
//===----------------------------------------------------------------------===//

Error Tuner::open() {
  for (TemporaryFile *file : {&untunedFile, &tunedFile, &configsFile}) {
    Expected<TemporaryFile> made = TemporaryFile::create("kiln");
    if (!made)
      return made.takeError();
    *file = std::move(*made);
  }
  KILN_CHECK(compileTo(untunedFile.getPath(), ""));
  kiln_model_options options = settings.session.modelOptions();
  Expected<Model> model =
      loadModel(untunedFile.getPath(), options, settings.session.entry);
  if (!model)
    return model.takeError();
  Expected<PackageGraph> parsed = graphOf(model->get());
  if (!parsed)
    return parsed.takeError();
  graph.emplace(std::move(*parsed));
  KILN_CHECK(choosePoints(model->get()));
  Expected<TunePackage> package = load(untunedFile.getPath(), /*profile=*/true);
  if (!package)
    return package.takeError();
  untuned.emplace(std::move(*package));
  KILN_CHECK(runAt(0, *untuned));
  target = kiln_session_device(untuned->session.get())->target;
  return findProblems(*untuned);
}

/// Returns the suffix of a variant's name relative to the kernel's name; "" for a
/// kernel's own code.
static std::string suffixOf(kiln_model *model, StringRef target, StringRef code) {
  for (const KernelVariant &variant : variantsOf(model, target))
    if (variant.code == code && !variant.isOwn())
      return variant.suffix;
  return "";
}

/// Finds the code that runs at the first point; other variants of a kernel keep their
/// configs.
Error Tuner::findProblems(const TunePackage &package) {
  StringMap<size_t> known;
  size_t kernel = 0;
  for (size_t i = 0; i < kiln_model_step_count(package.model.get()); ++i) {
    const kiln_step_info &step = *kiln_model_step(package.model.get(), i);
    if (!launchesKernel(step))
      continue;
    size_t number = kernel++;
    kiln_step_launch launch;
    KILN_CHECK(toError(kiln_session_step_launch(package.session.get(), i, &launch)));
    std::string code = launch.code ? launch.code : step.kernel;
    auto [it, inserted] = known.try_emplace(code, problems.size());
    if (inserted) {
      auto lines =
          graph->candidates(number, target, suffixOf(package.model.get(), target, code));
      if (!lines)
        return lines.takeError();
      TuneProblem problem;
      problem.code = code;
      problem.lines = std::move(*lines);
      problems.push_back(std::move(problem));
    }
    problems[it->second].steps.push_back(i);
  }
  erase_if(problems, [](const TuneProblem &p) { return p.lines.size() < 2; });
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

Tuner::Choice Tuner::winners() const {
  Choice choice;
  for (const TuneProblem &problem : problems)
    choice.push_back(problem.best);
  return choice;
}

Expected<std::vector<bool>> Tuner::verify(const Choice &choice) {
  Expected<Model> model = loadModel(tunedFile.getPath(), settings.session.modelOptions(),
                                    settings.session.entry);
  if (!model)
    return model.takeError();
  std::map<size_t, size_t> firsts; // first step of a problem -> number of the problem
  for (auto [number, problem] : enumerate(problems))
    if (choice[number])
      firsts[problem.steps.front()] = number;
  KernelCheck check(model->get(), *graph, points.front().symbols(), std::nullopt);
  check.wants = [&](size_t step) { return firsts.count(step) != 0; };
  std::vector<kiln_dim_range> ranges = rangesOf(model->get());
  kiln_session_options options = settings.session.options(ranges);
  options.observer = KernelCheck::observe;
  options.observer_user = &check;
  Expected<Session> session = createSession(model->get(), options);
  if (!session)
    return session.takeError();
  Expected<OutputSet> outputs =
      OutputSet::create(model->get(), session->get(), points.front().tensors());
  if (!outputs)
    return outputs.takeError();
  if (Error error =
          fillStates(model->get(), session->get(), points.front(), settings.seed))
    return std::move(error);
  if (Error error = runOnce(session->get(), points.front(), *outputs))
    return std::move(error);
  if (Error error = check.takeError())
    return std::move(error);
  std::vector<bool> isRight(problems.size(), true);
  for (const KernelCheck::StepResult &result : check.results())
    if (!result.passed)
      isRight[firsts[result.step]] = false;
  return isRight;
}

/// Returns the seconds of a problem's steps in the last run.
static double secondsOf(const TunePackage &package, const TuneProblem &problem) {
  const uint64_t *nanoseconds = kiln_session_step_times(package.session.get());
  double sum = 0;
  for (size_t step : problem.steps)
    sum += static_cast<double>(nanoseconds[step]) * 1e-9;
  return sum;
}

/// Runs the untuned package and the candidate alternately. Leaves `times` empty if the
/// deadline passes.
Error Tuner::measureAt(size_t point, const TunePackage &candidate, double deadline,
                       std::vector<PairedTimes> &times) {
  auto runBoth = [&]() -> Error {
    KILN_CHECK(runAt(point, *untuned));
    return runAt(point, candidate);
  };
  bool isModel = isSimulated(candidate); // simulated times are equal in every run
  for (size_t i = 0; i < (isModel ? 0 : kRunsToWarmUp); ++i)
    KILN_CHECK(runBoth());
  times.resize(problems.size());
  double end = now() + kMeasureSeconds;
  size_t pairs = isModel ? 1 : kMaxPairs;
  for (size_t i = 0; i < pairs && (i < kMinPairs || now() < end); ++i) {
    if (now() > deadline) {
      times.clear();
      return Error::success();
    }
    KILN_CHECK(runBoth());
    for (auto [problem, pair] : zip(problems, times))
      pair.add(secondsOf(*untuned, problem), secondsOf(candidate, problem));
  }
  return Error::success();
}

Expected<Tuner::Times> Tuner::measure(const TunePackage &candidate, double deadline) {
  Times times(points.size());
  for (auto [point, at] : enumerate(times)) {
    if (Error error = measureAt(point, candidate, deadline, at))
      return std::move(error);
    if (at.empty())
      return Times();
  }
  return times;
}

bool Tuner::wins(const Times &times, size_t number, double margin, TuneProblem &problem) {
  const PairedTimes *best = nullptr;
  for (const std::vector<PairedTimes> &at : times) {
    const PairedTimes &pair = at[number];
    if (pair.medianRatio() > 1 + kMaxLoss)
      return false;
    if (pair.isSecondFaster(margin) &&
        (!best || pair.medianRatio() < best->medianRatio()))
      best = &pair;
  }
  if (!best)
    return false;
  problem.ratio = best->medianRatio();
  problem.before = best->medianFirst();
  problem.after = best->medianSecond();
  return true;
}

Error Tuner::round(size_t number) {
  Choice choice;
  for (const TuneProblem &problem : problems)
    choice.push_back(number < problem.lines.size() ? number : 0);
  Expected<std::optional<TunePackage>> package = build(choice, /*profile=*/true);
  if (!package)
    return package.takeError();
  if (!*package) {
    for (auto [problem, candidate] : zip(problems, choice))
      problem.refused += candidate != 0;
    return Error::success();
  }
  Expected<std::vector<bool>> isRight = verify(choice);
  if (!isRight)
    return isRight.takeError();
  Expected<Times> times = measure(**package, begin + settings.seconds);
  if (!times)
    return times.takeError();
  if (times->empty())
    return Error::success();
  for (auto [i, problem] : enumerate(problems)) {
    if (!choice[i])
      continue;
    ++(isRight->at(i) ? problem.measured : problem.refused);
    if (!isRight->at(i))
      continue;
    for (const std::vector<PairedTimes> &at : *times)
      problem.fastest = std::min(problem.fastest.value_or(1e9), at[i].medianRatio());
    TuneProblem candidate = problem;
    if (wins(*times, i, kMargin, candidate) && candidate.ratio < problem.ratio) {
      problem = candidate;
      problem.best = choice[i];
    }
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// All winners together
//===----------------------------------------------------------------------===//

/// Drops candidates that do not win again, since the best of many noisy times is biased.
/// Runs to its end regardless of the time budget, because it takes seconds only.
Error Tuner::confirm() {
  constexpr unsigned kAttempts = 3;
  for (unsigned attempt = 0; attempt < kAttempts; ++attempt) {
    if (all_of(problems, [](const TuneProblem &p) { return !p.best; }))
      return Error::success();
    Expected<std::optional<TunePackage>> tuned = build(winners(), /*profile=*/true);
    if (!tuned)
      return tuned.takeError();
    if (!*tuned)
      break;
    Expected<Times> times = measure(**tuned, std::numeric_limits<double>::infinity());
    if (!times)
      return times.takeError();
    bool isStable = true;
    for (auto [i, problem] : enumerate(problems)) {
      if (!problem.best || wins(*times, i, kConfirmedMargin, problem))
        continue;
      problem.best = 0;
      isStable = false;
    }
    if (isStable)
      return confirmWhole();
  }
  // The set of winners never became stable.
  for (TuneProblem &problem : problems)
    problem.best = 0;
  return Error::success();
}

/// Measures entire runs without step timers, as users run the model.
Error Tuner::confirmWhole() {
  Expected<TunePackage> before = load(untunedFile.getPath(), /*profile=*/false);
  if (!before)
    return before.takeError();
  Expected<TunePackage> after = load(tunedFile.getPath(), /*profile=*/false);
  if (!after)
    return after.takeError();
  if (isSimulated(*after))
    return Error::success();
  bool isFaster = false, isSlower = false;
  for (size_t point = 0; point < points.size(); ++point) {
    PairedTimes pair;
    double end = now() + 2 * kMeasureSeconds;
    for (size_t i = 0; i < kMaxPairs && (i < kMinPairs + kRunsToWarmUp || now() < end);
         ++i) {
      double start = now();
      KILN_CHECK(runAt(point, *before));
      double middle = now();
      KILN_CHECK(runAt(point, *after));
      if (i >= kRunsToWarmUp)
        pair.add(middle - start, now() - middle);
    }
    isFaster |= pair.medianRatio() < 1;
    isSlower |= pair.medianRatio() > 1 + kMaxLoss;
    whole.push_back(std::move(pair));
  }
  if (!isFaster || isSlower)
    for (TuneProblem &problem : problems)
      problem.best = 0;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

Error Tuner::writeFile() const {
  std::vector<SymbolValues> dims;
  for (const InputSet &inputs : points)
    dims.push_back(inputs.symbols());
  return writeAtomically(settings.compile.output,
                         tuneFileText(problems, settings.session.device, target, dims));
}

Error Tuner::run() {
  begin = now();
  KILN_CHECK(writeFile());
  if (!hasTimeLeft())
    return Error::success();
  progress("compiling the untuned package");
  KILN_CHECK(open());
  size_t rounds = 0;
  for (const TuneProblem &problem : problems)
    rounds = std::max(rounds, problem.lines.size());
  for (size_t i = 1; i < rounds && hasTimeLeft(); ++i) {
    progress("round " + std::to_string(i) + " of " + std::to_string(rounds - 1));
    KILN_CHECK(round(i));
    KILN_CHECK(writeFile());
  }
  progress("all winners together");
  KILN_CHECK(confirm());
  return writeFile();
}
