//===- AttentionEpilogue.h - Fused ops and stores of attention --*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All threads of a block compute the fused ops on the result of a main loop and store it.
// Internal to lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_ATTENTIONEPILOGUE_H
#define KILN_LIB_CODEGEN_ATTENTION_ATTENTIONEPILOGUE_H

#include "AttentionMainloop.h"
#include "HeadTensor.h"
#include "RowRecomputation.h"

namespace kiln::codegen {

class AttentionEpilogue : public AttentionBuilder {
public:
  AttentionEpilogue(const AttentionBuilder &attention, AttentionTile tile)
      : AttentionBuilder(attention), tile(tile) {}
  virtual ~AttentionEpilogue() = default;

  /// Emits the code at the start of a task.
  virtual void open() {}
  virtual void emit(QueryRows rows, Value result, AttentionMainloop &mainloop) = 0;

protected:
  AttentionTile tile;
};

/// Passes results through shared memory, from which each thread group finishes one row,
/// so that a row that is not finite can be recomputed.
class AttentionRowEpilogue : public AttentionEpilogue {
public:
  /// `recomputes`: a row that is not finite may come from keys that its query does not
  /// see, and must be recomputed.
  AttentionRowEpilogue(const AttentionBuilder &attention, AttentionTile tile,
                       ScratchRows &scratchRows, VisibleKeys &visible, bool recomputes)
      : AttentionEpilogue(attention, tile), scratchRows(scratchRows),
        recomputation(attention, tile, visible), recomputes(recomputes) {}
  /// Returns the default number of elements between rows of scratch.
  static int64_t stride(AttentionTile tile);

  void open() override { scratchRows.open(); }
  void emit(QueryRows rows, Value result, AttentionMainloop &mainloop) override;
  /// Finishes rows whose results are not in scratch: `resultOf` is called with the row's
  /// query bound, and returns a fragment along the columns.
  void finishRows(QueryRows rows, llvm::function_ref<Value(Value row)> resultOf);

private:
  ScratchRows &scratchRows;
  RowRecomputation recomputation;
  bool recomputes;
};

/// Computes the fused ops on the result's registers, then stores the tile through one
/// view that all tasks use, which a target may lower to a TMA store.
class AttentionTileEpilogue : public AttentionEpilogue {
public:
  AttentionTileEpilogue(const AttentionBuilder &attention, AttentionTile tile,
                        TensorOperand stored)
      : AttentionEpilogue(attention, tile), stored(std::move(stored)) {}

  void emit(QueryRows rows, Value result, AttentionMainloop &mainloop) override;

private:
  TensorOperand stored;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_ATTENTIONEPILOGUE_H
