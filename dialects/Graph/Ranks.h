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
#include "llvm/ADT/DenseMap.h"

namespace kiln::graph {

/// Attribute of a module: how many ranks run it together. Absent: one.
inline constexpr llvm::StringLiteral kRanksAttr = "graph.ranks";
/// Attributes of an all-reduce: the kernel by which GPUs of one process may carry it out
/// through peer memory, and the kernel in two shots (reduce-scatter, all-gather) where
/// the first is too small for some dims.
inline constexpr llvm::StringLiteral kPeerKernelAttr = "code";
inline constexpr llvm::StringLiteral kSplitPeerKernelAttr = "split_code";
/// Attribute of a weight without a file, {of = @w, axis = 1}: it is this rank's part of
/// weight @w, which the ranks divide along the axis, in their order and in equal parts.
/// With `stride` and fewer parts than ranks, ranks along an axis of the mesh (MeshAxis)
/// do.
inline constexpr llvm::StringLiteral kPartAttr = "graph.part";
/// Attribute (i64) of a collective: the distance between ranks of a group (MeshAxis).
/// Absent: 1.
inline constexpr llvm::StringLiteral kStrideAttr = "graph.stride";

/// Attribute (i64) of a weight: the axis along which tensor-parallel ranks divide it, or
/// -1 (kWholeWeight), as the user asked. Without it kiln-shard decides.
inline constexpr llvm::StringLiteral kShardAxisAttr = "graph.shard_axis";
/// Attribute (i64) of a weight: the pipeline stage whose ranks have it, as the user
/// asked.
inline constexpr llvm::StringLiteral kStageAttr = "graph.stage";

/// How many ranks run a module; 1 at least.
int64_t ranksOf(mlir::ModuleOp module);
void setRanks(mlir::ModuleOp module, int64_t ranks);

/// An axis of the mesh of ranks: `size` ranks along it are `stride` apart. The ranks of a
/// module are groups of such ranks, each with a number within its group.
struct MeshAxis {
  int64_t size = 1, stride = 1;
  int64_t numberOf(int64_t rank) const { return rank / stride % size; }
  /// Whether so many ranks are whole groups.
  bool divides(int64_t ranks) const {
    return size >= 1 && stride >= 1 && ranks % (size * stride) == 0;
  }
  bool operator==(const MeshAxis &) const = default;
};

/// Whole weight that a weight is a part of, and the axis along which ranks divide it.
struct WeightPart {
  mlir::FlatSymbolRefAttr of;
  int64_t axis;
  int64_t stride = 1; ///< of the ranks that have the parts
};
/// Nullopt of weights that are whole.
std::optional<WeightPart> partOf(WeightOp weight);
void setPart(WeightOp weight, WeightPart part);
/// The ranks that have the parts of which `weight` is one.
MeshAxis axisOfPart(WeightOp weight);

/// The weights whose bytes differ from rank to rank, by name: parts, and what @bake makes
/// of them. Along which axis they differ.
llvm::DenseMap<mlir::StringAttr, MeshAxis> weightsOfRanks(mlir::ModuleOp module);

/// The stages that the user has said of weights (kStageAttr), and of what @bake makes of
/// them, by name; the last one where several weights are made into one.
llvm::DenseMap<mlir::StringAttr, int64_t> stagesOfWeights(mlir::ModuleOp module);

/// The number of ranks that a collective is of; nullopt of other ops.
std::optional<int64_t> collectiveRanks(mlir::Operation *op);
/// The ranks that meet in a collective.
MeshAxis axisOfCollective(mlir::Operation *op);
void setStride(mlir::Operation *collective, int64_t stride);

/// Checks kRanksAttr, kPartAttr or kStrideAttr on `op`.
mlir::LogicalResult verifyRanksAttr(mlir::Operation *op, mlir::NamedAttribute attr);
/// Checks kShardAxisAttr or kStageAttr on `op`.
mlir::LogicalResult verifyAnnotation(mlir::Operation *op, mlir::NamedAttribute attr);

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_RANKS_H
