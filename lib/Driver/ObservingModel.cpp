//===- ObservingModel.cpp - A model that says what it multiplies ----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ObservingModel.h"
#include "CalibrationError.h"
#include "SampleInputs.h"
#include "SessionOptions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

#include <cmath>
#include <numeric>

using namespace kiln;
using namespace kiln::driver;
using namespace llvm;

void ObservingModel::release() {
  session.reset();
  model.reset();
  file.reset();
}

Error ObservingModel::compile(const Observation &observation) {
  release();
  SmallString<128> package;
  if (std::error_code error =
          sys::fs::createTemporaryFile("kiln-calibration", "kiln", package))
    return makeError({ErrorCode::OutputNotWritable, std::string(package),
                      "the model cannot be written for calibration", "a temporary folder",
                      error.message(), "set TMPDIR to a folder with room"});
  // Gone when it has been mapped: whoever stops a calibration then leaves nothing.
  FileRemover remover(package);
  CompileOptions own;
  own.input = options.input;
  own.output = std::string(package);
  own.dims = options.dims;
  own.threads = options.threads;
  own.frozen = options.frozen;
  own.externalDataFrom = options.externalDataFrom;
  own.state.enabled = false;
  own.observation = observation;
  maxima = observation.maxima;
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

/// In the order of the samples, in f64; of maxima the largest.
Error ObservingModel::add(const OutputSet &outputs, const std::string &sample,
                          MutableArrayRef<std::vector<double>> sums) const {
  for (const TensorBuffer &buffer : outputs.buffers()) {
    auto observed = find_if(report.observed, [&](const ObservedInput &input) {
      return input.output == buffer.getName();
    });
    uint64_t number = 0;
    if (observed == report.observed.end() ||
        !to_integer(StringRef(observed->output).rsplit('.').second, number))
      continue;
    auto *values = static_cast<const float *>(buffer.data());
    std::vector<double> &sum = sums[number];
    double all = 0;
    for (size_t at = 0; at < sum.size(); ++at) {
      sum[at] = maxima ? std::max<double>(sum[at], values[at]) : sum[at] + values[at];
      all += values[at] + sum[at];
    }
    if (!std::isfinite(all))
      return calibrationError(sample, "a product multiplies what is no number",
                              "finite activations",
                              "NaN or infinity before " + observed->nodes.front(),
                              "correct or remove the sample");
  }
  return Error::success();
}

Error ObservingModel::run(const CalibrationSample &sample,
                          MutableArrayRef<std::vector<double>> sums) {
  Expected<SampleInputs> made = sampleInputs(model.get(), sample, "--calib");
  if (!made)
    return made.takeError();
  Expected<OutputSet> outputs =
      runInputs(model.get(), session, made->inputs, options.threads);
  if (!outputs)
    return asCalibrationError(outputs.takeError(), sample.name);
  return add(*outputs, sample.name, sums);
}
