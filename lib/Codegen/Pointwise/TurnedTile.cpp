//===- TurnedTile.cpp - A tile of a turned operand ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TurnedTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

Value TurnedTile::add(Value x, Value y) {
  return b.createOrFold<arith::AddIOp>(loc, x, y);
}
Value TurnedTile::sub(Value x, Value y) {
  return b.createOrFold<arith::SubIOp>(loc, x, y);
}
Value TurnedTile::mul(Value x, Value y) {
  return b.createOrFold<arith::MulIOp>(loc, x, y);
}
Value TurnedTile::least(Value x, Value y) {
  return b.createOrFold<arith::MinSIOp>(loc, x, y);
}
Value TurnedTile::most(Value x, Value y) {
  return b.createOrFold<arith::MaxSIOp>(loc, x, y);
}

//===----------------------------------------------------------------------===//
// Sides
//===----------------------------------------------------------------------===//

TileSide TileSide::at(const Loop *loop, int64_t length, int64_t seam) {
  return {loop, length, (length - seam % length) % length, {}, {}, {}, {}};
}

SymbolicExpr TileSide::tiles() const {
  return (loop->extent + SymbolicExpr(shift)).ceilDiv(SymbolicExpr(length));
}

void TurnedTile::open(TileSide &side, Value number) {
  side.base = side.first = mul(number, index(side.length));
  const SymbolicExpr &extent = side.loop->extent;
  if (side.shift) {
    side.first = most(sub(side.base, index(side.shift)), index(0));
    Value end = add(side.base, index(side.length - side.shift));
    side.valid = sub(least(emitter.index(extent), end), side.first);
  } else if (auto all = extent.getConstant(); !all || *all % side.length) {
    side.valid = sub(emitter.index(extent), side.first);
  }
}

/// Counted from the low, which is where the operand begins, so that what is known of
/// alignments is that of the operand.
TileSide TurnedTile::select(const TileSide &side, const Selection &selection) {
  if (selection.isAll())
    return side;
  TileSide part = side;
  int64_t low = selection.low(), before = side.shift + low;
  part.from = low;
  Value begin = sub(side.base, index(before)), end = add(begin, index(side.length));
  part.first = before ? most(begin, index(0)) : begin;
  for (const SymbolicExpr &bound : selection.lows)
    if (!bound.isConstant())
      part.first = most(part.first, emitter.index(bound - part.from));
  // What ends the loop behind another end would hide how that one is aligned.
  const SymbolicExpr &extent = side.loop->extent;
  if (llvm::none_of(selection.highs,
                    [&](const SymbolicExpr &high) { return extent.dominates(high); }))
    end = least(end, emitter.index(extent - part.from));
  for (const SymbolicExpr &bound : selection.highs)
    end = least(end, emitter.index(bound - part.from));
  part.valid = most(sub(end, part.first), index(0));
  return part;
}

void TurnedTile::selectWhole(TileSide &side, ArrayRef<Chosen> outside) {
  for (const Chosen &chosen : outside) {
    Value position = emitter.index(chosen.position);
    auto keep = [&](arith::CmpIPredicate predicate,
                    const std::optional<SymbolicExpr> &bound) {
      if (!bound)
        return;
      Value inside =
          b.createOrFold<arith::CmpIOp>(loc, predicate, position, emitter.index(*bound));
      Value valid = side.valid ? side.valid : index(side.length);
      side.valid = b.createOrFold<arith::SelectOp>(loc, inside, valid, index(0));
    };
    keep(arith::CmpIPredicate::sge, chosen.low);
    keep(arith::CmpIPredicate::slt, chosen.high);
  }
}

Value TurnedTile::before(const TileSide &side, const TileSide &selected) {
  return sub(side.first, position(selected));
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

Value TurnedTile::load(const Node *load, const TileSide &columns, const TileSide &rows) {
  SymbolicExpr stride = Turned::lineStride(load, *columns.loop);
  SymbolicExpr origin = replace(load->index, rows.loop->var, rows.from);
  origin = replace(origin, columns.loop->var, columns.from);
  Value apart = emitter.index(stride);
  Value offset = add(emitter.index(origin), mul(columns.first, apart));
  offset = add(offset, rows.first);
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
  Value zero = index(0), pad;
  if (!masked.empty())
    pad = arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(element)));
  return tile::LoadOp::create(b, loc, type, view, ValueRange{zero, zero}, pad, masked);
}
