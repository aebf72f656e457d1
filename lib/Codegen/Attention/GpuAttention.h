//===- GpuAttention.h - Attention of blocks of threads ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Main loop x epilogue x scheduler, as a config says. Internal to
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
  /// A task per tile of queries.
  tile::KernelOp compose(mlir::Attribute config, AttentionTile tile,
                         AttentionMainloop &mainloop, AttentionEpilogue &epilogue,
                         const SymbolicExpr &scratchBytes);
  /// A task per tile of queries or, with `split`, per so many keys of a tile; the results
  /// are finished row by row.
  tile::KernelOp composeRows(mlir::Attribute config, AttentionTile tile, int64_t split,
                             AttentionMainloop &mainloop, AttentionRowEpilogue &epilogue,
                             const SymbolicExpr &scratchBytes);

  AttentionProgram &program;
  AttentionBuilder attention;
  VisibleKeys visible;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_GPUATTENTION_H
