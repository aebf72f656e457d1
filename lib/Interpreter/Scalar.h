//===- Scalar.h - One scalar of a tile program ------------------*- C++ -*-===//
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

/// A float as an f64 of the same value, or an integer: sign-extended, booleans 0 or 1.
/// The type is known from the context.
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

/// Returns the bits of an integer or index type.
unsigned widthOf(mlir::Type type);
/// Rounds to nearest even in a float type.
Scalar roundTo(mlir::Type type, double value);
/// Keeps the low bits of an integer that its type has.
Scalar wrapTo(mlir::Type type, int64_t value);
/// Returns the value as a signed integer: true is -1.
int64_t asSigned(mlir::Type type, Scalar value);
/// Returns the value as an unsigned integer.
uint64_t asUnsigned(mlir::Type type, Scalar value);

/// Converts between a scalar and the bits of its type.
uint64_t toBits(mlir::Type type, Scalar value);
Scalar fromBits(mlir::Type type, uint64_t bits);
/// Loads or stores a scalar of a type, with any alignment.
Scalar loadScalar(mlir::Type type, const char *memory);
void storeScalar(mlir::Type type, Scalar value, char *memory);

/// Outcome of an op on scalars.
enum class ScalarStatus { Ok, Unknown, Undefined };
/// Evaluates an op of arith or math on scalars; `result` gets its value.
ScalarStatus evaluateScalarOp(mlir::Operation *op, llvm::ArrayRef<Scalar> operands,
                              Scalar &result);

} // namespace kiln::interpreter

#endif // KILN_LIB_INTERPRETER_SCALAR_H
