//===- OutputDistance.h - Distance between outputs of models ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_EXECUTION_OUTPUTDISTANCE_H
#define KILN_EXECUTION_OUTPUTDISTANCE_H

#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace kiln::execution {

/// Metric in which a model is compared with the full-precision model.
enum class AccuracyMetric {
  Perplexity,   ///< relative increase of the perplexity of a text
  Cosine,       ///< mean over rows of the outputs
  KLDivergence, ///< of the softmax of the logits, in nats; mean over rows
  MaxError,     ///< maximum over elements of the distance that `kiln verify` defines
};

/// An output of a run, divided into rows along its last axis.
struct OutputRows {
  std::string name;
  size_t width = 1;
  std::vector<float> values;

  size_t count() const { return width ? values.size() / width : 0; }
  llvm::ArrayRef<float> row(size_t i) const {
    return llvm::ArrayRef(values).slice(i * width, width);
  }
};

/// 1 minus the cosine of the angle between two rows: half the squared distance of their
/// directions, which keeps its digits where the angle is small and is 0 for equal rows. A
/// row of zeros has loss 0 to itself and 1 to all other rows.
double cosineLoss(llvm::ArrayRef<float> expected, llvm::ArrayRef<float> found);
/// Returns log(sum(exp(logits))).
double logSum(llvm::ArrayRef<float> logits);
/// The Kullback-Leibler divergence of softmax(found) from softmax(expected), in nats.
double klDivergence(llvm::ArrayRef<float> expected, llvm::ArrayRef<float> found);

/// Accumulates the distance of outputs from those of the full-precision model: the mean
/// over rows of cosineLoss or klDivergence, or the largest of compareElements' distances,
/// which are relative to an element or to the root mean square of its output in that run.
class OutputDistance {
public:
  explicit OutputDistance(AccuracyMetric metric) : metric(metric) {}
  void add(const OutputRows &expected, const OutputRows &found);
  double value() const;

private:
  AccuracyMetric metric;
  double sum = 0, max = 0;
  size_t rows = 0;
};

} // namespace kiln::execution

#endif // KILN_EXECUTION_OUTPUTDISTANCE_H
