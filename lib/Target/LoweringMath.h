//===- LoweringMath.h - Arithmetic that every target emits ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the targets. Private to lib/Target. Index math on constants is done
// here and now, because addresses are built from what is known piece by piece.
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
/// An index as i64.
mlir::Value indexToI64(mlir::ImplicitLocOpBuilder &b, mlir::Value value);
/// The f32 that a byte of f8E4M3FN is, or a vector of them. Its fields at the place of an
/// f32's are the number times 2^-120, also where it is subnormal; the largest magnitude
/// is NaN.
mlir::Value decodeE4m3(mlir::ImplicitLocOpBuilder &b, mlir::Value byte);
/// One step of a reduction, of scalars or of vectors.
mlir::Value combineReduced(mlir::ImplicitLocOpBuilder &b, tile::ReduceKind kind,
                           mlir::Value lhs, mlir::Value rhs);

} // namespace kiln

#endif // KILN_LIB_TARGET_LOWERINGMATH_H
