//===- Samples.h - Statistics of measured times -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_EXECUTION_SAMPLES_H
#define KILN_EXECUTION_SAMPLES_H

#include <cstddef>
#include <vector>

namespace kiln::execution {

/// Seconds of repeated runs.
class Samples {
public:
  explicit Samples(std::vector<double> seconds);

  std::size_t count() const { return sorted.size(); }
  double min() const { return sorted.front(); }
  double max() const { return sorted.back(); }
  /// Returns the smallest sample that at least `percent` percent of all samples do not
  /// exceed.
  double percentile(double percent) const;
  double median() const { return percentile(50); }
  double mean() const;
  /// Standard deviation divided by the mean, without the slowest percent of samples,
  /// because a single interruption says nothing about the others.
  double variation() const;

private:
  std::vector<double> sorted;
};

} // namespace kiln::execution

#endif // KILN_EXECUTION_SAMPLES_H
