//===- LowerTileFloat8Mma.cpp - MMA of f8E4M3FN by f8E4M3FN ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On sm_89 and later: mma.sync.m16n8k32 of e4m3 with f32 accumulators. On older targets
// both operands are converted to f16, which is exact, for m16n8k16 with f32 accumulators:
// sign, exponent and mantissa move to their place in f16, which gives the value times
// 2^-8. Bytes 0 and 2 of a word become one register and bytes 1 and 3 another, for both
// operands. NaN becomes 480: weights have no NaN, and the scale of a row with a NaN is
// NaN.
//
// Targets with block scales (mxf8f6f4) take the f8E8M0FNU scales of the weight's blocks
// as operands, and accumulators pass through the instructions over all of K: these tensor
// cores accumulate in full f32. The scales of column g of a tile come from lane 4g; those
// of both tiles are two bytes of one register, because one tile has the even columns and
// the other the odd ones. Rows have the scale 1, or 2 if the weight is f4E2M1FN: the
// instruction multiplies the values themselves, and the weight's scales are for twice the
// values (e2m1FromZero).
//
//===----------------------------------------------------------------------===//

#include "ScaledProduct.h"
#include "dialects/Types/FloatFormat.h"
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
  /// Returns the accumulator register of a row of the lane and one of its columns.
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

  bool isNative;    ///< the target has FP8 tensor cores
  bool takesScales; ///< its instructions take block scales
  bool carries;     ///< accumulators of earlier blocks are the instructions' C
  Value scaleWord;  ///< of this lane's columns, if takesScales
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

/// Loads the scales of columns 2g (even tile) and 2g + 1 (odd tile) in lane 4g + t.
Value Float8Product::byteScales() {
  Value column = program.mul(g, program.index(kColumnTiles));
  Value pair = LLVM::LoadOp::create(
      b, b.getI16Type(), pointer(op.getRhsScales(), program.index(0), column),
      std::min<int64_t>(staged(op.getRhsScales()).alignment, 2));
  return arith::ExtUIOp::create(b, b.getI32Type(), pair);
}

/// Appends the scales of rows and columns, each with its byte and thread selectors.
void Float8Product::appendScales(Values &operands, int64_t columnTile) {
  constexpr int64_t kOne = 0x7f7f7f7f, kTwo = 0x80808080;
  auto selector = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, value, 16);
  };
  Value ofRows = word(int32_t(op.looksUpCodes() ? kTwo : kOne));
  operands.append({ofRows, selector(0), selector(0)});
  operands.append({scaleWord, selector(columnTile), selector(0)});
}

/// Returns operand B of both column tiles. Instructions with block scales take f4E2M1FN
/// in bits 2 to 5 of bytes.
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

/// Multiplies K = 32 by one mma.m16n8k32; if only 16 K indices are left, the others are
/// zero.
void Float8Product::multiplyBytes(ArrayRef<Words> left, const Words &right,
                                  int64_t columnTile, Values &accumulators) {
  Values operands; // order a0 to a3: row g, row g + 8, then both for later K
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

/// Converts four bytes to two f16x2 registers: bytes 0 and 2, and bytes 1 and 3.
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

/// Adds a block's accumulator, times its scale if there is one. After conversion to f16
/// it is the true value times 2^-16.
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
