//===- Scalar.h - Scalar code of graph ops ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar code and cost of elementwise ops. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_EXPRESSION_SCALAR_H
#define KILN_CODEGEN_EXPRESSION_SCALAR_H

#include "dialects/Types/FloatFormat.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace kiln::codegen {

inline mlir::Type elementTypeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType()).getElementType();
}

/// Emits an elementwise op on scalars of the compute types.
mlir::Value scalarOp(mlir::OpBuilder &builder, mlir::Location loc, mlir::Operation *op,
                     mlir::ValueRange operands);
/// Emits a conversion between the graph's element types, on scalars of their compute
/// types, without rounding to f16 and bf16. `rules` applies to floats of 8 bits and
/// fewer.
mlir::Value scalarCast(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                       mlir::Type from, mlir::Type to, const CastRules &rules = {});
/// Applies scalarCast to every element of a fragment, which may hold bytes that encode
/// `from`.
mlir::Value fragmentCast(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value fragment, mlir::Type from, mlir::Type to);
/// Returns the approximate number of instructions per element.
int scalarCost(mlir::Operation *op);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_EXPRESSION_SCALAR_H
