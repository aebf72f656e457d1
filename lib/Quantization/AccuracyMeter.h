//===- AccuracyMeter.h - Packages measured on samples -----------*- C++ -*-===//
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

/// Measures packages of a model against its full-precision package.
class AccuracyMeter {
public:
  /// `full` is the full-precision package. `samples` is a path, or empty for inputs that
  /// are made up. Errors: KILN-E0126 for samples that do not fit the model or the metric,
  /// and those of reading files.
  static llvm::Expected<std::unique_ptr<AccuracyMeter>>
  create(const AccuracyBudget &budget, const std::string &samples, uint64_t threads,
         execution::Model full);

  virtual ~AccuracyMeter() = default;

  /// The loss of a package. quick: over at most so many samples as blame needs.
  virtual llvm::Expected<double> loss(execution::Model model, bool quick) = 0;
  /// True if the quick loss is over fewer samples.
  virtual bool hasQuick() const = 0;
  /// Describes what packages are measured on: "32768 tokens of a text".
  virtual std::string samples() const = 0;
};

} // namespace kiln::quantization

#endif // KILN_LIB_QUANTIZATION_ACCURACYMETER_H
