//===- SampleRunner.cpp - Runs of a model on samples ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleRunner.h"
#include "SampleInputs.h"
#include "kiln/Execution/Generator.h"
#include "kiln/Execution/Numbers.h"
#include "kiln/Execution/OutputSet.h"
#include "kiln/Execution/SampleError.h"
#include "kiln/Support/UsageError.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::quantization;
using namespace llvm;

/// Maximum number of windows of a text, and bytes per window.
static constexpr uint64_t kWindows = 64, kWindow = 256;
/// Tokens of a random sample.
static constexpr int64_t kMadeUpTokens = 128;

SessionSettings quantization::sessionOf(uint64_t threads) {
  SessionSettings settings;
  settings.threads = threads;
  return settings;
}

static Error checkFinite(const OutputRows &rows, StringRef sample) {
  if (all_of(rows.values, [](float x) { return std::isfinite(x); }))
    return Error::success();
  return sampleError(sample, "an output is no number", "finite outputs",
                     "NaN or infinity in " + rows.name, "correct or remove the sample");
}

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

Expected<SampleSource> SampleSource::create(const std::string &path) {
  SampleSource source;
  source.path = path;
  if (path.empty())
    return std::move(source);
  CalibrationSettings settings;
  settings.path = path;
  settings.option = "--accuracy";
  settings.samples = kWindows;
  settings.window = kWindow;
  if (Error error = CalibrationSamples::read(settings).moveInto(source.list))
    return std::move(error);
  return std::move(source);
}

std::string SampleSource::describe() const {
  if (isMadeUp())
    return "random inputs";
  std::string count = std::to_string(list.all().size());
  return isText() ? count + " windows of a text" : count + " samples";
}

//===----------------------------------------------------------------------===//
// Models with state
//===----------------------------------------------------------------------===//

namespace {
class DecoderRunner final : public SampleRunner {
public:
  static Expected<std::unique_ptr<SampleRunner>>
  create(Model model, const SampleSource &source, uint64_t threads);

  std::vector<std::string> outputs() const override { return {"logits"}; }
  Expected<std::vector<OutputRows>> run(size_t sample) override;

private:
  DecoderRunner(Model model, Generator generator)
      : model(std::move(model)), generator(std::move(generator)) {}
  Error addSamples(const SampleSource &source);
  Error addTokens(const CalibrationSample &sample, std::vector<int64_t> tokens);
  Error addTensors(const CalibrationSample &sample);
  Error addArray(const CalibrationSample &sample, const std::string &where,
                 const kiln_tensor &tensor);

  Model model;
  Generator generator;
  std::vector<std::vector<int64_t>> sequences;
  std::vector<std::string> names; ///< names of the samples
};
} // namespace

Error DecoderRunner::addTokens(const CalibrationSample &sample,
                               std::vector<int64_t> tokens) {
  if (tokens.size() > generator.capacity())
    return sampleError(
        sample.name, "a sample is longer than the model's state",
        "at most " + Twine(generator.capacity()) + " tokens", Twine(tokens.size()),
        "cut it, or compile with --dims capacity=1.." + Twine(tokens.size()));
  for (int64_t token : tokens)
    if (uint64_t(token) >= generator.vocabulary())
      return sampleError(sample.name, "a token is none of the model's",
                         "0 to " + Twine(generator.vocabulary() - 1), Twine(token),
                         "correct or remove the sample");
  sequences.push_back(std::move(tokens));
  names.push_back(sample.name);
  return Error::success();
}

/// Adds token ids of shape [sequence] or [1, sequence].
Error DecoderRunner::addArray(const CalibrationSample &sample, const std::string &where,
                              const kiln_tensor &tensor) {
  bool isInteger = tensor.dtype == KILN_DTYPE_I64 || tensor.dtype == KILN_DTYPE_I32;
  bool isRow = tensor.rank == 1 || (tensor.rank == 2 && tensor.shape[0] == 1);
  int64_t count = tensor.rank ? tensor.shape[tensor.rank - 1] : 0;
  if (!isInteger || !isRow || count == 0)
    return sampleError(where, "is no sequence of token ids",
                       "i64[1,sequence] or i32[1,sequence]",
                       typeText(tensor.dtype, ArrayRef(tensor.shape, tensor.rank)),
                       "write a sample per sequence");
  std::vector<int64_t> tokens;
  for (int64_t i = 0; i < count; ++i)
    tokens.push_back(int64_t(readElement(tensor.dtype, tensor.data, uint64_t(i))));
  return addTokens(sample, std::move(tokens));
}

/// Adds the token ids of a sample. Masks and positions follow from the state.
Error DecoderRunner::addTensors(const CalibrationSample &sample) {
  const std::string &input = generator.tokenInput();
  for (const kiln_tensor &tensor : sample.tensors)
    if (tensor.name == input)
      return addArray(sample, sample.name, tensor);
  auto file =
      find_if(sample.files, [&](const TensorFile &file) { return file.first == input; });
  if (file == sample.files.end())
    return sampleError(sample.name, "a sample has no token ids", input + ".npy", "none",
                       "write them with numpy.save");
  Expected<Npy> array = readNpy(file->second);
  if (!array)
    return array.takeError();
  return addArray(sample, file->second, *kiln_npy_tensor(array->get()));
}

Error DecoderRunner::addSamples(const SampleSource &source) {
  if (source.isMadeUp()) {
    int64_t count = std::min<int64_t>(kMadeUpTokens, int64_t(generator.capacity()));
    TensorBuffer buffer(generator.tokenInput(), KILN_DTYPE_I64, count);
    fillRandom(buffer, /*seed=*/0, int64_t(generator.vocabulary()));
    auto *tokens = static_cast<const int64_t *>(buffer.data());
    return addTokens({"a random sample", {}, {}, {}}, {tokens, tokens + count});
  }
  if (source.isText() && generator.vocabulary() != kByteVocabulary)
    return sampleError(source.getPath(), "a text is for byte-level models",
                       "a vocabulary of 256", Twine(generator.vocabulary()) + " tokens",
                       "give token ids: a folder of samples with .npy files");
  for (const CalibrationSample &sample : source.samples()) {
    if (!source.isText()) {
      KILN_CHECK(addTensors(sample));
      continue;
    }
    StringRef bytes = sample.tokens.take_front(generator.capacity());
    KILN_CHECK(addTokens(sample, {bytes.bytes_begin(), bytes.bytes_end()}));
  }
  return Error::success();
}

Expected<std::unique_ptr<SampleRunner>>
DecoderRunner::create(Model model, const SampleSource &source, uint64_t threads) {
  Expected<Generator> generator =
      Generator::create(model.get(), sessionOf(threads), /*capacity=*/0);
  if (!generator)
    return generator.takeError();
  std::unique_ptr<DecoderRunner> runner(
      new DecoderRunner(std::move(model), std::move(*generator)));
  if (Error error = runner->addSamples(source))
    return std::move(error);
  return std::unique_ptr<SampleRunner>(std::move(runner));
}

Expected<std::vector<OutputRows>> DecoderRunner::run(size_t sample) {
  std::vector<OutputRows> outputs{{"logits", generator.vocabulary(), {}}};
  if (Error error = generator.reset())
    return std::move(error);
  auto add = [&](size_t, ArrayRef<float> logits) {
    append_range(outputs.front().values, logits);
  };
  if (Error error = generator.appendEach(sequences[sample], add))
    return std::move(error);
  if (Error error = checkFinite(outputs.front(), names[sample]))
    return std::move(error);
  return outputs;
}

//===----------------------------------------------------------------------===//
// Models without state
//===----------------------------------------------------------------------===//

namespace {
class TensorRunner final : public SampleRunner {
public:
  TensorRunner(Model model, const SampleSource &source, uint64_t threads)
      : model(std::move(model)), source(source), threads(threads) {}

  std::vector<std::string> outputs() const override;
  Expected<std::vector<OutputRows>> run(size_t sample) override;

private:
  Expected<SampleInputs> inputsOf(size_t sample);

  Model model;
  const SampleSource &source;
  uint64_t threads;
  Session session;
};
} // namespace

std::vector<std::string> TensorRunner::outputs() const {
  std::vector<std::string> names;
  for (unsigned i = 0; i < outputCount(model.get()); ++i) {
    const kiln_tensor_info &info = *kiln_model_output(model.get(), i);
    if (!isFloat(info.dtype))
      continue;
    if (StringRef(info.name) == "logits")
      return {info.name};
    names.push_back(info.name);
  }
  return names;
}

Expected<SampleInputs> TensorRunner::inputsOf(size_t sample) {
  if (!source.isMadeUp())
    return sampleInputs(model.get(), source.samples()[sample], "--accuracy");
  InputSettings settings;
  settings.command = "kiln compile: --accuracy";
  Expected<InputSet> made = InputSet::create(model.get(), settings);
  if (!made)
    return made.takeError();
  return SampleInputs{{}, std::move(*made)};
}

static OutputRows rowsOf(const TensorBuffer &buffer) {
  OutputRows rows;
  rows.name = buffer.getName();
  rows.width = buffer.getShape().empty() ? 1 : size_t(buffer.getShape().back());
  rows.values.reserve(buffer.elements());
  for (uint64_t i = 0; i < buffer.elements(); ++i)
    rows.values.push_back(float(readElement(buffer.getDType(), buffer.data(), i)));
  return rows;
}

Expected<std::vector<OutputRows>> TensorRunner::run(size_t sample) {
  Expected<SampleInputs> made = inputsOf(sample);
  if (!made)
    return made.takeError();
  Expected<OutputSet> found =
      runInputs(model.get(), session, made->inputs, sessionOf(threads));
  if (!found)
    return found.takeError();
  std::vector<std::string> names = outputs();
  std::vector<OutputRows> result;
  for (const TensorBuffer &buffer : found->buffers())
    if (is_contained(names, buffer.getName()))
      result.push_back(rowsOf(buffer));
  std::string name =
      source.isMadeUp() ? "a random sample" : source.samples()[sample].name;
  for (const OutputRows &rows : result)
    if (Error error = checkFinite(rows, name))
      return std::move(error);
  return result;
}

Error SampleSource::fitTo(kiln_model *model) {
  bool hasByteLogits = false;
  for (unsigned i = 0; i < outputCount(model); ++i) {
    const kiln_tensor_info *info = kiln_model_output(model, i);
    hasByteLogits |= info->rank == 3 && info->dims[2].min == int64_t(kByteVocabulary) &&
                     info->dims[2].max == int64_t(kByteVocabulary);
  }
  return list.fitTo(model, hasByteLogits);
}

Expected<std::unique_ptr<SampleRunner>>
SampleRunner::create(Model model, SampleSource &source, uint64_t threads) {
  bool hasState = kiln_model_state_count(model.get()) > 0;
  // For a model with state, DecoderRunner checks a text against the vocabulary.
  if (!source.isMadeUp() && !(hasState && source.isText()))
    if (Error error = source.fitTo(model.get()))
      return std::move(error);
  if (hasState)
    return DecoderRunner::create(std::move(model), source, threads);
  return std::unique_ptr<SampleRunner>(
      std::make_unique<TensorRunner>(std::move(model), source, threads));
}
