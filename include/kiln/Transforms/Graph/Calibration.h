//===- Calibration.h - What samples say of products -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_GRAPH_CALIBRATION_H
#define KILN_TRANSFORMS_GRAPH_CALIBRATION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kiln {

/// Statistic that is observed of the rows X, of K numbers each, that matmuls multiply.
enum class Observed {
  Products, ///< X^T X
  Maxima,   ///< the largest magnitude of each of the K columns
  Values,   ///< X itself
};

/// Which of the inputs of products are observed: from `first` on, as many as have
/// `elements` in all, but one at least.
struct Observation {
  uint64_t first = 0;
  uint64_t elements = std::numeric_limits<uint64_t>::max();
  Observed what = Observed::Products;

  /// Returns the elements of the statistic of rows of K numbers. The number of values
  /// themselves is not known; they count as one, so that `elements` is how many inputs
  /// are observed.
  uint64_t elementsOf(int64_t k) const {
    if (what == Observed::Values)
      return 1;
    return what == Observed::Maxima ? k : uint64_t(k) * uint64_t(k);
  }
};

/// Left operand of some matmuls that is observed: rows X of K numbers.
struct ObservedInput {
  /// Name of the program's output that `kiln-observe-products` added for the statistic;
  /// empty: it added none.
  std::string output;
  int64_t k = 0;
  std::vector<std::string> nodes; ///< of the products
  std::string rows;               ///< how many, as dims are printed

  /// The fields, as dialects/Graph/Record.h reads and writes them.
  template <typename Self, typename Visitor>
  static void visit(Self &self, Visitor &visitor) {
    visitor("output", self.output);
    visitor("k", self.k);
    visitor("nodes", self.nodes);
    visitor("rows", self.rows);
  }
};

/// The file of weights that are matrices of a Calibration; they are found by their hash.
inline constexpr llvm::StringLiteral kCalibrationFile = "<calibration>";

/// Statistic of the left operand of matmuls over all samples, stored as a weight.
struct CalibratedInput {
  int64_t k = 0;
  /// Has, from `offset` on, [K, K] of f32, row-major. For GPTQ the upper Cholesky factor
  /// U of the inverse of the damped Hessian H = X^T X, H^-1 = U^T U; for AWQ H. For
  /// SmoothQuant [K] of f32: the largest magnitude of each column of X. For a static scale
  /// that alone, in f32.
  std::string file;
  uint64_t offset = 0; ///< in the file
  std::string hash; ///< SHA-256 of the matrix's bytes

  /// The fields that passes read, as dialects/Graph/Record.h reads and writes them; where
  /// the bytes lie is the business of whoever writes the package.
  template <typename Self, typename Visitor>
  static void visit(Self &self, Visitor &visitor) {
    visitor("k", self.k);
    visitor("hash", self.hash);
  }
};

/// By names of the products' nodes.
using Calibration = std::map<std::string, std::shared_ptr<const CalibratedInput>>;

/// How the largest magnitude that a static scale covers follows from samples.
struct RangeMethod {
  enum Kind { Max, Percentile, Mse, Entropy };
  Kind kind = Max;
  double percentile = 100; ///< of Percentile: so many of 100 magnitudes are covered

  /// "max", "percentile" (99.99), "percentile:99.9", "mse" or "entropy". Errors:
  /// KILN-E0001.
  static llvm::Expected<RangeMethod> parse(llvm::StringRef text);
};

/// Range of the left operand of matmuls: larger magnitudes are quantized like `limit`.
struct ActivationRange {
  double limit = 0;
  uint64_t values = 0, saturated = 0; ///< of the samples, and those beyond the limit
  /// The static scale: the number that the largest code stands for, divided by that code.
  /// A weight and no constant, so that matmuls of different ranges have the same kernels.
  std::shared_ptr<const CalibratedInput> scale = {};

  /// The fields of a report, as dialects/Graph/Record.h reads and writes them.
  template <typename Self, typename Visitor>
  static void visit(Self &self, Visitor &visitor) {
    visitor("limit", self.limit);
    visitor("values", self.values);
    visitor("saturated", self.saturated);
  }
};

/// By names of the products' nodes.
using ActivationRanges = std::map<std::string, ActivationRange>;

} // namespace kiln

#endif // KILN_TRANSFORMS_GRAPH_CALIBRATION_H
