//===- Warpgroup.cpp - A product for warpgroups and tensor copies ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same task as that of Block.cpp: rows by panels, through a strip of scratch.
// What differs is how operands are named: by one view each that all tasks share, so
// that it can become a tensor map, and by coordinates in it. The strip holds a few
// panels at a time, so that shared memory is left for operands.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "TileEpilogue.h"
#include "dialects/Tile/TileHints.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Rows of the strip begin in different banks for a store of two elements per thread.
static constexpr int64_t kStripPadding = 8;

static bool isMultiple(const SymbolicExpr &extent, int64_t of) {
  auto constant = extent.getConstant();
  return constant && *constant % of == 0;
}

/// Columns that are one dim of their tensor read as zero past its end, so that a
/// task may take panels that do not exist; others are the last panel again.
bool GemmEmitter::overshootsPanels() const {
  return !program.isPacked && program.columnOuter.empty();
}

void GemmEmitter::planWarpgroups() {
  auto threads = groups.getRows() * 2; // 64 rows per warpgroup of 128
  block = tile::BlockGemmConfigAttr::get(
      b.getContext(), groups.getRows(), groups.getStrip(), groups.getDepth(),
      groups.getStages(), threads, groups.getTeam(), groups.getSplit());
  rowTasks = program.row.extent.ceilDiv(groups.getRows());
  panelTasks = program.panelCount().ceilDiv(groups.getPanels());
  tasks = rowTasks * panelTasks;
  for (const Loop &loop : program.batch)
    tasks *= loop.extent;
  planSplit();
  stripStride = groups.getStrip() * program.width + kStripPadding;
  stored = storedTensor(kernel, program, block.getPanels() * program.width);
  if (!stored)
    scratchBytes =
        groups.getRows() * stripStride * tile::elementBytes(program.accumulator);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

GemmEmitter::Tensor GemmEmitter::openTensor(bool isLeft) {
  TensorOperand operand = *tensorOperand(program, isLeft);
  unsigned argument = (isLeft ? program.lhs : program.rhs)->argument;
  return {operand.open(b, loc, emitter, emitter.memories[argument].buffer), operand};
}

Value GemmEmitter::emitTensorStage(const Tensor &tensor, Value first, Value second,
                                   int64_t firstExtent, int64_t secondExtent,
                                   ArrayRef<int64_t> masked) {
  Type element = cast<tile::ViewType>(tensor.view.getType()).getElementType();
  auto type = tile::StagedType::get(b.getContext(), {firstExtent, secondExtent}, element);
  return tile::StageOp::create(b, loc, type, tensor.view,
                               tensor.operand.indices(b, loc, emitter, first, second),
                               ValueRange(), masked);
}

GemmEmitter::Values GemmEmitter::multiplyWarpgroups(Value rowBegin, Value panelBegin) {
  int64_t rows = groups.getRows(), depth = groups.getDepth(), count = groups.getPanels();
  bool wholeDepth = isMultiple(program.depth.extent, depth);
  bool wholePanels = isMultiple(program.panelCount(), count);
  SmallVector<int64_t> leftMask, rightMask;
  if (!isMultiple(program.row.extent, rows))
    leftMask.push_back(0);
  if (!wholeDepth) {
    leftMask.push_back(1);
    rightMask.push_back(0);
  }
  if (!program.isPacked && (program.hasPartialPanel() || !wholePanels))
    rightMask.push_back(1);
  Tensor left = openTensor(true), right = openTensor(false);
  Value last = sub(emitter.index(program.panelCount()), index(1));
  auto load = [&](OpBuilder &, Location, Value at) {
    NodeEmitter::Scope scope(emitter); // what is computed here stays here
    SmallVector<Value> tiles{emitTensorStage(left, rowBegin, at, rows, depth, leftMask)};
    for (int64_t i = 0; i < count; ++i) {
      NodeEmitter::Scope panel(emitter);
      Value number = add(panelBegin, index(i));
      bindPanel(wholePanels || overshootsPanels() ? number : minimum(number, last));
      tiles.push_back(
          emitTensorStage(right, at, index(0), depth, program.width, rightMask));
    }
    return tiles;
  };
  auto type =
      tile::FragType::get(b.getContext(), {rows, program.width}, program.accumulator);
  auto compute = [&](OpBuilder &, Location, Value, ValueRange staged,
                     ValueRange carried) {
    SmallVector<Value> next;
    for (int64_t i = 0; i < count; ++i)
      next.push_back(tile::MmaOp::create(b, loc, type, staged[0], staged[i + 1],
                                         carried[i],
                                         /*lhs_unsigned=*/false, /*rhs_unsigned=*/false));
    return next;
  };
  Value zero = arith::ConstantOp::create(
      b, loc, cast<TypedAttr>(b.getZeroAttr(program.accumulator)));
  Values inits(count, tile::FillOp::create(b, loc, type, zero));
  auto pipeline = tile::PipelineOp::create(b, loc, part.begin, part.end, index(depth),
                                           inits, load, compute);
  pipeline.setStages(groups.getStages());
  if (prefetchesWeights)
    pipeline->setAttr(tile::kWeightsAttr, b.getUnitAttr());
  return Values(pipeline.getResults());
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

/// Some rows of tasks together, one column after the other, so that tasks which run
/// at the same time share what they read.
std::pair<Value, Value> GemmEmitter::rasterize(Value task) {
  auto remainder = [&](Value value, Value of) {
    return b.createOrFold<arith::RemUIOp>(loc, value, of);
  };
  if (rowTasks.isConstant(1))
    return {task, index(0)};
  Value raster = index(groups.getRaster());
  Value whole = mul(raster, emitter.index(panelTasks));
  Value first = mul(divide(task, whole), raster), place = remainder(task, whole);
  Value height = minimum(raster, sub(emitter.index(rowTasks), first));
  return {divide(place, height), add(first, remainder(place, height))};
}

/// A few panels at a time through the strip.
void GemmEmitter::finishWarpgroups(Value rowBegin, Value panelBegin,
                                   AccumulatorsOf accumulatorsOf) {
  if (stored)
    return TileEpilogue(*this).emit(rowBegin, panelBegin, accumulatorsOf);
  OpFoldResult one = b.getIndexAttr(1), stride = b.getIndexAttr(stripStride);
  Value scratch = tile::ScratchOp::create(
      b, loc, tile::BufferType::get(b.getContext(), program.accumulator), index(0));
  Value strip = tile::ViewOp::create(
      b, loc, scratch, index(0),
      ArrayRef<OpFoldResult>{b.getIndexAttr(groups.getRows()), stride},
      ArrayRef<OpFoldResult>{stride, one});
  int64_t together = groups.getStrip();
  for (int64_t begin = 0; begin < groups.getPanels(); begin += together) {
    NodeEmitter::Scope scope(emitter);
    for (auto [i, sum] : llvm::enumerate(accumulatorsOf(begin, together)))
      tile::StoreOp::create(b, loc, sum, strip,
                            ValueRange{index(0), index(int64_t(i) * program.width)});
    emitBlockEpilogue(rowBegin, add(panelBegin, index(begin)), strip);
  }
}

void GemmEmitter::emitWarpgroupTask(Value task) {
  openPart(task);
  SymbolicExpr perBatch = rowTasks * panelTasks;
  Value place = task;
  if (!program.batch.empty()) {
    Value extent = emitter.index(perBatch);
    place = b.createOrFold<arith::RemUIOp>(loc, task, extent);
    Value rest = divide(task, extent);
    for (const Loop &loop : llvm::reverse(program.batch)) {
      Value own = emitter.index(loop.extent);
      emitter.bind(loop.var, b.createOrFold<arith::RemUIOp>(loc, rest, own));
      rest = divide(rest, own);
    }
  }
  auto [panelTask, rowTask] = rasterize(place);
  Value panelBegin = mul(panelTask, index(groups.getPanels()));
  Value rowBegin = mul(rowTask, index(groups.getRows()));
  combineParts(multiplyWarpgroups(rowBegin, panelBegin),
               [&](AccumulatorsOf accumulatorsOf) {
                 finishWarpgroups(rowBegin, panelBegin, accumulatorsOf);
               });
}

tile::KernelOp GemmEmitter::emitWarpgroups(tile::WarpgroupGemmConfigAttr config) {
  groups = config;
  planWarpgroups();
  return emitThreads(groups, [&](Value task) { emitWarpgroupTask(task); });
}
