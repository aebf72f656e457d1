//===- MagnitudeHistogram.cpp - Histograms of magnitudes ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MagnitudeHistogram.h"

#include <cmath>

using namespace kiln::quantization;
using namespace llvm;

/// Returns the width for which max / width is in [kBins / 2, kBins).
double MagnitudeHistogram::widthFor(double max) {
  return max > 0 ? std::ldexp(2.0 / kBins, std::ilogb(max)) : 1;
}

/// Merges bins. Each goes into a single new one, because widths are powers of two.
void MagnitudeHistogram::grow(double max) {
  auto factor =
      static_cast<size_t>(std::min<double>(widthFor(max) / widthFor(state[0]), kBins));
  bool hasWidth = state[0] > 0; // zeros are in bin 0 for any width
  state[0] = max;
  MutableArrayRef<double> bins = state.drop_front(2);
  if (!hasWidth || factor == 1)
    return;
  for (size_t i = 1; i < kBins; ++i) {
    double count = bins[i];
    bins[i] = 0;
    bins[i / factor] += count;
  }
}

bool MagnitudeHistogram::add(ArrayRef<float> numbers) {
  float largest = 0;
  bool isFinite = true;
  for (float number : numbers) {
    isFinite &= std::isfinite(number);
    largest = std::max(largest, std::fabs(number));
  }
  if (!isFinite)
    return false;
  if (largest > state[0])
    grow(largest);
  double inverse = 1 / width();
  double *bins = state.data() + 2;
  for (float number : numbers)
    ++bins[static_cast<size_t>(double(std::fabs(number)) * inverse)];
  state[1] += double(numbers.size());
  return true;
}

ArrayRef<double> MagnitudeHistogram::usedBins() const {
  return bins().take_front(static_cast<size_t>(max() / width()) + 1);
}

uint64_t MagnitudeHistogram::countFrom(double limit) const {
  if (limit > max())
    return 0;
  uint64_t count = 0;
  for (double bin : bins().drop_front(static_cast<size_t>(limit / width())))
    count += static_cast<uint64_t>(bin);
  return count;
}
