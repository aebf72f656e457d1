//===- Epilogue.cpp - What follows a product ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row by row: either on the register tile, or, where the code is long or the
// panel is partial, in a loop over rows kept in scratch. The strip costs a store
// and a load of L1 per element and spares a copy of the epilogue per height.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

void GemmEmitter::emitOutputs(Value row, Value product) {
  emitter.bind(program.row.var, row);
  emitter.bind(program.product, product);
  SmallVector<Value> fragments = emitter.fragments(outputNodes());
  for (auto [fragment, output] : llvm::zip(fragments, program.outputs))
    emitter.store(fragment, results[output.result], output.address);
}

void GemmEmitter::emitTileEpilogue(const Panel &panel, Value row, Value tile) {
  NodeEmitter::Scope scope(emitter);
  bindPanel(panel.number);
  emitter.bind(program.lane.var, index(0));
  emitter.setLanes({program.lane.var, index(0), program.width, {}});
  int64_t height = cast<tile::FragType>(tile.getType()).getRows();
  auto type = tile::FragType::get(b.getContext(), {program.width}, program.accumulator);
  for (int64_t r = 0; r < height; ++r) {
    NodeEmitter::Scope rowScope(emitter);
    Value product = tile::ExtractOp::create(b, loc, type, tile, ArrayRef<int64_t>{r});
    emitOutputs(add(row, index(r)), product);
  }
}

void GemmEmitter::emitStripRows(const Panel &panel, Rows rows, Value valid) {
  emitter.setLanes({program.lane.var, index(0), program.width, valid});
  emitter.hoist(outputNodes());
  auto type = tile::FragType::get(b.getContext(), {program.width}, program.accumulator);
  forLoop(index(0), rows.count, index(1), [&](Value row) {
    Value product =
        tile::LoadOp::create(b, loc, type, panel.strip, ValueRange{row, index(0)});
    emitOutputs(add(rows.begin, row), product);
  });
}

void GemmEmitter::emitStripEpilogue(const Panel &panel, Rows rows) {
  NodeEmitter::Scope scope(emitter);
  bindPanel(panel.number);
  emitter.bind(program.lane.var, index(0));
  if (!program.hasPartialPanel())
    return emitStripRows(panel, rows, {});
  Value valid = validColumns();
  Value whole = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, valid,
                                      index(program.width));
  auto branch = [&](Value lanes) {
    return [&, lanes](OpBuilder &, Location) {
      NodeEmitter::Scope scope(emitter);
      emitStripRows(panel, rows, lanes);
      scf::YieldOp::create(b, loc);
    };
  };
  scf::IfOp::create(b, loc, whole, branch({}), branch(valid));
}
