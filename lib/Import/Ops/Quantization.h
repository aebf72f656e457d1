//===- Quantization.h - Common to quantized importers -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_OPS_QUANTIZATION_H
#define KILN_LIB_IMPORT_OPS_QUANTIZATION_H

#include "lib/Import/Node.h"

namespace kiln::import {

/// Converts x to a narrow type or i8: rounds to nearest, ties to even, and saturates.
mlir::Value roundToCodes(Node &n, mlir::Value x, mlir::Type code);

/// Input indices of a node with an integer matmul; zero points and bias may be missing.
struct IntegerInputs {
  unsigned a, b, scaleA, scaleB, zeroA, zeroB, bias;
};

/// Returns (A - zero of A) (B - zero of B) * (scale of A * scale of B) + bias, in the
/// type of A's scale; null after an error. ONNX Runtime has a single scale and zero point
/// for A, and a single one or one per column for B.
mlir::Value integerProductToFloat(Node &n, const IntegerInputs &inputs);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_OPS_QUANTIZATION_H
