//===- VisibleKeys.h - Which keys a query sees ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sequence has all keys, or so many as its length says; with causal, a query sees those
// up to its own position. Both end loops over keys before the last. With a window it sees
// the last ones of these alone, and loops begin behind the first key. Internal to
// lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_VISIBLEKEYS_H
#define KILN_LIB_CODEGEN_ATTENTION_VISIBLEKEYS_H

#include "AttentionBuilder.h"

namespace kiln::codegen {

/// Keys [begin, end).
struct KeyRange {
  mlir::Value begin, end;
};

class VisibleKeys : public AttentionBuilder {
public:
  explicit VisibleKeys(const AttentionBuilder &attention) : AttentionBuilder(attention) {}

  /// Counts the keys of the sequence whose batch is bound.
  void open();
  /// How many keys the sequence has.
  Value end() const { return keyEnd; }
  /// Some queries may see fewer than all keys.
  bool isRestricted() const { return program.lengths || needsPositions(); }
  /// Keys of a `range` are masked by the positions of rows: rows see different keys, or a
  /// window begins within the fragment that the range begins with.
  bool needsPositions() const { return program.isCausal() || hasWindow(); }

  /// Where the keys end that causal lets a query see, which may lie anywhere.
  Value causalEnd(Value row);
  /// Where the keys end that a query sees.
  Value endOf(Value row);
  bool hasWindow() const { return program.op.getWindow().has_value(); }
  /// The keys of a query's window.
  int64_t window() const { return int64_t(*program.op.getWindow()); }
  /// The first key that the window lets a query see; may lie behind the last key.
  Value beginOf(Value row);
  /// The first key that some of the rows see, down to a multiple; at most their end.
  Value begin(QueryRows rows, int64_t multiple);
  /// Where the keys end that some of the rows see; may be negative.
  Value lastEnd(QueryRows rows);
  /// Where the keys end that some of the rows see, or 0.
  Value count(QueryRows rows);
  /// The keys that some of the rows see, from a multiple on.
  KeyRange range(QueryRows rows, int64_t multiple);

private:
  Value keyEnd = {};
  Value queryEnd = {}; ///< where the queries end that are a sequence's last positions
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_VISIBLEKEYS_H
