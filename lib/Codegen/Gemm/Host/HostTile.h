//===- HostTile.h - Common types of a host's GEMM ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A task computes some rows of some panels. It loops over groups of panels, and within a
// group over blocks of rows; a block times a group is a register tile. Internal to
// lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_HOST_HOSTTILE_H
#define KILN_LIB_CODEGEN_GEMM_HOST_HOSTTILE_H

#include "lib/Codegen/Gemm/Program/GemmBuilder.h"

namespace kiln::codegen {

/// Maximum rows for which several panels per register tile beat taller tiles; and the
/// number of accumulators that keeps the FMA units busy.
inline constexpr int64_t kSmallRows = 3;
inline constexpr int64_t kAccumulators = 8;
/// Rows and panels of a register tile of bf16 on AMX tile registers.
inline constexpr int64_t kBf16TileRows = 32, kBf16TilePanels = 2;

/// Rows [begin, begin + count).
struct RowRange {
  mlir::Value begin, count;
};

/// A panel of the current group.
struct HostPanel {
  mlir::Value number; ///< index over all splits of the columns
  mlir::Value rhs;    ///< view of K x width
  mlir::Value packed; ///< view that begins at the panel; null: the operand is not packed
  mlir::Value scales = {}, zeros = {}; ///< of quantized weights: views of blocks x width
  mlir::Value rows = {}; ///< view of rows x width in scratch; null: no row panel
};

/// A block of rows of a task. All blocks read the same panels.
struct RowBlock {
  RowRange rows;
  mlir::Value number = {}, count = {}; ///< index and number of the task's blocks; null if
                                       ///< there is only one
};

/// Steps of K [begin, end).
struct KSteps {
  mlir::Value begin, end;
  bool isFirst; ///< accumulators start at 0
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_HOST_HOSTTILE_H
