//===- AttentionMainloop.h - Online softmax over the keys -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of threads goes over the keys with an online softmax, so that its memory does
// not grow with them: every step stages a tile of keys and of values, computes scores,
// and adds their weighted values to the result. Internal to lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_ATTENTIONMAINLOOP_H
#define KILN_LIB_CODEGEN_ATTENTION_ATTENTIONMAINLOOP_H

#include "AttentionOperands.h"

namespace kiln::codegen {

class AttentionMainloop : public AttentionBuilder {
public:
  AttentionMainloop(const AttentionBuilder &attention, AttentionTile tile, int64_t stages,
                    AttentionOperands &operands, VisibleKeys &visible)
      : AttentionBuilder(attention), tile(tile), stages(stages), operands(operands),
        visible(visible) {}
  virtual ~AttentionMainloop() = default;

  /// State of the online softmax of some rows after some keys. The weighted values are
  /// not divided by the sum.
  struct State {
    Value maximum, sum; ///< fragments of one element per row
    Value result;
  };
  /// The result of some rows, for finishRow() to complete.
  virtual Value attend(QueryRows rows) = 0;
  /// Completes columns of one row of the result.
  virtual Value finishRow(Value result, Value row) = 0;

  /// Returns the state of some rows after the keys of one split alone, without sinks;
  /// `keys` begin with a tile.
  virtual State attendSplit(QueryRows rows, KeyRange keys) = 0;
  /// The state of the bound row before its first key, with its sink; scalars.
  virtual SoftmaxState initialRow() = 0;
  /// The factor of a denominator where `maximum` takes the place of `before`; scalars.
  virtual Value shrinkTo(Value before, Value maximum) = 0;
  /// The log-sum-exp of a row from its state; scalars.
  virtual Value lseOf(mlir::OpBuilder &b, Value maximum, Value sum) = 0;

protected:
  using Step = llvm::function_ref<Values(Value first, mlir::ValueRange staged,
                                         mlir::ValueRange carried)>;
  /// All keys that some of the rows see.
  KeyRange allKeys(QueryRows rows);
  Values forKeyTiles(QueryRows rows, KeyRange keys, mlir::ValueRange inits, Step step);
  /// Stores what rows found in all keys, where it is a result.
  void storeLse(QueryRows rows, Value maxima, Value denominators);
  /// Rows that saw no key yet, without sinks.
  SoftmaxState emptyRows();

  bool hasWholeTiles() const;
  /// The scores of a tile of keys, passed through `mask` if some rows see only some.
  Value maskAtEdge(Value scores, llvm::function_ref<Value(Value)> mask);
  /// Keys of a tile from `first` on that exist; null: all do.
  Value validKeys(Value first);

  /// A tile of keys of a row of the mask, times a factor, into the view `to[0]`, and of
  /// `keep`, as ones and zeros, into `to[1]` if that is there.
  void storeMask(mlir::ValueRange to, mlir::ValueRange at, Value row, Value first,
                 Value valid, double factor);
  Value scaleMask(Value mask, double factor);

  AttentionTile tile;
  int64_t stages;
  AttentionOperands &operands;
  VisibleKeys &visible;

private:
  Value isEdge = {}; ///< some rows do not see all keys of the tile
};

/// A matrix of accumulators in shared memory, at the start of scratch.
class ScratchRows : public AttentionBuilder {
public:
  ScratchRows(const AttentionBuilder &attention, int64_t rows, int64_t stride)
      : AttentionBuilder(attention), rows(rows), stride(stride) {}
  int64_t size() const { return rows * stride * bytes(); }
  void open();
  Value get() const { return opened; }

private:
  int64_t rows, stride;
  Value opened = {};
};

/// For multiply-adds: scores leave the product through shared memory, where a thread
/// group each finishes a row: scale, mask, maximum, exponentials, sum. The factors by
/// which older results shrink go through shared memory too, one per row.
class SharedMainloop : public AttentionMainloop {
public:
  /// `scores` is free again when attend() is over.
  SharedMainloop(const AttentionBuilder &attention, AttentionTile tile, int64_t stages,
                 AttentionOperands &operands, VisibleKeys &visible, ScratchRows &scores);
  /// Elements between rows of scratch.
  static int64_t stride(AttentionTile tile);

  SymbolicExpr scratchBytes() const { return end; }
  Value attend(QueryRows rows) override;
  Value finishRow(Value result, Value row) override;
  State attendSplit(QueryRows rows, KeyRange keys) override;
  SoftmaxState initialRow() override { return initialState(); }
  Value shrinkTo(Value before, Value maximum) override;
  Value lseOf(mlir::OpBuilder &b, Value maximum, Value sum) override;

private:
  void openState(SoftmaxState initial);
  Value addTiles(QueryRows rows, KeyRange keys);
  Value loadScores(Value scratchRow, Value row, Value first, Value valid);
  void emitRow(Value scratchRow, Value row, Value first, Value valid);
  void emitRows(QueryRows rows, Value first);
  Value loadPerRow(Value perRow);
  Value loadRows(Value perRow);

  ScratchRows &scores;
  SymbolicExpr maximumOffset, sumOffset, factorOffset, maskOffset, end;
  bool keepsMask; ///< in scratch: one row of it for all queries
  Value maxima = {}, denominators = {}, factors = {}; ///< views of one element per row
  Value maskRow = {};                         ///< view of a tile of keys of the mask
};

/// For tensor cores: every warp has some query rows, whose scores, maxima, sums and
/// results stay in its registers. Exponentials are powers of two, the scale folded in;
/// rounded to the operands' type they are the left operand of the second product as they
/// are. A mask is computed by thread groups, one row of it where all queries have the
/// same, and read from shared memory, so that any fused body works.
class RegisterMainloop : public AttentionMainloop {
public:
  /// Its scratch begins at byte `begin`.
  RegisterMainloop(const AttentionBuilder &attention, AttentionTile tile, int64_t stages,
                   AttentionOperands &operands, VisibleKeys &visible,
                   const SymbolicExpr &begin);

  SymbolicExpr scratchBytes() const { return end; }
  Value attend(QueryRows rows) override;
  Value finishRow(Value result, Value) override { return result; }
  State attendSplit(QueryRows rows, KeyRange keys) override;
  SoftmaxState initialRow() override;
  Value shrinkTo(Value before, Value maximum) override;
  Value lseOf(mlir::OpBuilder &b, Value maximum, Value sum) override;

private:
  double scoreFactor() const;
  /// Scores, as they are compared, times this are powers of two.
  double exponentFactor() const { return keepsScores() ? scoreFactor() : 1.0; }
  MaximumUnit maximumUnit() const;
  bool keepsScores() const;
  Value broadcastRows(tile::FragType type, Value perRow);
  Values loadMask(tile::FragType type, QueryRows rows, Value first, Value valid);
  Value maskOutside(Value scores, Value rowBegin, Value first);
  Value scale(Value scores, QueryRows rows, Value first, Value valid);
  Value finishScores(Value scores, QueryRows rows, Value first);
  State addTile(State before, Value scores, Value values);
  State addTiles(QueryRows rows, KeyRange keys, SoftmaxState initial);

  int64_t maskRows = 0; ///< in scratch
  SymbolicExpr maskOffset, keepOffset, end;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_ATTENTIONMAINLOOP_H
