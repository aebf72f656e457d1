//===- Attention.h - Attention kernels --------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels around one graph.attention: operands and results are accessed through views,
// with any elementwise ops before the mask and after the second matmul.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_ATTENTION_H
#define KILN_CODEGEN_ATTENTION_H

#include "dialects/Graph/Graph.h"
#include "dialects/Tile/Tile.h"
#include "kiln/Target/TargetInfo.h"

#include <optional>

namespace kiln::codegen {

/// Returns configs for an accumulator of `accumulatorBytes` per element, best first;
/// never empty. `dot` is the dot product that multiplies bf16; nullopt: FMAs.
llvm::SmallVector<tile::AttentionConfigAttr>
rankAttentionConfigs(mlir::MLIRContext *context, int64_t accumulatorBytes,
                     const TargetInfo &target,
                     std::optional<tile::DotProduct> dot = std::nullopt);

/// Returns configs for blocks of GPU threads that multiply without tensor cores, best
/// first; `depth` and `columns` are the head dims of keys and of values. Empty if no
/// block fits into shared memory and registers.
llvm::SmallVector<tile::BlockAttentionConfigAttr>
rankBlockAttentionConfigs(mlir::MLIRContext *context, int64_t depth, int64_t columns,
                          int64_t accumulatorBytes, const TargetInfo &target);

/// Returns configs for blocks of GPU threads whose tensor cores multiply f16 or bf16,
/// best first; `rows` is the number of queries if known, `depth` and `columns` are the
/// head dims of keys and of values. Empty if no block fits into shared memory and
/// registers.
llvm::SmallVector<tile::BlockAttentionConfigAttr>
rankTensorAttentionConfigs(mlir::MLIRContext *context, std::optional<int64_t> rows,
                           int64_t depth, int64_t columns, const TargetInfo &target);

/// Extents and mask that configs of attention with wgmma depend on.
struct HeadProblem {
  std::optional<int64_t> rows, keys; ///< numbers of queries and keys, if known
  int64_t depth, columns;            ///< head dims of keys and of values
  int64_t maskRows = 0; ///< rows of the mask: 0 (no mask), 1 (one row for all queries), 2
                        ///< (more)
  int64_t maskTiles = 1; ///< number of tiles with `rows` rows: the mask, and `keep` if
                         ///< there is one
};

/// Returns configs for attention with wgmma and TMA, best first; empty on targets without
/// them and where other configs are faster, as for few queries.
llvm::SmallVector<tile::WarpgroupAttentionConfigAttr>
rankWarpgroupAttentionConfigs(mlir::MLIRContext *context, const HeadProblem &problem,
                              const TargetInfo &target);

/// True if one kernel computes the attention on the target of that name, whatever fusion
/// adds to it. Always true for hosts and for unknown targets, which are reported
/// elsewhere.
bool holdsAttention(graph::AttentionOp op, llvm::StringRef target);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_ATTENTION_H
