//===- PipelineLowering.h - Operands into shared memory -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_PIPELINELOWERING_H
#define KILN_LIB_TARGET_NVPTX_PIPELINELOWERING_H

#include "MemoryLowering.h"

#include <functional>

namespace kiln::nvptx {

class PipelineLowering {
public:
  using Value = mlir::Value;
  /// `lowerBlock` lowers the ops of a region.
  PipelineLowering(ThreadProgram &program, MemoryLowering &memory,
                   std::function<void(mlir::Block &)> lowerBlock)
      : program(program), memory(memory), b(program.b),
        lowerBlock(std::move(lowerBlock)) {}

  void lowerPipeline(tile::PipelineOp op);
  void lowerStage(tile::StageOp op);

private:
  void stageScratch(tile::StageOp op);
  /// The tile of a stage, at its place.
  SharedTile openTile(tile::StageOp op);
  LoweredStaged slotOf(const SharedTile &tile, mlir::Type element, Value slot);
  int64_t copyWidth(tile::StageOp op, const SharedTile &tile);
  Layout copyLayout(const SharedTile &tile, int64_t width, int64_t bytes);
  void copyTile(tile::StageOp op, const SharedTile &tile, Value slot);
  void copyRun(const LoweredView &view, Value source, Value target, int64_t bytes,
               Value condition);
  void issueCopies(tile::PipelineOp op, Value position, Value slot);
  void bindTiles(tile::PipelineOp op, Value position, Value slot);

  ThreadProgram &program;
  MemoryLowering &memory;
  mlir::ImplicitLocOpBuilder &b;
  std::function<void(mlir::Block &)> lowerBlock;
  llvm::DenseMap<mlir::Operation *, SharedTile> tiles; ///< of a pipeline's stages
  Value copySlot;                                      ///< that stages copy to
};

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_PIPELINELOWERING_H
