//===- MagnitudeHistogram.h - Histograms of magnitudes ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_QUANTIZATION_MAGNITUDEHISTOGRAM_H
#define KILN_LIB_QUANTIZATION_MAGNITUDEHISTOGRAM_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace kiln::quantization {

/// Histogram of magnitudes with equal bins. The width is the power of two for which the
/// maximum so far is in the upper half of the bins; a new maximum may merge bins. Counts
/// therefore do not depend on the order of insertion.
class MagnitudeHistogram {
public:
  static constexpr size_t kBins = 4096;
  /// Elements of a state: the maximum, the number of values, and the counts.
  static constexpr size_t kSize = 2 + kBins;

  /// Uses `state` for storage, kSize elements of the caller that are initially 0.
  explicit MagnitudeHistogram(llvm::MutableArrayRef<double> state) : state(state) {}

  /// Returns false, and adds nothing, if a value is NaN or infinite.
  [[nodiscard]] bool add(llvm::ArrayRef<float> numbers);

  double max() const { return state[0]; }
  double width() const { return widthFor(max()); }
  uint64_t count() const { return static_cast<uint64_t>(state[1]); }
  /// Returns the counts; bin i is [i * width(), (i + 1) * width()).
  llvm::ArrayRef<double> bins() const {
    return llvm::ArrayRef<double>(state).drop_front(2);
  }
  /// Returns the bins up to that of the maximum.
  llvm::ArrayRef<double> usedBins() const;
  /// Returns the number of values of at least `limit`, which must be a bin's edge or
  /// greater than the maximum.
  uint64_t countFrom(double limit) const;

private:
  static double widthFor(double max);
  void grow(double max);

  llvm::MutableArrayRef<double> state;
};

} // namespace kiln::quantization

#endif // KILN_LIB_QUANTIZATION_MAGNITUDEHISTOGRAM_H
