//===- Calibration.h - What samples say of products -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_GRAPH_CALIBRATION_H
#define KILN_TRANSFORMS_GRAPH_CALIBRATION_H

#include "llvm/ADT/StringRef.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kiln {

/// An output that `kiln-observe-products` adds: X^T X, [K, K] of f32, of the rows X that
/// some products multiply.
struct ObservedInput {
  std::string output;
  std::vector<std::string> nodes; ///< of the products
};

/// The file of weights that are factors of a Calibration; they are found by their hash.
inline constexpr llvm::StringLiteral kCalibrationFile = "<calibration>";

/// Of the left operand of products, over all samples.
struct CalibratedInput {
  int64_t k = 0;
  /// The upper Cholesky factor U of the inverse of the damped Hessian H = X^T X,
  /// row-major: H^-1 = U^T U.
  std::vector<float> factor;
  std::string hash; ///< SHA-256 of its bytes
};

/// By names of the products' nodes.
using Calibration = std::map<std::string, std::shared_ptr<const CalibratedInput>>;

} // namespace kiln

#endif // KILN_TRANSFORMS_GRAPH_CALIBRATION_H
