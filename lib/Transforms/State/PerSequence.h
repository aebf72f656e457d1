//===- PerSequence.h - Values per sequence ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that a model computes from the length of its past, a dim, are computed here for
// each sequence from a length in memory. A value becomes a tensor [n, ...], where n is 1
// if it is the same for all sequences, else their number, followed by the dims of the old
// value. Among these the sequences' own dim is 1 (it is now the first), and past and new
// rows together are `capacity` rows, of which a sequence uses as many as it has: position
// j is the same element in both forms. Internal to lib/Transforms/State.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_STATE_PERSEQUENCE_H
#define KILN_LIB_TRANSFORMS_STATE_PERSEQUENCE_H

#include "dialects/Graph/Graph.h"
#include "kiln/Support/Error.h"

#include <optional>

namespace kiln::graph {

/// Length of a past, and the values of states that replace it.
struct PastLength {
  mlir::StringAttr past;  ///< symbol of the past's length
  SymbolicExpr added;     ///< number of new rows
  SymbolicExpr sequences; ///< number of sequences: a symbol, or 1
  SymbolicExpr capacity;  ///< maximum rows of a state
  mlir::Value lengths;    ///< [sequences], i64: rows of each sequence
  mlir::Value counts;     ///< [sequences], i64: valid new rows of each sequence
};

/// Makes a scalar of an integer type: a constant, or an expression of dims.
mlir::Value makeNumber(mlir::OpBuilder &b, mlir::Location loc, const SymbolicExpr &expr,
                       mlir::Type element);

class PerSequence {
public:
  PerSequence(mlir::func::FuncOp main, const PastLength &length)
      : main(main), length(length) {}

  /// Replaces a value, a past followed by new rows, by a state.
  void define(mlir::Value value, mlir::Value state);
  /// Recomputes all values that depend on the length. A value with the sequences' dim
  /// whose type does not depend on the length's symbol keeps its old type and replaces
  /// the old value.
  mlir::LogicalResult run();
  /// Checks that no value depends on the length as a dim any more.
  mlir::LogicalResult checkNone();
  /// Returns the number of rows that constant tables allow; nullopt: any number.
  std::optional<int64_t> maxRows() const { return limit; }
  /// Returns a softmax over past and new rows, which reads all rows of a state; nullopt
  /// if there is none.
  std::optional<mlir::Location> attentionInPieces() const { return pieces; }

private:
  using Value = mlir::Value;
  using Operation = mlir::Operation;

  bool mentionsPast(const SymbolicExpr &expr) const;
  bool mentionsPast(mlir::Type type) const;
  bool dependsOnPast(Operation *op) const;
  bool followsPast(Operation *op) const;
  llvm::DenseSet<Operation *> neededOps();
  std::optional<unsigned> sequenceDim(llvm::ArrayRef<SymbolicExpr> dims) const;

  /// Converts the dims of a value except the first; nullopt, with a problem, if a dim
  /// cannot be converted.
  std::optional<Dims> convertDims(llvm::ArrayRef<SymbolicExpr> dims);
  Value lift(mlir::OpBuilder &b, Value value);
  Value padRank(mlir::OpBuilder &b, Value lifted, int64_t rank);
  Value withSequences(mlir::OpBuilder &b, Value lifted);
  Value settle(mlir::OpBuilder &b, Value lifted, mlir::Type type);
  Value cloneLifted(mlir::OpBuilder &b, Operation *op, llvm::ArrayRef<Value> operands);
  bool convert(Operation *op);
  bool convertInPlace(Operation *op);

  Value convertDimsOp(mlir::OpBuilder &b, DimsOp op);
  Value convertElementwise(mlir::OpBuilder &b, Operation *op);
  Value convertQuantization(mlir::OpBuilder &b, Operation *op);
  Value countedLength(mlir::OpBuilder &b, Value value);
  Value liftOperand(mlir::OpBuilder &b, Operation *op, mlir::OpOperand &operand);
  Value convertReshape(mlir::OpBuilder &b, ReshapeOp op);
  /// A slice along an axis whose start is `first` + length, or `first` - length.
  struct MovingStart {
    size_t axis = 0;
    SymbolicExpr first;
    bool isBackward = false;
  };
  bool findMovingStart(SliceOp op, llvm::ArrayRef<SymbolicExpr> from,
                       llvm::ArrayRef<SymbolicExpr> dims,
                       std::optional<MovingStart> &moving);
  Value convertSlice(mlir::OpBuilder &b, SliceOp op);
  Value convertConcat(mlir::OpBuilder &b, ConcatOp op);
  Value convertGather(mlir::OpBuilder &b, GatherOp op);
  void clampTables();
  void noteRows(const SymbolicExpr &rows, const SymbolicExpr &first);
  Value onlyRows(mlir::OpBuilder &b, Value lifted, int64_t axis, double other);
  Value convertSum(mlir::OpBuilder &b, Operation *op, double other);
  Value convertAttention(mlir::OpBuilder &b, AttentionOp op);

  /// Builds [sequences, count]: first + length, or first - length, and the following
  /// positions.
  Value positionsFrom(mlir::OpBuilder &b, mlir::Location loc, const SymbolicExpr &first,
                      const SymbolicExpr &count, bool isBackward);
  std::nullptr_t fail(const llvm::Twine &why, const llvm::Twine &expected = "",
                      const llvm::Twine &found = "");

  mlir::func::FuncOp main;
  PastLength length;
  llvm::DenseMap<Value, Value> lifted; ///< [n, ...] by the old value
  std::optional<int64_t> limit;
  std::optional<mlir::Location> pieces;
  Diagnosis problem;
};

} // namespace kiln::graph

#endif // KILN_LIB_TRANSFORMS_STATE_PERSEQUENCE_H
