//===- Attention.h - Attention kernels --------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels around one graph.attention: operands and results reached through
// views, any elementwise ops before the mask and after the product.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_ATTENTION_H
#define KILN_CODEGEN_ATTENTION_H

#include "dialects/Graph/Graph.h"
#include "dialects/Tile/Tile.h"
#include "kiln/Target/TargetInfo.h"

#include <optional>

namespace kiln::codegen {

/// Configs for an accumulator of so many bytes, best first; never empty.
llvm::SmallVector<tile::AttentionConfigAttr>
rankAttentionConfigs(mlir::MLIRContext *context, int64_t accumulatorBytes,
                     const TargetInfo &target);

/// Configs for blocks of threads of a GPU that multiply without tensor cores, best first;
/// `depth` and `columns` are the extents of a head. Empty if no block has the shared
/// memory and the registers.
llvm::SmallVector<tile::BlockAttentionConfigAttr>
rankBlockAttentionConfigs(mlir::MLIRContext *context, int64_t depth, int64_t columns,
                          int64_t accumulatorBytes, const TargetInfo &target);

/// Configs for blocks of threads whose tensor cores multiply operands of f16 or bf16,
/// best first; `rows` is the number of queries where it is known, `depth` and `columns`
/// are the extents of a head. Empty if no block has the shared memory and the registers.
llvm::SmallVector<tile::BlockAttentionConfigAttr>
rankTensorAttentionConfigs(mlir::MLIRContext *context, std::optional<int64_t> rows,
                           int64_t depth, int64_t columns, const TargetInfo &target);

/// Extents and mask that a config of attention for warpgroups depends on.
struct HeadProblem {
  std::optional<int64_t> rows, keys; ///< where their numbers are known
  int64_t depth, columns;            ///< extents of a head
  int64_t maskRows = 0; ///< rows of the mask: 0 (none), 1 (one for all queries), 2 (more)
  int64_t maskTiles = 1; ///< tiles of so many rows: the mask, and `keep` if there is one
};

/// Configs for warpgroups of targets with wgmma and TMA, best first; empty on other
/// targets and where the other kinds are better, as for few queries.
llvm::SmallVector<tile::WarpgroupAttentionConfigAttr>
rankWarpgroupAttentionConfigs(mlir::MLIRContext *context, const HeadProblem &problem,
                              const TargetInfo &target);

/// True if one kernel computes the attention on a target of that name, whatever fusion
/// adds to it. Hosts and unknown targets, which are reported elsewhere: always.
bool holdsAttention(graph::AttentionOp op, llvm::StringRef target);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_ATTENTION_H
