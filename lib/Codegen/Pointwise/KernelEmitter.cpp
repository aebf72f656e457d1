//===- KernelEmitter.cpp - Loops of a program as tile IR ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the kernel, its tasks and its loops. The computation of passes is in
// EmitPasses.cpp.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "../Expression/KernelShell.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// Plans a scratch area per staged node, and creates the loads that read it.
void KernelEmitter::planScratch() {
  // On a GPU only the row op's operand is staged, and only if the block is a single
  // thread group: several groups would overwrite the same scratch.
  if (config.getThreads())
    for (Pass &pass : program.passes)
      pass.stage = nullptr;
  if (config.getStage() && !hasTeams() && !program.passes.empty() &&
      !program.passes.front().stage)
    program.passes.front().stage = program.source;
  Indices indices;
  Dims extents;
  for (const Loop &loop : program.reduced) {
    indices.push_back(SymbolicExpr::symbol(loop.var));
    extents.push_back(loop.extent);
  }
  // The innermost dim in scratch: reduced positions, or else the columns of the current
  // fragment.
  if (!program.vectorIsReduced) {
    emitter.laneVar = program.body.vars.addLoop(config.getLanes());
    indices.push_back(SymbolicExpr::symbol(emitter.laneVar));
    extents.push_back(config.getLanes());
  }
  unsigned memory = kernel.getBlock().getNumArguments();
  for (Pass &pass : program.passes) {
    if (!pass.stage)
      continue;
    Stage stage{pass.stage, nullptr, IndexVars::linearize(indices, extents),
                graph::numElements(extents), scratchBytes};
    stage.load = program.body.load(pass.stage->type, memory++, stage.address);
    int64_t bytes = tile::elementBytes(pass.stage->type);
    scratchBytes += (stage.elements * SymbolicExpr(bytes)).alignTo(64);
    stages.push_back(stage);
  }
  if (tile)
    scratchBytes = tile->planScratch(memory, scratchBytes);
}

void KernelEmitter::bindMemories(tile::KernelOp tileKernel) {
  bindShell(emitter, kernel, tileKernel);
  for (const Stage &stage : stages) {
    Type type = tile::BufferType::get(b.getContext(), stage.node->type);
    Value buffer = tile::ScratchOp::create(b, loc, type, emitter.index(stage.offset));
    emitter.memories.push_back({buffer, stage.elements});
  }
  if (tile)
    tile->bindMemories();
  for (auto [value, buffer] :
       llvm::zip(kernel.getYielded(), tileKernel.getResultBuffers()))
    emitter.memories.push_back({buffer, graph::numElements(graph::getDims(value))});
}

void KernelEmitter::open(tile::KernelOp shell) {
  planScratch();
  bindMemories(shell);
}

tile::KernelOp KernelEmitter::emit() {
  planScratch();
  Attribute stated = config;
  if (tile)
    stated = tile->getConfig();
  tile::KernelOp tileKernel =
      createShell(b, kernel, tile ? tile->tasks() : tasks.count, scratchBytes, stated);
  if (config.getThreads())
    tileKernel.setThreads(config.getThreads());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&tileKernel.getBlock());
  bindMemories(tileKernel);
  emitTask(tileKernel.getTask());
  return tileKernel;
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

Value KernelEmitter::minimum(Value lhs, Value rhs) {
  return b.createOrFold<arith::MinSIOp>(loc, lhs, rhs);
}

bool KernelEmitter::divides(const SymbolicExpr &part, const SymbolicExpr &whole) {
  auto p = part.getConstant(), w = whole.getConstant();
  return p && w && *p > 0 && *w % *p == 0;
}

/// Distributes the rows of a tile over thread groups.
void KernelEmitter::emitTile() {
  if (!program.vectorIsReduced)
    return tile->forColumns([&](NodeEmitter::Lanes lanes) { emitTileColumns(lanes); });
  Value zero = emitter.constantIndex(0);
  auto each = [&](Value row, ValueRange) -> Values {
    tile->bindRow(row);
    emitRow(zero, zero);
    return {};
  };
  loop(zero, tile->rows(), 1, {}, each, /*share=*/hasTeams());
}

void KernelEmitter::emitTileColumns(NodeEmitter::Lanes lanes) {
  emitter.setLanes(lanes);
  SmallVector<Node *> roots = program.roots();
  emitter.hoist(roots);
  auto each = [&](Value row, ValueRange) -> Values {
    tile->bindRow(row);
    storeOutputs(program.outputs);
    return {};
  };
  loop(emitter.constantIndex(0), tile->rows(), 1, {}, each, /*share=*/hasTeams());
}

void KernelEmitter::emitTask(Value task) {
  if (tile)
    return tile->forTiles(task, [&] { emitTile(); });
  auto range = [&](Value block, const SymbolicExpr &size, const SymbolicExpr &all) {
    Value extent = emitter.index(size);
    Value begin = b.createOrFold<arith::MulIOp>(loc, block, extent);
    Value end = b.createOrFold<arith::AddIOp>(loc, begin, extent);
    if (!divides(size, all))
      end = minimum(end, emitter.index(all));
    return std::pair(begin, end);
  };
  Value rowTask = task;
  Value columnTask = takePosition(b, loc, emitter, rowTask, tasks.columnTasks);
  if (tasks.positionLoop) {
    Value positionTask = takePosition(b, loc, emitter, rowTask, tasks.positionTasks);
    std::tie(positions.begin, positions.end) =
        range(positionTask, tasks.positionsPerTask, tasks.positions);
  }
  auto [columnBegin, columnEnd] = range(columnTask, tasks.columnsPerTask, tasks.columns);
  if (tasks.rows.isConstant(1))
    return emitRow(columnBegin, columnEnd);
  auto [rowBegin, rowEnd] = range(rowTask, tasks.rowsPerTask, tasks.rows);
  auto each = [&, columns = std::pair(columnBegin, columnEnd)](Value row,
                                                               ValueRange) -> Values {
    bindLoops(b, loc, emitter, tasks.rowLoops, row);
    emitRow(columns.first, columns.second);
    return {};
  };
  if (hasOneRow())
    each(rowBegin, {});
  else if (dealsFragments())
    dealFragments(rowBegin, rowEnd);
  else
    loop(rowBegin, rowEnd, 1, {}, each, /*share=*/hasTeams());
}

bool KernelEmitter::dealsFragments() const {
  if (!hasTeams() || config.getGroupThreads() > 1 || program.vectorIsReduced ||
      !program.vectorLoop())
    return false;
  auto columns = tasks.columns.getConstant();
  bool isOneFragment = columns && *columns <= config.getLanes();
  return !isOneFragment && tasks.columnsPerTask == tasks.columns;
}

void KernelEmitter::dealFragments(Value rowBegin, Value rowEnd) {
  SymbolicExpr lanes = config.getLanes();
  Value perRow = emitter.index(tasks.columns.ceilDiv(lanes));
  Value columns = emitter.index(tasks.columns), width = emitter.index(lanes);
  Value rows = b.createOrFold<arith::SubIOp>(loc, rowEnd, rowBegin);
  Value count = b.createOrFold<arith::MulIOp>(loc, rows, perRow);
  auto each = [&](Value number, ValueRange) -> Values {
    Value row = b.createOrFold<arith::DivUIOp>(loc, number, perRow);
    row = b.createOrFold<arith::AddIOp>(loc, rowBegin, row);
    bindLoops(b, loc, emitter, tasks.rowLoops, row);
    Value begin = b.createOrFold<arith::RemUIOp>(loc, number, perRow);
    begin = b.createOrFold<arith::MulIOp>(loc, begin, width);
    Value end = b.createOrFold<arith::AddIOp>(loc, begin, width);
    emitRow(begin, divides(lanes, tasks.columns) ? end : minimum(end, columns));
    return {};
  };
  loop(emitter.constantIndex(0), count, 1, {}, each, /*share=*/true);
}

void KernelEmitter::emitRow(Value columnBegin, Value columnEnd) {
  const Loop *vector = program.vectorLoop();
  NodeEmitter::Lanes lanes;
  if (vector)
    lanes = {vector->var, {}, config.getLanes(), {}};
  emitter.setLanes(lanes);
  SmallVector<Node *> roots = program.roots();
  emitter.hoist(roots);
  if (!vector || program.vectorIsReduced)
    return emitPosition();
  vectorLoop(
      columnBegin, columnEnd, {}, roots,
      [&](ValueRange) -> Values {
        emitPosition();
        return {};
      },
      /*share=*/hasTeams() && hasOneRow());
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Returns true if a fragment has fewer lanes than the block has threads, so that as a
/// single thread group several threads would compute each element.
static bool isRepeated(tile::PointwiseConfigAttr config) {
  return config.getLanes() < config.getThreads();
}

KernelEmitter::Values KernelEmitter::loop(Value begin, Value end, int64_t step,
                                          ValueRange inits, LoopBody body, bool share) {
  auto first = getConstantIntValue(begin), last = getConstantIntValue(end);
  if (first && last && *last <= *first)
    return Values(inits);
  // A loop over thread groups must remain a loop even with one iteration, or else every
  // group would run it.
  if (first && last && *last - *first <= step && !(share && isRepeated(config))) {
    NodeEmitter::Scope scope(emitter);
    return body(begin, inits);
  }
  auto build = [&](OpBuilder &, Location, Value position, ValueRange carried) {
    NodeEmitter::Scope scope(emitter);
    scf::YieldOp::create(b, loc, body(position, carried));
  };
  auto loop =
      scf::ForOp::create(b, loc, begin, end, emitter.constantIndex(step), inits, build);
  if (share)
    loop->setAttr(tile::kTeamAttr, b.getI64IntegerAttr(config.getGroupThreads()));
  return Values(loop.getResults());
}

KernelEmitter::Values KernelEmitter::vectorLoop(Value begin, Value end, ValueRange inits,
                                                ArrayRef<Node *> nodes, Step step,
                                                bool share) {
  NodeEmitter::Lanes lanes = emitter.getLanes();
  if (holdsRow()) { // a single fragment, even if the length is known at run time only
    openRow();
    Values carried = step(inits);
    emitter.setLanes(lanes);
    return carried;
  }
  bool whole = divides(SymbolicExpr(lanes.count), program.vectorLoop()->extent);
  Value fullEnd = end;
  if (!whole) {
    Value length = b.createOrFold<arith::SubIOp>(loc, end, begin);
    Value width = emitter.constantIndex(lanes.count);
    Value full = b.createOrFold<arith::DivUIOp>(loc, length, width);
    full = b.createOrFold<arith::MulIOp>(loc, full, width);
    fullEnd = b.createOrFold<arith::AddIOp>(loc, begin, full);
  }
  auto each = [&](Value position, ValueRange carried) {
    emitter.bind(lanes.var, position);
    emitter.setLanes({lanes.var, position, lanes.count, {}});
    return step(carried);
  };
  Values carried = loop(begin, fullEnd, lanes.count, inits, each, share);
  if (!whole && share && isRepeated(config))
    sharedTail(fullEnd, end, step);
  else if (!whole)
    carried = vectorTail(fullEnd, end, carried, step);
  emitter.setLanes(lanes);
  return carried;
}

KernelEmitter::Values KernelEmitter::vectorTail(Value begin, Value end, ValueRange inits,
                                                Step step) {
  Value valid = b.createOrFold<arith::SubIOp>(loc, end, begin);
  NodeEmitter::Lanes lanes = emitter.getLanes();
  auto body = [&]() {
    NodeEmitter::Scope scope(emitter);
    emitter.bind(lanes.var, begin);
    emitter.setLanes({lanes.var, begin, lanes.count, valid});
    return step(inits);
  };
  if (getConstantIntValue(valid))
    return body();
  Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, valid,
                                    emitter.constantIndex(0));
  auto onTrue = [&](OpBuilder &, Location) { scf::YieldOp::create(b, loc, body()); };
  auto onFalse = [&](OpBuilder &, Location) { scf::YieldOp::create(b, loc, inits); };
  if (inits.empty())
    return Values(scf::IfOp::create(b, loc, any, onTrue).getResults());
  return Values(scf::IfOp::create(b, loc, any, onTrue, onFalse).getResults());
}

void KernelEmitter::sharedTail(Value begin, Value end, Step step) {
  NodeEmitter::Lanes lanes = emitter.getLanes();
  auto body = [&](Value position, ValueRange) {
    emitter.bind(lanes.var, position);
    Value valid = b.createOrFold<arith::SubIOp>(loc, end, position);
    emitter.setLanes({lanes.var, position, lanes.count, valid});
    return step({});
  };
  loop(begin, end, lanes.count, {}, body, /*share=*/true);
}

bool KernelEmitter::unrolls(size_t depth) const {
  constexpr int64_t kMostUnrolled = 16;
  auto count = extentOf(ArrayRef<Loop>(program.reduced).drop_front(depth)).getConstant();
  return tasks.positionLoop && count && *count <= kMostUnrolled;
}

KernelEmitter::Values KernelEmitter::reducedLoops(size_t depth, ValueRange inits,
                                                  ArrayRef<Node *> nodes, Step step) {
  ArrayRef<Loop> loops = program.reduced;
  if (depth == loops.size())
    return step(inits);
  if (unrolls(depth)) {
    Values carried(inits);
    for (int64_t i = 0; i < *loops[depth].extent.getConstant(); ++i) {
      NodeEmitter::Scope scope(emitter);
      emitter.bind(loops[depth].var, emitter.constantIndex(i));
      emitter.hoist(nodes);
      carried = reducedLoops(depth + 1, carried, nodes, step);
    }
    return carried;
  }
  Value zero = emitter.constantIndex(0), end = emitter.index(loops[depth].extent);
  if (program.vectorIsReduced && depth + 1 == loops.size())
    return vectorLoop(zero, end, inits, nodes, step);
  return loop(zero, end, 1, inits, [&](Value position, ValueRange carried) {
    emitter.bind(loops[depth].var, position);
    emitter.hoist(nodes);
    return reducedLoops(depth + 1, carried, nodes, step);
  });
}
