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

/// Operands of the input of a graph.scaled_matmul; those that `format` does not have are
/// null.
struct QuantizedActivation {
  mlir::Value codes, rowScales, scales, totals;
  graph::FormatAttr format;

  /// The scales of f32: per row, else per block.
  mlir::Value &floatScales() { return rowScales ? rowScales : scales; }
};

/// Signed integers of 8 bits with a scale of f32 per block and the totals of blocks.
QuantizedActivation int8Activation(mlir::Value codes, mlir::Value scales,
                                   mlir::Value totals, int64_t block);
/// Activations of f16 or bf16, which are multiplied as they are.
QuantizedActivation halfActivation(mlir::Value value);

/// f16 or bf16: activations that are multiplied with codes as they are.
bool isHalf(mlir::Type type);
std::string floatName(mlir::Type type);
/// Returns the type called "f16" or "bf16"; null for all other names.
mlir::Type floatType(llvm::StringRef name, mlir::MLIRContext *context);

/// Codes [..., K / B, B] and scales [..., K / B, 1] of f32.
struct QuantizedBlocks {
  mlir::Value codes, scales;
};

/// Codes x / s of `value`, [..., K] of f32 with K a multiple of `block`, written where
/// the builder stands. s makes the largest magnitude of a block the largest code: 127 of
/// i8, 448 of f8E4M3FN. A block of zeros has scale 0; NaN and infinity reach x through s.
QuantizedBlocks quantizeBlocks(mlir::OpBuilder &b, mlir::Value value, int64_t block,
                               mlir::Type code);

/// In panels of 16 columns, as graph.scaled_matmul has them; `scales` and `zeros` may be
/// null.
struct QuantizedWeight {
  mlir::Value panels, scales, zeros;
  graph::FormatAttr format;
};

/// The matmul of quantized operands, with `columns` columns. Where both are of f8E4M3FN,
/// `fast` lets tensor cores add up all of K.
mlir::Value scaledMatmul(mlir::OpBuilder &b, mlir::Location loc,
                         const QuantizedActivation &lhs, const QuantizedWeight &rhs,
                         int64_t columns, bool fast = false);

/// Writes what quantizes activations in every run, right behind what makes them. Products
/// of the same activations share it.
class ActivationQuantizer {
public:
  /// `value` is [..., K] of f32 with K a multiple of `block`.
  QuantizedActivation get(mlir::Value value, int64_t block);
  /// Returns codes of f8E4M3FN, with a scale per row; `value` is [..., K] of f32.
  QuantizedActivation getFloat8(mlir::Value value);
  /// Return codes as get and getFloat8 do, but with one scale: a scalar of f32 that is
  /// known at compile time and stands behind the value. What is beyond the largest code
  /// is that code, and NaN is 0. Their scales are that scalar: matmuls repeat it
  /// (repeatScale).
  QuantizedActivation getStatic(mlir::Value value, int64_t block, mlir::Value scale);
  QuantizedActivation getStaticFloat8(mlir::Value value, mlir::Value scale);
  /// Numbers of f4E2M1FN. A block's scale is a power of two (f8E8M0FNU) or, if `hasUnit`,
  /// a number of f8E4M3FN times one of f32 per row. Either for kernels of integers: twice
  /// the numbers in i8, and half the scales in f32. Or, if `inBytes`, codes in ui8, for
  /// instructions that take scales: a scale of f32 per row, twice the one above, and
  /// those of blocks.
  QuantizedActivation getFloat4(mlir::Value value, int64_t block, bool hasUnit,
                                bool inBytes);

private:
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, QuantizedActivation> known;
  llvm::DenseMap<mlir::Value, QuantizedActivation> knownFloat8;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, QuantizedActivation> knownFloat4;
};

/// Scales of f32 for codes of i8 (per block) or f8E4M3FN (per row), all of them `scale`, a
/// scalar: a view of it.
mlir::Value repeatScale(mlir::OpBuilder &b, mlir::Value codes, int64_t block,
                        mlir::Value scale);

/// Why a product with a weight of few bits cannot take the place of this one, whatever
/// its format; empty if it can.
llvm::StringRef whyNotQuantized(graph::MatmulOp op, bool allowsHalves = false);

} // namespace kiln

#endif // KILN_LIB_TRANSFORMS_PRECISION_SCALEDOPERANDS_H
