//===- Ranks.h - What modules for several ranks say -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SPMD: all ranks run the same functions, whose types are those of one rank's tensors.
// Ranks differ in their weights alone, and meet in collectives.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_GRAPH_RANKS_H
#define KILN_DIALECTS_GRAPH_RANKS_H

#include "dialects/Graph/Graph.h"
#include "llvm/ADT/DenseSet.h"

namespace kiln::graph {

/// Of a module: how many ranks run it together. Absent: one.
inline constexpr llvm::StringLiteral kRanksAttr = "graph.ranks";
/// Of an all-reduce: the kernel by which GPUs of one process may carry it out, and the
/// one in two shots where that is too small for some dims.
inline constexpr llvm::StringLiteral kPeerKernelAttr = "code";
inline constexpr llvm::StringLiteral kSplitPeerKernelAttr = "split_code";
/// Of a weight without a file, {of = @w, axis = 1}: it is this rank's part of weight @w,
/// which the ranks divide along the axis, in their order and in equal parts.
inline constexpr llvm::StringLiteral kPartAttr = "graph.part";

/// Of a weight, i64: the axis along which tensor-parallel ranks divide it, or -1
/// (kWholeWeight); the user says so. Without it kiln-shard decides.
inline constexpr llvm::StringLiteral kShardAxisAttr = "graph.shard_axis";
/// Of a weight, i64: the stage of a pipeline whose ranks have it; the user says so.
inline constexpr llvm::StringLiteral kStageAttr = "graph.stage";

/// How many ranks run a module; 1 at least.
int64_t ranksOf(mlir::ModuleOp module);
void setRanks(mlir::ModuleOp module, int64_t ranks);

/// What a weight is a part of.
struct WeightPart {
  mlir::FlatSymbolRefAttr of;
  int64_t axis;
};
/// Nullopt of weights that are whole.
std::optional<WeightPart> partOf(WeightOp weight);
void setPart(WeightOp weight, WeightPart part);

/// The names of the weights whose bytes differ from rank to rank: parts, and what @bake
/// makes of them.
llvm::DenseSet<mlir::StringAttr> weightsOfRanks(mlir::ModuleOp module);

/// The stages that the user has said of weights (kStageAttr), and of what @bake makes of
/// them, by name; the last one where several weights are made into one.
llvm::DenseMap<mlir::StringAttr, int64_t> stagesOfWeights(mlir::ModuleOp module);

/// The number of ranks that a collective is of; nullopt of other ops.
std::optional<int64_t> collectiveRanks(mlir::Operation *op);

/// Checks kRanksAttr or kPartAttr on `op`.
mlir::LogicalResult verifyRanksAttr(mlir::Operation *op, mlir::NamedAttribute attr);
/// Checks kShardAxisAttr or kStageAttr on `op`.
mlir::LogicalResult verifyAnnotation(mlir::Operation *op, mlir::NamedAttribute attr);

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_RANKS_H
