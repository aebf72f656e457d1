//===- PackPanel.cpp - Columns of a matrix as a panel ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where neighbours in memory are neighbours in depth, squares are transposed in
// registers; what is left over goes column by column. Squares of a stream also fetch the
// lines of the columns two panels behind theirs. Spread among the squares these are under
// way while others are transposed; all at once they would only delay them.
//
//===----------------------------------------------------------------------===//

#include "PackPanel.h"
#include "Blocks.h"
#include "Expression/Scalar.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Side of the squares that are transposed in registers.
static constexpr int64_t kSquare = 8;
static constexpr int64_t kPanelsAhead = 2;

namespace {
class Packer {
public:
  Packer(OpBuilder &b, Location loc, const PanelSource &source, Value panel)
      : b(b), loc(loc), source(source), panel(panel),
        type(cast<tile::ViewType>(panel.getType())), width(type.getShape()[1]) {}
  void run();

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  Value asValue(OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(b, loc, value);
  }
  Value sourceView(bool transposed);
  Value convert(Value frag);
  Value load(Type type, Value view, ValueRange at, bool masked, int64_t dim);
  void forLoop(Value begin, Value end, int64_t step, function_ref<void(Value)> body);
  void copyRows(Value begin, Value end);
  Value transposeSquares();
  void transposeSquare(Value view, Value k, Value n);
  void transposeStream(Value view, int64_t line);

  OpBuilder &b;
  Location loc;
  const PanelSource &source;
  Value panel;
  tile::ViewType type;
  int64_t width;
};
} // namespace

Value Packer::sourceView(bool transposed) {
  OpFoldResult columns =
      source.valid ? OpFoldResult(source.valid) : b.getIndexAttr(width);
  SmallVector<OpFoldResult> sizes{source.depth, columns};
  SmallVector<OpFoldResult> strides{source.depthStride, source.columnStride};
  if (transposed) {
    std::swap(sizes[0], sizes[1]);
    std::swap(strides[0], strides[1]);
  }
  return tile::ViewOp::create(b, loc, source.buffer, source.offset, sizes, strides);
}

Value Packer::convert(Value frag) {
  auto from = cast<tile::FragType>(frag.getType());
  if (from.getElementType() == type.getElementType())
    return frag;
  if (source.codes)
    return fragmentCast(b, loc, frag, source.codes, type.getElementType());
  return tile::ConvertOp::create(b, loc, from.cloneWith(type.getElementType()), frag);
}

Value Packer::load(Type fragType, Value view, ValueRange at, bool masked, int64_t dim) {
  if (!masked)
    return tile::LoadOp::create(b, loc, fragType, view, at);
  Type element = cast<tile::FragType>(fragType).getElementType();
  Value zero = arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(element)));
  return tile::LoadOp::create(b, loc, fragType, view, at, zero, ArrayRef<int64_t>{dim});
}

void Packer::forLoop(Value begin, Value end, int64_t step,
                     function_ref<void(Value)> body) {
  scf::ForOp::create(b, loc, begin, end, index(step), ValueRange(),
                     [&](OpBuilder &, Location, Value at, ValueRange) {
                       body(at);
                       scf::YieldOp::create(b, loc);
                     });
}

void Packer::copyRows(Value begin, Value end) {
  Value view = sourceView(/*transposed=*/false);
  auto element = cast<tile::ViewType>(view.getType()).getElementType();
  auto row = tile::FragType::get(b.getContext(), {width}, element);
  Value zero = index(0);
  forLoop(begin, end, 1, [&](Value k) {
    Value frag = load(row, view, {k, zero}, static_cast<bool>(source.valid), 0);
    tile::StoreOp::create(b, loc, convert(frag), panel, ValueRange{k, zero});
  });
}

void Packer::transposeSquare(Value view, Value k, Value n) {
  auto element = cast<tile::ViewType>(view.getType()).getElementType();
  auto square = tile::FragType::get(b.getContext(), {kSquare, kSquare}, element);
  auto numbers = square.cloneWith(type.getElementType());
  Value frag = load(square, view, {n, k}, static_cast<bool>(source.valid), 0);
  Value transposed = source.codes
                         ? tile::TransposeOp::create(b, loc, numbers, convert(frag))
                         : convert(tile::TransposeOp::create(b, loc, square, frag));
  tile::StoreOp::create(b, loc, transposed, panel, ValueRange{k, n});
}

/// The same squares, of one line of each column after the other.
void Packer::transposeStream(Value view, int64_t line) {
  int64_t squares = line / kSquare, fetches = kSquare / squares;
  forLoop(index(0), index(width), kSquare, [&](Value n) {
    Value ahead = arith::AddIOp::create(b, loc, n, index(kPanelsAhead * width));
    forLoop(index(0), asValue(source.depth), line, [&](Value k) {
      for (int64_t square = 0; square < squares; ++square) {
        for (int64_t i = 0; i < fetches; ++i) {
          Value column = index(square * fetches + i);
          column = arith::AddIOp::create(b, loc, ahead, column);
          tile::PrefetchOp::create(b, loc, view, ValueRange{column, k}, /*locality=*/3);
        }
        Value step = arith::AddIOp::create(b, loc, k, index(square * kSquare));
        transposeSquare(view, step, n);
      }
    });
  });
}

/// Packs as many rows as make whole squares and returns their number.
Value Packer::transposeSquares() {
  Value view = sourceView(/*transposed=*/true), depth = asValue(source.depth);
  auto element = cast<tile::ViewType>(view.getType()).getElementType();
  int64_t line = kCacheLineBytes / tile::elementBytes(element);
  std::optional<int64_t> fixed = getConstantIntValue(source.depth);
  if (source.isStream && !source.valid && fixed && *fixed % line == 0) {
    transposeStream(view, line);
    return depth;
  }
  Value side = index(kSquare);
  Value whole = b.createOrFold<arith::DivUIOp>(loc, depth, side);
  whole = b.createOrFold<arith::MulIOp>(loc, whole, side);
  forLoop(index(0), whole, kSquare, [&](Value k) {
    for (int64_t n = 0; n < width; n += kSquare)
      transposeSquare(view, k, index(n));
  });
  return whole;
}

void Packer::run() {
  Value begin = index(0);
  bool isTransposed = !isConstantIntValue(source.columnStride, 1) &&
                      isConstantIntValue(source.depthStride, 1) && width % kSquare == 0;
  if (isTransposed)
    begin = transposeSquares();
  copyRows(begin, asValue(source.depth));
}

void kiln::codegen::emitPackPanel(OpBuilder &b, Location loc, const PanelSource &source,
                                  Value panel) {
  Packer(b, loc, source, panel).run();
}
