//===- AccuracyBudget.h - What a compile may cost ---------------*- C++ -*-===//
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
/// A loss is what the metric lost: the metric itself, but for the cosine, of which it is
/// what it is below 1. Losses are compared, and equal models have the loss 0.
struct AccuracyBudget {
  execution::AccuracyMetric metric = execution::AccuracyMetric::Perplexity;
  double limit = 0;      ///< as in the text: 0.01 for 1%, 0.999 for the cosine
  std::string condition; ///< the text without the samples
  std::string samples;   ///< a path; empty: none is given

  /// Errors: KILN-E0001.
  static llvm::Expected<AccuracyBudget> parse(llvm::StringRef text);

  /// "ppl", "cosine", "kl" or "max".
  llvm::StringRef metricName() const;
  double allowedLoss() const;
  bool holds(double loss) const { return loss <= allowedLoss(); }
  /// The metric where the loss is this.
  double valueOf(double loss) const;
  /// The loss where the metric is this.
  double lossOf(double value) const { return valueOf(value); }
  /// "perplexity +0.84 %", "mean cosine 0.99912".
  std::string describe(double loss) const;
  /// Describes a difference of losses: "0.021 %", "0.00012".
  std::string describeBlame(double loss) const;
};

} // namespace kiln::quantization

#endif // KILN_QUANTIZATION_ACCURACYBUDGET_H
