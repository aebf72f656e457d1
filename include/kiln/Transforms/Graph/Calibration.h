//===- Calibration.h - What samples say of products -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_GRAPH_CALIBRATION_H
#define KILN_TRANSFORMS_GRAPH_CALIBRATION_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kiln {

/// Which of the inputs of products are observed: from `first` on, as many as have
/// `elements` in all, but one at least.
struct Observation {
  uint64_t first = 0;
  uint64_t elements = std::numeric_limits<uint64_t>::max();
  /// The largest magnitude of each of the K columns, in place of X^T X.
  bool maxima = false;

  /// Of what is observed of rows of K numbers.
  uint64_t elementsOf(int64_t k) const { return maxima ? k : uint64_t(k) * uint64_t(k); }
};

/// What some products multiply: rows X of K numbers.
struct ObservedInput {
  /// That `kiln-observe-products` added, X^T X or maxima; empty: it did not.
  std::string output;
  int64_t k = 0;
  std::vector<std::string> nodes; ///< of the products
};

/// The file of weights that are matrices of a Calibration; they are found by their hash.
inline constexpr llvm::StringLiteral kCalibrationFile = "<calibration>";

/// Of the left operand of products, over all samples.
struct CalibratedInput {
  int64_t k = 0;
  /// Has, from `offset` on, [K, K] of f32, row-major. For GPTQ the upper Cholesky factor
  /// U of the inverse of the damped Hessian H = X^T X, H^-1 = U^T U; for AWQ H. For
  /// SmoothQuant [K] of f32: the largest magnitude of each column of X.
  std::string file;
  uint64_t offset = 0; ///< in the file
  std::string hash; ///< SHA-256 of the matrix's bytes
};

/// By names of the products' nodes.
using Calibration = std::map<std::string, std::shared_ptr<const CalibratedInput>>;

} // namespace kiln

#endif // KILN_TRANSFORMS_GRAPH_CALIBRATION_H
