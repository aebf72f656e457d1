//===- LoweringMath.h - Arithmetic that every target emits ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common to the targets. Index math on constants is folded immediately, because addresses
// are built from partly constant values. Private to lib/Target.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_LOWERINGMATH_H
#define KILN_LIB_TARGET_LOWERINGMATH_H

#include "dialects/Tile/Tile.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kiln {

mlir::Value addIndices(mlir::ImplicitLocOpBuilder &b, mlir::Value lhs, mlir::Value rhs);
mlir::Value multiplyIndices(mlir::ImplicitLocOpBuilder &b, mlir::Value lhs,
                            mlir::Value rhs);
/// Converts an index to i64.
mlir::Value indexToI64(mlir::ImplicitLocOpBuilder &b, mlir::Value value);
/// Converts a byte of f8E4M3FN, or a vector of them, to f32. With sign, exponent and
/// mantissa moved to their place in f32, the value is scaled by 2^-120, also if it is
/// subnormal; the all-ones pattern is NaN.
mlir::Value decodeE4m3(mlir::ImplicitLocOpBuilder &b, mlir::Value byte);
/// Emits one step of a reduction of scalars or of vectors.
mlir::Value combineReduced(mlir::ImplicitLocOpBuilder &b, tile::ReduceKind kind,
                           mlir::Value lhs, mlir::Value rhs);

} // namespace kiln

#endif // KILN_LIB_TARGET_LOWERINGMATH_H
