//===- SharedMainloop.cpp - Attention on multiply-adds --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionMainloop.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Padding of the rows of scratch in elements: rows i to i + 3 at 8 lanes, and rows i and
/// i + 2 at 16 lanes, are then in different banks.
static constexpr int64_t kScratchPadding = 8;

int64_t SharedMainloop::stride(AttentionTile tile) {
  return std::max(tile.keys, tile.columnLanes) + kScratchPadding;
}

SharedMainloop::SharedMainloop(const AttentionBuilder &attention, AttentionTile tile,
                               int64_t stages, AttentionOperands &operands,
                               VisibleKeys &visible, ScratchRows &scores)
    : AttentionMainloop(attention, tile, stages, operands, visible), scores(scores),
      keepsMask(program.mask && program.hasOneMaskRow()) {
  auto allocate = [&](int64_t size) {
    SymbolicExpr offset = end;
    end += SymbolicExpr(int64_t(llvm::alignTo(size, 64)));
    return offset;
  };
  allocate(scores.size());
  maximumOffset = allocate(tile.rows * bytes());
  sumOffset = allocate(tile.rows * bytes());
  factorOffset = allocate(tile.rows * bytes());
  if (keepsMask)
    maskOffset = allocate(tile.keys * bytes());
}

void SharedMainloop::openState(SoftmaxState initial) {
  OpFoldResult height = b.getIndexAttr(tile.rows), one = b.getIndexAttr(1);
  maxima = view(scratch(maximumOffset), index(0), {height}, {one});
  denominators = view(scratch(sumOffset), index(0), {height}, {one});
  factors = view(scratch(factorOffset), index(0), {height}, {one});
  if (keepsMask)
    maskRow = view(scratch(maskOffset), index(0), {b.getIndexAttr(tile.keys)}, {one});
  auto store = [&](Value of, Value value) {
    tile::StoreOp::create(b, loc, value, of, ValueRange{index(0)});
  };
  store(maxima, initial.maximum);
  store(denominators, initial.sum);
  store(factors, tile::FillOp::create(b, loc, fragType({tile.rows}), number(0.0)));
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// Returns the scaled and masked scores of one row for a tile of keys.
Value SharedMainloop::loadScores(Value scratchRow, Value row, Value first, Value valid) {
  auto type = fragType({tile.keys});
  emitter.bind(program.row.var, row);
  emitter.bind(program.key.var, first);
  emitter.setLanes({program.key.var, first, tile.keys, valid});
  Values inputs{
      tile::LoadOp::create(b, loc, type, scores.get(), ValueRange{scratchRow, index(0)})};
  if (program.codes)
    inputs[0] = timesScales(inputs[0], program.keyScales);
  if (keepsMask)
    inputs.push_back(tile::LoadOp::create(b, loc, type, maskRow, ValueRange{index(0)}));
  else if (program.mask)
    inputs.push_back(emitter.fragment(program.mask));
  if (program.keep)
    inputs.push_back(emitter.fragment(program.keep));
  Value scaled = map(inputs, [&](OpBuilder &b, ValueRange x) -> Value {
    Value scaled = scaleScore(b, x[0]);
    if (x.size() == 1)
      return scaled;
    Value sum = arith::AddFOp::create(b, loc, scaled, x[1]);
    return x.size() == 2 ? sum : arith::SelectOp::create(b, loc, x[2], sum, x[1]);
  });
  Value masked = lowest();
  return maskAtEdge(scaled, [&](Value scores) -> Value {
    Value begin = visible.hasWindow() ? sub(visible.beginOf(row), first) : index(0);
    return tile::SelectRangeOp::create(
        b, loc, type, scores, begin, sub(visible.endOf(row), first), masked, uint64_t(0));
  });
}

/// Replaces the scores of one row for a tile of keys by their exponentials.
void SharedMainloop::emitRow(Value scratchRow, Value row, Value first, Value valid) {
  Value own = loadScores(scratchRow, row, first, valid);
  Type element = program.accumulator;
  Value before = tile::LoadOp::create(b, loc, element, maxima, ValueRange{scratchRow});
  Value highest = tile::ReduceOp::create(b, loc, element, tile::ReduceKind::max, own, 0);
  Value maximum = arith::MaximumFOp::create(b, loc, before, highest);
  Value shift = finiteShift(maximum); // finite while all keys are masked
  Value exponentials = map({own}, [&](OpBuilder &b, ValueRange x) -> Value {
    return math::ExpOp::create(b, loc, arith::SubFOp::create(b, loc, x[0], shift));
  });
  Value factor =
      math::ExpOp::create(b, loc, arith::SubFOp::create(b, loc, before, shift));
  Value added =
      tile::ReduceOp::create(b, loc, element, tile::ReduceKind::sum, exponentials, 0);
  Value sum = tile::LoadOp::create(b, loc, element, denominators, ValueRange{scratchRow});
  sum = math::FmaOp::create(b, loc, sum, factor, added);
  Value weights =
      program.codes ? timesScales(exponentials, program.valueScales) : exponentials;
  tile::StoreOp::create(b, loc, weights, scores.get(), ValueRange{scratchRow, index(0)});
  tile::StoreOp::create(b, loc, maximum, maxima, ValueRange{scratchRow});
  tile::StoreOp::create(b, loc, sum, denominators, ValueRange{scratchRow});
  tile::StoreOp::create(b, loc, factor, factors, ValueRange{scratchRow});
}

void SharedMainloop::emitRows(QueryRows rows, Value first) {
  Value valid = validKeys(first);
  if (keepsMask)
    forRows(index(1), tile.keys, [&](Value) {
      storeMask(ValueRange{maskRow}, {index(0)}, rows.begin, first, valid, 1);
    });
  // Rows past the end are computed and dropped; they read the mask of the last row.
  Value last = sub(rows.count, index(1));
  forRows(
      index(tile.rows), tile.keys,
      [&](Value row) { emitRow(row, add(rows.begin, minimum(row, last)), first, valid); },
      /*apart=*/true);
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// Broadcasts one value per row to a fragment of the result's shape.
Value SharedMainloop::loadPerRow(Value perRow) {
  OpFoldResult height = b.getIndexAttr(tile.rows);
  Value repeated = view(perRow, index(0), {height, b.getIndexAttr(tile.columnLanes)},
                        {b.getIndexAttr(1), b.getIndexAttr(0)});
  return tile::LoadOp::create(b, loc, fragType({tile.rows, tile.columnLanes}), repeated,
                              ValueRange{index(0), index(0)});
}

Value SharedMainloop::addTiles(QueryRows rows, KeyRange keys) {
  Value queries = operands.stageQueries(rows.begin);
  auto scoreType = fragType({tile.rows, tile.keys}),
       resultType = fragType({tile.rows, tile.columnLanes});
  Value none = tile::FillOp::create(b, loc, scoreType, number(0.0));
  Value init = tile::FillOp::create(b, loc, resultType, number(0.0));
  auto step = [&](Value at, ValueRange staged, ValueRange carried) -> Values {
    Value own = tile::MmaOp::create(b, loc, scoreType, queries, staged[0], none);
    tile::StoreOp::create(b, loc, own, scores.get(), ValueRange{index(0), index(0)});
    emitRows(rows, at);
    Value factor = loadPerRow(scratch(factorOffset));
    Value older = map({carried[0], factor}, [&](OpBuilder &b, ValueRange x) -> Value {
      return arith::MulFOp::create(b, loc, x[0], x[1]);
    });
    auto type = tile::StagedType::get(b.getContext(), {tile.rows, tile.keys},
                                      program.accumulator);
    Value weights = tile::StageOp::create(b, loc, type, scores.get(),
                                          ValueRange{index(0), index(0)}, ValueRange());
    return {tile::MmaOp::create(b, loc, resultType, weights, staged[1], older)};
  };
  return forKeyTiles(rows, keys, init, step).front();
}

Value SharedMainloop::loadRows(Value perRow) {
  return tile::LoadOp::create(b, loc, fragType({tile.rows}), perRow,
                              ValueRange{index(0)});
}

Value SharedMainloop::attend(QueryRows rows) {
  openState(initialRows(rows, tile.rows));
  Value result = addTiles(rows, allKeys(rows));
  if (!program.lseOutputs.empty())
    storeLse(rows, loadRows(maxima), loadRows(denominators));
  return result;
}

SharedMainloop::State SharedMainloop::attendSplit(QueryRows rows, KeyRange keys) {
  openState(emptyRows());
  Value result = addTiles(rows, keys);
  return {loadRows(maxima), loadRows(denominators), result};
}

Value SharedMainloop::lseOf(OpBuilder &b, Value maximum, Value sum) {
  return arith::AddFOp::create(b, loc, maximum, math::LogOp::create(b, loc, sum));
}

Value SharedMainloop::shrinkTo(Value before, Value maximum) {
  Value shift = finiteShift(maximum); // finite if the row saw no key
  return math::ExpOp::create(b, loc, arith::SubFOp::create(b, loc, before, shift));
}

Value SharedMainloop::finishRow(Value result, Value row) {
  Value sum =
      tile::LoadOp::create(b, loc, program.accumulator, denominators, ValueRange{row});
  Value inverse = invert(b, sum);
  return map({result}, [&](OpBuilder &b, ValueRange x) -> Value {
    return normalize(b, x[0], inverse);
  });
}
