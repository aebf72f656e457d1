//===- NarrowCast.h - Floats of 8 bits and fewer ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts between narrow floats, stored as bytes, and f32 by integer arithmetic, which
// every target supports. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_EXPRESSION_NARROWCAST_H
#define KILN_CODEGEN_EXPRESSION_NARROWCAST_H

#include "dialects/Types/FloatFormat.h"
#include "mlir/IR/Builders.h"

namespace kiln::codegen {

/// Converts a byte (i8) of the type to f32, exactly.
mlir::Value decodeNarrow(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value byte,
                         mlir::Type type);
/// Converts an f32 to a byte of the type, with a single rounding.
mlir::Value encodeNarrow(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                         mlir::Type type, const CastRules &rules);
/// Converts an f64, or an integer of up to 64 bits, to an f32 from which any narrower
/// type is rounded correctly: if the conversion is inexact, the last bit is odd ("round
/// to odd", Boldo and Melquiond, 2008).
mlir::Value roundToOdd(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                       bool isUnsigned);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_EXPRESSION_NARROWCAST_H
