//===- Quantization.h - What importers of quantized ops share --*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_OPS_QUANTIZATION_H
#define KILN_LIB_IMPORT_OPS_QUANTIZATION_H

#include "lib/Import/Node.h"

namespace kiln::import {

/// x in a narrow type or i8: rounded to nearest, ties to even, and saturated.
mlir::Value roundToCodes(Node &n, mlir::Value x, mlir::Type code);

/// Inputs of a node that multiplies bytes, by number; zero points and bias may be
/// missing.
struct IntegerInputs {
  unsigned a, b, scaleA, scaleB, zeroA, zeroB, bias;
};

/// (A - zero of A) (B - zero of B) * (scale of A * scale of B) + bias, in the type of A's
/// scale; null after an error. ONNX Runtime has one scale and one zero point of all of A,
/// and one or one per column of B.
mlir::Value integerProductToFloat(Node &n, const IntegerInputs &inputs);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_OPS_QUANTIZATION_H
