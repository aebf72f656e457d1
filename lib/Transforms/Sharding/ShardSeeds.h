//===- ShardSeeds.h - Sharding annotations of weights -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Transforms/Sharding.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_SHARDING_SHARDSEEDS_H
#define KILN_LIB_TRANSFORMS_SHARDING_SHARDSEEDS_H

#include "ShardPlan.h"

namespace kiln::graph {

/// Returns the axis that the user chose (graph.shard_axis), or kWholeWeight; nullopt:
/// none.
std::optional<int64_t> seedOf(WeightOp weight);

/// Returns why the division of weights by these leaves of a plan contradicts
/// graph.shard_axis; "" if it does not.
std::string seedAgainst(const llvm::SetVector<ShardedValue> &shards,
                        const llvm::DenseSet<ShardedValue> &leaves);

/// Checks that every weight is divided according to its annotation. Errors: KILN-E0209,
/// with the reason why a matmul with that weight is replicated.
mlir::LogicalResult checkSeeds(mlir::func::FuncOp main, const ShardPlan &plan);

} // namespace kiln::graph

#endif // KILN_LIB_TRANSFORMS_SHARDING_SHARDSEEDS_H
