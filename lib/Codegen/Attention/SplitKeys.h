//===- SplitKeys.h - Several blocks for the keys of a tile ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flash-decoding (Dao et al., 2023): where a launch has few tiles of queries, the keys of
// a tile are split over blocks. A split has a fixed range of positions, whatever the
// length of the sequence is. Every block leaves maximum, sum and result of its keys in
// the workspace; the last one merges those of all splits in the order of the keys, so
// bits do not depend on which block came last. Internal to lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_SPLITKEYS_H
#define KILN_LIB_CODEGEN_ATTENTION_SPLITKEYS_H

#include "AttentionMainloop.h"

namespace kiln::codegen {

class SplitKeys : public AttentionBuilder {
public:
  /// Splits of `keys` keys, a multiple of the keys of the tile; `maxKeys` is the most
  /// that a sequence has. All queries are in one tile.
  SplitKeys(const AttentionBuilder &attention, AttentionTile tile, int64_t keys,
            int64_t maxKeys, VisibleKeys &visible);

  /// Tasks of a tile of queries.
  SymbolicExpr count() const { return program.key.extent.ceilDiv(keys); }
  void setWorkspace(tile::KernelOp shell, graph::KernelOp kernel) const;
  /// One split of the tile `number`: goes over its keys, if the rows see any of them, and
  /// calls `finish` in the block that comes last.
  void emit(Value number, Value split, QueryRows rows, AttentionMainloop &mainloop,
            llvm::function_ref<void()> finish);
  /// The result of a row, which is number `row` of the tile, from those of all splits, where
  /// emit() calls `finish`; the row's query is bound.
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
  /// Merges splits [begin, end), of which `together` are loaded at a time.
  Values mergeRange(Value begin, Value end, int64_t together, Value row,
                    mlir::ValueRange before, AttentionMainloop &mainloop);

  AttentionTile tile;
  int64_t keys, maxSplits;
  int64_t rows; ///< that are stored
  VisibleKeys &visible;
  Value first = {}, end = {}; ///< splits with keys that some row sees
  Value results = {}, maxima = {}, denominators = {};
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_SPLITKEYS_H
