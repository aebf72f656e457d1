//===- tensor_tile.h - One hardware step of a tile of results ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_ARITH_TENSOR_TILE_H
#define KILN_SIM_ARITH_TENSOR_TILE_H

#include "runtime/sim/arith/tensor.h"

namespace kiln::sim::arith {

/// Max terms of a step under any rule, and max terms that a 32-bit sum can hold.
inline constexpr int MaxTerms = 32, SumTerms = 16;

/// One step: c += A B over `terms` terms, for the tile of rows [0, m) and columns [0, n).
struct TensorTile {
  DotRule rule;
  Format formatA, formatB;
  int m, n, terms;
  const uint32_t *a; ///< m rows, strideA apart
  const uint32_t *b; ///< `terms` rows, strideB apart
  int strideA, strideB;
  const uint32_t *c; ///< m rows, strideC apart; d has the same stride
  uint32_t *d;
  int strideC;
};

/// Computes one element by the reference rule; `c` is its old accumulator.
uint32_t stepElement(const TensorTile &tile, int row, int column, uint32_t c);

} // namespace kiln::sim::arith

#endif // KILN_SIM_ARITH_TENSOR_TILE_H
