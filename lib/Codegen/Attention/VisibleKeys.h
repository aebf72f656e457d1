//===- VisibleKeys.h - Keys that a query sees -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sequence has all keys, or as many as its length says. If the attention is causal, a
// query sees the keys up to its own position; with a window of w it sees only the last w
// of these. Loops over keys skip those that no row sees at either end. Internal to
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

  /// Computes the number of keys of the sequence whose batch is bound.
  void open();
  /// Returns the number of keys of the sequence.
  Value end() const { return keyEnd; }
  /// Returns true if some query may see fewer than all keys.
  bool isRestricted() const { return program.lengths || needsPositions(); }
  /// Returns true if the positions of rows mask keys of a `range`: rows see different
  /// keys, or a window begins within the first fragment of the range.
  bool needsPositions() const { return program.isCausal() || hasWindow(); }

  /// Returns the end of the keys that a causal mask allows a query; may be negative or
  /// past the last key.
  Value causalEnd(Value row);
  /// Returns the end of the keys that a query sees.
  Value endOf(Value row);
  bool hasWindow() const { return program.op.getWindow().has_value(); }
  /// Returns the size of the window in keys.
  int64_t window() const { return int64_t(*program.op.getWindow()); }
  /// Returns the first key of a query's window; may be past the last key.
  Value beginOf(Value row);
  /// Returns the first key that some of the rows see, rounded down to a multiple of
  /// `multiple`; at most their end.
  Value begin(QueryRows rows, int64_t multiple);
  /// Returns the end of the keys that some of the rows see; may be negative.
  Value lastEnd(QueryRows rows);
  /// Returns lastEnd(), or 0 if that is negative.
  Value count(QueryRows rows);
  /// Returns the keys that some of the rows see; begins at a multiple of `multiple`.
  KeyRange range(QueryRows rows, int64_t multiple);

private:
  Value keyEnd = {};
  Value queryEnd = {}; ///< end of the queries if they are the sequence's last positions
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_VISIBLEKEYS_H
