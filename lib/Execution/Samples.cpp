//===- Samples.cpp - Statistics of measured times -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Execution/Samples.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace kiln::execution;

Samples::Samples(std::vector<double> seconds) : sorted(std::move(seconds)) {
  std::sort(sorted.begin(), sorted.end());
}

double Samples::percentile(double percent) const {
  double rank = std::ceil(percent / 100 * static_cast<double>(count()));
  return sorted[static_cast<size_t>(std::max(rank, 1.0)) - 1];
}

double Samples::mean() const {
  return std::accumulate(sorted.begin(), sorted.end(), 0.0) /
         static_cast<double>(count());
}

double Samples::variation() const {
  auto end = std::upper_bound(sorted.begin(), sorted.end(), percentile(99));
  auto kept = static_cast<double>(end - sorted.begin());
  double average = std::accumulate(sorted.begin(), end, 0.0) / kept;
  double squares = 0;
  for (auto x = sorted.begin(); x != end; ++x)
    squares += (*x - average) * (*x - average);
  return average > 0 ? std::sqrt(squares / kept) / average : 0;
}
