//===- StreamKPlan.h - Stream-K split of the last wave ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_CONFIG_STREAMKPLAN_H
#define KILN_LIB_CODEGEN_GEMM_CONFIG_STREAMKPLAN_H

#include <algorithm>
#include <cstdint>
#include <optional>

namespace kiln::codegen {

/// Stream-K split of a GEMM whose extents are constants. Full waves have one task per
/// tile. The steps of K of the last wave's tiles, concatenated in the order of the tiles,
/// are split evenly into units. A unit has steps of one or two tiles.
struct StreamKPlan {
  int64_t tiles;     ///< of the GEMM
  int64_t tailTiles; ///< tiles of the last wave
  int64_t steps;     ///< steps of K per tile
  int64_t units;     ///< at most the number of tiles of a full wave

  /// Plans `tiles` tiles in waves of `wave` tiles, with the last one split into `units`.
  /// Returns nullopt if the last wave is full, a unit would have an entire tile or less
  /// than one step, or there are more than `wave` units.
  static std::optional<StreamKPlan> make(int64_t tiles, int64_t wave, int64_t steps,
                                         int64_t units);
  int64_t fullTiles() const { return tiles - tailTiles; }
  /// Returns the tasks per unit: one for each tile of which units have steps.
  int64_t tasksPerUnit() const { return units % tailTiles == 0 ? 1 : 2; }
  int64_t maxUnitSteps() const { return (tailTiles * steps + units - 1) / units; }
  /// Returns the unit that has a step; steps are counted over all tiles of the last wave.
  int64_t unitOf(int64_t step) const {
    return ((step + 1) * units - 1) / (tailTiles * steps);
  }
  /// Returns the maximum number of units that have steps of one tile.
  int64_t maxSplits() const;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_CONFIG_STREAMKPLAN_H
