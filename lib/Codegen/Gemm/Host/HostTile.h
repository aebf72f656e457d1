//===- HostTile.h - What the parts of a host's GEMM talk about --*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A task is some rows times some panels. It takes a group of panels at a time, and for
// each the blocks of its rows; a block times the group is a register tile. Internal to
// lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_HOST_HOSTTILE_H
#define KILN_LIB_CODEGEN_GEMM_HOST_HOSTTILE_H

#include "lib/Codegen/Gemm/Program/GemmBuilder.h"

namespace kiln::codegen {

/// Rows up to which panels side by side beat taller register tiles, and how many
/// accumulators keep the multipliers busy.
inline constexpr int64_t kSmallRows = 3;
inline constexpr int64_t kAccumulators = 8;
/// Rows of a register tile of codes whose integers are in tile registers (AMX).
inline constexpr int64_t kTileRegisterRows = 16;

/// Rows [begin, begin + count).
struct RowRange {
  mlir::Value begin, count;
};

/// A panel of the group that is computed.
struct HostPanel {
  mlir::Value number; ///< over all splits of the columns
  mlir::Value rhs;    ///< view of K x width
  mlir::Value packed; ///< the packed operand from the panel on; null: not packed
  mlir::Value scales = {}, zeros = {}; ///< of codes: views of blocks x width
  mlir::Value rows = {}; ///< row panel: view of rows x width in scratch; null: none
};

/// A block of rows among those of its task, which all read the same panels.
struct RowBlock {
  RowRange rows;
  mlir::Value number = {}, count = {}; ///< null: there is only one
};

/// Steps of K [begin, end).
struct KSteps {
  mlir::Value begin, end;
  bool isFirst; ///< accumulators begin at 0
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_HOST_HOSTTILE_H
