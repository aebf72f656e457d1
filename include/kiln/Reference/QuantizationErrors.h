//===- QuantizationErrors.h - Errors of quantized weights -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_REFERENCE_QUANTIZATIONERRORS_H
#define KILN_REFERENCE_QUANTIZATIONERRORS_H

#include "dialects/Graph/Graph.h"

#include <map>
#include <mutex>
#include <optional>

namespace kiln::reference {

/// Sums of squares over elements of a weight: of quantization errors, and of the weight.
struct SquaredError {
  double error = 0, weight = 0;
  /// Root mean square of the error divided by that of the weight; 0 for a weight of
  /// zeros.
  double relative() const;
};

/// Quantization errors of weights, accumulated while blocks are quantized. Thread-safe;
/// the sums do not depend on the order of calls.
class QuantizationErrors {
public:
  /// Adds the error of a block of the op's result. The offset `begin` identifies the
  /// block: one that is computed twice counts once.
  void add(mlir::Operation *op, int64_t begin, SquaredError sums);
  /// Returns the sum over all blocks of `ops`, which must be in one block of the IR;
  /// nullopt if none was computed.
  std::optional<SquaredError> sumOf(llvm::ArrayRef<mlir::Operation *> ops) const;
  /// Returns the errors by describe() of the ops' locations, which are those of matmuls.
  std::map<std::string, SquaredError> byProduct() const;

private:
  mutable std::mutex lock;
  std::map<mlir::Operation *, std::map<int64_t, SquaredError>> blocks;
};

/// Returns the division of a weight by its scales whose result a cast rounds to f8E4M3FN
/// or to fewer bits stored as such; null for other casts.
graph::BinaryOp float8Source(mlir::Operation *op);
/// Whether an op of @bake quantizes a weight and its error is measured.
bool makesCodes(mlir::Operation *op);

} // namespace kiln::reference

#endif // KILN_REFERENCE_QUANTIZATIONERRORS_H
