//===- Calibrate.cpp - Samples through a model ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Calibrate.h"
#include "CalibrationError.h"
#include "CholeskyFactor.h"
#include "ObservingModel.h"
#include "Progress.h"
#include "Values.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/Threading.h"

#include <cmath>
#include <numeric>

using namespace kiln;
using namespace kiln::driver;
using namespace llvm;

/// Of the mean of a Hessian's diagonal (GPTQ's own choice).
static constexpr double kDamping = 0.01;
/// Per element of the sums that are held at once: f64, and f32 for the result of a run
/// and later for the matrix that is made from the sum.
static constexpr uint64_t kBytes = sizeof(double) + sizeof(float);

namespace {
/// Inputs of products whose sums are held at once.
struct Group {
  uint64_t first = 0;
  std::vector<int64_t> ks;
  std::vector<uint64_t> sizes; ///< elements

  uint64_t elements() const { return sum_of(sizes, uint64_t(0)); }
};

class Calibrator {
public:
  Calibrator(const CompileOptions &options, const CalibrationSettings &settings)
      : options(options), settings(settings), model(options) {}
  Expected<CalibrationResult> run();

private:
  /// SmoothQuant needs no more of the activations than how large their channels get.
  Observation observe(uint64_t first, uint64_t elements) const {
    return {first, elements, options.precision.algorithm == "smoothquant"};
  }
  std::vector<Group> plan() const;
  Expected<bool> findGroup(const Group &group);
  Error runGroup(const Group &group);
  Error runSamples(uint64_t first);
  Error makeMatrices(const Group &group);
  Error makeMatrix(const Group &group, size_t at);
  void tell();
  Expected<std::string> key() const;
  Error openFolder();

  const CompileOptions &options;
  const CalibrationSettings &settings;
  ObservingModel model;
  std::optional<CalibrationSamples> samples;
  PartialSums partial; ///< of the inputs that are observed
  std::vector<std::shared_ptr<const CalibratedInput>> inputs;
  CalibrationResult result;
  double began = now(), told = 0;
  uint64_t ran = 0; ///< samples, in all passes
};
} // namespace

//===----------------------------------------------------------------------===//
// Passes over the samples
//===----------------------------------------------------------------------===//

/// As many inputs as the memory holds, in their order, but one at least: what
/// kiln-observe-products does with the same number of elements.
std::vector<Group> Calibrator::plan() const {
  uint64_t elements = settings.memory / kBytes;
  std::vector<Group> groups;
  for (auto [number, input] : enumerate(model.inputs())) {
    uint64_t own = observe(0, elements).elementsOf(input.k);
    if (groups.empty() || groups.back().elements() + own > elements)
      groups.push_back({number, {}, {}});
    groups.back().ks.push_back(input.k);
    groups.back().sizes.push_back(own);
  }
  return groups;
}

/// Once a second at most: what is done, and how long the rest will take.
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
    // A twentieth of the time may go into what is kept for later.
    if (settings.state.empty() || now() - saved < 20 * cost)
      continue;
    double begin = now();
    KILN_CHECK(result.folder->storeSums(first, partial));
    saved = now();
    cost = saved - begin;
  }
  return Error::success();
}

/// What the algorithm reads, of one input; its sum is given up.
Error Calibrator::makeMatrix(const Group &group, size_t at) {
  int64_t k = group.ks[at];
  std::vector<double> sum = std::move(partial.sums[at]);
  std::vector<float> matrix;
  if (options.precision.algorithm == "gptq")
    matrix = inverseCholesky(std::move(sum), k, kDamping);
  else
    matrix.assign(sum.begin(), sum.end());
  // Rounding may leave a Hessian that is not positive; then no weight is found from it.
  if (!all_of(matrix, [](float element) { return std::isfinite(element); }))
    return calibrationError(settings.path, "the Hessian of a product has no factor",
                            "samples of about one size",
                            "the inputs of " +
                                model.inputs()[group.first + at].nodes.front(),
                            "give more samples, or leave this product out by a policy");
  auto stored = result.folder->storeMatrix(group.first + at, k, matrix);
  if (!stored)
    return stored.takeError();
  inputs[group.first + at] = std::move(*stored);
  return Error::success();
}

/// By as many threads as have room in what the results of runs took.
Error Calibrator::makeMatrices(const Group &group) {
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

/// True if all matrices of the group are in the folder; else the sums that are there.
Expected<bool> Calibrator::findGroup(const Group &group) {
  bool all = true;
  for (auto [at, k] : enumerate(group.ks)) {
    auto found = result.folder->findMatrix(group.first + at, k, group.sizes[at]);
    if (!found)
      return found.takeError();
    inputs[group.first + at] = *found;
    all &= *found != nullptr;
  }
  if (all) {
    // They are there still if a process was killed right behind its last matrix.
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

Error Calibrator::runGroup(const Group &group) {
  Expected<bool> isDone = findGroup(group);
  if (!isDone)
    return isDone.takeError();
  result.resumed += *isDone ? result.samples : partial.samples;
  if (*isDone)
    return Error::success();
  if (group.first > 0)
    KILN_CHECK(model.compile(observe(group.first, group.elements())));
  // Not before: compiling takes memory, too.
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
// All of it
//===----------------------------------------------------------------------===//

/// What sums are of. The package says what model is run, by what code on which machine.
Expected<std::string> Calibrator::key() const {
  Expected<std::string> hash = samples->hash();
  if (!hash)
    return hash.takeError();
  std::string code = toHex(SHA256::hash(arrayRefFromStringRef(model.package())),
                           /*LowerCase=*/true);
  return code + " " + *hash + " " + options.precision.algorithm + " " +
         std::to_string(settings.memory);
}

Error Calibrator::openFolder() {
  auto open = [&]() -> Expected<std::unique_ptr<CalibrationFolder>> {
    if (settings.state.empty())
      return CalibrationFolder::temporary();
    Expected<std::string> of = key();
    return of ? CalibrationFolder::open(settings.state, *of) : of.takeError();
  };
  Expected<std::unique_ptr<CalibrationFolder>> folder = open();
  if (!folder)
    return folder.takeError();
  result.folder = std::move(*folder);
  return Error::success();
}

Expected<CalibrationResult> Calibrator::run() {
  Expected<CalibrationSamples> read = CalibrationSamples::read(settings);
  if (!read)
    return read.takeError();
  samples = std::move(*read);
  KILN_CHECK(model.compile(observe(0, settings.memory / kBytes)));
  if (model.inputs().empty())
    return calibrationError(options.input, "the model has no product to calibrate",
                            "a product of activations and a weight", "none",
                            "leave --calib out");
  KILN_CHECK(samples->fitTo(model.get(), model.hasByteLogits()));
  std::vector<Group> groups = plan();
  result.inputs = model.inputs().size();
  result.samples = samples->all().size();
  result.passes = groups.size();
  for (const Group &group : groups)
    result.bytes = std::max(result.bytes, group.elements() * kBytes);
  KILN_CHECK(openFolder());
  inputs.resize(model.inputs().size());
  for (const Group &group : groups)
    KILN_CHECK(runGroup(group));
  auto calibration = std::make_shared<Calibration>();
  for (auto [input, observed] : zip(inputs, model.inputs()))
    for (const std::string &node : observed.nodes)
      (*calibration)[node] = input;
  result.calibration = std::move(calibration);
  return std::move(result);
}

Expected<CalibrationResult> driver::calibrate(const CompileOptions &options,
                                              const CalibrationSettings &settings) {
  return Calibrator(options, settings).run();
}
