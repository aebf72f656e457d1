//===- TileEpilogue.cpp - Epilogues in accumulator registers --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CollectiveEpilogue.h"
#include "lib/Codegen/Gemm/Program/GemmTensors.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Columns that one stmatrix writes.
static constexpr int64_t kStoreColumns = 16;

std::optional<TensorOperand> TileEpilogue::storedTensor(graph::KernelOp kernel,
                                                        const GemmProgram &program,
                                                        int64_t columns) {
  if (program.second || program.outputs.size() != 1 || columns % kStoreColumns)
    return std::nullopt;
  const Output &output = program.outputs.front();
  Type element = getElementTypeOrSelf(kernel.getResultTypes()[output.result]);
  if ((!element.isF16() && !element.isBF16()) ||
      !hasUniformRows(program.body, output.value, program.row.var, program.lane.var))
    return std::nullopt;
  return tensorResult(program, output, columns);
}

/// Returns a tile of the result, computed from the accumulators of a panel.
Value TileEpilogue::compute(Value panel, Value accumulators) {
  NodeEmitter::Scope scope(emitter);
  bindPanel(panel);
  emitter.bind(program.lane.var, index(0));
  Value valid;
  if (program.hasPartialPanel() || !hasAllPanels())
    valid = validColumns();
  emitter.setLanes({program.lane.var, index(0), program.width, valid, shape.rows});
  emitter.bind(program.product, accumulators);
  const Output &output = program.outputs.front();
  auto buffer = cast<tile::BufferType>(results[output.result].buffer.getType());
  return emitter.convert(emitter.fragment(output.value), buffer.getElementType());
}

/// Computes all tiles before the first store, so that the stores are issued together.
void TileEpilogue::store(Value view, Value row, Value panel, ValueRange accumulators) {
  Values tiles, at;
  for (auto [i, own] : llvm::enumerate(accumulators))
    tiles.push_back(compute(add(panel, index(int64_t(i))), own));
  {
    NodeEmitter::Scope scope(emitter);
    bindPanel(panel);
    at = stored.indices(b, loc, emitter, row, index(0));
  }
  SmallVector<int64_t> masked;
  if (!isMultiple(program.row.extent, shape.clusterRows()))
    masked.push_back(0);
  if (program.hasPartialPanel() || !hasAllPanels())
    masked.push_back(1);
  Value column = at.back();
  for (auto [i, tile] : llvm::enumerate(tiles)) {
    at.back() = add(column, index(int64_t(i) * program.width));
    tile::StoreOp::create(b, loc, tile, view, at, masked);
  }
}

void TileEpilogue::emit(const WorkTile &tile, AccumulatorsOf accumulatorsOf) {
  unsigned result = program.outputs.front().result;
  Value view = stored.open(b, loc, emitter, results[result].buffer);
  for (int64_t begin = 0; begin < shape.panels; begin += panels) {
    NodeEmitter::Scope scope(emitter);
    Value panel = add(tile.panel, index(begin));
    auto emitPanels = [&] {
      store(view, tile.row, panel, accumulatorsOf(begin, panels));
    };
    bool exists = hasAllPanels() || begin == 0; // a tile's first panel always exists
    exists ? emitPanels() : ifExists(panel, emitPanels);
  }
}
