//===- tensor_tile.h - One hardware step of a block of results -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_ARITH_TENSOR_TILE_H
#define KILN_SIM_ARITH_TENSOR_TILE_H

#include "runtime/sim/arith/tensor.h"

namespace kiln::sim::arith {

/// The most terms that a step of any rule has, and the most that 32-bit sums hold.
inline constexpr int MaxTerms = 32, SumTerms = 16;

/// `terms` products are added to c: columns [0, n) of rows [0, m).
struct TensorTile {
  DotRule rule;
  Format formatA, formatB;
  int m, n, terms;
  const uint32_t *a; ///< m rows, strideA apart
  const uint32_t *b; ///< `terms` rows, strideB apart
  int strideA, strideB;
  const uint32_t *c; ///< m rows, strideC apart; d as well
  uint32_t *d;
  int strideC;
};

/// One element by the plain rule, `c` its old accumulator.
uint32_t stepElement(const TensorTile &tile, int row, int column, uint32_t c);

} // namespace kiln::sim::arith

#endif // KILN_SIM_ARITH_TENSOR_TILE_H
