//===- ScaledProduct.cpp - Operands of tile.scaled_mma ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScaledProduct.h"
#include "dialects/Types/FloatFormat.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

/// Selectors of prmt: the even and the odd bytes of two words.
static constexpr int64_t kLowHalves = 0x6420, kHighHalves = 0x7531;

ScaledProduct::ScaledProduct(ThreadProgram &program, tile::ScaledMmaOp op)
    : program(program), b(program.b), op(op), ownRows(op.getType().getRows() / kHalfRows),
      block(cast<tile::StagedType>(op.getLhs().getType()).getShape()[1]) {
  Value lane = program.team.rank;
  t = arith::AndIOp::create(b, lane, program.index(3));
  g = arith::ShRUIOp::create(b, lane, program.index(2));
  openRows();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value ScaledProduct::pointer(Value operand, Value row, Value column) {
  const LoweredStaged &tile = staged(operand);
  Value at = program.add(program.mul(row, tile.strides[0]),
                         program.mul(column, tile.strides[1]));
  return program.gep(tile.pointer, tile.element, at);
}

Values ScaledProduct::load(Value operand, Type element, Value row, Value column,
                           int64_t count) {
  Value from = pointer(operand, row, column);
  int64_t bytes = tile::elementBytes(element);
  int64_t alignment = std::min(staged(operand).alignment, count * bytes);
  if (count == 1)
    return {LLVM::LoadOp::create(b, element, from, alignment)};
  Value vector =
      LLVM::LoadOp::create(b, VectorType::get(count, element), from, alignment);
  Values values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(LLVM::ExtractElementOp::create(b, vector, word(i)));
  return values;
}

ScaledProduct::Words ScaledProduct::loadWords(Value operand, Value from, int64_t count) {
  int64_t alignment = std::min(staged(operand).alignment, 4 * count);
  if (count == 1)
    return {LLVM::LoadOp::create(b, b.getI32Type(), from, alignment)};
  Value all =
      LLVM::LoadOp::create(b, VectorType::get(count, b.getI32Type()), from, alignment);
  Words words;
  for (int64_t i = 0; i < count; ++i)
    words.push_back(LLVM::ExtractElementOp::create(b, all, word(i)));
  return words;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void ScaledProduct::openRows() {
  auto stage = op.getLhs().getDefiningOp<tile::StageOp>();
  if (llvm::is_contained(stage.getMasked(), 0)) {
    const LoweredView &view = program.views.find(stage.getView())->second;
    Value next = program.add(program.scalar(stage.getIndices()[0]), program.index(1));
    last = b.createOrFold<arith::SubIOp>(view.sizes[0], next);
  }
  for (int64_t i = 0; i < ownRows; ++i) {
    Value row = program.add(g, program.index(i * kHalfRows));
    rows.push_back(last ? b.createOrFold<arith::MinSIOp>(row, last) : row);
  }
}

Value ScaledProduct::exists(int64_t i) {
  if (!last)
    return {};
  Value row = program.add(g, program.index(i * kHalfRows));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::sle, row, last);
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

/// Converts f8E4M3FN or f8E8M0FNU bytes to f32 by moving their bits.
Value ScaledProduct::widenScale(Value bits) {
  bits = arith::ExtUIOp::create(b, b.getI32Type(), bits);
  auto asFloat = [&](Value value) -> Value {
    return arith::BitcastOp::create(b, b.getF32Type(), value);
  };
  if (isPowerOfTwoType(*op.getScaleType())) {
    // 2^-127 is subnormal in f32: its bits are 1 << 22.
    Value exponent = arith::ShLIOp::create(b, bits, word(23));
    return asFloat(arith::MaxUIOp::create(b, exponent, word(1 << 22)));
  }
  // Corrects the exponent's bias from 127 to 7, also for subnormal values.
  Value power = arith::ConstantOp::create(b, b.getF32FloatAttr(0x1p120f));
  return arith::MulFOp::create(b, asFloat(arith::ShLIOp::create(b, bits, word(20))),
                               power);
}

Value ScaledProduct::scaleOf(Value stored) {
  Type element = staged(op.getRhsScales()).element;
  if (op.getScaleType())
    return widenScale(stored);
  if (element.isF32())
    return stored;
  if (element.isF16())
    return arith::ExtFOp::create(b, b.getF32Type(), stored);
  Value bits = arith::ExtUIOp::create(b, b.getI32Type(), stored);
  return arith::BitcastOp::create(b, b.getF32Type(),
                                  arith::ShLIOp::create(b, bits, word(16)));
}

Values ScaledProduct::columnScales() {
  Type element = memoryType(staged(op.getRhsScales()).element);
  Value first = program.mul(t, program.index(kOwnColumns));
  Values scales;
  for (Value stored :
       load(op.getRhsScales(), element, program.index(0), first, kOwnColumns))
    scales.push_back(scaleOf(stored));
  return scales;
}

//===----------------------------------------------------------------------===//
// Quantized values
//===----------------------------------------------------------------------===//

Value ScaledProduct::permute(Value low, Value high, Value selector) {
  return LLVM::CallIntrinsicOp::create(b, b.getI32Type(),
                                       b.getStringAttr("llvm.nvvm.prmt"),
                                       ValueRange{low, high, selector})
      .getResult(0);
}

ScaledProduct::ColumnWords ScaledProduct::weightWords(int64_t k, int64_t steps) {
  constexpr int64_t kColumnBytes = 4;
  int64_t perWord = 32 / op.getBits(), own = steps / 4;
  Value column = program.mul(g, program.index(kColumnTiles * kColumnBytes));
  Value row = program.index(k / perWord);
  if (own >= perWord)
    row = program.add(row, program.mul(t, program.index(own / perWord)));
  else
    row = program.add(row, b.createOrFold<arith::ShRUIOp>(t, program.index(1)));
  ColumnWords words;
  for (int64_t i = 0; i < std::max<int64_t>(own / perWord, 1); ++i) {
    Value from = pointer(op.getRhs(), program.add(row, program.index(i)), column);
    for (auto [into, codes] :
         llvm::zip(words, loadWords(op.getRhs(), from, kColumnTiles)))
      into.push_back(codes);
  }
  return words;
}

/// Looks up four 4-bit indices, the word's lowest ones, in a table of eight bytes.
/// Indices with the high bit give 0: there prmt replicates the sign bit of a byte, which
/// is 0.
Value ScaledProduct::lookUp(uint64_t table, Value codes) {
  return permute(word(int32_t(table)), word(int32_t(table >> 32)), codes);
}

/// Maps f4E2M1FN to the unsigned integers that the MMA takes (e2m1FromZero), in the order
/// of nibbles: per byte, first the low one.
std::pair<Value, Value> ScaledProduct::lookUpE2m1(Value codes) {
  uint64_t positive = 0, negative = 0;
  for (unsigned i = 0; i < 8; ++i) {
    positive |= uint64_t(e2m1FromZero(i)) << 8 * i;
    negative |= uint64_t(e2m1FromZero(8 + i)) << 8 * i;
  }
  Value flipped = arith::XOrIOp::create(b, codes, word(int32_t(0x88888888)));
  auto half = [&](int64_t shift) -> Value {
    auto shifted = [&](Value value) -> Value {
      return shift ? arith::ShRUIOp::create(b, value, word(shift)).getResult() : value;
    };
    return arith::OrIOp::create(b, lookUp(positive, shifted(codes)),
                                lookUp(negative, shifted(flipped)));
  };
  return {half(0), half(16)};
}

/// Converts f4E2M1FN to f8E4M3FN of twice the value, which is exact.
ScaledProduct::Words ScaledProduct::unpackToE4m3(Value codes) {
  uint64_t magnitudes = 0;
  for (unsigned i = 0; i < 8; ++i)
    magnitudes |= uint64_t(encode(double(e2m1FromZero(i) - kE2m1Zero), kF8E4M3FN))
                  << 8 * i;
  Value fields = arith::AndIOp::create(b, codes, word(0x77777777));
  Value first = lookUp(magnitudes, fields),
        second = lookUp(magnitudes, arith::ShRUIOp::create(b, fields, word(16)));
  auto withSigns = [&](int64_t halves, Value signs) -> Value {
    signs = arith::AndIOp::create(b, signs, word(int32_t(0x80808080)));
    return arith::OrIOp::create(b, permute(first, second, word(halves)), signs);
  };
  return {withSigns(kLowHalves, arith::ShLIOp::create(b, codes, word(4))),
          withSigns(kHighHalves, codes)};
}

/// Unpacks the eight 4-bit values of a word: first the low nibbles of its bytes, then the
/// high ones.
ScaledProduct::Words ScaledProduct::unpack(Value codes) {
  if (op.getMultiplier() == tile::ScaledMmaOp::Multiplier::Float8)
    return unpackToE4m3(codes);
  if (op.looksUpCodes()) {
    auto [first, second] = lookUpE2m1(codes);
    return {permute(first, second, word(kLowHalves)),
            permute(first, second, word(kHighHalves))};
  }
  Value mask = word(0x0f0f0f0f);
  return {arith::AndIOp::create(b, codes, mask),
          arith::AndIOp::create(b, arith::ShRUIOp::create(b, codes, word(4)), mask)};
}

/// Unpacks the four of them that lane 4g + t multiplies if K is 16: low nibbles if t is
/// even.
Value ScaledProduct::unpackHalf(Value codes) {
  Value odd =
      arith::AndIOp::create(b, arith::IndexCastOp::create(b, b.getI32Type(), t), word(1));
  if (op.getMultiplier() == tile::ScaledMmaOp::Multiplier::Float8) {
    Value isOdd = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, odd, word(0));
    Words all = unpackToE4m3(codes);
    return arith::SelectOp::create(b, isOdd, all[1], all[0]);
  }
  if (op.looksUpCodes()) {
    auto [first, second] = lookUpE2m1(codes);
    Value isOdd = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, odd, word(0));
    return permute(
        first, second,
        arith::SelectOp::create(b, isOdd, word(kHighHalves), word(kLowHalves)));
  }
  Value shift = arith::ShLIOp::create(b, odd, word(2));
  return arith::AndIOp::create(b, arith::ShRUIOp::create(b, codes, shift),
                               word(0x0f0f0f0f));
}

ScaledProduct::ColumnWords ScaledProduct::codes(int64_t k, int64_t steps) {
  ColumnWords words = weightWords(k, steps);
  if (op.getBits() == 4)
    for (Words &own : words)
      own = steps == kLong ? unpack(own.front()) : Words{unpackHalf(own.front())};
  return words;
}

void ScaledProduct::forSteps(function_ref<void(int64_t k, int64_t steps)> multiply) {
  int64_t k = 0;
  for (; k + kLong <= block; k += kLong)
    multiply(k, kLong);
  if (k < block)
    multiply(k, kShort);
}
