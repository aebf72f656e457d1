//===- PanelMultiplier.h - Keys and values as panels ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main loop of attention on a host: multiplies rows by panels of a matrix with
// register tiles. Panels are in scratch, packed before or when they are used, or lie in
// the matrix itself. Sums are in the same order in each. Internal to
// lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_PANELMULTIPLIER_H
#define KILN_LIB_CODEGEN_ATTENTION_PANELMULTIPLIER_H

#include "VisibleKeys.h"

#include <functional>

namespace kiln::codegen {

/// Some lanes of a matrix as a panel: `width` columns of each row.
struct Panels {
  mlir::Value buffer;
  SymbolicExpr rows; ///< that there is room for in each
  int64_t width;
  mlir::Value offset, stride; ///< elements to the first, and from one to the next
  mlir::OpFoldResult rowStride;
  mlir::Type element; ///< codes, or numbers, which the product widens
  /// Packs a panel, where it is packed when it is used.
  std::function<void(mlir::Value number)> fill;
};

/// An operand of which `lanes` and `rows` count the dims; of keys, those of the range.
struct PanelOperand {
  Node *source;
  const Loop &lanes, &rows;
  KeyRange keys;
};

class PanelMultiplier : public AttentionBuilder {
public:
  PanelMultiplier(const AttentionBuilder &attention, tile::AttentionConfigAttr config,
                  const VisibleKeys &visible)
      : AttentionBuilder(attention), config(config), visible(visible) {}

  /// All panels, packed at byte `offset` of scratch.
  Panels pack(const PanelOperand &operand, const SymbolicExpr &offset);
  /// Panels that take turns in the place of one: each is packed for one use. Codes stay
  /// codes where that is faster.
  Panels packOnUse(const PanelOperand &operand, const SymbolicExpr &offset);
  /// Panels of `width` contiguous lanes that are read where they lie.
  Panels readInPlace(const PanelOperand &operand, int64_t width);
  Value panel(const Panels &panels, Value number);
  /// From here on, tasks have so many rows, if that is known.
  void setTaskRows(std::optional<int64_t> rows) { taskRows = rows; }
  /// Multiplies `height` rows of a view from `lhsRow` on by rows `k` of the panels in a
  /// range. Panels are the outer loop: one stays in L1 for all that is done with it.
  void multiply(Value lhs, Value lhsRow, Value height, const Panels &panels,
                KeyRange numbers, KeyRange k,
                llvm::function_ref<void(Value panel, Value accumulators)> use);

private:
  KeyRange rangeIn(const Loop &loop, KeyRange keys);
  llvm::SmallVector<int64_t> heights() const;
  Value stage(Value from, mlir::Type element, mlir::ValueRange indices, int64_t rows,
              int64_t columns, Value k);
  Value multiplyPanel(Value lhs, Value lhsRow, int64_t height, Value panel,
                      const Panels &panels, KeyRange k, Value step);
  struct Source;
  Source open(const PanelOperand &operand);
  void packPanel(const Source &source, Value number, Value target, Value valid,
                 bool isStream);

  tile::AttentionConfigAttr config;
  const VisibleKeys &visible;
  std::optional<int64_t> taskRows;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_PANELMULTIPLIER_H
