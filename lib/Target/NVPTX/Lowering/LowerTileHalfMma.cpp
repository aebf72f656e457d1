//===- LowerTileHalfMma.cpp - MMA of f16 or bf16 by quantized -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activations are f16 or bf16, weights are quantized: mma.sync.m16n8k16 with f32
// accumulators. Weights are converted in registers to f16 or bf16 minus their zero
// points, which both types represent exactly; the scale of a block is applied to its
// accumulator, so only f32 operations round.
//
// Four quantized bytes of a word become two registers. With 0x64 as the high byte, a byte
// q is 1024 + q in f16; with 0x43, it is 128 + q in bf16 if q has 4 bits. So one prmt and
// one fma convert two values. 8-bit values above 128 do not fit bf16: they become the
// last bits of an f32 (2^23 + q), and the high halves of the differences are the bf16
// values.
//
//===----------------------------------------------------------------------===//

#include "ScaledProduct.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

/// K of an instruction, and K indices per lane.
static constexpr int64_t kSteps = 16, kOwnSteps = 4;

namespace {
class HalfProduct : ScaledProduct {
public:
  HalfProduct(ThreadProgram &program, tile::ScaledMmaOp op)
      : ScaledProduct(program, op), element(staged(op.getLhs()).element),
        isByWords(element.isBF16() && op.getBits() == 8) {}

  Values run();

private:
  void openZeros();
  Value byteAbove(Value quad, int64_t place);
  std::array<Value, 2> numbers(Value quad, int64_t tile);
  std::array<Value, 2> numbersByWords(Value quad, Value minus);
  Value subtract(Value numbers, Value minus);
  void multiply(int64_t k, int64_t steps);
  void multiplyTile(ArrayRef<Value> left, ArrayRef<Value> right, Values &accumulators);

  Type element;
  bool isByWords; ///< converts by way of f32
  /// Negated zero points of columns 2g and 2g + 1 together with the conversion's offset,
  /// in both halves of a word or, if isByWords, in f32.
  std::array<Value, kColumnTiles> minus;
  SmallVector<std::array<Values, kColumnTiles>> accumulators; ///< by tile of rows
};
} // namespace

//===----------------------------------------------------------------------===//
// The weight
//===----------------------------------------------------------------------===//

void HalfProduct::openZeros() {
  Values zeros(kColumnTiles, word(op.getDefaultZero()));
  if (op.getRhsZeros()) {
    Value first = program.mul(g, program.index(kColumnTiles));
    zeros = load(op.getRhsZeros(), b.getI8Type(), program.index(0), first, kColumnTiles);
    for (Value &zero : zeros)
      zero = arith::ExtUIOp::create(b, b.getI32Type(), zero);
  }
  for (auto [into, zero] : llvm::zip(minus, zeros)) {
    if (isByWords) {
      Value bits = arith::OrIOp::create(b, zero, word(int32_t(0xcb000000)));
      into = arith::BitcastOp::create(b, b.getF32Type(), bits);
      continue;
    }
    Value both = arith::MulIOp::create(b, zero, word(0x10001));
    int32_t offsets = int32_t(element.isF16() ? 0xe400e400 : 0xc300c300);
    into = arith::OrIOp::create(b, both, word(offsets));
  }
}

/// Returns byte `place` of the quad as the f32 value 2^23 + byte.
Value HalfProduct::byteAbove(Value quad, int64_t place) {
  constexpr int64_t kBytes = 0x7440; // 0x4b, two zeros, the byte
  return permute(quad, word(0x4b000000), word(kBytes | place));
}

std::array<Value, 2> HalfProduct::numbersByWords(Value quad, Value minus) {
  constexpr int64_t kHighHalves = 0x7632;
  auto number = [&](int64_t place) -> Value {
    Value wide = arith::BitcastOp::create(b, b.getF32Type(), byteAbove(quad, place));
    return arith::BitcastOp::create(b, b.getI32Type(),
                                    arith::AddFOp::create(b, wide, minus));
  };
  auto pair = [&](int64_t place) {
    Value low = number(place), high = number(place + 1);
    return permute(low, high, word(kHighHalves));
  };
  return {pair(0), pair(2)};
}

Value HalfProduct::subtract(Value numbers, Value minus) {
  bool isF16 = element.isF16();
  Type pair = VectorType::get(2, element);
  auto asPair = [&](Value bits) -> Value {
    return LLVM::BitcastOp::create(b, pair, bits);
  };
  Value one = asPair(word(isF16 ? 0x3c003c00 : 0x3f803f80));
  Value difference =
      LLVM::CallIntrinsicOp::create(
          b, pair,
          b.getStringAttr(isF16 ? "llvm.nvvm.fma.rn.f16x2" : "llvm.nvvm.fma.rn.bf16x2"),
          ValueRange{asPair(numbers), one, asPair(minus)})
          .getResult(0);
  return LLVM::BitcastOp::create(b, b.getI32Type(), difference);
}

/// Returns the two registers of operand B that four quantized values become.
std::array<Value, 2> HalfProduct::numbers(Value quad, int64_t tile) {
  constexpr int64_t kFirst = 0x4140, kSecond = 0x4342; // low, high, low, high
  if (isByWords)
    return numbersByWords(quad, minus[tile]);
  Value above = word(element.isF16() ? 0x64 : 0x43);
  return {subtract(permute(quad, above, word(kFirst)), minus[tile]),
          subtract(permute(quad, above, word(kSecond)), minus[tile])};
}

//===----------------------------------------------------------------------===//
// MMAs
//===----------------------------------------------------------------------===//

void HalfProduct::multiplyTile(ArrayRef<Value> left, ArrayRef<Value> right,
                               Values &accumulators) {
  auto operands = [&](ArrayRef<Value> words) {
    return llvm::map_to_vector(words, [&](Value bits) -> Value {
      if (element.isF16()) // NVVM takes bf16 as i32
        return LLVM::BitcastOp::create(b, VectorType::get(2, element), bits);
      return bits;
    });
  };
  Type type = LLVM::LLVMStructType::getLiteral(
      b.getContext(), SmallVector<Type>(accumulators.size(), b.getF32Type()));
  auto kind = element.isF16() ? NVVM::MMATypes::f16 : NVVM::MMATypes::bf16;
  Value product = NVVM::MmaOp::create(
      b, type, operands(left), operands(right), accumulators,
      ArrayRef<int64_t>{kTileRows, kTileColumns, kSteps}, std::nullopt, std::nullopt,
      std::array{kind, kind}, std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
  for (auto [i, sum] : llvm::enumerate(accumulators))
    sum = LLVM::ExtractValueOp::create(b, product, i);
}

void HalfProduct::multiply(int64_t k, int64_t steps) {
  constexpr int64_t kHalvesPerWord = 2, kWords = kOwnSteps / kHalvesPerWord;
  int64_t own = steps / 4;
  ColumnWords quads = codes(k, steps);
  std::array<SmallVector<std::array<Value, 2>>, kColumnTiles> right;
  for (int64_t tile = 0; tile < kColumnTiles; ++tile)
    for (Value quad : quads[tile])
      right[tile].push_back(numbers(quad, tile));
  Value column = program.add(program.mul(t, program.index(own)), program.index(k));
  auto rowWords = [&](int64_t row) -> Words {
    if (row >= ownRows)
      return Words(own / kHalvesPerWord, word(0));
    return loadWords(op.getLhs(), pointer(op.getLhs(), rows[row], column),
                     own / kHalvesPerWord);
  };
  for (auto [i, ofTile] : llvm::enumerate(accumulators)) {
    Words above = rowWords(2 * i), below = rowWords(2 * i + 1);
    for (int64_t step = 0; step < own / kOwnSteps; ++step) {
      // Order a0 to a3: row g, row g + 8, then both for later K.
      Value left[] = {above[kWords * step], below[kWords * step],
                      above[kWords * step + 1], below[kWords * step + 1]};
      for (int64_t tile = 0; tile < kColumnTiles; ++tile)
        multiplyTile(left, right[tile][step], ofTile[tile]);
    }
  }
}

Values HalfProduct::run() {
  Values scales = columnScales();
  openZeros();
  Value none = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  Values begin(4, none);
  accumulators.resize(llvm::divideCeil(ownRows, 2), {begin, begin});
  forSteps([&](int64_t k, int64_t steps) { multiply(k, steps); });
  Values result = program.fragment(op.getAccumulator()).registers;
  for (int64_t row = 0; row < ownRows; ++row)
    for (int64_t column = 0; column < kOwnColumns; ++column) {
      Value sum = accumulators[row / 2][column % kColumnTiles]
                              [row % 2 * 2 + column / kColumnTiles];
      Value &into = result[row * kOwnColumns + column];
      into = math::FmaOp::create(b, scales[column], sum, into);
    }
  return result;
}

Values nvptx::multiplyHalves(ThreadProgram &program, tile::ScaledMmaOp op) {
  return HalfProduct(program, op).run();
}
