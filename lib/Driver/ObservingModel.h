//===- ObservingModel.h - A model that says what it multiplies --*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_OBSERVINGMODEL_H
#define KILN_LIB_DRIVER_OBSERVINGMODEL_H

#include "CalibrationSamples.h"
#include "OutputSet.h"
#include "kiln/Pipeline/Compile.h"
#include "llvm/Support/MemoryBuffer.h"

namespace kiln::driver {

/// A model that is compiled for this machine in full precision, without state, so that
/// its results are X^T X of what products multiply, or the largest magnitudes of columns.
class ObservingModel {
public:
  explicit ObservingModel(const CompileOptions &options) : options(options) {}

  llvm::Error compile(const Observation &observation);
  /// Of all products, those too that are not observed.
  llvm::ArrayRef<ObservedInput> inputs() const { return report.observed; }
  kiln_model *get() const { return model.get(); }
  bool hasByteLogits() const { return report.hasByteLogits; }
  /// The bytes of its package, which has no name any more.
  llvm::StringRef package() const { return file->getBuffer(); }
  /// Runs a sample and adds to the sums, which are of the inputs that are observed: [K,
  /// K], or the largest of all samples, [K].
  llvm::Error run(const CalibrationSample &sample,
                  llvm::MutableArrayRef<std::vector<double>> sums);
  /// Gives back the memory of runs.
  void release();

private:
  llvm::Error add(const OutputSet &outputs, const std::string &sample,
                  llvm::MutableArrayRef<std::vector<double>> sums) const;

  const CompileOptions &options;
  CompileReport report;
  bool maxima = false;
  std::unique_ptr<llvm::MemoryBuffer> file;
  Model model;
  Session session;
};

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_OBSERVINGMODEL_H
