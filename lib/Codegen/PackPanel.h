//===- PackPanel.h - Packing of columns into panels -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_PACKPANEL_H
#define KILN_LIB_CODEGEN_PACKPANEL_H

#include "dialects/Tile/Tile.h"

namespace kiln::codegen {

/// Columns to pack. Element (k, n) is at offset + k * depthStride + n * columnStride of
/// the buffer.
struct PanelSource {
  mlir::Value buffer, offset;
  mlir::OpFoldResult depthStride, columnStride;
  mlir::OpFoldResult depth; ///< rows of the panel (K)
  mlir::Value valid;        ///< columns that exist; null: all
  mlir::Type codes = {};    ///< the graph's type of quantized values that are stored as
                            ///< i8; null: not quantized
  /// True if the next columns in memory are packed next and are not in caches, so that
  /// they should be prefetched.
  bool isStream = false;
};

/// Returns true if quantized values can be packed without dequantizing them: `depth` rows
/// and `width` columns both fill blocks that are transposed in registers.
bool packsCodes(mlir::OpFoldResult depth, int64_t width);

/// Packs `width` columns into `panel`, a view of depth x width. Elements are converted to
/// the panel's element type; quantized values are copied if that is i8. Columns past the
/// valid ones become 0.
void emitPackPanel(mlir::OpBuilder &b, mlir::Location loc, const PanelSource &source,
                   mlir::Value panel);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_PACKPANEL_H
