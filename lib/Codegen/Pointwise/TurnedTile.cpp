//===- TurnedTile.cpp - A tile of a turned operand ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TurnedTile.h"
#include "Turned.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

Value kiln::codegen::loadTurned(OpBuilder &b, Location loc, NodeEmitter &emitter,
                                const Node *load, const TileSide &columns,
                                const TileSide &rows) {
  auto add = [&](Value x, Value y) { return b.createOrFold<arith::AddIOp>(loc, x, y); };
  SymbolicExpr stride = Turned::lineStride(load, *columns.loop);
  SymbolicExpr origin = replace(load->index, rows.loop->var, SymbolicExpr(0));
  origin = replace(origin, columns.loop->var, SymbolicExpr(0));
  Value apart = emitter.index(stride);
  Value along = b.createOrFold<arith::MulIOp>(loc, columns.first, apart);
  Value offset = add(add(emitter.index(origin), along), rows.first);
  SmallVector<OpFoldResult> sizes;
  SmallVector<int64_t> masked;
  for (auto [dim, side] : llvm::enumerate(ArrayRef<const TileSide *>{&columns, &rows})) {
    if (side->valid)
      masked.push_back(dim);
    sizes.push_back(side->valid ? getAsOpFoldResult(side->valid)
                                : OpFoldResult(b.getIndexAttr(side->length)));
  }
  const NodeEmitter::Memory &memory = emitter.memories[load->argument];
  OpFoldResult strides[] = {getAsOpFoldResult(apart), b.getIndexAttr(1)};
  Value view = tile::ViewOp::create(b, loc, memory.buffer, offset, sizes, strides);
  Type element = load->storage;
  auto type = tile::FragType::get(b.getContext(), {columns.length, rows.length}, element);
  Value zero = emitter.constantIndex(0), pad;
  if (!masked.empty())
    pad = arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(element)));
  return tile::LoadOp::create(b, loc, type, view, ValueRange{zero, zero}, pad, masked);
}
