//===- Scalar.h - One number of a tile program ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Interpreter.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_INTERPRETER_SCALAR_H
#define KILN_LIB_INTERPRETER_SCALAR_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <cstdint>

namespace kiln::interpreter {

/// A float as the f64 of the same value, or an integer: sign-extended, booleans
/// 0 or 1. The type is known from where the number stands.
struct Scalar {
  union {
    double f;
    int64_t i = 0;
  };
  static Scalar ofFloat(double value) {
    Scalar scalar;
    scalar.f = value;
    return scalar;
  }
  static Scalar ofInt(int64_t value) {
    Scalar scalar;
    scalar.i = value;
    return scalar;
  }
};

/// Bits of an integer or index type.
unsigned widthOf(mlir::Type type);
/// Rounded to nearest even in a float type.
Scalar roundTo(mlir::Type type, double value);
/// The low bits of an integer in its type.
Scalar wrapTo(mlir::Type type, int64_t value);
/// The value as a signed integer: a boolean is 0 or -1.
int64_t asSigned(mlir::Type type, Scalar value);
/// The value as an unsigned integer.
uint64_t asUnsigned(mlir::Type type, Scalar value);

/// Between a number and the bits of its type.
uint64_t toBits(mlir::Type type, Scalar value);
Scalar fromBits(mlir::Type type, uint64_t bits);
/// Between a number and memory of its type, in any alignment.
Scalar loadScalar(mlir::Type type, const char *memory);
void storeScalar(mlir::Type type, Scalar value, char *memory);

/// Outcome of an op on scalars.
enum class ScalarStatus { Ok, Unknown, Undefined };
/// Evaluates an op of arith or math on scalars; `result` gets its value.
ScalarStatus evaluateScalarOp(mlir::Operation *op, llvm::ArrayRef<Scalar> operands,
                              Scalar &result);

} // namespace kiln::interpreter

#endif // KILN_LIB_INTERPRETER_SCALAR_H
