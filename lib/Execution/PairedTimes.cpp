//===- PairedTimes.cpp - Comparison of two run times ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Execution/PairedTimes.h"
#include "kiln/Execution/Samples.h"
#include <algorithm>

using namespace kiln::execution;

void PairedTimes::add(double first, double second) {
  firsts.push_back(first);
  seconds.push_back(second);
  if (first > 0)
    ratios.push_back(second / first);
}

double PairedTimes::medianFirst() const {
  return firsts.empty() ? 0 : Samples(firsts).median();
}

double PairedTimes::medianSecond() const {
  return seconds.empty() ? 0 : Samples(seconds).median();
}

double PairedTimes::medianRatio() const {
  return ratios.empty() ? 1 : Samples(ratios).median();
}

bool PairedTimes::isSecondFaster(double margin) const {
  auto faster =
      std::count_if(ratios.begin(), ratios.end(), [](double ratio) { return ratio < 1; });
  return medianRatio() < 1 - margin && faster * 5 >= static_cast<long>(ratios.size()) * 4;
}
