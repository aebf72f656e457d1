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

/// The extent of a loop, of which keys may be fewer.
Value PanelMultiplier::extentIn(const Loop &loop, Value keyCount) {
  return loop.var == program.key.var ? keyCount : emitter.index(loop.extent);
}

PackedPanels PanelMultiplier::pack(Node *source, const Loop &lanes, const Loop &rows,
                                   const SymbolicExpr &offset, Value keyCount) {
  NodeEmitter::Scope scope(emitter);
  int64_t width = config.getNr();
  emitter.bind(lanes.var, index(0));
  emitter.bind(rows.var, index(0));
  PackedPanels panels{scratch(offset), rows.extent};
  Value base = emitter.index(source->index), extent = extentIn(lanes, keyCount);
  SymbolicExpr laneStride = *coefficientOf(source->index, lanes.var);
  OpFoldResult columnStride = fold(laneStride);
  OpFoldResult rowExtent = getAsOpFoldResult(extentIn(rows, keyCount));
  OpFoldResult rowStride = fold(*coefficientOf(source->index, rows.var));
  Value stride = emitter.index(laneStride), room = emitter.index(rows.extent);
  Value lanesPerPanel = index(width);
  Value count = b.createOrFold<arith::CeilDivUIOp>(loc, extent, lanesPerPanel);
  emitLoop(b, loc, emitter, index(0), count, index(1), [&](Value panel) {
    Value first = mul(panel, lanesPerPanel);
    auto constant = getConstantIntValue(extent);
    bool isWhole = constant && *constant % width == 0;
    PanelSource from{emitter.memories[source->argument].buffer,
                     add(base, mul(first, stride)),
                     rowStride,
                     columnStride,
                     rowExtent,
                     isWhole ? Value() : sub(extent, first)};
    Value target = view(panels.buffer, mul(mul(panel, room), lanesPerPanel),
                        {rowExtent, b.getIndexAttr(width)},
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
                                     Value k, Value step) {
  int64_t width = config.getNr();
  auto type = fragType({height, width});
  Value zero = tile::FillOp::create(b, loc, type, number(0.0));
  auto load = [&](OpBuilder &, Location, Value at) -> Values {
    return {stage(lhs, {lhsRow, at}, height, ShapedType::kDynamic, k),
            stage(panel, {at, index(0)}, ShapedType::kDynamic, width, k)};
  };
  auto compute = [&](OpBuilder &, Location, Value, ValueRange staged,
                     ValueRange carried) -> Values {
    return {tile::MmaOp::create(b, loc, type, staged[0], staged[1], carried[0])};
  };
  return tile::PipelineOp::create(b, loc, index(0), k, step, zero, load, compute)
      .getResult(0);
}

void PanelMultiplier::multiply(Value lhs, Value lhsRow, Value height,
                               const PackedPanels &panels, Value count, Value k,
                               function_ref<void(Value, Value)> use) {
  Value rows = emitter.index(panels.rows);
  OpFoldResult rowCount = fold(panels.rows), lanes = b.getIndexAttr(config.getNr());
  // A step must not be 0, where there is no key.
  bool isFixed = getConstantIntValue(k) || !visible.isRestricted();
  Value step = isFixed ? k : b.createOrFold<arith::MaxSIOp>(loc, k, index(1));
  switchHeight(b, loc, emitter, height, heights(), [&](int64_t tileHeight) {
    emitLoop(b, loc, emitter, index(0), count, index(1), [&](Value number) {
      Value panel = view(panels.buffer, mul(mul(number, rows), index(config.getNr())),
                         {rowCount, lanes}, {lanes, b.getIndexAttr(1)});
      use(number, multiplyPanel(lhs, lhsRow, tileHeight, panel, k, step));
    });
  });
}
