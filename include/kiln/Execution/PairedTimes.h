//===- PairedTimes.h - Comparison of paired measurements --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two alternated measurements, A B A B ..., are affected equally by other work on the
// machine and by changing clocks, so the ratio of a pair is more reliable than either
// time.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_EXECUTION_PAIREDTIMES_H
#define KILN_EXECUTION_PAIREDTIMES_H

#include <cstddef>
#include <vector>

namespace kiln::execution {

class PairedTimes {
public:
  void add(double first, double second);

  std::size_t count() const { return ratios.size(); }
  double medianFirst() const;
  double medianSecond() const;
  /// Returns the median of second / first; 1 without measurements.
  double medianRatio() const;
  /// Whether the second is faster by more than `margin`, and faster in at least four of
  /// five pairs.
  bool isSecondFaster(double margin) const;

private:
  std::vector<double> firsts, seconds, ratios;
};

} // namespace kiln::execution

#endif // KILN_EXECUTION_PAIREDTIMES_H
