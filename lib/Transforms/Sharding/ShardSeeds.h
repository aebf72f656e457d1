//===- ShardSeeds.h - What users say of how a weight is divided -*- C++ -*-===//
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

/// The axis that the user says (graph.shard_axis), or kWholeWeight; nullopt: nothing.
std::optional<int64_t> seedOf(WeightOp weight);

/// Why weights (graph.shard_axis) must not be divided as these leaves of a plan would; ""
/// if they may.
std::string seedAgainst(const llvm::SetVector<ShardedValue> &shards,
                        const llvm::DenseSet<ShardedValue> &leaves);

/// Every weight is divided as its annotation says. Errors: KILN-E0209, with the reason
/// for which a product of that weight is whole.
mlir::LogicalResult checkSeeds(mlir::func::FuncOp main, const ShardPlan &plan);

} // namespace kiln::graph

#endif // KILN_LIB_TRANSFORMS_SHARDING_SHARDSEEDS_H
