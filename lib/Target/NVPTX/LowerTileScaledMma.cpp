//===- LowerTileScaledMma.cpp - Products of quantized operands ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp multiplies 16 columns by mma.sync of signed by unsigned bytes, a block of K at a
// time. Nothing is staged: both operands are read where they lie, the weight once. What
// order the steps of an instruction have does not matter to a sum of integers, so lane
// 4g + t takes the steps that its 32-bit words of the weight hold (8t to 8t + 7 of 32, 4t
// to 4t + 3 of 16), and the same of the activations. It reads columns 2g and 2g + 1 at
// once: even and odd columns are the two 8-column tiles, so that its accumulators are
// columns 4t to 4t + 3, whose scales and zero points it reads at once as well.
//
//===----------------------------------------------------------------------===//

#include "ScaledProductLowering.h"
#include "kiln/Support/FloatFormat.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

/// Of an instruction; and the steps of K that it has, the more the better.
static constexpr int64_t kTileRows = 16, kTileColumns = 8, kLong = 32, kShort = 16;
/// Rows of a tile lie in two halves, of which 8 rows or fewer need one.
static constexpr int64_t kHalfRows = kTileRows / 2;
/// Columns of a lane's accumulators, and column tiles.
static constexpr int64_t kOwnColumns = 4, kColumnTiles = 2;
/// Every second byte of two words.
static constexpr int64_t kLowHalves = 0x6420, kHighHalves = 0x7531;

namespace {
/// Bits of four or eight codes that a lane multiplies by the same steps of K.
using Words = SmallVector<Value, 2>;

/// One tile.scaled_mma.
class ScaledProduct {
public:
  ScaledProduct(ThreadProgram &program, tile::ScaledMmaOp op)
      : program(program), b(program.b), op(op),
        ownRows(op.getType().getRows() / kHalfRows),
        block(cast<tile::StagedType>(op.getLhs().getType()).getShape()[1]) {}

  Values run();

private:
  const LoweredStaged &staged(Value operand) {
    return program.staged.find(operand)->second;
  }
  Value word(int64_t value) { return program.word(value); }
  Value pointer(Value operand, Value row, Value column);
  /// `count` contiguous elements, each as it is in memory.
  Values load(Value operand, Type element, Value row, Value column, int64_t count);

  void openRows();
  void openColumns();
  Words activations(int64_t row, int64_t k, int64_t steps);
  std::array<Words, kColumnTiles> weights(int64_t k, int64_t steps);
  Words unpack(Value codes);
  Value unpackHalf(Value codes);
  Value permute(Value low, Value high, Value selector);
  Value lookUp(uint64_t table, Value codes);
  std::pair<Value, Value> lookUpE2m1(Value codes);
  Value widenScale(Value bits);
  Value scaleOf(Value stored);
  void beginAccumulators();
  void multiply(int64_t k, int64_t steps);
  Value multiplyTile(ArrayRef<Value> left, ArrayRef<Value> right,
                     MutableArrayRef<Value> accumulators);
  /// The register of a tile's accumulators for a row of a lane (0 or 1) and one of its
  /// columns.
  Value &sumOf(int64_t row, int64_t column) {
    return accumulators[row / 2][column % kColumnTiles]
                       [row % 2 * 2 + column / kColumnTiles];
  }

  ThreadProgram &program;
  ImplicitLocOpBuilder &b;
  tile::ScaledMmaOp op;
  int64_t ownRows; ///< of a lane, one or two of each tile
  int64_t block;
  Value g, t;                  ///< of lane 4g + t, index
  Values rows;                 ///< of this lane: g, g + 8, g + 16, ..; that there are
  Values rowScales, rowTotals; ///< of those
  Values columnScales, columnZeros;
  SmallVector<std::array<Values, kColumnTiles>>
      accumulators; ///< of integers, by tile of rows
};
} // namespace

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

/// A row that there is not is read as the last one, and its scale is zero.
void ScaledProduct::openRows() {
  auto stage = op.getLhs().getDefiningOp<tile::StageOp>();
  Value last;
  if (llvm::is_contained(stage.getMasked(), 0)) {
    const LoweredView &view = program.views.find(stage.getView())->second;
    Value next = program.add(program.scalar(stage.getIndices()[0]), program.index(1));
    last = b.createOrFold<arith::SubIOp>(view.sizes[0], next);
  }
  Value none = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  for (int64_t i = 0; i < ownRows; ++i) {
    Value row = program.add(g, program.index(i * kHalfRows)), own = row;
    if (last)
      row = b.createOrFold<arith::MinSIOp>(row, last);
    rows.push_back(row);
    Value scale =
        load(op.getLhsScales(), b.getF32Type(), row, program.index(0), 1).front();
    if (last)
      scale = arith::SelectOp::create(
          b, arith::CmpIOp::create(b, arith::CmpIPredicate::sle, own, last), scale, none);
    rowScales.push_back(scale);
    rowTotals.push_back(
        load(op.getLhsTotals(), b.getI32Type(), row, program.index(0), 1).front());
  }
}

/// Bytes that stand for f8E4M3FN or f8E8M0FNU, whose bits are moved to where f32 has
/// them.
Value ScaledProduct::widenScale(Value bits) {
  bits = arith::ExtUIOp::create(b, b.getI32Type(), bits);
  auto asFloat = [&](Value value) -> Value {
    return arith::BitcastOp::create(b, b.getF32Type(), value);
  };
  if (llvm::isa<Float8E8M0FNUType>(*op.getScaleType())) {
    // 2^-127 is no normal number of f32.
    Value exponent = arith::ShLIOp::create(b, bits, word(23));
    return asFloat(arith::MaxUIOp::create(b, exponent, word(1 << 22)));
  }
  // The exponent's bias is 7 and not 127, also of what is subnormal.
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

void ScaledProduct::openColumns() {
  Value zero = program.index(0), first = program.mul(t, program.index(kOwnColumns));
  Type element = memoryType(staged(op.getRhsScales()).element);
  for (Value stored : load(op.getRhsScales(), element, zero, first, kOwnColumns))
    columnScales.push_back(scaleOf(stored));
  if (op.getRhsZeros()) {
    for (Value stored : load(op.getRhsZeros(), b.getI8Type(), zero, first, kOwnColumns))
      columnZeros.push_back(arith::ExtUIOp::create(b, b.getI32Type(), stored));
    return;
  }
  int64_t all = op.getE2m1() ? kE2m1Zero : int64_t(1) << (op.getBits() - 1);
  columnZeros.assign(kOwnColumns, word(all));
}

//===----------------------------------------------------------------------===//
// Codes
//===----------------------------------------------------------------------===//

/// Registers of the left operand, each with four steps: of a long instruction two.
Words ScaledProduct::activations(int64_t row, int64_t k, int64_t steps) {
  int64_t each = steps / 4;
  Value column = program.add(program.mul(t, program.index(each)), program.index(k));
  Value from = pointer(op.getLhs(), rows[row], column);
  int64_t alignment = std::min(staged(op.getLhs()).alignment, each);
  if (each == 4)
    return {LLVM::LoadOp::create(b, b.getI32Type(), from, alignment)};
  Value both =
      LLVM::LoadOp::create(b, VectorType::get(2, b.getI32Type()), from, alignment);
  return {LLVM::ExtractElementOp::create(b, both, word(0)),
          LLVM::ExtractElementOp::create(b, both, word(1))};
}

Value ScaledProduct::permute(Value low, Value high, Value selector) {
  return LLVM::CallIntrinsicOp::create(b, b.getI32Type(),
                                       b.getStringAttr("llvm.nvvm.prmt"),
                                       ValueRange{low, high, selector})
      .getResult(0);
}

/// Bytes of a table of eight for four codes of four bits, the lowest ones; 0 for what has
/// the highest bit, with which the instruction repeats the sign of a byte instead.
Value ScaledProduct::lookUp(uint64_t table, Value codes) {
  return permute(word(int32_t(table)), word(int32_t(table >> 32)), codes);
}

/// What codes of f4E2M1FN are in graph.scaled_matmul, in the order of the half bytes: of
/// each byte the low half and the high one.
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

/// The eight codes of 4 bits of a word: the low halves of its bytes, then the high ones.
Words ScaledProduct::unpack(Value codes) {
  if (op.getE2m1()) {
    auto [first, second] = lookUpE2m1(codes);
    return {permute(first, second, word(kLowHalves)),
            permute(first, second, word(kHighHalves))};
  }
  Value mask = word(0x0f0f0f0f);
  return {arith::AndIOp::create(b, codes, mask),
          arith::AndIOp::create(b, arith::ShRUIOp::create(b, codes, word(4)), mask)};
}

/// The four of them that lane 4g + t has in a short instruction: low halves if t is even.
Value ScaledProduct::unpackHalf(Value codes) {
  Value odd =
      arith::AndIOp::create(b, arith::IndexCastOp::create(b, b.getI32Type(), t), word(1));
  if (op.getE2m1()) {
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

/// Registers of the right operand of both column tiles, for `steps` steps from k on.
std::array<Words, kColumnTiles> ScaledProduct::weights(int64_t k, int64_t steps) {
  constexpr int64_t kColumnBytes = 4;
  int64_t perWord = 32 / op.getBits(), own = steps / 4;
  Value column = program.mul(g, program.index(kColumnTiles * kColumnBytes));
  Value row = program.index(k / perWord);
  if (own >= perWord)
    row = program.add(row, program.mul(t, program.index(own / perWord)));
  else
    row = program.add(row, b.createOrFold<arith::ShRUIOp>(t, program.index(1)));
  auto loadWords = [&](Value at) {
    Value from = pointer(op.getRhs(), at, column);
    int64_t bytes = kColumnTiles * kColumnBytes;
    Value both = LLVM::LoadOp::create(b, VectorType::get(2, b.getI32Type()), from,
                                      std::min(staged(op.getRhs()).alignment, bytes));
    return std::array<Value, kColumnTiles>{
        LLVM::ExtractElementOp::create(b, both, word(0)),
        LLVM::ExtractElementOp::create(b, both, word(1))};
  };
  std::array<Words, kColumnTiles> registers;
  for (int64_t i = 0; i < std::max<int64_t>(own / perWord, 1); ++i)
    for (auto [into, codes] :
         llvm::zip(registers, loadWords(program.add(row, program.index(i))))) {
      if (op.getBits() == 8)
        into.push_back(codes);
      else if (own == perWord)
        into = unpack(codes);
      else
        into.push_back(unpackHalf(codes));
    }
  return registers;
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

/// Minus the zero points, times the totals of the rows' codes.
void ScaledProduct::beginAccumulators() {
  Values none(4, word(0));
  accumulators.resize(llvm::divideCeil(ownRows, 2), {none, none});
  for (int64_t column = 0; column < kOwnColumns; ++column) {
    Value minus = b.createOrFold<arith::SubIOp>(word(0), columnZeros[column]);
    for (int64_t row = 0; row < ownRows; ++row)
      sumOf(row, column) = arith::MulIOp::create(b, minus, rowTotals[row]);
  }
}

Value ScaledProduct::multiplyTile(ArrayRef<Value> left, ArrayRef<Value> right,
                                  MutableArrayRef<Value> accumulators) {
  SmallVector<Value> operands(left);
  llvm::append_range(operands, right);
  llvm::append_range(operands, accumulators);
  Type result = LLVM::LLVMStructType::getLiteral(
      b.getContext(), SmallVector<Type>(accumulators.size(), b.getI32Type()));
  StringRef name = right.size() == 2 ? "llvm.nvvm.mma.m16n8k32.row.col.s8.u8"
                                     : "llvm.nvvm.mma.m16n8k16.row.col.s8.u8";
  return LLVM::CallIntrinsicOp::create(b, result, b.getStringAttr(name), operands)
      .getResult(0);
}

void ScaledProduct::multiply(int64_t k, int64_t steps) {
  auto right = weights(k, steps);
  for (int64_t tile = 0; tile < int64_t(accumulators.size()); ++tile) {
    Words above = activations(2 * tile, k, steps), below(above.size(), word(0));
    if (2 * tile + 1 < ownRows)
      below = activations(2 * tile + 1, k, steps);
    SmallVector<Value> left; // rows below come second, later steps of K third
    for (auto [one, other] : llvm::zip(above, below))
      left.append({one, other});
    for (auto [words, own] : llvm::zip(right, accumulators[tile])) {
      Value product = multiplyTile(left, words, own);
      for (auto [i, sum] : llvm::enumerate(own))
        sum = LLVM::ExtractValueOp::create(b, product, i);
    }
  }
}

Values ScaledProduct::run() {
  Value lane = program.team.rank;
  t = arith::AndIOp::create(b, lane, program.index(3));
  g = arith::ShRUIOp::create(b, lane, program.index(2));
  openRows();
  openColumns();
  beginAccumulators();
  int64_t k = 0;
  for (; k + kLong <= block; k += kLong)
    multiply(k, kLong);
  if (k < block)
    multiply(k, kShort);
  Values result = program.fragment(op.getAccumulator()).registers;
  for (int64_t row = 0; row < ownRows; ++row)
    for (int64_t column = 0; column < kOwnColumns; ++column) {
      Value scale = arith::MulFOp::create(b, rowScales[row], columnScales[column]);
      Value sum = arith::SIToFPOp::create(b, b.getF32Type(), sumOf(row, column));
      Value &into = result[row * kOwnColumns + column];
      into = math::FmaOp::create(b, scale, sum, into);
    }
  return result;
}

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

void ScaledProductLowering::lower(tile::ScaledMmaOp op) {
  tile::FragType type = op.getType();
  auto lhs = cast<tile::StagedType>(op.getLhs().getType());
  if (type.getColumns() != kColumnTiles * kTileColumns || type.getRows() % kHalfRows ||
      lhs.getShape()[1] % kShort)
    return program.fail(op, "a product of codes that is not of 16 columns, multiples of "
                            "8 rows and blocks of a multiple of 16 steps");
  Layout layout = program.layoutOf(type);
  if (program.team.threads != program.target.gpu->warpThreads ||
      layout != Layout::scaledAccumulator(type.getRows()))
    return program.fail(op, "a product of codes that no warp computes");
  if (!llvm::all_of(op->getOperands(), [](Value operand) {
        return !isa<tile::StagedType>(operand.getType()) ||
               operand.getDefiningOp<tile::StageOp>();
      }))
    return program.fail(op, "codes that are not read where they lie");
  program.converge();
  program.define(op.getResult(), {layout, ScaledProduct(program, op).run()});
}
