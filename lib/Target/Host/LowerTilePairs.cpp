//===- LowerTilePairs.cpp - Matrix multiplications of bf16 by pairs -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers tile.mma with `pairs`: vdpbf16ps multiplies steps k and k + 1 of K. Two rows of
// B are interleaved in registers, once for all rows of the tile; two contiguous elements
// of a row of A are 32 bits, which are broadcast.
//
//===----------------------------------------------------------------------===//

#include "LowerTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::host;

/// Maximum static K for which the loop is fully unrolled.
static constexpr int64_t kUnrolledPairSteps = 8;

/// Returns true if an index is even in every iteration of the loops around it.
static bool isEven(Value value, int depth = 8) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant % 2 == 0;
  if (depth == 0)
    return false;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getInductionVar() &&
           isEven(loop.getLowerBound(), depth - 1) && isEven(loop.getStep(), depth - 1);
  }
  Operation *op = value.getDefiningOp();
  auto even = [&](Value operand) { return isEven(operand, depth - 1); };
  if (isa<arith::MulIOp>(op))
    return llvm::any_of(op->getOperands(), even);
  if (isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp>(op))
    return llvm::all_of(op->getOperands(), even);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return even(select.getTrueValue()) && even(select.getFalseValue());
  return false;
}

/// Returns the type of an operand of vdpbf16ps for `columns` sums.
static VectorType pairsType(OpBuilder &b, int64_t columns) {
  return VectorType::get(2 * columns, b.getBF16Type());
}

Value MmaLowering::loadPairs(const LoweredStaged &lhs, int64_t row, Value k, bool isOne,
                             int64_t columns) {
  Value begin = program.gep(lhs.pointer, lhs.element,
                            program.mul(program.index(row), lhs.strides[0]));
  unsigned alignment = tile::elementBytes(lhs.element);
  auto load = [&](Type type, Value step) {
    Value place = program.gep(begin, lhs.element, program.mul(step, lhs.strides[1]));
    return LLVM::LoadOp::create(b, type, place, alignment).getResult();
  };
  auto wide = [&](Value half) {
    return arith::ExtUIOp::create(b, b.getI32Type(), half).getResult();
  };
  Value pair;
  if (isOne) {
    pair = wide(load(b.getI16Type(), k));
  } else if (getConstantIntValue(lhs.strides[1]) == 1) {
    pair = load(b.getI32Type(), k);
  } else {
    Value odd = wide(load(b.getI16Type(), program.add(k, program.index(1))));
    Value sixteen = arith::ConstantIntOp::create(b, 16, 32);
    pair = arith::OrIOp::create(b, wide(load(b.getI16Type(), k)),
                                arith::ShLIOp::create(b, odd, sixteen));
  }
  return LLVM::BitcastOp::create(b, pairsType(b, columns), program.splat(pair, columns));
}

Value MmaLowering::loadPairRows(const LoweredStaged &rhs, Value k, bool isOne,
                                int64_t columns) {
  Value even = loadStoredRow(rhs, k, columns);
  Value odd =
      isOne ? arith::ConstantOp::create(b, b.getZeroAttr(even.getType())).getResult()
            : loadStoredRow(rhs, program.add(k, program.index(1)), columns);
  SmallVector<int64_t> lanes;
  for (int64_t column = 0; column < columns; ++column)
    lanes.append({column, columns + column});
  Value both = vector::ShuffleOp::create(b, even, odd, lanes);
  return LLVM::BitcastOp::create(b, pairsType(b, columns), both);
}

SmallVector<Rows> MmaLowering::pairStep(ArrayRef<tile::MmaOp> group, Value k, bool isOne,
                                        ArrayRef<Rows> accumulators) {
  SmallVector<Value> panels;
  for (tile::MmaOp mma : group)
    panels.push_back(loadPairRows(program.staged.find(mma.getRhs())->second, k, isOne,
                                  mma.getType().getColumns()));
  SmallVector<Rows> results(group.size());
  llvm::DenseMap<std::pair<Value, int64_t>, Value> broadcasts;
  tile::MmaOp first = group.front();
  for (int64_t r = 0; r < first.getType().getRows(); ++r)
    for (size_t i = 0; i < group.size(); ++i) {
      tile::MmaOp mma = group[i];
      int64_t columns = mma.getType().getColumns();
      const LoweredStaged &lhs = program.staged.find(mma.getLhs())->second;
      Value &factor = broadcasts[{mma.getLhs(), r}];
      if (!factor)
        factor = loadPairs(lhs, r, k, isOne, columns);
      auto name =
          b.getStringAttr("llvm.x86.avx512bf16.dpbf16ps." + std::to_string(32 * columns));
      Value sum = accumulators[i][r];
      results[i].push_back(
          LLVM::CallIntrinsicOp::create(b, sum.getType(), name, {sum, factor, panels[i]})
              .getResult(0));
    }
  return results;
}

SmallVector<Rows> MmaLowering::lowerPairs(ArrayRef<tile::MmaOp> group, Value extent,
                                          ArrayRef<Rows> initial) {
  SmallVector<Rows> sums(initial);
  std::optional<int64_t> fixed = getConstantIntValue(extent);
  if (fixed && *fixed <= kUnrolledPairSteps) {
    for (int64_t k = 0; k < *fixed; k += 2)
      sums = pairStep(group, program.index(k), k + 1 == *fixed, sums);
    return sums;
  }
  bool isWhole = isEven(extent);
  Value one = program.index(1), end = extent;
  if (!isWhole)
    end = arith::SubIOp::create(b, extent, arith::AndIOp::create(b, extent, one));
  auto loop =
      scf::ForOp::create(b, program.index(0), end, program.index(2), concatRows(sums));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    SmallVector<Rows> carried = splitRows(loop.getRegionIterArgs(), sums);
    scf::YieldOp::create(
        b, concatRows(pairStep(group, loop.getInductionVar(), /*isOne=*/false, carried)));
  }
  sums = splitRows(loop.getResults(), sums);
  if (isWhole)
    return sums;
  Value isOdd = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, end, extent);
  auto branch = scf::IfOp::create(b, loop.getResultTypes(), isOdd, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, concatRows(pairStep(group, end, /*isOne=*/true, sums)));
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, concatRows(sums));
  return splitRows(branch.getResults(), sums);
}
