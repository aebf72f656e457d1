//===- ShardTables.h - Tables of which ranks have some rows -----*- C++ -*-===//
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

/// The weight of a table whose rows a gather looks up by indices that are known at run
/// time, perhaps behind casts; null: it is none.
WeightOp tableOf(GatherOp gather);
/// Its rows divided among the ranks, as `gather` has it and as the weight does, and what
/// is between them.
llvm::SmallVector<ShardedValue> tableShards(GatherOp gather, int64_t ranks);

/// Looks rows up in tables of which each rank has an equal part, as in section 3 of
/// Shoeybi et al., Megatron-LM, 2019: zeros stand for the rows of other ranks, and an
/// all-reduce adds up what the ranks have.
class TableLookup {
public:
  TableLookup(mlir::SymbolTable &symbols, int64_t ranks)
      : symbols(symbols), ranks(ranks) {}
  /// Replaces `gather`; `part` is this rank's part of its table.
  void replace(GatherOp gather, mlir::Value part);

private:
  /// [rows] of i32: where a row lies in this rank's part of a table, or -1.
  mlir::Value placesOf(mlir::OpBuilder &builder, mlir::Location loc, int64_t rows);

  mlir::SymbolTable &symbols;
  int64_t ranks;
  llvm::DenseMap<int64_t, WeightOp> places; ///< by the number of rows
};

} // namespace kiln::graph

#endif // KILN_LIB_TRANSFORMS_SHARDING_SHARDTABLES_H
