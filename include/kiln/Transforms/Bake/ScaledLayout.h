//===- ScaledLayout.h - Codes of a model as graph.scaled_matmul has them --===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops on weights alone: nothing is rounded, codes and scales only move.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_BAKE_SCALEDLAYOUT_H
#define KILN_TRANSFORMS_BAKE_SCALEDLAYOUT_H

#include "dialects/Graph/Graph.h"

namespace kiln {

/// Writes ops, one after the other, all of the same place in the model.
class LayoutWriter {
public:
  using Value = mlir::Value;
  using Type = mlir::Type;

  LayoutWriter(mlir::OpBuilder &b, mlir::Location loc) : b(b), loc(loc) {}

  mlir::OpBuilder &builder() { return b; }
  Value number(double value, Type type);
  Value unary(graph::UnaryKind kind, Value x);
  Value binary(graph::BinaryKind kind, Value x, Value y);
  Value compare(graph::CompareKind kind, Value x, Value y);
  Value reduce(graph::ReduceKind kind, Value x, int64_t axis, bool keepDims);
  Value cast(Value x, Type type);
  Value reshape(Value x, llvm::ArrayRef<graph::SymbolicExpr> dims);
  Value transpose(Value x, llvm::ArrayRef<int64_t> order);
  Value broadcast(Value x, llvm::ArrayRef<graph::SymbolicExpr> dims);
  Value sum(Value x, int64_t axis) {
    return reduce(graph::ReduceKind::sum, x, axis, /*keepDims=*/false);
  }
  /// Every element `times` times along the axis.
  Value repeat(Value x, int64_t axis, int64_t times);

  /// The first rows of a matrix.
  Value takeRows(Value matrix, int64_t rows);

  /// Codes [K, N] of ui8, of so many bits, in panels [ceil(N / 16), K / c, 16, 4]; or
  /// numbers of f8E4M3FN, as those of 8 bits.
  Value packCodes(Value matrix, int64_t bits);
  /// Scales or zero points [K / B, N] in panels [ceil(N / 16), K / B, 16].
  Value packBlocks(Value matrix);
  /// Panels [P, K / B, W] of scales, of 64 steps of K side by side: [P, K / 64, W, 64 /
  /// B].
  Value groupScales(Value panels, int64_t perGroup);

private:
  /// Columns of zeros, or of the smallest number, behind a matrix, up to whole panels.
  Value padColumns(Value matrix);
  /// Position `at` of the last dim, which goes.
  Value pickLast(Value x, int64_t at);

  mlir::OpBuilder &b;
  mlir::Location loc;
};

} // namespace kiln

#endif // KILN_TRANSFORMS_BAKE_SCALEDLAYOUT_H
