//===- PerSequence.h - Values that follow a sequence's length ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a model computes from the length of its past, which is a dim, is computed here
// for each sequence from a length in memory. A value is then a tensor [n, ...]: n is 1,
// where it is the same for all sequences, or their number, and the dims of the old value
// follow. In these the sequences' own dim is 1 (it has become the first one), and past
// and new rows together are `capacity` rows, of which a sequence uses as many as it has:
// position j of both is the same element. Internal to lib/Transforms/State.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_STATE_PERSEQUENCE_H
#define KILN_LIB_TRANSFORMS_STATE_PERSEQUENCE_H

#include "dialects/Graph/Graph.h"
#include "kiln/Support/Error.h"

#include <optional>

namespace kiln::graph {

/// Length of a past, and the values of states that take its place.
struct PastLength {
  mlir::StringAttr past;  ///< the symbol
  SymbolicExpr added;     ///< new rows
  SymbolicExpr sequences; ///< how many there are; a symbol, or 1
  SymbolicExpr capacity;  ///< rows of a state
  mlir::Value lengths;    ///< [sequences], i64: rows that each has
  mlir::Value counts;     ///< [sequences], i64: new rows that count
};

/// A scalar of the integer type: a constant, or an expression of dims.
mlir::Value makeNumber(mlir::OpBuilder &b, mlir::Location loc, const SymbolicExpr &expr,
                       mlir::Type element);

class PerSequence {
public:
  PerSequence(mlir::func::FuncOp main, const PastLength &length)
      : main(main), length(length) {}

  /// The state that an op, a past with new rows behind it, is from now on.
  void define(mlir::Value value, mlir::Value state);
  /// Computes all that depends on the length anew. What has the sequences' dim and does
  /// not depend on the length's symbol has its old type again, and takes the old value's
  /// place.
  mlir::LogicalResult run();
  /// Nothing is left that depends on the length as a dim.
  mlir::LogicalResult checkNone();
  /// Rows that constant tables allow; nullopt: any number.
  std::optional<int64_t> maxRows() const { return limit; }
  /// A softmax over past and new rows, which reads all rows of a state; nullopt if there
  /// is none.
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

  /// Dims of a value behind the first; nullopt with a problem where a dim has no place.
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
  /// A slice that begins at `first` + the length along an axis, or at `first` - the
  /// length.
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

  /// [sequences, count]: first + length, or first - length, and so on.
  Value positionsFrom(mlir::OpBuilder &b, mlir::Location loc, const SymbolicExpr &first,
                      const SymbolicExpr &count, bool isBackward);
  std::nullptr_t fail(const llvm::Twine &why, const llvm::Twine &expected = "",
                      const llvm::Twine &found = "");

  mlir::func::FuncOp main;
  PastLength length;
  llvm::DenseMap<Value, Value> lifted; ///< [n, ...], by the old value
  std::optional<int64_t> limit;
  std::optional<mlir::Location> pieces;
  Diagnosis problem;
};

} // namespace kiln::graph

#endif // KILN_LIB_TRANSFORMS_STATE_PERSEQUENCE_H
