//===- SampleRunner.h - Runs of a model on samples --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_QUANTIZATION_SAMPLERUNNER_H
#define KILN_LIB_QUANTIZATION_SAMPLERUNNER_H

#include "CalibrationSamples.h"
#include "kiln/Execution/Handles.h"
#include "kiln/Execution/OutputDistance.h"
#include "kiln/Execution/SessionSettings.h"
#include <memory>

namespace kiln::quantization {

/// Returns settings of a session with `threads` threads on this machine's CPU.
execution::SessionSettings sessionOf(uint64_t threads);

/// Samples of a path, as for --calib, or a random sample if there is no path.
class SampleSource {
public:
  static llvm::Expected<SampleSource> create(const std::string &path);

  size_t size() const { return isMadeUp() ? 1 : list.all().size(); }
  bool isMadeUp() const { return path.empty(); }
  bool isText() const { return list.isText(); }
  llvm::ArrayRef<CalibrationSample> samples() const { return list.all(); }
  const std::string &getPath() const { return path; }
  /// Like CalibrationSamples::fitTo. May be called again for models with the same inputs.
  llvm::Error fitTo(kiln_model *model);
  std::string describe() const;

private:
  std::string path;
  CalibrationSamples list;
};

/// Runs a model on samples. A model with state starts with an empty state, gets tokens,
/// and returns the logits of all of them; any other model gets the inputs of calibration.
class SampleRunner {
public:
  /// `source` must outlive the runner.
  static llvm::Expected<std::unique_ptr<SampleRunner>>
  create(execution::Model model, SampleSource &source, uint64_t threads);

  virtual ~SampleRunner() = default;

  /// Returns the names of the outputs to compare: the logits if there are any, else all
  /// float outputs.
  virtual std::vector<std::string> outputs() const = 0;
  /// Returns these outputs for a sample. Error: KILN-E0126 if one has an element that is
  /// NaN or infinite.
  virtual llvm::Expected<std::vector<execution::OutputRows>> run(size_t sample) = 0;
};

} // namespace kiln::quantization

#endif // KILN_LIB_QUANTIZATION_SAMPLERUNNER_H
