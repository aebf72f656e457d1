//===- PanelMultiplier.h - Matmuls with key and value panels ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main loop of attention on a host: multiplies rows by panels of a matrix with
// register tiles. Panels are packed into scratch (all at once, or each before its use) or
// read in place. All variants accumulate in the same order. Internal to
// lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_PANELMULTIPLIER_H
#define KILN_LIB_CODEGEN_ATTENTION_PANELMULTIPLIER_H

#include "VisibleKeys.h"

#include <functional>

namespace kiln::codegen {

/// A matrix as panels of `width` columns.
struct Panels {
  mlir::Value buffer;
  SymbolicExpr rows; ///< rows that each panel has room for
  int64_t width;
  mlir::Value offset, stride; ///< elements: offset of the first panel, and distance
                              ///< between panels
  mlir::OpFoldResult rowStride;
  mlir::Type element; ///< type in memory, which the matmul widens if it is quantized
  /// Packs a panel just before its use; null if panels are packed already or read in
  /// place.
  std::function<void(mlir::Value number)> fill;
};

/// An operand whose dims the loops `lanes` and `rows` index. Only the `keys` in range are
/// read.
struct PanelOperand {
  Node *source;
  const Loop &lanes, &rows;
  KeyRange keys;
};

class PanelMultiplier : public AttentionBuilder {
public:
  PanelMultiplier(const AttentionBuilder &attention, tile::AttentionConfigAttr config,
                  const VisibleKeys &visible, const TargetInfo &target)
      : AttentionBuilder(attention), config(config), visible(visible),
        dot(program.dotProduct(target)) {}

  /// Packs all panels into scratch from byte `offset` on.
  Panels pack(const PanelOperand &operand, const SymbolicExpr &offset);
  /// Returns the type of the elements of packed panels that are not quantized.
  mlir::Type packedElement() const;
  /// Returns the CPU's dot product by which both matmuls of bf16 are computed; nullopt:
  /// FMAs. See tile.mma.
  std::optional<tile::DotProduct> dotProduct() const { return dot; }
  /// Returns true if that is the one of AMX tile registers. Rows of the left operand must
  /// exist then up to a multiple of kTileRegisterRows, although their results are not
  /// used.
  bool usesTiles() const { return dot == tile::DotProduct::tdpbf16ps; }
  /// Packs each panel when it is used, all into the same place in scratch. Quantized
  /// values stay quantized where that is faster.
  Panels packOnUse(const PanelOperand &operand, const SymbolicExpr &offset);
  /// Returns panels of `width` contiguous columns that are read in place.
  Panels readInPlace(const PanelOperand &operand, int64_t width);
  Value panel(const Panels &panels, Value number);
  /// Sets the number of rows of the tasks that follow, if it is known.
  void setTaskRows(std::optional<int64_t> rows) { taskRows = rows; }
  /// Multiplies `height` rows of a view, from `lhsRow` on, by rows `k` of the panels in
  /// the range `numbers`. The outer loop is over panels, so that a panel stays in L1 for
  /// all rows.
  void multiply(Value lhs, Value lhsRow, Value height, const Panels &panels,
                KeyRange numbers, KeyRange k,
                llvm::function_ref<void(Value panel, Value accumulators)> use);

private:
  KeyRange rangeIn(const Loop &loop, KeyRange keys);
  llvm::SmallVector<int64_t> heights() const;
  Value stage(Value from, mlir::Type element, mlir::ValueRange indices, int64_t rows,
              int64_t columns, Value k);
  /// Returns the rows of a register tile for a block of `height` rows.
  Value tileHeight(Value height);
  Value multiplyPanel(Value lhs, Value lhsRow, int64_t height, Value panel,
                      const Panels &panels, KeyRange k, Value step);
  struct Source;
  Source open(const PanelOperand &operand);
  void packPanel(const Source &source, Value number, Value target, Value valid,
                 bool isStream);

  tile::AttentionConfigAttr config;
  const VisibleKeys &visible;
  std::optional<tile::DotProduct> dot;
  std::optional<int64_t> taskRows;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_PANELMULTIPLIER_H
