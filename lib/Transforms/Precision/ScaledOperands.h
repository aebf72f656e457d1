//===- ScaledOperands.h - Operands of graph.scaled_matmul -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Transforms/Precision.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_PRECISION_SCALEDOPERANDS_H
#define KILN_LIB_TRANSFORMS_PRECISION_SCALEDOPERANDS_H

#include "dialects/Graph/Graph.h"

namespace kiln {

/// Operands of graph.scaled_matmul for its input; those that `format` does not have are
/// null.
struct QuantizedActivation {
  mlir::Value codes, rowScales, scales, totals;
  graph::FormatAttr format;

  /// Returns the f32 scales: those per row, or else those per block.
  mlir::Value &floatScales() { return rowScales ? rowScales : scales; }
};

/// Makes an activation of signed 8-bit integers with an f32 scale and a sum per block.
QuantizedActivation int8Activation(mlir::Value codes, mlir::Value scales,
                                   mlir::Value totals, int64_t block);
/// Makes an activation of f16 or bf16, which is not quantized.
QuantizedActivation halfActivation(mlir::Value value);

/// Whether the type is f16 or bf16, which are multiplied with quantized weights directly.
bool isHalf(mlir::Type type);
std::string floatName(mlir::Type type);
/// Returns the type called "f16" or "bf16"; null for all other names.
mlir::Type floatType(llvm::StringRef name, mlir::MLIRContext *context);

/// Quantized elements [..., K / B, B] and f32 scales [..., K / B, 1].
struct QuantizedBlocks {
  mlir::Value codes, scales;
};

/// Quantizes `value`, [..., K] of f32 with K a multiple of `block`, to x / s at the
/// builder's insertion point. s maps the largest magnitude of a block to the largest
/// value of the type: 127 of i8, 448 of f8E4M3FN. A block of zeros has scale 0; NaN and
/// infinity propagate through s.
QuantizedBlocks quantizeBlocks(mlir::OpBuilder &b, mlir::Value value, int64_t block,
                               mlir::Type code);

/// A weight in panels of 16 columns as graph.scaled_matmul needs them; `scales` and
/// `zeros` may be null.
struct QuantizedWeight {
  mlir::Value panels, scales, zeros;
  graph::FormatAttr format;
};

/// Makes the matmul of quantized operands with `columns` columns. If both are f8E4M3FN,
/// `fast` accumulates all of K in tensor cores.
mlir::Value scaledMatmul(mlir::OpBuilder &b, mlir::Location loc,
                         const QuantizedActivation &lhs, const QuantizedWeight &rhs,
                         int64_t columns, bool fast = false);

/// Inserts the quantization of activations, executed in every run, directly after their
/// definition. Matmuls of the same activations use the same ops.
class ActivationQuantizer {
public:
  /// Returns i8 activations with a scale per block; `value` is [..., K] of f32 with K a
  /// multiple of `block`.
  QuantizedActivation get(mlir::Value value, int64_t block);
  /// Returns f8E4M3FN activations with a scale per row; `value` is [..., K] of f32.
  QuantizedActivation getFloat8(mlir::Value value);
  /// Return activations like get and getFloat8, but with one scale, an f32 scalar that is
  /// known at compile time and defined after the value. Values beyond the range saturate,
  /// and NaN becomes 0. The returned scales are that scalar; matmuls repeat it
  /// (repeatScale).
  QuantizedActivation getStatic(mlir::Value value, int64_t block, mlir::Value scale);
  QuantizedActivation getStaticFloat8(mlir::Value value, mlir::Value scale);
  /// Returns f4E2M1FN activations. A block's scale is a power of two (f8E8M0FNU) or, if
  /// `hasUnit`, f8E4M3FN times an f32 scale per row. Elements are stored for integer
  /// kernels as twice their value in i8, with half the scale in f32. If `inBytes`, they
  /// are encoded in ui8 for MMA with scales: an f32 scale per row, twice the one above,
  /// and the block scales.
  QuantizedActivation getFloat4(mlir::Value value, int64_t block, bool hasUnit,
                                bool inBytes);

private:
  // By the activations, or by their static scale: one product may have a range and
  // another of the same activations none.
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, QuantizedActivation> known;
  llvm::DenseMap<mlir::Value, QuantizedActivation> knownFloat8;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, QuantizedActivation> knownFloat4;
};

/// Returns f32 scales for elements of i8 (per block) or f8E4M3FN (per row) that all equal
/// the scalar `scale`, as a view of it.
mlir::Value repeatScale(mlir::OpBuilder &b, mlir::Value codes, int64_t block,
                        mlir::Value scale);

/// Returns why a quantized matmul of any format cannot replace this one; empty if it can.
llvm::StringRef whyNotQuantized(graph::MatmulOp op, bool allowsHalves = false);

} // namespace kiln

#endif // KILN_LIB_TRANSFORMS_PRECISION_SCALEDOPERANDS_H
