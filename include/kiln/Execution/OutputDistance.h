//===- OutputDistance.h - How far outputs of two models are apart -*- C++ -*-===//
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

/// Quantity that is compared with the full-precision model.
enum class AccuracyMetric {
  Perplexity,   ///< its relative increase over a text
  Cosine,       ///< of rows of the outputs, the mean
  KLDivergence, ///< of the softmax of the logits, in nats, the mean over rows
  MaxError,     ///< of elements, as `kiln verify` defines it, the largest
};

/// An output of a run as rows of its last axis.
struct OutputRows {
  std::string name;
  size_t width = 1;
  std::vector<float> values;

  size_t count() const { return width ? values.size() / width : 0; }
  llvm::ArrayRef<float> row(size_t i) const {
    return llvm::ArrayRef(values).slice(i * width, width);
  }
};

/// 1 less the cosine of the angle between two rows: half the squared distance of their
/// directions, which keeps its digits where the angle is small and is 0 for equal rows.
/// A row of zeros is equal to itself and at a right angle to all others.
double cosineLoss(llvm::ArrayRef<float> expected, llvm::ArrayRef<float> found);
/// The logarithm of the sum of the exponentials of some logits.
double logSum(llvm::ArrayRef<float> logits);
/// The Kullback-Leibler divergence of softmax(found) from softmax(expected), in nats.
double klDivergence(llvm::ArrayRef<float> expected, llvm::ArrayRef<float> found);

/// Adds up how far outputs are from those of the full-precision model: the mean over rows
/// of cosineLoss or klDivergence, or the largest of compareElements' distances, which are
/// relative to an element or to the root mean square of its output in that run.
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
