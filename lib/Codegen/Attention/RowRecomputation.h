//===- RowRecomputation.h - Results that are not finite, again --*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a tile of keys that some rows of a block see in part, the others have the weight 0,
// and 0 times an infinity or a NaN is NaN: what a query does not see would reach its
// result. So a row that is not finite is computed once more, from the values that its
// query sees alone. Where those are the cause, the result is the same. On a GPU that is
// also the row whose weights are NaN and count as 0, which the online softmax finds out
// when it has added values already. Internal to lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_ROWRECOMPUTATION_H
#define KILN_LIB_CODEGEN_ATTENTION_ROWRECOMPUTATION_H

#include "AttentionOperands.h"

namespace kiln::codegen {

class RowRecomputation : public AttentionBuilder {
public:
  RowRecomputation(const AttentionBuilder &attention, AttentionTile tile,
                   VisibleKeys &visible)
      : AttentionBuilder(attention), tile(tile), visible(visible) {}

  /// A row of the result, key by key.
  Value attend(Value row);

private:
  struct Score {
    Value value, isHidden; ///< by the mask; null: it hides none
  };
  /// Lanes of the key or value that is bound, without its scale where it is codes.
  Value numbers(Node *operand);
  Score scoreOf(Value query);
  /// One key: `state` is the largest score, the sum of the exponentials and the result.
  Values addKey(Value query, mlir::ValueRange state);

  AttentionTile tile;
  VisibleKeys &visible;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_ROWRECOMPUTATION_H
