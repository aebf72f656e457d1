//===- Emitter.cpp - An attention program as tile IR ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "../Blocks.h"
#include "../PackPanel.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

Value AttentionEmitter::number(double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(program.accumulator, value));
}

Value AttentionEmitter::scratch(const SymbolicExpr &offset) {
  return tile::ScratchOp::create(
      b, loc, tile::BufferType::get(b.getContext(), program.accumulator),
      emitter.index(offset));
}

Value AttentionEmitter::view(Value buffer, Value offset, ArrayRef<OpFoldResult> sizes,
                             ArrayRef<OpFoldResult> strides) {
  return tile::ViewOp::create(b, loc, buffer, offset, sizes, strides);
}

SmallVector<Node *> AttentionEmitter::outputNodes() const {
  return llvm::map_to_vector(program.outputs, [](const Output &o) { return o.value; });
}

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

void AttentionEmitter::plan() {
  keyPanels = program.key.extent.ceilDiv(width);
  valuePanels = program.column.extent.ceilDiv(width);
  paddedKeys = keyPanels * SymbolicExpr(width);
  rowTasks = program.row.extent.ceilDiv(config.getMc());
  tasks = rowTasks;
  for (const Loop *loop : {&program.batch, &program.keyHead, &program.headInGroup})
    tasks *= loop->extent;
  // Areas of scratch one after the other, each on a cache line.
  auto area = [&](SymbolicExpr &offset, const SymbolicExpr &elements) {
    offset = scratchBytes;
    scratchBytes += (elements * SymbolicExpr(bytes())).alignTo(64);
  };
  area(keyOffset, paddedKeys * program.depth.extent);
  area(valueOffset, valuePanels * program.key.extent * SymbolicExpr(width));
  area(stripOffset, paddedKeys * SymbolicExpr(config.getMr()));
  area(sumOffset, config.getMr());
  area(tileOffset, config.getMr() * width);
}

tile::KernelOp AttentionEmitter::emit() {
  plan();
  tile::KernelOp shell = createShell(b, kernel, tasks, scratchBytes, config);
  return fill(shell, [&](Value task) { emitTask(task); });
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

AttentionEmitter::Panels AttentionEmitter::packPanels(Node *source, const Loop &lanes,
                                                      const Loop &depth,
                                                      const SymbolicExpr &offset,
                                                      Value keyCount) {
  NodeEmitter::Scope scope(emitter);
  emitter.bind(lanes.var, index(0));
  emitter.bind(depth.var, index(0));
  Panels panels{scratch(offset), depth.extent};
  Value base = emitter.index(source->index), extent = extentIn(lanes, keyCount);
  SymbolicExpr laneStride = *coefficientOf(source->index, lanes.var);
  OpFoldResult columnStride = fold(laneStride);
  OpFoldResult depthExtent = getAsOpFoldResult(extentIn(depth, keyCount));
  OpFoldResult depthStride = fold(*coefficientOf(source->index, depth.var));
  Value stride = emitter.index(laneStride), rows = emitter.index(depth.extent);
  Value lanesPerPanel = index(width);
  Value count = b.createOrFold<arith::CeilDivUIOp>(loc, extent, lanesPerPanel);
  emitLoop(b, loc, emitter, index(0), count, index(1), [&](Value panel) {
    Value first = mul(panel, lanesPerPanel);
    auto constant = getConstantIntValue(extent);
    bool isWhole = constant && *constant % width == 0;
    PanelSource from{emitter.memories[source->argument].buffer,
                     add(base, mul(first, stride)),
                     depthStride,
                     columnStride,
                     depthExtent,
                     isWhole ? Value() : sub(extent, first)};
    Value target = view(panels.buffer, mul(mul(panel, rows), lanesPerPanel),
                        {depthExtent, b.getIndexAttr(width)},
                        {b.getIndexAttr(width), b.getIndexAttr(1)});
    emitPackPanel(b, loc, from, target);
  });
  return panels;
}

void AttentionEmitter::emitTask(Value task) {
  auto digit = [&](const SymbolicExpr &radix) -> Value {
    if (radix.isConstant(1))
      return index(0);
    Value extent = emitter.index(radix);
    Value low = b.createOrFold<arith::RemUIOp>(loc, task, extent);
    task = b.createOrFold<arith::DivUIOp>(loc, task, extent);
    return low;
  };
  Value rowTask = digit(rowTasks);
  for (const Loop *loop : {&program.headInGroup, &program.keyHead, &program.batch})
    emitter.bind(loop->var, digit(loop->extent));
  keyEnd = countKeys();
  auto [rowBegin, rowCount] = evenPart(b, loc, emitter.index(program.row.extent), rowTask,
                                       emitter.index(rowTasks));
  Value seen = seenKeys(rowBegin, rowCount);
  keys = packPanels(program.keys, program.key, program.depth, keyOffset, seen);
  values = packPanels(program.values, program.column, program.key, valueOffset, seen);
  {
    NodeEmitter::Scope scope(emitter);
    emitter.bind(program.row.var, index(0));
    emitter.bind(program.depth.var, index(0));
    const SymbolicExpr &address = program.query->index;
    query = view(emitter.memories[program.query->argument].buffer, emitter.index(address),
                 {fold(program.row.extent), fold(program.depth.extent)},
                 {fold(*coefficientOf(address, program.row.var)),
                  fold(*coefficientOf(address, program.depth.var))});
  }
  OpFoldResult mr = b.getIndexAttr(config.getMr()), one = b.getIndexAttr(1);
  OpFoldResult keysAcross = fold(paddedKeys), lanes = b.getIndexAttr(width);
  strip = view(scratch(stripOffset), index(0), {mr, keysAcross}, {keysAcross, one});
  sums = view(scratch(sumOffset), index(0), {mr}, {one});
  tiles = view(scratch(tileOffset), index(0), {mr, lanes}, {lanes, one});

  Value tallest = index(config.getMr());
  Value blocks = b.createOrFold<arith::CeilDivUIOp>(loc, rowCount, tallest);
  emitLoop(b, loc, emitter, index(0), blocks, index(1), [&](Value block) {
    auto [begin, height] = evenPart(b, loc, rowCount, block, blocks);
    emitBlock(add(rowBegin, begin), height);
  });
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void AttentionEmitter::emitBlock(Value row, Value height) {
  blockKeys = seenKeys(row, height);
  Value keyCount = b.createOrFold<arith::CeilDivUIOp>(loc, blockKeys, index(width));
  Value depth = emitter.index(program.depth.extent);
  multiply(query, row, keys, keyCount, depth, height, [&](Value panel, Value tile) {
    tile::StoreOp::create(b, loc, tile, strip,
                          ValueRange{index(0), mul(panel, index(width))});
  });
  emitSoftmax(row, height);
  // The result leaves row by row, through the tile in scratch.
  Value columns = emitter.index(valuePanels);
  multiply(strip, index(0), values, columns, blockKeys, height,
           [&](Value panel, Value tile) {
             tile::StoreOp::create(b, loc, tile, tiles, ValueRange{index(0), index(0)});
             emitOutputs(row, height, panel);
           });
}

/// Rows [lhsRow, lhsRow + height) of a view times `count` panels, of which `depth` rows
/// count. Panels are the outer loop: one stays in L1 for all that is done with it.
void AttentionEmitter::multiply(Value lhs, Value lhsRow, const Panels &panels,
                                Value count, Value depth, Value height,
                                function_ref<void(Value, Value)> use) {
  auto queries = program.row.extent.getConstant();
  SmallVector<int64_t> heights =
      queries ? blockHeights(*queries <= config.getMc() ? *queries : 1,
                             std::min(*queries, config.getMc()), config.getMr())
              : blockHeights(1, config.getMc(), config.getMr());
  Value rows = emitter.index(panels.depth);
  OpFoldResult rowCount = fold(panels.depth), lanes = b.getIndexAttr(width);
  // A step must not be 0, where there is no key.
  bool isFixed = getConstantIntValue(depth) || !seesSome();
  Value step = isFixed ? depth : b.createOrFold<arith::MaxSIOp>(loc, depth, index(1));
  auto product = [&](Value panel, int64_t tileHeight) {
    Value rhs = view(panels.buffer, mul(mul(panel, rows), index(width)),
                     {rowCount, lanes}, {lanes, b.getIndexAttr(1)});
    auto type =
        tile::FragType::get(b.getContext(), {tileHeight, width}, program.accumulator);
    Value zero = tile::FillOp::create(b, loc, type, number(0.0));
    auto load = [&](OpBuilder &, Location, Value at) -> SmallVector<Value> {
      auto stage = [&](Value from, ValueRange indices, int64_t m, int64_t n) -> Value {
        Type element = cast<tile::ViewType>(from.getType()).getElementType();
        return tile::StageOp::create(
            b, loc, tile::StagedType::get(b.getContext(), {m, n}, element), from, indices,
            depth);
      };
      return {stage(lhs, {lhsRow, at}, tileHeight, ShapedType::kDynamic),
              stage(rhs, {at, index(0)}, ShapedType::kDynamic, width)};
    };
    auto compute = [&](OpBuilder &, Location, Value, ValueRange staged,
                       ValueRange carried) -> SmallVector<Value> {
      return {tile::MmaOp::create(b, loc, type, staged[0], staged[1], carried[0])};
    };
    auto pipeline =
        tile::PipelineOp::create(b, loc, index(0), depth, step, zero, load, compute);
    use(panel, pipeline.getResult(0));
  };
  switchHeight(b, loc, emitter, height, heights, [&](int64_t tileHeight) {
    emitLoop(b, loc, emitter, index(0), count, index(1),
             [&](Value panel) { product(panel, tileHeight); });
  });
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void AttentionEmitter::emitOutputs(Value row, Value height, Value panel) {
  Value first = mul(panel, index(width));
  auto columns = program.column.extent.getConstant();
  bool isWhole = columns && *columns % width == 0;
  Value valid = isWhole ? Value() : sub(emitter.index(program.column.extent), first);
  emitLoop(b, loc, emitter, index(0), height, index(1), [&](Value r) {
    emitter.bind(program.column.var, first);
    emitter.setLanes({program.column.var, first, width, valid});
    emitter.bind(program.row.var, add(row, r));
    Value tile = tile::LoadOp::create(b, loc, rowType(), tiles, ValueRange{r, index(0)});
    if (program.op.getCausal())
      tile = unlessFinite(tile, [&] { return addSeenValues(r, add(row, r), panel); });
    Value inverse =
        tile::LoadOp::create(b, loc, program.accumulator, sums, ValueRange{r});
    Value scaled = mapOne({tile}, [&](OpBuilder &b, ValueRange x) -> Value {
      return normalize(b, x[0], inverse);
    });
    emitter.bind(program.product, scaled);
    SmallVector<Value> fragments = emitter.fragments(outputNodes());
    for (auto [fragment, output] : llvm::zip(fragments, program.outputs))
      emitter.store(fragment, results[output.result], output.address);
  });
}
