//===- Ranks.h - Attributes of modules for several ranks --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SPMD: all ranks run the same functions, whose types are those of one rank's tensors.
// Ranks differ only in their weights and exchange data only in collectives.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_GRAPH_RANKS_H
#define KILN_DIALECTS_GRAPH_RANKS_H

#include "dialects/Graph/Graph.h"
#include "llvm/ADT/DenseMap.h"

namespace kiln::graph {

/// Attribute of a module: the number of ranks that run it. Absent: 1.
inline constexpr llvm::StringLiteral kRanksAttr = "graph.ranks";
/// Attributes of an all-reduce between GPUs of one process: the kernel that reduces
/// through peer memory in one shot, and the two-shot kernel (reduce-scatter, all-gather)
/// for sizes that are too large for one shot.
inline constexpr llvm::StringLiteral kPeerKernelAttr = "code";
inline constexpr llvm::StringLiteral kSplitPeerKernelAttr = "split_code";
/// Attribute of a weight without a file, {of = @w, axis = 1}: it is this rank's part of
/// weight @w, which is divided along the axis in equal parts in the order of ranks. With
/// `stride` and fewer parts than ranks, only ranks along one axis of the mesh (MeshAxis)
/// divide it.
inline constexpr llvm::StringLiteral kPartAttr = "graph.part";
/// Attribute (i64) of a collective: the distance between the ranks of a group (MeshAxis).
/// Absent: 1.
inline constexpr llvm::StringLiteral kStrideAttr = "graph.stride";

/// Attribute (i64) of a weight: the axis along which tensor-parallel ranks divide it, or
/// -1 (kWholeWeight), as the user asked. Without it kiln-shard decides.
inline constexpr llvm::StringLiteral kShardAxisAttr = "graph.shard_axis";
/// Attribute (i64) of a weight: the pipeline stage that the user assigned it to.
inline constexpr llvm::StringLiteral kStageAttr = "graph.stage";

/// Returns the number of ranks that run a module, at least 1.
int64_t ranksOf(mlir::ModuleOp module);
void setRanks(mlir::ModuleOp module, int64_t ranks);

/// An axis of the mesh of ranks: a group is `size` ranks that are `stride` apart, and
/// each rank has an index in its group.
struct MeshAxis {
  int64_t size = 1, stride = 1;
  int64_t numberOf(int64_t rank) const { return rank / stride % size; }
  /// Whether `ranks` is a multiple of a group's extent.
  bool divides(int64_t ranks) const {
    return size >= 1 && stride >= 1 && ranks % (size * stride) == 0;
  }
  bool operator==(const MeshAxis &) const = default;
};

/// The weight that a weight is a part of, and the axis along which ranks divide it.
struct WeightPart {
  mlir::FlatSymbolRefAttr of;
  int64_t axis;
  int64_t stride = 1; ///< between the ranks that have the parts
};
/// Returns the weight that `weight` is a part of; nullopt if it is not divided.
std::optional<WeightPart> partOf(WeightOp weight);
void setPart(WeightOp weight, WeightPart part);
/// Returns the mesh axis whose ranks hold the parts, one of which is `weight`.
MeshAxis axisOfPart(WeightOp weight);

/// Returns the weights whose bytes differ between ranks, by name, with the mesh axis
/// along which they differ: parts, and weights that @bake computes from parts.
llvm::DenseMap<mlir::StringAttr, MeshAxis> weightsOfRanks(mlir::ModuleOp module);

/// Returns the stages that the user gave (kStageAttr), by weight name; a weight that
/// @bake computes from several has the last stage of those.
llvm::DenseMap<mlir::StringAttr, int64_t> stagesOfWeights(mlir::ModuleOp module);

/// Returns the number of ranks of a collective's group; nullopt for other ops.
std::optional<int64_t> collectiveRanks(mlir::Operation *op);
/// Returns the mesh axis of a collective's group.
MeshAxis axisOfCollective(mlir::Operation *op);
void setStride(mlir::Operation *collective, int64_t stride);

/// Checks kRanksAttr, kPartAttr or kStrideAttr on `op`.
mlir::LogicalResult verifyRanksAttr(mlir::Operation *op, mlir::NamedAttribute attr);
/// Checks kShardAxisAttr or kStageAttr on `op`.
mlir::LogicalResult verifyAnnotation(mlir::Operation *op, mlir::NamedAttribute attr);

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_RANKS_H
