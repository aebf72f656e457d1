//===- LowerTilePairs.cpp - Matrix multiplications of bf16 by pairs -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers tile.mma by vdpbf16ps, which multiplies steps k and k + 1 of K. Two rows of
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

/// Maximum number of sums in a register.
static constexpr int64_t kMaxLanes = 16;

static int64_t lanesOf(int64_t columns) { return std::min(columns, kMaxLanes); }

/// Returns the type of an operand of vdpbf16ps.
static VectorType pairsType(OpBuilder &b, int64_t lanes) {
  return VectorType::get(2 * lanes, b.getBF16Type());
}

Value MmaLowering::loadPairs(const LoweredStaged &lhs, int64_t row, Value k, bool isOne,
                             int64_t lanes) {
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
  return LLVM::BitcastOp::create(b, pairsType(b, lanes), program.splat(pair, lanes));
}

SmallVector<Value> MmaLowering::loadPairRows(const LoweredStaged &rhs, Value k,
                                             bool isOne, int64_t columns) {
  Value even = loadStoredRow(rhs, k, columns);
  Value odd =
      isOne ? arith::ConstantOp::create(b, b.getZeroAttr(even.getType())).getResult()
            : loadStoredRow(rhs, program.add(k, program.index(1)), columns);
  int64_t lanes = lanesOf(columns);
  SmallVector<Value> registers;
  for (int64_t first = 0; first < columns; first += lanes) {
    SmallVector<int64_t> order;
    for (int64_t column = first; column < first + lanes; ++column)
      order.append({column, columns + column});
    Value both = vector::ShuffleOp::create(b, even, odd, order);
    registers.push_back(LLVM::BitcastOp::create(b, pairsType(b, lanes), both));
  }
  return registers;
}

/// Adds the pairs of a row of A by all columns to their sums, register by register.
Value MmaLowering::addPairs(Value sums, Value lhs, ArrayRef<Value> rhs) {
  auto all = cast<VectorType>(sums.getType());
  int64_t lanes = lanesOf(all.getNumElements());
  auto type = VectorType::get(lanes, all.getElementType());
  auto name =
      b.getStringAttr("llvm.x86.avx512bf16.dpbf16ps." + std::to_string(32 * lanes));
  auto add = [&](Value own, Value pairs) {
    return LLVM::CallIntrinsicOp::create(b, type, name, {own, lhs, pairs}).getResult(0);
  };
  if (rhs.size() == 1)
    return add(sums, rhs.front());
  for (auto [i, pairs] : llvm::enumerate(rhs)) {
    Value own = LLVM::vector_extract::create(b, type, sums, i * lanes);
    sums = LLVM::vector_insert::create(b, sums, add(own, pairs), i * lanes);
  }
  return sums;
}

SmallVector<Rows> MmaLowering::pairStep(ArrayRef<tile::MmaOp> group, Value k, bool isOne,
                                        ArrayRef<Rows> accumulators) {
  SmallVector<SmallVector<Value>> panels;
  for (tile::MmaOp mma : group)
    panels.push_back(loadPairRows(program.staged.find(mma.getRhs())->second, k, isOne,
                                  mma.getType().getColumns()));
  SmallVector<Rows> results(group.size());
  llvm::DenseMap<std::pair<Value, int64_t>, Value> broadcasts;
  tile::MmaOp first = group.front();
  for (int64_t r = 0; r < first.getType().getRows(); ++r)
    for (size_t i = 0; i < group.size(); ++i) {
      tile::MmaOp mma = group[i];
      const LoweredStaged &lhs = program.staged.find(mma.getLhs())->second;
      Value &pair = broadcasts[{mma.getLhs(), r}];
      if (!pair)
        pair = loadPairs(lhs, r, k, isOne, lanesOf(mma.getType().getColumns()));
      results[i].push_back(addPairs(accumulators[i][r], pair, panels[i]));
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
