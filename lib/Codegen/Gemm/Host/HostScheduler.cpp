//===- HostScheduler.cpp - Tasks of a host's GEMM -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostScheduler.h"
#include "lib/Codegen/Blocks.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

HostScheduler::HostScheduler(const GemmBuilder &gemm, tile::GemmConfigAttr config)
    : GemmBuilder(gemm), rowTasks(program.row.extent.ceilDiv(config.getMc())),
      panelTasks(program.panelCount().ceilDiv(config.getPanels())),
      packs(program.panelCount().ceilDiv(program.panelsPerPack)) {}

SymbolicExpr HostScheduler::taskCount() const {
  SymbolicExpr tasks = rowTasks * panelTasks;
  for (const Loop &loop : program.batch)
    tasks *= loop.extent;
  return tasks;
}

std::pair<Value, Value> HostScheduler::cut(const SymbolicExpr &whole, Value number,
                                           const SymbolicExpr &parts) {
  if (parts.isConstant(1))
    return {index(0), emitter.index(whole)};
  return evenPart(b, loc, emitter.index(whole), number, emitter.index(parts));
}

HostScheduler::Task HostScheduler::open(Value task) {
  Value panelTask = takePosition(task, panelTasks);
  Value rowTask = takePosition(task, rowTasks);
  for (const Loop &loop : llvm::reverse(program.batch))
    emitter.bind(loop.var, takePosition(task, loop.extent));
  auto [rowBegin, rowCount] = cut(program.row.extent, rowTask, rowTasks);
  // Tasks get entire packed panels, each of which is read sequentially.
  Value side = index(program.panelsPerPack);
  auto [packBegin, count] = cut(packs, panelTask, panelTasks);
  return {{rowBegin, rowCount},
          mul(packBegin, side),
          mul(add(packBegin, count), side),
          panelCounts()};
}

SmallVector<int64_t> HostScheduler::panelCounts() const {
  auto whole = packs.getConstant(), tasks = panelTasks.getConstant();
  if (!whole || !tasks)
    return {};
  SmallVector<int64_t> counts{*whole / *tasks * program.panelsPerPack};
  if (*whole % *tasks)
    counts.push_back(counts.front() + program.panelsPerPack);
  return counts;
}
