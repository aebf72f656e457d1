//===- SampleRunner.h - What a model computes on samples --------*- C++ -*-===//
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

/// A session of so many threads on this machine's CPU.
execution::SessionSettings sessionOf(uint64_t threads);

/// Samples of a path, as for --calib; without one, a sample is made up.
class SampleSource {
public:
  static llvm::Expected<SampleSource> create(const std::string &path);

  size_t size() const { return isMadeUp() ? 1 : list.all().size(); }
  bool isMadeUp() const { return path.empty(); }
  bool isText() const { return list.isText(); }
  llvm::ArrayRef<CalibrationSample> samples() const { return list.all(); }
  const std::string &getPath() const { return path; }
  /// As CalibrationSamples::fitTo; models with the same inputs may follow.
  llvm::Error fitTo(kiln_model *model);
  std::string describe() const;

private:
  std::string path;
  CalibrationSamples list;
};

/// Runs a model on samples. One with state gets tokens, from an empty state, and gives
/// logits for all of them; any other gets the inputs that calibration would give it.
class SampleRunner {
public:
  /// `source` has to outlive it.
  static llvm::Expected<std::unique_ptr<SampleRunner>>
  create(execution::Model model, SampleSource &source, uint64_t threads);

  virtual ~SampleRunner() = default;

  /// Names of the outputs that are compared: the logits if the model has some, else all
  /// of floats.
  virtual std::vector<std::string> outputs() const = 0;
  /// These outputs. Error: KILN-E0126 where one has an element that is no number.
  virtual llvm::Expected<std::vector<execution::OutputRows>> run(size_t sample) = 0;
};

} // namespace kiln::quantization

#endif // KILN_LIB_QUANTIZATION_SAMPLERUNNER_H
