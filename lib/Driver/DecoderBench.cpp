//===- DecoderBench.cpp - Benchmark of a decoder --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DecoderBench.h"
#include "kiln/Execution/Ledger.h"
#include "kiln/Execution/ReadTime.h"
#include "kiln/Execution/Samples.h"
#include "kiln/Support/Clock.h"
#include "lib/Driver/Support/Progress.h"
#include "lib/Driver/Support/Report.h"
#include "lib/Driver/Support/Values.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include <random>

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::execution;
using namespace llvm;

Expected<std::optional<double>> driver::shareOfBandwidth(const Generator &generator,
                                                         uint64_t length,
                                                         double stepSeconds) {
  Expected<uint64_t> bytes = generator.stepBytes(length);
  if (!bytes)
    return bytes.takeError();
  const kiln_device_info &device = *kiln_session_device(generator.runner().session());
  if (device.simulated)
    return std::nullopt;
  std::optional<double> seconds;
  if (device.ordinal < 0)
    seconds = measureReadTime(*bytes, generator.runner().threads());
  else if (const GpuLimits *limits = findGpuLimits(device.gpu))
    seconds = static_cast<double>(*bytes) / limits->bytes;
  return seconds ? std::optional(*seconds / stepSeconds) : std::nullopt;
}

namespace {
struct Times {
  std::vector<double> prefill, steps; ///< seconds, one entry per prompt and per token
};
} // namespace

static Error measureRound(Generator &generator, ArrayRef<int64_t> tokens, size_t prompt,
                          Times &times) {
  KILN_CHECK(generator.reset());
  for (size_t first = 0; first < tokens.size();) {
    size_t count = first ? 1 : prompt;
    double begin = now();
    Expected<ArrayRef<float>> logits = generator.append(tokens.slice(first, count));
    if (!logits)
      return logits.takeError();
    (first ? times.steps : times.prefill).push_back(now() - begin);
    first += count;
  }
  return Error::success();
}

static std::vector<int64_t> randomTokens(const Generator &generator, uint64_t count,
                                         uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<int64_t> tokens(count);
  for (int64_t &token : tokens)
    token = static_cast<int64_t>(random() % generator.vocabulary());
  return tokens;
}

static Error print(const DecoderBenchSettings &settings, const Generator &generator,
                   const Times &times) {
  double prefill = Samples(times.prefill).median(), step = Samples(times.steps).median();
  // The sequence grows with each step, so the bytes are those of the middle step.
  uint64_t length = settings.prompt + (settings.generated + 1) / 2;
  Expected<uint64_t> bytes = generator.stepBytes(length);
  if (!bytes)
    return bytes.takeError();
  Expected<std::optional<double>> bandwidth = shareOfBandwidth(generator, length, step);
  if (!bandwidth)
    return bandwidth.takeError();
  const Runner &runner = generator.runner();
  std::optional<double> memory;
  if (*bandwidth && kiln_session_device(runner.session())->ordinal < 0)
    memory = measureMemoryBandwidth(runner.threads());
  auto prompt = static_cast<double>(settings.prompt);
  if (settings.json) {
    json::Object object{
        {"package", settings.package},
        {"device", kiln_session_device(runner.session())->name},
        {"ranks", runner.rankCount()},
        {"threads", runner.threads()},
        {"prompt", settings.prompt},
        {"generated", settings.generated},
        {"rounds", times.prefill.size()},
        {"prefill_seconds", prefill},
        {"step_seconds", step},
        {"step_bytes", *bytes},
        {"bandwidth_share", *bandwidth ? json::Value(**bandwidth) : json::Value(nullptr)},
        {"memory_bandwidth", memory ? json::Value(*memory) : json::Value(nullptr)}};
    outs() << formatv("{0:2}", json::Value(std::move(object))) << '\n';
    return Error::success();
  }
  text() << "  rounds     " << times.prefill.size() << " of " << settings.prompt
         << " and " << settings.generated << " tokens, medians\n"
         << "  prefill    " << formatSeconds(prefill)
         << format(", %.0f tokens/s\n", prompt / prefill) << "  decode     "
         << formatSeconds(step) << " a token" << format(", %.0f tokens/s", 1 / step)
         << format(", %.1f GB/s", static_cast<double>(*bytes) / step * 1e-9);
  if (*bandwidth)
    text() << "; " << describeBandwidth(**bandwidth);
  if (memory)
    text() << format("; memory is read at %.1f GB/s", *memory * 1e-9);
  text() << '\n';
  return Error::success();
}

Error driver::benchDecoder(const DecoderBenchSettings &settings) {
  Expected<Model> model = loadModel(settings.package, settings.session.modelOptions());
  if (!model)
    return model.takeError();
  uint64_t total = settings.prompt + settings.generated;
  Expected<Generator> generator =
      Generator::create(model->get(), settings.session, total);
  if (!generator)
    return generator.takeError();
  std::vector<int64_t> tokens = randomTokens(*generator, total, settings.seed);
  Progress progress(/*always=*/false);
  progress.begin("measuring");
  Times ignored, times;
  KILN_CHECK(measureRound(*generator, tokens, settings.prompt, ignored));
  constexpr size_t kRounds = 3;
  for (double end = now() + settings.duration;;) {
    Expected<bool> goesOn =
        generator->runner().agree(times.prefill.size() < kRounds || now() < end);
    if (!goesOn)
      return goesOn.takeError();
    if (!*goesOn)
      break;
    KILN_CHECK(measureRound(*generator, tokens, settings.prompt, times));
  }
  return generator->runner().isFirst() ? print(settings, *generator, times)
                                       : Error::success();
}
