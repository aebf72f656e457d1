//===- RangeEstimate.cpp - Range of static scales -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RangeEstimate.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace kiln;
using namespace kiln::quantization;
using namespace llvm;

static constexpr size_t kFirstCandidate = 128, kCandidateStep = 8;
static constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Returns the magnitude that represents a bin; bin 0 represents zeros.
static double middleOf(size_t bin, double width) {
  return bin == 0 ? 0 : (double(bin) + 0.5) * width;
}

/// Returns the quantized value of a magnitude. The scale maps `limit` to the largest
/// quantized value.
static double codeOf(double x, double limit, RangeCode code) {
  if (code == RangeCode::Int8)
    return std::min(std::nearbyint(x / limit * 127), 127.0);
  double scaled = std::min(x / limit * 448, 448.0);
  if (scaled == 0)
    return 0;
  double step = std::ldexp(1, std::max(std::ilogb(scaled), -6) - 3);
  return std::nearbyint(scaled / step) * step;
}

static double squaredError(ArrayRef<double> bins, double width, double limit,
                           RangeCode code) {
  double scale = limit / largestCode(code), sum = 0;
  for (auto [i, count] : enumerate(bins)) {
    if (count == 0)
      continue;
    double x = middleOf(i, width), error = x - codeOf(x, limit, code) * scale;
    sum += count * error * error;
  }
  return sum;
}

/// Returns the Kullback-Leibler divergence of the quantized distribution from the first
/// `kept` bins, the last of which includes all saturated values. Quantization spreads the
/// count of a quantized value evenly over its non-empty bins. Infinite if it leaves a
/// non-empty bin without any count.
static double divergence(ArrayRef<double> bins, size_t kept, double width, double limit,
                         RangeCode code) {
  std::vector<double> reference(bins.begin(), bins.begin() + kept);
  double total = 0, within = 0;
  for (double count : bins.drop_front(kept))
    reference.back() += count;
  for (double count : bins)
    total += count;
  for (double count : bins.take_front(kept))
    within += count;
  double sum = 0;
  for (size_t begin = 0, end; begin < kept; begin = end) {
    double own = codeOf(middleOf(begin, width), limit, code), ofCode = 0;
    size_t filled = 0;
    for (end = begin; end < kept && codeOf(middleOf(end, width), limit, code) == own;
         ++end) {
      ofCode += bins[end];
      filled += reference[end] > 0;
    }
    for (double count : ArrayRef(reference).slice(begin, end - begin)) {
      if (count == 0)
        continue;
      if (ofCode == 0)
        return kInfinity;
      double p = count / total, q = ofCode / double(filled) / within;
      sum += p * std::log(p / q);
    }
  }
  return sum;
}

static double percentile(const MagnitudeHistogram &histogram, double percent) {
  double wanted = std::ceil(percent / 100 * double(histogram.count())), covered = 0;
  for (auto [i, count] : enumerate(histogram.bins())) {
    covered += count;
    if (covered >= wanted)
      return std::min(double(i + 1) * histogram.width(), histogram.max());
  }
  return histogram.max();
}

static double search(const MagnitudeHistogram &histogram, RangeMethod::Kind kind,
                     RangeCode code) {
  ArrayRef<double> bins = histogram.usedBins();
  double width = histogram.width(), best = histogram.max(), loss = kInfinity;
  auto consider = [&](size_t kept, double limit) {
    double own = kind == RangeMethod::Mse ? squaredError(bins, width, limit, code)
                                          : divergence(bins, kept, width, limit, code);
    if (own <= loss) {
      loss = own;
      best = limit;
    }
  };
  for (size_t kept = kFirstCandidate; kept < bins.size(); kept += kCandidateStep)
    consider(kept, double(kept) * width);
  consider(bins.size(), histogram.max());
  return best;
}

ActivationRange quantization::estimateRange(const MagnitudeHistogram &histogram,
                                            const RangeMethod &method, RangeCode code) {
  double limit = histogram.max();
  if (limit > 0 && method.kind == RangeMethod::Percentile)
    limit = percentile(histogram, method.percentile);
  else if (limit > 0 && method.kind != RangeMethod::Max)
    limit = search(histogram, method.kind, code);
  uint64_t saturated = limit < histogram.max() ? histogram.countFrom(limit) : 0;
  return {limit, histogram.count(), saturated};
}
