//===- Calibrate.cpp - Calibration on samples -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Quantization/Calibrate.h"
#include "CalibrationFolder.h"
#include "CholeskyFactor.h"
#include "MagnitudeHistogram.h"
#include "ObservingModel.h"
#include "RangeEstimate.h"
#include "kiln/Execution/SampleError.h"
#include "kiln/Support/Clock.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/Units.h"
#include "kiln/Support/UsageError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/Threading.h"

#include <cmath>
#include <numeric>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::quantization;
using namespace llvm;

/// Damping relative to the mean of a Hessian's diagonal, as in GPTQ.
static constexpr double kDamping = 0.01;
/// Bytes per element of the sums in memory: f64, plus f32 for a run's result and later
/// for the matrix.
static constexpr uint64_t kBytes = sizeof(double) + sizeof(float);

namespace {
/// Inputs of matmuls whose statistics are in memory together.
struct StatisticsGroup {
  uint64_t first = 0;
  std::vector<int64_t> ks;
  std::vector<uint64_t> sizes; ///< elements per input
  uint64_t valueBytes = 0;     ///< for ranges: bytes of the values in the largest run

  uint64_t elements() const { return sum_of(sizes, uint64_t(0)); }
};

class Calibrator {
public:
  Calibrator(const CompileOptions &options, const CalibrationSettings &settings,
             Observed what)
      : options(options), settings(settings), what(what),
        model(options, settings.device) {}
  Expected<CalibrationResult> run();

private:
  Observation observe(uint64_t first, uint64_t elements) const {
    return {first, elements, what};
  }
  Observation observeFirst() const;
  std::vector<StatisticsGroup> plan() const;
  Expected<std::vector<StatisticsGroup>> planRanges();
  Expected<bool> findGroup(const StatisticsGroup &group);
  Error runGroup(const StatisticsGroup &group);
  Error runRanges(const StatisticsGroup &group, bool isOnly);
  Error estimateRanges(const StatisticsGroup &group);
  Error runSamples(uint64_t first);
  Error makeMatrices(const StatisticsGroup &group);
  Error makeMatrix(const StatisticsGroup &group, size_t at);
  void tell();
  Expected<std::string> key() const;
  std::string stateFolder() const;
  Error openFolder();
  Error runGroups();
  void warnOfFew(StringRef of, uint64_t found, uint64_t wanted,
                 const ObservedInput &input);
  Error countRows();

  const CompileOptions &options;
  const CalibrationSettings &settings;
  Observed what;
  ObservingModel model;
  std::optional<CalibrationSamples> samples;
  PartialSums partial; ///< of the observed inputs
  std::vector<std::shared_ptr<const CalibratedInput>> inputs;
  ActivationRanges ranges;
  CalibrationResult result;
  double began = now(), told = 0;
  uint64_t ran = 0; ///< number of samples, over all passes
};
} // namespace

//===----------------------------------------------------------------------===//
// Passes over the samples
//===----------------------------------------------------------------------===//

/// Groups the inputs in order, each group as large as memory allows and not empty, in the
/// same way as kiln-observe-products with that number of elements.
std::vector<StatisticsGroup> Calibrator::plan() const {
  uint64_t elements = settings.memory / kBytes;
  std::vector<StatisticsGroup> groups;
  for (auto [number, input] : enumerate(model.inputs())) {
    uint64_t own = observe(0, elements).elementsOf(input.k);
    if (groups.empty() || groups.back().elements() + own > elements)
      groups.push_back({number, {}, {}});
    groups.back().ks.push_back(input.k);
    groups.back().sizes.push_back(own);
  }
  return groups;
}

/// Returns the first observation. For ranges it covers all inputs, since the number of
/// rows of the samples is still unknown.
Observation Calibrator::observeFirst() const {
  if (what == Observed::Values)
    return observe(0, std::numeric_limits<uint64_t>::max());
  return observe(0, settings.memory / kBytes);
}

/// Groups the inputs, each group as large as memory allows for histograms and for the
/// values of the largest run, and not empty.
Expected<std::vector<StatisticsGroup>> Calibrator::planRanges() {
  std::vector<uint64_t> bytes(model.inputs().size());
  for (const CalibrationSample &sample : samples->all()) {
    Expected<std::vector<uint64_t>> own = model.valueBytes(sample);
    if (!own)
      return own.takeError();
    for (auto [largest, one] : zip(bytes, *own))
      largest = std::max(largest, one);
  }
  constexpr uint64_t kHistogram = MagnitudeHistogram::kSize * sizeof(double);
  std::vector<StatisticsGroup> groups;
  for (auto [number, input] : enumerate(model.inputs())) {
    uint64_t own = bytes[number] + kHistogram;
    if (groups.empty() ||
        groups.back().sizes.size() * kHistogram + groups.back().valueBytes + own >
            settings.memory)
      groups.push_back({number, {}, {}});
    groups.back().ks.push_back(input.k);
    groups.back().sizes.push_back(MagnitudeHistogram::kSize);
    groups.back().valueBytes += bytes[number];
  }
  return groups;
}

/// Reports progress and the time left, at most once per second.
void Calibrator::tell() {
  double time = now();
  if (!options.progress || time < told + 1)
    return;
  told = time;
  uint64_t all = result.passes * result.samples, done = result.resumed + ran;
  std::string text =
      "calibrate: run " + std::to_string(done) + " of " + std::to_string(all);
  if (ran > 0)
    text +=
        ", " + formatSeconds((time - began) / double(ran) * double(all - done)) + " left";
  options.progress(text);
}

Error Calibrator::runSamples(uint64_t first) {
  ArrayRef<CalibrationSample> all = samples->all();
  double saved = now(), cost = 0;
  while (partial.samples < all.size()) {
    tell();
    KILN_CHECK(model.run(all[partial.samples], partial.sums));
    ++partial.samples;
    ++ran;
    // Spends at most a twentieth of the time on saving the state.
    if (settings.state.empty() || now() - saved < 20 * cost)
      continue;
    double begin = now();
    KILN_CHECK(result.folder->storeSums(first, partial));
    saved = now();
    cost = saved - begin;
  }
  return Error::success();
}

/// Computes the matrix of one input that the algorithm needs, and frees its sum.
Error Calibrator::makeMatrix(const StatisticsGroup &group, size_t at) {
  int64_t k = group.ks[at];
  std::vector<double> sum = std::move(partial.sums[at]);
  std::vector<float> matrix;
  if (options.precision.algorithm == "gptq")
    matrix = inverseCholesky(std::move(sum), k, kDamping);
  else
    matrix.assign(sum.begin(), sum.end());
  // Rounding errors can make a Hessian indefinite, so that it has no Cholesky factor.
  if (!all_of(matrix, [](float element) { return std::isfinite(element); }))
    return sampleError(settings.path, "the Hessian of a product has no factor",
                       "samples of about one size",
                       "the inputs of " + model.inputs()[group.first + at].nodes.front(),
                       "give more samples, or leave this product out by a policy");
  auto stored = result.folder->storeMatrix(group.first + at, k, matrix);
  if (!stored)
    return stored.takeError();
  inputs[group.first + at] = std::move(*stored);
  return Error::success();
}

/// Computes the matrices in parallel, by as many threads as the memory that the runs used
/// has room for.
Error Calibrator::makeMatrices(const StatisticsGroup &group) {
  uint64_t room = group.elements() / std::max<uint64_t>(*max_element(group.sizes), 1);
  ThreadPoolStrategy threads = hardware_concurrency(options.threads);
  threads.ThreadsRequested = static_cast<unsigned>(
      std::clamp<uint64_t>(room, 1, threads.compute_thread_count()));
  DefaultThreadPool pool(threads);
  std::vector<std::optional<Diagnosis>> failures(group.ks.size());
  for (size_t at = 0; at < group.ks.size(); ++at)
    pool.async([&, at] {
      if (Error error = makeMatrix(group, at))
        failures[at] = takeDiagnosis(std::move(error));
    });
  pool.wait();
  for (const std::optional<Diagnosis> &failure : failures)
    if (failure)
      return makeError(*failure);
  return Error::success();
}

/// Returns true if all matrices of the group are in the folder; otherwise loads the sums
/// that are there.
Expected<bool> Calibrator::findGroup(const StatisticsGroup &group) {
  bool all = true;
  for (auto [at, k] : enumerate(group.ks)) {
    auto found = result.folder->findMatrix(group.first + at, k, group.sizes[at]);
    if (!found)
      return found.takeError();
    inputs[group.first + at] = *found;
    all &= *found != nullptr;
  }
  if (all) {
    // The sums remain if a process was killed just after it had stored the last matrix.
    result.folder->removeSums(group.first);
    return true;
  }
  Expected<std::optional<PartialSums>> found =
      result.folder->findSums(group.first, group.sizes);
  if (!found)
    return found.takeError();
  partial = PartialSums();
  if (*found)
    partial = std::move(**found);
  return false;
}

Error Calibrator::runGroup(const StatisticsGroup &group) {
  Expected<bool> isDone = findGroup(group);
  if (!isDone)
    return isDone.takeError();
  result.resumed += *isDone ? result.samples : partial.samples;
  if (*isDone)
    return Error::success();
  if (group.first > 0)
    KILN_CHECK(model.compile(observe(group.first, group.elements())));
  // Allocated late, because compiling needs memory, too.
  if (partial.sums.empty())
    for (uint64_t size : group.sizes)
      partial.sums.emplace_back(size);
  KILN_CHECK(runSamples(group.first));
  model.release();
  KILN_CHECK(makeMatrices(group));
  result.folder->removeSums(group.first);
  partial = PartialSums();
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// Returns the number of values of which a ten-thousandth, or the fraction outside of the
/// percentile, is at least one value.
static uint64_t wantedValues(const RangeMethod &method) {
  constexpr double kValues = 10000;
  double left = method.kind == RangeMethod::Percentile ? 100 - method.percentile : 100;
  return uint64_t(std::max(kValues, left > 0 ? std::round(100 / left) : 0));
}

Error Calibrator::estimateRanges(const StatisticsGroup &group) {
  Expected<RangeMethod> method = RangeMethod::parse(options.precision.range);
  if (!method)
    return method.takeError();
  RangeCode code =
      options.precision.hasFloat8Activations() ? RangeCode::Float8 : RangeCode::Int8;
  for (auto [at, sum] : enumerate(partial.sums)) {
    const ObservedInput &input = model.inputs()[group.first + at];
    ActivationRange range = estimateRange(MagnitudeHistogram(sum), *method, code);
    if (range.limit == 0)
      return sampleError(settings.path, "samples say nothing of a static scale",
                         "activations that are not all 0",
                         "zeros before " + input.nodes.front(),
                         "give other samples, or leave --range out");
    if (range.values < wantedValues(*method))
      warnOfFew("values", range.values, wantedValues(*method), input);
    auto scale = static_cast<float>(range.limit / largestCode(code));
    auto stored = result.folder->storeMatrix(group.first + at, /*k=*/1, scale);
    if (!stored)
      return stored.takeError();
    range.scale = std::move(*stored);
    for (const std::string &node : input.nodes)
      ranges[node] = range;
  }
  return Error::success();
}

/// Computes ranges. Histograms remain in the folder; they are all that ranges need.
Error Calibrator::runRanges(const StatisticsGroup &group, bool isOnly) {
  Expected<std::optional<PartialSums>> found =
      result.folder->findSums(group.first, group.sizes);
  if (!found)
    return found.takeError();
  partial = *found ? std::move(**found) : PartialSums();
  result.resumed += partial.samples;
  if (partial.samples < samples->all().size()) {
    if (!isOnly)
      KILN_CHECK(model.compile(observe(group.first, group.sizes.size())));
    if (partial.sums.empty())
      for (uint64_t size : group.sizes)
        partial.sums.emplace_back(size);
    KILN_CHECK(runSamples(group.first));
    model.release();
    if (!settings.state.empty())
      KILN_CHECK(result.folder->storeSums(group.first, partial));
  }
  return estimateRanges(group);
}

//===----------------------------------------------------------------------===//
// Entire calibration
//===----------------------------------------------------------------------===//

/// Returns the key of the sums. The package identifies the model and its code.
Expected<std::string> Calibrator::key() const {
  Expected<std::string> hash = samples->hash();
  if (!hash)
    return hash.takeError();
  std::string code = toHex(SHA256::hash(arrayRefFromStringRef(model.package())),
                           /*LowerCase=*/true);
  return code + " " + *hash + " " + options.precision.algorithm + " " +
         std::to_string(settings.memory) +
         (what == Observed::Values ? " " + options.precision.range : "");
}

/// Warns of the first input with too few rows or values.
void Calibrator::warnOfFew(StringRef of, uint64_t found, uint64_t wanted,
                           const ObservedInput &input) {
  if (!result.warning.empty())
    return;
  const std::string &algorithm = options.precision.algorithm;
  result.warning = ("the samples of " + settings.option + " have " + Twine(found) + " " +
                    of + " for " + input.nodes.front() + ", fewer than " + Twine(wanted))
                       .str();
  if (what == Observed::Values)
    result.warning += ": the end of their distribution, which a static scale follows "
                      "from, is not in them";
  else if (what == Observed::Maxima)
    result.warning += ": the largest magnitudes of channels are likely too small";
  else
    result.warning += " (K): " + algorithm +
                      " knows nothing of most directions, in which weights are about "
                      "rounded to nearest";
  result.warning += "; give more samples";
}

/// Warns of too few rows. With fewer rows than K, X^T X is singular and GPTQ relies on
/// damping alone. Stops as soon as there are enough.
Error Calibrator::countRows() {
  constexpr uint64_t kMaximaRows = 100;
  std::vector<uint64_t> rows(model.inputs().size());
  auto lacks = [&](size_t input) {
    uint64_t k = static_cast<uint64_t>(model.inputs()[input].k);
    uint64_t wanted = what == Observed::Maxima ? kMaximaRows : k;
    return rows[input] < wanted ? wanted : 0;
  };
  auto inputs = seq<size_t>(0, rows.size());
  for (const CalibrationSample &sample : samples->all()) {
    if (none_of(inputs, lacks))
      return Error::success();
    auto own = model.rows(sample);
    if (!own)
      return own.takeError();
    for (auto [sum, one] : zip(rows, *own))
      sum += one.value_or(0);
    if (is_contained(*own, std::nullopt)) // some input's number is unknown
      return Error::success();
  }
  for (size_t input : inputs)
    if (uint64_t wanted = lacks(input))
      warnOfFew("rows", rows[input], wanted, model.inputs()[input]);
  return Error::success();
}

/// Returns the folder of the state. If matrices have one, ranges have a subfolder of it.
std::string Calibrator::stateFolder() const {
  bool isSecond = what == Observed::Values && options.precision.calibrates();
  return settings.state + (isSecond ? "/ranges" : "");
}

Error Calibrator::openFolder() {
  auto open = [&]() -> Expected<std::unique_ptr<CalibrationFolder>> {
    if (settings.state.empty())
      return CalibrationFolder::temporary();
    Expected<std::string> of = key();
    return of ? CalibrationFolder::open(stateFolder(), *of) : of.takeError();
  };
  Expected<std::unique_ptr<CalibrationFolder>> folder = open();
  if (!folder)
    return folder.takeError();
  result.folder = std::move(*folder);
  return Error::success();
}

Error Calibrator::runGroups() {
  bool isOfRanges = what == Observed::Values;
  Expected<std::vector<StatisticsGroup>> groups = isOfRanges ? planRanges() : plan();
  if (!groups)
    return groups.takeError();
  result.passes = groups->size();
  for (const StatisticsGroup &group : *groups)
    result.bytes = std::max(result.bytes, isOfRanges ? group.elements() * sizeof(double) +
                                                           group.valueBytes
                                                     : group.elements() * kBytes);
  inputs.resize(model.inputs().size());
  for (const StatisticsGroup &group : *groups)
    KILN_CHECK(isOfRanges ? runRanges(group, groups->size() == 1) : runGroup(group));
  return Error::success();
}

Expected<CalibrationResult> Calibrator::run() {
  Expected<CalibrationSamples> read = CalibrationSamples::read(settings);
  if (!read)
    return read.takeError();
  samples = std::move(*read);
  KILN_CHECK(model.compile(observeFirst()));
  if (model.inputs().empty())
    return sampleError(options.input, "the model has no product to calibrate",
                       "a product of activations and a weight", "none",
                       "leave --calib out");
  KILN_CHECK(samples->fitTo(model.get(), model.hasByteLogits()));
  result.inputs = model.inputs().size();
  result.samples = samples->all().size();
  KILN_CHECK(openFolder());
  if (what != Observed::Values)
    KILN_CHECK(countRows());
  KILN_CHECK(runGroups());
  if (what == Observed::Values) {
    result.ranges = std::make_shared<ActivationRanges>(std::move(ranges));
    return std::move(result);
  }
  auto calibration = std::make_shared<Calibration>();
  for (auto [input, observed] : zip(inputs, model.inputs()))
    for (const std::string &node : observed.nodes)
      (*calibration)[node] = input;
  result.calibration = std::move(calibration);
  return std::move(result);
}

Expected<CalibrationResult> quantization::calibrate(const CompileOptions &options,
                                                    const CalibrationSettings &settings) {
  // SmoothQuant needs only the maximum magnitudes of the activations' channels.
  bool isSmooth = options.precision.algorithm == "smoothquant";
  return Calibrator(options, settings, isSmooth ? Observed::Maxima : Observed::Products)
      .run();
}

Expected<CalibrationResult>
quantization::calibrateRanges(const CompileOptions &options,
                              const CalibrationSettings &settings) {
  return Calibrator(options, settings, Observed::Values).run();
}
