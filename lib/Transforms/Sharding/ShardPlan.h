//===- ShardPlan.h - Plans tensor parallelism -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Transforms/Sharding.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_SHARDING_SHARDPLAN_H
#define KILN_LIB_TRANSFORMS_SHARDING_SHARDPLAN_H

#include "ShardRules.h"
#include "kiln/Transforms/Graph/Sharding.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace kiln::graph {

/// A value of which each rank has a shard.
using ShardedValue = std::pair<mlir::Value, Shard>;

/// Pairs of matmuls as in Shoeybi et al., Megatron-LM, 2019, section 3: a row-parallel
/// matmul, whose partial results an all-reduce sums, and the ops that lead to it from
/// column-parallel matmuls.
struct ShardPlan {
  /// Refusal of a model's first matmuls.
  static constexpr llvm::StringLiteral kFromInput =
      "no other product with a weight leads to it";
  llvm::SetVector<MatmulOp> rows;
  llvm::SetVector<MatmulOp> columns;
  /// Column-parallel matmuls whose result is an output, followed by an all-gather.
  llvm::SetVector<MatmulOp> heads;
  /// Gathers from tables that the user divides by rows, each followed by an all-reduce.
  llvm::SetVector<GatherOp> tables;
  /// Presents that are outputs, with the shard of the new rows on each rank. An
  /// all-gather collects these, and every rank concatenates them with the past, which is
  /// an input.
  llvm::MapVector<ConcatOp, ShardedValue> presents;
  /// All values of which ranks have shards, including weights.
  llvm::SetVector<ShardedValue> shards;
  /// Values at which shards begin: weights, pasts that are inputs, and values that all
  /// ranks have in full. No rule applies to their definition.
  llvm::DenseSet<ShardedValue> leaves;
  /// Reasons why other matmuls with a weight are replicated.
  llvm::MapVector<MatmulOp, std::string> refusals;
  /// Reasons why gathers from tables that the user divides are replicated.
  llvm::MapVector<GatherOp, std::string> tableRefusals;

  ShardReport report(mlir::func::FuncOp main) const;
};

/// Returns the shard of the weight of a column-parallel matmul; nullopt if N is not
/// constant.
std::optional<Shard> columnShard(MatmulOp product, int64_t ranks);
/// Returns the shards of both operands of a row-parallel matmul; nullopt if K is not
/// constant.
std::optional<std::pair<Shard, Shard>> rowShards(MatmulOp row, int64_t ranks);

ShardPlan planShards(mlir::func::FuncOp main, int64_t ranks);

} // namespace kiln::graph

#endif // KILN_LIB_TRANSFORMS_SHARDING_SHARDPLAN_H
