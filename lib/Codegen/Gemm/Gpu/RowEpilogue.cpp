//===- RowEpilogue.cpp - Epilogues through shared memory ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CollectiveEpilogue.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Parts common to all epilogues
//===----------------------------------------------------------------------===//

bool CollectiveEpilogue::hasAllPanels() const {
  return isMultiple(program.panelCount(), shape.panels);
}

void CollectiveEpilogue::ifExists(Value panel, function_ref<void()> body) {
  Value exists = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, panel,
                                       emitter.index(program.panelCount()));
  scf::IfOp::create(b, loc, exists, [&](OpBuilder &, Location) {
    NodeEmitter::Scope scope(emitter);
    body();
    scf::YieldOp::create(b, loc);
  });
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

int64_t RowEpilogue::scratchBytes() const {
  return split * shape.rows * stride * tile::elementBytes(program.accumulator);
}

RowEpilogue::Values RowEpilogue::addSplits(Value accumulators, Value row, Value column) {
  Values all = loadRow(accumulators, row, column);
  for (int64_t i = 1; i < split; ++i) {
    Values next = loadRow(accumulators, add(row, index(i * shape.rows)), column);
    for (auto [own, other] : llvm::zip(all, next)) {
      auto both = tile::MapOp::create(
          b, loc, TypeRange{own.getType()}, ValueRange{own, other},
          [&](OpBuilder &inner, Location where, ValueRange x) -> SmallVector<Value> {
            return {arith::AddFOp::create(inner, where, x[0], x[1])};
          });
      own = both.getResult(0);
    }
  }
  return all;
}

void RowEpilogue::emitRow(const WorkTile &tile, Value row, Value accumulators,
                          Value column, Value valid) {
  NodeEmitter::Scope scope(emitter);
  openLanes(valid);
  emitOutputs(add(tile.row, row), addSplits(accumulators, row, column));
}

void RowEpilogue::emitRows(const WorkTile &tile, Value panelBegin, Value accumulators) {
  Value rows =
      minimum(index(shape.rows), sub(emitter.index(program.row.extent), tile.row));
  forTeams(mul(rows, index(panels)), threadGroup, [&](Value number) {
    Value own = remainder(number, index(panels));
    Value row = divide(number, index(panels)), panel = add(panelBegin, own);
    Value column = mul(own, index(program.width));
    auto emitPanel = [&] {
      bindPanel(panel);
      Value valid = program.hasPartialPanel() ? validColumns() : Value();
      forWhole(b, loc, emitter, valid, program.width,
               [&](Value columns) { emitRow(tile, row, accumulators, column, columns); });
    };
    hasAllPanels() ? emitPanel() : ifExists(panel, emitPanel);
  });
}

Value RowEpilogue::openRows() {
  OpFoldResult pitch = b.getIndexAttr(stride);
  return openScratch(index(0), b.getIndexAttr(split * shape.rows), pitch, pitch);
}

void RowEpilogue::emit(const WorkTile &tile, function_ref<void(Value)> fill) {
  Value scratch = openRows();
  fill(scratch);
  NodeEmitter::Scope scope(emitter);
  emitRows(tile, tile.panel, scratch);
}

void RowEpilogue::emit(const WorkTile &tile, AccumulatorsOf accumulatorsOf) {
  Value scratch = openRows();
  for (int64_t begin = 0; begin < shape.panels; begin += panels) {
    NodeEmitter::Scope scope(emitter);
    for (auto [i, accumulators] : llvm::enumerate(accumulatorsOf(begin, panels)))
      tile::StoreOp::create(b, loc, accumulators, scratch,
                            ValueRange{index(0), index(int64_t(i) * program.width)});
    emitRows(tile, add(tile.panel, index(begin)), scratch);
  }
}
