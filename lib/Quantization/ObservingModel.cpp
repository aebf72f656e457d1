//===- ObservingModel.cpp - Model with observable activations -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ObservingModel.h"
#include "MagnitudeHistogram.h"
#include "SampleInputs.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Execution/DimExpr.h"
#include "kiln/Execution/SampleError.h"
#include "kiln/Execution/Status.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/UsageError.h"
#include "kiln/Target/TargetInfo.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

#include <cmath>
#include <numeric>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::quantization;
using namespace llvm;

void ObservingModel::release() {
  session.reset();
  model.reset();
  file.reset();
}

/// Selects the GPUs of the options; otherwise the default, a CPU.
Error ObservingModel::chooseTargets(std::vector<std::string> &out) const {
  if (device == "cpu")
    return Error::success();
  out.clear();
  for (const std::string &target : options.targets.names)
    if (std::optional<TargetInfo> info = TargetInfo::find(target); info && info->gpu)
      out.push_back(target);
  if (!out.empty())
    return Error::success();
  return usageError("kiln compile: --calib-device", "samples cannot run on " + device,
                    "a GPU among the targets",
                    "--target " + join(options.targets.names, ","),
                    "add for example --target native,sm_90a, or leave it out");
}

Error ObservingModel::compile(const Observation &observation) {
  release();
  SmallString<128> package;
  if (std::error_code error =
          sys::fs::createTemporaryFile("kiln-calibration", "kiln", package))
    return makeError({ErrorCode::OutputNotWritable, std::string(package),
                      "the model cannot be written for calibration", "a temporary folder",
                      error.message(), "set TMPDIR to a folder with room"});
  // The file is removed once it is mapped, so that an interrupted calibration leaves
  // none.
  FileRemover remover(package);
  CompileOptions own;
  own.input = options.input;
  own.output = std::string(package);
  own.dims = options.dims;
  own.threads = options.threads;
  own.frozen = options.frozen;
  own.externalDataFrom = options.externalDataFrom;
  own.state.enabled = false;
  own.precision.observation = observation;
  KILN_CHECK(chooseTargets(own.targets.names));
  what = observation.what;
  own.diagnose = [](mlir::Diagnostic &) {};
  report = CompileReport();
  KILN_CHECK(kiln::compile(own, report));
  SessionSettings how;
  how.trustWeights = true;
  Expected<Model> loaded = loadModel(own.output, how.modelOptions());
  if (!loaded)
    return loaded.takeError();
  model = std::move(*loaded);
  auto mapped = MemoryBuffer::getFile(package, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!mapped)
    return errorCodeToError(mapped.getError());
  file = std::move(*mapped);
  return Error::success();
}

std::pair<const ObservedInput *, size_t>
ObservingModel::observedBy(StringRef output) const {
  auto observed = find_if(report.observed, [&](const ObservedInput &input) {
    return input.output == output;
  });
  size_t number = 0;
  if (observed == report.observed.end() || !to_integer(output.rsplit('.').second, number))
    return {nullptr, 0};
  return {&*observed, number};
}

/// Adds the result of a run: X^T X, maxima or values. Returns false if it has a NaN or an
/// infinity.
static bool addTo(std::vector<double> &sum, const TensorBuffer &buffer, Observed what) {
  auto *values = static_cast<const float *>(buffer.data());
  if (what == Observed::Values)
    return MagnitudeHistogram(sum).add(ArrayRef(values, buffer.elements()));
  double all = 0;
  for (size_t at = 0; at < sum.size(); ++at) {
    sum[at] = what == Observed::Maxima ? std::max<double>(sum[at], values[at])
                                       : sum[at] + values[at];
    all += values[at] + sum[at];
  }
  return std::isfinite(all);
}

/// Adds up in f64 and in the order of the samples; takes the maximum of maxima.
Error ObservingModel::add(const OutputSet &outputs, const std::string &sample,
                          MutableArrayRef<std::vector<double>> sums) const {
  for (const TensorBuffer &buffer : outputs.buffers()) {
    auto [input, number] = observedBy(buffer.getName());
    if (input && !addTo(sums[number], buffer, what))
      return sampleError(sample, "a product multiplies what is no number",
                         "finite activations",
                         "NaN or infinity before " + input->nodes.front(),
                         "correct or remove the sample");
  }
  return Error::success();
}

/// Returns the values of the symbols that are dims of inputs.
static SymbolValues symbolsOf(kiln_model *model, const InputSet &inputs) {
  SymbolValues symbols;
  for (const kiln_tensor &tensor : inputs.tensors())
    for (unsigned i = 0; i < inputCount(model); ++i)
      if (const kiln_tensor_info *info = kiln_model_input(model, i);
          StringRef(info->name) == tensor.name)
        for (unsigned d = 0; d < info->rank; ++d)
          symbols[info->dims[d].expr] = tensor.shape[d];
  return symbols;
}

Expected<std::vector<std::optional<int64_t>>>
ObservingModel::rows(const CalibrationSample &sample) const {
  Expected<SampleInputs> made = sampleInputs(model.get(), sample, "--calib");
  if (!made)
    return made.takeError();
  SymbolValues symbols = symbolsOf(model.get(), made->inputs);
  std::vector<std::optional<int64_t>> rows;
  for (const ObservedInput &input : inputs())
    rows.push_back(evaluateDim(input.rows, symbols));
  return rows;
}

/// Returns the settings of a session. On a GPU, a session has memory for fixed sizes, so
/// another sample may need a new session.
SessionSettings ObservingModel::sessionFor(const InputSet &inputs) {
  SessionSettings how;
  how.device = device;
  how.threads = options.threads;
  if (std::vector<int64_t> own = inputs.symbolList(model.get());
      device != "cpu" && own != sizes) {
    session.reset();
    sizes = std::move(own);
  }
  return how;
}

Expected<std::vector<uint64_t>>
ObservingModel::valueBytes(const CalibrationSample &sample) {
  Expected<SampleInputs> made = sampleInputs(model.get(), sample, "--calib");
  if (!made)
    return made.takeError();
  KILN_CHECK(openSession(model.get(), session, made->inputs, sessionFor(made->inputs)));
  ArrayRef<kiln_tensor> given = made->inputs.tensors();
  std::vector<kiln_shape> shapes(outputCount(model.get()));
  if (Error error = toError(kiln_session_output_shapes(
          session.get(), given.data(), given.size(), shapes.data(), shapes.size())))
    return asSampleError(std::move(error), sample.name);
  std::vector<uint64_t> bytes(inputs().size());
  for (auto [i, shape] : enumerate(shapes))
    if (auto [input, number] = observedBy(kiln_model_output(model.get(), i)->name); input)
      bytes[number] = shape.bytes;
  return bytes;
}

Error ObservingModel::run(const CalibrationSample &sample,
                          MutableArrayRef<std::vector<double>> sums) {
  Expected<SampleInputs> made = sampleInputs(model.get(), sample, "--calib");
  if (!made)
    return made.takeError();
  Expected<OutputSet> outputs =
      runInputs(model.get(), session, made->inputs, sessionFor(made->inputs));
  if (!outputs)
    return asSampleError(outputs.takeError(), sample.name);
  return add(*outputs, sample.name, sums);
}
