//===- BlockMainloop.cpp - Main loop of mma.sync or multiply-adds ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CollectiveMainloop.h"
#include "dialects/Types/FloatFormat.h"
#include "lib/Codegen/Expression/Scalar.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Parts common to all main loops
//===----------------------------------------------------------------------===//

Value CollectiveMainloop::emitStage(Value view, Type element, ValueRange indices,
                                    int64_t rows, int64_t columns,
                                    ArrayRef<int64_t> masked) {
  auto type = tile::StagedType::get(b.getContext(), {rows, columns}, element);
  return tile::StageOp::create(b, loc, type, view, indices, ValueRange(), masked);
}

tile::PipelineOp CollectiveMainloop::emitPipeline(const WorkTile &tile, Stage stage) {
  auto load = [&](OpBuilder &, Location, Value at) {
    NodeEmitter::Scope scope(emitter); // scope of this stage
    return stage(at);
  };
  auto compute = [&](OpBuilder &, Location, Value, ValueRange staged,
                     ValueRange carried) { return multiplyStaged(staged, carried); };
  Values inits(shape.panels, tile::FillOp::create(b, loc, tileType(shape.rows), zero()));
  auto pipeline = tile::PipelineOp::create(b, loc, tile.begin, tile.end, index(shape.k),
                                           inits, load, compute);
  pipeline.setStages(stages);
  return pipeline;
}

//===----------------------------------------------------------------------===//
// Panels
//===----------------------------------------------------------------------===//

/// Returns the dims to mask. All panels of a tile run the same code, so panels past the
/// last one are masked too: along K if that is masked anyway, else along the columns,
/// whose mask is loop-invariant.
BlockMainloop::PanelMask BlockMainloop::panelMask() const {
  PanelMask mask;
  mask.k = !isMultiple(program.k.extent, shape.k);
  mask.columns = !program.isPacked && program.hasPartialPanel();
  mask.absent = !isMultiple(program.panelCount(), shape.panels);
  mask.columns |= mask.absent && !mask.k;
  return mask;
}

/// Returns the view of one panel of the right operand, K x width, whose last columns may
/// not exist. A panel past the last one is a view of the last one without elements.
Value BlockMainloop::openPanel(Value number) {
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
  OpFoldResult k = fold(program.k.extent);
  if (mask.absent) {
    OpFoldResult &extent = mask.k ? k : columns;
    Value all = getValueOrCreateConstantIndexOp(b, loc, extent);
    extent = arith::SelectOp::create(b, loc, exists, all, index(0)).getResult();
  }
  emitter.bind(program.lane.var, index(0));
  emitter.bind(program.k.var, index(0));
  const SymbolicExpr &address = program.rhs->index;
  auto stride = [&](StringAttr name) { return fold(*coefficientOf(address, name)); };
  return tile::ViewOp::create(
      b, loc, emitter.memories[program.rhs->argument].buffer, emitter.index(address),
      ArrayRef<OpFoldResult>{k, columns},
      ArrayRef<OpFoldResult>{stride(program.k.var), stride(program.lane.var)});
}

/// Opens the scales of a panel; past the last panel, those of the last one.
Value BlockMainloop::openScales(Value number) {
  NodeEmitter::Scope scope(emitter);
  bindPanel(minimum(number, sub(emitter.index(program.panelCount()), index(1))));
  emitter.bind(program.lane.var, index(0));
  return openBlockScales();
}

/// Prefetches the elements of a packed panel, which is contiguous, that the first stages
/// read; past the last panel, those of the last one.
void BlockMainloop::prefetchPanel(const WorkTile &tile, Value number) {
  NodeEmitter::Scope scope(emitter);
  bindPanel(minimum(number, sub(emitter.index(program.panelCount()), index(1))));
  emitter.bind(program.lane.var, index(0));
  emitter.bind(program.k.var, tile.begin);
  Value steps = minimum(index(stages * shape.k), sub(tile.end, tile.begin));
  prefetchStretch(emitter.memories[program.rhs->argument],
                  emitter.index(program.rhs->index), mul(steps, index(program.width)));
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

Value BlockMainloop::loadScales(Value view, Value step) {
  auto bytes = tile::FragType::get(b.getContext(), {program.width},
                                   cast<tile::ViewType>(view.getType()).getElementType());
  Value block = divide(step, index(program.rhsScales->block));
  Value last = sub(emitter.index(program.rhsScales->step.extent), index(1));
  return tile::LoadOp::create(b, loc, bytes, view,
                              ValueRange{minimum(block, last), index(0)});
}

/// Multiplies with scales per block of K. Each step has accumulators of its own, which
/// the FMA that adds them to the totals multiplies by the scales; these are powers of
/// two, so the multiplication is exact. Scales are loaded one step ahead, to overlap with
/// the MMAs of the current step.
BlockMainloop::Values BlockMainloop::multiplyBlocks(const WorkTile &tile,
                                                    ValueRange scales, Stage stage) {
  auto load = [&](OpBuilder &, Location, Value at) {
    NodeEmitter::Scope scope(emitter); // scope of this stage
    return stage(at);
  };
  size_t panels = scales.size();
  auto compute = [&](OpBuilder &, Location, Value at, ValueRange staged,
                     ValueRange carried) {
    NodeEmitter::Scope scope(emitter);
    Values next, ahead;
    for (Value view : scales)
      ahead.push_back(loadScales(view, add(at, index(shape.k))));
    Value none = tile::FillOp::create(b, loc, tileType(shape.rows), zero());
    Values dots = multiplyStaged(staged, Values(panels, none));
    for (auto [dot, bytes, own] :
         llvm::zip(dots, carried.drop_front(panels), carried.take_front(panels))) {
      Value factors = fragmentCast(b, loc, bytes, powerOfTwoType(b.getContext()),
                                   program.accumulator);
      factors = tile::BroadcastOp::create(b, loc, own.getType(), factors, /*axis=*/0);
      auto joined = tile::MapOp::create(
          b, loc, TypeRange{own.getType()}, ValueRange{dot, factors, own},
          [&](OpBuilder &inner, Location, ValueRange x) -> Values {
            return {math::FmaOp::create(inner, loc, x[0], x[1], x[2])};
          });
      next.push_back(joined.getResult(0));
    }
    llvm::append_range(next, ahead);
    return next;
  };
  Values inits(panels, tile::FillOp::create(b, loc, tileType(shape.rows), zero()));
  for (Value view : scales)
    inits.push_back(loadScales(view, tile.begin));
  auto pipeline = tile::PipelineOp::create(b, loc, tile.begin, tile.end, index(shape.k),
                                           inits, load, compute);
  pipeline.setStages(stages);
  return Values(pipeline.getResults().take_front(panels));
}

BlockMainloop::Values BlockMainloop::multiply(const WorkTile &tile) {
  Value lhs = openLhs();
  if (prefetches)
    for (int64_t i = 0; i < shape.panels; ++i)
      prefetchPanel(tile, add(tile.panel, index(i)));
  Values panels;
  for (int64_t i = 0; i < shape.panels; ++i)
    panels.push_back(openPanel(add(tile.panel, index(i))));
  PanelMask mask = panelMask();
  SmallVector<int64_t> left, right;
  if (!isMultiple(program.row.extent, shape.rows))
    left.push_back(0);
  if (mask.k) {
    left.push_back(1);
    right.push_back(0);
  }
  if (mask.columns)
    right.push_back(1);
  auto stage = [&](Value at) {
    Values staged{
        emitStage(lhs, program.lhs->storage, {tile.row, at}, shape.rows, shape.k, left)};
    for (Value panel : panels)
      staged.push_back(emitStage(panel, program.rhsElement(), {at, index(0)}, shape.k,
                                 program.width, right));
    return staged;
  };
  if (!program.rhsScales)
    return Values(emitPipeline(tile, stage).getResults());
  Values scales;
  for (int64_t i = 0; i < shape.panels; ++i)
    scales.push_back(openScales(add(tile.panel, index(i))));
  return multiplyBlocks(tile, scales, stage);
}
