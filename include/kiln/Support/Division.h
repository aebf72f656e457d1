//===- Division.h - Parallelism of ranks ------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_DIVISION_H
#define KILN_SUPPORT_DIVISION_H

namespace kiln {

/// Tensors that the ranks of a pipeline stage divide.
enum class Division {
  Tensor,   ///< weights: of pairs of matmuls, and heads of attention
  Sequence, ///< weights, and between matmuls the rows (positions) of sequences
  Context,  ///< only rows of sequences; every rank has all weights
};

} // namespace kiln

#endif // KILN_SUPPORT_DIVISION_H
