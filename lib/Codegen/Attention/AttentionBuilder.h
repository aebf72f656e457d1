//===- AttentionBuilder.h - What parts of attention stand on ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An attention kernel is composed of a scheduler, which says which queries of which head
// a task computes, a main loop over the keys, and an epilogue, which computes the fused
// ops and stores. This is what all of them write with. Internal to
// lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_ATTENTIONBUILDER_H
#define KILN_LIB_CODEGEN_ATTENTION_ATTENTIONBUILDER_H

#include "../Expression/KernelShell.h"
#include "Program.h"

namespace kiln::codegen {

/// Queries [begin, begin + count) of the bound head.
struct QueryRows {
  mlir::Value begin, count;
};

class AttentionBuilder : public TaskBuilder {
public:
  AttentionBuilder(const TaskBuilder &task, AttentionProgram &program)
      : TaskBuilder(task), program(program) {}

protected:
  using Values = llvm::SmallVector<Value>;
  using ScalarBody = llvm::function_ref<Value(mlir::OpBuilder &, mlir::ValueRange)>;

  Value number(double value);
  Value lowest(); ///< minus infinity
  /// Scratch from a byte on, for elements of a type; none: of the accumulator's.
  Value scratch(const SymbolicExpr &offset, mlir::Type element = {});
  Value view(Value buffer, Value offset, llvm::ArrayRef<mlir::OpFoldResult> sizes,
             llvm::ArrayRef<mlir::OpFoldResult> strides);
  /// Elementwise; a fragment of the type of the first input.
  Value map(llvm::ArrayRef<Value> inputs, ScalarBody body);
  tile::FragType fragType(llvm::ArrayRef<int64_t> shape) const {
    return tile::FragType::get(b.getContext(), shape, program.accumulator);
  }
  int64_t bytes() const { return tile::elementBytes(program.accumulator); }
  /// Fragments are along `loop`, padded to `lanes`; of rank 2 where there are `rows`.
  void openLanes(const Loop &loop, int64_t lanes, int64_t rows = 0);
  /// Independent iterations, by thread groups that hold `lanes` elements in fours. A
  /// quarter of a warp accesses two rows of 16 at a time: `apart` makes these two rows
  /// apart, for a count that is a multiple of four.
  void forRows(Value count, int64_t lanes, llvm::function_ref<void(Value)> body,
               bool apart = false);

  // Scores and their softmax (Softmax.cpp).
  /// A score from the dot product of query and key: scaled and capped, times `factor`.
  Value scaleScore(mlir::OpBuilder &b, Value product, double factor = 1);
  /// A key's score with its mask: a sum, or the mask itself where `keep` is false or the
  /// mask hides the key. `keep` is null where the program has none.
  Value addMask(mlir::OpBuilder &b, Value score, Value mask, Value keep);
  /// Scores or weights times the scales of the keys or values that are bound.
  Value timesScales(Value row, Node *scales);
  bool masksHide() const { return program.op.getMaskHides(); }
  Value isMinusInfinity(mlir::OpBuilder &b, Value number);
  Value finiteShift(Value maximum);
  /// A row before its first key: the largest score and the sum of the exponentials. With
  /// a sink, which is a score without a value, these are the sink and 1.
  struct SoftmaxState {
    Value maximum, sum;
  };
  SoftmaxState initialState();
  /// How the maximum is kept: in units of this, and no larger where it is finite.
  struct MaximumUnit {
    double unit, limit;
  };
  /// States of the rows of a tile before their first key, as fragments of `tileRows`
  /// elements; with `in`, the maxima are in its unit.
  SoftmaxState initialRows(QueryRows rows, int64_t tileRows,
                           std::optional<MaximumUnit> in = std::nullopt);
  /// A sink as a maximum in such units.
  Value scaleSink(mlir::OpBuilder &b, Value sink, MaximumUnit in);
  Value invert(mlir::OpBuilder &b, Value sum);
  Value normalize(mlir::OpBuilder &b, Value value, Value inverse);
  /// Stores the log-sum-exps of `count` rows from `begin` on, a fragment of these or the
  /// scalar of one row, where they are results.
  void storeLse(Value lse, Value begin, Value count);
  /// The fragment, or, where an infinity or a NaN is in it, what `again` makes.
  Value unlessFinite(Value fragment, llvm::function_ref<Value()> again);

  AttentionProgram &program;

private:
  Value sumOfSink(mlir::OpBuilder &b, Value sink);
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_ATTENTIONBUILDER_H
