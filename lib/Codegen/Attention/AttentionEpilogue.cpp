//===- AttentionEpilogue.cpp - Fused ops and stores of attention ----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionEpilogue.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Rows in shared memory
//===----------------------------------------------------------------------===//

/// A quarter of a warp accesses two columns of four rows each. Padding a row by 8
/// elements puts these in different banks.
int64_t AttentionRowEpilogue::stride(AttentionTile tile) { return tile.columnLanes + 8; }

void AttentionRowEpilogue::emit(QueryRows rows, Value result,
                                AttentionMainloop &mainloop) {
  Value buffer = scratchRows.get();
  tile::StoreOp::create(b, loc, result, buffer, ValueRange{index(0), index(0)});
  finishRows(rows, [&](Value row) {
    Value own = tile::LoadOp::create(b, loc, fragType({tile.columnLanes}), buffer,
                                     ValueRange{row, index(0)});
    return mainloop.finishRow(own, row);
  });
}

void AttentionRowEpilogue::finishRows(QueryRows rows,
                                      function_ref<Value(Value)> resultOf) {
  forRows(rows.count, tile.columnLanes, [&](Value row) {
    Value query = add(rows.begin, row);
    emitter.bind(program.row.var, query);
    openLanes(program.column, tile.columnLanes);
    Value own = resultOf(row);
    if (recomputes)
      own = unlessFinite(own, [&] { return recomputation.attend(query); });
    emitter.bind(program.product, own);
    storeOutputs(program.outputs);
  });
}

//===----------------------------------------------------------------------===//
// Tiles in registers
//===----------------------------------------------------------------------===//

void AttentionTileEpilogue::emit(QueryRows rows, Value result, AttentionMainloop &) {
  const Output &output = program.outputs.front();
  const NodeEmitter::Memory &memory = results[output.result];
  openLanes(program.column, tile.columnLanes, tile.rows);
  emitter.bind(program.product, result);
  auto element = cast<tile::BufferType>(memory.buffer.getType()).getElementType();
  Value own = emitter.convert(emitter.fragment(output.value), element);
  SmallVector<int64_t> masked;
  if (auto queries = program.row.extent.getConstant(); !queries || *queries % tile.rows)
    masked.push_back(0);
  if (!program.column.extent.isConstant(tile.columnLanes))
    masked.push_back(1);
  tile::StoreOp::create(b, loc, own, stored.open(b, loc, emitter, memory.buffer),
                        stored.indices(b, loc, emitter, rows.begin, index(0)), masked);
}
