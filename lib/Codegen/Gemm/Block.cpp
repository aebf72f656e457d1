//===- Block.cpp - A product as the task of a block of threads ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GEMM of GPUs. A task is `rows` rows by `panels` panels: the operands are
// staged `depth` steps at a time, every panel has its accumulator, the products
// go through scratch, and teams of threads finish one row of a panel each, so
// that the epilogue is the host's and its stores are whole stretches of memory.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "TensorConfig.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

void GemmEmitter::planBlock() {
  int64_t panels = block.getPanels();
  rowTasks = program.row.extent.ceilDiv(block.getRows());
  panelTasks = program.panelCount().ceilDiv(panels);
  tasks = rowTasks * panelTasks;
  for (const Loop &loop : program.batch)
    tasks *= loop.extent;
  planSplit();
  int64_t columns = panels * program.width;
  stripStride = columns + (program.fitsTensorCores()
                               ? tensorStripPadding()
                               : stripPadding(block.getRows(), columns, program.deal()));
  scratchBytes = block.getRows() * stripStride * tile::elementBytes(program.accumulator);
}

static bool isMultiple(const SymbolicExpr &extent, int64_t of) {
  auto constant = extent.getConstant();
  return constant && *constant % of == 0;
}

/// Which dims of its tiles hang over the edge of the right operand. All panels of a
/// block are one program, so that those past the last one are masked as well: along
/// K, where that costs nothing more, else along the columns, which no step changes.
GemmEmitter::PanelMask GemmEmitter::panelMask() const {
  PanelMask mask;
  mask.depth = !isMultiple(program.depth.extent, block.getDepth());
  mask.columns = !program.isPacked && program.hasPartialPanel();
  mask.absent = !isMultiple(program.panelCount(), block.getPanels());
  mask.columns |= mask.absent && !mask.depth;
  return mask;
}

/// The view of one panel of the right operand: depth x width, of which the last
/// columns may not exist. A panel past the last one is that one without elements.
Value GemmEmitter::openBlockPanel(Value number) {
  NodeEmitter::Scope scope(emitter);
  PanelMask mask = panelMask();
  Value exists;
  if (mask.absent) {
    Value count = emitter.index(program.panelCount());
    exists = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, number, count);
    number = minimum(number, sub(count, index(1)));
  }
  bindPanel(number);
  OpFoldResult columns = program.isPacked ? OpFoldResult(b.getIndexAttr(program.width))
                                          : OpFoldResult(validColumns());
  OpFoldResult depth = fold(program.depth.extent);
  if (mask.absent) {
    OpFoldResult &extent = mask.depth ? depth : columns;
    Value all = getValueOrCreateConstantIndexOp(b, loc, extent);
    extent = arith::SelectOp::create(b, loc, exists, all, index(0)).getResult();
  }
  emitter.bind(program.lane.var, index(0));
  emitter.bind(program.depth.var, index(0));
  const SymbolicExpr &address = program.rhs->index;
  auto stride = [&](StringAttr name) { return fold(*coefficientOf(address, name)); };
  return tile::ViewOp::create(
      b, loc, emitter.memories[program.rhs->argument].buffer, emitter.index(address),
      ArrayRef<OpFoldResult>{depth, columns},
      ArrayRef<OpFoldResult>{stride(program.depth.var), stride(program.lane.var)});
}

/// What the stages take of a panel first. Packed panels are stretches of memory; one
/// past the last is that one again.
void GemmEmitter::prefetchPanel(Value number) {
  NodeEmitter::Scope scope(emitter);
  bindPanel(minimum(number, sub(emitter.index(program.panelCount()), index(1))));
  emitter.bind(program.lane.var, index(0));
  emitter.bind(program.depth.var, part.begin);
  Value steps =
      minimum(index(block.getStages() * block.getDepth()), sub(part.end, part.begin));
  prefetchStretch(emitter.memories[program.rhs->argument],
                  emitter.index(program.rhs->index), mul(steps, index(program.width)));
}

GemmEmitter::Values GemmEmitter::multiplyBlock(Value rowBegin, ValueRange panels) {
  MLIRContext *context = b.getContext();
  auto type =
      tile::FragType::get(context, {block.getRows(), program.width}, program.accumulator);
  Value zero = arith::ConstantOp::create(
      b, loc, cast<TypedAttr>(b.getZeroAttr(program.accumulator)));
  Values inits(panels.size(), tile::FillOp::create(b, loc, type, zero));
  SmallVector<int64_t> left, right;
  PanelMask mask = panelMask();
  if (!isMultiple(program.row.extent, block.getRows()))
    left.push_back(0);
  if (mask.depth) {
    left.push_back(1);
    right.push_back(0);
  }
  if (mask.columns)
    right.push_back(1);
  auto stage = [&](Value view, ValueRange indices, int64_t m, int64_t n,
                   ArrayRef<int64_t> masked) -> Value {
    Type element = cast<tile::ViewType>(view.getType()).getElementType();
    auto staged = tile::StagedType::get(context, {m, n}, element);
    return tile::StageOp::create(b, loc, staged, view, indices, ValueRange(), masked);
  };
  auto load = [&](OpBuilder &, Location, Value at) {
    NodeEmitter::Scope scope(emitter);
    SmallVector<Value> tiles{
        stage(lhs, {rowBegin, at}, block.getRows(), block.getDepth(), left)};
    for (Value panel : panels)
      tiles.push_back(
          stage(panel, {at, index(0)}, block.getDepth(), program.width, right));
    return tiles;
  };
  auto isUnsigned = [](Value tensor) {
    return cast<RankedTensorType>(tensor.getType()).getElementType().isUnsignedInteger();
  };
  auto compute = [&](OpBuilder &, Location, Value, ValueRange staged,
                     ValueRange carried) {
    SmallVector<Value> next;
    for (size_t i = 0; i < panels.size(); ++i)
      next.push_back(tile::MmaOp::create(b, loc, type, staged[0], staged[i + 1],
                                         carried[i], isUnsigned(program.matmul.getLhs()),
                                         isUnsigned(program.matmul.getRhs()),
                                         program.matmul.getTf32()));
    return next;
  };
  auto pipeline = tile::PipelineOp::create(b, loc, part.begin, part.end,
                                           index(block.getDepth()), inits, load, compute);
  pipeline.setStages(block.getStages());
  return Values(pipeline.getResults());
}

void GemmEmitter::emitBlockEpilogue(Value rowBegin, Value panelBegin, Value strip) {
  int64_t panels = block.getPanels();
  Value rows =
      minimum(index(block.getRows()), sub(emitter.index(program.row.extent), rowBegin));
  auto item = [&](OpBuilder &, Location, Value number, ValueRange) {
    NodeEmitter::Scope scope(emitter);
    Value own = b.createOrFold<arith::RemUIOp>(loc, number, index(panels));
    Value row = divide(number, index(panels)), panel = add(panelBegin, own);
    Value column = mul(own, index(program.width));
    auto finish = [&](Value valid) {
      NodeEmitter::Scope scope(emitter);
      emitter.setLanes({program.lane.var, index(0), program.width, valid});
      auto type =
          tile::FragType::get(b.getContext(), {program.width}, program.accumulator);
      Value product = tile::LoadOp::create(b, loc, type, strip, ValueRange{row, column});
      emitOutputs(add(rowBegin, row), product);
    };
    auto bound = [&] {
      bindPanel(panel);
      emitter.bind(program.lane.var, index(0));
      if (!program.hasPartialPanel())
        return finish({});
      Value valid = validColumns();
      Value whole = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, valid,
                                          index(program.width));
      auto branch = [&](Value lanes) {
        return [&, lanes](OpBuilder &, Location) {
          finish(lanes);
          scf::YieldOp::create(b, loc);
        };
      };
      scf::IfOp::create(b, loc, whole, branch({}), branch(valid));
    };
    // A task of warpgroups has more panels than the strip, and may reach past the last.
    if (isMultiple(program.panelCount(), groups ? groups.getPanels() : panels)) {
      bound();
    } else {
      Value exists = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, panel,
                                           emitter.index(program.panelCount()));
      scf::IfOp::create(b, loc, exists, [&](OpBuilder &, Location) {
        NodeEmitter::Scope scope(emitter);
        bound();
        scf::YieldOp::create(b, loc);
      });
    }
    scf::YieldOp::create(b, loc);
  };
  auto loop = scf::ForOp::create(b, loc, index(0), mul(rows, index(panels)), index(1),
                                 ValueRange(), item);
  loop->setAttr(tile::kTeamAttr, b.getI64IntegerAttr(block.getTeam()));
}

void GemmEmitter::emitBlockTask(Value task) {
  openPart(task);
  auto digit = [&](const SymbolicExpr &radix) -> Value {
    if (radix.isConstant(1))
      return index(0);
    Value extent = emitter.index(radix);
    Value low = b.createOrFold<arith::RemUIOp>(loc, task, extent);
    task = divide(task, extent);
    return low;
  };
  int64_t count = block.getPanels();
  Value panelBegin = mul(digit(panelTasks), index(count));
  Value rowBegin = mul(digit(rowTasks), index(block.getRows()));
  for (const Loop &loop : llvm::reverse(program.batch))
    emitter.bind(loop.var, digit(loop.extent));
  openLhs();
  OpFoldResult one = b.getIndexAttr(1), stride = b.getIndexAttr(stripStride);
  Value scratch = tile::ScratchOp::create(
      b, loc, tile::BufferType::get(b.getContext(), program.accumulator), index(0));
  Value strip = tile::ViewOp::create(
      b, loc, scratch, index(0),
      ArrayRef<OpFoldResult>{b.getIndexAttr(block.getRows()), stride},
      ArrayRef<OpFoldResult>{stride, one});
  if (prefetchesWeights)
    for (int64_t i = 0; i < count; ++i)
      prefetchPanel(add(panelBegin, index(i)));
  SmallVector<Value> panels;
  for (int64_t i = 0; i < count; ++i)
    panels.push_back(openBlockPanel(add(panelBegin, index(i))));
  combineParts(multiplyBlock(rowBegin, panels), [&](AccumulatorsOf accumulatorsOf) {
    for (auto [i, sum] : llvm::enumerate(accumulatorsOf(0, count)))
      tile::StoreOp::create(b, loc, sum, strip,
                            ValueRange{index(0), index(int64_t(i) * program.width)});
    emitBlockEpilogue(rowBegin, panelBegin, strip);
  });
}

tile::KernelOp GemmEmitter::emitThreads(Attribute config,
                                        function_ref<void(Value task)> body) {
  tile::KernelOp shell = createShell(b, kernel, tasks, scratchBytes, config);
  shell.setThreads(block.getThreads());
  if (block.getSplit() > 1)
    setWorkspace(shell, kernel, workspaceBytes, tickets);
  return fill(shell, body);
}

tile::KernelOp GemmEmitter::emitBlock(tile::BlockGemmConfigAttr config) {
  block = config;
  planBlock();
  return emitThreads(block, [&](Value task) { emitBlockTask(task); });
}
