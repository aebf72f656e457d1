//===- AttentionScheduler.cpp - Queries of each task ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionScheduler.h"
#include "../Blocks.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

AttentionScheduler::AttentionScheduler(const AttentionBuilder &attention, int64_t rows)
    : AttentionBuilder(attention), rows(rows),
      rowTasks(program.row.extent.ceilDiv(rows)) {}

SymbolicExpr AttentionScheduler::taskCount() const {
  SymbolicExpr tasks = rowTasks;
  for (const Loop *loop : {&program.batch, &program.keyHead, &program.outer})
    tasks *= loop->extent;
  return tasks;
}

Value AttentionScheduler::openHead(Value task) {
  Value rowTask = takePosition(task, rowTasks);
  for (const Loop *loop : {&program.outer, &program.keyHead, &program.batch})
    emitter.bind(loop->var, takePosition(task, loop->extent));
  return rowTask;
}

QueryRows EvenQueries::open(Value task) {
  Value rowTask = openHead(task);
  auto [begin, count] = evenPart(b, loc, emitter.index(program.row.extent), rowTask,
                                 emitter.index(rowTasks));
  return {begin, count};
}

QueryRows TiledQueries::open(Value task) {
  Value begin = mul(openHead(task), index(rows));
  return {begin, minimum(index(rows), sub(emitter.index(program.row.extent), begin))};
}
