//===- CopyLowering.h - Operands into shared memory ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers buffers that cp.async fills, and the copies, groups and waits for them. Private
// to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LOWERING_COPYLOWERING_H
#define KILN_LIB_TARGET_NVPTX_LOWERING_COPYLOWERING_H

#include "MemoryLowering.h"

namespace kiln::nvptx {

class CopyLowering {
public:
  using Value = mlir::Value;
  CopyLowering(ThreadProgram &program, MemoryLowering &memory)
      : program(program), memory(memory), b(program.b) {}

  void lower(tile::AllocOp op);
  void lower(tile::IssueCopyOp op);
  void lower(tile::CommitCopiesOp op);
  void lower(tile::WaitCopiesOp op);
  void lower(tile::BufferStageOp op);
  void lower(tile::StageOp op);

private:
  LoweredStaged stageOf(const SharedTile &tile, mlir::Type element, Value stage);
  int64_t copyWidth(tile::IssueCopyOp op, const SharedTile &tile);
  Layout copyLayout(const SharedTile &tile, int64_t width, int64_t bytes);
  void copyRun(const LoweredView &view, Value source, Value target, int64_t bytes,
               Value condition);

  ThreadProgram &program;
  MemoryLowering &memory;
  mlir::ImplicitLocOpBuilder &b;
  llvm::DenseMap<Value, SharedTile> tiles; ///< by buffer
};

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LOWERING_COPYLOWERING_H
