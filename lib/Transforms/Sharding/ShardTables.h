//===- ShardTables.h - Tables divided by rows -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Transforms/Sharding.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_SHARDING_SHARDTABLES_H
#define KILN_LIB_TRANSFORMS_SHARDING_SHARDTABLES_H

#include "ShardPlan.h"
#include "kiln/Transforms/Bake/Bake.h"

namespace kiln::graph {

/// Returns the weight of a table that a gather reads, perhaps through casts, by indices
/// known only at run time; null if there is none.
WeightOp tableOf(GatherOp gather);
/// Returns the shards for a table whose rows are divided among ranks: of the gather's
/// operand, of the weight, and of the values between them.
llvm::SmallVector<ShardedValue> tableShards(GatherOp gather, int64_t ranks);

/// Gathers from tables of which each rank has an equal part, as in section 3 of Shoeybi
/// et al., Megatron-LM, 2019: rows of other ranks are replaced by zeros, and an
/// all-reduce sums the results of all ranks.
class TableLookup {
public:
  TableLookup(mlir::SymbolTable &symbols, int64_t ranks)
      : symbols(symbols), ranks(ranks) {}
  /// Replaces `gather`; `part` is this rank's part of its table.
  void replace(GatherOp gather, mlir::Value part);

private:
  /// Returns [rows] of i32: the index of each row in this rank's part of a table, or -1.
  mlir::Value placesOf(mlir::OpBuilder &builder, mlir::Location loc, int64_t rows);

  mlir::SymbolTable &symbols;
  int64_t ranks;
  llvm::DenseMap<int64_t, WeightOp> places; ///< by number of rows
};

} // namespace kiln::graph

#endif // KILN_LIB_TRANSFORMS_SHARDING_SHARDTABLES_H
