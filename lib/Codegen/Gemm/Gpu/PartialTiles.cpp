//===- PartialTiles.cpp - Accumulators in the workspace -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PartialTiles.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

int64_t PartialTiles::accumulatorsPerSplit() const {
  return shape.rows * shape.panels * program.width;
}

int64_t PartialTiles::bytesPerTile() const {
  return splits * accumulatorsPerSplit() * tile::elementBytes(program.accumulator);
}

void PartialTiles::open(Value tile) {
  int64_t columns = shape.panels * program.width, all = accumulatorsPerSplit();
  Value workspace = tile::WorkspaceOp::create(
      b, loc, tile::BufferType::get(b.getContext(), program.accumulator));
  auto fixed = [&](int64_t value) -> OpFoldResult { return b.getIndexAttr(value); };
  partials = tile::ViewOp::create(
      b, loc, workspace, mul(tile, index(splits * all)),
      ArrayRef<OpFoldResult>{fixed(splits), fixed(shape.rows), fixed(columns)},
      ArrayRef<OpFoldResult>{fixed(all), fixed(columns), fixed(1)});
}

void PartialTiles::store(Value split, ValueRange accumulators) {
  for (auto [i, accumulator] : llvm::enumerate(accumulators))
    tile::StoreOp::create(b, loc, accumulator, partials,
                          ValueRange{split, index(0), index(int64_t(i) * program.width)});
}

PartialTiles::Values PartialTiles::load(Value split, int64_t first, int64_t count) {
  Values accumulators;
  for (int64_t i = 0; i < count; ++i)
    accumulators.push_back(tile::LoadOp::create(
        b, loc, tileType(shape.rows), partials,
        ValueRange{split, index(0), index((first + i) * program.width)}));
  return accumulators;
}

PartialTiles::Values PartialTiles::add(ValueRange lhs, ValueRange rhs) {
  auto addElements = [&](OpBuilder &, Location, ValueRange elements) -> Values {
    if (isa<FloatType>(program.accumulator))
      return {arith::AddFOp::create(b, loc, elements[0], elements[1])};
    return {arith::AddIOp::create(b, loc, elements[0], elements[1])};
  };
  Values sum;
  for (auto [left, right] : llvm::zip(lhs, rhs))
    sum.push_back(tile::MapOp::create(b, loc, TypeRange{left.getType()},
                                      ValueRange{left, right}, addElements)
                      .getResult(0));
  return sum;
}
