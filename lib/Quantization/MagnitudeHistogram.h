//===- MagnitudeHistogram.h - How large numbers are -------------*- C++ -*-===//
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

/// Counts of magnitudes in bins of one width. The width is the power of two with which
/// the largest magnitude so far is in the upper half of the bins; when a larger one
/// comes, bins are merged. So counts depend on which numbers were added, and not on their
/// order.
class MagnitudeHistogram {
public:
  static constexpr size_t kBins = 4096;
  /// Elements of a state: the largest magnitude, how many numbers, and counts.
  static constexpr size_t kSize = 2 + kBins;

  /// Keeps the histogram in `state`, the caller's kSize numbers that are 0 at first.
  explicit MagnitudeHistogram(llvm::MutableArrayRef<double> state) : state(state) {}

  /// False, and nothing is added, if a number is NaN or infinite.
  [[nodiscard]] bool add(llvm::ArrayRef<float> numbers);

  double max() const { return state[0]; }
  double width() const { return widthFor(max()); }
  uint64_t count() const { return static_cast<uint64_t>(state[1]); }
  /// Bin i has magnitudes from i * width() to less than (i + 1) * width().
  llvm::ArrayRef<double> bins() const {
    return llvm::ArrayRef<double>(state).drop_front(2);
  }
  /// Up to the one of the largest magnitude.
  llvm::ArrayRef<double> usedBins() const;
  /// Numbers whose magnitudes are at least `limit`, which is the edge of a bin, or more
  /// than the largest one.
  uint64_t countFrom(double limit) const;

private:
  static double widthFor(double max);
  void grow(double max);

  llvm::MutableArrayRef<double> state;
};

} // namespace kiln::quantization

#endif // KILN_LIB_QUANTIZATION_MAGNITUDEHISTOGRAM_H
