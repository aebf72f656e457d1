//===- AffineToArith.h - Affine expressions to arith ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common to the targets. Private to lib/Target.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_AFFINETOARITH_H
#define KILN_LIB_TARGET_AFFINETOARITH_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kiln {

/// Returns the value of an expression over dims, then symbols. Unlike upstream's
/// expansion it allows divisors that are values.
mlir::Value expandAffine(mlir::ImplicitLocOpBuilder &b, mlir::AffineExpr expr,
                         mlir::ValueRange operands, unsigned dims);

} // namespace kiln

#endif // KILN_LIB_TARGET_AFFINETOARITH_H
