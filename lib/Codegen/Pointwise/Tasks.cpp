//===- Tasks.cpp - Division of a program into tasks -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The division depends only on the problem and its config, never on the number of
// threads.
//
//===----------------------------------------------------------------------===//

#include "Tasks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Assumed extent of a reduced loop that is known at run time only.
static constexpr int64_t kTypicalReduction = 128;

/// Returns about grain / size, at least 1, without a division by zero.
static SymbolicExpr howMany(int64_t grain, const SymbolicExpr &size) {
  if (auto constant = size.getConstant())
    return std::max<int64_t>(grain / std::max<int64_t>(*constant, 1), 1);
  return SymbolicExpr(grain).floorDiv(size + 1) + 1;
}

/// Makes blocks of positions, as many per task as amount to `work`.
void Tasks::splitPositions(int64_t work, int64_t block) {
  positionLoop = rowLoops.back();
  rowLoops.pop_back();
  positions = positionLoop->extent;
  int64_t width = columnsPerTask.getConstant().value_or(work);
  int64_t count =
      llvm::alignTo(std::max<int64_t>(work / std::max<int64_t>(width, 1), 1), block);
  auto all = positions.getConstant();
  positionsPerTask = all && *all <= count ? positions : SymbolicExpr(count);
  positionTasks = positionsPerTask.isConstant(0) ? SymbolicExpr(0)
                                                 : positions.ceilDiv(positionsPerTask);
  rowsPerTask = positionsPerTask == positions ? howMany(work, columns * positions) : 1;
}

Tasks::Tasks(const Program &program, tile::PointwiseConfigAttr config)
    : rowLoops(program.parallel), columns(1), rowsPerTask(1), columnsPerTask(1) {
  SymbolicExpr depth = extentOf(program.reduced);
  // On a GPU every thread group of a block needs at least one row.
  int64_t teams =
      config.getThreads() ? config.getThreads() / config.getGroupThreads() : 1;
  if (program.vectorIsReduced) {
    rowsPerTask =
        config.getThreads() ? SymbolicExpr(teams) : howMany(config.getGrain(), depth);
  } else {
    if (const Loop *loop = program.vectorLoop()) {
      columns = loop->extent;
      rowLoops.pop_back();
    }
    int64_t walked =
        std::max<int64_t>(depth.getConstant().value_or(kTypicalReduction), 1);
    int64_t fragments = config.getGrain() / walked / config.getLanes();
    int64_t most = std::max<int64_t>(fragments, teams) * config.getLanes();
    bool whole = columns.isConstant() && *columns.getConstant() <= most;
    columnsPerTask = whole ? columns : SymbolicExpr(most);
    rowsPerTask = howMany(most, columns);
    if (config.getPositions() > 1)
      splitPositions(most, config.getPositions());
  }
  rows = extentOf(rowLoops);
  if (auto all = rows.getConstant(); all && rowsPerTask.isConstant())
    rowsPerTask = std::max<int64_t>(std::min(*all, *rowsPerTask.getConstant()), 1);
  columnTasks =
      columnsPerTask.isConstant(0) ? SymbolicExpr(0) : columns.ceilDiv(columnsPerTask);
  count = rows.ceilDiv(rowsPerTask) * positionTasks * columnTasks;
}

void kiln::codegen::bindLoops(OpBuilder &b, Location loc, NodeEmitter &emitter,
                              ArrayRef<Loop> loops, Value position) {
  for (const Loop &loop : llvm::reverse(loops)) {
    if (&loop == &loops.front())
      return emitter.bind(loop.var, position);
    Value extent = emitter.index(loop.extent);
    emitter.bind(loop.var, arith::RemUIOp::create(b, loc, position, extent));
    position = arith::DivUIOp::create(b, loc, position, extent);
  }
}
