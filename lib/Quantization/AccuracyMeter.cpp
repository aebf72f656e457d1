//===- AccuracyMeter.cpp - Measurement of a package's accuracy ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccuracyMeter.h"
#include "SampleRunner.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Execution/OutputDistance.h"
#include "kiln/Execution/Perplexity.h"
#include "kiln/Execution/SampleError.h"
#include "kiln/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::quantization;
using namespace llvm;

/// Limits of quick measurements. Blame is measured once per matmul, so on fewer samples.
static constexpr size_t kQuickTokens = 1 << 15;
static constexpr size_t kQuickSamples = 32;

//===----------------------------------------------------------------------===//
// Perplexity
//===----------------------------------------------------------------------===//

namespace {
class PerplexityMeter final : public AccuracyMeter {
public:
  PerplexityMeter(std::vector<int64_t> tokens, uint64_t threads)
      : tokens(std::move(tokens)), threads(threads) {}
  Error setFull(Model full);

  Expected<double> loss(Model model, bool quick) override;
  bool hasQuick() const override { return tokens.size() > kQuickTokens; }
  std::string samples() const override {
    return std::to_string(tokens.size()) + " tokens of a text";
  }

private:
  Expected<double> bitsOf(kiln_model *model, bool quick);

  std::vector<int64_t> tokens;
  uint64_t threads;
  double full = 0, quickFull = 0; ///< bits per token of the full-precision model
};
} // namespace

Expected<double> PerplexityMeter::bitsOf(kiln_model *model, bool quick) {
  Expected<Generator> generator = Generator::create(model, sessionOf(threads), 0);
  if (!generator)
    return generator.takeError();
  ArrayRef<int64_t> text = tokens;
  if (quick && hasQuick())
    text = text.take_front(kQuickTokens);
  Expected<Perplexity> found = measurePerplexity(*generator, text);
  if (!found)
    return found.takeError();
  return found->bits;
}

Error PerplexityMeter::setFull(Model model) {
  Expected<double> bits = bitsOf(model.get(), /*quick=*/false);
  if (!bits)
    return bits.takeError();
  full = quickFull = *bits;
  if (!hasQuick())
    return Error::success();
  return bitsOf(model.get(), /*quick=*/true).moveInto(quickFull);
}

Expected<double> PerplexityMeter::loss(Model model, bool quick) {
  Expected<double> bits = bitsOf(model.get(), quick);
  if (!bits)
    return bits.takeError();
  return std::exp2(*bits - (quick ? quickFull : full)) - 1;
}

static Expected<std::unique_ptr<AccuracyMeter>>
createPerplexity(const std::string &path, uint64_t threads, Model full) {
  auto file = path.empty() ? MemoryBuffer::getMemBuffer("") : MemoryBuffer::getFile(path);
  if (!file)
    return makeError({ErrorCode::FileNotFound, path, "cannot be opened",
                      "a file with text", file.getError().message(),
                      "check the path of --accuracy"});
  if (kiln_model_state_count(full.get()) == 0)
    return sampleError(path, "the perplexity of a text is one of a decoder with state",
                       "pasts and presents that are state", "none",
                       "leave --no-state out, or choose kl, cosine or max");
  Expected<Generator> generator = Generator::create(full.get(), sessionOf(threads), 0);
  if (!generator)
    return generator.takeError();
  if (generator->vocabulary() != kByteVocabulary)
    return sampleError(path, "the perplexity of a text is for byte-level models",
                       "a vocabulary of 256",
                       std::to_string(generator->vocabulary()) + " tokens",
                       "choose kl, cosine or max, with token ids as samples");
  StringRef bytes = (*file)->getBuffer();
  if (bytes.size() < 2)
    return sampleError(path, "the text is too short", "2 bytes or more",
                       std::to_string(bytes.size()), "give a longer text");
  auto meter = std::make_unique<PerplexityMeter>(
      std::vector<int64_t>(bytes.bytes_begin(), bytes.bytes_end()), threads);
  if (Error error = meter->setFull(std::move(full)))
    return std::move(error);
  return std::unique_ptr<AccuracyMeter>(std::move(meter));
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

namespace {
/// Runs both models on one sample after the other, so that only one sample's outputs are
/// in memory.
class OutputMeter final : public AccuracyMeter {
public:
  OutputMeter(AccuracyMetric metric, SampleSource source, uint64_t threads)
      : metric(metric), source(std::move(source)), threads(threads) {}
  Error setFull(Model full) {
    return SampleRunner::create(std::move(full), source, threads).moveInto(runner);
  }
  Error checkOutputs();

  Expected<double> loss(Model model, bool quick) override;
  bool hasQuick() const override { return source.size() > kQuickSamples; }
  std::string samples() const override { return source.describe(); }

private:
  AccuracyMetric metric;
  SampleSource source;
  uint64_t threads;
  std::unique_ptr<SampleRunner> runner; ///< runs the full-precision model
};
} // namespace

/// Checks the outputs. The KL divergence compares distributions, so there must be a
/// single candidate for the logits.
Error OutputMeter::checkOutputs() {
  std::vector<std::string> names = runner->outputs();
  if (names.empty())
    return sampleError("--accuracy", "the model has no output to compare",
                       "an output of floats", "none", "leave --accuracy out");
  if (metric == AccuracyMetric::KLDivergence && names.size() > 1)
    return sampleError("--accuracy kl", "it is not clear which output are the logits",
                       "one output of floats, or one named logits", join(names, ", "),
                       "choose cosine or max");
  return Error::success();
}

Expected<double> OutputMeter::loss(Model model, bool quick) {
  Expected<std::unique_ptr<SampleRunner>> other =
      SampleRunner::create(std::move(model), source, threads);
  if (!other)
    return other.takeError();
  OutputDistance distance(metric);
  size_t count = quick ? std::min(kQuickSamples, source.size()) : source.size();
  for (size_t i = 0; i < count; ++i) {
    Expected<std::vector<OutputRows>> expected = runner->run(i);
    if (!expected)
      return expected.takeError();
    Expected<std::vector<OutputRows>> found = (*other)->run(i);
    if (!found)
      return found.takeError();
    for (auto [left, right] : zip_equal(*expected, *found))
      distance.add(left, right);
  }
  return distance.value();
}

Expected<std::unique_ptr<AccuracyMeter>>
AccuracyMeter::create(const AccuracyBudget &budget, const std::string &samples,
                      uint64_t threads, Model full) {
  if (budget.metric == AccuracyMetric::Perplexity)
    return createPerplexity(samples, threads, std::move(full));
  Expected<SampleSource> source = SampleSource::create(samples);
  if (!source)
    return source.takeError();
  auto meter = std::make_unique<OutputMeter>(budget.metric, std::move(*source), threads);
  if (Error error = meter->setFull(std::move(full)))
    return std::move(error);
  if (Error error = meter->checkOutputs())
    return std::move(error);
  return std::unique_ptr<AccuracyMeter>(std::move(meter));
}
