//===- LowerTileFrag.cpp - Ops on fragments -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../LoweringMath.h"
#include "LowerTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::host;
using tile::ReduceKind;

Value TileLowering::extractLane(Value row, int64_t lane) {
  return vector::ExtractOp::create(b, row, ArrayRef<int64_t>{lane});
}

Value TileLowering::packLanes(ValueRange values) {
  auto type = VectorType::get(values.size(), values.front().getType());
  return vector::FromElementsOp::create(b, type, values);
}

static Value shuffle(ImplicitLocOpBuilder &b, Value lhs, Value rhs, ArrayRef<int64_t> lanes) {
  return vector::ShuffleOp::create(b, lhs, rhs, lanes);
}

//===----------------------------------------------------------------------===//
// Map
//===----------------------------------------------------------------------===//

/// The op with its scalars replaced by vectors.
static Operation *vectorize(ImplicitLocOpBuilder &b, Operation &op, ValueRange operands,
                            int64_t columns) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto type = VectorType::get(columns, constant.getType());
    return arith::ConstantOp::create(b, DenseElementsAttr::get(type, constant.getValue()));
  }
  OperationState state(op.getLoc(), op.getName().getStringRef());
  state.addOperands(operands);
  for (Type type : op.getResultTypes())
    state.addTypes(VectorType::get(columns, type));
  state.addAttributes(op.getAttrs());
  return b.create(state);
}

void TileLowering::lowerMap(tile::MapOp op) {
  auto shape = cast<tile::FragType>(op.getResultTypes().front());
  Block &body = op.getBlock();
  SmallVector<Rows> results(op.getNumResults());
  IRMapping outside; // scalars from above, broadcast once for all rows
  for (int64_t r = 0; r < shape.getRows(); ++r) {
    IRMapping row;
    for (auto [argument, input] : llvm::zip(body.getArguments(), op.getInputs()))
      row.map(argument, frags.find(input)->second[r]);
    auto lookup = [&](Value value) -> Value {
      if (value.getParentBlock() == &body)
        return row.lookup(value);
      if (!outside.contains(value)) {
        OpBuilder::InsertionGuard guard(b);
        outside.map(value, splat(scalar(value), shape.getColumns()));
      }
      return outside.lookup(value);
    };
    for (Operation &inner : body.without_terminator()) {
      Operation *lowered =
          vectorize(b, inner, llvm::map_to_vector(inner.getOperands(), lookup),
                    shape.getColumns());
      row.map(inner.getResults(), lowered->getResults());
    }
    for (auto [i, value] : llvm::enumerate(body.getTerminator()->getOperands()))
      results[i].push_back(lookup(value));
  }
  for (auto [result, rows] : llvm::zip(op.getResults(), results))
    frags[result] = rows;
}

//===----------------------------------------------------------------------===//
// Reduce
//===----------------------------------------------------------------------===//

Value TileLowering::combine(ReduceKind kind, Value lhs, Value rhs) {
  return combineReduced(b, kind, lhs, rhs);
}

Value TileLowering::reduceRow(ReduceKind kind, Value row) {
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
  return extractLane(row, 0);
}

void TileLowering::lowerReduce(tile::ReduceOp op) {
  tile::FragType type = op.getInput().getType();
  Rows rows = frags.find(op.getInput())->second;
  if (type.getRank() == 1) {
    scalars.map(op.getResult(), reduceRow(op.getKind(), rows.front()));
    return;
  }
  if (op.getAxis() == 1) {
    SmallVector<Value> results;
    for (Value row : rows)
      results.push_back(reduceRow(op.getKind(), row));
    frags[op.getResult()] = {packLanes(results)};
    return;
  }
  while (rows.size() > 1) {
    size_t half = llvm::PowerOf2Ceil(rows.size()) / 2;
    for (size_t i = 0; i + half < rows.size(); ++i)
      rows[i] = combine(op.getKind(), rows[i], rows[i + half]);
    rows.truncate(half);
  }
  frags[op.getResult()] = rows;
}

//===----------------------------------------------------------------------===//
// The others
//===----------------------------------------------------------------------===//

void TileLowering::lowerBroadcast(tile::BroadcastOp op) {
  Value input = frags.find(op.getInput())->second.front();
  tile::FragType type = op.getType();
  Rows rows;
  for (int64_t r = 0; r < type.getRows(); ++r)
    rows.push_back(op.getAxis() == 0 ? input : splat(extractLane(input, r), type.getColumns()));
  frags[op.getResult()] = rows;
}

void TileLowering::lowerConvert(tile::ConvertOp op) {
  auto from = cast<FloatType>(op.getInput().getType().getElementType());
  auto to = cast<FloatType>(op.getType().getElementType());
  auto type = VectorType::get(op.getType().getColumns(), to);
  bool isExact = llvm::APFloatBase::isRepresentableBy(from.getFloatSemantics(),
                                                      to.getFloatSemantics());
  Rows rows = frags.find(op.getInput())->second;
  for (Value &row : rows) {
    if (from == to)
      continue;
    if (from.getWidth() == to.getWidth()) { // f16 and bf16: through f32
      row = arith::ExtFOp::create(b, type.clone(b.getF32Type()), row);
      row = arith::TruncFOp::create(b, type, row);
    } else if (isExact) {
      row = arith::ExtFOp::create(b, type, row);
    } else {
      row = arith::TruncFOp::create(b, type, row);
    }
  }
  frags[op.getResult()] = rows;
}

void TileLowering::lowerIota(tile::IotaOp op) {
  tile::FragType type = op.getType();
  Value start = scalar(op.getStart());
  Rows rows;
  for (int64_t r = 0; r < type.getRows(); ++r) {
    bool alongRow = static_cast<int64_t>(op.getAxis()) == type.getRank() - 1;
    Value base = splat(start, type.getColumns());
    Value step = iotaVector(type.getColumns(), type.getElementType());
    if (!alongRow)
      step = arith::ConstantOp::create(
          b, DenseElementsAttr::get(cast<VectorType>(step.getType()),
                                    b.getIntegerAttr(type.getElementType(), r)));
    rows.push_back(arith::AddIOp::create(b, base, step));
  }
  frags[op.getResult()] = rows;
}

void TileLowering::lowerSelectRange(tile::SelectRangeOp op) {
  tile::FragType type = op.getType();
  Value low = scalar(op.getLow()), high = scalar(op.getHigh());
  Value otherwise = splat(scalar(op.getOtherwise()), type.getColumns());
  Rows rows = frags.find(op.getInput())->second;
  bool alongRow = static_cast<int64_t>(op.getAxis()) == type.getRank() - 1;
  Value keep;
  if (alongRow) {
    Value below = lanesBelow(high, type.getColumns());
    keep = below;
    if (getConstantIntValue(low) != 0) {
      Value allOnes = arith::ConstantOp::create(
          b, DenseElementsAttr::get(cast<VectorType>(below.getType()), true));
      Value before = lanesBelow(low, type.getColumns());
      keep = arith::AndIOp::create(b, below, arith::XOrIOp::create(b, before, allOnes));
    }
  }
  for (auto [r, row] : llvm::enumerate(rows)) {
    Value condition = keep;
    if (!alongRow) {
      Value at = index(r);
      condition = arith::AndIOp::create(
          b, arith::CmpIOp::create(b, arith::CmpIPredicate::sge, at, low),
          arith::CmpIOp::create(b, arith::CmpIPredicate::slt, at, high));
    }
    row = arith::SelectOp::create(b, condition, row, otherwise);
  }
  frags[op.getResult()] = rows;
}

void TileLowering::lowerTranspose(tile::TransposeOp op) {
  tile::FragType type = op.getInput().getType();
  int64_t height = type.getRows(), width = type.getColumns();
  Rows rows = frags.find(op.getInput())->second;
  if (height != width || !llvm::isPowerOf2_64(height)) {
    Rows columns;
    for (int64_t c = 0; c < width; ++c)
      columns.push_back(packLanes(llvm::map_to_vector(
          rows, [&](Value row) { return extractLane(row, c); })));
    frags[op.getResult()] = columns;
    return;
  }
  // log2(n) perfect shuffles: each interleaves row i with row i + n/2.
  SmallVector<int64_t> low, high;
  for (int64_t i = 0; i < width / 2; ++i) {
    low.append({i, width + i});
    high.append({width / 2 + i, width + width / 2 + i});
  }
  for (int64_t step = 1; step < height; step *= 2) {
    Rows next;
    for (int64_t i = 0; i < height / 2; ++i) {
      next.push_back(shuffle(b, rows[i], rows[i + height / 2], low));
      next.push_back(shuffle(b, rows[i], rows[i + height / 2], high));
    }
    rows = next;
  }
  frags[op.getResult()] = rows;
}

void TileLowering::lowerExtract(tile::ExtractOp op) {
  const Rows rows = frags.find(op.getInput())->second;
  ArrayRef<int64_t> position = op.getPosition();
  bool ofRow = op.getInput().getType().getRank() == 2;
  Value row = rows[ofRow ? position.front() : 0];
  if (isa<tile::FragType>(op.getType()))
    frags[op.getResult()] = {row};
  else
    scalars.map(op.getResult(), extractLane(row, position.back()));
}
