//===- RowSplit.h - Divides rows of sequences among ranks -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common code of sequence and context parallelism: row r of a sequence of S rows belongs
// to rank r floordiv (S ceildiv ranks). Rows beyond S are copies of the last row, and
// their results are not used.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_SHARDING_ROWSPLIT_H
#define KILN_LIB_TRANSFORMS_SHARDING_ROWSPLIT_H

#include "dialects/Graph/Ranks.h"
#include "kiln/Analysis/Indexing.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace kiln {

/// Up to this many rows (decode) are not divided, as the latency of collectives would
/// dominate.
inline constexpr int64_t kFewRows = 16;

/// The axes of an op along which ranks divide rows.
struct RowAxes {
  int64_t result = 0;
  /// Axis of the rows in each operand; nullopt: the entire operand is needed.
  llvm::SmallVector<std::optional<int64_t>> operands;
};

/// Returns the axes of rows in an op's operands for the rows along an axis of its result,
/// by its index maps; nullopt if row r depends on rows other than r.
std::optional<RowAxes>
rowAxesOf(mlir::Operation *op, int64_t resultAxis,
          graph::ReadConditions conditions = graph::ReadConditions::Independent);

/// The ops of one program of which each rank computes its rows, in program order.
using RowPlan = llvm::MapVector<mlir::Operation *, RowAxes>;

/// Whether an op of the plan reads only a rank's rows of the operand.
bool readsRows(mlir::OpOperand &use, const RowPlan &plan);

/// Whether dividing the op saves nothing: no op of the plan reads the result's rows, and
/// all rows of its divided operands are needed anyway, so that it only adds a gather.
bool isDivisionWorthless(mlir::Operation *op, const RowPlan &plan);

/// Slices the first elements of a value to the given type; the value itself if it has
/// this type.
mlir::Value firstOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                    mlir::Type type);

/// Pads a value with zeros along an axis to size `count`.
mlir::Value padded(mlir::OpBuilder &builder, mlir::Value value, int64_t axis,
                   const graph::SymbolicExpr &count);

/// Clones an op before it to compute `count` rows of its result; `rowsOf` provides the
/// rows of each operand that is divided, before the clone.
mlir::Operation *copyForRows(
    mlir::Operation *op, const RowAxes &axes, const graph::SymbolicExpr &count,
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value, int64_t)> rowsOf);

/// Makes ops outside of a plan read the entire results (`wholeOf`) of the plan's ops, and
/// erases the plan's ops.
void replaceDivided(const RowPlan &plan,
                    llvm::function_ref<mlir::Value(mlir::Value)> wholeOf);

/// The weight @rank_index, which is [r] on rank r of those that divide rows; created on
/// first use.
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

/// Rewrites the ops of a plan to compute a rank's rows.
class RowSplitter {
public:
  RowSplitter(mlir::func::FuncOp program, const RowPlan &plan, RankIndex &index,
              graph::MeshAxis axis)
      : program(program), plan(plan), index(index), ranks(axis.size),
        stride(axis.stride) {}
  virtual ~RowSplitter() = default;
  void run();

protected:
  /// Computes the rank's rows of an op's result, before the op.
  virtual mlir::Value compute(mlir::Operation *op);
  /// Return the number of rows per rank, and the index of a rank's first row (i64, rank
  /// 0).
  graph::SymbolicExpr partOf(const graph::SymbolicExpr &rows) const {
    return rows.ceilDiv(ranks);
  }
  mlir::Value firstRow(mlir::OpBuilder &builder, mlir::Location loc,
                       const graph::SymbolicExpr &rows);
  /// Returns a rank's rows of an operand.
  mlir::Value localOf(mlir::Value value, int64_t axis, mlir::OpBuilder &builder);

  mlir::func::FuncOp program;
  const RowPlan &plan;
  RankIndex &index;
  int64_t ranks, stride;

private:
  mlir::Value wholeOf(mlir::Value value);
  mlir::Value placesOf(const graph::SymbolicExpr &rows);

  /// A rank's rows of each value, by the value with all rows and its axis of rows.
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> locals;
  llvm::DenseMap<mlir::Value, mlir::Value> wholes; ///< gathered values
  /// Positions of a rank's rows, by the total number of rows.
  std::vector<std::pair<graph::SymbolicExpr, mlir::Value>> places;
};

} // namespace kiln

#endif // KILN_LIB_TRANSFORMS_SHARDING_ROWSPLIT_H
