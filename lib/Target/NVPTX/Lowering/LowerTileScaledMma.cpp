//===- LowerTileScaledMma.cpp - MMA of quantized operands -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp multiplies 16 columns by mma.sync of s8 by u8, a block of K at a time;
// ScaledProduct.h has the layout of operands in lanes.
//
//===----------------------------------------------------------------------===//

#include "ScaledProduct.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

namespace {
/// Lowering of one tile.scaled_mma with integer operands.
class CodeProduct : ScaledProduct {
public:
  CodeProduct(ThreadProgram &program, tile::ScaledMmaOp op)
      : ScaledProduct(program, op) {}

  Values run();

private:
  void openScales();
  Words activations(int64_t row, int64_t k, int64_t steps);
  void beginAccumulators();
  void multiply(int64_t k, int64_t steps);
  Value multiplyTile(ArrayRef<Value> left, ArrayRef<Value> right,
                     MutableArrayRef<Value> accumulators);
  /// Returns the accumulator register of a row of the lane (0 or 1) and one of its
  /// columns.
  Value &sumOf(int64_t row, int64_t column) {
    return accumulators[row / 2][column % kColumnTiles]
                       [row % 2 * 2 + column / kColumnTiles];
  }

  Values rowScales, rowTotals, scales, columnZeros;
  SmallVector<std::array<Values, kColumnTiles>> accumulators; ///< i32, by tile of rows
};
} // namespace

/// Loads scales. Rows outside of the operand get the scale 0.
void CodeProduct::openScales() {
  Value none = arith::ConstantOp::create(b, b.getF32FloatAttr(0)),
        zero = program.index(0);
  for (int64_t i = 0; i < ownRows; ++i) {
    Value scale = load(op.getLhsScales(), b.getF32Type(), rows[i], zero, 1).front();
    if (Value isRow = exists(i))
      scale = arith::SelectOp::create(b, isRow, scale, none);
    rowScales.push_back(scale);
    rowTotals.push_back(
        load(op.getLhsTotals(), b.getI32Type(), rows[i], zero, 1).front());
  }
  scales = columnScales();
  if (!op.getRhsZeros()) {
    columnZeros.assign(kOwnColumns, word(op.getDefaultZero()));
    return;
  }
  Value first = program.mul(t, program.index(kOwnColumns));
  for (Value stored : load(op.getRhsZeros(), b.getI8Type(), zero, first, kOwnColumns))
    columnZeros.push_back(arith::ExtUIOp::create(b, b.getI32Type(), stored));
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Loads registers of operand A, four K indices each: two registers for m16n8k32.
ScaledProduct::Words CodeProduct::activations(int64_t row, int64_t k, int64_t steps) {
  int64_t each = steps / 4;
  Value column = program.add(program.mul(t, program.index(each)), program.index(k));
  return loadWords(op.getLhs(), pointer(op.getLhs(), rows[row], column), each / 4);
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

/// Initializes accumulators to -zero point * sum of the row's quantized activations.
void CodeProduct::beginAccumulators() {
  Values none(4, word(0));
  accumulators.resize(llvm::divideCeil(ownRows, 2), {none, none});
  for (int64_t column = 0; column < kOwnColumns; ++column) {
    Value minus = b.createOrFold<arith::SubIOp>(word(0), columnZeros[column]);
    for (int64_t row = 0; row < ownRows; ++row)
      sumOf(row, column) = arith::MulIOp::create(b, minus, rowTotals[row]);
  }
}

Value CodeProduct::multiplyTile(ArrayRef<Value> left, ArrayRef<Value> right,
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

void CodeProduct::multiply(int64_t k, int64_t steps) {
  auto right = codes(k, steps);
  for (int64_t tile = 0; tile < int64_t(accumulators.size()); ++tile) {
    Words above = activations(2 * tile, k, steps), below(above.size(), word(0));
    if (2 * tile + 1 < ownRows)
      below = activations(2 * tile + 1, k, steps);
    SmallVector<Value> left; // order a0 to a3: row g, row g + 8, then both for later K
    for (auto [one, other] : llvm::zip(above, below))
      left.append({one, other});
    for (auto [words, own] : llvm::zip(right, accumulators[tile])) {
      Value product = multiplyTile(left, words, own);
      for (auto [i, sum] : llvm::enumerate(own))
        sum = LLVM::ExtractValueOp::create(b, product, i);
    }
  }
}

Values CodeProduct::run() {
  openScales();
  beginAccumulators();
  forSteps([&](int64_t k, int64_t steps) { multiply(k, steps); });
  Values result = program.fragment(op.getAccumulator()).registers;
  for (int64_t row = 0; row < ownRows; ++row)
    for (int64_t column = 0; column < kOwnColumns; ++column) {
      Value scale = arith::MulFOp::create(b, rowScales[row], scales[column]);
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
  if (type.getColumns() != ScaledProduct::kColumnTiles * ScaledProduct::kTileColumns ||
      type.getRows() % ScaledProduct::kHalfRows ||
      lhs.getShape()[1] % ScaledProduct::kShort)
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
  using Multiplier = tile::ScaledMmaOp::Multiplier;
  if (op.getMultiplier() == Multiplier::Float4 && !program.target.gpu->hasBlockScaledMma)
    return program.fail(op, "a product of f4E2M1FN with scales in bytes, which only "
                            "sm_120a multiplies");
  program.converge();
  auto multiplied = [&] {
    switch (op.getMultiplier()) {
    case Multiplier::Integers:
      return CodeProduct(program, op).run();
    case Multiplier::Halves:
      return multiplyHalves(program, op);
    case Multiplier::Float8:
      return multiplyFloat8(program, op);
    case Multiplier::Float4:
      return multiplyFloat4(program, op);
    }
    llvm_unreachable("every type has a multiplier");
  };
  program.define(op.getResult(), {layout, multiplied()});
}
