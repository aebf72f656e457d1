//===- Scalar.h - Scalar code of graph ops ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the body graph needs to know of an elementwise op. Internal to
// lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_EXPRESSION_SCALAR_H
#define KILN_CODEGEN_EXPRESSION_SCALAR_H

#include "kiln/Support/FloatFormat.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace kiln::codegen {

inline mlir::Type elementTypeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType()).getElementType();
}

/// The elementwise op on scalars of the compute types.
mlir::Value scalarOp(mlir::OpBuilder &builder, mlir::Location loc, mlir::Operation *op,
                     mlir::ValueRange operands);
/// A conversion between element types of the graph, on scalars of their compute
/// types; rounding to f16 and bf16 is not part of it. `rules` is for floats of 8 bits
/// and fewer.
mlir::Value scalarCast(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                       mlir::Type from, mlir::Type to, const CastRules &rules = {});
/// scalarCast of every element of a fragment, which may hold bytes that stand for `from`.
mlir::Value fragmentCast(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value fragment, mlir::Type from, mlir::Type to);
/// Instructions per element, roughly.
int scalarCost(mlir::Operation *op);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_EXPRESSION_SCALAR_H
