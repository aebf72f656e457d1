//===- AttentionScheduler.h - Queries of each task --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_ATTENTIONSCHEDULER_H
#define KILN_LIB_CODEGEN_ATTENTION_ATTENTIONSCHEDULER_H

#include "AttentionBuilder.h"

namespace kiln::codegen {

/// Assigns to each task at most `rows` queries of one head.
class AttentionScheduler : public AttentionBuilder {
public:
  AttentionScheduler(const AttentionBuilder &attention, int64_t rows);
  virtual ~AttentionScheduler() = default;

  SymbolicExpr taskCount() const;
  /// Returns the queries of a task, and binds its batch and head.
  virtual QueryRows open(Value task) = 0;

protected:
  /// Binds the task's head, and returns the task's index within that head.
  Value openHead(Value task);

  int64_t rows;
  SymbolicExpr rowTasks; ///< tasks per head
};

/// Splits the queries of a head evenly over its tasks, for hosts.
class EvenQueries : public AttentionScheduler {
public:
  using AttentionScheduler::AttentionScheduler;
  QueryRows open(Value task) override;
};

/// Gives every task `rows` queries, except the last one of a head; for blocks of threads.
class TiledQueries : public AttentionScheduler {
public:
  using AttentionScheduler::AttentionScheduler;
  QueryRows open(Value task) override;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_ATTENTIONSCHEDULER_H
