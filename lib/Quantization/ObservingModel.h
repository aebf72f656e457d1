//===- ObservingModel.h - Model with observable activations -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_QUANTIZATION_OBSERVINGMODEL_H
#define KILN_LIB_QUANTIZATION_OBSERVINGMODEL_H

#include "CalibrationSamples.h"
#include "kiln/Execution/OutputSet.h"
#include "kiln/Execution/SessionSettings.h"
#include "kiln/Pipeline/Compile.h"
#include "llvm/Support/MemoryBuffer.h"

namespace kiln::quantization {

/// A model compiled in full precision, without state, whose outputs are statistics of the
/// matmuls' activations; for this machine, or for the GPUs among options.targets.
class ObservingModel {
public:
  ObservingModel(const CompileOptions &options, std::string device)
      : options(options), device(std::move(device)) {}

  llvm::Error compile(const Observation &observation);
  /// Returns the inputs of all matmuls, including those that are not observed.
  llvm::ArrayRef<ObservedInput> inputs() const { return report.observed; }
  kiln_model *get() const { return model.get(); }
  bool hasByteLogits() const { return report.hasByteLogits; }
  /// Returns the bytes of its package, whose file is already removed.
  llvm::StringRef package() const { return file->getBuffer(); }
  /// Returns the rows of each matmul's input in a run of the sample; nullopt where they
  /// do not follow from the shapes of the model's inputs.
  llvm::Expected<std::vector<std::optional<int64_t>>>
  rows(const CalibrationSample &sample) const;
  /// Returns the bytes of the values of each observed input in a run of the sample.
  llvm::Expected<std::vector<uint64_t>> valueBytes(const CalibrationSample &sample);
  /// Runs a sample and adds to the statistics of the observed inputs: sums [K, K], maxima
  /// [K], or states of a MagnitudeHistogram.
  llvm::Error run(const CalibrationSample &sample,
                  llvm::MutableArrayRef<std::vector<double>> sums);
  /// Frees the memory of runs.
  void release();

private:
  llvm::Error chooseTargets(std::vector<std::string> &out) const;
  execution::SessionSettings sessionFor(const execution::InputSet &inputs);
  llvm::Error add(const execution::OutputSet &outputs, const std::string &sample,
                  llvm::MutableArrayRef<std::vector<double>> sums) const;
  /// Returns the input that an output of the package observes, and its index among the
  /// observed inputs; null if there is none.
  std::pair<const ObservedInput *, size_t> observedBy(llvm::StringRef output) const;

  const CompileOptions &options;
  std::string device;
  CompileReport report;
  Observed what = Observed::Products;
  std::unique_ptr<llvm::MemoryBuffer> file;
  execution::Model model;
  execution::Session session;
  std::vector<int64_t> sizes; ///< sizes of the session, on a GPU
};

} // namespace kiln::quantization

#endif // KILN_LIB_QUANTIZATION_OBSERVINGMODEL_H
