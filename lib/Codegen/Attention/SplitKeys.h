//===- SplitKeys.h - Keys split over several blocks -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flash-decoding (Dao et al., 2023): where a launch has few tiles of queries, several
// blocks process the keys of one tile. A split has a fixed range of positions,
// independent of the sequence's length. Every block stores maximum, sum and result of its
// keys in the workspace; the block that arrives last merges all splits in the order of
// the keys, so that results do not depend on the order of arrival. Internal to
// lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_SPLITKEYS_H
#define KILN_LIB_CODEGEN_ATTENTION_SPLITKEYS_H

#include "AttentionMainloop.h"

namespace kiln::codegen {

class SplitKeys : public AttentionBuilder {
public:
  /// A split has `keys` keys, a multiple of the tile's; a sequence has at most `maxKeys`.
  /// All queries must be in one tile.
  SplitKeys(const AttentionBuilder &attention, AttentionTile tile, int64_t keys,
            int64_t maxKeys, VisibleKeys &visible);

  /// Returns the number of splits per tile of queries.
  SymbolicExpr count() const { return program.key.extent.ceilDiv(keys); }
  void setWorkspace(tile::KernelOp shell, graph::KernelOp kernel) const;
  /// Processes one split of the tile `number`: loops over its keys, if any row sees them,
  /// and calls `finish` in the block that arrives last.
  void emit(Value number, Value split, QueryRows rows, AttentionMainloop &mainloop,
            llvm::function_ref<void()> finish);
  /// Merges the results of all splits for row number `row` of the tile. To be called
  /// within `finish` of emit(), with the row's query bound.
  Value mergeRow(Value row, Value query, AttentionMainloop &mainloop);

private:
  /// State of one row after the keys of one split.
  struct RowState {
    Value maximum, sum; ///< scalars
    Value result;       ///< a fragment along the columns
  };
  int64_t elementsPerSplit() const;
  void openWorkspace(Value number);
  void store(Value split, const AttentionMainloop::State &state);
  RowState load(Value split, Value row);
  Values merge(mlir::ValueRange before, const RowState &more,
               AttentionMainloop &mainloop);
  /// Merges splits [begin, end); `together` of them are loaded at a time.
  Values mergeRange(Value begin, Value end, int64_t together, Value row,
                    mlir::ValueRange before, AttentionMainloop &mainloop);

  AttentionTile tile;
  int64_t keys, maxSplits;
  int64_t rows; ///< rows of the tile that are stored
  VisibleKeys &visible;
  Value first = {}, end = {}; ///< range of splits with keys that some row sees
  Value results = {}, maxima = {}, denominators = {};
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_SPLITKEYS_H
