//===- PanelMultiplier.cpp - Matmuls with panels of keys and values -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PanelMultiplier.h"
#include "../Blocks.h"
#include "../PackPanel.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

static Type elementOf(Value view) {
  return cast<tile::ViewType>(view.getType()).getElementType();
}

/// Returns the full range of a loop; for the loop over the keys, `keys`.
KeyRange PanelMultiplier::rangeIn(const Loop &loop, KeyRange keys) {
  if (loop.var == program.key.var)
    return keys;
  return {index(0), emitter.index(loop.extent)};
}

/// An operand that is to be packed.
struct PanelMultiplier::Source {
  Value buffer, base, end; ///< index of the first element; end of the lanes
  Value laneStride;        ///< elements
  OpFoldResult rowStride, columnStride, rowExtent;
  KeyRange lanes, rows; ///< ranges to pack
};

PanelMultiplier::Source PanelMultiplier::open(const PanelOperand &operand) {
  auto [source, lanes, rows, keys] = operand;
  emitter.bind(lanes.var, index(0));
  KeyRange own = rangeIn(lanes, keys), packed = rangeIn(rows, keys);
  emitter.bind(rows.var, packed.begin);
  Value base = emitter.index(source->index);
  SymbolicExpr laneStride = *coefficientOf(source->index, lanes.var);
  OpFoldResult columnStride = fold(laneStride);
  OpFoldResult rowExtent = getAsOpFoldResult(sub(packed.end, packed.begin));
  OpFoldResult rowStride = fold(*coefficientOf(source->index, rows.var));
  return {emitter.memories[source->argument].buffer,
          base,
          own.end,
          emitter.index(laneStride),
          rowStride,
          columnStride,
          rowExtent,
          own,
          packed};
}

/// Packs a panel. `valid` is the number of lanes that exist; null: all of them.
void PanelMultiplier::packPanel(const Source &source, Value number, Value target,
                                Value valid, bool isStream) {
  Value first = mul(number, index(config.getNr()));
  PanelSource from{source.buffer,    add(source.base, mul(first, source.laneStride)),
                   source.rowStride, source.columnStride,
                   source.rowExtent, valid,
                   program.codes,    isStream};
  emitPackPanel(b, loc, from, target);
}

Type PanelMultiplier::packedElement() const {
  return dot ? program.keys->storage : program.accumulator;
}

Panels PanelMultiplier::pack(const PanelOperand &operand, const SymbolicExpr &offset) {
  NodeEmitter::Scope scope(emitter);
  int64_t width = config.getNr();
  Source source = open(operand);
  OpFoldResult stride = b.getIndexAttr(width);
  Value room = emitter.index(operand.rows.extent), lanesPerPanel = index(width);
  Type element = packedElement();
  Panels panels{scratch(offset, element),
                operand.rows.extent,
                width,
                index(0),
                mul(room, lanesPerPanel),
                stride,
                element,
                {}};
  Value count = b.createOrFold<arith::CeilDivUIOp>(loc, source.end, lanesPerPanel);
  Value begin = divide(source.lanes.begin, lanesPerPanel);
  auto constant = getConstantIntValue(source.end);
  bool isWhole = constant && *constant % width == 0;
  emitLoop(b, loc, emitter, begin, count, index(1), [&](Value number) {
    Value line = add(mul(number, room), source.rows.begin);
    Value target = view(panels.buffer, mul(line, lanesPerPanel),
                        {source.rowExtent, stride}, {stride, b.getIndexAttr(1)});
    Value first = mul(number, lanesPerPanel);
    packPanel(source, number, target, isWhole ? Value() : sub(source.end, first),
              /*isStream=*/false);
  });
  return panels;
}

Panels PanelMultiplier::packOnUse(const PanelOperand &operand,
                                  const SymbolicExpr &offset) {
  NodeEmitter::Scope scope(emitter);
  int64_t width = config.getNr();
  Source source = open(operand);
  OpFoldResult stride = b.getIndexAttr(width);
  bool keepsCodes = program.codes && packsCodes(source.rowExtent, width);
  Type element = packedElement();
  Panels panels{scratch(offset, keepsCodes ? b.getI8Type() : element),
                operand.rows.extent,
                width,
                index(0),
                index(0),
                stride,
                keepsCodes ? program.codes : element,
                {}};
  Value target = view(panels.buffer, index(0), {source.rowExtent, stride},
                      {stride, b.getIndexAttr(1)});
  // Only the last panel needs masked loads.
  panels.fill = [=, this](Value number) {
    Value valid = sub(source.end, mul(number, index(width)));
    Value isWhole =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, valid, index(width));
    auto emit = [&](Value lanes) {
      return [&, lanes](OpBuilder &, Location) {
        NodeEmitter::Scope scope(emitter);
        packPanel(source, number, target, lanes, /*isStream=*/true);
        scf::YieldOp::create(b, loc);
      };
    };
    scf::IfOp::create(b, loc, isWhole, emit(Value()), emit(valid));
  };
  return panels;
}

Panels PanelMultiplier::readInPlace(const PanelOperand &operand, int64_t width) {
  NodeEmitter::Scope scope(emitter);
  emitter.bind(operand.lanes.var, index(0));
  emitter.bind(operand.rows.var, index(0));
  Node *source = operand.source;
  return {emitter.memories[source->argument].buffer,
          operand.rows.extent,
          width,
          emitter.index(source->index),
          index(width),
          fold(*coefficientOf(source->index, operand.rows.var)),
          program.codes ? program.codes : source->storage,
          {}};
}

Value PanelMultiplier::panel(const Panels &panels, Value number) {
  return view(panels.buffer, add(panels.offset, mul(number, panels.stride)),
              {fold(panels.rows), b.getIndexAttr(panels.width)},
              {panels.rowStride, b.getIndexAttr(1)});
}

SmallVector<int64_t> PanelMultiplier::heights() const {
  auto queries = taskRows ? taskRows : program.row.extent.getConstant();
  if (usesTiles()) {
    if (queries && *queries <= config.getMr())
      return {int64_t(llvm::alignTo(*queries, kTileRegisterRows))};
    SmallVector<int64_t> heights;
    for (int64_t rows = kTileRegisterRows; rows <= config.getMr();
         rows += kTileRegisterRows)
      heights.push_back(rows);
    return heights;
  }
  if (!queries)
    return blockHeights(1, config.getMc(), config.getMr());
  return blockHeights(*queries <= config.getMc() ? *queries : 1,
                      std::min(*queries, config.getMc()), config.getMr());
}

Value PanelMultiplier::stage(Value from, Type element, ValueRange indices, int64_t rows,
                             int64_t columns, Value k) {
  auto type = tile::StagedType::get(b.getContext(), {rows, columns}, element);
  return tile::StageOp::create(b, loc, type, from, indices, k);
}

Value PanelMultiplier::multiplyPanel(Value lhs, Value lhsRow, int64_t height, Value panel,
                                     const Panels &panels, KeyRange k, Value step) {
  Value size = sub(k.end, k.begin);
  auto type = fragType({height, panels.width});
  Value zero = tile::FillOp::create(b, loc, type, number(0.0));
  auto load = [&](OpBuilder &, Location, Value at) -> Values {
    return {stage(lhs, elementOf(lhs), {lhsRow, at}, height, ShapedType::kDynamic, size),
            stage(panel, panels.element, {at, index(0)}, ShapedType::kDynamic,
                  panels.width, size)};
  };
  auto compute = [&](OpBuilder &, Location, Value, ValueRange staged,
                     ValueRange carried) -> Values {
    return {tile::MmaOp::create(b, loc, type, staged[0], staged[1], carried[0],
                                /*lhsUnsigned=*/false, /*rhsUnsigned=*/false,
                                /*tf32=*/false, dot)};
  };
  if (usesTiles()) // accumulators of one tile.mma only
    return compute(b, loc, k.begin, load(b, loc, k.begin), zero).front();
  return tile::PipelineOp::create(b, loc, k.begin, k.end, step, zero, load, compute)
      .getResult(0);
}

Value PanelMultiplier::tileHeight(Value height) {
  if (!usesTiles())
    return height;
  Value side = index(kTileRegisterRows);
  return mul(b.createOrFold<arith::CeilDivUIOp>(loc, height, side), side);
}

void PanelMultiplier::multiply(Value lhs, Value lhsRow, Value height,
                               const Panels &panels, KeyRange numbers, KeyRange k,
                               function_ref<void(Value, Value)> use) {
  // A loop step of 0 is invalid; the range may be empty at run time.
  Value size = sub(k.end, k.begin);
  bool isFixed = getConstantIntValue(size) || !visible.isRestricted();
  Value step = isFixed ? size : b.createOrFold<arith::MaxSIOp>(loc, size, index(1));
  auto emitRows = [&](int64_t rows) {
    emitLoop(b, loc, emitter, numbers.begin, numbers.end, index(1), [&](Value number) {
      if (panels.fill)
        panels.fill(number);
      use(number,
          multiplyPanel(lhs, lhsRow, rows, panel(panels, number), panels, k, step));
    });
  };
  switchHeight(b, loc, emitter, tileHeight(height), heights(), emitRows);
}
