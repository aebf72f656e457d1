//===- ScaledLayout.h - Layouts of graph.scaled_matmul --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops on quantized weights that only permute and pad elements and scales, without
// rounding.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_BAKE_SCALEDLAYOUT_H
#define KILN_TRANSFORMS_BAKE_SCALEDLAYOUT_H

#include "dialects/Graph/Graph.h"

namespace kiln {

/// Writes a sequence of ops with the same location.
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
  /// Repeats every element `times` times along the axis.
  Value repeat(Value x, int64_t axis, int64_t times);

  /// Takes the first rows of a matrix.
  Value takeRows(Value matrix, int64_t rows);

  /// Packs a quantized matrix [K, N] of ui8 with `bits` bits per element, or of f8E4M3FN
  /// with 8, into panels [ceil(N / 16), K * bits / 32, 16, 4].
  Value packCodes(Value matrix, int64_t bits);
  /// Packs scales or zero points [K / B, N] into panels [ceil(N / 16), K / B, 16].
  Value packBlocks(Value matrix);
  /// Groups panels [P, K / B, W] of scales so that those of 64 steps of K are contiguous:
  /// [P, K / 64, W, 64 / B].
  Value groupScales(Value panels, int64_t perGroup);

private:
  /// Pads a matrix with columns of zeros, or of the smallest scale, to entire panels.
  Value padColumns(Value matrix);
  /// Takes position `at` of the last dim and removes that dim.
  Value pickLast(Value x, int64_t at);

  mlir::OpBuilder &b;
  mlir::Location loc;
};

} // namespace kiln

#endif // KILN_TRANSFORMS_BAKE_SCALEDLAYOUT_H
