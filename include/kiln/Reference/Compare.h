//===- Compare.h - Distance between tensors ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_REFERENCE_COMPARE_H
#define KILN_REFERENCE_COMPARE_H

#include "kiln/Reference/Tensor.h"

#include <string>

namespace kiln::reference {

struct Difference {
  /// Two elements agree if both are NaN, both are the same infinity, or their distance is
  /// at most the tolerance times the largest finite |reference|. Integers and booleans
  /// agree only if equal.
  bool same = true;
  /// False if types or shapes differ; nothing else is then compared.
  bool comparable = true;
  double maxAbsolute = 0;     ///< largest |a - b|; infinity if only one is finite
  double maxRelative = 0;     ///< maxAbsolute / the largest finite |reference|
  double relativeL2 = 0;      ///< |a - b|_2 / |reference|_2 over finite pairs
  int64_t firstMismatch = -1; ///< row-major, -1 if none
  int64_t mismatches = 0;
  double found = 0, expected = 0; ///< at the first mismatch

  /// Returns text such as "max error 1e-3 (relative 2e-4), first at [0, 1]: expected 3,
  /// found 4".
  std::string str(llvm::ArrayRef<int64_t> shape) const;
};

/// Compares a tensor with the reference; `tolerance` is relative, see Difference.
Difference compare(const Tensor &found, const Tensor &reference, double tolerance);

} // namespace kiln::reference

#endif // KILN_REFERENCE_COMPARE_H
