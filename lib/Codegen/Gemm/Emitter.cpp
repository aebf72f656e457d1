//===- Emitter.cpp - Tasks of a GEMM --------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tasks are numbered panels first, so that contiguous halves of a few rows are
// halves of the columns, and of many rows halves of the rows.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "../Blocks.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Rows up to which panels side by side beat taller tiles, and how many
/// accumulators keep the multipliers busy.
static constexpr int64_t kFewRows = 3;
static constexpr int64_t kAccumulators = 8;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

void GemmEmitter::forLoop(Value begin, Value end, Value step, function_ref<void(Value)> body) {
  emitLoop(b, loc, emitter, begin, end, step, body);
}

SmallVector<Node *> GemmEmitter::outputNodes() const {
  return llvm::map_to_vector(program.outputs, [](const Output &o) { return o.value; });
}

std::pair<Value, Value> GemmEmitter::share(Value whole, Value number, Value parts) {
  return evenPart(b, loc, whole, number, parts);
}

bool GemmEmitter::usesStrip() const {
  return config.getStrip() || config.getKc() > 0 || program.hasPartialPanel();
}

/// Rows of all panels side by side.
int64_t GemmEmitter::stripRows() const {
  return std::max(config.getMc() * config.getGroup(), kFewRows * kAccumulators);
}

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

void GemmEmitter::plan() {
  rowTasks = program.row.extent.ceilDiv(config.getMc());
  panelTasks = program.panelCount().ceilDiv(config.getPanels());
  tasks = rowTasks * panelTasks;
  for (const Loop &loop : program.batch)
    tasks *= loop.extent;
  int64_t bytes = tile::elementBytes(program.accumulator) * program.width;
  if (usesStrip())
    stripBytes = stripRows() * bytes;
  packOffset = stripBytes.alignTo(64);
  int64_t sideBySide = std::max(config.getGroup(), kAccumulators);
  if (!program.loadsRhsDirectly())
    packBytes = program.depth.extent * SymbolicExpr(bytes * sideBySide);
  scratchBytes = packOffset + packBytes;
  if (!widensLhs())
    return;
  lhsOffset = scratchBytes.alignTo(64);
  int64_t columnBytes = config.getMc() * tile::elementBytes(program.accumulator);
  scratchBytes = lhsOffset + widenedStride() * SymbolicExpr(columnBytes);
}

tile::KernelOp GemmEmitter::emit() {
  plan();
  tile::KernelOp shell = createShell(b, kernel, tasks, scratchBytes, config);
  return fill(shell, [&](Value task) { emitTask(task); });
}

/// The rows of the batch at hand.
void GemmEmitter::openLhs() {
  NodeEmitter::Scope scope(emitter);
  emitter.bind(program.row.var, index(0));
  emitter.bind(program.depth.var, index(0));
  const SymbolicExpr &address = program.lhs->index;
  auto stride = [&](StringAttr name) { return fold(*coefficientOf(address, name)); };
  lhs = tile::ViewOp::create(
      b, loc, emitter.memories[program.lhs->argument].buffer, emitter.index(address),
      ArrayRef<OpFoldResult>{fold(program.row.extent), fold(program.depth.extent)},
      ArrayRef<OpFoldResult>{stride(program.row.var), stride(program.depth.var)});
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

void GemmEmitter::emitTask(Value task) {
  // The last digit of `task` in a mixed radix; what is left moves up.
  auto digit = [&](const SymbolicExpr &radix) -> Value {
    if (radix.isConstant(1))
      return index(0);
    Value extent = emitter.index(radix);
    Value low = b.createOrFold<arith::RemUIOp>(loc, task, extent);
    task = divide(task, extent);
    return low;
  };
  Value panelTask = digit(panelTasks), rowTask = digit(rowTasks);
  for (const Loop &loop : llvm::reverse(program.batch))
    emitter.bind(loop.var, digit(loop.extent));
  auto part = [&](const SymbolicExpr &whole, Value number, const SymbolicExpr &parts) {
    if (parts.isConstant(1))
      return std::pair(index(0), emitter.index(whole));
    return share(emitter.index(whole), number, emitter.index(parts));
  };
  auto [rowBegin, rowCount] = part(program.row.extent, rowTask, rowTasks);
  auto [panelBegin, panels] = part(program.panelCount(), panelTask, panelTasks);
  Value panelEnd = add(panelBegin, panels);
  Rows rows{rowBegin, rowCount};

  openLhs();
  if (widensLhs())
    widenLhs(rows);
  if (auto constant = program.row.extent.getConstant())
    return *constant <= kFewRows ? emitSmall(rows, panelBegin, panelEnd)
                                 : emitLarge(rows, panelBegin, panelEnd);
  Value few = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, rows.count,
                                    index(kFewRows));
  auto branch = [&](auto emitBranch) {
    return [&, emitBranch](OpBuilder &, Location) {
      NodeEmitter::Scope scope(emitter);
      (this->*emitBranch)(rows, panelBegin, panelEnd);
      scf::YieldOp::create(b, loc);
    };
  };
  scf::IfOp::create(b, loc, few, branch(&GemmEmitter::emitSmall),
                    branch(&GemmEmitter::emitLarge));
}

void GemmEmitter::emitSmall(Rows rows, Value panelBegin, Value panelEnd) {
  SmallVector<int64_t> possible{1, 2, 3};
  if (auto constant = program.row.extent.getConstant())
    possible = {*constant};
  switchHeight(b, loc, emitter, rows.count, possible, [&](int64_t height) {
    int64_t group = std::max<int64_t>(kAccumulators / height / 2 * 2, 1);
    if (height == 1)
      group = kAccumulators / 2;
    forPanels(panelBegin, panelEnd, group, [&](ArrayRef<Panel> panels) {
      emitTile(panels, rows, rows, {}, height, allSteps());
      if (usesStrip())
        for (const Panel &panel : panels)
          emitStripEpilogue(panel, rows);
    });
  });
}

GemmEmitter::Steps GemmEmitter::allSteps() {
  return {index(0), emitter.index(program.depth.extent), /*fresh=*/true};
}

void GemmEmitter::emitLarge(Rows rows, Value panelBegin, Value panelEnd) {
  forPanels(panelBegin, panelEnd, config.getGroup(), [&](ArrayRef<Panel> panels) {
    auto pass = [&](Steps steps) {
      forBlocks(rows, [&](Rows block, Block place) {
        switchHeight(b, loc, emitter, block.count, heights(), [&](int64_t height) {
          emitTile(panels, rows, block, place, height, steps);
        });
      });
    };
    Steps all = allSteps();
    if (config.getKc() > 0) {
      clearStrip(panels, rows.count);
      Value length = index(config.getKc());
      forLoop(all.begin, all.end, length, [&](Value begin) {
        pass({begin, minimum(add(begin, length), all.end), /*fresh=*/false});
      });
    } else {
      pass(all);
    }
    if (usesStrip())
      for (const Panel &panel : panels)
        emitStripEpilogue(panel, rows);
  });
}

//===----------------------------------------------------------------------===//
// Panels and blocks
//===----------------------------------------------------------------------===//

void GemmEmitter::forPanels(Value begin, Value end, int64_t group,
                            function_ref<void(ArrayRef<Panel>)> body) {
  auto some = [&](Value first, int64_t count) {
    SmallVector<Panel> panels;
    for (int64_t i = 0; i < count; ++i)
      panels.push_back(openPanel(add(first, index(i)), i, count));
    body(panels);
  };
  Value wholeEnd = end;
  if (group > 1) {
    Value side = index(group);
    wholeEnd = add(begin, mul(divide(sub(end, begin), side), side));
    forLoop(begin, wholeEnd, side, [&](Value first) { some(first, group); });
    begin = wholeEnd;
  }
  if (getConstantIntValue(begin) && getConstantIntValue(begin) == getConstantIntValue(end))
    return;
  forLoop(begin, end, index(1), [&](Value first) { some(first, 1); });
}

/// Every height that a block of a task's rows can have, ascending.
SmallVector<int64_t> GemmEmitter::heights() const {
  auto rows = program.row.extent.getConstant();
  if (!rows)
    return blockHeights(kFewRows + 1, config.getMc(), config.getMr());
  int64_t chunks = (*rows + config.getMc() - 1) / config.getMc();
  return blockHeights(*rows / chunks, (*rows + chunks - 1) / chunks, config.getMr());
}

void GemmEmitter::forBlocks(Rows rows, function_ref<void(Rows, Block)> body) {
  Value tallest = index(config.getMr());
  Value count = divide(add(rows.count, sub(tallest, index(1))), tallest);
  if (getConstantIntValue(count) == 1)
    return body(rows, {});
  forLoop(index(0), count, index(1), [&](Value number) {
    auto [begin, height] = share(rows.count, number, count);
    body({add(rows.begin, begin), height}, {number, count});
  });
}

void GemmEmitter::bindPanel(Value number) {
  Value rest = number;
  auto digit = [&](const SymbolicExpr &radix) -> Value {
    Value extent = emitter.index(radix);
    Value low = b.createOrFold<arith::RemUIOp>(loc, rest, extent);
    rest = divide(rest, extent);
    return low;
  };
  if (program.columnOuter.empty())
    return emitter.bind(program.panel.var, number);
  emitter.bind(program.panel.var, digit(program.panel.extent));
  for (const Loop &loop : llvm::reverse(program.columnOuter))
    emitter.bind(loop.var, digit(loop.extent));
}

Value GemmEmitter::validColumns() {
  return emitter.index(program.columnsInner -
                       SymbolicExpr::symbol(program.panel.var) * SymbolicExpr(program.width));
}
