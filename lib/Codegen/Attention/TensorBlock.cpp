//===- TensorBlock.cpp - Attention on tensor cores ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attention of GPUs for queries, keys and values of f16 or bf16: every warp
// has some query rows of one head, whose scores, maxima, sums and results stay in
// its registers while the block walks over the keys, two tiles of keys and values
// in shared memory. Exponentials are powers of two, the scale folded in; rounded
// to the operands' type they are the left operand of the second product as they
// lie. A mask is computed by teams of threads, one row of it where all queries
// have the same, and read from scratch, so that any fused body works.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

#include <limits>
#include <numbers>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Elements that rows of scratch lie apart beyond their length: the lanes of a
/// quarter of a warp have two columns of four rows each, in different banks.
static constexpr int64_t kPadding = 8;
/// Steps of the instruction, which a head is padded to.
static constexpr int64_t kFewestSteps = 16;

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

void AttentionEmitter::planTensor() {
  depthLanes = std::max(depthLanes, kFewestSteps);
  columnLanes = std::max(columnLanes, kFewestSteps);
  stripStride = columnLanes + kPadding;
  if (!stored)
    scratchBytes = threads.getRows() * stripStride * bytes();
  if (!program.mask)
    return;
  maskRows = program.hasOneMaskRow() ? 1 : threads.getRows();
  maskOffset = scratchBytes.alignTo(64);
  scratchBytes = maskOffset + maskRows * (threads.getKeys() + kPadding) * bytes();
}

/// Scores times this are powers of two.
double AttentionEmitter::scoreFactor() {
  return program.op.getScale().convertToDouble() * std::numbers::log2e;
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

Value AttentionEmitter::broadcastRows(tile::FragType type, Value perRow) {
  return tile::BroadcastOp::create(b, loc, type, perRow, uint64_t(1));
}

/// The mask of keys from `first` on, as what is added to powers of two.
Value AttentionEmitter::loadMask(tile::FragType type, Value rowBegin, Value rowCount,
                                 Value first, Value valid) {
  int64_t keys = threads.getKeys();
  OpFoldResult height = b.getIndexAttr(threads.getRows()), one = b.getIndexAttr(1);
  OpFoldResult width = b.getIndexAttr(keys + kPadding);
  OpFoldResult stride = maskRows == 1 ? b.getIndexAttr(0) : width;
  Value mask = view(scratch(maskOffset), index(0), {height, width}, {stride, one});
  // Rows past the end, which are computed and dropped, have the last one's mask.
  Value last = sub(rowCount, index(1));
  auto compute = [&](Value row) {
    Value own = b.createOrFold<arith::MinSIOp>(loc, row, last);
    storeMask(mask, {row, index(0)}, add(rowBegin, own), first, valid,
              std::numbers::log2e);
  };
  shareRows(index(maskRows), keys, compute, /*apart=*/maskRows > 1);
  return tile::LoadOp::create(b, loc, type, mask, ValueRange{index(0), index(0)});
}

/// Lowest where a key is later than the query.
Value AttentionEmitter::maskLater(Value scores, Value rowBegin, Value first) {
  auto type = cast<tile::FragType>(scores.getType());
  Type i32 = b.getI32Type();
  auto count = [&](Value start, uint64_t axis) -> Value {
    Value narrow = arith::IndexCastOp::create(b, loc, i32, start);
    return tile::IotaOp::create(b, loc, type.cloneWith(i32), narrow, axis);
  };
  Value end = count(lastKeyOf(rowBegin), 0), key = count(first, 1);
  Value lowest = number(-std::numeric_limits<double>::infinity());
  return mapOf(type, {scores, end, key}, [&](OpBuilder &b, ValueRange x) -> Value {
    Value keep = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, x[2], x[1]);
    return arith::SelectOp::create(b, loc, keep, x[0], lowest);
  });
}

/// Scores as they are compared; `powerFactor` of them are exponents of two.
Value AttentionEmitter::finishScores(Value scores, Value rowBegin, Value rowCount,
                                     Value first) {
  auto type = cast<tile::FragType>(scores.getType());
  Value valid = hasWholeTiles() ? Value() : sub(keyEnd, first);
  if (!keepsScores()) {
    Value factor = number(scoreFactor());
    SmallVector<Value> inputs{scores};
    if (program.mask)
      inputs.push_back(loadMask(type, rowBegin, rowCount, first, valid));
    scores = mapOf(type, inputs, [&](OpBuilder &b, ValueRange x) -> Value {
      if (program.op.getSoftcap()) {
        Value capped = scaleScore(b, x[0], std::numbers::log2e);
        return x.size() == 1 ? capped
                             : arith::AddFOp::create(b, loc, capped, x[1]).getResult();
      }
      if (x.size() == 1)
        return arith::MulFOp::create(b, loc, x[0], factor);
      return math::FmaOp::create(b, loc, x[0], factor, x[1]);
    });
  }
  return atEdge(scores, [&](Value scores) -> Value {
    if (program.op.getCausal())
      scores = maskLater(scores, rowBegin, first);
    if (!valid)
      return scores;
    Value lowest = number(-std::numeric_limits<double>::infinity());
    return tile::SelectRangeOp::create(b, loc, type, scores, index(0), valid, lowest,
                                       uint64_t(1));
  });
}

//===----------------------------------------------------------------------===//
// The walk over the keys
//===----------------------------------------------------------------------===//

/// One tile of keys: the state of every row is its largest score, the sum of its
/// exponentials and its part of the result.
AttentionEmitter::Online AttentionEmitter::stepOnline(Online before, Value scores,
                                                      Value values) {
  auto type = cast<tile::FragType>(scores.getType());
  auto perRow = cast<tile::FragType>(before.maximum.getType());
  auto resultType = cast<tile::FragType>(before.result.getType());
  Value factor = number(keepsScores() ? scoreFactor() : 1.0), zero = number(0.0);
  Value lowest = number(-std::numeric_limits<double>::infinity());
  Value highest =
      tile::ReduceOp::create(b, loc, perRow, tile::ReduceKind::max, scores, 1);
  Value maximum =
      mapOf(perRow, {before.maximum, highest}, [&](OpBuilder &b, ValueRange x) -> Value {
        return arith::MaximumFOp::create(b, loc, x[0], x[1]);
      });
  // Nothing but masked keys so far: any shift will do, but no infinity.
  Value shift = mapOf(perRow, {maximum}, [&](OpBuilder &b, ValueRange x) -> Value {
    Value none = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, x[0], lowest);
    Value scaled = arith::MulFOp::create(b, loc, x[0], factor);
    Value down = arith::SubFOp::create(b, loc, zero, scaled);
    return arith::SelectOp::create(b, loc, none, zero, down);
  });
  auto power = [&](OpBuilder &b, ValueRange x) -> Value {
    return math::Exp2Op::create(b, loc, math::FmaOp::create(b, loc, x[0], factor, x[1]));
  };
  Value powers = mapOf(type, {scores, broadcastRows(type, shift)}, power);
  Value shrink = mapOf(perRow, {before.maximum, shift}, power);
  Value part = tile::ReduceOp::create(b, loc, perRow, tile::ReduceKind::sum, powers, 1);
  Value sum =
      mapOf(perRow, {before.sum, shrink, part}, [&](OpBuilder &b, ValueRange x) -> Value {
        return math::FmaOp::create(b, loc, x[0], x[1], x[2]);
      });
  Value older = mapOf(resultType, {before.result, broadcastRows(resultType, shrink)},
                      [&](OpBuilder &b, ValueRange x) -> Value {
                        return arith::MulFOp::create(b, loc, x[0], x[1]);
                      });
  Type element = cast<tile::StagedType>(values.getType()).getElementType();
  Value weights = tile::ConvertOp::create(b, loc, type.cloneWith(element), powers);
  return {maximum, sum,
          tile::MmaOp::create(b, loc, resultType, weights, values, older).getResult()};
}

/// Results of the block's rows, divided by their sums.
Value AttentionEmitter::walkKeysOnTensorCores(Value rowBegin, Value rowCount,
                                              Value queries) {
  int64_t rows = threads.getRows(), keyTile = threads.getKeys();
  auto fragment = [&](ArrayRef<int64_t> shape) {
    return tile::FragType::get(b.getContext(), shape, program.accumulator);
  };
  auto scoreType = fragment({rows, keyTile}), resultType = fragment({rows, columnLanes});
  auto fill = [&](tile::FragType type, double value) -> Value {
    return tile::FillOp::create(b, loc, type, number(value));
  };
  Value none = fill(scoreType, 0.0);
  SmallVector<Value> inits{
      fill(fragment({rows}), -std::numeric_limits<double>::infinity()),
      fill(fragment({rows}), 0.0), fill(resultType, 0.0)};
  Value shared = lastSharedKey(rowBegin);
  Matrix keyMatrix = openMatrix(program.keys, program.depth, program.key);
  Matrix valueMatrix = openMatrix(program.values, program.key, program.column);
  auto load = [&](OpBuilder &, Location, Value at) -> SmallVector<Value> {
    return stageKeys(keyMatrix, valueMatrix, at, keyTile);
  };
  auto compute = [&](OpBuilder &, Location, Value at, ValueRange staged,
                     ValueRange carried) -> SmallVector<Value> {
    NodeEmitter::Scope scope(emitter);
    enterTile(at, shared);
    Value scores = tile::MmaOp::create(b, loc, scoreType, queries, staged[0], none);
    scores = finishScores(scores, rowBegin, rowCount, at);
    Online next = stepOnline({carried[0], carried[1], carried[2]}, scores, staged[1]);
    return {next.maximum, next.sum, next.result};
  };
  auto pipeline = tile::PipelineOp::create(b, loc, index(0), lastKey(rowBegin, rowCount),
                                           index(keyTile), inits, load, compute);
  pipeline.setStages(groups ? groups.getStages() : 2);
  Value sums = pipeline.getResult(1), result = pipeline.getResult(2);
  Value inverse =
      mapOf(cast<tile::FragType>(sums.getType()), {sums},
            [&](OpBuilder &b, ValueRange x) -> Value { return invert(b, x[0]); });
  return mapOf(
      resultType, {result, broadcastRows(resultType, inverse)},
      [&](OpBuilder &b, ValueRange x) -> Value { return normalize(b, x[0], x[1]); });
}

/// Without a mask, and with a scale that keeps their order, scores are compared
/// as the product leaves them.
bool AttentionEmitter::keepsScores() {
  return !program.mask && !program.op.getSoftcap() && scoreFactor() > 0.0;
}
