//===- Calibration.h - Calibration of matmuls -------------------*- C++ -*-===//
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

/// Statistic that is observed of the rows X [rows, K] that matmuls multiply.
enum class Observed {
  Products, ///< the matrix X^T X
  Maxima,   ///< the largest magnitude in each of the K columns
  Values,   ///< X itself
};

/// Range of observed inputs of matmuls: from `first` on, as many as have `elements`
/// elements in total, but at least one.
struct Observation {
  uint64_t first = 0;
  uint64_t elements = std::numeric_limits<uint64_t>::max();
  Observed what = Observed::Products;

  /// Returns the number of elements of the statistic for rows of K elements. The number
  /// of rows is unknown for Values, which count as one, so that `elements` is the number
  /// of inputs to observe.
  uint64_t elementsOf(int64_t k) const {
    if (what == Observed::Values)
      return 1;
    return what == Observed::Maxima ? k : uint64_t(k) * uint64_t(k);
  }
};

/// Observed left operand of matmuls: rows X of K elements.
struct ObservedInput {
  /// Name of the program's output that `kiln-observe-products` added for the statistic;
  /// empty: none.
  std::string output;
  int64_t k = 0;
  std::vector<std::string> nodes; ///< nodes of the matmuls
  std::string rows;               ///< number of rows, as printed dim

  /// Visits the fields for dialects/Graph/Record.h.
  template <typename Self, typename Visitor>
  static void visit(Self &self, Visitor &visitor) {
    visitor("output", self.output);
    visitor("k", self.k);
    visitor("nodes", self.nodes);
    visitor("rows", self.rows);
  }
};

/// File name of weights that are matrices of a Calibration; they are found by their hash.
inline constexpr llvm::StringLiteral kCalibrationFile = "<calibration>";

/// Statistic of the left operand of matmuls over all samples, stored as a weight.
struct CalibratedInput {
  int64_t k = 0;
  /// File that contains, from `offset` on, a row-major f32 matrix. GPTQ: [K, K], the
  /// upper Cholesky factor U of the inverse of the damped Hessian H = X^T X, H^-1 = U^T
  /// U. AWQ: [K, K], H. SmoothQuant: [K], the largest magnitude of each column of X.
  /// Static scale: the scale.
  std::string file;
  uint64_t offset = 0; ///< in `file`
  std::string hash; ///< SHA-256 of the matrix's bytes

  /// Visits the fields that passes read for dialects/Graph/Record.h; the place of the
  /// bytes concerns only the writer of the package.
  template <typename Self, typename Visitor>
  static void visit(Self &self, Visitor &visitor) {
    visitor("k", self.k);
    visitor("hash", self.hash);
  }
};

/// By names of the matmuls' nodes.
using Calibration = std::map<std::string, std::shared_ptr<const CalibratedInput>>;

/// Method to compute the largest magnitude that a static scale covers from samples.
struct RangeMethod {
  enum Kind { Max, Percentile, Mse, Entropy };
  Kind kind = Max;
  double percentile = 100; ///< for Percentile: covered percentage of magnitudes

  /// Parses "max", "percentile" (99.99), "percentile:99.9", "mse" or "entropy". Errors:
  /// KILN-E0001.
  static llvm::Expected<RangeMethod> parse(llvm::StringRef text);
};

/// Range of the left operand of matmuls: larger magnitudes are quantized like `limit`.
struct ActivationRange {
  double limit = 0;
  uint64_t values = 0, saturated = 0; ///< number of sampled values, and of those beyond
                                      ///< the limit
  /// The static scale: the value of the largest quantized element divided by that
  /// element. It is a weight, not a constant, so that matmuls of different ranges use the
  /// same kernels.
  std::shared_ptr<const CalibratedInput> scale = {};

  /// Visits the fields of a report for dialects/Graph/Record.h.
  template <typename Self, typename Visitor>
  static void visit(Self &self, Visitor &visitor) {
    visitor("limit", self.limit);
    visitor("values", self.values);
    visitor("saturated", self.saturated);
  }
};

/// By names of the matmuls' nodes.
using ActivationRanges = std::map<std::string, ActivationRange>;

} // namespace kiln

#endif // KILN_TRANSFORMS_GRAPH_CALIBRATION_H
