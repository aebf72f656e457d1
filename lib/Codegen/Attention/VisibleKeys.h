//===- VisibleKeys.h - Which keys a query sees ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sequence has all keys, or so many as its length says; with causal, a query sees those
// up to its own position. Both end loops over keys before the last. Internal to
// lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_VISIBLEKEYS_H
#define KILN_LIB_CODEGEN_ATTENTION_VISIBLEKEYS_H

#include "AttentionBuilder.h"

namespace kiln::codegen {

class VisibleKeys : public AttentionBuilder {
public:
  explicit VisibleKeys(const AttentionBuilder &attention) : AttentionBuilder(attention) {}

  /// Counts the keys of the sequence whose batch is bound.
  void open();
  /// How many keys the sequence has.
  Value end() const { return keyEnd; }
  /// Some queries may see fewer than all keys.
  bool isRestricted() const { return program.lengths || program.op.getCausal(); }

  /// Where the keys end that causal lets a query see, which may lie anywhere.
  Value causalEnd(Value row);
  /// Where the keys end that a query sees.
  Value endOf(Value row);
  /// Where the keys end that some of the rows see; may be negative.
  Value lastEnd(QueryRows rows);
  /// How many keys some of the rows see.
  Value count(QueryRows rows);

private:
  Value keyEnd = {};
  Value queryEnd = {}; ///< where the queries end that are a sequence's last positions
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_VISIBLEKEYS_H
