//===- LowerTileMma.cpp - Matrix multiplications --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes outer products: per K index one vector load of B and, per row, a broadcast of
// A and a fused multiply-add. MMAs of one region with the same K run in the same loop, so
// that few rows and several panels have enough independent accumulators to hide latency.
//
//===----------------------------------------------------------------------===//

#include "LowerTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::host;

/// Maximum static K for which the loop is fully unrolled.
static constexpr int64_t kUnrollLimit = 4;

Value MmaLowering::widen(Value value, Type element, bool isUnsigned) {
  Type type = element;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(element);
  if (value.getType() == type)
    return value;
  if (isa<FloatType>(element) && isa<IntegerType>(getElementTypeOrSelf(value)))
    return isUnsigned ? arith::UIToFPOp::create(b, type, value).getResult()
                      : arith::SIToFPOp::create(b, type, value).getResult();
  if (isa<FloatType>(element))
    return arith::ExtFOp::create(b, type, value);
  if (isUnsigned)
    return arith::ExtUIOp::create(b, type, value);
  return arith::ExtSIOp::create(b, type, value);
}

Value MmaLowering::loadStoredRow(const LoweredStaged &operand, Value k, int64_t columns) {
  return memory.loadRow(rowsOf(operand), program.mul(k, operand.strides[0]), columns, {},
                        {}, {});
}

Value MmaLowering::loadStagedRow(const LoweredStaged &operand, Value k, int64_t columns) {
  return fromMemory(b, loadStoredRow(operand, k, columns), operand.element);
}

/// Returns true if both MMAs can run in the same loop over K.
static bool sameK(const LoweredStaged &lhs, const LoweredStaged &rhs) {
  std::optional<int64_t> a = getConstantIntValue(lhs.sizes[1]);
  std::optional<int64_t> b = getConstantIntValue(rhs.sizes[1]);
  return lhs.sizes[1] == rhs.sizes[1] || (a && a == b);
}

/// Returns the MMA and those after it in its block that depend on nothing in between.
SmallVector<tile::MmaOp> MmaLowering::mmaGroup(tile::MmaOp first) {
  SmallVector<tile::MmaOp> group{first};
  for (Operation *next = first->getNextNode(); next; next = next->getNextNode()) {
    auto mma = dyn_cast<tile::MmaOp>(next);
    if (!mma || mma.getLhsScales() || mma.getDot() != first.getDot() ||
        (mma.getDot() == tile::DotProduct::tdpbf16ps && mma.getLhs() != first.getLhs()) ||
        !program.frags.contains(mma.getAccumulator()) ||
        !program.staged.contains(mma.getLhs()) ||
        !program.staged.contains(mma.getRhs()) ||
        !sameK(program.staged.find(first.getLhs())->second,
               program.staged.find(mma.getLhs())->second))
      break;
    group.push_back(mma);
  }
  return group;
}

SmallVector<Rows> MmaLowering::mmaStep(ArrayRef<tile::MmaOp> group, Value k,
                                       ArrayRef<Rows> accumulators) {
  SmallVector<Value> columns;
  for (tile::MmaOp mma : group) {
    tile::FragType type = mma.getType();
    Value row =
        loadStagedRow(program.staged.find(mma.getRhs())->second, k, type.getColumns());
    columns.push_back(widen(row, type.getElementType(), mma.getRhsUnsigned()));
  }
  SmallVector<Rows> results(group.size());
  // Panels are the inner loop, so that each broadcast is used for every panel.
  llvm::DenseMap<std::pair<Value, int64_t>, Value> broadcasts;
  tile::MmaOp first = group.front();
  int64_t height = first.getType().getRows();
  for (int64_t r = 0; r < height; ++r)
    for (size_t i = 0; i < group.size(); ++i) {
      tile::MmaOp mma = group[i];
      tile::FragType type = mma.getType();
      const LoweredStaged &lhs = program.staged.find(mma.getLhs())->second;
      Value &factor = broadcasts[{mma.getLhs(), r}];
      if (!factor) {
        Value row = program.gep(lhs.pointer, lhs.element,
                                program.mul(program.index(r), lhs.strides[0]));
        Value place = program.gep(row, lhs.element, program.mul(k, lhs.strides[1]));
        Value value = LLVM::LoadOp::create(b, memoryType(lhs.element), place,
                                           tile::elementBytes(lhs.element));
        value = fromMemory(b, value, lhs.element);
        factor = program.splat(widen(value, type.getElementType(), mma.getLhsUnsigned()),
                               type.getColumns());
      }
      if (isa<FloatType>(type.getElementType()))
        results[i].push_back(
            math::FmaOp::create(b, factor, columns[i], accumulators[i][r]));
      else
        results[i].push_back(arith::AddIOp::create(
            b, arith::MulIOp::create(b, factor, columns[i]), accumulators[i][r]));
    }
  return results;
}

SmallVector<Value> host::concatRows(ArrayRef<Rows> rows) {
  SmallVector<Value> all;
  for (const Rows &part : rows)
    llvm::append_range(all, part);
  return all;
}

SmallVector<Rows> host::splitRows(ValueRange values, ArrayRef<Rows> like) {
  SmallVector<Rows> parts;
  for (const Rows &part : like) {
    parts.emplace_back(values.take_front(part.size()));
    values = values.drop_front(part.size());
  }
  return parts;
}

/// Returns false after reporting an MMA that the target cannot execute.
bool MmaLowering::isSupported(tile::MmaOp op) {
  auto refuse = [&](StringRef what) {
    program.fail(op, what);
    return false;
  };
  if (isa<tile::FragType>(op.getLhs().getType()))
    return refuse("a left operand in registers");
  if (isa<tile::FragType>(op.getRhs().getType()))
    return refuse("a right operand in registers");
  if (op.getLhsScales())
    return refuse("a product with block scales");
  if (op.getDot() == tile::DotProduct::vdpbf16ps && !dots.hasPairs)
    return refuse("vdpbf16ps without avx512bf16");
  if (op.getDot() == tile::DotProduct::tdpbf16ps && !dots.hasBf16Tiles)
    return refuse("tdpbf16ps without amx-bf16");
  return true;
}

void MmaLowering::lowerMma(tile::MmaOp first) {
  if (!isSupported(first))
    return;
  SmallVector<tile::MmaOp> group = mmaGroup(first);
  llvm::erase_if(group, [&](tile::MmaOp mma) {
    return mma.getType().getRows() != first.getType().getRows();
  });
  SmallVector<Rows> accumulators;
  for (tile::MmaOp mma : group)
    accumulators.push_back(program.frags.find(mma.getAccumulator())->second);
  Value extent = program.staged.find(first.getLhs())->second.sizes[1];
  std::optional<int64_t> fixed = getConstantIntValue(extent);
  if (first.getDot() == tile::DotProduct::tdpbf16ps) {
    accumulators = tiles.multiply(group, extent, accumulators);
  } else if (first.getDot()) {
    accumulators = lowerPairs(group, extent, accumulators);
  } else if (fixed && *fixed <= kUnrollLimit) {
    for (int64_t k = 0; k < *fixed; ++k)
      accumulators = mmaStep(group, program.index(k), accumulators);
  } else {
    auto loop = scf::ForOp::create(b, program.index(0), extent, program.index(1),
                                   concatRows(accumulators));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    SmallVector<Rows> carried = splitRows(loop.getRegionIterArgs(), accumulators);
    scf::YieldOp::create(b, concatRows(mmaStep(group, loop.getInductionVar(), carried)));
    accumulators = splitRows(loop.getResults(), accumulators);
  }
  for (auto [mma, rows] : llvm::zip(group, accumulators)) {
    program.frags[mma.getResult()] = rows;
    done.insert(mma);
  }
}

bool MmaLowering::lower(Operation *op) {
  auto mma = dyn_cast<tile::MmaOp>(op);
  if (mma && !done.contains(op))
    lowerMma(mma);
  return mma != nullptr;
}
