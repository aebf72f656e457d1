//===- ScaledViews.h - Views of quantized operands --------------*- C++ -*-===//
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

  /// Views of all rows of the left operand in the bound batch: quantized values are rows
  /// x K; scales and totals (sums per block) are rows x blocks, or null if the format has
  /// none.
  struct Rows {
    Value codes, scales, totals;
  };
  /// Quantized values are words x 4 bytes per column; scales and zero points are blocks x
  /// width, or null.
  struct Panel {
    Value codes, scales, zeros;
  };
  Rows openRows();
  Panel openPanel(Value number);

  /// Prefetches at most `bytes` of a panel's quantized values, distributed over the
  /// threads of a block.
  void prefetchCodes(Value number, int64_t bytes);

  /// Returns the 32-bit words of the weight per block.
  int64_t wordsPerBlock() const { return scaled.block * scaled.bits() / 32; }
  /// Adds the result of one block of K to the accumulator. `rows` and `panel` are staged
  /// quantized values, each followed by what its format has: scales and totals; scales
  /// and zero points.
  Value multiply(Value accumulator, mlir::ValueRange rows, mlir::ValueRange panel);

private:
  Value openRows(const Node *node);
  Value openBlocks(const Node *node);

  const GemmProgram::ScaledOperands &scaled;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_PROGRAM_SCALEDVIEWS_H
