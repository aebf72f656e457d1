//===- HostEpilogue.cpp - Epilogues of register tiles ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostEpilogue.h"
#include "lib/Codegen/Blocks.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

Value HostEpilogue::begin(const HostPanel &, RowRange, const RowBlock &, int64_t height,
                          KSteps) {
  return tile::FillOp::create(b, loc, tileType(height), zero());
}

//===----------------------------------------------------------------------===//
// Epilogue in registers
//===----------------------------------------------------------------------===//

void RegisterEpilogue::take(const HostPanel &panel, RowRange, const RowBlock &block,
                            Value accumulators) {
  NodeEmitter::Scope scope(emitter);
  bindPanel(panel.number);
  openLanes({});
  int64_t height = cast<tile::FragType>(accumulators.getType()).getRows();
  for (int64_t r = 0; r < height; ++r) {
    NodeEmitter::Scope rowScope(emitter);
    Value row =
        tile::ExtractOp::create(b, loc, rowType(), accumulators, ArrayRef<int64_t>{r});
    emitOutputs(add(block.rows.begin, index(r)), row);
  }
}

//===----------------------------------------------------------------------===//
// Epilogue through row panels
//===----------------------------------------------------------------------===//

RowPanelEpilogue::RowPanelEpilogue(const GemmBuilder &gemm, tile::GemmConfigAttr config)
    : HostEpilogue(gemm),
      allRows(std::max(config.getMc() * config.getGroup(), kSmallRows * kAccumulators)) {}

bool RowPanelEpilogue::isNeeded(const GemmProgram &program, tile::GemmConfigAttr config) {
  return config.getStagedEpilogue() || config.getKc() > 0 || program.hasPartialPanel() ||
         program.second;
}

/// Returns the bytes of one row of a panel's accumulators.
int64_t RowPanelEpilogue::panelBytes() const {
  return tile::elementBytes(program.accumulator) * program.width;
}

SymbolicExpr RowPanelEpilogue::scratchBytes() const { return allRows * panelBytes(); }

void RowPanelEpilogue::openPanel(HostPanel &panel, int64_t place, int64_t group) {
  int64_t rows = allRows / group;
  OpFoldResult width = b.getIndexAttr(program.width);
  panel.rows =
      openScratch(index(place * rows * panelBytes()), b.getIndexAttr(rows), width, width);
}

void RowPanelEpilogue::clear(ArrayRef<HostPanel> panels, Value rows) {
  auto whole = tile::FragType::get(b.getContext(), {program.width}, program.accumulator);
  Value fragment = tile::FillOp::create(b, loc, whole, zero());
  emitLoop(b, loc, emitter, index(0), rows, index(1), [&](Value row) {
    for (const HostPanel &panel : panels)
      tile::StoreOp::create(b, loc, fragment, panel.rows, ValueRange{row, index(0)});
  });
}

Value RowPanelEpilogue::begin(const HostPanel &panel, RowRange rows,
                              const RowBlock &block, int64_t height, KSteps steps) {
  if (steps.isFirst)
    return HostEpilogue::begin(panel, rows, block, height, steps);
  Value row = sub(block.rows.begin, rows.begin);
  return tile::LoadOp::create(b, loc, tileType(height), panel.rows,
                              ValueRange{row, index(0)});
}

void RowPanelEpilogue::take(const HostPanel &panel, RowRange rows, const RowBlock &block,
                            Value accumulators) {
  Value row = sub(block.rows.begin, rows.begin);
  tile::StoreOp::create(b, loc, accumulators, panel.rows, ValueRange{row, index(0)});
}

void RowPanelEpilogue::emitRows(const HostPanel &panel, RowRange rows, Value valid) {
  NodeEmitter::Scope scope(emitter);
  openLanes(valid);
  emitter.hoist(
      llvm::map_to_vector(program.outputs, [](const Output &o) { return o.value; }));
  emitLoop(b, loc, emitter, index(0), rows.count, index(1), [&](Value row) {
    emitOutputs(add(rows.begin, row), loadRow(panel.rows, row, index(0)));
  });
}

void RowPanelEpilogue::finish(ArrayRef<HostPanel> panels, RowRange rows) {
  for (const HostPanel &panel : panels) {
    NodeEmitter::Scope scope(emitter);
    bindPanel(panel.number);
    Value valid = program.hasPartialPanel() ? validColumns() : Value();
    forWhole(b, loc, emitter, valid, program.width,
             [&](Value columns) { emitRows(panel, rows, columns); });
  }
}
