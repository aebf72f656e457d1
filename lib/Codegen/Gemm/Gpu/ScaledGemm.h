//===- ScaledGemm.h - GPU GEMMs of quantized operands -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each warp of a block multiplies all rows of a tile by a panel over all of K, reading
// both directly from memory; then the block finishes the rows from shared memory.
// Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_GPU_SCALEDGEMM_H
#define KILN_LIB_CODEGEN_GEMM_GPU_SCALEDGEMM_H

#include "CollectiveEpilogue.h"
#include "lib/Codegen/Gemm/Program/ScaledViews.h"

namespace kiln::codegen {

class ScaledGemm : ShellEmitter {
public:
  ScaledGemm(mlir::OpBuilder &builder, graph::KernelOp kernel, const GemmProgram &program,
             tile::BlockGemmConfigAttr config);

  tile::KernelOp emit();

private:
  using Values = llvm::SmallVector<Value>;

  void emitTask(Value task, TileOrder &order, RowEpilogue &epilogue);
  Value panelNumber(const WorkTile &tile, Value own);
  /// Returns the accumulators of warp `part` of the warps that split K of a panel.
  Value multiplyPanel(const WorkTile &tile, const ScaledViews::Panel &panel, Value part);
  Value multiplyBlock(const WorkTile &tile, const ScaledViews::Panel &panel, Value number,
                      Value accumulators);

  const GemmProgram &program;
  const GemmProgram::ScaledOperands &scaled;
  tile::BlockGemmConfigAttr config;
  int64_t split; ///< warps that split K of a panel
  TileShape shape;
  GemmBuilder gemm;
  ScaledViews views;
  ScaledViews::Rows rows; ///< of the current batch
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_GPU_SCALEDGEMM_H
