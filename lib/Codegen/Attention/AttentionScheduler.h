//===- AttentionScheduler.h - Queries of a task -----------------*- C++ -*-===//
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

/// A task is at most `rows` queries of one head.
class AttentionScheduler : public AttentionBuilder {
public:
  AttentionScheduler(const AttentionBuilder &attention, int64_t rows);
  virtual ~AttentionScheduler() = default;

  SymbolicExpr taskCount() const;
  /// Finds the queries of a task, and binds its batch and head.
  virtual QueryRows open(Value task) = 0;

protected:
  /// The number of the task among those of its head, which is bound.
  Value openHead(Value task);

  int64_t rows;
  SymbolicExpr rowTasks; ///< of a head
};

/// Tasks of a host: of even size.
class EvenQueries : public AttentionScheduler {
public:
  using AttentionScheduler::AttentionScheduler;
  QueryRows open(Value task) override;
};

/// Blocks of threads: `rows` queries each, but for the last of a head.
class TiledQueries : public AttentionScheduler {
public:
  using AttentionScheduler::AttentionScheduler;
  QueryRows open(Value task) override;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_ATTENTIONSCHEDULER_H
