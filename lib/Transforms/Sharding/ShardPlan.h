//===- ShardPlan.h - Which products are split among ranks -------*- C++ -*-===//
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

/// A value of which a rank has a shard.
using ShardedValue = std::pair<mlir::Value, Shard>;

/// Pairs of products as in Shoeybi et al., Megatron-LM, 2019, section 3: a product whose
/// weight is split by rows, which adds up what ranks have in an all-reduce, and all that
/// leads to it from products whose weights are split by columns.
struct ShardPlan {
  /// The refusal of the first products of a model.
  static constexpr llvm::StringLiteral kFromInput =
      "no other product with a weight leads to it";
  llvm::SetVector<MatmulOp> rows;
  llvm::SetVector<MatmulOp> columns;
  /// Split by columns, too, and an output, which an all-gather makes whole.
  llvm::SetVector<MatmulOp> heads;
  /// Lookups in tables that the user divides by rows; an all-reduce behind each.
  llvm::SetVector<GatherOp> tables;
  /// Presents that are outputs, with the shard that ranks have of the new rows: an
  /// all-gather makes these whole, and every rank joins them with the past, which is an
  /// input.
  llvm::MapVector<ConcatOp, ShardedValue> presents;
  /// All values that ranks have shards of, with those of weights.
  llvm::SetVector<ShardedValue> shards;
  /// Where shards begin: weights, pasts that are inputs, and what is whole on all ranks.
  /// No rule looks into them.
  llvm::DenseSet<ShardedValue> leaves;
  /// Why other products with a weight are whole on every rank.
  llvm::MapVector<MatmulOp, std::string> refusals;
  /// Why lookups in tables that the user divides are whole on every rank.
  llvm::MapVector<GatherOp, std::string> tableRefusals;

  ShardReport report(mlir::func::FuncOp main) const;
};

/// Returns the shard of the right operand of a matmul whose result is split by columns;
/// nullopt if N is not constant.
std::optional<Shard> columnShard(MatmulOp product, int64_t ranks);
/// The two shards that the product's operands have as one that is split by rows; nullopt
/// if K is not constant.
std::optional<std::pair<Shard, Shard>> rowShards(MatmulOp row, int64_t ranks);

ShardPlan planShards(mlir::func::FuncOp main, int64_t ranks);

} // namespace kiln::graph

#endif // KILN_LIB_TRANSFORMS_SHARDING_SHARDPLAN_H
