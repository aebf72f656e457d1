//===- PackPanel.cpp - Packing of columns into panels ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the source is contiguous along K, blocks are transposed in registers: 8 x 8
// elements, or 16 columns of as many quantized values as a vector register holds. The
// remaining rows are copied one by one. In a stream, each block also prefetches cache
// lines of the columns two panels ahead. Prefetches are spread over the blocks so that
// they overlap with transposes; issued all at once they would delay the loads.
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

/// Side of the square blocks that are transposed in registers; columns of a block of
/// quantized values.
static constexpr int64_t kSquare = 8, kCodeColumns = 16;
static constexpr int64_t kPanelsAhead = 2;

namespace {
class Packer {
public:
  Packer(OpBuilder &b, Location loc, const PanelSource &source, Value panel)
      : b(b), loc(loc), source(source), panel(panel),
        type(cast<tile::ViewType>(panel.getType())), width(type.getShape()[1]) {
    if (!keepsCodes())
      return;
    // Quantized values of a column that fill a vector register: four times as many as f32
    // elements, and a panel is two registers wide.
    block = {kCodeColumns,
             std::min<int64_t>(llvm::bit_floor<uint64_t>(2 * width), kCacheLineBytes)};
    while (*getConstantIntValue(source.depth) % block.depth != 0)
      block.depth /= 2;
  }
  void run();

private:
  bool keepsCodes() const { return source.codes && type.getElementType().isInteger(8); }
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  Value asValue(OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(b, loc, value);
  }
  Value sourceView(bool transposed);
  Value convert(Value frag);
  Value load(Type type, Value view, ValueRange at, bool masked, int64_t dim);
  void forLoop(Value begin, Value end, int64_t step, function_ref<void(Value)> body);
  void copyRows(Value begin, Value end);
  Value transposeBlocks();
  void transposeBlock(Value view, Value k, Value n);
  void transposeStream(Value view, int64_t line);

  OpBuilder &b;
  Location loc;
  const PanelSource &source;
  Value panel;
  tile::ViewType type;
  int64_t width;
  struct {
    int64_t columns = kSquare, depth = kSquare;
  } block;
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

void Packer::transposeBlock(Value view, Value k, Value n) {
  auto element = cast<tile::ViewType>(view.getType()).getElementType();
  auto loaded =
      tile::FragType::get(b.getContext(), {block.columns, block.depth}, element);
  auto transpose = [&](Value frag) -> Value {
    Type of = cast<tile::FragType>(frag.getType()).getElementType();
    auto type = tile::FragType::get(b.getContext(), {block.depth, block.columns}, of);
    return tile::TransposeOp::create(b, loc, type, frag);
  };
  Value frag = load(loaded, view, {n, k}, static_cast<bool>(source.valid), 0);
  Value transposed = source.codes ? transpose(convert(frag)) : convert(transpose(frag));
  tile::StoreOp::create(b, loc, transposed, panel, ValueRange{k, n});
}

/// Transposes the view in blocks; the inner loop covers one cache line per column.
/// Prefetches the cache lines of the columns kPanelsAhead panels ahead in between.
void Packer::transposeStream(Value view, int64_t line) {
  int64_t blocks = line / block.depth, fetches = block.columns / blocks;
  forLoop(index(0), index(width), block.columns, [&](Value n) {
    Value ahead = arith::AddIOp::create(b, loc, n, index(kPanelsAhead * width));
    forLoop(index(0), asValue(source.depth), line, [&](Value k) {
      for (int64_t at = 0; at < blocks; ++at) {
        for (int64_t i = 0; i < fetches; ++i) {
          Value column = index(at * fetches + i);
          column = arith::AddIOp::create(b, loc, ahead, column);
          tile::PrefetchOp::create(b, loc, view, ValueRange{column, k}, /*locality=*/3);
        }
        Value step = arith::AddIOp::create(b, loc, k, index(at * block.depth));
        transposeBlock(view, step, n);
      }
    });
  });
}

/// Packs the rows that fill blocks, and returns their number.
Value Packer::transposeBlocks() {
  Value view = sourceView(/*transposed=*/true), rows = asValue(source.depth);
  auto element = cast<tile::ViewType>(view.getType()).getElementType();
  int64_t line = kCacheLineBytes / tile::elementBytes(element);
  std::optional<int64_t> fixed = getConstantIntValue(source.depth);
  if (source.isStream && !source.valid && fixed && *fixed % line == 0) {
    transposeStream(view, line);
    return rows;
  }
  Value side = index(block.depth);
  Value whole = b.createOrFold<arith::DivUIOp>(loc, rows, side);
  whole = b.createOrFold<arith::MulIOp>(loc, whole, side);
  forLoop(index(0), whole, block.depth, [&](Value k) {
    for (int64_t n = 0; n < width; n += block.columns)
      transposeBlock(view, k, index(n));
  });
  return whole;
}

void Packer::run() {
  Value begin = index(0);
  bool isTransposed = !isConstantIntValue(source.columnStride, 1) &&
                      isConstantIntValue(source.depthStride, 1) &&
                      width % block.columns == 0;
  if (isTransposed)
    begin = transposeBlocks();
  copyRows(begin, asValue(source.depth));
}

bool kiln::codegen::packsCodes(OpFoldResult depth, int64_t width) {
  auto rows = getConstantIntValue(depth);
  return rows && *rows % kCodeColumns == 0 && width % kCodeColumns == 0;
}

void kiln::codegen::emitPackPanel(OpBuilder &b, Location loc, const PanelSource &source,
                                  Value panel) {
  Packer(b, loc, source, panel).run();
}
