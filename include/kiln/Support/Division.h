//===- Division.h - What ranks divide ---------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_DIVISION_H
#define KILN_SUPPORT_DIVISION_H

namespace kiln {

/// Tensors that the ranks of a stage divide among each other.
enum class Division {
  Tensor,   ///< weights: of pairs of products, and heads of attention
  Sequence, ///< weights, and between products the rows (positions) of sequences
  Context,  ///< rows of sequences alone; every rank has all weights
};

} // namespace kiln

#endif // KILN_SUPPORT_DIVISION_H
