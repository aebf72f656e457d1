//===- NarrowCast.h - Floats of 8 bits and fewer ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between the byte that a narrow float is and f32, by integer arithmetic that every
// target has. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_EXPRESSION_NARROWCAST_H
#define KILN_CODEGEN_EXPRESSION_NARROWCAST_H

#include "kiln/Support/FloatFormat.h"
#include "mlir/IR/Builders.h"

namespace kiln::codegen {

/// The f32 that a byte (i8) of the type is, exactly.
mlir::Value decodeNarrow(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value byte,
                         mlir::Type type);
/// The byte of an f32 rounded once to the type.
mlir::Value encodeNarrow(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                         mlir::Type type, const CastRules &rules);
/// An f32 that rounds to every narrower type as the number itself does: where it is
/// not that number, its last bit is odd ("round to odd", Boldo and Melquiond, 2008).
/// Of an f64, or of an integer of up to 64 bits.
mlir::Value roundToOdd(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                       bool isUnsigned);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_EXPRESSION_NARROWCAST_H
