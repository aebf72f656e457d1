//===- lanes.h - Loops that are compiled once per ISA --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_ARITH_LANES_H
#define KILN_SIM_ARITH_LANES_H

#include "runtime/sim/arith/isa.h"

#include <cstdint>

namespace kiln::sim::arith {

struct TensorTile;

struct LaneFunctions {
  /// Computes ex2 of up to 32 lanes; returns the mask of lanes that the exact path must
  /// compute.
  uint32_t (*exp2)(const uint32_t *a, uint32_t *out, int count, bool ftz);
  /// Computes one hardware step of a tile of results; see tensor_tile.h.
  void (*tensorStep)(const TensorTile &tile);
};

const LaneFunctions &laneFunctions(Isa isa);

extern const LaneFunctions portableLanes, avx2Lanes, avx512Lanes;

} // namespace kiln::sim::arith

#endif // KILN_SIM_ARITH_LANES_H
