//===- ContextPlan.h - Ops that ranks divide by rows ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_SHARDING_CONTEXTPLAN_H
#define KILN_LIB_TRANSFORMS_SHARDING_CONTEXTPLAN_H

#include "RowSplit.h"
#include "dialects/Graph/SymbolBounds.h"

namespace kiln {

/// Axes of an attention's queries [sequences, heads, rows, elements].
inline constexpr int64_t kSequences = 0, kQueryRows = 2;

/// Returns keys, values and their scales.
llvm::SmallVector<mlir::OpOperand *> keyOperandsOf(graph::AttentionOp op);

/// The keys and values of other row parts that a part needs in an attention.
enum class PartNeeds {
  Keys,    ///< keys and values of all parts
  Earlier, ///< keys and values of earlier parts: causal attention
  Nothing, ///< nothing: parts consist of entire sequences
};

/// The ops of one program that can be computed separately for parts of the rows: from
/// attentions backward through ops whose row r depends on rows r only, and forward from
/// there. Keys and values are needed entirely (but see PartNeeds), and so are the queries
/// of an attention over a rank's part of a cache (lseOf). Ranks that own rows may
/// exchange rows of queries, keys and values for heads (HeadExchange.h).
class ContextPlan {
public:
  /// fewRows: up to this many rows are not divided. owners: the ranks that divide rows;
  /// nullopt if parts do not belong to ranks.
  ContextPlan(mlir::func::FuncOp program, int64_t fewRows,
              PartNeeds needs = PartNeeds::Keys,
              std::optional<graph::MeshAxis> owners = std::nullopt)
      : program(program), fewRows(fewRows), needs(needs), owners(owners),
        ranges(program->getParentOfType<mlir::ModuleOp>()) {}
  void run();
  /// Returns why an attention or a matmul is not divided among ranks, for reports.
  std::string whyNot(mlir::Operation *op) const;

  RowPlan local;
  /// Attentions in `local` of which each rank computes some heads, after an exchange of
  /// rows. `local` has the axes of the exchanged operands.
  llvm::SmallPtrSet<mlir::Operation *, 8> exchanged;

private:
  int64_t rowsAxis() const {
    return needs == PartNeeds::Nothing ? kSequences : kQueryRows;
  }
  void findExchanged();
  bool losesByHeads(graph::AttentionOp op) const;
  bool isNeededWhole(mlir::Value keys) const;
  void findLocal();
  void findFront(mlir::Value value, int64_t axis);
  std::optional<RowAxes> rowAxesOf(mlir::Operation *op, int64_t result) const;
  std::optional<RowAxes> axesOfResult(mlir::Operation *op) const;
  bool isWorthless(mlir::Operation *op) const;
  bool isFew(const graph::SymbolicExpr &rows) const;

  mlir::func::FuncOp program;
  int64_t fewRows;
  PartNeeds needs;
  std::optional<graph::MeshAxis> owners;
  graph::SymbolRanges ranges;
  /// Values that queries are computed from row by row, with the axis of rows.
  llvm::DenseMap<mlir::Value, int64_t> front;
  std::string few; ///< reason why no attention is divided
};

/// Returns the lengths of a causal attention over `part` of the rows, starting with row
/// `first` (i64, one element) of the entire attention; with from_length.
mlir::Value lengthsOfPart(graph::AttentionOp whole, mlir::Value first,
                          const graph::SymbolicExpr &part, mlir::OpBuilder &builder);

} // namespace kiln

#endif // KILN_LIB_TRANSFORMS_SHARDING_CONTEXTPLAN_H
