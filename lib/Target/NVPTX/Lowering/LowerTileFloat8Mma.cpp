//===- LowerTileFloat8Mma.cpp - Products of f8E4M3FN on both sides --------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.sync.m16n8k32 of e4m3 with f32 accumulators, on sm_89 and later. Elsewhere both
// operands become f16, which holds every number of f8E4M3FN, for m16n8k16 with f32
// accumulators: a byte's sign and fields move to where f16 has them,
// which makes the number times 2^-8. Four bytes of a word are the pairs of bytes 0 and 2
// and of bytes 1 and 3, on both sides. NaN becomes 480 there: weights have none, and the
// scale of a row that has one is NaN.
//
// A target with block scales (mxf8f6f4) takes the powers of two of the weight's blocks as
// operands, and accumulators go through all of K: its tensor cores keep the bits of f32.
// The scales of column g of a tile come from lane 4g; those of both tiles are two bytes
// of one register, because the tiles have the even and the odd columns. Rows have the
// scale 1, or 2 where the weight is codes of f4E2M1FN, which are multiplied as they are
// and stand for twice their numbers.
//
//===----------------------------------------------------------------------===//

#include "ScaledProduct.h"
#include "kiln/Support/FloatFormat.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

namespace {
class Float8Product : ScaledProduct {
public:
  Float8Product(ThreadProgram &program, tile::ScaledMmaOp op)
      : ScaledProduct(program, op), isNative(program.target.gpu->hasFloat8),
        takesScales(program.target.gpu->hasBlockScaledMma && block % kLong == 0 &&
                    op.getScaleType() && isPowerOfTwoType(*op.getScaleType())),
        carries(takesScales || (isNative && op.getFastAccum())) {}

  Values run();

private:
  void begin(ArrayRef<Value> carried);
  Words activations(int64_t row, int64_t k, int64_t steps);
  void multiply(int64_t k, int64_t steps);
  void multiplyBytes(ArrayRef<Words> left, const Words &right, int64_t columnTile,
                     Values &accumulators);
  Value byteScales();
  ColumnWords numbers(int64_t k, int64_t steps);
  void appendScales(Values &operands, int64_t columnTile);
  std::array<Value, 2> halves(Value word);
  void multiplyHalves(ArrayRef<Words> left, const Words &right, Values &accumulators);
  Value added(Value sum, Value scale, Value into);
  /// The register of a tile's accumulators for a row of a lane and one of its columns.
  Value &sumOf(int64_t row, int64_t column) {
    return accumulators[row / 2][column % kColumnTiles]
                       [row % 2 * 2 + column / kColumnTiles];
  }
  Value number(float value) {
    return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
  }
  Type fourFloats() {
    return LLVM::LLVMStructType::getLiteral(b.getContext(),
                                            SmallVector<Type>(4, b.getF32Type()));
  }

  bool isNative;    ///< the target multiplies bytes
  bool takesScales; ///< its instructions take the scales of blocks
  bool carries;     ///< accumulators of earlier blocks go through the instructions
  Value scaleWord;  ///< of this lane's columns, if instructions take scales
  SmallVector<std::array<Values, kColumnTiles>> accumulators; ///< by tile of rows
};
} // namespace

void Float8Product::begin(ArrayRef<Value> carried) {
  Values none(4, number(0));
  accumulators.resize(llvm::divideCeil(ownRows, 2), {none, none});
  for (int64_t row = 0; carries && row < ownRows; ++row)
    for (int64_t column = 0; column < kOwnColumns; ++column)
      sumOf(row, column) = carried[row * kOwnColumns + column];
}

ScaledProduct::Words Float8Product::activations(int64_t row, int64_t k, int64_t steps) {
  int64_t each = steps / 4;
  if (row >= ownRows)
    return Words(each / 4, word(0));
  Value column = program.add(program.mul(t, program.index(each)), program.index(k));
  return loadWords(op.getLhs(), pointer(op.getLhs(), rows[row], column), each / 4);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Columns 2g and 2g + 1 of lane 4g + t: the first of the even tile, the second of the
/// odd one.
Value Float8Product::byteScales() {
  Value column = program.mul(g, program.index(kColumnTiles));
  Value pair = LLVM::LoadOp::create(
      b, b.getI16Type(), pointer(op.getRhsScales(), program.index(0), column),
      std::min<int64_t>(staged(op.getRhsScales()).alignment, 2));
  return arith::ExtUIOp::create(b, b.getI32Type(), pair);
}

/// The scales of rows and of columns, each with the place of their byte and the lanes
/// that have it.
void Float8Product::appendScales(Values &operands, int64_t columnTile) {
  constexpr int64_t kOne = 0x7f7f7f7f, kTwo = 0x80808080;
  auto selector = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, value, 16);
  };
  Value ofRows = word(int32_t(op.looksUpCodes() ? kTwo : kOne));
  operands.append({ofRows, selector(0), selector(0)});
  operands.append({scaleWord, selector(columnTile), selector(0)});
}

/// The right operand of both column tiles. Instructions with scales take f4E2M1FN in the
/// middle of bytes.
ScaledProduct::ColumnWords Float8Product::numbers(int64_t k, int64_t steps) {
  if (!takesScales || !op.looksUpCodes())
    return codes(k, steps);
  ColumnWords all = weightWords(k, steps);
  for (Words &own : all) {
    Value low = arith::AndIOp::create(b, own[0], word(0x0f0f0f0f)),
          high = arith::ShRUIOp::create(b, own[0], word(2));
    own = {arith::ShLIOp::create(b, low, word(2)),
           arith::AndIOp::create(b, high, word(0x3c3c3c3c))};
  }
  return all;
}

/// Multiplies 32 steps of K by one mma.m16n8k32, of which the later 16 are zeros in a
/// short one.
void Float8Product::multiplyBytes(ArrayRef<Words> left, const Words &right,
                                  int64_t columnTile, Values &accumulators) {
  Values operands; // rows below come second, later steps of K third
  for (size_t i = 0; i < 2; ++i)
    for (const Words &ofRow : left)
      operands.push_back(i < ofRow.size() ? ofRow[i] : word(0));
  for (size_t i = 0; i < 2; ++i)
    operands.push_back(i < right.size() ? right[i] : word(0));
  llvm::append_range(operands, accumulators);
  StringRef name = "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32";
  if (takesScales) {
    name = op.looksUpCodes()
               ? "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x."
                 "f32.e4m3.e2m1.f32.ue8m0"
               : "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x."
                 "f32.e4m3.e4m3.f32.ue8m0";
    appendScales(operands, columnTile);
  }
  Value product =
      LLVM::CallIntrinsicOp::create(b, fourFloats(), b.getStringAttr(name), operands)
          .getResult(0);
  for (auto [i, sum] : llvm::enumerate(accumulators))
    sum = LLVM::ExtractValueOp::create(b, product, i);
}

/// Two registers of f16: bytes 0 and 2 of a word, and bytes 1 and 3.
std::array<Value, 2> Float8Product::halves(Value bytes) {
  auto pair = [&](Value high, Value fields) -> Value {
    Value sign = arith::AndIOp::create(b, high, word(int32_t(0x80008000)));
    fields = arith::AndIOp::create(b, fields, word(0x3f803f80));
    return LLVM::BitcastOp::create(b, VectorType::get(2, b.getF16Type()),
                                   arith::OrIOp::create(b, sign, fields));
  };
  auto up = [&](int64_t bits) -> Value {
    return arith::ShLIOp::create(b, bytes, word(bits));
  };
  return {pair(up(8), up(7)), pair(bytes, arith::ShRUIOp::create(b, bytes, word(1)))};
}

void Float8Product::multiplyHalves(ArrayRef<Words> left, const Words &right,
                                   Values &accumulators) {
  constexpr int64_t kSteps = 16;
  for (size_t i = 0; i < right.size(); ++i) {
    std::array<Value, 2> above = halves(left[0][i]), below = halves(left[1][i]),
                         own = halves(right[i]);
    Value product = NVVM::MmaOp::create(
        b, fourFloats(), ValueRange{above[0], below[0], above[1], below[1]},
        ValueRange{own[0], own[1]}, accumulators,
        ArrayRef<int64_t>{kTileRows, kTileColumns, kSteps}, std::nullopt, std::nullopt,
        std::array{NVVM::MMATypes::f16, NVVM::MMATypes::f16},
        std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
    for (auto [j, sum] : llvm::enumerate(accumulators))
      sum = LLVM::ExtractValueOp::create(b, product, j);
  }
}

void Float8Product::multiply(int64_t k, int64_t steps) {
  ColumnWords right = numbers(k, steps);
  for (auto [i, ofTile] : llvm::enumerate(accumulators)) {
    Words left[] = {activations(2 * i, k, steps), activations(2 * i + 1, k, steps)};
    for (auto [j, words] : llvm::enumerate(right))
      if (isNative)
        multiplyBytes(left, words, j, ofTile[j]);
      else
        multiplyHalves(left, words, ofTile[j]);
  }
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Adds the sum of a block, times its scale if there is one. Sums of products that were
/// widened to f16 are those of the numbers times 2^-16.
Value Float8Product::added(Value sum, Value scale, Value into) {
  if (!isNative && scale)
    sum = arith::MulFOp::create(b, sum, number(0x1p16f));
  else if (!isNative)
    scale = number(0x1p16f);
  if (scale)
    return math::FmaOp::create(b, scale, sum, into);
  return arith::AddFOp::create(b, sum, into);
}

Values Float8Product::run() {
  Values scales(kOwnColumns);
  if (takesScales)
    scaleWord = byteScales();
  else if (op.getRhsScales())
    scales = columnScales();
  Values result = program.fragment(op.getAccumulator()).registers;
  begin(result);
  forSteps([&](int64_t k, int64_t steps) { multiply(k, steps); });
  for (int64_t row = 0; row < ownRows; ++row)
    for (int64_t column = 0; column < kOwnColumns; ++column) {
      Value &into = result[row * kOwnColumns + column];
      Value sum = sumOf(row, column);
      into = carries ? sum : added(sum, scales[column], into);
    }
  return result;
}

Values nvptx::multiplyFloat8(ThreadProgram &program, tile::ScaledMmaOp op) {
  return Float8Product(program, op).run();
}
