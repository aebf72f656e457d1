//===- LowerTileMma.cpp - Matrix multiplications --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds MMAs that are lowered as one group, and lowers those that do not use tensor cores
// (LowerTileMmaSync.cpp) to fused multiply-adds. Each thread has a rectangle of the
// accumulator and reads, per K index, its rows of A and its columns of B from shared
// memory with the widest possible loads. Each element is accumulated in the order of K,
// as tile.mma specifies. MMAs of one region with the same operand A read it once.
//
//===----------------------------------------------------------------------===//

#include "ProductLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

/// Maximum number of unrolled K indices.
static constexpr int64_t kUnrolledSteps = 16;

Value ProductLowering::widen(Value value, Type element, bool isUnsigned) {
  if (value.getType() == element)
    return value;
  if (isa<FloatType>(element) && value.getType().isInteger())
    return isUnsigned ? arith::UIToFPOp::create(b, element, value).getResult()
                      : arith::SIToFPOp::create(b, element, value).getResult();
  if (isa<FloatType>(element))
    return arith::ExtFOp::create(b, element, value);
  if (isUnsigned)
    return arith::ExtUIOp::create(b, element, value);
  return arith::ExtSIOp::create(b, element, value);
}

namespace {
/// Rows or columns of an accumulator that a thread's registers have.
struct Axis {
  SmallVector<int64_t> positions;   // distinct, in the order of registers
  SmallVector<unsigned> ofRegister; // index in `positions`, by register
};
} // namespace

static Axis axisOf(const Layout &layout, bool rows) {
  Axis axis;
  for (int64_t reg = 0; reg < layout.numRegisters(); ++reg) {
    int64_t element = layout.element(reg, 0);
    int64_t position = rows ? layout.row(element) : layout.column(element);
    auto *it = llvm::find(axis.positions, position);
    axis.ofRegister.push_back(it - axis.positions.begin());
    if (it == axis.positions.end())
      axis.positions.push_back(position);
  }
  return axis;
}

/// Loads operand elements [position][K index] for `steps` K indices from \p k on;
/// `positions` are rows (A) or columns (B). Elements contiguous along K, or along the
/// positions, are one vector load.
SmallVector<SmallVector<Value>> ProductLowering::loadOperand(const LoweredStaged &operand,
                                                             unsigned depthDim,
                                                             Value origin,
                                                             ArrayRef<int64_t> positions,
                                                             Value k, int64_t steps) {
  unsigned ownDim = 1 - depthDim;
  int64_t bytes = tile::elementBytes(operand.element);
  Value depthStride = operand.strides[depthDim], ownStride = operand.strides[ownDim];
  Value start = program.add(program.mul(origin, ownStride), program.mul(k, depthStride));
  Value base = program.gep(operand.pointer, operand.element, start);
  LoweredView view; // only the element type is used by loadRun
  view.element = operand.element;
  auto at = [&](int64_t position, int64_t step) {
    return program.gep(base, operand.element,
                       program.add(program.mul(program.index(position), ownStride),
                                   program.mul(program.index(step), depthStride)));
  };
  SmallVector<SmallVector<Value>> values(positions.size());
  if (getConstantIntValue(depthStride) == 1) {
    int64_t width = std::min({steps, 16 / bytes, operand.alignment / bytes});
    for (auto [i, position] : llvm::enumerate(positions))
      for (int64_t step = 0; step < steps; step += width)
        llvm::append_range(values[i], memory.loadRun(view, at(position, step), width));
    return values;
  }
  bool neighbours = getConstantIntValue(ownStride) == 1;
  for (int64_t step = 0; step < steps; ++step)
    for (size_t i = 0; i < positions.size();) {
      size_t width = 1;
      while (neighbours && i + 2 * width <= positions.size() && 2 * width * bytes <= 16 &&
             2 * width * bytes <= size_t(operand.alignment) &&
             positions[i] % (2 * width) == 0 &&
             operand.originDivisor % (2 * width) == 0 &&
             positions[i + 2 * width - 1] == positions[i] + int64_t(2 * width) - 1)
        width *= 2;
      for (Value value : memory.loadRun(view, at(positions[i], step), width))
        values[i++].push_back(value);
    }
  return values;
}

static bool sameShape(tile::MmaOp a, tile::MmaOp b) {
  return a.getType() == b.getType() && a.getLhs() == b.getLhs() &&
         a.getTf32() == b.getTf32() && a.getRhs().getType() == b.getRhs().getType();
}

/// Multiplies one block of K indices for all MMAs of the group.
SmallVector<Values> ProductLowering::multiplySteps(ArrayRef<tile::MmaOp> group, Value k,
                                                   int64_t steps,
                                                   ArrayRef<Values> accumulators) {
  tile::MmaOp first = group.front();
  Type element = first.getType().getElementType();
  Layout layout = program.layoutOf(first.getType());
  Axis rows = axisOf(layout, true), columns = axisOf(layout, false);
  auto [rowOrigin, columnOrigin] = program.threadOrigin(layout);
  const LoweredStaged lhs = program.staged.find(first.getLhs())->second;
  auto left = loadOperand(lhs, 1, rowOrigin, rows.positions, k, steps);
  SmallVector<Values> results(accumulators);
  for (auto [product, sums] : llvm::zip(group, results)) {
    tile::MmaOp mma = product;
    LoweredStaged rhs = program.staged.find(mma.getRhs())->second;
    rhs.originDivisor = layout.runLength();
    auto right = loadOperand(rhs, 0, columnOrigin, columns.positions, k, steps);
    for (int64_t step = 0; step < steps; ++step)
      for (auto [reg, sum] : llvm::enumerate(sums)) {
        Value x = widen(left[rows.ofRegister[reg]][step], element, mma.getLhsUnsigned());
        Value y =
            widen(right[columns.ofRegister[reg]][step], element, mma.getRhsUnsigned());
        if (isa<FloatType>(element))
          sum = math::FmaOp::create(b, x, y, sum);
        else
          sum = arith::AddIOp::create(b, arith::MulIOp::create(b, x, y), sum);
      }
  }
  return results;
}

static SmallVector<Value> concat(ArrayRef<SmallVector<Value>> parts) {
  SmallVector<Value> all;
  for (const SmallVector<Value> &part : parts)
    llvm::append_range(all, part);
  return all;
}

static SmallVector<SmallVector<Value>> split(ValueRange values, size_t parts) {
  SmallVector<SmallVector<Value>> result;
  size_t each = values.size() / parts;
  for (size_t i = 0; i < parts; ++i)
    result.emplace_back(values.slice(i * each, each));
  return result;
}

void ProductLowering::lowerMma(tile::MmaOp first) {
  if (done.contains(first))
    return;
  int64_t depth = first.getLhsShape()[1];
  if (isa<tile::FragType>(first.getLhs().getType()) && !first.getMmaSync())
    return program.fail(
        first, "a left operand in registers of a product that is not by mma.sync");
  if (isa<tile::FragType>(first.getRhs().getType()) && !first.getMmaSync())
    return program.fail(
        first, "a right operand in registers of a product that is not by mma.sync");
  if (first.getLhsScales())
    return program.fail(first, "a product with block scales");
  if (first.getDot())
    return program.fail(first, "a dot product of a CPU");
  if (ShapedType::isDynamic(depth))
    return program.fail(first, "a product of a depth known only at run time");
  SmallVector<tile::MmaOp> group{first};
  for (Operation *next = first->getNextNode(); next; next = next->getNextNode()) {
    auto mma = dyn_cast<tile::MmaOp>(next);
    if (!mma || !sameShape(first, mma) ||
        !program.fragments.contains(mma.getAccumulator()))
      break;
    group.push_back(mma);
  }
  SmallVector<Values> sums;
  for (tile::MmaOp mma : group)
    sums.push_back(program.fragment(mma.getAccumulator()).registers);
  if (first.getMmaSync()) {
    MmaSyncLowering(program, memory).lowerMmaSync(group, sums);
  } else if (depth <= kUnrolledSteps) {
    sums = multiplySteps(group, program.index(0), depth, sums);
  } else {
    auto loop = scf::ForOp::create(b, program.index(0), program.index(depth),
                                   program.index(kUnrolledSteps), concat(sums));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    auto next = multiplySteps(group, loop.getInductionVar(), kUnrolledSteps,
                              split(loop.getRegionIterArgs(), group.size()));
    scf::YieldOp::create(b, concat(next));
    sums = split(loop.getResults(), group.size());
  }
  for (auto [product, registers] : llvm::zip(group, sums)) {
    tile::MmaOp mma = product;
    program.define(mma.getResult(), {program.layoutOf(mma.getType()), registers});
    done.insert(mma);
  }
}
