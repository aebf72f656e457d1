//===- PanelMultiplier.h - Keys and values as panels ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main loop of attention on a host: packs a matrix into panels in scratch, and
// multiplies rows by them with register tiles. Internal to lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_PANELMULTIPLIER_H
#define KILN_LIB_CODEGEN_ATTENTION_PANELMULTIPLIER_H

#include "VisibleKeys.h"

namespace kiln::codegen {

/// Panels of one matrix in scratch.
struct PackedPanels {
  mlir::Value buffer;
  SymbolicExpr rows; ///< that there is room for in each
};

class PanelMultiplier : public AttentionBuilder {
public:
  PanelMultiplier(const AttentionBuilder &attention, tile::AttentionConfigAttr config,
                  const VisibleKeys &visible)
      : AttentionBuilder(attention), config(config), visible(visible) {}

  /// Packs an operand of which `rows` and `lanes` count the dims, at byte `offset` of
  /// scratch; of keys, those of the range.
  PackedPanels pack(Node *source, const Loop &lanes, const Loop &rows,
                    const SymbolicExpr &offset, KeyRange keys);
  /// Multiplies `height` rows of a view from `lhsRow` on by rows `k` of the panels in a
  /// range. Panels are the outer loop: one stays in L1 for all that is done with it.
  void multiply(Value lhs, Value lhsRow, Value height, const PackedPanels &panels,
                KeyRange numbers, KeyRange k,
                llvm::function_ref<void(Value panel, Value accumulators)> use);

private:
  KeyRange rangeIn(const Loop &loop, KeyRange keys);
  llvm::SmallVector<int64_t> heights() const;
  Value stage(Value from, mlir::ValueRange indices, int64_t rows, int64_t columns,
              Value k);
  Value multiplyPanel(Value lhs, Value lhsRow, int64_t height, Value panel, KeyRange k,
                      Value step);

  tile::AttentionConfigAttr config;
  const VisibleKeys &visible;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_PANELMULTIPLIER_H
