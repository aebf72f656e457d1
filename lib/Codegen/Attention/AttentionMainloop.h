//===- AttentionMainloop.h - Online softmax over the keys -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of threads runs the online softmax (FlashAttention, Dao et al., 2022) over the
// keys, so that its memory does not grow with their number: every step stages a tile of
// keys and of values, computes scores, and adds the weighted values to the result.
// Internal to lib/Codegen/Attention.
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
  /// not yet divided by the sum.
  struct State {
    Value maximum, sum; ///< fragments of one element per row
    Value result;
  };
  /// Returns the result of some rows, which finishRow() completes.
  virtual Value attend(QueryRows rows) = 0;
  /// Normalizes one row of the result, unless attend() has done so.
  virtual Value finishRow(Value result, Value row) = 0;

  /// Returns the state of some rows after the keys of one split, without sinks. `keys`
  /// begins at a multiple of the tile's keys.
  virtual State attendSplit(QueryRows rows, KeyRange keys) = 0;
  /// Returns the state of the bound row before its first key, sink included; scalars.
  virtual SoftmaxState initialRow() = 0;
  /// Returns the factor that rescales the denominator when the maximum changes from
  /// `before` to `maximum`; scalars.
  virtual Value shrinkTo(Value before, Value maximum) = 0;
  /// Returns the log-sum-exp of a row from its state; scalars.
  virtual Value lseOf(mlir::OpBuilder &b, Value maximum, Value sum) = 0;

protected:
  using Step = llvm::function_ref<Values(Value first, mlir::ValueRange staged,
                                         mlir::ValueRange carried)>;
  /// Returns the keys that at least one of the rows sees.
  KeyRange allKeys(QueryRows rows);
  Values forKeyTiles(QueryRows rows, KeyRange keys, mlir::ValueRange inits, Step step);
  /// Stores the log-sum-exps of rows after their last key, if they are results of the
  /// kernel.
  void storeLse(QueryRows rows, Value maxima, Value denominators);
  /// Returns the state of rows before their first key, without sinks.
  SoftmaxState emptyRows();

  bool hasWholeTiles() const;
  /// Applies `mask` to the scores of a tile of keys, if some rows see only a part of the
  /// tile.
  Value maskAtEdge(Value scores, llvm::function_ref<Value(Value)> mask);
  /// Returns the number of existing keys of a tile that begins at `first`; null: all
  /// exist.
  Value validKeys(Value first);

  /// Stores one row of the mask for a tile of keys, times `factor`, to the view `to[0]`,
  /// and `keep` as ones and zeros to `to[1]`, if there is a second view.
  void storeMask(mlir::ValueRange to, mlir::ValueRange at, Value row, Value first,
                 Value valid, double factor);
  Value scaleMask(Value mask, double factor);

  AttentionTile tile;
  int64_t stages;
  AttentionOperands &operands;
  VisibleKeys &visible;

private:
  Value isEdge = {}; ///< true at run time if some row sees only a part of the tile's keys
};

/// Matrix of accumulators in shared memory, at offset 0 of scratch.
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

/// Main loop on multiply-adds. The scores of a tile of keys go through shared memory,
/// where each thread group finishes one row: scale, mask, maximum, exponentials, sum. The
/// factors that rescale the earlier result go through shared memory too, one per row.
class SharedMainloop : public AttentionMainloop {
public:
  /// `scores` may be used again after attend().
  SharedMainloop(const AttentionBuilder &attention, AttentionTile tile, int64_t stages,
                 AttentionOperands &operands, VisibleKeys &visible, ScratchRows &scores);
  /// Returns the number of elements between rows of scratch.
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
  bool keepsMask; ///< one mask row, which all queries have in common, is kept in scratch
  Value maxima = {}, denominators = {}, factors = {}; ///< views of one element per row
  Value maskRow = {};                         ///< view of a tile of keys of the mask
};

/// Main loop on tensor cores. Every warp has some query rows, whose scores, maxima, sums
/// and results stay in its registers. Exponentials are exp2(), with log2(e) folded into
/// the scale; rounded to the operands' type, their fragment is the left operand of the
/// second MMA without a change of layout. Thread groups compute the mask (one row, if all
/// queries have the same) and pass it through shared memory, so that any fused body
/// works.
class RegisterMainloop : public AttentionMainloop {
public:
  /// `begin` is the byte offset of its scratch memory.
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
  /// Returns the factor f for which exp2(f * x) is the exponential of a score x as it is
  /// compared.
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

  int64_t maskRows = 0; ///< rows of the mask in scratch
  SymbolicExpr maskOffset, keepOffset, end;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_ATTENTIONMAINLOOP_H
