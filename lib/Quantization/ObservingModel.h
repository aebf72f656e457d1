//===- ObservingModel.h - A model that says what it multiplies --*- C++ -*-===//
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

/// A model that is compiled in full precision, without state, so that its results say
/// what products multiply: for this machine, or for the GPUs among options.targets.
class ObservingModel {
public:
  ObservingModel(const CompileOptions &options, std::string device)
      : options(options), device(std::move(device)) {}

  llvm::Error compile(const Observation &observation);
  /// Inputs of all products, also of those that are not observed.
  llvm::ArrayRef<ObservedInput> inputs() const { return report.observed; }
  kiln_model *get() const { return model.get(); }
  bool hasByteLogits() const { return report.hasByteLogits; }
  /// The bytes of its package, which has no name any more.
  llvm::StringRef package() const { return file->getBuffer(); }
  /// Rows of each input of products in a run of the sample; none where they do not follow
  /// from the shapes of the model's inputs.
  llvm::Expected<std::vector<std::optional<int64_t>>>
  rows(const CalibrationSample &sample) const;
  /// Bytes of the values of each observed input, in a run of the sample.
  llvm::Expected<std::vector<uint64_t>> valueBytes(const CalibrationSample &sample);
  /// Runs a sample and adds to the sums, which are of the inputs that are observed: [K,
  /// K], or the largest of all samples, [K], or states of a MagnitudeHistogram.
  llvm::Error run(const CalibrationSample &sample,
                  llvm::MutableArrayRef<std::vector<double>> sums);
  /// Gives back the memory of runs.
  void release();

private:
  llvm::Error chooseTargets(std::vector<std::string> &out) const;
  execution::SessionSettings sessionFor(const execution::InputSet &inputs);
  llvm::Error add(const execution::OutputSet &outputs, const std::string &sample,
                  llvm::MutableArrayRef<std::vector<double>> sums) const;
  /// The input that an output of the package observes, and its number among those that
  /// are observed; null: none.
  std::pair<const ObservedInput *, size_t> observedBy(llvm::StringRef output) const;

  const CompileOptions &options;
  std::string device;
  CompileReport report;
  Observed what = Observed::Products;
  std::unique_ptr<llvm::MemoryBuffer> file;
  execution::Model model;
  execution::Session session;
  std::vector<int64_t> sizes; ///< of the session's symbols, on a GPU
};

} // namespace kiln::quantization

#endif // KILN_LIB_QUANTIZATION_OBSERVINGMODEL_H
