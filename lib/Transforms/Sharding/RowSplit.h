//===- RowSplit.h - Compute rows of sequences on ranks ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What sequence and context parallelism have in common: row r of a sequence of S rows
// belongs to rank r floordiv (S ceildiv ranks). Rows behind the last one are that one
// again, and nobody reads what is computed of them.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_SHARDING_ROWSPLIT_H
#define KILN_LIB_TRANSFORMS_SHARDING_ROWSPLIT_H

#include "dialects/Graph/Ranks.h"
#include "kiln/Analysis/Indexing.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace kiln {

/// Up to so many rows (decode) are not divided: collectives would cost their latency.
inline constexpr int64_t kFewRows = 16;

/// Where an op has the rows that ranks divide.
struct RowAxes {
  int64_t result = 0;
  /// Axis of the rows in each operand; nullopt: the operand is needed whole.
  llvm::SmallVector<std::optional<int64_t>> operands;
};

/// Returns where an op has the rows that its result has along an axis, by its index maps;
/// nullopt if row r depends on more than the operands' rows r.
std::optional<RowAxes>
rowAxesOf(mlir::Operation *op, int64_t resultAxis,
          graph::ReadConditions conditions = graph::ReadConditions::Independent);

/// The ops of one program that each rank computes of its rows, in the order of the
/// program.
using RowPlan = llvm::MapVector<mlir::Operation *, RowAxes>;

/// True if an op of the plan needs a rank's rows of an operand alone.
bool readsRows(mlir::OpOperand &use, const RowPlan &plan);

/// True if nothing is computed on the result's rows and all rows of each operand that is
/// divided are needed in any case: one more gather would be the only effect.
bool isDivisionWorthless(mlir::Operation *op, const RowPlan &plan);

/// The first elements of a value, as many as the type has; the value itself if these are
/// all.
mlir::Value firstOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                    mlir::Type type);

/// The value with zeros behind it along an axis, up to `count` of them.
mlir::Value padded(mlir::OpBuilder &builder, mlir::Value value, int64_t axis,
                   const graph::SymbolicExpr &count);

/// A copy of an op, in front of it, that computes `count` rows of its result: of each
/// operand that has rows, those that `rowsOf` makes in front of the copy.
mlir::Operation *copyForRows(
    mlir::Operation *op, const RowAxes &axes, const graph::SymbolicExpr &count,
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value, int64_t)> rowsOf);

/// Gives ops outside of a plan the whole results (`wholeOf`) of the plan's ops that they
/// read, and erases the plan's ops.
void replaceDivided(const RowPlan &plan,
                    llvm::function_ref<mlir::Value(mlir::Value)> wholeOf);

/// @rank_index, of which rank r of those that divide rows has [r]; made when it is first
/// asked for.
class RankIndex {
public:
  /// axis: the ranks that divide rows.
  RankIndex(mlir::ModuleOp module, graph::MeshAxis axis) : symbols(module), axis(axis) {}
  mlir::Value read(mlir::OpBuilder &builder, mlir::Location loc);

private:
  mlir::SymbolTable symbols;
  graph::MeshAxis axis;
  graph::WeightOp part;
};

/// Rewrites the ops of a plan to a rank's rows.
class RowSplitter {
public:
  RowSplitter(mlir::func::FuncOp program, const RowPlan &plan, RankIndex &index,
              graph::MeshAxis axis)
      : program(program), plan(plan), index(index), ranks(axis.size),
        stride(axis.stride) {}
  virtual ~RowSplitter() = default;
  void run();

protected:
  /// The rank's rows of the result of an op of the plan, in front of the op.
  virtual mlir::Value compute(mlir::Operation *op);
  /// How many rows a rank has, and the number of its first one (i64, rank 0).
  graph::SymbolicExpr partOf(const graph::SymbolicExpr &rows) const {
    return rows.ceilDiv(ranks);
  }
  mlir::Value firstRow(mlir::OpBuilder &builder, mlir::Location loc,
                       const graph::SymbolicExpr &rows);
  /// A rank's rows of an operand.
  mlir::Value localOf(mlir::Value value, int64_t axis, mlir::OpBuilder &builder);

  mlir::func::FuncOp program;
  const RowPlan &plan;
  RankIndex &index;
  int64_t ranks, stride;

private:
  mlir::Value wholeOf(mlir::Value value);
  mlir::Value placesOf(const graph::SymbolicExpr &rows);

  /// A rank's rows of values, by the value with all rows and the axis of the rows.
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> locals;
  llvm::DenseMap<mlir::Value, mlir::Value> wholes; ///< behind a gather
  /// The numbers of a rank's rows, by how many rows there are.
  std::vector<std::pair<graph::SymbolicExpr, mlir::Value>> places;
};

} // namespace kiln

#endif // KILN_LIB_TRANSFORMS_SHARDING_ROWSPLIT_H
