//===- Calibrate.cpp - Samples through a model ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Calibrate.h"
#include "CholeskyFactor.h"
#include "Command.h"
#include "Generator.h"
#include "OutputSet.h"
#include "SessionOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
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

static Error calibrationError(StringRef where, std::string what, std::string expected,
                              std::string found, std::string fix) {
  return makeError({ErrorCode::CalibrationInvalid, where.str(), std::move(what),
                    std::move(expected), std::move(found), std::move(fix)});
}

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

using Sample = CalibrationSample;
using Samples = CalibrationSamples;

static Expected<Samples> readText(const CalibrationSettings &settings) {
  auto file = MemoryBuffer::getFile(settings.path);
  if (!file)
    return makeError({ErrorCode::FileNotFound, settings.path, "cannot be opened",
                      "a text, or a folder of .npy files", file.getError().message(),
                      "check the path of " + settings.option});
  Samples samples;
  samples.text = std::move(*file);
  StringRef text = samples.text->getBuffer();
  if (text.size() < 2)
    return calibrationError(settings.path, "the text is too short", "2 bytes or more",
                            std::to_string(text.size()), "give a longer text");
  size_t window = std::min<size_t>(settings.window, text.size());
  size_t count = std::min<size_t>(settings.samples, text.size() / window);
  for (size_t i = 0; i < count; ++i) {
    size_t begin = count == 1 ? 0 : (text.size() - window) * i / (count - 1);
    samples.all.push_back(
        {"byte " + std::to_string(begin), {}, text.substr(begin, window)});
  }
  return samples;
}

/// The .npy files of a folder, by name; folders in it go to `folders`.
static Error listFolder(const std::string &path, std::vector<TensorFile> &files,
                        std::vector<std::string> &folders) {
  std::error_code error;
  for (sys::fs::directory_iterator it(path, error), end; it != end && !error;
       it.increment(error)) {
    StringRef name = sys::path::filename(it->path());
    if (sys::fs::is_directory(it->path()))
      folders.push_back(it->path());
    else if (name.ends_with(".npy"))
      files.push_back({name.drop_back(4).str(), it->path()});
  }
  if (error)
    return makeError({ErrorCode::FileReadFailed, path, "the folder cannot be read",
                      "a folder of .npy files", error.message(), "check the path"});
  sort(files);
  sort(folders);
  return Error::success();
}

static Expected<Samples> readFolder(const CalibrationSettings &settings) {
  Samples samples;
  std::vector<TensorFile> files;
  std::vector<std::string> folders, none;
  KILN_CHECK(listFolder(settings.path, files, folders));
  if (!files.empty())
    samples.all.push_back({settings.path, files, {}});
  for (const std::string &folder : folders) {
    std::vector<TensorFile> own;
    KILN_CHECK(listFolder(folder, own, none));
    if (!own.empty())
      samples.all.push_back({folder, own, {}});
  }
  if (samples.all.empty())
    return calibrationError(settings.path, "the folder holds no sample",
                            "NAME.npy for inputs of the model, or folders of such",
                            "no .npy file", "write inputs with numpy.save");
  return samples;
}

Expected<CalibrationSamples> driver::readSamples(const CalibrationSettings &settings) {
  return sys::fs::is_directory(settings.path) ? readFolder(settings) : readText(settings);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// The input that takes tokens: whole numbers [batch, sequence] that are neither a mask
/// nor positions.
static const kiln_tensor_info *tokenInput(kiln_model *model) {
  for (unsigned i = 0; i < inputCount(model); ++i) {
    const kiln_tensor_info *info = kiln_model_input(model, i);
    StringRef name = info->name;
    bool isInteger = info->dtype == KILN_DTYPE_I64 || info->dtype == KILN_DTYPE_I32;
    if (isInteger && info->rank == 2 && !name.contains("mask") &&
        !name.contains("position") && !name.contains("type"))
      return info;
  }
  return nullptr;
}

Error driver::checkBytes(kiln_model *model, const std::string &path) {
  bool overBytes = false;
  for (unsigned i = 0; i < outputCount(model); ++i) {
    const kiln_tensor_info *info = kiln_model_output(model, i);
    overBytes |= info->rank == 3 && info->dims[2].min == int64_t(kByteVocabulary) &&
                 info->dims[2].max == int64_t(kByteVocabulary);
  }
  if (tokenInput(model) && overBytes)
    return Error::success();
  return calibrationError(path, "a text is for models over bytes",
                          "an input of token ids, and logits of 256 bytes",
                          "another model",
                          "give token ids: a folder of samples with .npy files");
}

template <typename T> static void fill(void *data, size_t count, const Sample *sample) {
  for (size_t i = 0; i < count; ++i)
    static_cast<T *>(data)[i] = sample ? T(uint8_t(sample->tokens[i])) : T(i);
}

/// Tokens, or positions from 0 on where there is no sample.
static void fill(const kiln_tensor &tensor, size_t count, const Sample *sample) {
  if (tensor.dtype == KILN_DTYPE_I32)
    fill<int32_t>(tensor.data, count, sample);
  else
    fill<int64_t>(tensor.data, count, sample);
}

/// Nothing is in a cache, and nothing is longer than the sample says: the dims that its
/// arrays or tokens do not decide are as small as they can be.
static SymbolValues smallDims(kiln_model *model, const Sample &sample,
                              const kiln_tensor_info *tokens) {
  StringSet<> decided;
  for (const TensorFile &file : sample.files)
    for (unsigned i = 0; i < inputCount(model); ++i)
      if (const kiln_tensor_info *info = kiln_model_input(model, i);
          info->name == file.first)
        for (unsigned d = 0; d < info->rank; ++d)
          decided.insert(info->dims[d].expr);
  SymbolValues dims;
  for (size_t i = 0; i < kiln_model_symbol_count(model); ++i) {
    const kiln_symbol_info &symbol = *kiln_model_symbol(model, i);
    if (tokens && symbol.name == StringRef(tokens->dims[1].expr))
      dims[symbol.name] = std::min<int64_t>(sample.tokens.size(), symbol.max);
    else if (!decided.contains(symbol.name))
      dims[symbol.name] = symbol.min;
  }
  return dims;
}

Expected<InputSet> driver::sampleInputs(kiln_model *model, const Sample &sample,
                                        const std::string &option) {
  const kiln_tensor_info *tokens = sample.files.empty() ? tokenInput(model) : nullptr;
  InputSettings inputs;
  inputs.command = "kiln compile: " + option;
  inputs.files = sample.files;
  inputs.dims = smallDims(model, sample, tokens);
  Expected<InputSet> made = InputSet::create(model, inputs);
  if (!made)
    return made;
  for (const kiln_tensor &tensor : made->tensors()) {
    StringRef name = tensor.name;
    size_t count = std::accumulate(tensor.shape, tensor.shape + tensor.rank, size_t(1),
                                   std::multiplies<>());
    if (tokens && name == tokens->name)
      fill(tensor, std::min(count, sample.tokens.size()), &sample);
    else if (name.contains("position") && is_contained(made->random(), name))
      fill(tensor, count, nullptr);
  }
  return made;
}

namespace {
class Calibrator {
public:
  Calibrator(const CompileOptions &options, const CalibrationSettings &settings)
      : options(options), settings(settings) {}
  Expected<std::shared_ptr<const Calibration>> run();

private:
  Error compileModel();
  Error runSample(const Sample &sample);
  Error add(const OutputSet &outputs, const std::string &sample);
  Expected<std::shared_ptr<const Calibration>> factorize();

  const CompileOptions &options;
  const CalibrationSettings &settings;
  CompileReport report;
  SmallString<128> package;
  std::optional<FileRemover> remover;
  Model model;
  Session session;
  std::vector<std::vector<double>> sums; ///< of report.observed
};
} // namespace

Error Calibrator::compileModel() {
  if (std::error_code error =
          sys::fs::createTemporaryFile("kiln-calibration", "kiln", package))
    return makeError({ErrorCode::OutputNotWritable, std::string(package),
                      "the model cannot be written for calibration", "a temporary folder",
                      error.message(), "set TMPDIR to a folder with room"});
  remover.emplace(package);
  CompileOptions own;
  own.input = options.input;
  own.output = std::string(package);
  own.dims = options.dims;
  own.threads = options.threads;
  own.frozen = options.frozen;
  own.externalDataFrom = options.externalDataFrom;
  own.state.enabled = false;
  own.observesProducts = true;
  own.diagnose = [](mlir::Diagnostic &) {};
  KILN_CHECK(compile(own, report));
  SessionSettings session;
  session.trustWeights = true;
  Expected<Model> loaded = loadModel(own.output, session.modelOptions());
  if (!loaded)
    return loaded.takeError();
  model = std::move(*loaded);
  return Error::success();
}

static std::string hashOf(ArrayRef<float> values) {
  auto *bytes = reinterpret_cast<const uint8_t *>(values.data());
  return toHex(SHA256::hash({bytes, values.size() * sizeof(float)}), /*LowerCase=*/true);
}

/// In the order of the samples, in f64.
Error Calibrator::add(const OutputSet &outputs, const std::string &sample) {
  for (const TensorBuffer &buffer : outputs.buffers())
    for (auto [i, observed] : enumerate(report.observed)) {
      if (observed.output != buffer.getName())
        continue;
      auto *values = static_cast<const float *>(buffer.data());
      sums[i].resize(buffer.elements());
      for (size_t at = 0; at < sums[i].size(); ++at)
        sums[i][at] += values[at];
      if (!std::isfinite(std::accumulate(sums[i].begin(), sums[i].end(), 0.0)))
        return calibrationError(sample, "a product multiplies what is no number",
                                "finite activations",
                                "NaN or infinity before " + observed.nodes.front(),
                                "correct or remove the sample");
    }
  return Error::success();
}

Error Calibrator::runSample(const Sample &sample) {
  Expected<InputSet> inputs = sampleInputs(model.get(), sample, settings.option);
  if (!inputs)
    return inputs.takeError();
  if (!session) {
    SessionSettings how;
    how.threads = options.threads;
    std::vector<kiln_dim_range> ranges = how.ranges(model.get(), *inputs);
    Expected<Session> made = createSession(model.get(), how.options(ranges));
    if (!made)
      return made.takeError();
    session = std::move(*made);
  }
  Expected<OutputSet> outputs =
      OutputSet::create(model.get(), session.get(), inputs->tensors());
  if (!outputs)
    return outputs.takeError();
  KILN_CHECK(runOnce(session.get(), *inputs, *outputs));
  return add(*outputs, sample.name);
}

Expected<std::shared_ptr<const Calibration>> Calibrator::factorize() {
  std::vector<std::shared_ptr<CalibratedInput>> inputs(sums.size());
  DefaultThreadPool pool(hardware_concurrency(options.threads));
  for (size_t i = 0; i < sums.size(); ++i)
    pool.async([&, i] {
      auto input = std::make_shared<CalibratedInput>();
      input->k = int64_t(std::llround(std::sqrt(double(sums[i].size()))));
      input->factor = inverseCholesky(std::move(sums[i]), input->k, kDamping);
      input->hash = hashOf(input->factor);
      inputs[i] = std::move(input);
    });
  pool.wait();
  auto calibration = std::make_shared<Calibration>();
  for (auto [input, observed] : zip(inputs, report.observed)) {
    // Rounding may leave a Hessian that is not positive; then no weight is found from it.
    if (!all_of(input->factor, [](float element) { return std::isfinite(element); }))
      return calibrationError(settings.path, "the Hessian of a product has no factor",
                              "samples of about one size",
                              "the inputs of " + observed.nodes.front(),
                              "give more samples, or leave this product out by a policy");
    for (const std::string &node : observed.nodes)
      (*calibration)[node] = input;
  }
  return calibration;
}

Expected<std::shared_ptr<const Calibration>> Calibrator::run() {
  Expected<Samples> samples = readSamples(settings);
  if (!samples)
    return samples.takeError();
  KILN_CHECK(compileModel());
  if (report.observed.empty())
    return calibrationError(options.input, "the model has no product to calibrate",
                            "a product of activations and a weight", "none",
                            "leave --calib out");
  if (samples->text)
    KILN_CHECK(checkBytes(model.get(), settings.path));
  sums.resize(report.observed.size());
  for (const Sample &sample : samples->all)
    KILN_CHECK(runSample(sample));
  session.reset();
  model.reset();
  return factorize();
}

Expected<std::shared_ptr<const Calibration>>
driver::calibrate(const CompileOptions &options, const CalibrationSettings &settings) {
  return Calibrator(options, settings).run();
}
