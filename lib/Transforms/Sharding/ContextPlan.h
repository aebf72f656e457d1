//===- ContextPlan.h - Which ops can be computed on some rows ---*- C++ -*-===//
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

/// Keys, values and their scales.
llvm::SmallVector<mlir::OpOperand *> keyOperandsOf(graph::AttentionOp op);

/// Keys and values of other parts of the rows that a part needs in an attention.
enum class PartNeeds {
  Keys,    ///< the keys and values of all parts
  Earlier, ///< those of earlier parts: causal attention
  Nothing, ///< rows are whole sequences
};

/// The ops of one program of which parts of the rows can be computed one by one:
/// from attentions back through ops of which row r needs rows r alone, and forward from
/// there. Keys and values are needed whole (but see PartNeeds), and so are the queries of
/// an attention of a rank's part of a cache (lseOf). Ranks that own rows may exchange
/// those of queries, keys and values for heads (HeadExchange.h).
class ContextPlan {
public:
  /// fewRows: so many rows are not divided. owners: the ranks among which rows are
  /// divided, if these have the parts.
  ContextPlan(mlir::func::FuncOp program, int64_t fewRows,
              PartNeeds needs = PartNeeds::Keys,
              std::optional<graph::MeshAxis> owners = std::nullopt)
      : program(program), fewRows(fewRows), needs(needs), owners(owners),
        ranges(program->getParentOfType<mlir::ModuleOp>()) {}
  void run();
  /// Returns why an attention or a matmul is not divided among ranks, for reports.
  std::string whyNot(mlir::Operation *op) const;

  RowPlan local;
  /// Attentions in `local` that ranks compute of some heads, for which they exchange
  /// rows. Of these `local` says what is exchanged.
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
  /// Values that queries are computed from, row by row, with the axis of their rows.
  llvm::DenseMap<mlir::Value, int64_t> front;
  std::string few; ///< why no attention is divided
};

/// The lengths of causal attention over `part` of the rows, of which the first is number
/// `first` (i64, of one element) of the whole attention's; with from_length.
mlir::Value lengthsOfPart(graph::AttentionOp whole, mlir::Value first,
                          const graph::SymbolicExpr &part, mlir::OpBuilder &builder);

} // namespace kiln

#endif // KILN_LIB_TRANSFORMS_SHARDING_CONTEXTPLAN_H
