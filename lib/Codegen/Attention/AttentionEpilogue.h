//===- AttentionEpilogue.h - From results of rows to memory -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of a block, together, compute the fused ops on the result of a main loop
// and store it. Internal to lib/Codegen/Attention.
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

  /// At the start of a task.
  virtual void open() {}
  virtual void emit(QueryRows rows, Value result, AttentionMainloop &mainloop) = 0;

protected:
  AttentionTile tile;
};

/// Results go through shared memory, from which a thread group each finishes a row, so
/// that rows can be computed again.
class AttentionRowEpilogue : public AttentionEpilogue {
public:
  /// `recomputes`: rows that are not finite may be so by what their query does not see.
  AttentionRowEpilogue(const AttentionBuilder &attention, AttentionTile tile,
                       ScratchRows &scratchRows, VisibleKeys &visible, bool recomputes)
      : AttentionEpilogue(attention, tile), scratchRows(scratchRows),
        recomputation(attention, tile, visible), recomputes(recomputes) {}
  /// Elements between rows of scratch, where nothing else asks for more.
  static int64_t stride(AttentionTile tile);

  void open() override { scratchRows.open(); }
  void emit(QueryRows rows, Value result, AttentionMainloop &mainloop) override;
  /// Finishes rows whose results come from elsewhere: `resultOf` is called where the
  /// query is bound, and makes a fragment along the columns.
  void finishRows(QueryRows rows, llvm::function_ref<Value(Value row)> resultOf);

private:
  ScratchRows &scratchRows;
  RowRecomputation recomputation;
  bool recomputes;
};

/// The fused ops run in the registers of the result, then all of it is stored to one view
/// that all tasks have, of which a target can make TMA copies.
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
