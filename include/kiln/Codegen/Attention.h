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
#include <string>

namespace kiln::codegen {

/// Configs for an accumulator of so many bytes, best first; never empty.
llvm::SmallVector<tile::AttentionConfigAttr>
rankAttentionConfigs(mlir::MLIRContext *context, int64_t accumulatorBytes,
                     const TargetInfo &target);

/// The same for a GPU; depth and columns are the extents of a head. Empty if no
/// block of threads has the shared memory.
llvm::SmallVector<tile::BlockAttentionConfigAttr>
rankBlockAttentionConfigs(mlir::MLIRContext *context, int64_t depth, int64_t columns,
                          int64_t accumulatorBytes, const TargetInfo &target);

/// The same for operands of f16 or bf16, which tensor cores multiply; `rows` is the
/// number of queries where it is known.
llvm::SmallVector<tile::BlockAttentionConfigAttr>
rankTensorAttentionConfigs(mlir::MLIRContext *context, std::optional<int64_t> rows,
                           int64_t depth, int64_t columns, const TargetInfo &target);

/// What a config of attention for warpgroups depends on.
struct HeadProblem {
  std::optional<int64_t> rows, keys; ///< where their numbers are known
  int64_t depth, columns;            ///< extents of a head
  int64_t maskRows = 0; ///< rows of the mask: 0 (none), 1 (one for all queries), 2 (more)
  int64_t maskTiles = 1; ///< tiles of so many rows: the mask, and `keep` if there is one
};

/// The same for targets with wgmma and TMA; empty where another kind is better.
llvm::SmallVector<tile::WarpgroupAttentionConfigAttr>
rankWarpgroupAttentionConfigs(mlir::MLIRContext *context, const HeadProblem &problem,
                              const TargetInfo &target);

/// Those that a kernel is chosen from on such a target; empty if it is not for
/// warpgroups.
llvm::SmallVector<tile::WarpgroupAttentionConfigAttr>
warpgroupAttentionConfigs(graph::KernelOp kernel, const TargetInfo &target,
                          std::optional<int64_t> maxQueries = {});

/// Those of the lists for blocks of threads that a kernel is chosen from on a GPU; empty
/// if no block of threads can compute it.
llvm::SmallVector<tile::BlockAttentionConfigAttr>
blockAttentionConfigs(graph::KernelOp kernel, const TargetInfo &target,
                      std::optional<int64_t> maxQueries = {});

/// Configs of a kernel on a host or a GPU, best first; of the launches with at most so
/// many queries, if that is given.
llvm::SmallVector<mlir::Attribute>
attentionConfigs(graph::KernelOp kernel, const TargetInfo &target,
                 std::optional<int64_t> maxQueries = {});

/// Nanoseconds of the fullest multiprocessor of a GPU, by its model. For people: the
/// rules that order the lists do not ask it.
double attentionTime(graph::KernelOp kernel, const TargetInfo &target,
                     std::optional<int64_t> maxQueries, mlir::Attribute config);

/// Shared memory that a block with this config takes, about.
int64_t blockAttentionSharedBytes(graph::KernelOp kernel,
                                  tile::BlockAttentionConfigAttr config);

/// True if one kernel computes the attention on a target of that name, whatever fusion
/// adds to it. Hosts and unknown targets, which are reported elsewhere: always.
bool holdsAttention(graph::AttentionOp op, llvm::StringRef target);

/// True if `emitAttention` will succeed; else `why` says what stands in the way.
bool canEmitAttention(graph::KernelOp kernel, std::string *why = nullptr);

/// The tile program of a kernel, at the builder's insertion point, with the best
/// config or the given one.
mlir::FailureOr<tile::KernelOp>
emitAttention(graph::KernelOp kernel, const TargetInfo &target, mlir::OpBuilder &builder,
              mlir::Attribute config = {}, std::optional<int64_t> maxQueries = {});

/// The queries of a kernel, and numbers of them up to which launches have code of their
/// own: one, whose query heads are rows of one tile, and too few for warpgroups.
graph::SymbolicExpr attentionQueries(graph::KernelOp kernel);
llvm::SmallVector<int64_t> attentionVariants(graph::KernelOp kernel,
                                             const TargetInfo &target);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_ATTENTION_H
