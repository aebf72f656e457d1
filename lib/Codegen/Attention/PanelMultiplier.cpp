//===- PanelMultiplier.cpp - Keys and values as panels --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PanelMultiplier.h"
#include "../Blocks.h"
#include "../PackPanel.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// All of a loop, but of keys those of the range.
KeyRange PanelMultiplier::rangeIn(const Loop &loop, KeyRange keys) {
  if (loop.var == program.key.var)
    return keys;
  return {index(0), emitter.index(loop.extent)};
}

PackedPanels PanelMultiplier::pack(Node *source, const Loop &lanes, const Loop &rows,
                                   const SymbolicExpr &offset, KeyRange keys) {
  NodeEmitter::Scope scope(emitter);
  int64_t width = config.getNr();
  emitter.bind(lanes.var, index(0));
  KeyRange own = rangeIn(lanes, keys), packed = rangeIn(rows, keys);
  emitter.bind(rows.var, packed.begin);
  PackedPanels panels{scratch(offset), rows.extent};
  Value base = emitter.index(source->index), extent = own.end;
  SymbolicExpr laneStride = *coefficientOf(source->index, lanes.var);
  OpFoldResult columnStride = fold(laneStride);
  OpFoldResult rowExtent = getAsOpFoldResult(sub(packed.end, packed.begin));
  OpFoldResult rowStride = fold(*coefficientOf(source->index, rows.var));
  Value stride = emitter.index(laneStride), room = emitter.index(rows.extent);
  Value lanesPerPanel = index(width);
  Value count = b.createOrFold<arith::CeilDivUIOp>(loc, extent, lanesPerPanel);
  Value begin = divide(own.begin, lanesPerPanel);
  emitLoop(b, loc, emitter, begin, count, index(1), [&](Value panel) {
    Value first = mul(panel, lanesPerPanel);
    auto constant = getConstantIntValue(extent);
    bool isWhole = constant && *constant % width == 0;
    PanelSource from{emitter.memories[source->argument].buffer,
                     add(base, mul(first, stride)),
                     rowStride,
                     columnStride,
                     rowExtent,
                     isWhole ? Value() : sub(extent, first)};
    Value line = add(mul(panel, room), packed.begin);
    Value target =
        view(panels.buffer, mul(line, lanesPerPanel), {rowExtent, b.getIndexAttr(width)},
             {b.getIndexAttr(width), b.getIndexAttr(1)});
    emitPackPanel(b, loc, from, target);
  });
  return panels;
}

SmallVector<int64_t> PanelMultiplier::heights() const {
  auto queries = program.row.extent.getConstant();
  if (!queries)
    return blockHeights(1, config.getMc(), config.getMr());
  return blockHeights(*queries <= config.getMc() ? *queries : 1,
                      std::min(*queries, config.getMc()), config.getMr());
}

Value PanelMultiplier::stage(Value from, ValueRange indices, int64_t rows,
                             int64_t columns, Value k) {
  Type element = cast<tile::ViewType>(from.getType()).getElementType();
  auto type = tile::StagedType::get(b.getContext(), {rows, columns}, element);
  return tile::StageOp::create(b, loc, type, from, indices, k);
}

Value PanelMultiplier::multiplyPanel(Value lhs, Value lhsRow, int64_t height, Value panel,
                                     KeyRange k, Value step) {
  Value size = sub(k.end, k.begin);
  int64_t width = config.getNr();
  auto type = fragType({height, width});
  Value zero = tile::FillOp::create(b, loc, type, number(0.0));
  auto load = [&](OpBuilder &, Location, Value at) -> Values {
    return {stage(lhs, {lhsRow, at}, height, ShapedType::kDynamic, size),
            stage(panel, {at, index(0)}, ShapedType::kDynamic, width, size)};
  };
  auto compute = [&](OpBuilder &, Location, Value, ValueRange staged,
                     ValueRange carried) -> Values {
    return {tile::MmaOp::create(b, loc, type, staged[0], staged[1], carried[0])};
  };
  return tile::PipelineOp::create(b, loc, k.begin, k.end, step, zero, load, compute)
      .getResult(0);
}

void PanelMultiplier::multiply(Value lhs, Value lhsRow, Value height,
                               const PackedPanels &panels, KeyRange numbers, KeyRange k,
                               function_ref<void(Value, Value)> use) {
  Value rows = emitter.index(panels.rows);
  OpFoldResult rowCount = fold(panels.rows), lanes = b.getIndexAttr(config.getNr());
  // A step must not be 0, where there is no key.
  Value size = sub(k.end, k.begin);
  bool isFixed = getConstantIntValue(size) || !visible.isRestricted();
  Value step = isFixed ? size : b.createOrFold<arith::MaxSIOp>(loc, size, index(1));
  switchHeight(b, loc, emitter, height, heights(), [&](int64_t tileHeight) {
    emitLoop(b, loc, emitter, numbers.begin, numbers.end, index(1), [&](Value number) {
      Value panel = view(panels.buffer, mul(mul(number, rows), index(config.getNr())),
                         {rowCount, lanes}, {lanes, b.getIndexAttr(1)});
      use(number, multiplyPanel(lhs, lhsRow, tileHeight, panel, k, step));
    });
  });
}
