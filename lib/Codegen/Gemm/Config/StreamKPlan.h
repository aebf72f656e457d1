//===- StreamKPlan.h - How stream-K cuts the last wave ----------*- C++ -*-===//
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

/// How stream-K cuts a GEMM whose extents are constants: full waves have a task per tile;
/// the steps of K of the last wave's tiles, one tile after the other, are cut evenly into
/// units. A unit has steps of one tile or of two.
struct StreamKPlan {
  int64_t tiles;     ///< in all
  int64_t tailTiles; ///< of the last wave
  int64_t steps;     ///< of a tile
  int64_t units;     ///< at most as many as a wave has tiles

  /// Plans `tiles` tiles in waves of `wave`, the last one cut into `units`. nullopt: the
  /// last wave is full, a unit would have a whole tile or less than a step, or there are
  /// more units than `wave`.
  static std::optional<StreamKPlan> make(int64_t tiles, int64_t wave, int64_t steps,
                                         int64_t units);
  int64_t fullTiles() const { return tiles - tailTiles; }
  /// Tasks of a unit: one per tile that units have steps of.
  int64_t tasksPerUnit() const { return units % tailTiles == 0 ? 1 : 2; }
  int64_t maxUnitSteps() const { return (tailTiles * steps + units - 1) / units; }
  /// The unit that has a step, counted over all tiles of the tail.
  int64_t unitOf(int64_t step) const {
    return ((step + 1) * units - 1) / (tailTiles * steps);
  }
  /// The most units that have steps of the same tile.
  int64_t maxSplits() const;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_CONFIG_STREAMKPLAN_H
