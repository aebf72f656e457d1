//===- RowRecomputation.h - Recomputation of non-finite rows ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where only some rows of a block see a key, the other rows give it the weight 0; 0 times
// an infinity or a NaN is NaN, so that values which a query does not see could change its
// result. A row that is not finite is therefore recomputed from the values that its query
// sees. If these are not finite themselves, the result stays the same. On a GPU this also
// handles a row whose weights are NaN and must count as 0: the online softmax notices
// that after it has added values. Internal to lib/Codegen/Attention.
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

  /// Computes a row of the result key by key.
  Value attend(Value row);

private:
  struct Score {
    Value value, isHidden; ///< `isHidden`: hidden by the mask; null if the mask hides no
                           ///< key
  };
  /// Returns the bound key or value, dequantized but not yet multiplied by its scale.
  Value numbers(Node *operand);
  Score scoreOf(Value query);
  /// Adds one key. `state` is the maximum score, the sum of the exponentials, and the
  /// result.
  Values addKey(Value query, mlir::ValueRange state);

  AttentionTile tile;
  VisibleKeys &visible;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_ROWRECOMPUTATION_H
