//===- LowerTileFrag.cpp - Ops on fragments -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../LoweringMath.h"
#include "LowerTile.h"
#include "dialects/Types/FloatFormat.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::host;
using tile::ReduceKind;

static Value shuffle(ImplicitLocOpBuilder &b, Value lhs, Value rhs,
                     ArrayRef<int64_t> lanes) {
  return vector::ShuffleOp::create(b, lhs, rhs, lanes);
}

//===----------------------------------------------------------------------===//
// Fill, map
//===----------------------------------------------------------------------===//

void FragmentLowering::lowerFill(tile::FillOp op) {
  Value row = program.splat(program.scalar(op.getValue()), op.getType().getColumns());
  program.frags[op] = Rows(op.getType().getRows(), row);
}

/// Clones an op with vectors instead of its scalars.
static Operation *vectorize(ImplicitLocOpBuilder &b, Operation &op, ValueRange operands,
                            int64_t columns) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto type = VectorType::get(columns, constant.getType());
    return arith::ConstantOp::create(b,
                                     DenseElementsAttr::get(type, constant.getValue()));
  }
  OperationState state(op.getLoc(), op.getName().getStringRef());
  state.addOperands(operands);
  for (Type type : op.getResultTypes())
    state.addTypes(VectorType::get(columns, type));
  state.addAttributes(op.getAttrs());
  return b.create(state);
}

void FragmentLowering::lowerMap(tile::MapOp op) {
  auto shape = cast<tile::FragType>(op.getResultTypes().front());
  Block &body = op.getBlock();
  SmallVector<Rows> results(op.getNumResults());
  IRMapping outside; // scalars defined outside, broadcast once for all rows
  for (int64_t r = 0; r < shape.getRows(); ++r) {
    IRMapping row;
    for (auto [argument, input] : llvm::zip(body.getArguments(), op.getInputs()))
      row.map(argument, program.frags.find(input)->second[r]);
    auto lookup = [&](Value value) -> Value {
      if (value.getParentBlock() == &body)
        return row.lookup(value);
      if (!outside.contains(value)) {
        OpBuilder::InsertionGuard guard(b);
        outside.map(value, program.splat(program.scalar(value), shape.getColumns()));
      }
      return outside.lookup(value);
    };
    for (Operation &inner : body.without_terminator()) {
      Operation *lowered = vectorize(
          b, inner, llvm::map_to_vector(inner.getOperands(), lookup), shape.getColumns());
      row.map(inner.getResults(), lowered->getResults());
    }
    for (auto [i, value] : llvm::enumerate(body.getTerminator()->getOperands()))
      results[i].push_back(lookup(value));
  }
  for (auto [result, rows] : llvm::zip(op.getResults(), results))
    program.frags[result] = rows;
}

//===----------------------------------------------------------------------===//
// Reduce
//===----------------------------------------------------------------------===//

Value FragmentLowering::combine(ReduceKind kind, Value lhs, Value rhs) {
  return combineReduced(b, kind, lhs, rhs);
}

Value FragmentLowering::reduceRow(ReduceKind kind, Value row) {
  int64_t live = cast<VectorType>(row.getType()).getNumElements();
  while (live > 1) {
    int64_t half = llvm::PowerOf2Ceil(live) / 2;
    SmallVector<int64_t> low, high, merge;
    for (int64_t i = 0; i < half; ++i) {
      low.push_back(i);
      high.push_back(i + half < live ? i + half : i);
      merge.push_back(i + half < live ? half + i : i);
    }
    Value lower = shuffle(b, row, row, low);
    Value combined = combine(kind, lower, shuffle(b, row, row, high));
    row = live == 2 * half ? combined : shuffle(b, lower, combined, merge);
    live = half;
  }
  return program.extractLane(row, 0);
}

void FragmentLowering::lowerReduce(tile::ReduceOp op) {
  tile::FragType type = op.getInput().getType();
  Rows rows = program.frags.find(op.getInput())->second;
  if (type.getRank() == 1) {
    program.scalars.map(op.getResult(), reduceRow(op.getKind(), rows.front()));
    return;
  }
  if (op.getAxis() == 1) {
    SmallVector<Value> results;
    for (Value row : rows)
      results.push_back(reduceRow(op.getKind(), row));
    program.frags[op.getResult()] = {program.packLanes(results)};
    return;
  }
  while (rows.size() > 1) {
    size_t half = llvm::PowerOf2Ceil(rows.size()) / 2;
    for (size_t i = 0; i + half < rows.size(); ++i)
      rows[i] = combine(op.getKind(), rows[i], rows[i + half]);
    rows.truncate(half);
  }
  program.frags[op.getResult()] = rows;
}

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

void FragmentLowering::lowerBroadcast(tile::BroadcastOp op) {
  Value input = program.frags.find(op.getInput())->second.front();
  tile::FragType type = op.getType();
  Rows rows;
  for (int64_t r = 0; r < type.getRows(); ++r)
    rows.push_back(op.getAxis() == 0
                       ? input
                       : program.splat(program.extractLane(input, r), type.getColumns()));
  program.frags[op.getResult()] = rows;
}

void FragmentLowering::lowerConvert(tile::ConvertOp op) {
  auto from = cast<FloatType>(op.getInput().getType().getElementType());
  auto to = cast<FloatType>(op.getType().getElementType());
  auto type = VectorType::get(op.getType().getColumns(), to);
  bool isExact = llvm::APFloatBase::isRepresentableBy(from.getFloatSemantics(),
                                                      to.getFloatSemantics());
  Rows rows = program.frags.find(op.getInput())->second;
  for (Value &row : rows) {
    if (from == to)
      continue;
    if (isFloat8(from) && to.isF32()) { // tile.load returns bytes
      row = decodeE4m3(b, row);
    } else if (from.getWidth() == to.getWidth()) { // f16 to bf16 or back, by f32
      row = arith::ExtFOp::create(b, type.clone(b.getF32Type()), row);
      row = arith::TruncFOp::create(b, type, row);
    } else if (isExact) {
      row = arith::ExtFOp::create(b, type, row);
    } else {
      row = arith::TruncFOp::create(b, type, row);
    }
  }
  program.frags[op.getResult()] = rows;
}

void FragmentLowering::lowerIota(tile::IotaOp op) {
  tile::FragType type = op.getType();
  Value start = program.scalar(op.getStart());
  Rows rows;
  for (int64_t r = 0; r < type.getRows(); ++r) {
    bool alongRow = static_cast<int64_t>(op.getAxis()) == type.getRank() - 1;
    Value base = program.splat(start, type.getColumns());
    Value step = program.iotaVector(type.getColumns(), type.getElementType());
    if (!alongRow)
      step = arith::ConstantOp::create(
          b, DenseElementsAttr::get(cast<VectorType>(step.getType()),
                                    b.getIntegerAttr(type.getElementType(), r)));
    rows.push_back(arith::AddIOp::create(b, base, step));
  }
  program.frags[op.getResult()] = rows;
}

void FragmentLowering::lowerSelectRange(tile::SelectRangeOp op) {
  tile::FragType type = op.getType();
  Value low = program.scalar(op.getLow()), high = program.scalar(op.getHigh());
  Value otherwise = program.splat(program.scalar(op.getOtherwise()), type.getColumns());
  Rows rows = program.frags.find(op.getInput())->second;
  bool alongRow = static_cast<int64_t>(op.getAxis()) == type.getRank() - 1;
  Value keep;
  if (alongRow) {
    Value below = program.lanesBelow(high, type.getColumns());
    keep = below;
    if (getConstantIntValue(low) != 0) {
      Value allOnes = arith::ConstantOp::create(
          b, DenseElementsAttr::get(cast<VectorType>(below.getType()), true));
      Value before = program.lanesBelow(low, type.getColumns());
      keep = arith::AndIOp::create(b, below, arith::XOrIOp::create(b, before, allOnes));
    }
  }
  for (auto [r, row] : llvm::enumerate(rows)) {
    Value condition = keep;
    if (!alongRow) {
      Value at = program.index(r);
      condition = arith::AndIOp::create(
          b, arith::CmpIOp::create(b, arith::CmpIPredicate::sge, at, low),
          arith::CmpIOp::create(b, arith::CmpIPredicate::slt, at, high));
    }
    row = arith::SelectOp::create(b, condition, row, otherwise);
  }
  program.frags[op.getResult()] = rows;
}

/// Does log2(height) perfect shuffles, each of which interleaves row i with row i +
/// height / 2. Groups of `height` lanes are shuffled separately, so that bytes stay in
/// their 128-bit lane. Row i then has columns i, i + height, ... of the input, one after
/// the other.
Rows FragmentLowering::interleaveRows(Rows rows) {
  int64_t height = rows.size(),
          width = cast<VectorType>(rows.front().getType()).getNumElements();
  SmallVector<int64_t> low, high;
  for (int64_t first = 0; first < width; first += height)
    for (int64_t i = 0; i < height / 2; ++i) {
      low.append({first + i, width + first + i});
      high.append({first + height / 2 + i, width + first + height / 2 + i});
    }
  for (int64_t step = 1; step < height; step *= 2) {
    Rows next;
    for (int64_t i = 0; i < height / 2; ++i) {
      next.push_back(shuffle(b, rows[i], rows[i + height / 2], low));
      next.push_back(shuffle(b, rows[i], rows[i + height / 2], high));
    }
    rows = next;
  }
  return rows;
}

void FragmentLowering::lowerTranspose(tile::TransposeOp op) {
  tile::FragType type = op.getInput().getType();
  int64_t height = type.getRows(), width = type.getColumns();
  Rows rows = program.frags.find(op.getInput())->second, columns;
  if (width % height != 0 || !llvm::isPowerOf2_64(height)) {
    for (int64_t c = 0; c < width; ++c)
      columns.push_back(program.packLanes(llvm::map_to_vector(
          rows, [&](Value row) { return program.extractLane(row, c); })));
  } else {
    rows = interleaveRows(rows);
    for (int64_t c = 0; c < width; ++c) {
      Value row = rows[c % height];
      auto part = llvm::to_vector(llvm::seq(c - c % height, c - c % height + height));
      columns.push_back(width == height ? row : shuffle(b, row, row, part));
    }
  }
  program.frags[op.getResult()] = columns;
}

void FragmentLowering::lowerExtract(tile::ExtractOp op) {
  const Rows rows = program.frags.find(op.getInput())->second;
  ArrayRef<int64_t> position = op.getPosition();
  bool ofRow = op.getInput().getType().getRank() == 2;
  Value row = rows[ofRow ? position.front() : 0];
  if (isa<tile::FragType>(op.getType()))
    program.frags[op.getResult()] = {row};
  else
    program.scalars.map(op.getResult(), program.extractLane(row, position.back()));
}

void FragmentLowering::lowerStack(tile::StackOp op) {
  program.frags[op] = Rows(program.flatten(op.getRows()));
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

bool FragmentLowering::lower(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](tile::FillOp op) { return lowerFill(op), true; })
      .Case([&](tile::MapOp op) { return lowerMap(op), true; })
      .Case([&](tile::ReduceOp op) { return lowerReduce(op), true; })
      .Case([&](tile::BroadcastOp op) { return lowerBroadcast(op), true; })
      .Case([&](tile::ConvertOp op) { return lowerConvert(op), true; })
      .Case([&](tile::IotaOp op) { return lowerIota(op), true; })
      .Case([&](tile::SelectRangeOp op) { return lowerSelectRange(op), true; })
      .Case([&](tile::TransposeOp op) { return lowerTranspose(op), true; })
      .Case([&](tile::ExtractOp op) { return lowerExtract(op), true; })
      .Case([&](tile::StackOp op) { return lowerStack(op), true; })
      .Default([](Operation *) { return false; });
}
