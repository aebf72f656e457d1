//===- RegisterMainloop.cpp - Attention on tensor cores -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionMainloop.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>
#include <numbers>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Padding of the mask's rows in elements: a quarter of a warp accesses two columns of
/// four rows each, which are then in different banks.
static constexpr int64_t kMaskPadding = 8;

RegisterMainloop::RegisterMainloop(const AttentionBuilder &attention, AttentionTile tile,
                                   int64_t stages, AttentionOperands &operands,
                                   VisibleKeys &visible, const SymbolicExpr &begin)
    : AttentionMainloop(attention, tile, stages, operands, visible), end(begin) {
  if (!program.mask)
    return;
  maskRows = program.hasOneMaskRow() ? 1 : tile.rows;
  maskOffset = begin.alignTo(64);
  keepOffset = maskOffset + maskRows * (tile.keys + kMaskPadding) * bytes();
  end = keepOffset;
  if (program.keep)
    end += maskRows * (tile.keys + kMaskPadding) * bytes();
}

/// Returns the factor f for which exp2(f * score) is the exponential of the scaled score.
double RegisterMainloop::scoreFactor() const {
  return program.op.getScale().convertToDouble() * std::numbers::log2e;
}

/// Returns true if raw dot products are compared: there is no mask, and scaling keeps
/// their order.
bool RegisterMainloop::keepsScores() const {
  return !program.mask && !program.op.getSoftcap() && scoreFactor() > 0.0;
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

Value RegisterMainloop::broadcastRows(tile::FragType type, Value perRow) {
  return tile::BroadcastOp::create(b, loc, type, perRow, uint64_t(1));
}

/// Loads the mask of the keys from `first` on, times log2(e), and `keep` as ones and
/// zeros, if the program has it.
RegisterMainloop::Values RegisterMainloop::loadMask(tile::FragType type, QueryRows rows,
                                                    Value first, Value valid) {
  OpFoldResult height = b.getIndexAttr(tile.rows), one = b.getIndexAttr(1);
  OpFoldResult width = b.getIndexAttr(tile.keys + kMaskPadding);
  OpFoldResult stride = maskRows == 1 ? b.getIndexAttr(0) : width;
  auto tileAt = [&](const SymbolicExpr &offset) {
    return view(scratch(offset), index(0), {height, width}, {stride, one});
  };
  Values tiles{tileAt(maskOffset)};
  if (program.keep)
    tiles.push_back(tileAt(keepOffset));
  // Rows past the end are computed and dropped; they read the mask of the last row.
  Value last = sub(rows.count, index(1));
  auto compute = [&](Value row) {
    storeMask(tiles, {row, index(0)}, add(rows.begin, minimum(row, last)), first, valid,
              std::numbers::log2e);
  };
  forRows(index(maskRows), tile.keys, compute, /*apart=*/maskRows > 1);
  Values loaded;
  for (Value from : tiles)
    loaded.push_back(
        tile::LoadOp::create(b, loc, type, from, ValueRange{index(0), index(0)}));
  return loaded;
}

/// Sets scores to minus infinity where a key is later than the query or before its
/// window.
Value RegisterMainloop::maskOutside(Value scores, Value rowBegin, Value first) {
  auto type = cast<tile::FragType>(scores.getType());
  Type i32 = b.getI32Type();
  auto count = [&](Value start, uint64_t axis) -> Value {
    Value narrow = arith::IndexCastOp::create(b, loc, i32, start);
    return tile::IotaOp::create(b, loc, type.cloneWith(i32), narrow, axis);
  };
  Value end = count(visible.causalEnd(rowBegin), 0), key = count(first, 1);
  Value masked = lowest();
  return map({scores, end, key}, [&](OpBuilder &b, ValueRange x) -> Value {
    Value keep = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, x[2], x[1]);
    if (visible.hasWindow()) {
      Value size = arith::ConstantIntOp::create(b, loc, visible.window(), 32);
      Value before = arith::SubIOp::create(b, loc, x[1], x[2]);
      Value isNear =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, before, size);
      keep = arith::AndIOp::create(b, loc, keep, isNear);
    }
    return arith::SelectOp::create(b, loc, keep, x[0], masked);
  });
}

/// Scales scores to exponents of 2, and adds the mask.
Value RegisterMainloop::scale(Value scores, QueryRows rows, Value first, Value valid) {
  Value factor = number(scoreFactor()), zero = number(0.0);
  Values inputs{scores};
  if (program.mask)
    llvm::append_range(
        inputs, loadMask(cast<tile::FragType>(scores.getType()), rows, first, valid));
  return map(inputs, [&](OpBuilder &b, ValueRange x) -> Value {
    Value own;
    if (program.op.getSoftcap()) {
      own = scaleScore(b, x[0], std::numbers::log2e);
      if (x.size() > 1)
        own = arith::AddFOp::create(b, loc, own, x[1]);
    } else if (x.size() == 1) {
      own = arith::MulFOp::create(b, loc, x[0], factor);
    } else {
      own = math::FmaOp::create(b, loc, x[0], factor, x[1]);
    }
    if (x.size() < 3)
      return own;
    Value isKept = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ONE, x[2], zero);
    return arith::SelectOp::create(b, loc, isKept, own, x[1]);
  });
}

Value RegisterMainloop::finishScores(Value scores, QueryRows rows, Value first) {
  Value valid = validKeys(first);
  if (!keepsScores())
    scores = scale(scores, rows, first, valid);
  return maskAtEdge(scores, [&](Value scores) -> Value {
    if (program.isCausal())
      scores = maskOutside(scores, rows.begin, first);
    if (!valid)
      return scores;
    return tile::SelectRangeOp::create(b, loc, scores.getType(), scores, index(0), valid,
                                       lowest(), uint64_t(1));
  });
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// Clamps a finite sink so that it stays finite as an exponent, like a mask (scaleMask).
AttentionBuilder::MaximumUnit RegisterMainloop::maximumUnit() const {
  constexpr double kMax = std::numeric_limits<float>::max(), kMargin = 1 - 0x1p-20;
  double factor = exponentFactor();
  return {factor / std::numbers::log2e, kMargin * kMax / std::max(factor, 1.0)};
}

/// Adds one tile of keys to the state of every row: the maximum score, the sum of the
/// exponentials, and the unnormalized result.
RegisterMainloop::State RegisterMainloop::addTile(State before, Value scores,
                                                  Value values) {
  auto type = cast<tile::FragType>(scores.getType());
  auto perRow = cast<tile::FragType>(before.maximum.getType());
  auto resultType = cast<tile::FragType>(before.result.getType());
  Value factor = number(exponentFactor()), zero = number(0.0);
  Value none = lowest();
  Value highest =
      tile::ReduceOp::create(b, loc, perRow, tile::ReduceKind::max, scores, 1);
  Value maximum =
      map({before.maximum, highest}, [&](OpBuilder &b, ValueRange x) -> Value {
        return arith::MaximumFOp::create(b, loc, x[0], x[1]);
      });
  // While all keys are masked the maximum is -inf; shift by 0, because -inf - (-inf) is
  // NaN.
  Value shift = map({maximum}, [&](OpBuilder &b, ValueRange x) -> Value {
    Value isNone = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, x[0], none);
    Value scaled = arith::MulFOp::create(b, loc, x[0], factor);
    Value down = arith::SubFOp::create(b, loc, zero, scaled);
    return arith::SelectOp::create(b, loc, isNone, zero, down);
  });
  auto power = [&](OpBuilder &b, ValueRange x) -> Value {
    return math::Exp2Op::create(b, loc, math::FmaOp::create(b, loc, x[0], factor, x[1]));
  };
  Value powers = map({scores, broadcastRows(type, shift)}, power);
  Value shrink = map({before.maximum, shift}, power);
  Value added = tile::ReduceOp::create(b, loc, perRow, tile::ReduceKind::sum, powers, 1);
  Value sum = map({before.sum, shrink, added}, [&](OpBuilder &b, ValueRange x) -> Value {
    return math::FmaOp::create(b, loc, x[0], x[1], x[2]);
  });
  Value older = map({before.result, broadcastRows(resultType, shrink)},
                    [&](OpBuilder &b, ValueRange x) -> Value {
                      return arith::MulFOp::create(b, loc, x[0], x[1]);
                    });
  Type element = cast<tile::StagedType>(values.getType()).getElementType();
  Value weights = tile::ConvertOp::create(b, loc, type.cloneWith(element), powers);
  return {maximum, sum,
          tile::MmaOp::create(b, loc, resultType, weights, values, older).getResult()};
}

RegisterMainloop::State RegisterMainloop::addTiles(QueryRows rows, KeyRange keys,
                                                   SoftmaxState initial) {
  Value queries = operands.stageQueries(rows.begin);
  auto scoreType = fragType({tile.rows, tile.keys}),
       resultType = fragType({tile.rows, tile.columnLanes});
  auto fill = [&](tile::FragType type, Value value) -> Value {
    return tile::FillOp::create(b, loc, type, value);
  };
  Value none = fill(scoreType, number(0.0));
  Values inits{initial.maximum, initial.sum, fill(resultType, number(0.0))};
  auto step = [&](Value at, ValueRange staged, ValueRange carried) -> Values {
    Value scores = tile::MmaOp::create(b, loc, scoreType, queries, staged[0], none);
    scores = finishScores(scores, rows, at);
    State next = addTile({carried[0], carried[1], carried[2]}, scores, staged[1]);
    return {next.maximum, next.sum, next.result};
  };
  Values state = forKeyTiles(rows, keys, inits, step);
  return {state[0], state[1], state[2]};
}

/// Returns the results divided by their sums.
Value RegisterMainloop::attend(QueryRows rows) {
  State state =
      addTiles(rows, allKeys(rows), initialRows(rows, tile.rows, maximumUnit()));
  storeLse(rows, state.maximum, state.sum);
  Value inverse = map(
      {state.sum}, [&](OpBuilder &b, ValueRange x) -> Value { return invert(b, x[0]); });
  auto resultType = cast<tile::FragType>(state.result.getType());
  return map(
      {state.result, broadcastRows(resultType, inverse)},
      [&](OpBuilder &b, ValueRange x) -> Value { return normalize(b, x[0], x[1]); });
}

//===----------------------------------------------------------------------===//
// Splits of the keys
//===----------------------------------------------------------------------===//

RegisterMainloop::State RegisterMainloop::attendSplit(QueryRows rows, KeyRange keys) {
  return addTiles(rows, keys, emptyRows());
}

AttentionBuilder::SoftmaxState RegisterMainloop::initialRow() {
  auto [maximum, sum] = initialState();
  if (program.sinks)
    maximum = scaleSink(b, maximum, maximumUnit());
  return {maximum, sum};
}

Value RegisterMainloop::lseOf(OpBuilder &b, Value maximum, Value sum) {
  Value unit = arith::ConstantOp::create(
      b, loc,
      b.getFloatAttr(program.accumulator, exponentFactor() / std::numbers::log2e));
  return math::FmaOp::create(b, loc, maximum, unit, math::LogOp::create(b, loc, sum));
}

Value RegisterMainloop::shrinkTo(Value before, Value maximum) {
  Value factor = number(exponentFactor());
  Value isNone =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, maximum, lowest());
  Value down = arith::SubFOp::create(b, loc, number(0.0),
                                     arith::MulFOp::create(b, loc, maximum, factor));
  Value shift = arith::SelectOp::create(b, loc, isNone, number(0.0), down);
  return math::Exp2Op::create(b, loc, math::FmaOp::create(b, loc, before, factor, shift));
}
