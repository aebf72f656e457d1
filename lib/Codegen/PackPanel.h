//===- PackPanel.h - Columns of a matrix as a panel -------------*- C++ -*-===//
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

/// Element (k, n) of the columns to pack lies at offset + k * depthStride + n *
/// columnStride of the buffer.
struct PanelSource {
  mlir::Value buffer, offset;
  mlir::OpFoldResult depthStride, columnStride;
  mlir::OpFoldResult depth; ///< rows of the panel
  mlir::Value valid;        ///< columns that exist; null: all
  mlir::Type codes = {};    ///< the graph's type of what is stored as i8; null: numbers
  /// The columns behind these are packed next, and come from memory: their lines are
  /// fetched.
  bool isStream = false;
};

/// True if codes of so many rows can be packed as they are, for panels of so many
/// columns: all are in blocks that are transposed in registers.
bool packsCodes(mlir::OpFoldResult depth, int64_t width);

/// Writes `width` columns to `panel`, a view of depth x width, converted to the
/// panel's element type, or codes as they are into a panel of bytes; columns past the
/// valid ones become 0.
void emitPackPanel(mlir::OpBuilder &b, mlir::Location loc, const PanelSource &source,
                   mlir::Value panel);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_PACKPANEL_H
