//===- TileScheduler.cpp - Tiles of each task -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileScheduler.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Tile orders
//===----------------------------------------------------------------------===//

TileOrder::TileOrder(const GemmBuilder &gemm, TileShape shape)
    : GemmBuilder(gemm), shape(shape),
      rowTiles(program.row.extent.ceilDiv(shape.clusterRows()) * shape.cluster),
      panelTiles(program.panelCount().ceilDiv(shape.panels)) {}

SymbolicExpr TileOrder::tileCount() const {
  SymbolicExpr count = rowTiles * panelTiles;
  for (const Loop &loop : program.batch)
    count *= loop.extent;
  return count;
}

SymbolicExpr TileOrder::maxTileCount() const {
  SymbolicExpr rows = rowTiles;
  if (program.maxRows)
    rows = SymbolicExpr(llvm::divideCeil(*program.maxRows, shape.clusterRows()) *
                        shape.cluster);
  SymbolicExpr count = panelTiles * rows;
  for (const Loop &loop : program.batch)
    count *= loop.extent;
  return count;
}

WorkTile PanelOrder::locate(Value number) {
  Value rest = number;
  Value panel = mul(takePosition(rest, panelTiles), index(shape.panels));
  Value row = mul(takePosition(rest, rowTiles), index(shape.rows));
  for (const Loop &loop : llvm::reverse(program.batch))
    emitter.bind(loop.var, takePosition(rest, loop.extent));
  return {row, panel, index(0), emitter.index(program.k.extent), number};
}

std::pair<Value, Value> RasterOrder::rasterize(Value place) {
  SymbolicExpr rowTiles = program.row.extent.ceilDiv(shape.clusterRows());
  if (rowTiles.isConstant(1))
    return {place, index(0)};
  Value raster = index(std::max<int64_t>(height / shape.cluster, 1));
  Value whole = mul(raster, emitter.index(panelTiles));
  Value first = mul(divide(place, whole), raster), inside = remainder(place, whole);
  Value tall = minimum(raster, sub(emitter.index(rowTiles), first));
  return {divide(inside, tall), add(first, remainder(inside, tall))};
}

WorkTile RasterOrder::locate(Value number) {
  Value end = emitter.index(program.k.extent), place = number, rank;
  if (shape.cluster > 1) {
    rank = remainder(number, index(shape.cluster));
    place = divide(number, index(shape.cluster));
  }
  if (!program.batch.empty()) {
    SymbolicExpr rowTiles = program.row.extent.ceilDiv(shape.clusterRows());
    Value extent = emitter.index(rowTiles * panelTiles);
    Value rest = divide(place, extent);
    place = remainder(place, extent);
    for (const Loop &loop : llvm::reverse(program.batch)) {
      Value own = emitter.index(loop.extent);
      emitter.bind(loop.var, remainder(rest, own));
      rest = divide(rest, own);
    }
  }
  auto [panelTile, rowTile] = rasterize(place);
  Value panel = mul(panelTile, index(shape.panels));
  if (rank)
    rowTile = add(mul(rowTile, index(shape.cluster)), rank);
  Value row = mul(rowTile, index(shape.rows));
  return {row, panel, index(0), end, number};
}

//===----------------------------------------------------------------------===//
// Data-parallel scheduler
//===----------------------------------------------------------------------===//

void DataParallelScheduler::reduce(const WorkTile &, ValueRange accumulators,
                                   function_ref<void(AccumulatorsOf)> finish) {
  finish([&](int64_t first, int64_t count) {
    return Values(accumulators.slice(first, count));
  });
}
