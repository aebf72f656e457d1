//===- AttentionBuilder.h - Base class of attention's parts -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An attention kernel is composed of a scheduler, which assigns some queries of one head
// to a task, a main loop over the keys, and an epilogue, which computes the fused ops and
// stores. AttentionBuilder is the base class of all three. Internal to
// lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_ATTENTIONBUILDER_H
#define KILN_LIB_CODEGEN_ATTENTION_ATTENTIONBUILDER_H

#include "../Expression/KernelShell.h"
#include "Program.h"

namespace kiln::codegen {

/// Queries [begin, begin + count) of the head that is bound to the loop variables.
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
  /// Returns the scratch memory from byte `offset` on as elements of `element`, or of the
  /// accumulator's type if that is null.
  Value scratch(const SymbolicExpr &offset, mlir::Type element = {});
  Value view(Value buffer, Value offset, llvm::ArrayRef<mlir::OpFoldResult> sizes,
             llvm::ArrayRef<mlir::OpFoldResult> strides);
  /// Computes `body` for each element of `inputs`. The result has the type of the first
  /// input.
  Value map(llvm::ArrayRef<Value> inputs, ScalarBody body);
  tile::FragType fragType(llvm::ArrayRef<int64_t> shape) const {
    return tile::FragType::get(b.getContext(), shape, program.accumulator);
  }
  int64_t bytes() const { return tile::elementBytes(program.accumulator); }
  /// Binds `loop` to the lanes of the fragments that follow, which are padded to `lanes`
  /// and have rank 2 if `rows` is not 0.
  void openLanes(const Loop &loop, int64_t lanes, int64_t rows = 0);
  /// Runs `body` for rows [0, count), which must be independent, by thread groups that
  /// hold `lanes` elements, 4 per thread. A quarter of a warp accesses two rows of 16
  /// lanes at once; with `apart` these are rows i and i + 2, which are in different
  /// banks, and `count` must be a multiple of 4.
  void forRows(Value count, int64_t lanes, llvm::function_ref<void(Value)> body,
               bool apart = false);

  // Scores and their softmax (Softmax.cpp).
  /// Scales a dot product of query and key, caps it, and multiplies it by `factor`.
  Value scaleScore(mlir::OpBuilder &b, Value product, double factor = 1);
  /// Adds the mask to a key's score. Returns the mask alone where `keep` is false or the
  /// mask hides the key. `keep` is null if the program has none.
  Value addMask(mlir::OpBuilder &b, Value score, Value mask, Value keep);
  /// Multiplies scores or weights by the scales of the bound keys or values.
  Value timesScales(Value row, Node *scales);
  bool masksHide() const { return program.op.getMaskHides(); }
  Value isMinusInfinity(mlir::OpBuilder &b, Value number);
  Value finiteShift(Value maximum);
  /// State of a row before its first key: the maximum score and the sum of the
  /// exponentials. A sink is a score without a value: it makes these the sink and 1.
  struct SoftmaxState {
    Value maximum, sum;
  };
  SoftmaxState initialState();
  /// Unit in which the maximum is stored, and limit to which finite maxima are clamped.
  struct MaximumUnit {
    double unit, limit;
  };
  /// Returns the states of a tile's rows before their first key as fragments of
  /// `tileRows` elements. If `in` is given, the maxima are in its unit.
  SoftmaxState initialRows(QueryRows rows, int64_t tileRows,
                           std::optional<MaximumUnit> in = std::nullopt);
  /// Converts a sink to a maximum in the unit of `in`.
  Value scaleSink(mlir::OpBuilder &b, Value sink, MaximumUnit in);
  Value invert(mlir::OpBuilder &b, Value sum);
  Value normalize(mlir::OpBuilder &b, Value value, Value inverse);
  /// Stores the log-sum-exps of `count` rows from `begin` on, if they are results of the
  /// kernel. `lse` is a fragment, or a scalar for one row.
  void storeLse(Value lse, Value begin, Value count);
  /// Returns `fragment`, or the result of `again` if `fragment` has an infinity or a NaN.
  Value unlessFinite(Value fragment, llvm::function_ref<Value()> again);

  AttentionProgram &program;

private:
  Value sumOfSink(mlir::OpBuilder &b, Value sink);
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_ATTENTIONBUILDER_H
