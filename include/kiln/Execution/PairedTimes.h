//===- PairedTimes.h - Is one thing faster than another ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two things that are measured in turns, A B A B ..., suffer alike from other work on
// the machine and from clocks that change, so the ratio of a pair says more than either
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
  /// The median of second / first; 1 if nothing was measured.
  double medianRatio() const;
  /// The second is faster by more than `margin`, and in four pairs of five faster at all.
  bool isSecondFaster(double margin) const;

private:
  std::vector<double> firsts, seconds, ratios;
};

} // namespace kiln::execution

#endif // KILN_EXECUTION_PAIREDTIMES_H
