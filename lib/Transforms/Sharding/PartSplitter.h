//===- PartSplitter.h - Duplicates ops for parts of rows --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common code of overlapping collectives and pipelines. Part i of S rows has (S + i)
// floordiv parts rows: these sum to S, none is negative, and none is empty while another
// has two.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_SHARDING_PARTSPLITTER_H
#define KILN_LIB_TRANSFORMS_SHARDING_PARTSPLITTER_H

#include "ContextPlan.h"

namespace kiln {

/// Duplicates the ops of a plan for each part of the rows, one part after the other.
class PartSplitter {
public:
  PartSplitter(mlir::func::FuncOp program, const RowPlan &plan, int64_t parts)
      : program(program), plan(plan), parts(parts) {}
  void run();

private:
  using Parts = llvm::SmallVector<mlir::Value>;

  graph::SymbolicExpr rowsOf(const graph::SymbolicExpr &rows, int64_t part) const {
    return (rows + graph::SymbolicExpr(part)).floorDiv(graph::SymbolicExpr(parts));
  }
  graph::SymbolicExpr firstRow(const graph::SymbolicExpr &rows, int64_t part) const;
  mlir::Value slice(mlir::Value value, int64_t axis, const graph::SymbolicExpr &start,
                    const graph::SymbolicExpr &count, int64_t part,
                    mlir::OpBuilder &builder);
  mlir::Value partOf(mlir::Value value, int64_t axis, int64_t part,
                     mlir::OpBuilder &builder);
  mlir::Value compute(mlir::Operation *op, const RowAxes &axes, int64_t part);
  mlir::Value write(graph::KvWriteOp op, int64_t part);
  void readKeys(graph::AttentionOp whole, graph::AttentionOp own, int64_t part);
  bool readsEarlier(graph::AttentionOp op) const;
  mlir::Value keysUpTo(mlir::Value keys, int64_t part, mlir::OpBuilder &builder);
  mlir::Value wholeOf(mlir::Value value);
  void order();

  mlir::func::FuncOp program;
  const RowPlan &plan;
  int64_t parts;
  /// Parts of a value along an axis. For a cache: with the rows of all parts up to each.
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, Parts> made;
  llvm::DenseMap<mlir::Value, mlir::Value> wholes; ///< concatenated parts
  llvm::DenseMap<mlir::Operation *, int64_t> partOfOp;
};

} // namespace kiln

#endif // KILN_LIB_TRANSFORMS_SHARDING_PARTSPLITTER_H
