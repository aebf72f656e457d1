//===- QuantizationErrors.h - What quantizing weights loses -----*- C++ -*-===//
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

/// Sums of squares over elements of a weight: of what its codes are off by, and of the
/// weight itself.
struct SquaredError {
  double error = 0, weight = 0;
  /// The root mean square of the error over that of the weight; 0 for zeros.
  double relative() const;
};

/// How far the codes of weights are from the weights, added up while blocks of codes are
/// computed. Threads may add at once; sums do not depend on their order.
class QuantizationErrors {
public:
  /// Adds the error of a block of the op's result. `begin`, where the block begins,
  /// identifies it: a block that is computed twice counts once.
  void add(mlir::Operation *op, int64_t begin, SquaredError sums);
  /// Returns the errors of all blocks of `ops`, which stand in one block of the IR, added
  /// up; nullopt if none was computed.
  std::optional<SquaredError> sumOf(llvm::ArrayRef<mlir::Operation *> ops) const;
  /// By what describe() says of the locations of ops, which are those of products.
  std::map<std::string, SquaredError> byProduct() const;

private:
  mutable std::mutex lock;
  std::map<mlir::Operation *, std::map<int64_t, SquaredError>> blocks;
};

/// The quotient of a weight and its scales that a cast to f8E4M3FN stores, perhaps in
/// fewer bits; null if it is no such cast.
graph::BinaryOp float8Source(mlir::Operation *op);
/// Whether an op of @bake makes codes whose error is measured.
bool makesCodes(mlir::Operation *op);

} // namespace kiln::reference

#endif // KILN_REFERENCE_QUANTIZATIONERRORS_H
