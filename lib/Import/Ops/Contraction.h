//===- Contraction.h - Matrix multiplications -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_OPS_CONTRACTION_H
#define KILN_LIB_IMPORT_OPS_CONTRACTION_H

#include "lib/Import/Node.h"

namespace kiln::import {

/// Returns x * factor; x itself if the factor is 1.
mlir::Value scale(GraphBuilder &b, mlir::Value x, double factor);
/// Builds numpy's matmul, also of vectors.
mlir::Value matmul(GraphBuilder &b, mlir::Value lhs, mlir::Value rhs);
/// Builds the value of a Gemm node.
mlir::Value gemm(Node &n);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_OPS_CONTRACTION_H
