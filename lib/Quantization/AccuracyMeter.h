//===- AccuracyMeter.h - Measurement of a package's accuracy ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_QUANTIZATION_ACCURACYMETER_H
#define KILN_LIB_QUANTIZATION_ACCURACYMETER_H

#include "kiln/Execution/Handles.h"
#include "kiln/Quantization/AccuracyBudget.h"
#include <memory>

namespace kiln::quantization {

/// Measures the accuracy of a model's packages against its full-precision package.
class AccuracyMeter {
public:
  /// Creates a meter. `full` is the full-precision package; `samples` is a path, or empty
  /// for random inputs. Errors: KILN-E0126 for samples that do not fit the model or the
  /// metric, and those of reading files.
  static llvm::Expected<std::unique_ptr<AccuracyMeter>>
  create(const AccuracyBudget &budget, const std::string &samples, uint64_t threads,
         execution::Model full);

  virtual ~AccuracyMeter() = default;

  /// Returns the loss of a package; with `quick`, on a limited number of samples.
  virtual llvm::Expected<double> loss(execution::Model model, bool quick) = 0;
  /// Returns true if the quick loss uses fewer samples.
  virtual bool hasQuick() const = 0;
  /// Describes the samples, for example "32768 tokens of a text".
  virtual std::string samples() const = 0;
};

} // namespace kiln::quantization

#endif // KILN_LIB_QUANTIZATION_ACCURACYMETER_H
