//===- Tile.cpp - Register tiles of a GEMM --------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While a block of rows works on steps [k, k + step) of a panel, it fetches its
// share of the lines that hold the same steps of what is read next: two lines,
// so that all blocks together fetch everything once.
//
//===----------------------------------------------------------------------===//

#include "../PackPanel.h"
#include "Emitter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

static constexpr int64_t kLineBytes = 64;
static constexpr int64_t kLinesPerStep = 2;

static bool isUnsigned(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getElementType().isUnsignedInteger();
}

//===----------------------------------------------------------------------===//
// Panels
//===----------------------------------------------------------------------===//

/// The panel whose variables are bound, copied to scratch.
Value GemmEmitter::packPanel(int64_t place) {
  const SymbolicExpr &address = program.rhs->index;
  OpFoldResult depth = fold(program.depth.extent), width = b.getIndexAttr(program.width);
  SymbolicExpr bytes = program.width * tile::elementBytes(program.accumulator);
  SymbolicExpr at = packOffset + program.depth.extent * bytes * SymbolicExpr(place);
  Value scratch = tile::ScratchOp::create(
      b, loc, tile::BufferType::get(b.getContext(), program.accumulator), emitter.index(at));
  Value panel = tile::ViewOp::create(b, loc, scratch, index(0),
                                     ArrayRef<OpFoldResult>{depth, width},
                                     ArrayRef<OpFoldResult>{width, b.getIndexAttr(1)});
  PanelSource source{emitter.memories[program.rhs->argument].buffer,
                     emitter.index(address),
                     fold(*coefficientOf(address, program.depth.var)),
                     fold(*coefficientOf(address, program.lane.var)),
                     depth,
                     program.hasPartialPanel() ? validColumns() : Value()};
  emitPackPanel(b, loc, source, panel);
  return panel;
}

GemmEmitter::Panel GemmEmitter::openPanel(Value number, int64_t place, int64_t group) {
  NodeEmitter::Scope scope(emitter);
  bindPanel(number);
  emitter.bind(program.lane.var, index(0));
  emitter.bind(program.depth.var, index(0));
  const SymbolicExpr &address = program.rhs->index;
  OpFoldResult depth = fold(program.depth.extent), width = b.getIndexAttr(program.width);
  OpFoldResult one = b.getIndexAttr(1);
  SymbolicExpr depthStride = *coefficientOf(address, program.depth.var);
  Panel panel{number, {}, {}, {}};
  if (!program.loadsRhsDirectly()) {
    panel.rhs = packPanel(place);
  } else {
    Value buffer = emitter.memories[program.rhs->argument].buffer;
    Value offset = emitter.index(address);
    panel.rhs = tile::ViewOp::create(b, loc, buffer, offset,
                                     ArrayRef<OpFoldResult>{depth, width},
                                     ArrayRef<OpFoldResult>{fold(depthStride), one});
    if (program.isPacked && depthStride.isConstant(program.width))
      panel.stream = tile::ViewOp::create(b, loc, buffer, offset,
                                          ArrayRef<OpFoldResult>{b.getIndexAttr(INT32_MAX)},
                                          ArrayRef<OpFoldResult>{one});
  }
  if (usesStrip()) {
    int64_t rows = stripRows() / group;
    int64_t bytes = tile::elementBytes(program.accumulator) * program.width;
    Value scratch = tile::ScratchOp::create(
        b, loc, tile::BufferType::get(b.getContext(), program.accumulator),
        index(place * rows * bytes));
    panel.strip = tile::ViewOp::create(b, loc, scratch, index(0),
                                       ArrayRef<OpFoldResult>{b.getIndexAttr(rows), width},
                                       ArrayRef<OpFoldResult>{width, one});
  }
  return panel;
}

void GemmEmitter::clearStrip(ArrayRef<Panel> panels, Value rows) {
  Value zero = arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(program.accumulator)));
  auto type = tile::FragType::get(b.getContext(), {program.width}, program.accumulator);
  Value fragment = tile::FillOp::create(b, loc, type, zero);
  forLoop(index(0), rows, index(1), [&](Value row) {
    for (const Panel &panel : panels)
      tile::StoreOp::create(b, loc, fragment, panel.strip, ValueRange{row, index(0)});
  });
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// A broadcast of f16 or bf16 would be converted for every panel again.
bool GemmEmitter::widensLhs() const {
  Type storage = program.lhs->storage;
  return isa<FloatType>(storage) && storage != program.accumulator;
}

/// Elements from row to row of the converted operand: a line more than the rows need,
/// because rows a multiple of a page apart would evict each other.
SymbolicExpr GemmEmitter::widenedStride() const {
  return program.depth.extent.alignTo(program.width) + SymbolicExpr(program.width);
}

/// Converts the task's rows of the left operand to scratch, once.
void GemmEmitter::widenLhs(Rows rows) {
  const SymbolicExpr &address = program.lhs->index;
  OpFoldResult width = b.getIndexAttr(program.width), one = b.getIndexAttr(1);
  OpFoldResult count = rows.count, stride = fold(widenedStride());
  auto type = tile::BufferType::get(b.getContext(), program.accumulator);
  Value scratch = tile::ScratchOp::create(b, loc, type, emitter.index(lhsOffset));
  Value depth = emitter.index(program.depth.extent);
  bool isWhole = program.depth.extent.exactDiv(program.width).has_value();
  forLoop(index(0), depth, index(program.width), [&](Value at) {
    emitter.bind(program.row.var, rows.begin);
    emitter.bind(program.depth.var, at);
    Value panel =
        tile::ViewOp::create(b, loc, scratch, at, ArrayRef<OpFoldResult>{count, width},
                             ArrayRef<OpFoldResult>{stride, one});
    PanelSource source{emitter.memories[program.lhs->argument].buffer,
                       emitter.index(address),
                       fold(*coefficientOf(address, program.row.var)),
                       fold(*coefficientOf(address, program.depth.var)),
                       count,
                       isWhole ? Value() : sub(depth, at)};
    emitPackPanel(b, loc, source, panel);
  });
  lhs = tile::ViewOp::create(
      b, loc, scratch, index(0),
      ArrayRef<OpFoldResult>{count, fold(program.depth.extent)},
      ArrayRef<OpFoldResult>{stride, one});
  lhsBegin = rows.begin;
}

//===----------------------------------------------------------------------===//
// One tile
//===----------------------------------------------------------------------===//

void GemmEmitter::emitTile(ArrayRef<Panel> panels, Rows rows, Rows block, Block place,
                           int64_t height, Steps steps) {
  Value stripRow = sub(block.begin, rows.begin);
  Values tiles;
  for (const Panel &panel : panels) {
    if (steps.fresh) {
      Value zero = arith::ConstantOp::create(
          b, loc, cast<TypedAttr>(b.getZeroAttr(program.accumulator)));
      tiles.push_back(tile::FillOp::create(b, loc, tileType(height), zero));
    } else {
      tiles.push_back(tile::LoadOp::create(b, loc, tileType(height), panel.strip,
                                           ValueRange{stripRow, index(0)}));
    }
  }
  tiles = accumulate(panels, block.begin, place, height, steps, tiles);
  for (auto [panel, result] : llvm::zip(panels, tiles)) {
    if (usesStrip())
      tile::StoreOp::create(b, loc, result, panel.strip, ValueRange{stripRow, index(0)});
    else
      emitTileEpilogue(panel, block.begin, result);
  }
}

/// What follows the steps at hand in the packed operand: the next steps of the
/// panel, or the panel after the group.
Value GemmEmitter::aheadOf(size_t group, Steps steps) {
  Value width = index(program.width), depth = emitter.index(program.depth.extent);
  Value nextGroup = mul(mul(depth, width), index(group));
  if (steps.fresh)
    return nextGroup;
  Value isLast = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, steps.end, depth);
  return arith::SelectOp::create(b, loc, isLast, nextGroup, mul(steps.end, width));
}

void GemmEmitter::prefetch(ArrayRef<Panel> panels, Block place, Steps steps, Value at) {
  int64_t line = kLineBytes / tile::elementBytes(program.rhs->storage);
  Value own = mul(place.number, index(kLinesPerStep * line));
  Value position = add(mul(sub(at, steps.begin), index(program.width)), own);
  position = add(position, aheadOf(panels.size(), steps));
  for (const Panel &panel : panels)
    for (int64_t i = 0; i < kLinesPerStep; ++i)
      tile::PrefetchOp::create(b, loc, panel.stream, ValueRange{add(position, index(i * line))});
}

GemmEmitter::Values GemmEmitter::accumulate(ArrayRef<Panel> panels, Value row, Block place,
                                            int64_t height, Steps steps, ValueRange inits) {
  bool ahead = place.number && llvm::all_of(panels, [](const Panel &p) { return p.stream; });
  Value stride = sub(steps.end, steps.begin);
  if (ahead) {
    // All blocks fetch kLinesPerStep lines per stride: as much as it reads.
    int64_t lineSteps = kLineBytes / (tile::elementBytes(program.rhs->storage) * program.width);
    int64_t perBlock = kLinesPerStep * std::max<int64_t>(lineSteps, 1);
    stride = b.createOrFold<arith::MaxSIOp>(loc, mul(place.count, index(perBlock)),
                                            index(config.getKu()));
  }
  auto dynamic = ShapedType::kDynamic;
  MLIRContext *context = b.getContext();
  auto load = [&](OpBuilder &, Location, Value at) {
    NodeEmitter::Scope scope(emitter);
    Value left = ahead ? minimum(sub(steps.end, at), stride) : stride;
    SmallVector<Value> staged;
    auto stage = [&](Value view, ValueRange indices, int64_t m, int64_t n) {
      Type element = cast<tile::ViewType>(view.getType()).getElementType();
      auto type = tile::StagedType::get(context, {m, n}, element);
      staged.push_back(tile::StageOp::create(b, loc, type, view, indices, left));
    };
    stage(lhs, {lhsBegin ? sub(row, lhsBegin) : row, at}, height, dynamic);
    for (const Panel &panel : panels)
      stage(panel.rhs, {at, index(0)}, dynamic, program.width);
    if (ahead)
      prefetch(panels, place, steps, at);
    return staged;
  };
  auto compute = [&](OpBuilder &, Location, Value, ValueRange staged, ValueRange carried) {
    SmallVector<Value> next;
    bool lhsUnsigned = isUnsigned(program.matmul.getLhs());
    bool rhsUnsigned = isUnsigned(program.matmul.getRhs());
    for (size_t i = 0; i < panels.size(); ++i)
      next.push_back(tile::MmaOp::create(b, loc, carried[i].getType(), staged[0],
                                         staged[i + 1], carried[i], lhsUnsigned, rhsUnsigned));
    return next;
  };
  auto pipeline =
      tile::PipelineOp::create(b, loc, steps.begin, steps.end, stride, inits, load, compute);
  return Values(pipeline.getResults());
}
