//===- GpuAttention.h - Attention kernels of GPUs ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Composes main loop, epilogue and scheduler as a config says. Internal to
// lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_GPUATTENTION_H
#define KILN_LIB_CODEGEN_ATTENTION_GPUATTENTION_H

#include "AttentionEpilogue.h"
#include "AttentionScheduler.h"
#include "SplitKeys.h"

namespace kiln::codegen {

class GpuAttention : ShellEmitter {
public:
  GpuAttention(mlir::OpBuilder &builder, graph::KernelOp kernel,
               AttentionProgram &program)
      : ShellEmitter(builder, kernel, program.body), program(program),
        attention(*this, program), visible(attention) {}

  tile::KernelOp emit(tile::BlockAttentionConfigAttr config);
  tile::KernelOp emit(tile::WarpgroupAttentionConfigAttr config);

private:
  AttentionTile tileOf(int64_t rows, int64_t keys, int64_t threads) const;
  bool recomputes(const AttentionOperands &operands) const;
  tile::KernelOp emitInShared(mlir::Attribute config, AttentionTile tile, int64_t split,
                              AttentionOperands &operands);
  tile::KernelOp emitInRegisters(mlir::Attribute config, AttentionTile tile,
                                 int64_t stages, int64_t split,
                                 AttentionOperands &operands);
  /// Composes a kernel with one task per tile of queries.
  tile::KernelOp compose(mlir::Attribute config, AttentionTile tile,
                         AttentionMainloop &mainloop, AttentionEpilogue &epilogue,
                         const SymbolicExpr &scratchBytes);
  /// Composes a kernel that finishes its results row by row, with one task per tile of
  /// queries or, if `split` is not 0, one per `split` keys of such a tile.
  tile::KernelOp composeRows(mlir::Attribute config, AttentionTile tile, int64_t split,
                             AttentionMainloop &mainloop, AttentionRowEpilogue &epilogue,
                             const SymbolicExpr &scratchBytes);

  AttentionProgram &program;
  AttentionBuilder attention;
  VisibleKeys visible;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_GPUATTENTION_H
