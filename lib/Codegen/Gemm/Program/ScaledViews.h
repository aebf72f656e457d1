//===- ScaledViews.h - Operands of a product of codes -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_PROGRAM_SCALEDVIEWS_H
#define KILN_LIB_CODEGEN_GEMM_PROGRAM_SCALEDVIEWS_H

#include "GemmBuilder.h"

namespace kiln::codegen {

class ScaledViews : public GemmBuilder {
public:
  explicit ScaledViews(const GemmBuilder &gemm)
      : GemmBuilder(gemm), scaled(*program.scaled) {}

  /// Views of all rows of the left operand in the bound batch: codes are rows x K, scales
  /// and totals rows x blocks; the latter are null where the format has none.
  struct Rows {
    Value codes, scales, totals;
  };
  /// Words x 4 bytes of every column, and blocks x width; null without scales or zero
  /// points.
  struct Panel {
    Value codes, scales, zeros;
  };
  Rows openRows();
  Panel openPanel(Value number);

  /// The threads of a block ask for the first codes of a panel, `bytes` at most.
  void prefetchCodes(Value number, int64_t bytes);

  /// 32 bits of the weight each.
  int64_t wordsPerBlock() const { return scaled.block * scaled.bits() / 32; }
  /// The accumulator, with what a block of K adds: staged codes of rows and of a panel,
  /// each with what its format has: scales and totals, scales and zero points.
  Value multiply(Value accumulator, mlir::ValueRange rows, mlir::ValueRange panel);

private:
  Value openRows(const Node *node);
  Value openBlocks(const Node *node);

  const GemmProgram::ScaledOperands &scaled;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_PROGRAM_SCALEDVIEWS_H
