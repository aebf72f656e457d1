//===- Combine.h - Combines two elements ------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Reference: the combining functions of reductions and scatters.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_REFERENCE_COMBINE_H
#define KILN_LIB_REFERENCE_COMBINE_H

#include "dialects/Graph/Graph.h"

#include <algorithm>
#include <cmath>

namespace kiln::reference {

/// Returns NaN if either side is NaN.
inline double maxOf(double x, double y) { return std::isnan(x) || x > y ? x : y; }
inline double minOf(double x, double y) { return std::isnan(x) || x < y ? x : y; }

/// Combines by the kind: sum, product, max or min; any other kind adds.
inline double combineFloats(graph::ReduceKind kind, double sum, double x) {
  switch (kind) {
  case graph::ReduceKind::max:
    return maxOf(x, sum);
  case graph::ReduceKind::min:
    return minOf(x, sum);
  case graph::ReduceKind::prod:
    return sum * x;
  default:
    return sum + x;
  }
}

/// Combines integers; sums and products wrap.
template <typename T> T combineIntegers(graph::ReduceKind kind, T sum, T x) {
  switch (kind) {
  case graph::ReduceKind::max:
    return std::max(sum, x);
  case graph::ReduceKind::min:
    return std::min(sum, x);
  case graph::ReduceKind::prod: // in 64 unsigned bits, where wrapping is defined
    return static_cast<T>(uint64_t(sum) * uint64_t(x));
  default:
    return static_cast<T>(uint64_t(sum) + uint64_t(x));
  }
}

} // namespace kiln::reference

#endif // KILN_LIB_REFERENCE_COMBINE_H
