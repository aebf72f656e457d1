//===- AccuracyBudget.h - Accuracy budget of a compile ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_QUANTIZATION_ACCURACYBUDGET_H
#define KILN_QUANTIZATION_ACCURACYBUDGET_H

#include "kiln/Execution/OutputDistance.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace kiln::quantization {

/// The value of --accuracy, "METRIC<=LIMIT[:SAMPLES]".
///
/// The loss is the metric itself, or 1 - cosine. Losses are compared; equal models have
/// loss 0.
struct AccuracyBudget {
  execution::AccuracyMetric metric = execution::AccuracyMetric::Perplexity;
  double limit = 0;      ///< as written: 0.01 for 1%, 0.999 for the cosine
  std::string condition; ///< METRIC<=LIMIT
  std::string samples;   ///< a path; empty: not given

  /// Parses the option. Errors: KILN-E0001.
  static llvm::Expected<AccuracyBudget> parse(llvm::StringRef text);

  /// Returns "ppl", "cosine", "kl" or "max".
  llvm::StringRef metricName() const;
  double allowedLoss() const;
  bool holds(double loss) const { return loss <= allowedLoss(); }
  /// Converts a loss to the metric.
  double valueOf(double loss) const;
  /// Converts the metric to a loss; the conversion is its own inverse.
  double lossOf(double value) const { return valueOf(value); }
  /// Describes a loss: "perplexity +0.84 %", "mean cosine 0.99912".
  std::string describe(double loss) const;
  /// Describes a difference of losses: "0.021 %", "0.00012".
  std::string describeBlame(double loss) const;
};

} // namespace kiln::quantization

#endif // KILN_QUANTIZATION_ACCURACYBUDGET_H
