//===- LowerTileFloat4Mma.cpp - MMA of f4E2M1FN by f4E2M1FN ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.sync.m16n8k64 with block scales: kind mxf4nvf4 has four f8E4M3FN scales per K = 64,
// kind mxf4 has two f8E8M0FNU scales. Accumulators pass through the instructions over all
// of K.
//
// A register holds eight 4-bit values. A word of the weight in memory has K indices 0, 4,
// 1, 5, ... of eight in its nibbles. Activations have one byte per value, so the second
// word of eight K indices, shifted left by a nibble and or-ed to the first, gives the
// same order. Lane 4g + t holds K indices 8t to 8t + 7 of each half of the 64.
//
// The scales of a row or a column are in one register of one lane: those of row g in lane
// 4g, of row g + 8 in lane 4g + 1; those of column g of the first tile in lane 4g, of the
// second in lane 4g + 1. Lanes 4g + 2 and 4g + 3 load the same scales, which the hardware
// ignores.
//
//===----------------------------------------------------------------------===//

#include "ScaledProduct.h"
#include "dialects/Types/FloatFormat.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

namespace {
class Float4Product : ScaledProduct {
public:
  Float4Product(ThreadProgram &program, tile::ScaledMmaOp op)
      : ScaledProduct(program, op), isNv(isFloat8(*op.getScaleType())),
        scalesBytes(isNv ? 4 : 2) {}

  Values run();

private:
  Words activations(int64_t row);
  std::array<Words, kColumnTiles> weight();
  Value scales(Value operand, Value row, Value column);
  Value rowScales(int64_t tile);
  Value columnScales();
  void multiply(int64_t tile, int64_t columnTile, ArrayRef<Value> left,
                ArrayRef<Value> right, Value ofRows, Value ofColumns,
                Values &accumulators);
  Value selector(int64_t value) { return arith::ConstantIntOp::create(b, value, 16); }

  bool isNv;
  int64_t scalesBytes; ///< of a row or column, for K = 64
};
} // namespace

/// Loads eight values of each half of K.
ScaledProduct::Words Float4Product::activations(int64_t row) {
  constexpr int64_t kSteps = 8;
  if (row >= ownRows)
    return {word(0), word(0)};
  Words packed;
  for (int64_t half = 0; half < 2; ++half) {
    Value column =
        program.add(program.mul(t, program.index(kSteps)), program.index(half * kLong));
    Words codes = loadWords(op.getLhs(), pointer(op.getLhs(), rows[row], column), 2);
    Value later = arith::ShLIOp::create(b, codes[1], word(4));
    packed.push_back(arith::OrIOp::create(b, codes[0], later));
  }
  return packed;
}

std::array<ScaledProduct::Words, ScaledProduct::kColumnTiles> Float4Product::weight() {
  ColumnWords words = weightWords(0, kLong);
  for (auto [own, later] : llvm::zip(words, weightWords(kLong, kLong)))
    own.append(later);
  return words;
}

Value Float4Product::scales(Value operand, Value row, Value column) {
  Value from = pointer(operand, row, column);
  int64_t alignment = std::min(staged(operand).alignment, scalesBytes);
  Value stored =
      LLVM::LoadOp::create(b, b.getIntegerType(8 * scalesBytes), from, alignment);
  return isNv ? stored : arith::ExtUIOp::create(b, b.getI32Type(), stored).getResult();
}

/// Loads scales of row g of the tile in even lanes, of row g + 8 in odd lanes.
Value Float4Product::rowScales(int64_t tile) {
  Value row = rows[2 * tile];
  if (2 * tile + 1 < ownRows) {
    Value odd = arith::AndIOp::create(b, t, program.index(1));
    Value isEven =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, odd, program.index(0));
    row = arith::SelectOp::create(b, isEven, row, rows[2 * tile + 1]);
  }
  return scales(op.getLhsScales(), row, program.index(0));
}

/// Loads scales of column 2g, in the first tile, in even lanes, of column 2g + 1 in odd
/// ones.
Value Float4Product::columnScales() {
  Value odd = arith::AndIOp::create(b, t, program.index(1));
  Value column = program.add(program.mul(g, program.index(kColumnTiles)), odd);
  return scales(op.getRhsScales(), program.index(0),
                program.mul(column, program.index(scalesBytes)));
}

void Float4Product::multiply(int64_t tile, int64_t columnTile, ArrayRef<Value> left,
                             ArrayRef<Value> right, Value ofRows, Value ofColumns,
                             Values &accumulators) {
  // Accumulators of a lane in the tile: two per row, if both of its rows exist.
  auto at = [&](int64_t row, int64_t column) -> Value & {
    return accumulators[(2 * tile + row) * kOwnColumns + column * kColumnTiles +
                        columnTile];
  };
  int64_t own = std::min<int64_t>(ownRows - 2 * tile, 2);
  Values operands(left);
  llvm::append_range(operands, right);
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  for (int64_t row = 0; row < 2; ++row)
    for (int64_t column = 0; column < 2; ++column)
      operands.push_back(row < own ? at(row, column) : zero);
  operands.append({ofRows, selector(0), selector(0)});
  operands.append({ofColumns, selector(0), selector(columnTile)});
  StringRef name = isNv ? "llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.4x."
                          "f32.e2m1.e2m1.f32.ue4m3"
                        : "llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4.scale.2x."
                          "f32.e2m1.e2m1.f32.ue8m0";
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(),
                                               SmallVector<Type>(4, b.getF32Type()));
  Value product = LLVM::CallIntrinsicOp::create(b, type, b.getStringAttr(name), operands)
                      .getResult(0);
  for (int64_t row = 0; row < own; ++row)
    for (int64_t column = 0; column < 2; ++column)
      at(row, column) = LLVM::ExtractValueOp::create(b, product, 2 * row + column);
}

Values Float4Product::run() {
  Values accumulators = program.fragment(op.getAccumulator()).registers;
  std::array<Words, kColumnTiles> right = weight();
  Value ofColumns = columnScales();
  for (int64_t tile = 0; 2 * tile < ownRows; ++tile) {
    Words above = activations(2 * tile), below = activations(2 * tile + 1);
    Value left[] = {above[0], below[0], above[1], below[1]}, ofRows = rowScales(tile);
    for (int64_t j = 0; j < kColumnTiles; ++j)
      multiply(tile, j, left, right[j], ofRows, ofColumns, accumulators);
  }
  return accumulators;
}

Values nvptx::multiplyFloat4(ThreadProgram &program, tile::ScaledMmaOp op) {
  return Float4Product(program, op).run();
}
