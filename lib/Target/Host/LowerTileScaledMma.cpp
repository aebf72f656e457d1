//===- LowerTileScaledMma.cpp - MMA of quantized operands -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector register of 32-bit lanes holds the integer accumulators of one column per
// lane. The weight's bytes are unsigned and packed as lanes of four K indices, so one
// byte multiplication by four broadcast activations of a row accumulates four K indices
// of every column: vpdpbusd with VNNI. Without VNNI, vpmaddubsw adds two 16-bit results,
// which 4-bit values cannot overflow, and vpmaddwd adds two of those; 8-bit values could
// overflow and are multiplied as 16 bits. With AMX, accumulators of 16 or 8 rows are
// computed in tile registers. With f16 or bf16 activations, both operands are converted
// to f32 (weights minus their zero points, four K indices per register of words);
// f8E4M3FN is converted to f32 for both operands.
//
//===----------------------------------------------------------------------===//

#include "LowerTile.h"
#include "dialects/Types/FloatFormat.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::host;

namespace {
/// Lowers tile.scaled_mma ops with the same rows and number of columns: a row's
/// activations are broadcast once for all of them.
class ScaledProduct {
public:
  ScaledProduct(HostProgram &program, const DotProducts &isa, IntegerTiles &tiles,
                ArrayRef<tile::ScaledMmaOp> ops)
      : program(program), b(program.b), isa(isa), tiles(tiles), ops(ops), op(ops.front()),
        rows(op.getType().getRows()), columns(op.getType().getColumns()),
        lanes(std::min<int64_t>(isa.vectorBytes / 4, columns)),
        parts(ops.size() * columns / lanes) {}

  /// Computes in integers and binds the results.
  void run();
  /// Computes in f32 and binds the results: activations are not integers.
  void runNumbers();

private:
  const LoweredStaged &staged(Value operand) {
    return program.staged.find(operand)->second;
  }
  /// Returns the address of an element of a staged tile.
  Value pointer(Value operand, Value row, Value column);
  Value pointer(Value operand, int64_t row, int64_t column) {
    return pointer(operand, program.index(row), program.index(column));
  }
  Value load(Value operand, Type type, int64_t row, int64_t column) {
    return LLVM::LoadOp::create(b, type, pointer(operand, row, column), 1);
  }
  VectorType bytes() { return VectorType::get(4 * lanes, b.getI8Type()); }
  VectorType words() { return VectorType::get(lanes, b.getI32Type()); }
  VectorType halves() { return VectorType::get(2 * lanes, b.getI16Type()); }
  Value splatWords(int64_t value) {
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(words(), b.getI32IntegerAttr(int32_t(value))));
  }
  Value splatHalves(int64_t value) {
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(halves(), b.getI16IntegerAttr(int16_t(value))));
  }
  Value splatBytes(int64_t value) {
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(bytes(), b.getI8IntegerAttr(int8_t(value))));
  }
  int64_t stepsOfWord() { return 32 / op.getBits(); }
  int64_t block() { return cast<tile::StagedType>(op.getLhs().getType()).getShape()[1]; }
  /// A register of columns; all ops have the same number of them.
  struct Part {
    tile::ScaledMmaOp op;
    int64_t first; ///< column
  };
  Part part(int64_t number) {
    int64_t perOp = columns / lanes;
    return {ops[number / perOp], number % perOp * lanes};
  }
  /// Returns the negated zero points of a part, in the form that `begin` takes.
  Value negativeZeros(const Part &part);
  /// Returns the initial accumulator of a row: the sum of its quantized activations times
  /// the negated zero points of a part's columns.
  Value begin(int64_t row, Value negativeZeros);
  VectorType floats() { return VectorType::get(lanes, b.getF32Type()); }
  /// Returns the activation at K index `step` of a word, in all lanes, in f32.
  Value activation(int64_t row, Value word, int64_t step);
  /// Returns the weights of one of four K indices minus their zero points, in f32.
  Value number(Value codes, int64_t step, Value zeros);
  /// Converts byte `step` of each word, which is f8E4M3FN, to f32.
  Value widenE4m3(Value words, int64_t step);
  Value zeros(const Part &part);
  /// Accumulates all K for all rows and parts: in vector registers or in AMX tiles.
  SmallVector<Value> multiplyRegisters(SmallVector<Value> integers);
  SmallVector<Value> multiplyTiles(SmallVector<Value> integers);
  /// Loads the quantized weights of a word of a part: one register, or two for 4-bit
  /// values.
  SmallVector<Value> codes(Value word, const Part &part);
  using WordBody = function_ref<void(Value word, MutableArrayRef<Value> sums)>;
  /// Runs `body`, which updates the accumulators, for all words of the block. If there
  /// are few accumulators, a loop is unrolled by `straight` words.
  SmallVector<Value> forWords(SmallVector<Value> sums, int64_t straight, WordBody body);
  /// Runs `body` for the words up to `end` in a loop unrolled by `step` words.
  SmallVector<Value> loopOverWords(SmallVector<Value> sums, int64_t end, int64_t step,
                                   WordBody body);
  /// Returns the K index in the block of element `step` of a word.
  Value stepOf(Value word, int64_t step);
  /// Maps f4E2M1FN to the unsigned integers that are multiplied (e2m1FromZero), by a
  /// table lookup per 16 bytes.
  Value lookUpE2m1(Value codes);
  /// Returns the accumulators plus four K indices of weight * activations.
  Value multiply(Value integers, Value weight, Value activations);
  Value callIntrinsic(StringRef name, Type result, ValueRange operands);
  Value productsOfHalves(Value lhs, Value rhs);
  /// Returns integers + lhs * rhs of 16-bit elements.
  Value multiplyHalves(Value integers, Value lhs, Value rhs);
  Value widenScales(Value narrow, Type from);
  Value columnScales(tile::ScaledMmaOp op);
  Value joined(ArrayRef<Value> parts);
  /// Returns the elements of `sums`, by rows and parts, that belong to a row of op
  /// `number`.
  ArrayRef<Value> partsOf(ArrayRef<Value> sums, int64_t row, int64_t number) {
    int64_t perOp = columns / lanes;
    return sums.slice(row * parts + number * perOp, perOp);
  }
  /// Scales a row's integer accumulators, given as parts, and adds them to its
  /// accumulator.
  Value finish(ArrayRef<Value> parts, Value columnScales, int64_t row, Value accumulator);

  HostProgram &program;
  ImplicitLocOpBuilder &b;
  const DotProducts &isa;
  IntegerTiles &tiles;
  ArrayRef<tile::ScaledMmaOp> ops;
  tile::ScaledMmaOp op; ///< of `ops`, the first
  int64_t rows, columns, lanes, parts;
};
} // namespace

Value ScaledProduct::pointer(Value operand, Value row, Value column) {
  const LoweredStaged &tile = staged(operand);
  Value at = program.add(program.mul(row, tile.strides[0]),
                         program.mul(column, tile.strides[1]));
  return program.gep(tile.pointer, tile.element, at);
}

Value ScaledProduct::callIntrinsic(StringRef name, Type result, ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(b, result, b.getStringAttr(name), operands)
      .getResult(0);
}

/// Maximum block for which a row's sum fits 16 bits: magnitudes are at most 128.
static constexpr int64_t kNarrowTotals = 32767 / 128;

Value ScaledProduct::zeros(const Part &part) {
  if (!op.getRhsZeros())
    return splatWords(op.getDefaultZero());
  auto type = VectorType::get(lanes, b.getI8Type());
  tile::ScaledMmaOp own = part.op;
  Value narrow = load(own.getRhsZeros(), type, 0, part.first);
  return arith::ExtUIOp::create(b, words(), narrow);
}

Value ScaledProduct::negativeZeros(const Part &part) {
  Value negative = arith::SubIOp::create(b, splatWords(0), zeros(part));
  if (block() > kNarrowTotals)
    return negative;
  return arith::AndIOp::create(b, negative, splatWords(0xffff));
}

/// A 16-bit multiplication is one instruction, a 32-bit one two slow ones.
Value ScaledProduct::begin(int64_t row, Value negativeZeros) {
  Value total = program.splat(load(op.getLhsTotals(), b.getI32Type(), row, 0), lanes);
  if (block() > kNarrowTotals)
    return arith::MulIOp::create(b, negativeZeros, total);
  return productsOfHalves(LLVM::BitcastOp::create(b, halves(), negativeZeros),
                          LLVM::BitcastOp::create(b, halves(), total));
}

SmallVector<Value> ScaledProduct::codes(Value word, const Part &part) {
  tile::ScaledMmaOp own = part.op;
  Value at = pointer(own.getRhs(), word, program.index(4 * part.first));
  Value loaded = LLVM::LoadOp::create(b, words(), at, 1);
  auto asBytes = [&](Value value) -> Value {
    return LLVM::BitcastOp::create(b, bytes(), value);
  };
  if (op.getBits() == 8)
    return {asBytes(loaded)};
  Value shifted = arith::ShRUIOp::create(b, loaded, splatWords(4)), mask = splatBytes(15);
  Value low = arith::AndIOp::create(b, asBytes(loaded), mask),
        high = arith::AndIOp::create(b, asBytes(shifted), mask);
  if (op.looksUpCodes())
    return {lookUpE2m1(low), lookUpE2m1(high)};
  return {low, high};
}

Value ScaledProduct::lookUpE2m1(Value codes) {
  SmallVector<int8_t> table;
  for (int64_t i = 0; i < 4 * lanes; ++i)
    table.push_back(e2m1FromZero(i % 16));
  Value numbers = arith::ConstantOp::create(
      b, DenseElementsAttr::get(bytes(), ArrayRef<int8_t>(table)));
  return callIntrinsic(lanes == 16  ? "llvm.x86.avx512.pshuf.b.512"
                       : lanes == 8 ? "llvm.x86.avx2.pshuf.b"
                                    : "llvm.x86.ssse3.pshuf.b.128",
                       bytes(), {numbers, codes});
}

/// Multiplies 16-bit elements and adds the two results of each 32-bit lane.
Value ScaledProduct::productsOfHalves(Value lhs, Value rhs) {
  return callIntrinsic(lanes == 16 ? "llvm.x86.avx512.pmaddw.d.512"
                                   : "llvm.x86.avx2.pmadd.wd",
                       words(), {lhs, rhs});
}

Value ScaledProduct::multiplyHalves(Value integers, Value lhs, Value rhs) {
  return arith::AddIOp::create(b, integers, productsOfHalves(lhs, rhs));
}

Value ScaledProduct::multiply(Value integers, Value weight, Value activations) {
  Value x = LLVM::BitcastOp::create(b, bytes(), activations);
  if (isa.hasVnni)
    return callIntrinsic("llvm.x86.avx512.vpdpbusd." + std::to_string(32 * lanes),
                         words(), {integers, weight, x});
  auto multiplyBytes = [&](Value unsignedBytes, Value signedBytes) {
    return callIntrinsic(lanes == 16 ? "llvm.x86.avx512.pmaddubs.w.512"
                                     : "llvm.x86.avx2.pmadd.ub.sw",
                         halves(), {unsignedBytes, signedBytes});
  };
  if (op.getBits() == 4)
    return multiplyHalves(integers, multiplyBytes(weight, x), splatHalves(1));
  // Multiplies bytes 0 and 2 of each lane, then 1 and 3. vpmaddubsw by bytes 1, 0, 1, 0
  // ... sign-extends the former in one instruction.
  Value eight = splatHalves(8);
  Value w = LLVM::BitcastOp::create(b, halves(), weight),
        y = LLVM::BitcastOp::create(b, halves(), activations);
  Value even = multiplyBytes(LLVM::BitcastOp::create(b, bytes(), splatHalves(1)), x);
  integers =
      multiplyHalves(integers, arith::AndIOp::create(b, w, splatHalves(255)), even);
  return multiplyHalves(integers, arith::ShRUIOp::create(b, w, eight),
                        arith::ShRSIOp::create(b, y, eight));
}

/// Converts f8E4M3FN or f8E8M0FNU bytes to f32 by moving their bits.
Value ScaledProduct::widenScales(Value narrow, Type from) {
  auto wide = VectorType::get(columns, b.getI32Type()),
       floats = VectorType::get(columns, b.getF32Type());
  auto splat = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(wide, b.getI32IntegerAttr(value)));
  };
  Value bits = arith::ExtUIOp::create(b, wide, narrow);
  if (isPowerOfTwoType(from)) {
    // 2^-127 is subnormal in f32: its bits are 1 << 22.
    Value exponent = arith::ShLIOp::create(b, bits, splat(23));
    return LLVM::BitcastOp::create(b, floats,
                                   arith::MaxUIOp::create(b, exponent, splat(1 << 22)));
  }
  // Corrects the exponent's bias from 127 to 7, also for subnormal values.
  Value small =
      LLVM::BitcastOp::create(b, floats, arith::ShLIOp::create(b, bits, splat(20)));
  Value power = arith::ConstantOp::create(
      b, DenseElementsAttr::get(floats, b.getF32FloatAttr(0x1p120f)));
  return arith::MulFOp::create(b, small, power);
}

/// Returns the scales of all columns of an op, in f32.
Value ScaledProduct::columnScales(tile::ScaledMmaOp op) {
  Type element = staged(op.getRhsScales()).element, f32 = b.getF32Type();
  Value loaded =
      load(op.getRhsScales(), VectorType::get(columns, memoryType(element)), 0, 0);
  if (std::optional<Type> narrow = op.getScaleType())
    return widenScales(loaded, *narrow);
  Value scales = fromMemory(b, loaded, element);
  if (element.isF32())
    return scales;
  return arith::ExtFOp::create(b, VectorType::get(columns, f32), scales);
}

/// Computes by AMX. A tile row is 64 bytes: four K indices of every column, the layout of
/// 8-bit weights in memory; 4-bit weights are unpacked to the stack.
SmallVector<Value> ScaledProduct::multiplyTiles(SmallVector<Value> integers) {
  const LoweredStaged &rhs = staged(op.getRhs());
  auto read = [&](int64_t word, int64_t count) -> IntegerTiles::Words {
    if (op.getBits() == 8)
      return {pointer(op.getRhs(), word, 0), program.toI64(rhs.strides[0])};
    Value buffer = tiles.wordBuffer();
    int64_t row = 0, rowBytes = 4 * lanes;
    for (int64_t packed = word / 2; packed < (word + count) / 2; ++packed)
      for (Value four : codes(program.index(packed), part(0)))
        LLVM::StoreOp::create(
            b, four, program.gep(buffer, b.getI8Type(), program.index(rowBytes * row++)),
            rowBytes);
    return {buffer, program.toI64(program.index(rowBytes))};
  };
  Rows products = tiles.multiply(staged(op.getLhs()), rows, block(), read);
  for (auto [sum, product] : llvm::zip(integers, products))
    sum = arith::AddIOp::create(b, sum, product);
  return integers;
}

/// With this many accumulators, the multiplications of one word hide each other's
/// latency.
static constexpr int64_t kLoopSums = 8;
/// Words of a block of 128 8-bit values. Longer blocks, up to an entire row of K with one
/// scale, would take minutes to compile and not fit the instruction cache.
static constexpr int64_t kStraightWords = 32;
/// In f32, a word takes four multiplications per accumulator and unpacks its operands.
static constexpr int64_t kStraightNumbers = 4;

/// Emits a loop without unrolling if there are enough accumulators: in straight-line code
/// LLVM's scheduler would compute the first row for all words and spill the operands of
/// the other rows.
SmallVector<Value> ScaledProduct::forWords(SmallVector<Value> sums, int64_t straight,
                                           WordBody body) {
  int64_t count = block() / stepsOfWord();
  int64_t step = int64_t(sums.size()) < kLoopSums ? straight : 1;
  int64_t whole = count > step ? count / step * step : 0;
  if (whole > 0)
    sums = loopOverWords(std::move(sums), whole, step, body);
  for (int64_t word = whole; word < count; ++word)
    body(program.index(word), sums);
  return sums;
}

SmallVector<Value> ScaledProduct::loopOverWords(SmallVector<Value> sums, int64_t end,
                                                int64_t step, WordBody body) {
  auto loop = scf::ForOp::create(b, program.index(0), program.index(end),
                                 program.index(step), sums);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> carried(loop.getRegionIterArgs());
  for (int64_t word = 0; word < step; ++word)
    body(program.add(loop.getInductionVar(), program.index(word)), carried);
  scf::YieldOp::create(b, carried);
  return SmallVector<Value>(loop.getResults());
}

Value ScaledProduct::stepOf(Value word, int64_t step) {
  return program.add(program.mul(word, program.index(stepsOfWord())),
                     program.index(step));
}

SmallVector<Value> ScaledProduct::multiplyRegisters(SmallVector<Value> integers) {
  auto add = [&](Value word, MutableArrayRef<Value> sums) {
    SmallVector<SmallVector<Value>> weights;
    for (int64_t p = 0; p < parts; ++p)
      weights.push_back(codes(word, part(p)));
    for (size_t i = 0; i < weights.front().size(); ++i)
      for (int64_t m = 0; m < rows; ++m) {
        Value at = pointer(op.getLhs(), program.index(m), stepOf(word, 4 * i));
        Value quad = LLVM::LoadOp::create(b, b.getI32Type(), at, 1),
              everywhere = program.splat(quad, lanes);
        for (int64_t p = 0; p < parts; ++p)
          sums[m * parts + p] = multiply(sums[m * parts + p], weights[p][i], everywhere);
      }
  };
  return forWords(std::move(integers), kStraightWords, add);
}

void ScaledProduct::run() {
  SmallVector<Value> zeros, integers;
  for (int64_t p = 0; p < parts; ++p)
    zeros.push_back(negativeZeros(part(p)));
  for (int64_t m = 0; m < rows; ++m)
    for (int64_t p = 0; p < parts; ++p)
      integers.push_back(begin(m, zeros[p]));
  if (isa.hasTiles && tiles.takes(rows, columns, block()))
    integers = multiplyTiles(std::move(integers));
  else
    integers = multiplyRegisters(std::move(integers));
  for (auto [number, own] : llvm::enumerate(ops)) {
    tile::ScaledMmaOp mma = own;
    Value scales = columnScales(mma);
    Rows result = program.frags.find(mma.getAccumulator())->second;
    for (int64_t m = 0; m < rows; ++m)
      result[m] = finish(partsOf(integers, m, number), scales, m, result[m]);
    program.frags[mma.getResult()] = std::move(result);
  }
}

/// Keeps the sign and moves exponent and mantissa to their place in f32, which gives the
/// value times 2^-120. NaN becomes 480: weights have no NaN, and the scale of a row with
/// a NaN is NaN.
Value ScaledProduct::widenE4m3(Value words, int64_t step) {
  constexpr int64_t kSignAndFields = int32_t(0x87f00000);
  if (step < 3)
    words = arith::ShLIOp::create(b, words, splatWords(24 - 8 * step));
  words = arith::ShRSIOp::create(b, words, splatWords(4));
  words = arith::AndIOp::create(b, words, splatWords(kSignAndFields));
  Value power = arith::ConstantOp::create(
      b, DenseElementsAttr::get(floats(), b.getF32FloatAttr(0x1p120f)));
  return arith::MulFOp::create(b, LLVM::BitcastOp::create(b, floats(), words), power);
}

Value ScaledProduct::activation(int64_t row, Value word, int64_t step) {
  auto loadAt = [&](Type type, int64_t step) -> Value {
    Value at = pointer(op.getLhs(), program.index(row), stepOf(word, step));
    return LLVM::LoadOp::create(b, type, at, 1);
  };
  if (op.getMultiplier() == tile::ScaledMmaOp::Multiplier::Float8) {
    Value quad = loadAt(b.getI32Type(), step / 4 * 4);
    return widenE4m3(program.splat(quad, lanes), step % 4);
  }
  Type element = staged(op.getLhs()).element;
  Value x = fromMemory(b, loadAt(memoryType(element), step), element);
  return program.splat(arith::ExtFOp::create(b, b.getF32Type(), x), lanes);
}

Value ScaledProduct::number(Value codes, int64_t step, Value zeros) {
  Value code = LLVM::BitcastOp::create(b, words(), codes);
  if (op.multipliesBytes())
    return widenE4m3(code, step);
  if (step > 0)
    code = arith::ShRUIOp::create(b, code, splatWords(8 * step));
  if (step < 3)
    code = arith::AndIOp::create(b, code, splatWords(255));
  return arith::SIToFPOp::create(b, floats(), arith::SubIOp::create(b, code, zeros));
}

void ScaledProduct::runNumbers() {
  SmallVector<Value> ofColumns;
  for (int64_t p = 0; p < parts; ++p)
    ofColumns.push_back(zeros(part(p)));
  Value none = arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(floats())));
  SmallVector<Value> sums(rows * parts, none);
  auto add = [&](Value word, MutableArrayRef<Value> sums) {
    for (int64_t p = 0; p < parts; ++p)
      for (auto [i, quad] : llvm::enumerate(codes(word, part(p))))
        for (int64_t step = 0; step < 4; ++step) {
          Value weight = number(quad, step, ofColumns[p]);
          for (int64_t m = 0; m < rows; ++m) {
            Value &sum = sums[m * parts + p];
            sum = math::FmaOp::create(b, activation(m, word, 4 * i + step), weight, sum);
          }
        }
  };
  sums = forWords(std::move(sums), kStraightNumbers, add);
  for (auto [number, own] : llvm::enumerate(ops)) {
    tile::ScaledMmaOp mma = own;
    Value scales = mma.getRhsScales() ? columnScales(mma) : Value();
    Rows result = program.frags.find(mma.getAccumulator())->second;
    for (int64_t m = 0; m < rows; ++m) {
      Value sum = joined(partsOf(sums, m, number));
      result[m] = scales ? math::FmaOp::create(b, scales, sum, result[m]).getResult()
                         : arith::AddFOp::create(b, sum, result[m]).getResult();
    }
    program.frags[mma.getResult()] = std::move(result);
  }
}

/// Concatenates the lanes of all parts, whose number is a power of two.
Value ScaledProduct::joined(ArrayRef<Value> parts) {
  if (parts.size() == 1)
    return parts.front();
  Value low = joined(parts.take_front(parts.size() / 2)),
        high = joined(parts.drop_front(parts.size() / 2));
  auto all = llvm::to_vector(llvm::seq<int32_t>(0, parts.size() * lanes));
  return LLVM::ShuffleVectorOp::create(b, low, high, all);
}

Value ScaledProduct::finish(ArrayRef<Value> parts, Value columnScales, int64_t row,
                            Value accumulator) {
  Value whole = joined(parts);
  auto floats = VectorType::get(columns, b.getF32Type());
  Value sum = arith::SIToFPOp::create(b, floats, whole);
  Value own = program.splat(load(op.getLhsScales(), b.getF32Type(), row, 0), columns);
  Value scale = arith::MulFOp::create(b, own, columnScales);
  return math::FmaOp::create(b, scale, sum, accumulator);
}

/// Returns the op and those directly after it that multiply the same rows in vector
/// registers.
SmallVector<tile::ScaledMmaOp> ScaledMmaLowering::groupOf(tile::ScaledMmaOp first) {
  SmallVector<tile::ScaledMmaOp> group{first};
  int64_t block = cast<tile::StagedType>(first.getLhs().getType()).getShape()[1];
  tile::FragType type = first.getType();
  if (isa.hasTiles && tiles.takes(type.getRows(), type.getColumns(), block))
    return group;
  for (Operation *next = first->getNextNode(); next; next = next->getNextNode()) {
    auto mma = dyn_cast<tile::ScaledMmaOp>(next);
    if (!mma || mma.getLhs() != first.getLhs() || mma.getType() != type ||
        mma->getAttrDictionary() != first->getAttrDictionary() ||
        !program.frags.contains(mma.getAccumulator()))
      break;
    group.push_back(mma);
  }
  return group;
}

bool ScaledMmaLowering::lower(Operation *op) {
  auto mma = dyn_cast<tile::ScaledMmaOp>(op);
  if (!mma || done.contains(op))
    return mma != nullptr;
  int64_t columns = mma.getType().getColumns(), narrowest = 32 / 4;
  if (columns < narrowest || !llvm::isPowerOf2_64(columns))
    return program.fail(op, "columns that fill no registers"), true;
  if (mma.getMultiplier() == tile::ScaledMmaOp::Multiplier::Float4)
    return program.fail(op, "a product of f4E2M1FN with scales in bytes, which only "
                            "sm_120a multiplies"),
           true;
  SmallVector<tile::ScaledMmaOp> group = groupOf(mma);
  done.insert(group.begin(), group.end());
  ScaledProduct product(program, isa, tiles, group);
  if (llvm::isa<FloatType>(mma.getLhsType()))
    product.runNumbers();
  else
    product.run();
  return true;
}
